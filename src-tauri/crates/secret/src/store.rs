//! The secret store: one handle over whichever place the user's secrets are in.
//!
//! Nothing is touched before it is needed, so that a run without keys never wakes the keyring. There
//! is no silent fallback: a keyring that can't be used is an error until the user chooses.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::keyring::{self, Keyring};
use crate::sealed_file::SealedFile;
use crate::{
    Backend, KeyringProblem, Redactor, Secret, SecretError, SecretName, StoreChoice, StoreState,
};

/// The store of this run; clones share it.
#[derive(Clone)]
pub struct SecretStore {
    inner: Arc<Inner>,
}

struct Inner {
    file: PathBuf,
    keyring: Keyring,
    redactor: Redactor,
    place: Mutex<Place>,
}

/// Where secrets are kept now.
struct Place {
    /// What the user chose; none means the keyring, if it can be used.
    chosen: Option<Backend>,
    /// What the latest probe found; none: not probed yet.
    keyring: Option<Result<(), KeyringProblem>>,
    /// The sealed file, once it is open. It has a lock of its own, as it is written off the runtime.
    file: Option<Arc<Mutex<SealedFile>>>,
    memory: Vec<(SecretName, Secret<String>)>,
}

impl SecretStore {
    /// The store at `file` (the sealed file, if there is one) with what the settings say was chosen.
    /// An unknown word counts as no choice.
    #[must_use]
    pub fn open(file: PathBuf, chosen: Option<&str>, redactor: Redactor) -> Self {
        let place = Place {
            chosen: chosen.and_then(Backend::from_name),
            keyring: None,
            file: None,
            memory: Vec::new(),
        };
        Self {
            inner: Arc::new(Inner {
                file,
                keyring: Keyring::start(),
                redactor,
                place: Mutex::new(place),
            }),
        }
    }

    /// How it stands. The keyring is probed once in a run.
    pub async fn state(&self) -> StoreState {
        let probed = self.place().keyring;
        match probed {
            Some(_) => self.state_of(&self.place()),
            None => self.probe().await,
        }
    }

    /// How it stands, with the keyring probed again.
    pub async fn probe(&self) -> StoreState {
        // The outcome is told in the state.
        let _ = self.probe_keyring().await;
        self.state_of(&self.place())
    }

    /// Uses another place from now on. Secrets kept elsewhere stay there.
    ///
    /// # Errors
    /// When that place can't be used; then nothing changes.
    pub async fn choose(&self, choice: StoreChoice) -> Result<StoreState, SecretError> {
        match choice {
            StoreChoice::Keyring => {
                self.probe_keyring().await?;
                self.place().chosen = Some(Backend::Keyring);
            }
            StoreChoice::File { passphrase } => {
                let path = self.inner.file.clone();
                let opened = off_the_runtime(move || SealedFile::open(&path, &passphrase)).await?;
                let mut place = self.place();
                place.file = Some(Arc::new(Mutex::new(opened)));
                place.chosen = Some(Backend::File);
            }
            StoreChoice::Memory => self.place().chosen = Some(Backend::Memory),
        }
        Ok(self.state_of(&self.place()))
    }

    /// Keeps a value. In the keyring and in the file it is read back and compared.
    ///
    /// # Errors
    /// When there is no place to keep it, or it was not kept.
    pub async fn set(&self, name: &SecretName, value: Secret<String>) -> Result<(), SecretError> {
        self.inner.redactor.add(&value);
        let chosen = self.place().chosen;
        match chosen {
            None => {
                // What the user never chose must have proven itself in this run.
                self.prove_keyring().await?;
                self.inner.keyring.set(name, value).await
            }
            Some(Backend::Keyring) => self.inner.keyring.set(name, value).await,
            Some(Backend::File) => {
                let name = name.clone();
                self.in_file(move |file| file.set(&name, value)).await
            }
            Some(Backend::Memory) => {
                let mut place = self.place();
                place.memory.retain(|(known, _)| known != name);
                place.memory.push((name.clone(), value));
                Ok(())
            }
        }
    }

