//! A change of a file as people read it: hunks of lines, bounded.

use similar::{ChangeTag, TextDiff};
use std::time::Duration;
use talaria_domain::{DiffHunk, DiffLine, FileChangeKind, FileDiff, LineChange};

/// Lines shown around a change.
const AROUND: usize = 3;
/// Lines shown in all.
const SHOWN: usize = 600;
/// A line is shown with so many characters.
const LONGEST_LINE: usize = 1_000;
/// A comparison that takes longer settles for a coarser answer.
const PATIENCE: Duration = Duration::from_millis(200);

/// How a file changes. None: there is no file then.
#[must_use]
pub fn diff(path: &str, before: Option<&str>, after: Option<&str>) -> FileDiff {
    let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
    let compared = TextDiff::configure().timeout(PATIENCE).diff_lines(old, new);
    let (mut hunks, mut shown, mut cut) = (Vec::new(), 0, false);
    for group in compared.grouped_ops(AROUND) {
        let (Some(first), false) = (group.first(), cut) else {
            break;
        };
        let start = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
        let (old_start, new_start) = (
            start(first.old_range().start),
            start(first.new_range().start),
        );
        let changes = group.iter().flat_map(|op| compared.iter_changes(op));
        let lines: Vec<DiffLine> = changes
            .take(SHOWN - shown)
            .map(|change| DiffLine {
                change: match change.tag() {
                    ChangeTag::Equal => LineChange::Same,
                    ChangeTag::Insert => LineChange::Added,
                    ChangeTag::Delete => LineChange::Removed,
                },
                text: line(change.value()),
            })
            .collect();
        shown += lines.len();
        cut = shown >= SHOWN;
        hunks.push(DiffHunk {
            old_start,
            new_start,
            lines,
        });
    }
    let count = |tag| {
        let changed = compared
            .iter_all_changes()
            .filter(|change| change.tag() == tag);
        u32::try_from(changed.count()).unwrap_or(u32::MAX)
    };
    FileDiff {
        path: path.to_owned(),
        change: kind(before.is_some(), after.is_some()),
        added: count(ChangeTag::Insert),
        removed: count(ChangeTag::Delete),
        hunks,
        cut,
    }
}

/// The change of a file that is no text.
pub(super) fn unreadable(path: &str, is_before: bool, is_after: bool) -> FileDiff {
    FileDiff {
        path: path.to_owned(),
        change: kind(is_before, is_after),
        added: 0,
        removed: 0,
        hunks: Vec::new(),
        cut: false,
    }
}

fn kind(is_before: bool, is_after: bool) -> FileChangeKind {
    match (is_before, is_after) {
        (false, _) => FileChangeKind::Created,
        (true, false) => FileChangeKind::Deleted,
        (true, true) => FileChangeKind::Changed,
    }
}

fn line(text: &str) -> String {
    let text = text.trim_end_matches(['\n', '\r']);
    match text.char_indices().nth(LONGEST_LINE) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::{FileChangeKind, LineChange};

    use super::diff;

    #[test]
    fn a_change_is_shown_with_its_neighbours_and_their_numbers() {
        let old: String = (1..=20).map(|at| format!("line {at}\n")).collect();
        let new = old.replace("line 10\n", "第十行\nand more\n");
        let shown = diff("/a", Some(&old), Some(&new));
        assert_eq!((shown.added, shown.removed), (2, 1));
        let [hunk] = shown.hunks.as_slice() else {
            panic!("one hunk, not {:?}", shown.hunks)
        };
        assert_eq!(
            (hunk.old_start, hunk.new_start, hunk.lines.len()),
            (7, 7, 9)
        );
        assert_eq!(hunk.lines[3].change, LineChange::Removed);
        assert_eq!(hunk.lines[4].text, "第十行");
    }

    #[test]
    fn a_file_that_comes_or_goes_says_so() {
        assert_eq!(diff("/a", None, Some("x")).change, FileChangeKind::Created);
        assert_eq!(diff("/a", Some("x"), None).change, FileChangeKind::Deleted);
        assert_eq!(
            diff("/a", Some("x"), Some("y")).change,
            FileChangeKind::Changed
        );
    }

    #[test]
    fn a_long_change_is_cut_and_still_counted() {
        let new = "x\n".repeat(5_000);
        let shown = diff("/a", Some(""), Some(&new));
        assert!(shown.cut && shown.added == 5_000);
        let lines: usize = shown.hunks.iter().map(|hunk| hunk.lines.len()).sum();
        assert!(lines <= 600, "{lines}");
    }
}
