//! `todo`: the plan of a longer piece of work, told anew each time it changes. It is kept nowhere but in
//! the conversation.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Shown, TodoEntry, TodoState, ToolResult, ToolSpec};

use crate::argument::parse;
use crate::{Tool, ToolContext};

const NAME: &str = "todo";
/// A longer plan is not one that anybody follows.
const MOST: usize = 50;

pub(crate) struct Todo;

#[derive(Debug, Deserialize)]
struct Arguments {
    entries: Vec<TodoEntry>,
}

#[async_trait]
impl Tool for Todo {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Show the user your plan for work of several steps. Give the whole plan \
                          each time; keep one entry active."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {"entries": {"type": "array", "items": {
                    "type": "object",
                    "properties": {
                        "text": {"type": "string"},
                        "state": {"type": "string", "enum": ["pending", "active", "done", "dropped"]},
                    },
                    "required": ["text", "state"],
                }}},
                "required": ["entries"],
                "additionalProperties": false,
            }),
        }
    }

    fn is_rare(&self) -> bool {
        true
    }

    async fn run(&self, arguments: Value, _context: &ToolContext<'_>) -> ToolResult {
        let Arguments { entries } = match parse(NAME, arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        if entries.len() > MOST {
            return ToolResult::failure(format!("Not done: a plan has at most {MOST} entries."));
        }
        let left = entries
            .iter()
            .filter(|entry| matches!(entry.state, TodoState::Pending | TodoState::Active));
        let told = format!(
            "The user sees the plan: {} of {} left.",
            left.count(),
            entries.len()
        );
        ToolResult::success(told).showing(Shown::Todo { entries })
    }
}
