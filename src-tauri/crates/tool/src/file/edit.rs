//! Finding the text that a model wants replaced: as it is written, else line by line with the
//! slips that models make. Nothing is replaced that is not the only place it can be.

use std::ops::Range;

/// Where the text stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) span: Range<usize>,
    /// The new text, with the indentation of the place.
    pub(super) text: String,
    /// How it was found, where that was not letter by letter.
    pub(super) leniently: Option<&'static str>,
}

/// Why nothing is replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum EditError {
    #[error("old_text is empty; give the text to replace, or use write_file for a new file")]
    Empty,
    #[error("old_text and new_text are the same")]
    Same,
    #[error("old_text stands at {} places (lines {}); give more of the text around the one you mean, or set replace_all", .0.len(), numbers(.0))]
    Several(Vec<usize>),
    #[error("old_text was not found{}", nearest(.0.as_ref()))]
    Nowhere(Option<(usize, String)>),
}

/// The places to replace in `text`, in order.
pub(super) fn find(text: &str, old: &str, new: &str, every: bool) -> Result<Vec<Found>, EditError> {
    if old.is_empty() {
        return Err(EditError::Empty);
    }
    if old == new {
        return Err(EditError::Same);
    }
    let exact: Vec<Found> = text
        .match_indices(old)
        .map(|(at, _)| Found {
            span: at..at + old.len(),
            text: new.to_owned(),
            leniently: None,
        })
        .collect();
    match exact.len() {
        0 => leniently(text, old, new),
        1 => Ok(exact),
        _ if every => Ok(exact),
        _ => Err(EditError::Several(lines_of(text, &exact))),
    }
}

/// A way to look past what makes two lines differ.
type Reading = (&'static str, fn(&str) -> String);

/// From the strictest on.
const READINGS: [Reading; 3] = [
    ("but for blanks at line ends", |line| {
        line.trim_end().to_owned()
    }),
    ("but for quotation marks and dashes", |line| {
        plain(line.trim_end())
    }),
    ("but for the indentation", |line| plain(line.trim())),
];

fn leniently(text: &str, old: &str, new: &str) -> Result<Vec<Found>, EditError> {
    let lines = spans(text);
    let (before, after) = line_breaks(old);
    // Blank lines around the text are part of it where they stand in the file, else a slip.
    for (before, after) in [(before.min(1), after.min(1)), (before, after)] {
        let wanted: Vec<&str> = without(old, before, after).split('\n').collect();
        if wanted.iter().all(|line| line.trim().is_empty()) {
            return Err(EditError::Nowhere(None));
        }
        let new = without(new, before, after);
        if let Some(found) = line_by_line(text, &lines, &wanted, new)? {
            return Ok(vec![found]);
        }
    }
    let wanted: Vec<&str> = old.trim_matches('\n').split('\n').collect();
    Err(EditError::Nowhere(closest(text, &lines, &wanted)))
}

/// The one place where the lines stand, by the strictest reading that finds any.
fn line_by_line(
    text: &str,
    lines: &[Range<usize>],
    wanted: &[&str],
    new: &str,
) -> Result<Option<Found>, EditError> {
    for (how, read) in READINGS {
        let wanted_read: Vec<String> = wanted.iter().map(|line| read(line)).collect();
        let starts: Vec<usize> = (0..lines.len())
            .filter(|start| {
                wanted_read.iter().enumerate().all(|(at, wanted)| {
                    let line = lines
                        .get(start + at)
                        .and_then(|span| text.get(span.clone()));
                    line.is_some_and(|line| read(line) == *wanted)
                })
            })
            .collect();
        let found = |start: usize| {
            let first = lines.get(start)?;
            let last = lines.get(start + wanted.len() - 1)?;
            // A blank line has no indentation to go by.
            let said = wanted.iter().position(|line| !line.trim().is_empty())?;
            let indent = shift(
                text.get(lines.get(start + said)?.clone())?,
                wanted.get(said)?,
            );
            Some(Found {
                span: first.start..last.end,
                text: indent.apply(new),
                leniently: Some(how),
            })
        };
        match starts.as_slice() {
            [] => {}
            [only] => return Ok(found(*only)),
            several => {
                let several = several.iter().map(|start| start + 1);
                return Err(EditError::Several(several.collect()));
            }
        }
    }
    Ok(None)
}

/// The line breaks that a text begins and ends with.
fn line_breaks(text: &str) -> (usize, usize) {
    let begins = text.len() - text.trim_start_matches('\n').len();
    (begins, text.len() - text.trim_end_matches('\n').len())
}

/// The new text without as many line breaks at its ends as the old one had: those are not part of
/// the lines that were found. What it has beyond them is wanted.
fn without(new: &str, before: usize, after: usize) -> &str {
    let (begins, ends) = line_breaks(new);
    let start = before.min(begins);
    let end = new.len().saturating_sub(after.min(ends)).max(start);
    new.get(start..end).unwrap_or_default()
}

/// The line that begins like the text, to show what stands there instead.
fn closest(text: &str, lines: &[Range<usize>], wanted: &[&str]) -> Option<(usize, String)> {
    let first = wanted
        .iter()
        .map(|line| line.trim())
        .find(|line| line.len() > 3)?;
    let likeness = |line: &str| {
        let same = line
            .trim()
            .chars()
            .zip(first.chars())
            .take_while(|(one, other)| one == other);
        same.count()
    };
    let best = lines
        .iter()
        .enumerate()
        .filter_map(|(at, span)| Some((at, text.get(span.clone())?)))
        .max_by_key(|(_, line)| likeness(line))?;
    let (at, line) = best;
    (likeness(line) * 2 >= first.chars().count())
        .then(|| (at + 1, line.chars().take(200).collect()))
}

/// How much deeper the place is indented than the text that was asked for.
struct Shift<'line> {
    has: &'line str,
    wanted: &'line str,
}

