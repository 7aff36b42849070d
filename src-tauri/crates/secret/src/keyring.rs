//! The system keyring, behind one thread of its own.
//!
//! A keyring call can take 100 ms, wait for the user to unlock it, or hang for ever, so none runs on
//! an async thread and each has a time-out. While one hangs, further calls fail at once instead of
//! queueing behind it.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use keyring_core::api::CredentialStoreApi;
use keyring_core::{Entry, Error};
use tokio::sync::oneshot;

use crate::{KeyringProblem, Secret, SecretError, SecretName};

/// The service all entries belong to.
const SERVICE: &str = "Talaria";
/// An entry that only a probe writes.
const PROBE: &str = "probe";
/// A probe asks nobody anything; if it takes longer, the keyring is not to be relied on.
const PROBE_LIMIT: Duration = Duration::from_secs(5);
/// A real call may wait for the user to unlock the keyring.
const CALL_LIMIT: Duration = Duration::from_secs(45);

/// What people call the keyring of this system.
pub(crate) const NAME: &str = if cfg!(target_os = "macos") {
    "Keychain"
} else if cfg!(windows) {
    "Windows Credential Manager"
} else {
    "Secret Service"
};

type Job = Box<dyn FnOnce(&mut Platform) + Send>;

/// The keyring of this system. The thread ends with the last handle.
#[derive(Clone)]
pub(crate) struct Keyring {
    jobs: Sender<Job>,
    running: Running,
}

/// When the running call should have ended; none while no call runs. Only the thread writes it, so
/// a call that ends at the moment its caller gives up can't leave it set.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<Option<Instant>>>);

impl Running {
    fn set(&self, until: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = until;
    }

    /// Whether a call has run for longer than it may.
    fn is_overdue(&self) -> bool {
        let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() >= until)
    }
}

impl Keyring {
    /// Starts the thread; the keyring itself is not touched before the first call.
    pub(crate) fn start() -> Self {
        let (jobs, received) = channel::<Job>();
        let started = std::thread::Builder::new()
            .name("keyring".to_owned())
            .spawn(move || {
                let mut platform = Platform::default();
                for job in received {
                    job(&mut platform);
                }
            });
        if let Err(error) = started {
            tracing::error!(%error, "the keyring has no thread");
        }
        Self {
            jobs,
            running: Running::default(),
        }
    }

    /// Writes a value, reads it back, compares and deletes it.
    pub(crate) async fn probe(&self) -> Result<(), KeyringProblem> {
        let value = Secret::new(format!("{:032x}", rand::random::<u128>()));
        // The window and the command line may probe at the same time.
        let name = format!("{PROBE}:{}", std::process::id());
        let probed = self.run(PROBE_LIMIT, move |platform| {
            platform.call(&name, |entry| {
                let kept = keep(entry, &value);
                // An entry that can't be deleted says nothing but that there was a probe.
                let _ = entry.delete_credential();
                kept
            })
        });
        probed.await.map_err(|fault| match fault {
            Fault::Problem(problem) => problem,
            Fault::TooLong(_) => KeyringProblem::NotKept,
            Fault::Broken => KeyringProblem::Locked,
        })
    }

    /// Keeps a value; it is read back and compared.
    pub(crate) async fn set(
        &self,
        name: &SecretName,
        value: Secret<String>,
    ) -> Result<(), SecretError> {
        let name = name.clone();
        Ok(self
            .run(CALL_LIMIT, move |platform| {
                platform.call(name.as_str(), |entry| keep(entry, &value))
            })
            .await?)
    }

    pub(crate) async fn get(
        &self,
        name: &SecretName,
    ) -> Result<Option<Secret<String>>, SecretError> {
        let name = name.clone();
        let read = self.run(CALL_LIMIT, move |platform| {
            platform.call(name.as_str(), |entry| match entry.get_password() {
                Ok(value) => Ok(Some(Secret::new(value))),
                Err(Error::NoEntry) => Ok(None),
                Err(error) => Err(Fault::of_call(&error)),
            })
        });
        Ok(read.await?)
    }

    pub(crate) async fn delete(&self, name: &SecretName) -> Result<(), SecretError> {
        let name = name.clone();
        let deleted = self.run(CALL_LIMIT, move |platform| {
            platform.call(name.as_str(), |entry| match entry.delete_credential() {
                Ok(()) | Err(Error::NoEntry) => Ok(()),
                Err(error) => Err(Fault::of_call(&error)),
            })
        });
        Ok(deleted.await?)
    }

