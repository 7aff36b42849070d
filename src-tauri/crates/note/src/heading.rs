//! Title and first words of a note's text.

const EXCERPT_CHARS: usize = 160;

/// The text of the first top-level heading outside of code, and the byte range of that line.
pub(crate) fn heading(text: &str) -> Option<(String, std::ops::Range<usize>)> {
    let mut offset = 0;
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let range = offset..offset + line.trim_end_matches(['\n', '\r']).len();
        offset += line.len();
        let bare = line.trim_start_matches('\u{FEFF}').trim();
        if let Some(open) = fence {
            if bare.starts_with(open) {
                fence = None;
            }
            continue;
        }
        fence = ["```", "~~~"]
            .into_iter()
            .find(|mark| bare.starts_with(mark));
        if let Some(title) = bare.strip_prefix("# ") {
            let title = title.trim().trim_end_matches('#').trim();
            if !title.is_empty() {
                return Some((title.to_owned(), range));
            }
        }
    }
    None
}

/// The same text under another heading; unchanged if it has none.
pub(crate) fn with_heading(text: &str, title: &str) -> String {
    let Some((_, range)) = heading(text) else {
        return text.to_owned();
    };
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let mark = if text
        .get(range)
        .is_some_and(|line| line.starts_with('\u{FEFF}'))
    {
        "\u{FEFF}"
    } else {
        ""
    };
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{before}{mark}# {title}{after}")
}

/// The first words after the title, on one line.
pub(crate) fn excerpt(text: &str) -> String {
    let rest = match heading(text) {
        Some((_, range)) if text.get(..range.start).is_some_and(|t| t.trim().is_empty()) => {
            text.get(range.end..).unwrap_or_default()
        }
        _ => text.trim_start_matches('\u{FEFF}'),
    };
    one_line(rest, EXCERPT_CHARS)
}

/// Up to `most` characters of the text with each run of blank space made one space.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        if count > 0 {
            line.push(' ');
            count += 1;
        }
        for c in word.chars() {
            if count >= most {
                line.push('…');
                return line;
            }
            line.push(c);
            count += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{excerpt, heading, one_line, with_heading};

    #[test]
    fn the_title_is_the_first_top_heading_outside_of_code() {
        let table = [
            ("# A\nb", Some("A")),
            ("\u{FEFF}# 京都 #\r\nb", Some("京都")),
            ("text\n\n# Later", Some("Later")),
            ("```\n# not\n```\n# Yes", Some("Yes")),
            ("~~~\n# not", None),
            ("## Second level", None),
            ("#tag", None),
            ("# \n# Real", Some("Real")),
            ("", None),
        ];
        for (text, title) in table {
            assert_eq!(
                heading(text).map(|(title, _)| title).as_deref(),
                title,
                "{text:?}"
            );
        }
    }

    #[test]
    fn another_heading_leaves_the_rest_as_it_was() {
        assert_eq!(
            with_heading("\u{FEFF}# A\r\nb\r\n", "C"),
            "\u{FEFF}# C\r\nb\r\n"
        );
        assert_eq!(with_heading("x\n# A\ny", "C\nD"), "x\n# C D\ny");
        assert_eq!(with_heading("no heading", "C"), "no heading");
    }

    #[test]
    fn the_excerpt_begins_after_the_title() {
        assert_eq!(excerpt("# A\n\nfirst\n  words"), "first words");
        assert_eq!(excerpt("intro\n# A"), "intro # A");
        assert_eq!(one_line("一二三四", 3), "一二三…");
        assert_eq!(one_line("ab", 2), "ab");
    }
}
