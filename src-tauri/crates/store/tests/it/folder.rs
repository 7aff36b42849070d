//! The folders of a session, and how much it may do.

use talaria_domain::{Folder, FolderAccess, Mode, SessionId};
use talaria_store::StoreError;

use crate::fixture::{NOW, Root};

fn folder(path: &str, access: FolderAccess) -> Folder {
    Folder {
        path: path.to_owned(),
        access,
        trusted: false,
    }
}

#[test]
fn folders_are_kept_in_the_order_in_which_they_were_granted() {
    let root = Root::new();
    let session = root.session(1);
    let (site, books) = (
        folder("/work/网站", FolderAccess::Write),
        folder("/a/books", FolderAccess::Read),
    );
    for granted in [&site, &books] {
        root.store.grant_folder(session.id, granted).unwrap();
    }
    assert_eq!(
        root.store.session_folders(session.id).unwrap(),
        [site, books]
    );
}

#[test]
fn a_folder_granted_again_gets_the_new_access() {
    let root = Root::new();
    let session = root.session(1);
    let (read, write) = (
        folder("/a", FolderAccess::Read),
        folder("/a", FolderAccess::Write),
    );
    root.store.grant_folder(session.id, &read).unwrap();
    root.store.grant_folder(session.id, &write).unwrap();
    assert_eq!(root.store.session_folders(session.id).unwrap(), [write]);
}

#[test]
fn what_is_revoked_is_gone_and_is_not_revoked_twice() {
    let root = Root::new();
    let session = root.session(1);
    let granted = folder("/a", FolderAccess::Read);
    root.store.grant_folder(session.id, &granted).unwrap();
    root.store.revoke_folder(session.id, "/a").unwrap();
    assert!(root.store.session_folders(session.id).unwrap().is_empty());
    let again = root.store.revoke_folder(session.id, "/a");
    assert!(matches!(again, Err(StoreError::NotFound("folder"))));
}

#[test]
fn folders_are_one_sessions_own_and_not_its_copys() {
    let root = Root::new();
    let (session, other) = (root.session(1), root.session(2));
    let granted = folder("/a", FolderAccess::Read);
    root.store.grant_folder(session.id, &granted).unwrap();
    assert!(root.store.session_folders(other.id).unwrap().is_empty());
    let nowhere = SessionId::from_parts(NOW, [9; 10]);
    assert!(root.store.grant_folder(nowhere, &granted).is_err());
}

#[test]
fn a_sessions_mode_is_kept() {
    let root = Root::new();
    let session = root.session(1);
    root.store
        .set_session_mode(session.id, Mode::EditFiles)
        .unwrap();
    assert_eq!(
        root.store.session(session.id).unwrap().mode,
        Mode::EditFiles
    );
}
