//! Text made safe to stand in HTML; the writer puts each text of the source through it.

/// A text that can stand between tags and in a quoted attribute.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest
            .bytes()
            .position(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'' | 0))
        {
            let (before, from) = rest.split_at(at);
            formatter.write_str(before)?;
            formatter.write_str(match from.as_bytes().first() {
                Some(b'&') => "&amp;",
                Some(b'<') => "&lt;",
                Some(b'>') => "&gt;",
                Some(b'"') => "&quot;",
                Some(b'\'') => "&#39;",
                _ => "\u{fffd}",
            })?;
            rest = from.get(1..).unwrap_or_default();
        }
        formatter.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::Escaped;

    #[test]
    fn nothing_that_opens_a_tag_or_ends_an_attribute_is_left() {
        assert_eq!(
            Escaped("<a b=\"c\" d='e'>&amp;\0中").to_string(),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;\u{fffd}中"
        );
    }
}
