//! Formulas in the forms that models write: `\( … \)` and `\[ … \]` beside `$ … $` and `$$ … $$`.

use std::borrow::Cow;

/// A chunk with `\( … \)` and `\[ … \]` outside code written with dollars, which the parser knows.
pub(crate) fn with_dollars(chunk: &str) -> Cow<'_, str> {
    if !chunk.contains("\\(") && !chunk.contains("\\[") {
        return Cow::Borrowed(chunk);
    }
    let mut written = String::with_capacity(chunk.len());
    let mut rest = chunk;
    while let Some(at) = rest.find(['`', '\\']) {
        let (before, from) = rest.split_at(at);
        written.push_str(before);
        let taken = if from.starts_with('`') {
            let code = code_span(from);
            written.push_str(code);
            code.len()
        } else if let Some((formula, dollars, length)) = formula(from) {
            written.push_str(dollars);
            written.push_str(formula);
            written.push_str(dollars);
            length
        } else {
            let escaped = from.chars().take(2).map(char::len_utf8).sum();
            written.push_str(from.get(..escaped).unwrap_or(from));
            escaped
        };
        rest = from.get(taken..).unwrap_or_default();
    }
    written.push_str(rest);
    Cow::Owned(written)
}

/// The code span a text starts with, or only its backticks when it is not closed.
fn code_span(text: &str) -> &str {
    let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
    let (mark, rest) = text.split_at(ticks);
    let mut from = 0;
    while let Some(found) = rest.get(from..).and_then(|tail| tail.find(mark)) {
        let start = from + found;
        let run = rest
            .bytes()
            .skip(start)
            .take_while(|byte| *byte == b'`')
            .count();
        if run == ticks {
            return text.get(..ticks + start + run).unwrap_or(text);
        }
        from = start + run;
    }
    mark
}

/// The formula a text starts with, the dollars to put around it, and how long it was.
fn formula(text: &str) -> Option<(&str, &'static str, usize)> {
    let (open, close, dollars) = match text.get(..2)? {
        "\\(" => ('(', ')', "$"),
        "\\[" => ('[', ']', "$$"),
        _ => return None,
    };
    let inside = text.get(2..)?;
    let end = end_of(inside, open, close)?;
    let formula = inside.get(..end)?.trim();
    let fits = !formula.is_empty() && !formula.contains(['$', '`']) && !formula.contains("\n\n");
    fits.then_some((formula, dollars, 2 + end + 2))
}

/// Where a formula ends. A second opening before that means that the first opened nothing; stopping
/// there keeps the search in proportion to the text.
fn end_of(inside: &str, open: char, close: char) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in inside.char_indices() {
        if escaped && character == close {
            return at.checked_sub(1);
        }
        if escaped && character == open {
            return None;
        }
        escaped = character == '\\' && !escaped;
    }
    None
}

/// The formula of a chunk that is a display formula as a whole.
pub(crate) fn display(chunk: &str) -> Option<&str> {
    let text = chunk.trim();
    let (close, rest) = crate::chunk::math_opened_by(text)?;
    let formula = rest.strip_suffix(close)?.trim();
    (!formula.is_empty() && !formula.contains("$$")).then_some(formula)
}

#[cfg(test)]
mod tests {
    use super::{display, with_dollars};

    #[test]
    fn bracketed_formulas_become_dollars_outside_code() {
        for (chunk, expected) in [
            (r"area \( \pi r^2 \) is", r"area $\pi r^2$ is"),
            (r"so \[x\] holds", "so $$x$$ holds"),
            (r"`\(x\)` stays", r"`\(x\)` stays"),
            (r"``a ` \(x\)`` \(y\)", r"``a ` \(x\)`` $y$"),
            (r"open \( only", r"open \( only"),
            (r"\( then \(x\)", r"\( then $x$"),
            (r"so \[a \\[2pt] b\]", r"so $$a \\[2pt] b$$"),
            (r"costs \(5$\)", r"costs \(5$\)"),
            (r"\\(x\\)", r"\\(x\\)"),
        ] {
            assert_eq!(with_dollars(chunk), expected, "{chunk}");
        }
    }

    #[test]
    fn a_whole_chunk_can_be_a_formula() {
        assert_eq!(display("$$\na\n\nb\n$$\n"), Some("a\n\nb"));
        assert_eq!(display(r"\[ x = y \]"), Some("x = y"));
        for chunk in ["$$", "$$\nopen", "$$$$", "text $$x$$"] {
            assert_eq!(display(chunk), None, "{chunk}");
        }
    }
}
