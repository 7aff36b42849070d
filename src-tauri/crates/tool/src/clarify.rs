//! `clarify`: a question of the model's to the user. The turn puts it and its answer is the result; the
//! tool itself only says what is asked.

use std::collections::HashSet;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, Choice, ToolResult, ToolSpec};

use crate::argument::{parse, words};
use crate::{Tool, ToolContext};

const NAME: &str = "clarify";
/// More options than this nobody weighs.
const MOST: usize = 8;

pub(crate) struct Clarify;

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    question: String,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    several: bool,
}

#[async_trait]
impl Tool for Clarify {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Ask the user, when a choice is theirs and guessing would cost them."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "question": {"type": "string", "x-minLength": 1},
                    "options": {"type": "array", "items": {"type": "string"}},
                    "several": {"type": "boolean", "description": "Whether several may be chosen."},
                },
                "required": ["question"],
                "additionalProperties": false,
            }),
        }
    }

    fn is_rare(&self) -> bool {
        true
    }

    async fn plan(&self, arguments: &Value, _context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let Arguments {
            question,
            mut options,
            several,
        } = parse(NAME, arguments.clone())?;
        let mut seen = HashSet::new();
        options.retain_mut(|option| {
            *option = option.trim().to_owned();
            !option.is_empty() && seen.insert(option.clone())
        });
        if options.len() > MOST {
            return Err(ToolResult::failure(format!(
                "Not asked: give at most {MOST} options."
            )));
        }
        Ok(Act {
            asks: Some(Choice {
                text: question,
                options,
                several,
            }),
            ..Act::default()
        })
    }

    async fn run(&self, _arguments: Value, _context: &ToolContext<'_>) -> ToolResult {
        ToolResult::failure("Nobody can be asked here. Go on with your own best judgement.")
    }
}
