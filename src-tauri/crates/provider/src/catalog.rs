//! The services Talaria knows by name, and the windows of models whose service does not tell them.
//!
//! Both are data: `presets.yaml` and `windows.yaml`. The guide offers the presets; [`crate::prove`]
//! and the turn's budget ask for windows.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Protocol;

/// A service with its address, key page and a sensible model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Preset {
    /// Its id, also the first choice for the configured service's id.
    pub id: String,
    /// Its name in English.
    pub name: String,
    /// Its name in Chinese, where it has one.
    pub name_zh: String,
    /// The address requests go to.
    pub base_url: String,
    /// The protocol it speaks.
    pub protocol: Protocol,
    /// The page where a key is made.
    pub key_page: String,
    /// A sensible model to begin with.
    pub default_model: String,
    /// The variable its users keep their key in.
    pub key_variable: String,
    /// Whether it can be signed in to in the browser.
    pub sign_in: bool,
}

/// A key found in the environment, by its variable's name. The value stays where it is until the
/// user says to use it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EnvironmentKey {
    /// The variable.
    pub variable: String,
    /// The preset it belongs to.
    pub preset: String,
}

/// The window of models whose name begins so.
#[derive(Debug, Deserialize)]
struct Window {
    prefix: String,
    tokens: u64,
}

// The tests below hold that both files can be read; the program itself must start without them.
static PRESETS: LazyLock<Vec<Preset>> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("presets.yaml")).unwrap_or_default());
static WINDOWS: LazyLock<Vec<Window>> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("windows.yaml")).unwrap_or_default());

/// Every service known by name, in the order they are offered.
#[must_use]
pub fn presets() -> &'static [Preset] {
    &PRESETS
}

/// The preset with this id.
#[must_use]
pub fn preset(id: &str) -> Option<&'static Preset> {
    presets().iter().find(|preset| preset.id == id)
}

/// The window of a hosted model in tokens, as far as the bundled table knows it.
///
/// A service that runs on the user's computer sets its own, mostly smaller window: don't ask this
/// table for its models.
#[must_use]
pub fn known_window(model: &str) -> Option<u64> {
    let name = model
        .rsplit('/')
        .next()
        .unwrap_or(model)
        .to_ascii_lowercase();
    WINDOWS
        .iter()
        .filter(|window| name.starts_with(&window.prefix))
        .max_by_key(|window| window.prefix.len())
        .map(|window| window.tokens)
}

/// The keys that lie in the environment. Only whether a variable is set is asked, never its value.
pub fn environment_keys(variable_is_set: impl Fn(&str) -> bool) -> Vec<EnvironmentKey> {
    presets()
        .iter()
        .filter(|preset| variable_is_set(&preset.key_variable))
        .map(|preset| EnvironmentKey {
            variable: preset.key_variable.clone(),
            preset: preset.id.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use talaria_domain::ServiceId;
    use url::Url;

    use super::{WINDOWS, environment_keys, known_window, preset, presets};
    use crate::base_url;

    #[test]
    fn the_services_of_the_guide_are_all_there() {
        for id in [
            "openai",
            "anthropic",
            "gemini",
            "deepseek",
            "moonshot",
            "qwen",
            "zhipu",
            "siliconflow",
            "minimax",
            "volcengine",
            "openrouter",
            "mistral",
            "groq",
            "xai",
        ] {
            assert!(preset(id).is_some(), "{id}");
        }
    }

    #[test]
    fn every_address_is_already_in_the_one_right_form() {
        for preset in presets() {
            let url = base_url(&preset.base_url, preset.protocol).expect(&preset.id);
            assert_eq!(url.as_str(), preset.base_url, "{}", preset.id);
            assert_eq!(url.scheme(), "https", "{}", preset.id);
        }
    }

    #[test]
    fn a_known_host_alone_is_enough_to_find_the_service() {
        for preset in presets() {
            let host = Url::parse(&preset.base_url)
                .expect("a URL")
                .host_str()
                .map(str::to_owned);
            let url = base_url(&host.expect("a host"), preset.protocol).expect(&preset.id);
            assert_eq!(url.as_str(), preset.base_url, "{}", preset.id);
        }
    }

    #[test]
    fn ids_and_variables_are_unique_and_usable() {
        let ids: HashSet<_> = presets().iter().map(|preset| &preset.id).collect();
        let variables: HashSet<_> = presets()
            .iter()
            .map(|preset| &preset.key_variable)
            .collect();
        assert_eq!(ids.len(), presets().len());
        assert_eq!(variables.len(), presets().len());
        for id in ids {
            assert!(id.parse::<ServiceId>().is_ok(), "{id}");
        }
    }

    #[test]
    fn every_field_says_something() {
        for preset in presets() {
            let page = Url::parse(&preset.key_page).expect(&preset.id);
            assert_eq!(page.scheme(), "https", "{}", preset.id);
            for text in [
                &preset.name,
                &preset.name_zh,
                &preset.default_model,
                &preset.key_variable,
            ] {
                assert!(!text.trim().is_empty(), "{}", preset.id);
            }
        }
    }

    #[test]
    fn the_window_of_every_default_model_is_known() {
        for preset in presets() {
            assert!(
                known_window(&preset.default_model).is_some(),
                "{}",
                preset.default_model
            );
        }
    }

    #[test]
    fn the_longest_matching_name_decides_on_the_window() {
        for (model, expected) in [
            ("gpt-4o-2024-11-20", Some(128_000)),
            ("gpt-5.4-mini", Some(400_000)),
            ("gpt-5.4", Some(1_050_000)),
            ("claude-sonnet-4-5", Some(200_000)),
            ("claude-sonnet-5-5", Some(1_000_000)),
            ("deepseek-ai/DeepSeek-V3.2", Some(131_072)),
            ("openai/gpt-oss-120b", Some(131_072)),
            ("models/gemini-3.6-flash", Some(1_048_576)),
            ("GLM-5.2", Some(1_000_000)),
            ("glm-5.1", Some(202_752)),
            ("a-model-nobody-knows", None),
            ("", None),
        ] {
            assert_eq!(known_window(model), expected, "{model}");
        }
    }

    #[test]
    fn the_table_of_windows_is_sane() {
        let prefixes: HashSet<_> = WINDOWS.iter().map(|window| &window.prefix).collect();
        assert_eq!(prefixes.len(), WINDOWS.len(), "a prefix stands twice");
        for window in WINDOWS.iter() {
            assert_eq!(window.prefix, window.prefix.to_ascii_lowercase());
            assert!(
                (4_096..=4_000_000).contains(&window.tokens),
                "{}",
                window.prefix
            );
        }
    }

    #[test]
    fn keys_in_the_environment_are_found_by_name_alone() {
        let found = environment_keys(|name| name == "DEEPSEEK_API_KEY" || name == "HOME");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].preset, "deepseek");
        assert!(environment_keys(|_| false).is_empty());
    }
}