fn shift<'line>(line: &'line str, wanted: &'line str) -> Shift<'line> {
    let indent = |line: &'line str| line.split_at(line.len() - line.trim_start().len()).0;
    Shift {
        has: indent(line),
        wanted: indent(wanted),
    }
}

impl Shift<'_> {
    fn apply(&self, new: &str) -> String {
        if self.has == self.wanted {
            return new.to_owned();
        }
        let lines = new
            .split('\n')
            .map(|line| match line.strip_prefix(self.wanted) {
                Some(rest) if !line.trim().is_empty() => format!("{}{rest}", self.has),
                _ => line.to_owned(),
            });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Typographic signs as the plain ones that models write for them.
fn plain(line: &str) -> String {
    line.chars()
        .map(|character| match character {
            '‘' | '’' | '‚' => '\'',
            '“' | '”' | '„' => '"',
            '–' | '—' | '‑' => '-',
            '\u{a0}' | '\u{3000}' => ' ',
            other => other,
        })
        .collect()
}

/// The lines without their ends.
fn spans(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    text.split('\n')
        .map(|line| {
            let span = at..at + line.len();
            at = span.end + 1;
            span
        })
        .collect()
}

fn lines_of(text: &str, found: &[Found]) -> Vec<usize> {
    let line = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    found.iter().map(|found| line(found.span.start)).collect()
}

fn numbers(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(8).map(usize::to_string).collect();
    shown.join(", ")
}

fn nearest(closest: Option<&(usize, String)>) -> String {
    match closest {
        Some((line, text)) => {
            format!("; line {line} is {text:?}. Read the file and copy the text as it is")
        }
        None => "; read the file and copy the text as it is".to_owned(),
    }
}

/// The text with every place replaced.
pub(super) fn replaced(text: &str, found: &[Found]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for place in found {
        new.push_str(text.get(at..place.span.start).unwrap_or_default());
        new.push_str(&place.text);
        at = place.span.end;
    }
    new.push_str(text.get(at..).unwrap_or_default());
    new
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{EditError, find, replaced};

    fn edited(text: &str, old: &str, new: &str) -> Result<String, EditError> {
        find(text, old, new, false).map(|found| replaced(text, &found))
    }

    #[test]
    fn the_one_place_is_replaced_and_nothing_else() {
        let code = "fn a() {\n    let x = 1;\n}\n\nfn b() {\n    let x = 2;\n}\n";
        let cases = [
            (
                "exactly",
                code,
                "let x = 2;",
                "let x = 3;",
                code.replace("x = 2", "x = 3"),
            ),
            (
                "blanks at line ends",
                "one  \ntwo\n",
                "one\ntwo",
                "1\n2",
                "1\n2\n".to_owned(),
            ),
            (
                "quotation marks",
                "she said “yes”\n",
                "she said \"yes\"",
                "she said no",
                "she said no\n".to_owned(),
            ),
            (
                "the indentation is the place's",
                "if a:\n        run()\n        stop()\n",
                "run()\nstop()",
                "walk()\nstop()",
                "if a:\n        walk()\n        stop()\n".to_owned(),
            ),
            (
                "a wanted blank line",
                "one  \ntwo  \nthree\n",
                "one\ntwo\n",
                "one\ntwo\n\n",
                "one\ntwo\n\nthree\n".to_owned(),
            ),
            (
                "the indentation behind a blank line",
                "if a:\n\n    run()\n",
                "\n\nrun()\n",
                "\n\nwalk()\nstop()\n",
                "if a:\n\n    walk()\n    stop()\n".to_owned(),
            ),
            (
                "a blank line that is to go",
                "one  \n\ntwo\n",
                "one\n\n",
                "one\n",
                "one\ntwo\n".to_owned(),
            ),
            (
                "a blank line that is not there",
                "one  \ntwo\n",
                "one\n\n",
                "1\n\n",
                "1\ntwo\n".to_owned(),
            ),
            (
                "no line break where the old text has one",
                "one  \ntwo\n",
                "\none\n",
                "1",
                "1\ntwo\n".to_owned(),
            ),
            (
                "Chinese",
                "会议在周一。\n",
                "周一",
                "周二",
                "会议在周二。\n".to_owned(),
            ),
        ];
        for (name, text, old, new, expected) in cases {
            assert_eq!(edited(text, old, new).as_ref(), Ok(&expected), "{name}");
        }
    }

    #[test]
    fn what_is_not_sure_is_refused_with_what_to_do() {
        let cases = [
            ("x\nx\n", "x", "lines 1, 2"),
            ("  x\n    x\n", "x ", "lines 1, 2"),
            ("let total = 3;\n", "let totals = 4;", "line 1 is"),
            ("abc", "", "empty"),
            ("abc", "same", "same"),
            ("abc\n", "\n\n  \n", "not found"),
        ];
        for (text, old, told) in cases {
            let refused = edited(text, old, "same").unwrap_err().to_string();
            assert!(refused.contains(told), "{old:?}: {refused}");
        }
    }

    #[test]
    fn every_place_is_replaced_where_that_is_asked_for() {
        let found = find("a b a", "a", "c", true).unwrap();
        assert_eq!(replaced("a b a", &found), "c b c");
    }

    proptest! {
        #[test]
        fn all_around_the_place_stays(
            before in "[a-z\n ]{0,30}", after in "[a-z\n ]{0,30}", new in "[A-Z\n]{1,10}",
        ) {
            let text = format!("{before}#OLD#{after}");
            prop_assert_eq!(edited(&text, "#OLD#", &new), Ok(format!("{before}{new}{after}")));
        }

        #[test]
        fn a_lenient_place_changes_whole_lines_only(
            lines in proptest::collection::vec("[a-c]{1,3} {0,2}", 1..12), at in 0usize..12,
        ) {
            let text = lines.join("\n");
            let at = at % lines.len();
            if let Ok(found) = find(&text, &format!("{}  ", lines[at].trim_end()), "NEW", false) {
                let new = replaced(&text, &found);
                let pairs: Vec<(&str, &str)> = text.split('\n').zip(new.split('\n')).collect();
                prop_assert_eq!(pairs.len(), new.split('\n').count());
                let changed = pairs.iter().filter(|(old, new)| old != new);
                prop_assert_eq!(changed.count(), 1);
            }
        }
    }
}
