//! `read_file`: a text file with its line numbers, page by page; or what is in a folder.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, Effect, SessionId, ToolResult, ToolSpec};

use super::change::not_text;
use super::place::{Ground, MOVED, Place};
use super::seen::Seen;
use super::text::decode;
use crate::argument::{count, parse, words};
use crate::output::{MAX_CHARS, either, off_the_runtime};
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
                    "path": {"type": "string", "x-minLength": 1},
                    "offset": {"type": "integer", "x-minimum": 0, "description": "First line, from 1."},
                    "limit": {"type": "integer", "x-minimum": 0, "description": "Lines; 2000 unless given."},
                },
                "required": ["path"],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let Arguments { path, .. } = parse(NAME, arguments.clone())?;
        let ground = Ground::of(context);
        let place = off_the_runtime(move || Ok(Place::find(&path, &ground)?));
        let path = place.await?.display();
        Ok(Act {
            digest: path.clone(),
            effects: vec![Effect::Read { path }],
            ..Act::default()
        })
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let (seen, session) = (self.seen.clone(), context.session_id);
        let (ground, digest) = (Ground::of(context), context.digest.clone());
        let shown = off_the_runtime(move || {
            let Arguments {
                path,
                offset,
                limit,
            } = parse(NAME, arguments)?;
            let place = Place::find(&path, &ground)?;
            if place.display() != digest {
                return Err(ToolResult::failure(MOVED));
            }
            let page = Page {
                first: offset.unwrap_or(1).max(1),
                lines: limit.unwrap_or(PAGE).clamp(1, PAGE),
            };
            match place.is_folder() {
                true => list(&place),
                false => read(&place, page, &seen, session),
            }
        });
        either(shown.await)
    }
}

#[derive(Clone, Copy)]
struct Page {
    first: usize,
    lines: usize,
}

fn read(
    place: &Place,
    page: Page,
    seen: &Seen,
    session: SessionId,
) -> Result<ToolResult, ToolResult> {
    let path = place.display();
    let Some(bytes) = place.read()? else {
        return Err(ToolResult::failure(format!("There is no file {path}.")));
    };
    let decoded = decode(&bytes)
        .map_err(|error| not_text(&format!("{path} ({} bytes)", bytes.len()), &error))?;
    let Numbered { shown, through } = numbered(&decoded.text, page);
    let total = decoded.text.lines().count();
    // A page beyond the end shows nothing of the file.
    if page.first <= total.max(1) {
        seen.note_lines(session, &path, &bytes, (page.first, through, total));
    }
    Ok(ToolResult::success(shown))
}

/// Lines behind their numbers.
struct Numbered {
    shown: String,
    /// The last line before which every line of the page is shown whole.
    through: usize,
}

/// The page, each line behind its number, and what comes after it.
fn numbered(text: &str, page: Page) -> Numbered {
    let total = text.lines().count();
    let nothing = |told: String| Numbered {
        shown: told,
        through: 0,
    };
    if total == 0 {
        return nothing("(the file is empty)".to_owned());
    }
    if page.first > total {
        return nothing(format!("(the file has {total} lines)"));
    }
    let (mut shown, mut last, mut first_cut) = (String::new(), page.first - 1, None);
    let lines = text.lines().enumerate().skip(page.first - 1);
    for (at, line) in lines.take(page.lines) {
        let cut = line.char_indices().nth(LONGEST_LINE);
        let line = match cut {
            None => line.to_owned(),
            Some((end, _)) => format!("{}… [line cut]", line.get(..end).unwrap_or_default()),
        };
        let line = format!("{}\t{line}\n", at + 1);
        if !shown.is_empty() && shown.len() + line.len() > MAX_CHARS - 200 {
            break;
        }
        shown.push_str(&line);
        last = at + 1;
        first_cut = first_cut.or(cut.map(|_| at));
    }
    if last < total {
        shown.push_str(&format!(
            "[{total} lines in all; go on with offset {}]",
            last + 1
        ));
    }
    Numbered {
        shown,
        through: first_cut.unwrap_or(last),
    }
}

fn list(place: &Place) -> Result<ToolResult, ToolResult> {
    let names = place.list()?;
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
    Ok(ToolResult::success(lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, Numbered, Page, numbered};

    #[test]
    fn a_page_says_how_to_go_on() {
        let text: String = (1..=10).map(|at| format!("line {at}\n")).collect();
        let page = |first, lines| numbered(&text, Page { first, lines }).shown;
        assert_eq!(
            page(3, 2),
            "3\tline 3\n4\tline 4\n[10 lines in all; go on with offset 5]"
        );
        assert_eq!(page(10, 5), "10\tline 10\n");
        assert_eq!(page(11, 5), "(the file has 10 lines)");
        assert_eq!(
            numbered("", Page { first: 1, lines: 1 }).shown,
            "(the file is empty)"
        );
    }

    #[test]
    fn a_line_that_is_cut_was_not_seen() {
        let long = "字".repeat(LONGEST_LINE + 1);
        let page = Page {
            first: 1,
            lines: 10,
        };
        let Numbered { shown, through } = numbered(&format!("a\n{long}\nb\n"), page);
        assert!(shown.contains("[line cut]") && shown.ends_with("3\tb\n"));
        assert_eq!(through, 1);
        assert_eq!(numbered("a\nb\n", page).through, 2);
    }

    #[test]
    fn a_page_stays_within_what_a_result_holds() {
        let text = "字".repeat(1_500) + "\n";
        let text = text.repeat(100);
        let Numbered { shown, .. } = numbered(
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