    /// The value kept under a name.
    ///
    /// # Errors
    /// When the place can't be asked.
    pub async fn get(&self, name: &SecretName) -> Result<Option<Secret<String>>, SecretError> {
        let chosen = self.place().chosen;
        let value = match chosen {
            None | Some(Backend::Keyring) => {
                let value = self.inner.keyring.get(name).await?;
                if value.is_none() {
                    // A keyring that was never unlocked says of each entry that it is not there.
                    self.prove_keyring().await?;
                }
                value
            }
            Some(Backend::File) => {
                let name = name.clone();
                self.in_file(move |file| Ok(file.get(&name))).await?
            }
            Some(Backend::Memory) => {
                let place = self.place();
                let found = place.memory.iter().find(|(known, _)| known == name);
                found.map(|(_, value)| value.clone())
            }
        };
        if let Some(value) = &value {
            self.inner.redactor.add(value);
        }
        Ok(value)
    }

    /// Forgets the value kept under a name, if there is one.
    ///
    /// # Errors
    /// When the place can't be asked.
    pub async fn delete(&self, name: &SecretName) -> Result<(), SecretError> {
        let chosen = self.place().chosen;
        match chosen {
            None | Some(Backend::Keyring) => self.inner.keyring.delete(name).await,
            Some(Backend::File) => {
                let name = name.clone();
                self.in_file(move |file| file.delete(&name)).await
            }
            Some(Backend::Memory) => {
                self.place().memory.retain(|(known, _)| known != name);
                Ok(())
            }
        }
    }

