//! `talaria note`: the notes folder.

use std::io::Read;
use std::process::ExitCode;

use talaria_api::{
    ApiError, Core, CreateNote, ListNotes, Note, NoteSummary, ReadNote, SaveNote, handler,
};

use crate::arguments::NoteCommand;
use crate::output::Output;

/// Runs the command.
pub(crate) async fn run(
    core: &Core,
    output: &Output,
    command: &NoteCommand,
) -> Result<ExitCode, ApiError> {
    match command {
        NoteCommand::List => output.show(&list(core, "").await?, line),
        NoteCommand::Search { query } => output.show(&list(core, query).await?, line),
        NoteCommand::Read { title } => {
            let note = find(core, title)
                .await?
                .ok_or_else(|| ApiError::no_such_note(title))?;
            output.show_one(&note, || note.text.clone());
        }
        NoteCommand::Save { title, text } => {
            let text = match text {
                Some(text) => text.clone(),
                None => standard_input()?,
            };
            let note = save(core, title, text).await?;
            output.show_one(&note, || note.summary.path.clone());
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(core: &Core, query: &str) -> Result<Vec<NoteSummary>, ApiError> {
    handler::list_notes(
        core,
        ListNotes {
            query: query.to_owned(),
        },
    )
    .await
}

/// The note of that path, or of that title.
async fn find(core: &Core, title: &str) -> Result<Option<Note>, ApiError> {
    let notes = list(core, "").await?;
    let found = notes
        .iter()
        .find(|note| note.path == title)
        .or_else(|| notes.iter().find(|note| note.title == title));
    match found {
        Some(note) => handler::read_note(
            core,
            ReadNote {
                path: note.path.clone(),
            },
        )
        .await
        .map(Some),
        None => Ok(None),
    }
}

async fn save(core: &Core, title: &str, text: String) -> Result<Note, ApiError> {
    match find(core, title).await? {
        Some(Note {
            summary, version, ..
        }) => {
            handler::save_note(
                core,
                SaveNote {
                    path: summary.path,
                    text,
                    version,
                },
            )
            .await
        }
        None => {
            let title = title.to_owned();
            handler::create_note(
                core,
                CreateNote {
                    title,
                    text,
                    session_id: None,
                },
            )
            .await
        }
    }
}

fn line(note: &NoteSummary) -> String {
    format!("{}  {}", note.path, note.title)
}

fn standard_input() -> Result<String, ApiError> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| ApiError::unreadable(&error))?;
    Ok(text)
}
