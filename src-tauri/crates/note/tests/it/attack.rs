//! Paths, links and titles that try to leave the notes folder.

use talaria_note::{NoteAuthor, NotePath, Notebook};

use crate::notebook::path;

#[test]
fn a_hostile_title_stays_in_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    let inside = outside.path().join("notes");
    let notebook = Notebook::open(&inside).unwrap();
    for title in [
        "../out",
        "/etc/passwd",
        "..\\out",
        "C:\\out",
        "a\0b",
        "con",
        ".talaria/x",
        "~/x",
    ] {
        let note = notebook
            .create(title, "x", NoteAuthor::Agent, None)
            .unwrap();
        assert!(!note.summary.path.contains('/'), "{title}");
        assert!(inside.join(&note.summary.path).is_file(), "{title}");
        assert!(NotePath::parse(&note.summary.path).is_ok(), "{title}");
    }
    assert_eq!(fs_err::read_dir(outside.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_is_neither_listed_read_nor_written() {
    use fs_err::os::unix::fs::symlink;

    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.md");
    fs_err::write(&secret, "secret").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let notebook = Notebook::open(folder.path()).unwrap();
    symlink(&secret, folder.path().join("link.md")).unwrap();
    symlink(outside.path(), folder.path().join("way")).unwrap();
    symlink(folder.path(), folder.path().join("loop")).unwrap();
    assert!(notebook.list().unwrap().is_empty());
    for linked in ["link.md", "way/secret.md"] {
        let linked = path(linked);
        assert!(notebook.read(&linked).is_err());
        assert!(
            notebook
                .save(&linked, "x", "", NoteAuthor::Agent, None)
                .is_err()
        );
        assert!(notebook.rename(&linked, "mine").is_err());
        assert!(notebook.delete(&linked).is_err());
    }
    assert!(notebook.restore(&path("way/new.md")).is_err());
    assert_eq!(fs_err::read_to_string(&secret).unwrap(), "secret");
}

#[cfg(unix)]
#[test]
fn a_linked_history_folder_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let notebook = Notebook::open(folder.path()).unwrap();
    fs_err::os::unix::fs::symlink(outside.path(), folder.path().join(".talaria")).unwrap();
    assert!(notebook.create("a", "x", NoteAuthor::Agent, None).is_err());
    assert_eq!(fs_err::read_dir(outside.path()).unwrap().count(), 0);
}
