//! `edit_file`: one text for another, at the one place where it stands.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, SessionId, ToolResult, ToolSpec};

use super::ChangeLog;
use super::change::{Change, Current, Site, refused};
use super::edit::{find, replaced};
use super::place::{Ground, Place};
use super::seen::{Extent, Seen};
use crate::argument::{parse, words};
use crate::output::{either, off_the_runtime};
use crate::{Tool, ToolContext};

const NAME: &str = "edit_file";

pub(super) struct EditFile {
    seen: Seen,
    log: Arc<dyn ChangeLog>,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    path: String,
    old_text: String,
    new_text: String,
    #[serde(default)]
    replace_all: bool,
}

impl EditFile {
    pub(super) fn new(seen: Seen, log: Arc<dyn ChangeLog>) -> Self {
        Self { seen, log }
    }
}

/// The change, and what to say of how the place was found. Blocks.
fn change(
    arguments: Value,
    ground: &Ground,
    session: SessionId,
    seen: &Seen,
) -> Result<(Change, Option<&'static str>), ToolResult> {
    let Arguments {
        path,
        old_text,
        new_text,
        replace_all,
    } = parse(NAME, arguments)?;
    let place = Place::find(&path, ground)?;
    let current = Current::of(&place)?;
    current.must_be_seen(seen, session, &place, Extent::Part)?;
    let Some(decoded) = &current.decoded else {
        return Err(refused(
            &place.display(),
            "does not exist; use write_file to make it",
        ));
    };
    // The file's line ends are not part of what is compared.
    let plain = |text: &str| match decoded.form.is_crlf {
        true => text.replace("\r\n", "\n"),
        false => text.to_owned(),
    };
    let found = find(
        &decoded.text,
        &plain(&old_text),
        &plain(&new_text),
        replace_all,
    );
    let found = found
        .map_err(|error| ToolResult::failure(format!("Not done: {}: {error}.", place.display())))?;
    let text = replaced(&decoded.text, &found);
    let how = found.first().and_then(|found| found.leniently);
    Ok((Change::to(place, current, &text)?, how))
}

#[async_trait]
impl Tool for EditFile {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Replace a text in a file that you have read. old_text must stand there \
                          once; copy it as it is, without line numbers."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "x-minLength": 1},
                    "old_text": {"type": "string", "x-raw": true},
                    "new_text": {"type": "string", "x-raw": true},
                    "replace_all": {"type": "boolean"},
                },
                "required": ["path", "old_text", "new_text"],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let (arguments, ground) = (arguments.clone(), Ground::of(context));
        let (seen, session) = (self.seen.clone(), context.session_id);
        let planned = move || Ok(change(arguments, &ground, session, &seen)?.0.act());
        off_the_runtime(planned).await
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let (digest, site) = (context.digest.clone(), Site::of(context));
        let (seen, log) = (self.seen.clone(), Arc::clone(&self.log));
        let ground = Ground::of(context);
        let made = off_the_runtime(move || {
            let (change, how) = change(arguments, &ground, site.session_id, &seen)?;
            let mut result = change.make(&digest, site, &seen, &log)?;
            if let Some(how) = how {
                result.text.push_str(&format!(" The text was found {how}."));
            }
            Ok(result)
        });
        either(made.await)
    }
}
