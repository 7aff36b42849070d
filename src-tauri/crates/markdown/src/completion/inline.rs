//! Closes the inline marks that a text leaves open.

/// A mark that is not closed yet.
enum Open {
    /// `*`, `_` or `~`, so many of them, beginning and ending there.
    Emphasis {
        mark: u8,
        count: usize,
        start: usize,
        end: usize,
    },
    /// The `[` of a link, or the `![` of an image.
    Bracket { start: usize, end: usize },
}

/// A label longer than this is no label but a bracket in a text.
const LONGEST_LABEL: usize = 200;
/// An address longer than this is not waited for.
const LONGEST_TARGET: usize = 4_000;

/// How much of a paragraph to show, and what to put after it.
pub(super) fn close(text: &str) -> (&str, String) {
    let mut scan = Scan {
        text,
        stack: Vec::new(),
        hopeless: 0,
    };
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        match scan.step(at, rest) {
            Step::On(next) => at = next,
            Step::End(kept, closing) => return scan.finish(kept, closing),
        }
    }
    scan.finish(text.len(), String::new())
}

enum Step {
    /// The scan goes on there.
    On(usize),
    /// The text is to be shown up to there, and closed by this first.
    End(usize, String),
}

struct Scan<'a> {
    text: &'a str,
    stack: Vec<Open>,
    /// The lengths of backtick runs, as bits, that are known to have no partner further on.
    hopeless: u64,
}

impl<'a> Scan<'a> {
    fn step(&mut self, at: usize, rest: &'a str) -> Step {
        match rest.as_bytes().first() {
            Some(b'\\') => self.backslash(at, rest),
            Some(b'`') => self.code(at, rest),
            Some(mark @ (b'*' | b'_' | b'~')) => self.emphasis(at, rest, *mark),
            Some(b'[') => self.bracket(at, rest),
            Some(b']') => self.bracket_end(at, rest),
            _ => {
                let plain = rest.find(['\\', '`', '*', '_', '~', '[', ']']);
                Step::On(at + plain.unwrap_or(rest.len()).max(1))
            }
        }
    }

    fn backslash(&self, at: usize, rest: &str) -> Step {
        let close = match rest.as_bytes().get(1) {
            None => return Step::End(at, String::new()),
            Some(b'(') => "\\)",
            Some(b'[') => "\\]",
            Some(_) => {
                let escaped = rest.chars().take(2).map(char::len_utf8).sum::<usize>();
                return Step::On(at + escaped);
            }
        };
        let inside = rest.get(2..).unwrap_or_default();
        match inside.find(close) {
            Some(end) => Step::On(at + 2 + end + 2),
            None => {
                let formula = inside.trim_end_matches('\\').trim_end();
                let (kept, closing) = match formula {
                    "" => (at, ""),
                    formula => (at + 2 + formula.len(), close),
                };
                Step::End(kept, closing.to_owned())
            }
        }
    }

    fn code(&mut self, at: usize, rest: &str) -> Step {
        let run = run_length(rest, b'`');
        let inside = rest.get(run..).unwrap_or_default();
        let bit = 1_u64 << run.min(63);
        let mut from = 0;
        while self.hopeless & bit == 0 {
            let Some(found) = inside.get(from..).and_then(|tail| tail.find('`')) else {
                self.hopeless |= bit;
                break;
            };
            let length = run_length(inside.get(from + found..).unwrap_or_default(), b'`');
            from += found + length;
            if length == run {
                return Step::On(at + run + from);
            }
        }
        let code = inside.trim_end_matches('`');
        match code.trim() {
            "" => Step::End(at, String::new()),
            _ => Step::End(at + run + code.len(), "`".repeat(run)),
        }
    }

