//! `write_file`: a new text file, or a whole new text of one that was read.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, SessionId, ToolResult, ToolSpec};

use super::ChangeLog;
use super::change::{Change, Current, Site};
use super::place::{Ground, Place};
use super::seen::{Extent, Seen};
use crate::argument::{parse, words};
use crate::output::{either, off_the_runtime};
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
}

/// The change. Blocks.
fn change(
    arguments: Value,
    ground: &Ground,
    session: SessionId,
    seen: &Seen,
) -> Result<Change, ToolResult> {
    let Arguments { path, content } = parse(NAME, arguments)?;
    let place = Place::find(&path, ground)?;
    let current = Current::of(&place)?;
    current.must_be_seen(seen, session, &place, Extent::Whole)?;
    Change::to(place, current, &content)
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
                    "path": {"type": "string", "x-minLength": 1},
                    "content": {"type": "string", "x-raw": true},
                },
                "required": ["path", "content"],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let (arguments, ground) = (arguments.clone(), Ground::of(context));
        let (seen, session) = (self.seen.clone(), context.session_id);
        off_the_runtime(move || Ok(change(arguments, &ground, session, &seen)?.act())).await
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let (digest, site) = (context.digest.clone(), Site::of(context));
        let (seen, log) = (self.seen.clone(), Arc::clone(&self.log));
        let ground = Ground::of(context);
        let made = off_the_runtime(move || {
            let change = change(arguments, &ground, site.session_id, &seen)?;
            change.make(&digest, site, &seen, &log)
        });
        either(made.await)
    }
}
