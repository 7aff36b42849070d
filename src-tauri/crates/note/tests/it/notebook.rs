//! Making, reading, saving, finding, renaming and deleting notes.

use talaria_domain::{ErrorCode, SessionId, Timestamp};
use talaria_note::{NoteAuthor, NoteError, NotePath, Notebook};
use tempfile::TempDir;

pub(crate) fn notebook() -> (TempDir, Notebook) {
    let folder = tempfile::tempdir().unwrap();
    let notebook = Notebook::open(folder.path()).unwrap();
    (folder, notebook)
}

pub(crate) fn path(text: &str) -> NotePath {
    NotePath::parse(text).unwrap()
}

fn titles(notes: &[talaria_note::NoteSummary]) -> Vec<&str> {
    notes.iter().map(|note| note.title.as_str()).collect()
}

#[test]
fn a_made_note_is_a_file_with_its_title_and_author() {
    let (folder, notebook) = notebook();
    let session = SessionId::from_parts(Timestamp::from_millis(1), [7; 10]);
    let note = notebook
        .create(
            "京都：计划",
            "# 京都\n\n三天",
            NoteAuthor::Agent,
            Some(session),
        )
        .unwrap();
    assert_eq!(note.summary.path, "京都：计划.md");
    assert_eq!(note.summary.title, "京都");
    assert_eq!(note.summary.excerpt, "三天");
    assert_eq!(note.summary.author, NoteAuthor::Agent);
    assert_eq!(note.summary.session_id, Some(session));
    let on_disk = fs_err::read_to_string(folder.path().join("京都：计划.md")).unwrap();
    assert_eq!(on_disk, "# 京都\n\n三天");
    assert_eq!(notebook.read(&path("京都：计划.md")).unwrap(), note);
    assert_eq!(notebook.list().unwrap(), [note.summary]);
}

#[test]
fn an_empty_title_takes_the_heading_and_twins_get_a_number() {
    let (_folder, notebook) = notebook();
    let names: Vec<_> = [("", "# Plan"), ("plan", ""), (" ", "no heading"), ("", "")]
        .into_iter()
        .map(|(title, text)| {
            notebook
                .create(title, text, NoteAuthor::User, None)
                .unwrap()
        })
        .map(|note| note.summary.path)
        .collect();
    assert_eq!(
        names,
        ["Plan.md", "plan 2.md", "Untitled.md", "Untitled 2.md"]
    );
}

#[test]
fn a_save_from_an_old_version_never_overwrites() {
    let (folder, notebook) = notebook();
    let first = notebook.create("a", "one", NoteAuthor::User, None).unwrap();
    let second = notebook
        .save(&path("a.md"), "two", &first.version, NoteAuthor::User, None)
        .unwrap();
    let error = notebook
        .save(
            &path("a.md"),
            "three",
            &first.version,
            NoteAuthor::Agent,
            None,
        )
        .unwrap_err();
    assert_eq!(error.code(), ErrorCode::Conflict);
    assert!(matches!(error, NoteError::Conflict { current, .. } if current == second.version));
    fs_err::write(folder.path().join("a.md"), "from outside").unwrap();
    assert!(
        notebook
            .save(&path("a.md"), "x", &second.version, NoteAuthor::User, None)
            .is_err()
    );
    assert_eq!(
        fs_err::read_to_string(folder.path().join("a.md")).unwrap(),
        "from outside"
    );
    let error = notebook
        .save(&path("b.md"), "x", "", NoteAuthor::User, None)
        .unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
}

#[test]
fn line_ends_and_the_byte_order_mark_stay() {
    let (folder, notebook) = notebook();
    fs_err::write(folder.path().join("w.md"), "\u{FEFF}a\r\nb\r\n").unwrap();
    let note = notebook.read(&path("w.md")).unwrap();
    assert_eq!(note.text, "\u{FEFF}a\r\nb\r\n");
    let saved = notebook
        .save(
            &path("w.md"),
            "a\nc\n",
            &note.version,
            NoteAuthor::User,
            None,
        )
        .unwrap();
    assert_eq!(saved.text, "\u{FEFF}a\r\nc\r\n");
}