    fn emphasis(&mut self, at: usize, rest: &str, mark: u8) -> Step {
        let run = run_length(rest, mark);
        let before = self
            .text
            .get(..at)
            .and_then(|text| text.chars().next_back());
        let after = rest.get(run..).and_then(|text| text.chars().next());
        let is_word = |side: Option<char>| side.is_some_and(|side| side.is_ascii_alphanumeric());
        let intraword = mark == b'_' && is_word(before) && is_word(after);
        let mut left = run;
        if before.is_some_and(|before| !before.is_whitespace()) && !intraword {
            left = self.close_emphasis(mark, run, after.is_none());
        }
        if after.is_none() {
            return Step::End(at + run - left, String::new());
        }
        let opens = after.is_some_and(|after| !after.is_whitespace())
            && (run > 1 || !is_word(before))
            && !intraword
            && (mark != b'~' || run == 2);
        if left > 0 && opens {
            self.stack.push(Open::Emphasis {
                mark,
                count: left,
                start: at,
                end: at + run,
            });
        }
        Step::On(at + run)
    }

    /// Closes open emphasis with a run of marks; returns how many of them are left.
    fn close_emphasis(&mut self, mark: u8, run: usize, at_end: bool) -> usize {
        let mut left = run;
        while left > 0 {
            let Some(Open::Emphasis {
                mark: open, count, ..
            }) = self.stack.last_mut()
            else {
                break;
            };
            // At the end of the text more of the run may follow.
            if *open != mark || (at_end && left < *count) {
                break;
            }
            let closed = left.min(*count);
            *count -= closed;
            left -= closed;
            if *count == 0 {
                self.stack.pop();
            }
        }
        left
    }

    fn bracket(&mut self, at: usize, rest: &str) -> Step {
        let before = self.text.get(..at).unwrap_or_default();
        let start = if before.ends_with('!') { at - 1 } else { at };
        // After a word it is an index, or the label of a footnote.
        let is_index = before.ends_with(|last: char| last.is_ascii_alphanumeric());
        if !is_index || rest.starts_with("[^") {
            self.stack.push(Open::Bracket { start, end: at + 1 });
        }
        Step::On(at + 1)
    }

    fn bracket_end(&mut self, at: usize, rest: &str) -> Step {
        let bracket = |open: &Open| matches!(open, Open::Bracket { .. });
        let Some(opened) = self.stack.iter().rposition(bracket) else {
            return Step::On(at + 1);
        };
        self.stack.truncate(opened);
        let Some(target) = rest.strip_prefix("](") else {
            return Step::On(at + 1);
        };
        match target_of(target) {
            Target::Whole(length) => Step::On(at + 2 + length),
            Target::None => Step::On(at + 1),
            // Nothing may lead to a part of an address.
            Target::Part => Step::End(at + 1, "(#)".to_owned()),
        }
    }

    fn finish(mut self, kept: usize, mut closing: String) -> (&'a str, String) {
        let text = self.text;
        let upto = |end: usize| text.get(..end).unwrap_or(text).trim_end();
        // A closed code span or formula may end in blanks of its own.
        let mut kept = match closing.as_str() {
            "" => upto(kept),
            _ => text.get(..kept).unwrap_or(text),
        };
        while let Some(open) = self.stack.pop() {
            match open {
                Open::Emphasis { start, end, .. } if end >= kept.len() => kept = upto(start),
                Open::Emphasis { mark, count, .. } => {
                    closing.extend(std::iter::repeat_n(char::from(mark), count));
                }
                Open::Bracket { start, end } => {
                    let label = kept.get(end..).unwrap_or_default();
                    if label.chars().count() < 2 || label.starts_with('^') {
                        kept = upto(start);
                        closing.clear();
                    } else if label.len() <= LONGEST_LABEL {
                        closing.push_str("](#)");
                    }
                }
            }
        }
        (kept, closing)
    }
}

/// What follows the `](` of a link.
enum Target {
    /// An address, so long with its `)`.
    Whole(usize),
    /// The text ends in it.
    Part,
    /// None: it was no link.
    None,
}

fn target_of(text: &str) -> Target {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().take(LONGEST_TARGET) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Target::Whole(at + 1),
            b')' => depth -= 1,
            b'\n' => return Target::None,
            _ => {}
        }
    }
    if text.len() < LONGEST_TARGET {
        Target::Part
    } else {
        Target::None
    }
}

fn run_length(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|byte| *byte == mark).count()
}
