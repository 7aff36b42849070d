//! Proof Key for Code Exchange: what ties the exchange of a code to the one who began.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::RngCore;
use sha2::{Digest, Sha256};
use talaria_secret::Secret;

/// The only method used; `plain` proves nothing.
pub(super) const METHOD: &str = "S256";

/// A verifier, which stays here until the exchange, and its challenge, which the page gets.
#[derive(Debug)]
pub(super) struct Proof {
    verifier: Secret<String>,
    challenge: String,
}

impl Proof {
    /// A fresh proof.
    pub(super) fn random() -> Self {
        Self::from_verifier(random_token())
    }

    fn from_verifier(verifier: String) -> Self {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        Self {
            verifier: Secret::new(verifier),
            challenge,
        }
    }

    /// What the exchange shows.
    pub(super) fn verifier(&self) -> &str {
        self.verifier.expose()
    }

    /// What the page is told.
    pub(super) fn challenge(&self) -> &str {
        &self.challenge
    }
}

/// 256 random bits, as 43 characters that need no escaping in a URL.
pub(super) fn random_token() -> String {
    let mut bytes = [0_u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Proof, random_token};

    #[test]
    fn the_challenge_is_the_one_of_the_standard() {
        // The example in appendix B of RFC 7636.
        let proof = Proof::from_verifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned());
        assert_eq!(
            proof.challenge(),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn tokens_are_long_plain_and_never_the_same() {
        let (one, two) = (random_token(), random_token());
        assert_ne!(one, two);
        assert_eq!(one.len(), 43);
        assert!(
            one.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        );
    }

    #[test]
    fn the_verifier_is_not_printed() {
        let proof = Proof::from_verifier("a-very-secret-verifier".to_owned());
        assert!(!format!("{proof:?}").contains("a-very-secret-verifier"));
    }
}
