//! Where secrets are kept, in the words the settings page shows.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A place secrets can be kept in. The user chooses; there is no silent fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// The operating system's keyring.
    Keyring,
    /// A file under the data root, sealed with a passphrase.
    File,
    /// Memory only: forgotten when the program ends.
    Memory,
}

/// What the user chooses. The passphrase crosses from the window once and is never kept.
#[derive(Deserialize, TS)]
#[serde(tag = "backend", rename_all = "snake_case")]
pub enum StoreChoice {
    /// Use the keyring.
    Keyring,
    /// Use the sealed file; opens it or makes it.
    File {
        /// What seals it.
        #[ts(type = "string")]
        passphrase: crate::Secret<String>,
    },
    /// Keep secrets for this run only.
    Memory,
}

/// How the active store stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StoreState {
    /// The active backend; none until one works or is chosen.
    pub active: Option<Backend>,
    /// The keyring's name for people, such as "Secret Service" or "Windows Credential Manager".
    pub keyring_name: String,
    /// Why the keyring can't be used, if so.
    pub keyring_problem: Option<KeyringProblem>,
    /// Whether a sealed file exists and waits for its passphrase.
    pub file_locked: bool,
}

/// Why a keyring can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyringProblem {
    /// There is no keyring service.
    Missing,
    /// It is there, but locked, and was not unlocked.
    Locked,
    /// It did not answer in time.
    TimedOut,
    /// What was written could not be read back.
    NotKept,
}

impl Backend {
    /// How the settings file writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keyring => "keyring",
            Self::File => "file",
            Self::Memory => "memory",
        }
    }

    /// The backend of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Keyring, Self::File, Self::Memory]
            .into_iter()
            .find(|known| known.name() == name)
    }
}

impl KeyringProblem {
    /// What is wrong, in plain words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "there is no system keyring",
            Self::Locked => "the system keyring is locked",
            Self::TimedOut => "the system keyring does not answer",
            Self::NotKept => "the system keyring does not keep what is written to it",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Backend, KeyringProblem, StoreChoice};

    #[test]
    fn the_settings_file_and_the_window_write_a_backend_the_same_way() {
        for backend in [Backend::Keyring, Backend::File, Backend::Memory] {
            assert_eq!(Backend::from_name(backend.name()), Some(backend));
            let sent = serde_json::to_string(&backend).unwrap();
            assert_eq!(sent, format!("\"{}\"", backend.name()));
        }
        for unknown in ["", "Keyring", "cloud"] {
            assert_eq!(Backend::from_name(unknown), None);
        }
    }

    #[test]
    fn each_problem_has_words_of_its_own() {
        let words = [
            KeyringProblem::Missing,
            KeyringProblem::Locked,
            KeyringProblem::TimedOut,
            KeyringProblem::NotKept,
        ]
        .map(KeyringProblem::name);
        let different: std::collections::BTreeSet<_> = words.iter().collect();
        assert_eq!(different.len(), words.len());
    }

    #[test]
    fn a_choice_comes_with_its_passphrase() {
        let sent = r#"{"backend":"file","passphrase":"correct horse"}"#;
        let choice: StoreChoice = serde_json::from_str(sent).unwrap();
        let StoreChoice::File { passphrase } = choice else {
            panic!("another place was read");
        };
        assert_eq!(passphrase.expose(), "correct horse");
    }
}
