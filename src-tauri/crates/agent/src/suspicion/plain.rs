//! A text as its reader means it: one width and case, no letters that look like others or that
//! show nothing.

use unicode_normalization::UnicodeNormalization;

/// What is left of a text, and what was hidden in it.
pub(super) struct Plain {
    /// What can be seen, in small letters.
    pub(super) text: String,
    /// What was written in letters that show nothing.
    pub(super) hidden: String,
}

/// Letters of other scripts that look like Latin ones, and those.
const DOUBLES: &[(&str, &str)] = &[
    ("авеіјкмнорсѕтухԁɡһӏԛԝ", "abeijkmhopcstyxdghlqw"),
    ("αβεικνορτυχγωϲϳ", "abeikvoptuxywcj"),
    ("ıḷɩ", "iii"),
];

/// Reads a text.
pub(super) fn plain(text: &str) -> Plain {
    let mut seen = String::with_capacity(text.len());
    let mut hidden = String::new();
    let mut word = String::new();
    let mut is_flag = false;
    for letter in text.chars() {
        match letter {
            // Tags of a flag follow its picture; elsewhere they spell what nobody sees.
            '\u{E0020}'..='\u{E007E}' if !is_flag => {
                let plain = u32::from(letter) - 0xE0000;
                hidden.extend(char::from_u32(plain));
            }
            _ if crate::permission::is_invisible(letter) => {}
            letter => {
                is_flag = letter == '\u{1F3F4}';
                for letter in std::iter::once(letter).nfkc().flat_map(char::to_lowercase) {
                    if letter.is_alphanumeric() {
                        word.push(letter);
                    } else {
                        finish(&mut word, &mut seen);
                        seen.push(letter);
                    }
                }
            }
        }
    }
    finish(&mut word, &mut seen);
    Plain { text: seen, hidden }
}

/// Takes a word over; one that mixes scripts is read as Latin.
fn finish(word: &mut String, seen: &mut String) {
    let has_latin = word.chars().any(|letter| letter.is_ascii_alphabetic());
    if has_latin && !word.is_ascii() {
        seen.extend(word.chars().map(latin));
    } else {
        seen.push_str(word);
    }
    word.clear();
}

fn latin(letter: char) -> char {
    let double = |(doubles, plain): &(&str, &str)| {
        let at = doubles.chars().position(|double| double == letter)?;
        plain.chars().nth(at)
    };
    DOUBLES.iter().find_map(double).unwrap_or(letter)
}
