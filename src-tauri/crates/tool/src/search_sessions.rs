//! `search_sessions`: what was said in other conversations.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{SessionId, ToolResult, ToolSpec};

use crate::argument::{count, parse, words};
use crate::{Tool, ToolContext};

const NAME: &str = "search_sessions";
const HITS: usize = 10;
const MOST: usize = 30;

/// Words of an earlier conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Its title.
    pub title: String,
    /// The day, such as `2026-12-01`.
    pub day: String,
    /// The words around what was searched for.
    pub excerpt: String,
}

/// The words of all sessions.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// What was said about something in sessions but this one, newest first.
    ///
    /// # Errors
    /// Why they can't be searched, in a few words.
    async fn search(
        &self,
        but: SessionId,
        query: &str,
        limit: usize,
    ) -> Result<Vec<Remembered>, String>;
}

pub(crate) struct SearchSessions {
    sessions: Arc<dyn Sessions>,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    query: String,
    #[serde(default, deserialize_with = "count")]
    limit: Option<usize>,
}

impl SearchSessions {
    pub(crate) fn new(sessions: Arc<dyn Sessions>) -> Self {
        Self { sessions }
    }
}

#[async_trait]
impl Tool for SearchSessions {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Search the words of the user's earlier conversations.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "query": {"type": "string", "x-minLength": 1},
                    "limit": {"type": "integer", "x-minimum": 0, "description": "10 unless given."},
                },
                "required": ["query"],
                "additionalProperties": false,
            }),
        }
    }

    fn is_rare(&self) -> bool {
        true
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let Arguments { query, limit } = match parse(NAME, arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        let limit = limit.unwrap_or(HITS).clamp(1, MOST);
        match self
            .sessions
            .search(context.session_id, &query, limit)
            .await
        {
            Ok(found) if found.is_empty() => ToolResult::success("Nothing was found."),
            Ok(found) => {
                let lines = found
                    .iter()
                    .map(|it| format!("{} · {}\n  {}", it.day, it.title, it.excerpt));
                ToolResult::success(lines.collect::<Vec<_>>().join("\n"))
            }
            Err(why) => ToolResult::failure(format!("Not done: {why}.")),
        }
    }
}
