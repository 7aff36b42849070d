//! Which addresses a link or an image may have, and addresses written bare in a text.

/// The address of a link that may be opened: absolute, with a scheme that opens outside.
pub(crate) fn openable(address: &str) -> Option<&str> {
    allowed(address, &["http://", "https://", "mailto:"])
}

/// The address of an image that may be loaded after a click.
pub(crate) fn loadable(address: &str) -> Option<&str> {
    const DATA: [&str; 4] = [
        "data:image/png;base64,",
        "data:image/jpeg;base64,",
        "data:image/gif;base64,",
        "data:image/webp;base64,",
    ];
    allowed(address, &["http://", "https://"]).or_else(|| allowed(address, &DATA))
}

fn allowed<'a>(address: &'a str, starts: &[&str]) -> Option<&'a str> {
    let clean = !address
        .chars()
        .any(|character| character.is_control() || character == ' ');
    let fits = |start: &&str| {
        address
            .get(..start.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(start))
    };
    (clean && starts.iter().any(fits)).then_some(address)
}

/// A run of a text: plain, or a bare address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Run<'a> {
    Plain(&'a str),
    Address(&'a str),
}

/// Finds bare `http` and `https` addresses in a text.
pub(crate) fn runs(text: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some(start) = next_address(rest) {
        let (before, from) = rest.split_at(start);
        let address = address_at(from);
        if !before.is_empty() {
            runs.push(Run::Plain(before));
        }
        runs.push(Run::Address(address));
        rest = from.get(address.len()..).unwrap_or_default();
    }
    if !rest.is_empty() {
        runs.push(Run::Plain(rest));
    }
    runs
}

fn next_address(text: &str) -> Option<usize> {
    // Most texts have none, and the search for a short rare string is quick.
    text.match_indices("://").find_map(|(at, _)| {
        let before = text.get(..at)?;
        let scheme = ["https", "http"]
            .into_iter()
            .find(|scheme| before.ends_with(scheme))?;
        let start = at - scheme.len();
        let apart = !before
            .get(..start)?
            .ends_with(|last: char| last.is_ascii_alphanumeric());
        let follows = text
            .get(at + 3..)?
            .starts_with(|next: char| next.is_ascii_alphanumeric() || next == '[');
        (apart && follows).then_some(start)
    })
}

/// The address a text starts with: ASCII only, so that Chinese words after it stay outside, and
/// without the punctuation that ends its sentence.
fn address_at(text: &str) -> &str {
    let end = text
        .find(|character: char| !character.is_ascii_graphic() || "<>\"`{}|\\^".contains(character))
        .unwrap_or(text.len());
    let mut address = text.get(..end).unwrap_or_default();
    // Brackets in excess of those opened; counted once, as there may be very many.
    let opened = address.matches('(').count();
    let mut excess = address.matches(')').count().saturating_sub(opened);
    loop {
        let trimmed = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_']);
        let next = trimmed
            .strip_suffix(')')
            .filter(|_| excess > 0)
            .unwrap_or(trimmed);
        if next.len() == address.len() {
            return address;
        }
        if next.len() < trimmed.len() {
            excess -= 1;
        }
        address = next;
    }
}

#[cfg(test)]
mod tests {
    use super::{Run, loadable, openable, runs};

    #[test]
    fn only_addresses_that_open_outside_are_links() {
        for good in [
            "https://a.example/x",
            "HTTP://a.example",
            "mailto:a@b.example",
        ] {
            assert!(openable(good).is_some(), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:x",
            "data:text/html,x",
            "file:///etc/passwd",
            "/x",
            "#x",
            "//x",
            "https://a\n.example",
            "vbscript:x",
            " https://x",
        ] {
            assert!(openable(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn an_image_may_be_remote_or_a_picture_in_the_text() {
        assert!(loadable("https://a.example/x.png").is_some());
        assert!(loadable("data:image/png;base64,AAAA").is_some());
        for bad in [
            "data:image/svg+xml;base64,AA",
            "data:text/html,x",
            "file:///x.png",
            "x.png",
        ] {
            assert!(loadable(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_bare_address_ends_before_its_sentence_does() {
        let cases: [(&str, &[Run<'_>]); 5] = [
            (
                "see https://a.example/x.",
                &[
                    Run::Plain("see "),
                    Run::Address("https://a.example/x"),
                    Run::Plain("."),
                ],
            ),
            (
                "见https://a.example/路",
                &[
                    Run::Plain("见"),
                    Run::Address("https://a.example/"),
                    Run::Plain("路"),
                ],
            ),
            (
                "(http://a.example/b_(c))",
                &[
                    Run::Plain("("),
                    Run::Address("http://a.example/b_(c)"),
                    Run::Plain(")"),
                ],
            ),
            ("xhttps://a and ://", &[Run::Plain("xhttps://a and ://")]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(runs(text), expected, "{text}");
        }
    }
}
