//! Takes a file of the user's in: finds out what it is, and brings it into a form that model
//! services take. Used by the handlers of attachments.
//!
//! What a file is, its bytes say; its name and the sender's word for its type say nothing. A
//! picture is decoded and written anew, so that no place or device that a camera wrote into it
//! leaves the computer, and so that what a service is sent is a picture and nothing else.

mod picture;

/// A file may have so many bytes when it is taken in.
pub(crate) const LARGEST_FILE: usize = 20 * 1024 * 1024;

/// A text may have so many bytes: more would fill most windows.
const LARGEST_TEXT: usize = 512 * 1024;

/// A name is kept so far, in characters.
const LONGEST_NAME: usize = 120;

/// A file as it is kept.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TakenIn {
    pub(crate) name: String,
    pub(crate) media_type: &'static str,
    pub(crate) content: Vec<u8>,
}

/// Why a file can't go with a message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum IntakeError {
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It has too many bytes.
    #[error("the file is larger than 20 MB; send a part of it")]
    TooLarge,
    /// It is a text with too many bytes.
    #[error("the text is larger than 512 KB, too much for a message; send the part that matters")]
    LongText,
    /// It says that it is a picture, and can't be read as one.
    #[error("the picture can't be read: {0}")]
    Picture(String),
    /// It is of a kind that no service takes.
    #[error(
        "this kind of file can't be sent: use a PNG, JPEG, GIF or WebP picture, a PDF, or a text \
         file in UTF-8"
    )]
    Kind,
}

/// Takes a file in. Takes time for a large picture: call it off the runtime.
pub(crate) fn take_in(name: &str, bytes: Vec<u8>) -> Result<TakenIn, IntakeError> {
    if bytes.is_empty() {
        return Err(IntakeError::Empty);
    }
    if bytes.len() > LARGEST_FILE {
        return Err(IntakeError::TooLarge);
    }
    let name = plain_name(name);
    if let Some(format) = picture::format(&bytes) {
        let (media_type, content) = picture::settle(&bytes, format)?;
        return Ok(TakenIn {
            name,
            media_type,
            content,
        });
    }
    if bytes.starts_with(b"%PDF-") {
        return Ok(TakenIn {
            name,
            media_type: "application/pdf",
            content: bytes,
        });
    }
    if !is_text(&bytes) {
        return Err(IntakeError::Kind);
    }
    if bytes.len() > LARGEST_TEXT {
        return Err(IntakeError::LongText);
    }
    let media_type = "text/plain";
    let content = bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .map_or_else(|| bytes.clone(), <[u8]>::to_vec);
    Ok(TakenIn {
        name,
        media_type,
        content,
    })
}

/// UTF-8 without the control characters that only binary files hold.
fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| {
        !text.chars().any(|character| {
            character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{c}' | '\u{1b}')
        })
    })
}

/// The name without folders and control characters, and not endless.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last
        .chars()
        .filter(|character| !character.is_control())
        .take(LONGEST_NAME)
        .collect();
    match plain.trim() {
        "" => "file".to_owned(),
        plain => plain.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{IntakeError, LARGEST_FILE, LARGEST_TEXT, take_in};

    #[test]
    fn the_bytes_say_what_a_file_is() {
        for (name, bytes, media_type) in [
            ("笔记.md", "# 会议\n".as_bytes(), "text/plain"),
            ("a.png", b"just words", "text/plain"),
            ("log", b"\x1b[31mred\x1b[0m\r\n", "text/plain"),
            ("paper.txt", b"%PDF-1.7\n\x00\xff", "application/pdf"),
        ] {
            let taken = take_in(name, bytes.to_vec()).expect(name);
            assert_eq!((taken.name.as_str(), taken.media_type), (name, media_type));
        }
    }

    #[test]
    fn what_no_service_takes_is_refused_with_what_to_do() {
        for (bytes, error) in [
            (Vec::new(), IntakeError::Empty),
            (b"PK\x03\x04\x00\x00".to_vec(), IntakeError::Kind),
            (vec![0xC4, 0xE3, 0xBA, 0xC3], IntakeError::Kind),
            (b"a\0b".to_vec(), IntakeError::Kind),
            (vec![b'a'; LARGEST_TEXT + 1], IntakeError::LongText),
            (vec![b'a'; LARGEST_FILE + 1], IntakeError::TooLarge),
        ] {
            assert_eq!(take_in("f", bytes), Err(error));
        }
    }

    #[test]
    fn a_mark_at_the_start_of_a_text_is_dropped() {
        let taken = take_in("f", b"\xEF\xBB\xBFhello".to_vec()).expect("a text");
        assert_eq!(taken.content, b"hello");
    }

    #[test]
    fn a_name_is_a_name_and_no_path() {
        for (given, kept) in [
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\a\\图.png", "图.png"),
            ("a\nb\u{7}.txt", "ab.txt"),
            ("", "file"),
            ("dir/", "file"),
        ] {
            assert_eq!(take_in(given, b"x".to_vec()).expect("a text").name, kept);
        }
    }
}
