//! An open chunk completed as it will most likely go on, so that its text does not change its look.
//!
//! Bold, code, links and formulas that are not closed yet are closed, and what only begins one is
//! held back. `stream` asks this after `partial`, for what is shown meanwhile; a chunk that has
//! ended is rendered as it is written.

mod inline;

use std::borrow::Cow;

use crate::chunk::{Fence, after_marker, math_opened_by};
use crate::partial::visible;

/// The text of an open chunk, outside of a fence, as it is to be rendered.
pub(crate) fn complete(text: &str) -> Cow<'_, str> {
    if is_in_fence(text) {
        return Cow::Borrowed(text);
    }
    if let Some(formula) = with_formula_closed(text) {
        return formula;
    }
    let (before, leaf) = text.split_at(leaf_start(text));
    let (kept, closing) = inline::close(leaf);
    if closing.is_empty() {
        let kept = text.get(..before.len() + kept.len()).unwrap_or(text);
        // Without its last words a line may be nothing but marks.
        return Cow::Borrowed(visible(kept, last_line(kept), false));
    }
    Cow::Owned(format!("{before}{kept}{closing}"))
}

/// Whether the text ends inside of a fence, be it in a quote or begun by a line that is not whole.
fn is_in_fence(text: &str) -> bool {
    if !text.contains("```") && !text.contains("~~~") {
        return false;
    }
    let mut open: Option<Fence> = None;
    for line in text.lines() {
        let line = line.trim_start_matches(['>', ' ', '\t']);
        open = match open {
            Some(fence) => (!fence.is_closed_by(line)).then_some(fence),
            None => Fence::opened_by(after_marker(line)),
        };
    }
    open.is_some()
}

/// A chunk that is one display formula, closed if it is not yet.
fn with_formula_closed(text: &str) -> Option<Cow<'_, str>> {
    let (close, inside) = math_opened_by(text.trim_start())?;
    if inside.contains(close) {
        return None;
    }
    let inside = inside.trim_end_matches(['\\', '$']).trim();
    Some(if inside.is_empty() {
        Cow::Borrowed("")
    } else {
        Cow::Owned(format!("$${inside}$$"))
    })
}

/// Where the last paragraph, item or cell begins: no inline mark reaches across it.
fn leaf_start(text: &str) -> usize {
    let mut start = last_line(text);
    loop {
        let line = text.get(start..).unwrap_or_default();
        let line = line.split('\n').next().unwrap_or_default();
        let body = after_marker(line);
        if line.trim_start().starts_with('|') {
            return start + line.rfind('|').map_or(0, |at| at + 1);
        }
        if body.len() < line.trim_start().len() {
            return start + line.len() - body.len();
        }
        let above = last_line(text.get(..start.saturating_sub(1)).unwrap_or_default());
        let above_is_blank = text.get(above..start).unwrap_or_default().trim().is_empty();
        if start == 0 || above_is_blank || line.starts_with('#') {
            return start;
        }
        start = above;
    }
}

fn last_line(text: &str) -> usize {
    text.rfind('\n').map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::complete;

    #[test]
    fn what_is_open_is_shown_as_what_it_becomes() {
        for (open, shown) in [
            ("a **bo", "a **bo**"),
            ("a **bold*", "a **bold**"),
            ("中文**粗", "中文**粗**"),
            ("a *b **c", "a *b **c***"),
            ("a ~~b ", "a ~~b~~"),
            ("one **two\nthree", "one **two\nthree**"),
            ("- a **b\n- c *d", "- a **b\n- c *d*"),
            ("use `co", "use `co`"),
            ("use ``a`b`", "use ``a`b``"),
            ("see [the page](https://exa", "see [the page](#)"),
            ("see [the pa", "see [the pa](#)"),
            ("**[x y](https://e", "**[x y](#)**"),
            ("![the image](https://exa", "![the image](#)"),
            (r"so \(x^2", r"so \(x^2\)"),
            ("|a|\n|---|\n| **1** | **2", "|a|\n|---|\n| **1** | **2**"),
            ("$$\nx +", "$$x +$$"),
            ("\\[\nx \\", "$$x$$"),
        ] {
            assert_eq!(complete(open), shown, "{open}");
        }
    }

    #[test]
    fn what_only_begins_something_is_held_back() {
        for (open, shown) in [
            ("a **", "a"),
            ("a **b** *", "a **b**"),
            ("a ``", "a"),
            ("a [", "a"),
            ("a \\", "a"),
            ("a \\(", "a"),
            ("a[^", "a"),
            ("Text\n- [", "Text\n"),
            ("- [x", ""),
            ("$$", ""),
        ] {
            assert_eq!(complete(open), shown, "{open}");
        }
    }

    #[test]
    fn what_is_whole_stays_as_it_is() {
        for open in [
            "a **bold**",
            "2 * 3 = 6",
            "snake_case_name",
            "a[0] and b[1]",
            r"escaped \*star",
            "`a **b` c",
            "```py",
            "```\na **b",
            "> ```\n> a **b",
            "[a](https://a.example/x_(y)) end",
            "[a](no\naddress",
            "costs $5 and",
            "",
            "    code",
        ] {
            assert_eq!(complete(open), open, "{open}");
        }
    }
}
