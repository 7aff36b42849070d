//! Secrets for commands: their names are a setting, their values are in the secret store.

use talaria_secret::SecretName;

use crate::ApiError;

/// What a secret of this name is kept under.
///
/// # Errors
/// `invalid_input` for what is no name of a variable.
pub(crate) fn name_of(name: &str) -> Result<SecretName, ApiError> {
    let mut characters = name.chars();
    let begins = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let goes_on = characters.all(|next| next.is_ascii_alphanumeric() || next == '_');
    if !begins || !goes_on || name.len() > 100 {
        return Err(ApiError::invalid(
            "a name has letters, digits and _ only, such as GITHUB_TOKEN",
        ));
    }
    SecretName::new(&format!("tool:{}", name.to_ascii_lowercase()))
        .map_err(|error| ApiError::internal(&error))
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn a_secret_has_the_name_of_a_variable() {
        for (name, fits) in [
            ("GITHUB_TOKEN", true),
            ("_x1", true),
            ("", false),
            ("1X", false),
            ("A-B", false),
            ("PATH=x", false),
            ("密钥", false),
        ] {
            assert_eq!(name_of(name).is_ok(), fits, "{name}");
        }
    }
}
