//! Takes the secrets of this run out of texts that are about to be written.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use crate::Secret;

/// What stands where a secret stood.
const MARK: &str = "[secret]";
/// A shorter value would stand in too many innocent texts.
const SHORTEST: usize = 6;

/// The secret values that this run has seen. Clones share them; the log and the traces ask it.
#[derive(Clone, Default)]
pub struct Redactor {
    known: Arc<RwLock<Vec<Secret<String>>>>,
}

impl Redactor {
    /// Remembers a value.
    pub fn add(&self, secret: &Secret<String>) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let value = secret.expose();
        if value.len() >= SHORTEST && !known.iter().any(|known| known.expose() == value) {
            known.push(secret.clone());
            // A secret that holds another must go first, or its rest would stay.
            known.sort_by_key(|known| std::cmp::Reverse(known.expose().len()));
        }
    }

    /// The text without the values.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut clean = Cow::Borrowed(text);
        for secret in known.iter() {
            if clean.contains(secret.expose().as_str()) {
                clean = Cow::Owned(clean.replace(secret.expose().as_str(), MARK));
            }
        }
        clean.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Redactor, Secret};

    #[test]
    fn a_known_secret_is_taken_out_wherever_it_stands() {
        let redactor = Redactor::default();
        redactor.add(&Secret::new("sk-12345".to_owned()));
        redactor.add(&Secret::new("sk-12345-long".to_owned()));
        assert_eq!(
            redactor.redact("a sk-12345 b \"sk-12345-long\" c"),
            "a [secret] b \"[secret]\" c"
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_keeps_a_known_secret(
            secret in "[A-Za-z0-9-]{6,40}", before in ".{0,20}", after in ".{0,20}",
        ) {
            let redactor = Redactor::default();
            redactor.add(&Secret::new(secret.clone()));
            let clean = redactor.redact(&format!("{before}{secret}{after}"));
            proptest::prop_assert!(!clean.contains(&secret));
            proptest::prop_assert!(clean.contains("[secret]"));
        }
    }

    #[test]
    fn a_short_value_is_left_alone() {
        let redactor = Redactor::default();
        redactor.add(&Secret::new("key".to_owned()));
        assert_eq!(redactor.redact("the key"), "the key");
    }
}
