//! `search_notes`: which notes hold some words.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{ToolResult, ToolSpec};
use talaria_note::Notebook;

use crate::argument::{count, parse, words};
use crate::list_notes::page;
use crate::output::in_notes;
use crate::{Tool, ToolContext};

const NAME: &str = "search_notes";

pub(crate) struct SearchNotes {
    notebook: Notebook,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    query: String,
    #[serde(default, deserialize_with = "count")]
    limit: Option<usize>,
    #[serde(default, deserialize_with = "count")]
    offset: Option<usize>,
}

impl SearchNotes {
    pub(crate) fn new(notebook: Notebook) -> Self {
        Self { notebook }
    }
}

#[async_trait]
impl Tool for SearchNotes {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Find the user's notes that hold every word of the query, in title or \
                          text, in any case. Returns path, title and the words around the hit."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "query": {"type": "string", "x-minLength": 1, "description": "Words that must all occur."},
                    "limit": {"type": "integer", "x-minimum": 0, "description": "How many; 50 if left out."},
                    "offset": {"type": "integer", "x-minimum": 0, "description": "How many to skip."},
                },
                "required": ["query"],
                "additionalProperties": false,
            }),
        }
    }

    async fn run(&self, arguments: Value, _context: &ToolContext<'_>) -> ToolResult {
        let arguments: Arguments = match parse(NAME, arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        in_notes(&self.notebook, move |notebook| {
            Ok(page(
                &notebook.search(&arguments.query)?,
                arguments.limit,
                arguments.offset,
            ))
        })
        .await
    }
}