    /// Never held while the keyring is asked: a user who is asked to unlock it may choose another
    /// place meanwhile.
    fn place(&self) -> MutexGuard<'_, Place> {
        lock(&self.inner.place)
    }

    async fn probe_keyring(&self) -> Result<(), SecretError> {
        let probed = self.inner.keyring.probe().await;
        self.place().keyring = Some(probed);
        probed.map_err(SecretError::Keyring)
    }

    /// Probes the keyring unless the latest probe found it good.
    async fn prove_keyring(&self) -> Result<(), SecretError> {
        let probed = self.place().keyring;
        match probed {
            Some(Ok(())) => Ok(()),
            _ => self.probe_keyring().await,
        }
    }

    async fn in_file<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut SealedFile) -> Result<T, SecretError> + Send + 'static,
    ) -> Result<T, SecretError> {
        let file = self.place().file.clone().ok_or(SecretError::Locked)?;
        off_the_runtime(move || work(&mut lock(&file))).await
    }

    fn state_of(&self, place: &Place) -> StoreState {
        let problem = place.keyring.and_then(Result::err);
        let active = match place.chosen {
            None | Some(Backend::Keyring) => problem.is_none().then_some(Backend::Keyring),
            Some(Backend::File) => place.file.as_ref().map(|_| Backend::File),
            Some(Backend::Memory) => Some(Backend::Memory),
        };
        StoreState {
            active,
            keyring_name: keyring::NAME.to_owned(),
            keyring_problem: problem,
            file_locked: place.file.is_none() && self.inner.file.exists(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Making a key takes a moment of one core, and writing the file waits for the disk.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SecretError> + Send + 'static,
) -> Result<T, SecretError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or(Err(SecretError::Damaged("the work on it was broken off")))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::SecretStore;
    use crate::{Backend, Redactor, Secret, SecretError, SecretName, StoreChoice};

    fn name() -> SecretName {
        SecretName::new("service:openai").unwrap()
    }

    fn secret(text: &str) -> Secret<String> {
        Secret::new(text.to_owned())
    }

    fn store(folder: &TempDir, chosen: Option<&str>) -> SecretStore {
        SecretStore::open(
            folder.path().join("secrets.json"),
            chosen,
            Redactor::default(),
        )
    }

    #[tokio::test]
    async fn memory_keeps_a_value_for_this_run_only() {
        let folder = TempDir::new().unwrap();
        let first = store(&folder, Some("memory"));
        first.set(&name(), secret("value")).await.unwrap();
        assert_eq!(first.get(&name()).await.unwrap().unwrap().expose(), "value");
        first.delete(&name()).await.unwrap();
        assert!(first.get(&name()).await.unwrap().is_none());
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_chosen_file_waits_for_its_passphrase() {
        let folder = TempDir::new().unwrap();
        let first = store(&folder, None);
        let choice = StoreChoice::File {
            passphrase: secret("p"),
        };
        assert_eq!(
            first.choose(choice).await.unwrap().active,
            Some(Backend::File)
        );
        first.set(&name(), secret("value")).await.unwrap();

        let later = store(&folder, Some("file"));
        assert!(matches!(later.get(&name()).await, Err(SecretError::Locked)));
        assert!(matches!(
            later.set(&name(), secret("x")).await,
            Err(SecretError::Locked)
        ));
        let choice = StoreChoice::File {
            passphrase: secret("p"),
        };
        later.choose(choice).await.unwrap();
        assert_eq!(later.get(&name()).await.unwrap().unwrap().expose(), "value");
    }

    #[tokio::test]
    async fn a_wrong_passphrase_leaves_the_choice_as_it_was() {
        let folder = TempDir::new().unwrap();
        store(&folder, None)
            .choose(StoreChoice::File {
                passphrase: secret("p"),
            })
            .await
            .unwrap();
        let later = store(&folder, Some("memory"));
        let wrong = later
            .choose(StoreChoice::File {
                passphrase: secret("q"),
            })
            .await;
        assert!(matches!(wrong, Err(SecretError::WrongPassphrase)));
        later.set(&name(), secret("value")).await.unwrap();
    }

    #[tokio::test]
    async fn an_unknown_word_in_the_settings_is_no_choice_and_opening_touches_nothing() {
        let folder = TempDir::new().unwrap();
        let opened = store(&folder, Some("cloud"));
        assert_eq!(opened.place().chosen, None);
        assert_eq!(opened.place().keyring, None);
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_sealed_file_that_waits_is_told_and_is_not_active() {
        let folder = TempDir::new().unwrap();
        let choice = || StoreChoice::File {
            passphrase: secret("p"),
        };
        store(&folder, None).choose(choice()).await.unwrap();
        let later = store(&folder, Some("file"));
        let waiting = later.state_of(&later.place());
        assert_eq!((waiting.active, waiting.file_locked), (None, true));
        let open = later.choose(choice()).await.unwrap();
        assert_eq!(
            (open.active, open.file_locked),
            (Some(Backend::File), false)
        );
    }

    #[tokio::test]
    async fn a_value_read_from_the_file_is_taken_out_of_logs_too() {
        let folder = TempDir::new().unwrap();
        let choice = || StoreChoice::File {
            passphrase: secret("p"),
        };
        let first = store(&folder, None);
        first.choose(choice()).await.unwrap();
        first.set(&name(), secret("sk-1234567890")).await.unwrap();

        let redactor = Redactor::default();
        let path = folder.path().join("secrets.json");
        let later = SecretStore::open(path, None, redactor.clone());
        later.choose(choice()).await.unwrap();
        later.get(&name()).await.unwrap();
        assert_eq!(redactor.redact("sk-1234567890"), "[secret]");
    }

    #[tokio::test]
    async fn what_is_kept_is_taken_out_of_logs() {
        let folder = TempDir::new().unwrap();
        let redactor = Redactor::default();
        let path = folder.path().join("secrets.json");
        let store = SecretStore::open(path, Some("memory"), redactor.clone());
        store.set(&name(), secret("sk-1234567890")).await.unwrap();
        assert_eq!(redactor.redact("Bearer sk-1234567890"), "Bearer [secret]");
    }
}
