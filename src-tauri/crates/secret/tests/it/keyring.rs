//! What the store promises where there is a keyring, and where there is none.

use std::time::{Duration, Instant};

use talaria_secret::{
    Backend, KeyringProblem, Redactor, Secret, SecretError, SecretName, SecretStore,
};

use crate::bus::{Behind, inside};

fn store() -> SecretStore {
    let file = std::env::temp_dir().join("talaria-no-such-file.json");
    SecretStore::open(file, None, Redactor::default())
}

fn name() -> SecretName {
    SecretName::new("service:openai").unwrap()
}

#[test]
fn a_key_is_kept_in_the_real_keyring_and_can_be_changed_and_forgotten() {
    let test = "keyring::a_key_is_kept_in_the_real_keyring_and_can_be_changed_and_forgotten";
    if !inside(test, &Behind::UnlockedKeyring) {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        assert_eq!(store().state().await.active, Some(Backend::Keyring));
        for value in ["sk-first", "sk-second-密钥"] {
            store()
                .set(&name(), Secret::new(value.to_owned()))
                .await
                .unwrap();
            // Another handle, as after a restart, reads what this one kept.
            assert_eq!(store().get(&name()).await.unwrap().unwrap().expose(), value);
        }
        store().delete(&name()).await.unwrap();
        assert!(store().get(&name()).await.unwrap().is_none());
        store().delete(&name()).await.unwrap();
    });
}

#[test]
fn without_a_keyring_nothing_is_kept_and_the_reason_is_told_at_once() {
    let test = "keyring::without_a_keyring_nothing_is_kept_and_the_reason_is_told_at_once";
    if !inside(test, &Behind::Nothing) {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let begun = Instant::now();
        let state = store().state().await;
        assert_eq!(state.active, None);
        assert_eq!(state.keyring_problem, Some(KeyringProblem::Missing));
        let refused = store()
            .set(&name(), Secret::new("sk-value".to_owned()))
            .await;
        assert!(matches!(
            refused,
            Err(SecretError::Keyring(KeyringProblem::Missing))
        ));
        assert!(begun.elapsed() < Duration::from_secs(5));
    });
}
