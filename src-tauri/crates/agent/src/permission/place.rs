//! Where a path leads, told from its text alone.
//!
//! Whatever a path can be dressed up as (`~`, `..`, `file://`, `%USERPROFILE%`, backslashes, trailing
//! dots, wide letters) is undone first. Links are not followed here: tools give paths without them,
//! and the sandbox holds commands.

use talaria_domain::{Folder, FolderAccess};
use unicode_normalization::UnicodeNormalization;

/// No system takes longer paths.
const LONGEST: usize = 4096;

/// What a reader of paths knows of the computer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ground<'a> {
    /// Where a relative path begins.
    pub(super) folder: &'a str,
    /// The user's home.
    pub(super) home: Option<&'a str>,
}

/// What makes a path one that can't be judged, in a few English words.
pub(super) type Odd = &'static str;

/// An absolute path without `.` and `..`, its parts as they are compared with the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    parts: Vec<String>,
}

impl Place {
    /// Reads a path as a shell, a browser or a Windows program might.
    pub(super) fn read(text: &str, ground: Ground<'_>) -> Result<Self, Odd> {
        if text.len() > LONGEST {
            return Err("a path that is too long");
        }
        if text.chars().any(char::is_control) {
            return Err("a path with control characters");
        }
        if hides_something(text) {
            return Err("a path with invisible characters");
        }
        let plain = without_scheme(text)?;
        let plain = plain.replace('\\', "/");
        if (text.starts_with("\\\\") && !text.starts_with("\\\\?\\"))
            || plain.starts_with("//?/UNC/")
        {
            return Err("a path on another computer");
        }
        let plain = plain.strip_prefix("//?/").unwrap_or(&plain);
        let whole = rooted(plain, ground)?;
        Ok(Self {
            parts: resolved(&whole),
        })
    }

    /// The parts, from the root down.
    pub(super) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The parts as they are compared with tables of names: case and width make no difference.
    pub(super) fn folded(&self) -> Vec<String> {
        let fold = |part: &String| part.nfkc().flat_map(char::to_lowercase).collect();
        self.parts.iter().map(fold).collect()
    }

    /// Whether it is this folder or lies in it. Wide letters and case count as different here.
    pub(super) fn is_within(&self, folder: &Self) -> bool {
        self.parts.starts_with(&folder.parts)
    }

    /// The same without regard to case, for what must be kept from.
    pub(super) fn may_be_within(&self, folder: &Self) -> bool {
        self.folded().starts_with(&folder.folded())
    }

    /// The most that the granted folders let be done here.
    pub(super) fn granted(&self, folders: &[Folder]) -> Option<FolderAccess> {
        let ground = Ground::default();
        let holding = folders.iter().filter(|folder| {
            Self::read(&folder.path, ground).is_ok_and(|folder| self.is_within(&folder))
        });
        holding.map(|folder| folder.access).max()
    }

    /// How deep it lies.
    pub(super) fn depth(&self) -> usize {
        self.parts.len()
    }

    /// The path, written with slashes.
    pub(super) fn text(&self) -> String {
        match self.parts.first() {
            Some(drive) if is_drive(drive) => self.parts.join("/"),
            _ => format!("/{}", self.parts.join("/")),
        }
    }
}

/// A character that shows nothing and can hide a word from its reader.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{180E}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}'
        | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{E0000}'..='\u{E007F}')
}

/// Whether a text has characters that show nothing, apart from those that join the letters of some
/// scripts and the parts of some pictures.
pub(super) fn hides_something(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    letters.iter().enumerate().any(|(at, letter)| {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let joins = matches!(letter, '\u{200C}' | '\u{200D}')
            && before.is_some_and(|it| *it >= '\u{0600}' && !is_invisible(*it));
        let is_flag = |it: &&char| matches!(**it, '\u{E0000}'..='\u{E007F}');
        let flags = is_flag(&letter) && {
            let behind = letters.iter().take(at).rev().find(|it| !is_flag(it));
            behind == Some(&'\u{1F3F4}')
        };
        is_invisible(*letter) && !joins && !flags
    })
}

fn is_drive(part: &str) -> bool {
    let mut letters = part.chars();
    matches!(
        (letters.next(), letters.next(), letters.next()),
        (Some(letter), Some(':'), None) if letter.is_ascii_alphabetic()
    )
}

fn without_scheme(text: &str) -> Result<String, Odd> {
    let Some(rest) = strip_prefix_ignoring_case(text, "file:") else {
        return Ok(text.to_owned());
    };
    let path = match rest.strip_prefix("//") {
        Some(rest) if rest.starts_with('/') => rest,
        Some(rest) => match strip_prefix_ignoring_case(rest, "localhost/") {
            Some(_) => rest.get("localhost".len()..).unwrap_or(rest),
            None => return Err("a path on another computer"),
        },
        None => rest,
    };
    unescaped(path).ok_or("a path with broken escapes")
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(tail)
}

/// Undoes `%2e` and its like.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains('\0'))
}

/// The names under which a shell knows the home folder.
const HOMES: &[&str] = &[
    "~",
    "$home",
    "${home}",
    "%userprofile%",
    "%homepath%",
    "%home%",
    "$env:userprofile",
    "$env:home",
    "%homedrive%%homepath%",
];
/// Folders in the home that Windows has names for.
const HOME_FOLDERS: &[(&str, &str)] = &[
    ("%appdata%", "AppData/Roaming"),
    ("$env:appdata", "AppData/Roaming"),
    ("%localappdata%", "AppData/Local"),
    ("$env:localappdata", "AppData/Local"),
];

