//! The secret store as the vault of the terminal.

use async_trait::async_trait;
use talaria_secret::{Secret, SecretStore};
use talaria_tool::Vault;

use crate::secrets::name_of;

/// The secrets that the user put in for commands, as they were when the turn began.
pub(crate) struct StoreVault {
    names: Vec<String>,
    store: SecretStore,
}

impl StoreVault {
    pub(crate) fn new(names: Vec<String>, store: SecretStore) -> Self {
        Self { names, store }
    }
}

#[async_trait]
impl Vault for StoreVault {
    fn names(&self) -> &[String] {
        &self.names
    }

    async fn value(&self, name: &str) -> Option<Secret<String>> {
        let kept = self.store.get(&name_of(name).ok()?).await;
        kept.inspect_err(|error| tracing::warn!(%error, name, "a secret can't be read"))
            .ok()?
    }
}
