//! `write_file`: a new text file, or a whole new text of one that was read.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, ToolResult, ToolSpec};

use super::ChangeLog;
use super::change::{Change, Current, Site};
use super::place::Place;
use super::seen::{Extent, Seen};
use crate::argument::{parse, words};
use crate::output::off_the_runtime;
use crate::{Tool, ToolContext};

const NAME: &str = "write_file";

pub(super) struct WriteFile {
    seen: Seen,
    log: Arc<dyn ChangeLog>,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    path: String,
    content: String,
}

impl WriteFile {
    pub(super) fn new(seen: Seen, log: Arc<dyn ChangeLog>) -> Self {
        Self { seen, log }
    }

    fn change(&self, arguments: Value, context: &ToolContext<'_>) -> Result<Change, ToolResult> {
        let Arguments { path, content } = parse(NAME, arguments)?;
        let place = Place::find(&path, context)?;
        let current = Current::of(&place)?;
        current.must_be_seen(&self.seen, context.session_id, &place, Extent::Whole)?;
        Change::to(place, current, &content)
    }
}

#[async_trait]
impl Tool for WriteFile {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Make a text file, or replace the whole text of one that you have read."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "content": {"type": "string", "x-raw": true},
                },
                "required": ["path", "content"],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let change = self.change(arguments.clone(), context)?;
        Ok(change.act())
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let change = match self.change(arguments, context) {
            Ok(change) => change,
            Err(refused) => return refused,
        };
        let (digest, site) = (context.digest.clone(), Site::of(context));
        let (seen, log) = (self.seen.clone(), Arc::clone(&self.log));
        off_the_runtime(move || change.make(&digest, site, &seen, &log)).await
    }
}
