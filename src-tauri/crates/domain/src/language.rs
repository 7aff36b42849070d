//! The two languages of the interface, which are equals.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A language Talaria speaks to its user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    Chinese,
}

impl Language {
    /// The language meant by a locale name such as `zh_CN.UTF-8`, `zh-Hans` or `de-DE`.
    #[must_use]
    pub fn from_locale(locale: &str) -> Self {
        if locale
            .get(..2)
            .is_some_and(|start| start.eq_ignore_ascii_case("zh"))
        {
            Self::Chinese
        } else {
            Self::English
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn any_chinese_locale_means_chinese_and_any_other_english() {
        for locale in ["zh", "zh_CN.UTF-8", "zh-Hans-CN", "ZH_TW"] {
            assert_eq!(Language::from_locale(locale), Language::Chinese, "{locale}");
        }
        for locale in ["", "C", "en_GB.UTF-8", "de-DE", "语"] {
            assert_eq!(Language::from_locale(locale), Language::English, "{locale}");
        }
    }
}
