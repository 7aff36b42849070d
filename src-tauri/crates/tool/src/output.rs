//! Results as the model gets them: short, bounded, and plain about what went wrong.

use serde_json::Value;
use talaria_domain::{ItemId, SessionId, ToolResult};
use talaria_note::{NoteError, Notebook};

/// The most characters of one result.
pub(crate) const MAX_CHARS: usize = 24_000;

/// The object as the result, without the fields that are null.
pub(crate) fn success(mut value: Value) -> ToolResult {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, field| !field.is_null());
    }
    ToolResult::success(value.to_string())
}

pub(crate) fn failure(text: String) -> ToolResult {
    ToolResult::failure(text)
}

/// Bytes as lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Keeps what is too long to be given to the model.
pub trait Spill: Send + Sync {
    /// Writes the whole text where the session can read it, and says where. None: it can't be kept.
    /// May block for as long as writing takes.
    fn keep(&self, session: SessionId, item: ItemId, text: &str) -> Option<String>;
}

/// The text if it is short; else its beginning and its end, and where the whole is.
pub(crate) fn spilled(text: String, session: SessionId, item: ItemId, spill: &dyn Spill) -> String {
    let length = text.chars().count();
    if length <= MAX_CHARS {
        return text;
    }
    let Some(path) = spill.keep(session, item, &text) else {
        return bounded(text);
    };
    let (head, tail) = (MAX_CHARS * 2 / 3, MAX_CHARS / 4);
    let left_out = length - head - tail;
    let beginning: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    format!(
        "{beginning}\n[… {left_out} characters left out; the whole is in {path}: read_file shows it \
         page by page …]\n{end}"
    )
}

/// The text, cut if it is too long; the last line then says so.
fn bounded(text: String) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        None => text,
        Some((end, _)) => {
            let kept = text.get(..end).unwrap_or_default();
            format!(
                "{kept}\n[cut after {MAX_CHARS} characters; ask for less, with limit and offset]"
            )
        }
    }
}

/// Asks the notes on a thread that may block.
pub(crate) async fn in_notes(
    notebook: &Notebook,
    work: impl FnOnce(&Notebook) -> Result<ToolResult, NoteError> + Send + 'static,
) -> ToolResult {
    let notebook = notebook.clone();
    match tokio::task::spawn_blocking(move || work(&notebook)).await {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => failure(format!("Not done: {error}.")),
        Err(error) => {
            tracing::error!(%error, "a tool broke off");
            failure("Not done: the tool broke off.".to_owned())
        }
    }
}

/// Runs a tool's blocking work on a thread for it.
///
/// # Errors
/// Those of the work.
pub(crate) async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolResult> + Send + 'static,
) -> Result<T, ToolResult> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "a tool broke off");
            Err(failure("Not done: the tool broke off.".to_owned()))
        })
}

/// The result, wherever it came from.
pub(crate) fn either(result: Result<ToolResult, ToolResult>) -> ToolResult {
    result.unwrap_or_else(|refused| refused)
}

#[cfg(test)]
mod tests {
    use talaria_domain::{ItemId, SessionId, Timestamp};

    use super::{MAX_CHARS, Spill, bounded, spilled};

    /// Keeps nothing, or says that it did.
    struct Shelf(Option<&'static str>);

    impl Spill for Shelf {
        fn keep(&self, _session: SessionId, _item: ItemId, text: &str) -> Option<String> {
            assert!(text.chars().count() > MAX_CHARS);
            self.0.map(str::to_owned)
        }
    }

    #[test]
    fn what_is_too_long_is_kept_and_given_with_both_its_ends() {
        let session = SessionId::from_parts(Timestamp::from_millis(1), [0; 10]);
        let item = ItemId::from_parts(Timestamp::from_millis(1), [0; 10]);
        let long = format!("BEGIN{}END", "长".repeat(MAX_CHARS));
        let given = spilled(long.clone(), session, item, &Shelf(Some("/spill/1.txt")));
        assert!(given.starts_with("BEGIN") && given.ends_with("END"));
        assert!(given.contains("the whole is in /spill/1.txt"));
        assert!(given.chars().count() < MAX_CHARS);
        let cut = spilled(long, session, item, &Shelf(None));
        assert!(cut.contains("[cut after"));
        assert_eq!(spilled("短".into(), session, item, &Shelf(None)), "短");
    }

    #[test]
    fn a_long_result_is_cut_between_characters_and_says_so() {
        assert_eq!(bounded("短".repeat(MAX_CHARS)), "短".repeat(MAX_CHARS));
        let cut = bounded("长".repeat(MAX_CHARS + 1));
        assert!(cut.starts_with("长") && cut.contains("[cut after"));
        assert!(cut.chars().count() < MAX_CHARS + 100);
    }
}
