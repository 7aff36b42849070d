//! Why an act is asked in every mode, in the user's language.
//!
//! The permission ladder says it in English, for the model and the trace as well. `words.json` lists
//! what it can say; the command line reads it here, the window's page by itself. A test of the page
//! holds the list to the ladder's own words.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::Language;

/// A variable's name stands before it.
const STARTS: &str = " can change what is started";

// The test below holds that the list can be read; the program itself must start without it.
static CHINESE: LazyLock<HashMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(include_str!("concern/words.json")).unwrap_or_default());

/// What the ladder said, in words of a language; as it is where no other words are known.
#[must_use]
pub fn concern_text(what: &str, language: Language) -> String {
    if language == Language::English {
        return what.to_owned();
    }
    match what.strip_suffix(STARTS) {
        Some(variable) => format!("{variable} 会改变所启动的程序"),
        None => CHINESE.get(what).map_or(what, String::as_str).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{CHINESE, concern_text};
    use crate::Language;

    #[test]
    fn a_chinese_reader_is_told_in_chinese() {
        assert!(CHINESE.len() > 40);
        for (what, chinese) in [
            ("runs as administrator", "以管理员身份运行"),
            (
                "LD_PRELOAD can change what is started",
                "LD_PRELOAD 会改变所启动的程序",
            ),
            ("what nobody has listed", "what nobody has listed"),
        ] {
            assert_eq!(concern_text(what, Language::Chinese), chinese);
            assert_eq!(concern_text(what, Language::English), what);
        }
    }
}
