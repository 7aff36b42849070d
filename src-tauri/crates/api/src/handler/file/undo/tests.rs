use talaria_domain::{FileChangeId, ItemId, SessionId, Timestamp, TurnId};
use talaria_store::{KeptFileChange, NewFileChange};
use tempfile::TempDir;

use super::{Undo, broken_off, made};

/// A change of the file `a` in a folder, number `number`.
fn change(
    folder: &TempDir,
    number: u8,
    (before, after): (Option<&str>, &str),
    made: bool,
) -> KeptFileChange {
    let at = Timestamp::from_millis(i64::from(number));
    KeptFileChange {
        change: NewFileChange {
            id: FileChangeId::from_parts(at, [number; 10]),
            session_id: SessionId::from_parts(at, [0; 10]),
            turn_id: TurnId::from_parts(at, [0; 10]),
            item_id: ItemId::from_parts(at, [0; 10]),
            path: folder.path().join("a").display().to_string(),
            before: before.map(|text| text.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
            at,
        },
        made,
        undone: false,
        lost: false,
    }
}

fn content(folder: &TempDir) -> Option<String> {
    fs_err::read_to_string(folder.path().join("a")).ok()
}

#[test]
fn a_change_that_was_never_made_is_in_nobodys_way() {
    let folder = tempfile::tempdir().unwrap();
    let kept = [
        change(&folder, 1, (None, "one"), true),
        change(&folder, 2, (Some("one"), "two"), false),
    ];
    fs_err::write(folder.path().join("a"), "one").unwrap();
    assert_eq!(made(&kept).count(), 1);
    let undo = Undo::of(&kept, &[kept[0].change.id]).unwrap();
    undo.put_back().unwrap();
    assert_eq!(content(&folder), None);
}

#[test]
fn a_change_that_was_made_and_not_noted_counts_by_what_came_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let kept = [
        change(&folder, 1, (None, "one"), false),
        change(&folder, 2, (Some("one"), "two"), false),
    ];
    fs_err::write(folder.path().join("a"), "two").unwrap();
    assert_eq!(made(&kept).count(), 2);
    assert!(Undo::of(&kept, &[kept[0].change.id]).is_err());
    let undo = Undo::of(&kept, &[kept[0].change.id, kept[1].change.id]).unwrap();
    undo.put_back().unwrap();
    assert_eq!(content(&folder), None);
}

#[test]
fn a_change_that_failed_and_was_made_at_a_second_try_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("a"), "two").unwrap();
    let kept = [
        change(&folder, 1, (Some("one"), "two"), false),
        change(&folder, 2, (Some("one"), "two"), true),
    ];
    let ids: Vec<_> = made(&kept).map(|kept| kept.change.id).collect();
    assert_eq!(ids, [kept[1].change.id]);
    Undo::of(&kept, &ids).unwrap().put_back().unwrap();
    assert_eq!(content(&folder).as_deref(), Some("one"));
}

#[test]
fn a_change_that_was_taken_back_was_made_whatever_the_file_holds_now() {
    let folder = tempfile::tempdir().unwrap();
    let mut undone = change(&folder, 1, (None, "one"), false);
    undone.undone = true;
    assert_eq!(made(&[undone]).count(), 1);
}

#[test]
fn what_somebody_else_wrote_between_two_changes_is_not_undone_with_them() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("a"), "three").unwrap();
    let kept = [
        change(&folder, 1, (Some("one"), "two"), true),
        change(&folder, 2, (Some("two and mine"), "three"), true),
    ];
    let refused = Undo::of(&kept, &[kept[0].change.id, kept[1].change.id]).err();
    let refused = refused.unwrap().message;
    assert!(refused.contains("changed in between"), "{refused}");
    let later = Undo::of(&kept, &[kept[1].change.id]).unwrap();
    later.put_back().unwrap();
    assert_eq!(content(&folder).as_deref(), Some("two and mine"));
}

#[test]
fn an_undo_says_which_change_is_no_longer_kept() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("a"), "three").unwrap();
    let mut lost = change(&folder, 2, (Some(""), ""), true);
    lost.lost = true;
    let kept = [
        change(&folder, 1, (Some("one"), "two"), true),
        lost,
        change(&folder, 3, (Some("two"), "three"), true),
    ];
    let id = |at: usize| kept[at].change.id;
    for (ids, told) in [
        (vec![id(0), id(1), id(2)], "no longer kept"),
        (vec![id(1)], "no longer kept"),
        (vec![id(0), id(2)], "changed again later"),
    ] {
        let refused = Undo::of(&kept, &ids).err().unwrap().message;
        let path = folder.path().join("a").display().to_string();
        assert!(
            refused.contains(told) && refused.contains(&path),
            "{refused}"
        );
    }
    assert!(Undo::of(&kept, &[id(2)]).is_ok());
}

#[test]
fn an_undo_that_the_end_of_the_program_broke_off_goes_on_at_the_next_try() {
    let folder = tempfile::tempdir().unwrap();
    let mut second = change(&folder, 2, (Some("old"), "new"), true);
    second.change.path = folder.path().join("b").display().to_string();
    let kept = [change(&folder, 1, (None, "one"), true), second];
    // `a` was taken away; the program ended before `b` was put back.
    fs_err::write(folder.path().join("b"), "new").unwrap();
    let undo = Undo::of(&kept, &[kept[0].change.id, kept[1].change.id]).unwrap();
    undo.put_back().unwrap();
    let b = fs_err::read_to_string(folder.path().join("b")).unwrap();
    assert_eq!((content(&folder), b.as_str()), (None, "old"));
}

#[test]
fn a_file_that_can_t_be_read_is_neither_gone_nor_back() {
    let folder = tempfile::tempdir().unwrap();
    // A folder has taken its place.
    fs_err::create_dir(folder.path().join("a")).unwrap();
    let kept = [change(&folder, 1, (None, "one"), true)];
    let undo = Undo::of(&kept, &[kept[0].change.id]).unwrap();
    let refused = undo.put_back().unwrap_err().message;
    assert!(refused.contains("changed since"), "{refused}");
}

#[cfg(unix)]
#[test]
fn an_undo_that_breaks_off_undoes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut second = change(&folder, 2, (Some("old"), "new"), true);
    let gone = folder.path().join("gone");
    // Put back, it would have to lie in a folder that is none.
    second.change.path = gone.join("b").display().to_string();
    second.change.after = None;
    let kept = [change(&folder, 1, (Some("old"), "one"), true), second];
    fs_err::write(folder.path().join("a"), "one").unwrap();
    fs_err::write(&gone, "a file").unwrap();
    let undo = Undo::of(&kept, &[kept[0].change.id, kept[1].change.id]).unwrap();
    let error = undo.put_back().unwrap_err();
    assert!(error.message.contains("nothing was undone"), "{error}");
    assert_eq!(content(&folder).as_deref(), Some("one"));
}

#[test]
fn an_undo_that_breaks_off_names_what_it_left_undone() {
    let told = |stuck: &[&str]| {
        let stuck: Vec<String> = stuck.iter().map(|&path| path.to_owned()).collect();
        broken_off(&"b: disk full", &stuck).message
    };
    assert_eq!(told(&[]), "b: disk full; nothing was undone");
    assert_eq!(
        told(&["/work/a", "/work/c"]),
        "b: disk full; these were undone all the same: /work/a, /work/c"
    );
}
