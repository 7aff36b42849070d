//! How much of an open chunk may be shown, so that nothing on the page turns into something else
//! with the next characters.
//!
//! A line of marks alone is held back: the dash that begins a list item would make a heading of the
//! paragraph above it. The head of a table waits for the line that says it is one. `stream` asks
//! this before it renders what is open.

/// Marks that begin a block, underline a heading or divide a table. A longer run of them is shown.
const MARKS: [char; 13] = [
    '-', '=', '*', '_', '+', '#', '>', '`', '~', '|', ':', ' ', '\t',
];
const LONGEST: usize = 120;

/// The part of the open chunk to show; its last line, not whole yet, begins at `line`.
pub(crate) fn visible(open: &str, line: usize, in_code: bool) -> &str {
    let (whole, part) = open.split_at_checked(line).unwrap_or((open, ""));
    let part = part.trim();
    let held = if in_code {
        part.trim_matches(['`', '~']).is_empty()
    } else {
        part.len() <= LONGEST && (is_marks(part) || is_number(part))
    };
    let shown = if held { whole } else { open };
    if !in_code && is_table_head(shown) {
        return "";
    }
    shown
}

fn is_marks(part: &str) -> bool {
    part.trim_matches(MARKS).is_empty()
}

/// The number of a list item, or what may still become one.
fn is_number(part: &str) -> bool {
    part.trim_start_matches(|character: char| character.is_ascii_digit())
        .trim_matches(['.', ')'])
        .is_empty()
}

/// Whether a text is the head of a table and at most a part of the line below it.
fn is_table_head(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('|') && text.matches('\n').take(2).count() < 2
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn a_line_is_shown_when_it_can_no_longer_turn_into_something_else() {
        for (whole, part, expected) in [
            ("", "#", ""),
            ("", "# T", "# T"),
            ("", "``", ""),
            ("", "```p", "```p"),
            ("", "12", ""),
            ("", "12 a", "12 a"),
            ("Steps:\n", "-", "Steps:\n"),
            ("Steps:\n", "  - ", "Steps:\n"),
            ("Steps:\n", "- a", "Steps:\n- a"),
            ("Steps:\n", "1.", "Steps:\n"),
            ("Title\n", "===", "Title\n"),
            ("", "| a | b", ""),
            ("| a | b |\n", "|--", ""),
            ("| a |\n|---|\n", "", "| a |\n|---|\n"),
            ("| a |\n|---|\n", "| 1", "| a |\n|---|\n| 1"),
            ("| a |\nno table\n", "", "| a |\nno table\n"),
            ("text ", "", "text "),
        ] {
            let open = format!("{whole}{part}");
            assert_eq!(visible(&open, whole.len(), false), expected, "{open:?}");
        }
    }

    #[test]
    fn inside_code_only_the_end_of_the_fence_is_held_back() {
        for (part, is_shown) in [("``", false), ("~~~", false), ("- ", true), ("| a", true)] {
            let open = format!("```\n{part}");
            let expected = if is_shown { open.as_str() } else { "```\n" };
            assert_eq!(visible(&open, 4, true), expected);
        }
    }

    #[test]
    fn a_long_line_of_marks_is_shown() {
        let open = "=".repeat(200);
        assert_eq!(visible(&open, 0, false), open);
    }
}
