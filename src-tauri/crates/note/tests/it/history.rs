//! What is kept of older texts.

use talaria_domain::ErrorCode;
use talaria_note::NoteAuthor;

use crate::notebook::{notebook, path};

#[test]
fn every_text_that_was_replaced_is_kept() {
    let (_folder, notebook) = notebook();
    let one = notebook
        .create("a", "one", NoteAuthor::Agent, None)
        .unwrap();
    let two = notebook
        .save(&path("a.md"), "two", &one.version, NoteAuthor::User, None)
        .unwrap();
    notebook
        .save(
            &path("a.md"),
            "three",
            &two.version,
            NoteAuthor::Agent,
            None,
        )
        .unwrap();
    let versions = notebook.versions(&path("a.md")).unwrap();
    let kept: Vec<_> = versions
        .iter()
        .map(|kept| (kept.version.as_str(), kept.author, kept.size))
        .collect();
    assert_eq!(
        kept,
        [
            (two.version.as_str(), NoteAuthor::User, 3),
            (one.version.as_str(), NoteAuthor::Agent, 3)
        ]
    );
    assert_eq!(
        notebook.read_version(&path("a.md"), &one.version).unwrap(),
        "one"
    );
}

#[test]
fn a_text_that_another_program_wrote_or_replaced_is_kept() {
    let (folder, notebook) = notebook();
    let ours = notebook
        .create("a", "ours", NoteAuthor::Agent, None)
        .unwrap();
    fs_err::write(folder.path().join("a.md"), "theirs").unwrap();
    let theirs = notebook.read(&path("a.md")).unwrap();
    assert_eq!(theirs.summary.author, NoteAuthor::User);
    assert_eq!(
        notebook.versions(&path("a.md")).unwrap()[0].version,
        ours.version
    );
    notebook
        .save(
            &path("a.md"),
            "new",
            &theirs.version,
            NoteAuthor::Agent,
            None,
        )
        .unwrap();
    let versions = notebook.versions(&path("a.md")).unwrap();
    assert_eq!(versions[0].version, theirs.version);
    assert_eq!(versions[0].author, NoteAuthor::User);
    assert_eq!(
        notebook.read_version(&path("a.md"), &ours.version).unwrap(),
        "ours"
    );
}

#[test]
fn the_oldest_texts_are_dropped() {
    let (folder, notebook) = notebook();
    let first = notebook.create("a", "0", NoteAuthor::User, None).unwrap();
    let mut version = first.version.clone();
    for number in 1..=105 {
        let text = number.to_string();
        version = notebook
            .save(&path("a.md"), &text, &version, NoteAuthor::User, None)
            .unwrap()
            .version;
    }
    assert_eq!(notebook.versions(&path("a.md")).unwrap().len(), 99);
    let error = notebook
        .read_version(&path("a.md"), &first.version)
        .unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
    let history = fs_err::read_dir(folder.path().join(".talaria/history")).unwrap();
    let place = history.into_iter().next().unwrap().unwrap().path();
    assert_eq!(fs_err::read_dir(place).unwrap().count(), 101);
}

#[test]
fn a_broken_index_does_not_break_the_note() {
    let (folder, notebook) = notebook();
    let note = notebook
        .create("a", "one", NoteAuthor::Agent, None)
        .unwrap();
    let history = fs_err::read_dir(folder.path().join(".talaria/history")).unwrap();
    let place = history.into_iter().next().unwrap().unwrap().path();
    fs_err::write(place.join("index.json"), "{").unwrap();
    assert_eq!(
        notebook.read(&path("a.md")).unwrap().summary.author,
        NoteAuthor::User
    );
    notebook
        .save(&path("a.md"), "two", &note.version, NoteAuthor::User, None)
        .unwrap();
    assert_eq!(notebook.versions(&path("a.md")).unwrap().len(), 1);
}

#[test]
fn a_deleted_note_still_has_its_texts() {
    let (_folder, notebook) = notebook();
    let note = notebook.create("a", "one", NoteAuthor::User, None).unwrap();
    notebook.delete(&path("a.md")).unwrap();
    assert_eq!(
        notebook.versions(&path("a.md")).unwrap()[0].version,
        note.version
    );
    assert_eq!(
        notebook.read_version(&path("a.md"), &note.version).unwrap(),
        "one"
    );
}
