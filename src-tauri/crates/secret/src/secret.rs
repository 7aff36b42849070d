//! `Secret<T>`: a value that cannot be printed, serialised or compared by accident.

use serde::{Deserialize, Deserializer};
use zeroize::Zeroize;

/// A secret value. It has no `Serialize`, no `Display`, and its `Debug` says nothing; reading it
/// takes the word `expose`, so that each place that does is easy to find. Wiped when dropped.
///
/// ```compile_fail,E0277
/// let secret = talaria_secret::Secret::new(String::from("sk-1"));
/// let _ = serde_json::to_string(&secret);
/// ```
#[derive(Clone)]
pub struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    /// Takes a value into keeping.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, for the one call that needs it.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<T: Zeroize> std::fmt::Debug for Secret<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("[secret]")
    }
}

impl<'de, T: Zeroize + Deserialize<'de>> Deserialize<'de> for Secret<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn its_debug_says_nothing() {
        assert_eq!(format!("{:?}", Secret::new("sk-1".to_owned())), "[secret]");
    }
}
