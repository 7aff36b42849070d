//! Results as the model gets them: short, bounded, and plain about what went wrong.

use serde_json::Value;
use talaria_domain::ToolResult;
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

/// The text, cut if it is too long; the last line then says so.
pub(crate) fn bounded(text: String) -> String {
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
pub(crate) async fn off_the_runtime(
    work: impl FnOnce() -> ToolResult + Send + 'static,
) -> ToolResult {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "a tool broke off");
            failure("Not done: the tool broke off.".to_owned())
        })
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHARS, bounded};

    #[test]
    fn a_long_result_is_cut_between_characters_and_says_so() {
        assert_eq!(bounded("短".repeat(MAX_CHARS)), "短".repeat(MAX_CHARS));
        let cut = bounded("长".repeat(MAX_CHARS + 1));
        assert!(cut.starts_with("长") && cut.contains("[cut after"));
        assert!(cut.chars().count() < MAX_CHARS + 100);
    }
}