#[cfg(unix)]
#[test]
fn a_save_keeps_the_files_mode_and_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;

    let (folder, notebook) = notebook();
    let file = folder.path().join("a.md");
    fs_err::write(&file, "one").unwrap();
    fs_err::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
    let version = notebook.read(&path("a.md")).unwrap().version;
    notebook
        .save(&path("a.md"), "two", &version, NoteAuthor::User, None)
        .unwrap();
    assert_eq!(
        fs_err::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o640
    );
    let names: Vec<_> = fs_err::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".tmp"))
        .collect();
    assert!(names.is_empty(), "{names:?}");
    fs_err::set_permissions(&file, PermissionsExt::from_mode(0o440)).unwrap();
    let version = notebook.read(&path("a.md")).unwrap().version;
    let error = notebook
        .save(&path("a.md"), "three", &version, NoteAuthor::User, None)
        .unwrap_err();
    assert_eq!(error.code(), ErrorCode::Storage);
}

#[test]
fn the_list_has_the_users_sub_folders_but_nothing_hidden() {
    let (folder, notebook) = notebook();
    for place in ["x", ".git", "node_modules", "1/2/3/4/5", "1/2/3/4/5/6"] {
        fs_err::create_dir_all(folder.path().join(place)).unwrap();
        fs_err::write(folder.path().join(place).join("n.md"), place).unwrap();
    }
    fs_err::write(folder.path().join("a.txt"), "no").unwrap();
    let mut paths: Vec<_> = notebook
        .list()
        .unwrap()
        .into_iter()
        .map(|note| note.path)
        .collect();
    paths.sort();
    assert_eq!(paths, ["1/2/3/4/5/n.md", "x/n.md"]);
}

#[test]
fn the_list_shows_what_another_program_wrote() {
    let (folder, notebook) = notebook();
    notebook
        .create("a", "# Old", NoteAuthor::Agent, None)
        .unwrap();
    assert_eq!(titles(&notebook.list().unwrap()), ["Old"]);
    fs_err::write(folder.path().join("a.md"), "# Newer").unwrap();
    let notes = notebook.list().unwrap();
    assert_eq!(titles(&notes), ["Newer"]);
    assert_eq!(notes[0].author, NoteAuthor::User);
    fs_err::remove_file(folder.path().join("a.md")).unwrap();
    assert!(notebook.list().unwrap().is_empty());
}

#[test]
fn a_search_shows_title_hits_first() {
    let (_folder, notebook) = notebook();
    notebook.create("milk", "", NoteAuthor::User, None).unwrap();
    notebook
        .create(
            "list",
            "# Shopping\n\nBuy MILK and 鸡蛋",
            NoteAuthor::User,
            None,
        )
        .unwrap();
    let hits = notebook.search("milk").unwrap();
    assert_eq!(titles(&hits), ["milk", "Shopping"]);
    assert!(hits[1].excerpt.contains("Buy MILK"));
    assert_eq!(
        titles(&notebook.search("蛋 shopping").unwrap()),
        ["Shopping"]
    );
    assert!(notebook.search("bread").unwrap().is_empty());
}

#[test]
fn a_rename_takes_heading_and_history_along() {
    let (folder, notebook) = notebook();
    let first = notebook
        .create("old", "# Old\nx", NoteAuthor::Agent, None)
        .unwrap();
    notebook.create("New", "", NoteAuthor::User, None).unwrap();
    let renamed = notebook.rename(&path("old.md"), "new").unwrap();
    assert_eq!(
        (renamed.summary.path.as_str(), renamed.text.as_str()),
        ("new 2.md", "# new\nx")
    );
    assert!(!folder.path().join("old.md").exists());
    let versions = notebook.versions(&path("new 2.md")).unwrap();
    assert_eq!(versions[0].version, first.version);
    assert_eq!(versions[0].author, NoteAuthor::Agent);
    assert_eq!(
        notebook
            .read_version(&path("new 2.md"), &first.version)
            .unwrap(),
        "# Old\nx"
    );
    let same = notebook.rename(&path("new 2.md"), "NEW 2").unwrap();
    assert_eq!(same.summary.path, "NEW 2.md");
    assert!(notebook.rename(&path("NEW 2.md"), "...").is_err());
}

