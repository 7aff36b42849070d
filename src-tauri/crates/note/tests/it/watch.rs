//! Changes on disk are noticed.

use std::sync::mpsc::channel;
use std::time::Duration;

use talaria_note::Watcher;

const SOON: Duration = Duration::from_secs(10);

#[test]
fn a_burst_of_changes_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let (told, heard) = channel();
    let watcher = Watcher::start(folder.path(), move || told.send(()).unwrap_or_default());
    for number in 0..20 {
        fs_err::write(folder.path().join(format!("{number}.md")), "x").unwrap();
    }
    heard.recv_timeout(SOON).unwrap();
    assert!(heard.recv_timeout(Duration::from_millis(500)).is_err());
    fs_err::create_dir(folder.path().join("sub")).unwrap();
    heard.recv_timeout(SOON).unwrap();
    fs_err::write(folder.path().join("sub/n.md"), "x").unwrap();
    heard.recv_timeout(SOON).unwrap();
    drop(watcher);
    // The thread has ended and with it the callback's sender.
    while heard.recv_timeout(SOON).is_ok() {}
    assert!(matches!(
        heard.try_recv(),
        Err(std::sync::mpsc::TryRecvError::Disconnected)
    ));
}

#[test]
fn a_folder_that_comes_later_is_noticed() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("notes");
    let (told, heard) = channel();
    let _watcher = Watcher::start(&folder, move || told.send(()).unwrap_or_default());
    fs_err::create_dir(&folder).unwrap();
    heard.recv_timeout(SOON).unwrap();
}
