//! What the store promises where there is a keyring, and where there is none.

use std::process::Command;
use std::time::{Duration, Instant};

use talaria_secret::{
    Backend, KeyringProblem, Redactor, Secret, SecretError, SecretName, SecretStore, StoreChoice,
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

#[test]
fn a_keyring_that_nobody_unlocked_is_a_problem_and_not_an_empty_answer() {
    let test = "keyring::a_keyring_that_nobody_unlocked_is_a_problem_and_not_an_empty_answer";
    if !inside(test, &Behind::LockedKeyring) {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let begun = Instant::now();
        let store = store();
        assert!(store.state().await.keyring_problem.is_some());
        let refused = store.set(&name(), Secret::new("sk-value".to_owned())).await;
        assert!(matches!(refused, Err(SecretError::Keyring(_))));
        let refused = store.get(&name()).await;
        assert!(matches!(refused, Err(SecretError::Keyring(_))));
        // Whoever can't use it chooses another place and goes on.
        let state = store.choose(StoreChoice::Memory).await.unwrap();
        assert_eq!(state.active, Some(Backend::Memory));
        store
            .set(&name(), Secret::new("sk-value".to_owned()))
            .await
            .unwrap();
        assert!(begun.elapsed() < Duration::from_secs(20));
    });
}

#[test]
fn a_keyring_that_was_started_again_is_found_again() {
    let test = "keyring::a_keyring_that_was_started_again_is_found_again";
    if !inside(test, &Behind::UnlockedKeyring) {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = store();
        store
            .set(&name(), Secret::new("sk-value".to_owned()))
            .await
            .unwrap();
        let replaced = Command::new("sh")
            .arg("-c")
            .arg("printf 'test\\n' | gnome-keyring-daemon --replace --unlock --components=secrets >/dev/null 2>&1")
            .status()
            .unwrap();
        assert!(replaced.success());
        let read = store.get(&name()).await.unwrap().unwrap();
        assert_eq!(read.expose(), "sk-value");
    });
}
