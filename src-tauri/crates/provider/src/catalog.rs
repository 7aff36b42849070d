//! The services Talaria knows by name: `presets.yaml`. The guide offers them.

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

// The tests below hold that the file can be read; the program itself must start without it.
static PRESETS: LazyLock<Vec<Preset>> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("presets.yaml")).unwrap_or_default());

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

    use super::{environment_keys, preset, presets};
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
    fn keys_in_the_environment_are_found_by_name_alone() {
        let found = environment_keys(|name| name == "DEEPSEEK_API_KEY" || name == "HOME");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].preset, "deepseek");
        assert!(environment_keys(|_| false).is_empty());
    }
}
