//! A note's path inside the notes folder. Every path from outside is parsed into one before a
//! file is touched; the folder's capability is the second wall behind it.

use std::fmt;

use crate::NoteError;
use crate::file_name::is_reserved;

const MAX_BYTES: usize = 1024;

/// A relative path with `/` that ends in `.md` and names nothing hidden.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NotePath(String);

impl NotePath {
    /// Reads a path that came from outside.
    ///
    /// # Errors
    /// [`NoteError::Path`] if it is not one of a note.
    pub fn parse(given: &str) -> Result<Self, NoteError> {
        match fault(given) {
            None => Ok(Self(given.to_owned())),
            Some(reason) => Err(NoteError::Path {
                given: given.chars().take(120).collect(),
                reason,
            }),
        }
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder the note is in, empty for the notes folder itself.
    pub(crate) fn parent(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(parent, _)| parent)
    }

    pub(crate) fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// The file's name without its ending.
    pub(crate) fn stem(&self) -> &str {
        let name = self.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Another file in the same folder.
    pub(crate) fn beside(&self, file_name: &str) -> Result<Self, NoteError> {
        match self.parent() {
            "" => Self::parse(file_name),
            parent => Self::parse(&format!("{parent}/{file_name}")),
        }
    }
}

impl fmt::Display for NotePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What keeps `given` from being a note's path.
fn fault(given: &str) -> Option<&'static str> {
    if given.is_empty() {
        return Some("it is empty");
    }
    if given.len() > MAX_BYTES {
        return Some("it is too long");
    }
    if given.chars().any(char::is_control) {
        return Some("it has control characters");
    }
    if given.contains('\\') {
        return Some("its separator must be /");
    }
    if given.starts_with('/') || given.get(1..2) == Some(":") {
        return Some("it must be relative to the notes folder");
    }
    let Some((stem, ending)) = given.rsplit_once('.') else {
        return Some("it must end in .md");
    };
    if !ending.eq_ignore_ascii_case("md") || stem.is_empty() || stem.ends_with('/') {
        return Some("it must end in .md");
    }
    given.split('/').find_map(|segment| match segment {
        "" => Some("it has an empty part"),
        ".." => Some("it must not leave the notes folder"),
        hidden if hidden.starts_with('.') => Some("it names something hidden"),
        device if is_reserved(device) => Some("it has a name that Windows keeps for a device"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::NotePath;

    #[test]
    fn a_path_inside_the_folder_is_accepted() {
        for path in [
            "a.md",
            "旅行/京都.md",
            "a b/c.d.md",
            "READ.MD",
            "console.md",
            "at 9:30.md",
        ] {
            assert!(NotePath::parse(path).is_ok(), "{path}");
        }
    }

    #[test]
    fn a_path_that_leaves_or_hides_is_refused() {
        let refused = [
            "",
            "..",
            "../a.md",
            "a/../../b.md",
            "a/../b.md",
            "/etc/a.md",
            "\\a.md",
            "a\\b.md",
            "C:/a.md",
            "C:a.md",
            ".a.md",
            ".talaria/history/a.md",
            "a/.git/b.md",
            "./a.md",
            "a//b.md",
            "a/",
            "a",
            "a.txt",
            ".md",
            "a/.md",
            "a\0.md",
            "a\n.md",
            "con.md",
            "x/NUL.md",
            "com1.md",
            "lpt¹.md",
            "CON/a.md",
            "a.md/",
        ];
        for path in refused {
            assert!(NotePath::parse(path).is_err(), "{path:?}");
        }
        assert!(NotePath::parse(&format!("{}.md", "a".repeat(2000))).is_err());
    }

    #[test]
    fn the_parts_of_a_path_are_its_folder_name_and_stem() {
        let path = NotePath::parse("x/y/z.1.md").unwrap();
        assert_eq!(
            (path.parent(), path.file_name(), path.stem()),
            ("x/y", "z.1.md", "z.1")
        );
        assert_eq!(path.beside("q.md").unwrap().as_str(), "x/y/q.md");
    }

    proptest! {
        #[test]
        fn an_accepted_path_never_climbs(text in "[./\\\\a:é\0-]{0,12}(\\.md)?") {
            if let Ok(path) = NotePath::parse(&text) {
                prop_assert!(path.as_str().split('/').all(|part| !part.starts_with('.') && !part.is_empty()));
            }
        }
    }
}