    async fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&mut Platform) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let timed_out = || Fault::Problem(KeyringProblem::TimedOut);
        let (done, result) = oneshot::channel();
        let running = self.running.clone();
        let job: Job = Box::new(move |platform| {
            // Its caller gave up while it waited for its turn and was told that nothing was done.
            if done.is_closed() {
                return;
            }
            running.set(Some(Instant::now() + limit));
            let came = work(platform);
            running.set(None);
            // Nobody waits any more after a time-out.
            let _ = done.send(came);
        });
        if self.running.is_overdue() {
            return Err(timed_out());
        }
        self.jobs
            .send(job)
            .map_err(|_| Fault::Problem(KeyringProblem::Missing))?;
        match tokio::time::timeout(limit, result).await {
            Ok(Ok(came)) => came,
            Ok(Err(_)) => Err(Fault::Problem(KeyringProblem::Missing)),
            Err(_) => Err(timed_out()),
        }
    }
}

/// How a call failed.
enum Fault {
    Problem(KeyringProblem),
    TooLong(u32),
    /// The keyring refused, or the connection to it is no longer good.
    Broken,
}

impl Fault {
    fn of_call(error: &Error) -> Self {
        match error {
            Error::TooLong(_, limit) => Self::TooLong(*limit),
            Error::NoDefaultStore | Error::NotSupportedByStore(_) => {
                Self::Problem(KeyringProblem::Missing)
            }
            Error::BadEncoding(_)
            | Error::BadDataFormat(..)
            | Error::BadStoreFormat(_)
            | Error::Ambiguous(_)
            | Error::NoEntry => Self::Problem(KeyringProblem::NotKept),
            Error::PlatformFailure(_) => Self::Broken,
            // A keyring that is there and refuses is locked, or its user dismissed the question.
            _ => Self::Problem(KeyringProblem::Locked),
        }
    }
}

impl From<Fault> for SecretError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Problem(problem) => Self::Keyring(problem),
            Fault::TooLong(limit) => Self::TooLong(limit),
            // It was opened afresh and refused again.
            Fault::Broken => Self::Keyring(KeyringProblem::Locked),
        }
    }
}

fn keep(entry: &Entry, value: &Secret<String>) -> Result<(), Fault> {
    entry
        .set_password(value.expose())
        .map_err(|error| Fault::of_call(&error))?;
    match entry.get_password().map(Secret::new) {
        Ok(read) if read.expose() == value.expose() => Ok(()),
        Ok(_) | Err(Error::NoEntry) => Err(Fault::Problem(KeyringProblem::NotKept)),
        Err(error) => Err(Fault::of_call(&error)),
    }
}

/// The store of this system, opened at the first call and again after it could not be opened.
#[derive(Default)]
struct Platform {
    store: Option<Arc<dyn CredentialStoreApi + Send + Sync>>,
}

impl Platform {
    /// Does `work` with an entry. A keyring that was started again knows nothing of the connection
    /// opened before, so a broken one is opened once more.
    fn call<T>(
        &mut self,
        name: &str,
        work: impl Fn(&Entry) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let reused = self.store.is_some();
        let mut came = work(&self.entry(name)?);
        if reused && matches!(came, Err(Fault::Broken)) {
            self.store = None;
            came = work(&self.entry(name)?);
        }
        if matches!(came, Err(Fault::Broken)) {
            self.store = None;
        }
        came
    }

    fn entry(&mut self, name: &str) -> Result<Entry, Fault> {
        let store = match &self.store {
            Some(store) => Arc::clone(store),
            None => {
                let opened = open().map_err(|error| {
                    tracing::info!(%error, "the system keyring can't be opened");
                    Fault::Problem(KeyringProblem::Missing)
                })?;
                Arc::clone(self.store.insert(opened))
            }
        };
        store
            .build(SERVICE, name, None)
            .map_err(|error| Fault::of_call(&error))
    }
}

type Opened = Result<Arc<dyn CredentialStoreApi + Send + Sync>, Error>;

#[cfg(any(target_os = "linux", target_os = "freebsd", target_os = "openbsd"))]
fn open() -> Opened {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

#[cfg(target_os = "macos")]
fn open() -> Opened {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn open() -> Opened {
    Ok(windows_native_keyring_store::Store::new()?)
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "freebsd",
    target_os = "openbsd",
    target_os = "macos",
    windows
)))]
fn open() -> Opened {
    Err(Error::NoDefaultStore)
}

#[cfg(test)]
mod tests;
