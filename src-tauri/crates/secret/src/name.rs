//! The name a secret is kept under.

use crate::SecretError;

/// A name such as `service:openai`: 1 to 120 of `a-z`, `0-9`, `-`, `_` and `:`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretName(String);

impl SecretName {
    /// Takes a name.
    ///
    /// # Errors
    /// If it has another form.
    pub fn new(text: &str) -> Result<Self, SecretError> {
        let known = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b':');
        if (1..=120).contains(&text.len()) && text.bytes().all(known) {
            Ok(Self(text.to_owned()))
        } else {
            Err(SecretError::Name(text.chars().take(60).collect()))
        }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::SecretName;

    #[test]
    fn a_name_has_a_narrow_alphabet() {
        assert!(SecretName::new("service:open-router_2").is_ok());
        for bad in ["", "Service:x", "a b", "a/b", "密钥", &"a".repeat(121)] {
            assert!(SecretName::new(bad).is_err(), "{bad}");
        }
    }
}
