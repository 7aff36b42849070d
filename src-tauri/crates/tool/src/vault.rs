//! The secrets that a command can be given, by name. `talaria-api` implements it over the keyring.

use async_trait::async_trait;
use talaria_secret::Secret;

/// Named secrets. The model learns the names, a command that was allowed to gets a value, and
/// nobody else does.
#[async_trait]
pub trait Vault: Send + Sync {
    /// The names there are, in an order that never changes within a turn.
    fn names(&self) -> &[String];

    /// The value of a name; none if it can't be read now.
    async fn value(&self, name: &str) -> Option<Secret<String>>;
}