fn rooted(path: &str, ground: Ground<'_>) -> Result<String, Odd> {
    let home = || ground.home.unwrap_or("/home/~").replace('\\', "/");
    let (head, rest) = match path.find('/') {
        Some(at) => path.split_at(at),
        None => (path, ""),
    };
    let lower = head.to_lowercase();
    if HOMES.contains(&lower.as_str()) {
        return Ok(format!("{}{rest}", home()));
    }
    if let Some((_, folder)) = HOME_FOLDERS.iter().find(|(name, _)| *name == lower) {
        return Ok(format!("{}/{folder}{rest}", home()));
    }
    if head == "~+" {
        return Ok(format!("{}{rest}", ground.folder));
    }
    if let Some(user) = head.strip_prefix('~').filter(|user| !user.is_empty()) {
        let of_name = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
        if user.chars().all(of_name) {
            return Ok(match user {
                "root" => format!("/root{rest}"),
                _ => format!("/home/{user}{rest}"),
            });
        }
    }
    if head.starts_with('%') && head.len() > 2 && head.ends_with('%') || lower.starts_with("$env:")
    {
        return Err("a path that begins with a variable");
    }
    if path.starts_with('/') || is_drive(head) {
        return Ok(path.to_owned());
    }
    Ok(format!("{}/{path}", ground.folder.replace('\\', "/")))
}

fn resolved(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('/') {
        // Windows drops trailing dots and blanks, and what follows a colon is a stream of the file.
        let trimmed = part.trim_end_matches(['.', ' ']);
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ if trimmed.is_empty() => {
                // `...` and ` ` are names on one system and nothing on another.
                if part.trim_end() == ".." {
                    parts.pop();
                }
            }
            _ if is_drive(part) => parts.push(part.to_lowercase()),
            _ => {
                let name = match trimmed.to_lowercase().find("::$") {
                    Some(at) => trimmed.get(..at).unwrap_or(trimmed),
                    None => trimmed,
                };
                parts.push(name.to_owned());
            }
        }
    }
    parts
}

/// Whether a name fits a pattern in which `*` stands for any letters and `?` for one.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut with) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(with) {
            Some('*') => {
                star = Some((with, at));
                with += 1;
            }
            Some(letter) if *letter == '?' || name.get(at) == Some(letter) => {
                at += 1;
                with += 1;
            }
            _ => match star {
                Some((before, from)) => {
                    star = Some((before, from + 1));
                    with = before + 1;
                    at = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(with).all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::{Ground, Place, fits, hides_something};

    fn read(text: &str) -> Result<String, &'static str> {
        let ground = Ground {
            folder: "/work/site",
            home: Some("/home/lin"),
        };
        Place::read(text, ground).map(|place| place.text())
    }

    #[test]
    fn a_path_is_read_as_any_program_might() {
        let table = [
            ("a/b", "/work/site/a/b"),
            ("./a/../b", "/work/site/b"),
            ("../../..", "/"),
            ("/a//b/./c/", "/a/b/c"),
            ("~", "/home/lin"),
            ("~/a", "/home/lin/a"),
            ("~anna/a", "/home/anna/a"),
            ("~root/a", "/root/a"),
            ("$HOME/a", "/home/lin/a"),
            ("%UserProfile%\\a", "/home/lin/a"),
            ("$env:APPDATA\\a", "/home/lin/AppData/Roaming/a"),
            ("file:///a/%62", "/a/b"),
            ("file://localhost/a", "/a"),
            ("C:\\a\\..\\b", "c:/b"),
            ("\\\\?\\C:\\a", "c:/a"),
            ("a. /b..", "/work/site/a/b"),
            ("a::$DATA", "/work/site/a"),
            ("数据/报告.md", "/work/site/数据/报告.md"),
        ];
        for (text, path) in table {
            assert_eq!(read(text).as_deref(), Ok(path), "{text}");
        }
    }

    #[test]
    fn what_is_no_plain_path_is_said_to_be_odd() {
        for text in [
            "a\0b",
            "a\nb",
            "a\u{200b}b",
            "\\\\server\\share",
            "file://server/a",
            "file:///%zz",
            "%OTHER%\\a",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read(&"a".repeat(5000)).is_err());
    }

    #[test]
    fn a_pattern_fits_names_and_takes_its_time_with_none() {
        let table = [
            ("*", "", true),
            ("*.md", "a.md", true),
            ("*.md", "a.txt", false),
            ("a?c", "a文c", true),
            ("a*b*c", "a--b--c", true),
            ("a*b*c", "a--c--b", false),
            ("", "a", false),
        ];
        for (pattern, name, wanted) in table {
            assert_eq!(fits(pattern, name), wanted, "{pattern} {name}");
        }
        assert!(!fits(&"*a".repeat(200), &"b".repeat(2000)));
    }

    #[test]
    fn letters_that_join_others_hide_nothing() {
        for text in ["👨‍👩‍👧", "می‌خواهم", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "plain"]
        {
            assert!(!hides_something(text), "{text}");
        }
        for text in ["r\u{200d}m", "a\u{202e}b", "\u{feff}a", "a\u{e0041}"] {
            assert!(hides_something(text), "{text:?}");
        }
    }
}
