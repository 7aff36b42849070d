//! `read_file`: a text file with its line numbers, page by page; or what is in a folder.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, Effect, SessionId, ToolResult, ToolSpec};

use super::change::not_text;
use super::place::Place;
use super::seen::Seen;
use super::text::decode;
use crate::argument::{count, parse, words};
use crate::output::{MAX_CHARS, off_the_runtime};
use crate::{Tool, ToolContext};

const NAME: &str = "read_file";
/// Lines of one page.
const PAGE: usize = 2_000;
/// A line is given with so many characters.
const LONGEST_LINE: usize = 2_000;
/// Entries of a folder that are listed.
const ENTRIES: usize = 500;

pub(super) struct ReadFile {
    seen: Seen,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    path: String,
    #[serde(default, deserialize_with = "count")]
    offset: Option<usize>,
    #[serde(default, deserialize_with = "count")]
    limit: Option<usize>,
}

impl ReadFile {
    pub(super) fn new(seen: Seen) -> Self {
        Self { seen }
    }
}

#[async_trait]
impl Tool for ReadFile {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Read a text file, with line numbers, or list a folder.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "offset": {"type": "integer", "description": "First line, from 1."},
                    "limit": {"type": "integer", "description": "Lines; 2000 unless given."},
                },
                "required": ["path"],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let Arguments { path, .. } = parse(NAME, arguments.clone())?;
        let path = Place::find(&path, context)?.display();
        Ok(Act {
            digest: path.clone(),
            effects: vec![Effect::Read { path }],
            ..Act::default()
        })
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let Arguments {
            path,
            offset,
            limit,
        } = match parse(NAME, arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        let place = match Place::find(&path, context) {
            Ok(place) => place,
            Err(error) => return error.into(),
        };
        if place.display() != context.digest {
            return ToolResult::failure("Not done: the path leads elsewhere now. Call it again.");
        }
        let (seen, session) = (self.seen.clone(), context.session_id);
        let page = Page {
            first: offset.unwrap_or(1).max(1),
            lines: limit.unwrap_or(PAGE).clamp(1, PAGE),
        };
        off_the_runtime(move || match place.is_folder() {
            true => list(&place),
            false => read(&place, page, &seen, session),
        })
        .await
    }
}

#[derive(Clone, Copy)]
struct Page {
    first: usize,
    lines: usize,
}

fn read(place: &Place, page: Page, seen: &Seen, session: SessionId) -> ToolResult {
    let path = place.display();
    let bytes = match place.read() {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return ToolResult::failure(format!("There is no file {path}.")),
        Err(error) => return error.into(),
    };
    let decoded = match decode(&bytes) {
        Ok(decoded) => decoded,
        Err(error) => return not_text(&format!("{path} ({} bytes)", bytes.len()), &error),
    };
    let (shown, last) = numbered(&decoded.text, page);
    let total = decoded.text.lines().count();
    seen.note_lines(session, &path, &bytes, (page.first, last, total));
    ToolResult::success(shown)
}

/// The page, each line behind its number, and what comes after it; and the last line of it.
fn numbered(text: &str, page: Page) -> (String, usize) {
    let total = text.lines().count();
    if total == 0 {
        return ("(the file is empty)".to_owned(), 0);
    }
    if page.first > total {
        return (format!("(the file has {total} lines)"), 0);
    }
    let mut shown = String::new();
    let mut last = page.first - 1;
    for (at, line) in text
        .lines()
        .enumerate()
        .skip(page.first - 1)
        .take(page.lines)
    {
        let line = match line.char_indices().nth(LONGEST_LINE) {
            None => line.to_owned(),
            Some((end, _)) => format!("{}… [line cut]", line.get(..end).unwrap_or_default()),
        };
        let line = format!("{}\t{line}\n", at + 1);
        if !shown.is_empty() && shown.len() + line.len() > MAX_CHARS - 200 {
            break;
        }
        shown.push_str(&line);
        last = at + 1;
    }
    if last < total {
        shown.push_str(&format!(
            "[{total} lines in all; go on with offset {}]",
            last + 1
        ));
    }
    (shown, last)
}

fn list(place: &Place) -> ToolResult {
    let names = match place.list() {
        Ok(names) => names,
        Err(error) => return error.into(),
    };
    let mut lines: Vec<String> = names
        .iter()
        .take(ENTRIES)
        .map(|(name, size)| match size {
            Some(size) => format!("{name}\t{size} bytes"),
            None => name.clone(),
        })
        .collect();
    if names.len() > ENTRIES {
        lines.push(format!("[{} entries in all]", names.len()));
    }
    if lines.is_empty() {
        lines.push("(the folder is empty)".to_owned());
    }
    ToolResult::success(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{Page, numbered};

    #[test]
    fn a_page_says_how_to_go_on() {
        let text: String = (1..=10).map(|at| format!("line {at}\n")).collect();
        let page = |first, lines| numbered(&text, Page { first, lines }).0;
        assert_eq!(
            page(3, 2),
            "3\tline 3\n4\tline 4\n[10 lines in all; go on with offset 5]"
        );
        assert_eq!(page(10, 5), "10\tline 10\n");
        assert_eq!(page(11, 5), "(the file has 10 lines)");
        assert_eq!(
            numbered("", Page { first: 1, lines: 1 }).0,
            "(the file is empty)"
        );
    }

    #[test]
    fn a_page_stays_within_what_a_result_holds() {
        let text = "字".repeat(1_500) + "\n";
        let text = text.repeat(100);
        let (shown, _) = numbered(
            &text,
            Page {
                first: 1,
                lines: 2_000,
            },
        );
        assert!(shown.chars().count() < crate::output::MAX_CHARS);
        assert!(shown.contains("go on with offset"));
    }
}
