//! A file of secrets, sealed with a passphrase.
//!
//! The passphrase becomes a key by Argon2id (RFC 9106's second choice: 64 MiB, three passes); the
//! secrets are sealed together with XChaCha20-Poly1305 under a fresh nonce at each write. The file is
//! replaced whole, readable by its user only.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use fs_err as fs;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use crate::{Secret, SecretError, SecretName};

const FORMAT: u32 = 1;
const SALT: usize = 16;
const NONCE: usize = 24;

/// The file as it lies on the disk.
#[derive(Serialize, Deserialize)]
struct Envelope {
    format: u32,
    salt: String,
    nonce: String,
    sealed: String,
}

impl Envelope {
    fn read(path: &Path) -> Result<Self, SecretError> {
        let envelope: Self = serde_json::from_slice(&fs::read(path)?)
            .map_err(|_| SecretError::Damaged("it can't be read"))?;
        if envelope.format == FORMAT {
            Ok(envelope)
        } else {
            Err(SecretError::Damaged("another program wrote it"))
        }
    }

    /// What is sealed. A wrong key and a changed file can't be told apart.
    fn open(&self, key: &[u8; 32]) -> Result<Secrets, SecretError> {
        let nonce = XNonce::from(decode::<NONCE>(&self.nonce)?);
        let sealed = STANDARD
            .decode(&self.sealed)
            .map_err(|_| SecretError::Damaged("it can't be read"))?;
        let plain = XChaCha20Poly1305::new(&Key::from(*key))
            .decrypt(&nonce, sealed.as_slice())
            .map(Zeroizing::new)
            .map_err(|_| SecretError::WrongPassphrase)?;
        serde_json::from_slice(&plain)
            .map_err(|_| SecretError::Damaged("its content can't be read"))
    }
}

type Secrets = BTreeMap<String, Secret<String>>;

/// An opened file: its key and its secrets.
pub(crate) struct SealedFile {
    path: PathBuf,
    salt: [u8; SALT],
    key: Zeroizing<[u8; 32]>,
    secrets: Secrets,
}

impl SealedFile {
    /// Opens the file, or makes it if there is none.
    pub(crate) fn open(path: &Path, passphrase: &Secret<String>) -> Result<Self, SecretError> {
        if passphrase.expose().is_empty() {
            return Err(SecretError::EmptyPassphrase);
        }
        if !path.try_exists()? {
            let salt = rand::random();
            let file = Self {
                path: path.to_owned(),
                salt,
                key: derive(passphrase, &salt)?,
                secrets: BTreeMap::new(),
            };
            file.write()?;
            return Ok(file);
        }
        let envelope = Envelope::read(path)?;
        let salt = decode::<SALT>(&envelope.salt)?;
        let key = derive(passphrase, &salt)?;
        let secrets = envelope.open(&key)?;
        Ok(Self {
            path: path.to_owned(),
            salt,
            key,
            secrets,
        })
    }

    pub(crate) fn get(&self, name: &SecretName) -> Option<Secret<String>> {
        self.secrets.get(name.as_str()).cloned()
    }

    /// Keeps a value; what was there before stays if it can't be written.
    pub(crate) fn set(
        &mut self,
        name: &SecretName,
        value: Secret<String>,
    ) -> Result<(), SecretError> {
        self.change(|secrets| {
            secrets.insert(name.as_str().to_owned(), value);
        })
    }

    pub(crate) fn delete(&mut self, name: &SecretName) -> Result<(), SecretError> {
        self.change(|secrets| {
            secrets.remove(name.as_str());
        })
    }

    /// Changes what the file holds now: another window or the command line may have written it
    /// since it was opened, and a file that does not open is never replaced.
    fn change(&mut self, change: impl FnOnce(&mut Secrets)) -> Result<(), SecretError> {
        let mut secrets = if self.path.try_exists()? {
            self.read_again()?
        } else {
            self.secrets.clone()
        };
        change(&mut secrets);
        let before = std::mem::replace(&mut self.secrets, secrets);
        self.write()
            .and_then(|()| self.compare())
            .inspect_err(|_| self.secrets = before)
    }

    fn read_again(&self) -> Result<Secrets, SecretError> {
        Envelope::read(&self.path)?
            .open(&self.key)
            .map_err(|error| match error {
                SecretError::WrongPassphrase => SecretError::Damaged("it was changed meanwhile"),
                other => other,
            })
    }

    /// Reads back what was written.
    fn compare(&self) -> Result<(), SecretError> {
        let read = self.read_again()?;
        let same = read.len() == self.secrets.len()
            && read
                .iter()
                .zip(&self.secrets)
                .all(|(read, kept)| read.0 == kept.0 && read.1.expose() == kept.1.expose());
        if same {
            Ok(())
        } else {
            Err(SecretError::Damaged("it does not hold what was written"))
        }
    }

    fn write(&self) -> Result<(), SecretError> {
        let values: BTreeMap<&str, &str> = self
            .secrets
            .iter()
            .map(|(name, value)| (name.as_str(), value.expose().as_str()))
            .collect();
        let mut plain =
            serde_json::to_vec(&values).map_err(|_| SecretError::Damaged("it can't be written"))?;
        let nonce: [u8; NONCE] = rand::random();
        let sealed = XChaCha20Poly1305::new(&Key::from(*self.key))
            .encrypt(&XNonce::from(nonce), plain.as_slice());
        plain.zeroize();
        let envelope = Envelope {
            format: FORMAT,
            salt: STANDARD.encode(self.salt),
            nonce: STANDARD.encode(nonce),
            sealed: STANDARD
                .encode(sealed.map_err(|_| SecretError::Damaged("it can't be sealed"))?),
        };
        let text = serde_json::to_vec_pretty(&envelope)
            .map_err(|_| SecretError::Damaged("it can't be written"))?;
        replace(&self.path, &text)
    }
}

fn derive(passphrase: &Secret<String>, salt: &[u8]) -> Result<Zeroizing<[u8; 32]>, SecretError> {
    let mut key = Zeroizing::new([0; 32]);
    Params::new(64 * 1024, 3, 4, None)
        .map(|params| Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
        .and_then(|argon| {
            argon.hash_password_into(passphrase.expose().as_bytes(), salt, key.as_mut_slice())
        })
        .map_err(|_| SecretError::Damaged("no key can be made from the passphrase"))?;
    Ok(key)
}

fn decode<const LENGTH: usize>(text: &str) -> Result<[u8; LENGTH], SecretError> {
    STANDARD
        .decode(text)
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or(SecretError::Damaged("it can't be read"))
}

/// Replaces the file whole, or leaves it as it was.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), SecretError> {
    // A name of its own: a spare file left behind may be readable by others.
    let spare = path.with_extension(format!("{:016x}.new", rand::random::<u64>()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use fs_err::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(&spare)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    written
        .and_then(|()| fs::rename(&spare, path))
        .inspect_err(|_| {
            // The first failure is the one to tell.
            let _ = fs::remove_file(&spare);
        })?;
    Ok(())
}

#[cfg(test)]
mod tests;
