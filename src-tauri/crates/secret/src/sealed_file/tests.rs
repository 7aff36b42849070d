//! What the sealed file keeps, refuses and never replaces.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tempfile::TempDir;

use super::{Envelope, SealedFile};
use crate::{Secret, SecretError, SecretName};

fn phrase(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

fn name() -> SecretName {
    SecretName::new("service:openai").unwrap()
}

#[test]
fn a_value_comes_back_with_the_passphrase_and_only_with_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    let mut file = SealedFile::open(&path, &phrase("correct horse")).unwrap();
    file.set(&name(), phrase("sk-1234567890")).unwrap();

    let again = SealedFile::open(&path, &phrase("correct horse")).unwrap();
    assert_eq!(again.get(&name()).unwrap().expose(), "sk-1234567890");
    let before = fs_err::read(&path).unwrap();
    let wrong = SealedFile::open(&path, &phrase("battery"));
    assert!(matches!(wrong, Err(SecretError::WrongPassphrase)));
    assert_eq!(
        fs_err::read(&path).unwrap(),
        before,
        "a wrong passphrase changes nothing"
    );
    assert!(!String::from_utf8_lossy(&before).contains("sk-1234567890"));
}

#[test]
fn a_deleted_value_is_gone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    let mut file = SealedFile::open(&path, &phrase("p")).unwrap();
    file.set(&name(), phrase("value")).unwrap();
    file.delete(&name()).unwrap();
    assert!(
        SealedFile::open(&path, &phrase("p"))
            .unwrap()
            .get(&name())
            .is_none()
    );
}

#[test]
fn a_changed_byte_is_noticed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    SealedFile::open(&path, &phrase("p"))
        .unwrap()
        .set(&name(), phrase("value"))
        .unwrap();
    let text = fs_err::read_to_string(&path).unwrap();
    let at = text.find("sealed").unwrap() + 12;
    let (start, rest) = text.split_at(at);
    let other = if rest.starts_with('A') { "B" } else { "A" };
    fs_err::write(&path, format!("{start}{other}{}", &rest[1..])).unwrap();
    assert!(SealedFile::open(&path, &phrase("p")).is_err());
    fs_err::write(&path, "{").unwrap();
    let cut = SealedFile::open(&path, &phrase("p"));
    assert!(matches!(cut, Err(SecretError::Damaged(_))));
}

#[test]
fn no_byte_of_what_is_sealed_can_be_changed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    let mut file = SealedFile::open(&path, &phrase("p")).unwrap();
    file.set(&name(), phrase("value")).unwrap();
    let envelope = Envelope::read(&path).unwrap();
    let sealed = STANDARD.decode(&envelope.sealed).unwrap();
    for at in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        let changed = Envelope {
            sealed: STANDARD.encode(changed),
            ..Envelope::read(&path).unwrap()
        };
        assert!(changed.open(&file.key).is_err(), "byte {at}");
    }
    assert!(envelope.open(&file.key).is_ok());
}

#[test]
fn the_same_value_is_never_sealed_the_same_way_twice() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    let mut file = SealedFile::open(&path, &phrase("p")).unwrap();
    file.set(&name(), phrase("value")).unwrap();
    let first = Envelope::read(&path).unwrap();
    file.set(&name(), phrase("value")).unwrap();
    let second = Envelope::read(&path).unwrap();
    assert_ne!(first.nonce, second.nonce);
    assert_ne!(first.sealed, second.sealed);
}

#[test]
fn two_programs_do_not_lose_each_others_values() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    let other = SecretName::new("service:other").unwrap();
    let mut window = SealedFile::open(&path, &phrase("p")).unwrap();
    let mut line = SealedFile::open(&path, &phrase("p")).unwrap();
    window.set(&name(), phrase("from the window")).unwrap();
    line.set(&other, phrase("from the line")).unwrap();
    assert_eq!(line.get(&name()).unwrap().expose(), "from the window");
    window.delete(&name()).unwrap();
    assert_eq!(window.get(&other).unwrap().expose(), "from the line");
}

#[test]
fn a_file_that_was_changed_meanwhile_is_not_replaced() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    let mut file = SealedFile::open(&path, &phrase("p")).unwrap();
    file.set(&name(), phrase("value")).unwrap();
    fs_err::write(&path, "something else").unwrap();
    let refused = file.set(&name(), phrase("new"));
    assert!(matches!(refused, Err(SecretError::Damaged(_))));
    assert_eq!(fs_err::read_to_string(&path).unwrap(), "something else");
    assert_eq!(file.get(&name()).unwrap().expose(), "value");
}

#[test]
fn a_value_that_can_t_be_written_is_not_kept_and_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let home = folder.path().join("home");
    fs_err::create_dir(&home).unwrap();
    let path = home.join("secrets.json");
    let mut file = SealedFile::open(&path, &phrase("p")).unwrap();
    file.set(&name(), phrase("value")).unwrap();
    assert_eq!(fs_err::read_dir(&home).unwrap().count(), 1);
    fs_err::remove_dir_all(&home).unwrap();
    let refused = file.set(&name(), phrase("new"));
    assert!(matches!(refused, Err(SecretError::File(_))));
    assert_eq!(file.get(&name()).unwrap().expose(), "value");
}

#[test]
fn an_envelope_of_another_shape_is_damaged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    for text in [
        "",
        "[]",
        r#"{"format":2,"salt":"","nonce":"","sealed":""}"#,
        r#"{"format":1,"salt":"c2hvcnQ=","nonce":"","sealed":""}"#,
        r#"{"format":1,"salt":"*","nonce":"","sealed":""}"#,
    ] {
        fs_err::write(&path, text).unwrap();
        let opened = SealedFile::open(&path, &phrase("p"));
        assert!(matches!(opened, Err(SecretError::Damaged(_))), "{text}");
        assert_eq!(fs_err::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn an_empty_passphrase_seals_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    assert!(matches!(
        SealedFile::open(&path, &phrase("")),
        Err(SecretError::EmptyPassphrase)
    ));
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secrets.json");
    SealedFile::open(&path, &phrase("p")).unwrap();
    assert_eq!(
        fs_err::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
}
