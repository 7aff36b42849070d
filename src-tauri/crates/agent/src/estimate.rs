//! How many tokens a text takes, when nobody has counted.

/// Tokens that `text` takes, by script: a character of Chinese, Japanese or Korean is about one
/// token, four characters of anything else are.
#[must_use]
pub fn estimated_tokens(text: &str) -> u64 {
    let (wide, narrow) = text
        .chars()
        .fold((0_u64, 0_u64), |(wide, narrow), character| {
            if is_wide(character) {
                (wide + 1, narrow)
            } else {
                (wide, narrow + 1)
            }
        });
    wide + narrow.div_ceil(4)
}

fn is_wide(character: char) -> bool {
    matches!(character, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::estimated_tokens;

    #[test]
    fn chinese_counts_by_the_character_and_latin_by_four() {
        for (text, tokens) in [
            ("", 0),
            ("a", 1),
            ("abcd", 1),
            ("abcde", 2),
            ("会议纪要", 4),
            ("会议 notes", 4),
        ] {
            assert_eq!(estimated_tokens(text), tokens, "{text}");
        }
    }
}
