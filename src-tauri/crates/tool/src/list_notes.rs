//! `list_notes`: which notes there are.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{ToolResult, ToolSpec};
use talaria_note::{NoteSummary, Notebook};

use crate::argument::{count, parse};
use crate::output::{in_notes, success};
use crate::{Tool, ToolContext};

const NAME: &str = "list_notes";
const USUAL: usize = 50;
const MOST: usize = 100;

pub(crate) struct ListNotes {
    notebook: Notebook,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(default, deserialize_with = "count")]
    limit: Option<usize>,
    #[serde(default, deserialize_with = "count")]
    offset: Option<usize>,
}

impl ListNotes {
    pub(crate) fn new(notebook: Notebook) -> Self {
        Self { notebook }
    }
}

#[async_trait]
impl Tool for ListNotes {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "List the user's notes, latest first: path, title and first words."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "limit": {"type": "integer", "x-minimum": 0, "description": "How many; 50 if left out."},
                    "offset": {"type": "integer", "x-minimum": 0, "description": "How many to skip."},
                },
                "required": [],
                "additionalProperties": false,
            }),
        }
    }

    fn is_rare(&self) -> bool {
        true
    }

    async fn run(&self, arguments: Value, _context: &ToolContext<'_>) -> ToolResult {
        let arguments: Arguments = match parse(NAME, arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        in_notes(&self.notebook, move |notebook| {
            Ok(page(&notebook.list()?, arguments.limit, arguments.offset))
        })
        .await
    }
}

/// A part of a list of notes, and how many there are.
pub(crate) fn page(
    notes: &[NoteSummary],
    limit: Option<usize>,
    offset: Option<usize>,
) -> ToolResult {
    let offset = offset.unwrap_or(0);
    let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
    let shown: Vec<Value> = notes
        .iter()
        .skip(offset)
        .take(limit)
        .map(|note| json!({"path": note.path, "title": note.title, "excerpt": note.excerpt}))
        .collect();
    let end = offset.saturating_add(shown.len());
    let more = end < notes.len() && !shown.is_empty();
    success(json!({"total": notes.len(), "notes": shown, "next_offset": more.then_some(end)}))
}
