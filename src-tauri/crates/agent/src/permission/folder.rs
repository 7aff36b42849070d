//! Which folders can be granted to a session at all.

use talaria_domain::{Folder, FolderAccess};

use super::forbidden::{Ban, Touch, ban};
use super::place::{Ground, Place};

/// Folders that hold the system: to be looked into at most, and then by name.
const SYSTEM: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "proc",
    "run",
    "sbin",
    "sys",
    "usr",
    "var",
    "system",
    "library",
    "windows",
    "program files",
    "program files (x86)",
    "programdata",
];
/// Of those, folders where users work.
const USERS: &[&[&str]] = &[
    &["usr", "local", "src"],
    &["usr", "src"],
    &["usr", "share"],
    &["var", "www"],
    &["var", "folders"],
    &["var", "tmp"],
    &["run", "media"],
    &["run", "user"],
];

/// Says why a folder can't be granted, if it can't: it is the whole computer, the system's, a home
/// folder to be changed, a place of credentials, or Talaria's own.
///
/// # Errors
/// The reason, as a sentence without its end.
pub fn grantable(
    folder: &Folder,
    home: Option<&str>,
    protected: &[String],
) -> Result<(), &'static str> {
    let ground = Ground::default();
    let place = Place::read(&folder.path, ground)?;
    let parts = place.folded();
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    let names = match names.as_slice() {
        [drive, rest @ ..] if drive.ends_with(':') => rest,
        all => all,
    };
    if names.is_empty() {
        return Err("the whole computer can't be granted; choose a folder in it");
    }
    // Where macOS keeps what others have at the root.
    let names = names.strip_prefix(&["private"]).unwrap_or(names);
    let is_users = USERS.iter().any(|users| names.starts_with(users));
    if names.first().is_some_and(|first| SYSTEM.contains(first)) && !is_users {
        return Err("a folder of the system can't be granted");
    }
    let is_all_homes = matches!(names, ["home" | "users"]);
    let is_home = home.and_then(|home| Place::read(home, ground).ok()) == Some(place.clone())
        || matches!(names, ["home" | "users", _] | ["root"]);
    if is_all_homes || is_home && folder.access == FolderAccess::Write {
        return Err("a whole home folder can't be granted for writing; choose a folder in it");
    }
    if protected
        .iter()
        .filter_map(|path| Place::read(path, ground).ok())
        .any(|own| place.may_be_within(&own))
    {
        return Err("Talaria's own folder can't be granted");
    }
    if matches!(ban(&place, Touch::Read), Some(Ban::Forbidden(_))) {
        return Err("a folder that holds keys or credentials can't be granted");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use talaria_domain::{Folder, FolderAccess};

    use super::grantable;

    fn is_grantable(path: &str, access: FolderAccess) -> bool {
        let folder = Folder {
            path: path.to_owned(),
            access,
            trusted: false,
        };
        let own = ["/home/lin/.local/share/talaria".to_owned()];
        grantable(&folder, Some("/home/lin"), &own).is_ok()
    }

    #[test]
    fn folders_where_one_works_can_be_granted() {
        for path in [
            "/home/lin/项目",
            "/home/lin/.local/share",
            "/work",
            "/srv/site",
            "/tmp/x",
            "/Users/lin/Documents",
            "C:\\Users\\lin\\site",
            "D:\\site",
            "/var/www/site",
            "/var/folders/a/b",
            "/private/var/folders/a/b",
            "/mnt/data",
        ] {
            assert!(is_grantable(path, FolderAccess::Write), "{path}");
        }
    }

    #[test]
    fn the_computer_the_system_homes_and_credentials_can_not() {
        for path in [
            "/",
            "C:\\",
            "/etc",
            "/etc/nginx",
            "/usr",
            "/proc/self",
            "/dev/shm",
            "/var",
            "/private/etc",
            "/System/Library",
            "C:\\Windows",
            "C:\\Program Files\\x",
            "/home",
            "/Users",
            "/home/lin",
            "/root",
            "/home/anna",
            "/home/lin/.ssh",
            "/home/lin/.gnupg/x",
            "/home/lin/.local/share/talaria",
            "/home/lin/.local/share/Talaria/notes",
            "/home/lin/../..",
            "file://host/x",
        ] {
            assert!(!is_grantable(path, FolderAccess::Write), "{path}");
        }
        assert!(is_grantable("/home/lin", FolderAccess::Read));
        assert!(!is_grantable("/home", FolderAccess::Read));
    }
}
