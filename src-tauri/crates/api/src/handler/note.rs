//! Notes, and Markdown as the page shows it.

use talaria_markdown::{Block, render};
use talaria_note::{Note, NoteAuthor, NotePath, NoteSummary, NoteVersion};

use crate::{
    ApiError, Change, Core, CreateNote, DeleteNote, ListNoteVersions, ListNotes, ReadNote,
    ReadNoteVersion, RenameNote, RenderMarkdown, RestoreNote, SaveNote,
};

/// The notes, latest first; with a query, the ones that hold it.
pub async fn list_notes(
    core: &Core,
    ListNotes { query }: ListNotes,
) -> Result<Vec<NoteSummary>, ApiError> {
    core.in_notes(move |notebook| {
        if query.trim().is_empty() {
            notebook.list()
        } else {
            notebook.search(&query)
        }
    })
    .await
}

/// Reads a note.
pub async fn read_note(core: &Core, ReadNote { path }: ReadNote) -> Result<Note, ApiError> {
    let path = NotePath::parse(&path)?;
    core.in_notes(move |notebook| notebook.read(&path)).await
}

/// Makes a note.
pub async fn create_note(
    core: &Core,
    CreateNote {
        title,
        text,
        session_id,
    }: CreateNote,
) -> Result<Note, ApiError> {
    let note = core
        .in_notes(move |notebook| notebook.create(&title, &text, NoteAuthor::User, session_id))
        .await?;
    core.changed(Change::Notes);
    Ok(note)
}

/// Saves a note's text.
pub async fn save_note(
    core: &Core,
    SaveNote {
        path,
        text,
        version,
    }: SaveNote,
) -> Result<Note, ApiError> {
    let path = NotePath::parse(&path)?;
    let note = core
        .in_notes(move |notebook| notebook.save(&path, &text, &version, NoteAuthor::User, None))
        .await?;
    core.changed(Change::Notes);
    Ok(note)
}

/// Gives a note another name.
pub async fn rename_note(
    core: &Core,
    RenameNote { path, title }: RenameNote,
) -> Result<Note, ApiError> {
    let path = NotePath::parse(&path)?;
    let note = core
        .in_notes(move |notebook| notebook.rename(&path, &title))
        .await?;
    core.changed(Change::Notes);
    Ok(note)
}

/// Deletes a note; it can be restored.
pub async fn delete_note(core: &Core, DeleteNote { path }: DeleteNote) -> Result<(), ApiError> {
    let path = NotePath::parse(&path)?;
    core.in_notes(move |notebook| notebook.delete(&path))
        .await?;
    core.changed(Change::Notes);
    Ok(())
}

/// Undoes a deletion.
pub async fn restore_note(
    core: &Core,
    RestoreNote { path }: RestoreNote,
) -> Result<Note, ApiError> {
    let path = NotePath::parse(&path)?;
    let note = core
        .in_notes(move |notebook| notebook.restore(&path))
        .await?;
    core.changed(Change::Notes);
    Ok(note)
}

/// The older texts of a note, latest first.
pub async fn list_note_versions(
    core: &Core,
    ListNoteVersions { path }: ListNoteVersions,
) -> Result<Vec<NoteVersion>, ApiError> {
    let path = NotePath::parse(&path)?;
    core.in_notes(move |notebook| notebook.versions(&path))
        .await
}

/// The text of an older version.
pub async fn read_note_version(
    core: &Core,
    ReadNoteVersion { path, version }: ReadNoteVersion,
) -> Result<String, ApiError> {
    let path = NotePath::parse(&path)?;
    core.in_notes(move |notebook| notebook.read_version(&path, &version))
        .await
}

/// Renders Markdown for a preview.
pub async fn render_markdown(
    core: &Core,
    RenderMarkdown { text }: RenderMarkdown,
) -> Result<Vec<Block>, ApiError> {
    core.off_the_runtime(move || render(&text)).await
}
