//! How keeping a secret fails.

use talaria_domain::ErrorCode;

use crate::KeyringProblem;

/// A failure of the secret store. Each message can be shown to the user as it is; none holds a
/// secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The keyring can't be used, and no other place was chosen.
    #[error("{}; choose another place for keys, or mend it and try again", .0.name())]
    Keyring(KeyringProblem),
    /// The sealed file waits for its passphrase.
    #[error("the sealed file of keys is locked; enter its passphrase")]
    Locked,
    /// The passphrase does not open the sealed file.
    #[error(
        "this passphrase does not open the sealed file of keys, or the file was changed; try again"
    )]
    WrongPassphrase,
    /// A sealed file needs a passphrase.
    #[error("the passphrase is empty")]
    EmptyPassphrase,
    /// The sealed file was changed or cut.
    #[error("the sealed file of keys is damaged: {0}")]
    Damaged(&'static str),
    /// The sealed file can't be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// A value is longer than the keyring takes. Windows takes 2560 bytes, and stores each letter in
    /// two; a long value is refused rather than kept in parts that could come apart.
    #[error(
        "the key is longer than the system keyring takes ({0} bytes); keep it in the sealed file"
    )]
    TooLong(u32),
    /// A name is not one a secret can have.
    #[error("\"{0}\" can't be the name of a secret")]
    Name(String),
}

impl SecretError {
    /// The code by which front ends know this failure.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Keyring(_) | Self::Locked => ErrorCode::Keyring,
            Self::WrongPassphrase | Self::EmptyPassphrase | Self::TooLong(_) | Self::Name(_) => {
                ErrorCode::InvalidInput
            }
            Self::Damaged(_) | Self::File(_) => ErrorCode::Storage,
        }
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::ErrorCode;

    use super::SecretError;
    use crate::KeyringProblem;

    #[test]
    fn each_failure_has_a_code_and_says_what_to_do() {
        let table = [
            (
                SecretError::Keyring(KeyringProblem::Missing),
                ErrorCode::Keyring,
                "there is no system keyring; choose another place",
            ),
            (
                SecretError::Locked,
                ErrorCode::Keyring,
                "enter its passphrase",
            ),
            (
                SecretError::WrongPassphrase,
                ErrorCode::InvalidInput,
                "try again",
            ),
            (
                SecretError::TooLong(2560),
                ErrorCode::InvalidInput,
                "longer than the system keyring takes",
            ),
            (
                SecretError::Damaged("it can't be read"),
                ErrorCode::Storage,
                "is damaged: it can't be read",
            ),
        ];
        for (error, code, part) in table {
            assert_eq!(error.code(), code);
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