#[test]
fn a_deleted_note_can_be_restored() {
    let (folder, notebook) = notebook();
    fs_err::create_dir_all(folder.path().join("x")).unwrap();
    fs_err::write(folder.path().join("x/a.md"), "one").unwrap();
    notebook.delete(&path("x/a.md")).unwrap();
    assert_eq!(
        notebook.read(&path("x/a.md")).unwrap_err().code(),
        ErrorCode::NotFound
    );
    assert!(notebook.list().unwrap().is_empty());
    fs_err::remove_dir(folder.path().join("x")).unwrap();
    assert_eq!(notebook.restore(&path("x/a.md")).unwrap().text, "one");
    notebook.delete(&path("x/a.md")).unwrap();
    fs_err::write(folder.path().join("x/a.md"), "another").unwrap();
    assert_eq!(
        notebook.restore(&path("x/a.md")).unwrap().summary.path,
        "x/a 2.md"
    );
    assert_eq!(
        notebook.restore(&path("x/a.md")).unwrap_err().code(),
        ErrorCode::NotFound
    );
    assert_eq!(
        notebook.delete(&path("no.md")).unwrap_err().code(),
        ErrorCode::NotFound
    );
}

#[test]
fn a_folder_that_is_gone_is_told_and_one_that_is_back_works() {
    let (folder, notebook) = notebook();
    let inner = folder.path().join("notes");
    let notebook_inside = Notebook::open(&inner).unwrap();
    fs_err::remove_dir_all(&inner).unwrap();
    let error = notebook_inside.list().unwrap_err();
    assert!(matches!(error, NoteError::Folder { .. }));
    assert!(
        notebook_inside
            .create("a", "", NoteAuthor::User, None)
            .is_err()
    );
    fs_err::create_dir_all(&inner).unwrap();
    notebook_inside
        .create("a", "", NoteAuthor::User, None)
        .unwrap();
    fs_err::write(folder.path().join("file"), "").unwrap();
    assert!(Notebook::open(&folder.path().join("file")).is_err());
    drop(notebook);
}

#[test]
fn a_file_that_is_no_text_is_listed_and_says_so_when_read() {
    let (folder, notebook) = notebook();
    fs_err::write(folder.path().join("gbk.md"), [0xC4, 0xE3, 0xBA, 0xC3]).unwrap();
    fs_err::write(folder.path().join("huge.md"), vec![b'a'; 9 * 1024 * 1024]).unwrap();
    assert_eq!(notebook.list().unwrap().len(), 2);
    assert!(matches!(
        notebook.read(&path("gbk.md")),
        Err(NoteError::NotText(_))
    ));
    assert!(matches!(
        notebook.read(&path("huge.md")),
        Err(NoteError::TooLarge { .. })
    ));
    assert!(notebook.search("gbk").is_ok());
}

#[test]
fn saves_at_the_same_time_lose_nothing() {
    let (_folder, notebook) = notebook();
    let first = notebook.create("a", "0", NoteAuthor::User, None).unwrap();
    let saved: usize = std::thread::scope(|scope| {
        let saves: Vec<_> = (0..8)
            .map(|number| {
                let (notebook, version) = (notebook.clone(), first.version.clone());
                scope.spawn(move || {
                    let text = format!("text {number}");
                    notebook
                        .save(&path("a.md"), &text, &version, NoteAuthor::User, None)
                        .is_ok()
                })
            })
            .collect();
        saves
            .into_iter()
            .map(|save| usize::from(save.join().unwrap()))
            .sum()
    });
    assert_eq!(saved, 1);
}

#[test]
fn the_check_whether_notes_can_be_saved_leaves_nothing_behind() {
    let (folder, notebook) = notebook();
    notebook.check_writable().unwrap();
    assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 0);
}
