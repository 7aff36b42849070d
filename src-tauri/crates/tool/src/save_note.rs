//! `save_note`: a new note, or a new text of one. Nothing is lost by it: a text that is replaced
//! stays in the note's history.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use talaria_domain::{Act, Effect, SessionId, ToolResult, ToolSpec};
use talaria_note::{NoteAuthor, NoteError, NotePath, Notebook};

use crate::argument::{maybe_words, parse, words};
use crate::output::{failure, hex, in_notes, success};
use crate::title::{Meant, choice, meant};
use crate::{Tool, ToolContext};

const NAME: &str = "save_note";

pub(crate) struct SaveNote {
    notebook: Notebook,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    title: String,
    content: String,
    #[serde(default, deserialize_with = "maybe_words")]
    version: Option<String>,
}

impl Arguments {
    fn act(&self) -> Act {
        let mut hasher = Sha256::new();
        let version = self.version.as_deref().unwrap_or_default();
        for part in [self.title.as_str(), version, &self.content] {
            // With its length, so that nothing can move from one part into the next.
            hasher.update(part.len().to_le_bytes());
            hasher.update(part);
        }
        Act {
            effects: vec![Effect::Note {
                title: self.title.clone(),
            }],
            digest: hex(&hasher.finalize()),
            ..Act::default()
        }
    }
}

impl SaveNote {
    pub(crate) fn new(notebook: Notebook) -> Self {
        Self { notebook }
    }
}

#[async_trait]
impl Tool for SaveNote {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Save a note of the user's: makes a new one, or replaces the whole text \
                          of the one with that title or path. To change a note, read it first \
                          and pass its version."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "title": {"type": "string", "x-minLength": 1, "x-also": ["path", "name"], "description": "The title, or an existing note's path."},
                    "content": {"type": "string", "x-raw": true, "x-also": ["text"], "description": "The whole text, in Markdown."},
                    "version": {"type": "string", "description": "The version that was read; leave out for a new note."},
                },
                "required": ["title", "content"],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, _context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let arguments: Arguments = parse(NAME, arguments.clone())?;
        Ok(arguments.act())
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let session = context.session_id;
        let arguments: Arguments = match parse(NAME, arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        if arguments.act().digest != context.digest {
            return failure("Not done: another text was allowed.".to_owned());
        }
        in_notes(&self.notebook, move |notebook| {
            save(notebook, &arguments, session)
        })
        .await
    }
}

fn save(
    notebook: &Notebook,
    arguments: &Arguments,
    session: SessionId,
) -> Result<ToolResult, NoteError> {
    let Arguments {
        title,
        content,
        version,
    } = arguments;
    match meant(notebook, title)? {
        Meant::Several(notes) => Ok(failure(choice(title, &notes))),
        Meant::One(summary) => replace(
            notebook,
            &NotePath::parse(&summary.path)?,
            content,
            version.as_deref(),
            session,
        ),
        Meant::None if version.is_some() => Ok(failure(format!(
            "There is no note {title:?} to change. Leave version out to make a new one."
        ))),
        Meant::None => {
            let name = title.strip_suffix(".md").unwrap_or(title);
            let note = notebook.create(name, content, NoteAuthor::Agent, Some(session))?;
            Ok(success(json!({
                "saved": "new note",
                "path": note.summary.path,
                "version": note.version,
            })))
        }
    }
}

fn replace(
    notebook: &Notebook,
    path: &NotePath,
    content: &str,
    version: Option<&str>,
    session: SessionId,
) -> Result<ToolResult, NoteError> {
    let before = match version {
        Some(version) => version.to_owned(),
        None => notebook.read(path)?.version,
    };
    match notebook.save(path, content, &before, NoteAuthor::Agent, Some(session)) {
        Ok(note) => {
            let replaced_unread = version.is_none() && note.version != before;
            let kept = format!("Version {before} was replaced; its text is kept in the history.");
            Ok(success(json!({
                "saved": "existing note",
                "path": note.summary.path,
                "version": note.version,
                "note": replaced_unread.then_some(kept),
            })))
        }
        Err(NoteError::Conflict { path, current }) => Ok(failure(format!(
            "Not saved: {path} was changed meanwhile and is now at version {current}. Read it \
             again, put your change into its text, and save with version {current}."
        ))),
        Err(error) => Err(error),
    }
}
