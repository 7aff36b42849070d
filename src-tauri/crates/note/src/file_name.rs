//! File names made of titles: readable in any language, valid on every system.

use unicode_normalization::UnicodeNormalization;

/// Room for the ending and for a number that tells twins apart, within the 255 bytes that file
/// systems allow; also what stays readable in a list.
const MAX_STEM_BYTES: usize = 120;

/// The file name, without an ending, for a note with this title; None if nothing of the title
/// can be in a name.
#[must_use]
pub fn file_stem(title: &str) -> Option<String> {
    let replaced: String = title.nfc().map(safe).collect();
    let spaced = replaced.split_whitespace().collect::<Vec<_>>().join(" ");
    // A leading dot would hide the file; a trailing one is dropped by Windows.
    let trimmed = spaced
        .trim_start_matches(['.', ' '])
        .trim_end_matches(['.', ' ']);
    let stem = shortened(trimmed, MAX_STEM_BYTES).trim_end_matches(['.', ' ']);
    if !stem.chars().any(char::is_alphanumeric) && stem.is_ascii() {
        return None;
    }
    // A device's name counts with any ending, so the dot must go too.
    Some(if is_reserved(stem) {
        format!("{}-", stem.replace('.', "-"))
    } else {
        stem.to_owned()
    })
}

/// Whether Windows keeps this name, whatever its ending, for a device.
pub(crate) fn is_reserved(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or(name)
        .trim_end_matches(' ')
        .to_uppercase();
    if matches!(
        stem.as_str(),
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$"
    ) {
        return true;
    }
    let number = stem
        .strip_prefix("COM")
        .or_else(|| stem.strip_prefix("LPT"));
    number.is_some_and(|number| {
        matches!(number.chars().next(), Some('0'..='9' | '¹' | '²' | '³'))
            && number.chars().count() == 1
    })
}

/// The first of `stem.md`, `stem 2.md`, … that is not `taken`; names differing only in case are
/// twins, because some systems can't keep both.
pub(crate) fn free_name(stem: &str, taken: &[String]) -> String {
    let taken: Vec<String> = taken.iter().map(|name| twin_key(name)).collect();
    let mut name = format!("{stem}.md");
    let mut number = 2_usize;
    while taken.contains(&twin_key(&name)) {
        name = format!("{stem} {number}.md");
        number += 1;
    }
    name
}

fn twin_key(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// What stands for a character of the title in the name.
fn safe(c: char) -> char {
    match c {
        '/' => '／',
        '\\' => '＼',
        ':' => '：',
        '*' => '＊',
        '?' => '？',
        '"' => '”',
        '<' => '＜',
        '>' => '＞',
        '|' => '｜',
        c if c.is_control() || is_invisible(c) => ' ',
        c => c,
    }
}

/// Marks that change the direction or hide characters, so that a name looks like another.
/// The joiners U+200C and U+200D stay: some scripts and emoji need them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{E000}'..='\u{F8FF}' | '\u{FFF9}'..='\u{FFFF}')
}

fn shortened(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{file_stem, free_name, is_reserved};
    use crate::NotePath;

    #[test]
    fn a_title_becomes_a_readable_safe_name() {
        let table = [
            ("Shopping list", Some("Shopping list")),
            ("  two   spaces ", Some("two spaces")),
            ("京都三日游：计划", Some("京都三日游：计划")),
            ("A/B\\C", Some("A／B＼C")),
            ("What? \"Why\" <now>|*", Some("What？ ”Why” ＜now＞｜＊")),
            ("10:30", Some("10：30")),
            ("../../etc/passwd", Some("／..／etc／passwd")),
            (".hidden", Some("hidden")),
            ("ends with dots...", Some("ends with dots")),
            ("line\nbreak\0nul", Some("line break nul")),
            ("CON", Some("CON-")),
            ("com1", Some("com1-")),
            ("nul.txt", Some("nul-txt-")),
            ("console", Some("console")),
            ("cafe\u{301}", Some("café")),
            ("a\u{202E}b", Some("a b")),
            ("🎉", Some("🎉")),
            ("👩\u{200D}🚀", Some("👩\u{200D}🚀")),
            ("", None),
            (" . ", None),
            ("...", None),
            ("---", None),
        ];
        for (title, stem) in table {
            assert_eq!(file_stem(title).as_deref(), stem, "{title:?}");
        }
    }

    #[test]
    fn a_long_title_is_cut_between_characters() {
        let stem = file_stem(&"长".repeat(300)).unwrap();
        assert_eq!(stem, "长".repeat(40));
    }

    #[test]
    fn twins_get_a_number() {
        let taken = ["Plan.md".to_owned(), "plan 2.MD".to_owned()];
        assert_eq!(free_name("plan", &taken), "plan 3.md");
        assert_eq!(free_name("计划", &taken), "计划.md");
        assert_eq!(
            free_name("café", &["CAFE\u{301}.md".to_owned()]),
            "café 2.md"
        );
    }

    #[test]
    fn device_names_are_known_with_any_ending() {
        for name in ["con", "Con.md", "NUL.tar.gz", "lpt9", "COM³", "aux .md"] {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["com", "com10", "icon", "auxiliary", "nul-"] {
            assert!(!is_reserved(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn every_stem_makes_a_path_of_a_note(title in "\\PC{0,200}|[./\\\\:*?\"<>| \\-\0a-zC0-9]{0,40}") {
            if let Some(stem) = file_stem(&title) {
                let name = free_name(&stem, &[]);
                prop_assert!(stem.len() <= 123);
                prop_assert!(NotePath::parse(&name).is_ok(), "{:?}", name);
                prop_assert!(!name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|']));
            }
        }
    }
}
