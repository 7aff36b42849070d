//! A file's bytes as text and back: its encoding, its mark at the beginning, its line ends.

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};

/// What shows a file to be no text, looked for in so many bytes.
const LOOKED_AT: usize = 8_192;

/// A text, and how it lay on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    /// Lines end in `\n` alone.
    pub(super) text: String,
    pub(super) form: Form,
}

/// How a text lies on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) encoding: &'static Encoding,
    pub(super) has_mark: bool,
    /// Lines end in `\r\n`.
    pub(super) is_crlf: bool,
}

/// The form of a file that is new.
pub(super) const NEW: Form = Form {
    encoding: UTF_8,
    has_mark: false,
    is_crlf: false,
};

/// Why bytes are no text, or a text no bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum TextError {
    #[error("it is not a text file")]
    Binary,
    #[error("its encoding is neither UTF-8, UTF-16 nor GB18030")]
    Encoding,
    #[error("the file is in {0}, which has no sign for some of the new characters")]
    Unwritable(&'static str),
}

/// Reads bytes as text.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, TextError> {
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    let body = bytes.get(mark..).unwrap_or_default();
    let head = body.get(..LOOKED_AT).unwrap_or(body);
    if encoding == UTF_8 && head.contains(&0) {
        return Err(TextError::Binary);
    }
    let read = |encoding: &'static Encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(body)?;
        Some((encoding, text.into_owned()))
    };
    // GB18030 takes nearly any bytes, so it comes last; control characters show that it was wrong.
    let is_chinese = |(_, text): &(_, String)| !text.chars().any(is_stray);
    let (encoding, text) = read(encoding)
        .or_else(|| read(GB18030).filter(is_chinese))
        .ok_or(TextError::Encoding)?;
    let is_crlf = is_crlf(&text);
    Ok(Decoded {
        text: if is_crlf {
            text.replace("\r\n", "\n")
        } else {
            text
        },
        form: Form {
            encoding,
            has_mark: mark > 0,
            is_crlf,
        },
    })
}

/// Writes a text in a file's form.
pub(super) fn encode(text: &str, form: Form) -> Result<Vec<u8>, TextError> {
    let text = match form.is_crlf {
        true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => text.to_owned(),
    };
    let mut bytes = Vec::new();
    if form.encoding == UTF_16LE || form.encoding == UTF_16BE {
        let units = std::iter::once('\u{feff}').filter(|_| form.has_mark);
        let units: String = units.chain(text.chars()).collect();
        for unit in units.encode_utf16() {
            let two = if form.encoding == UTF_16LE {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            };
            bytes.extend(two);
        }
        return Ok(bytes);
    }
    let (body, _, is_lossy) = form.encoding.encode(&text);
    if is_lossy {
        return Err(TextError::Unwritable(form.encoding.name()));
    }
    if form.has_mark {
        bytes.extend("\u{feff}".as_bytes());
    }
    bytes.extend(body.iter());
    Ok(bytes)
}

/// Whether every line ends in `\r\n`: a file of mixed line ends keeps each as it is.
fn is_crlf(text: &str) -> bool {
    let ends = text.matches('\n').count();
    ends > 0 && text.matches("\r\n").count() == ends
}

fn is_stray(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\r' | '\t' | '\u{c}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{NEW, TextError, decode, encode};

    #[test]
    fn a_file_is_read_in_its_own_encoding_and_written_back_the_same() {
        let gbk = encoding_rs::GB18030
            .encode("会议纪要\r\n第二行\r\n")
            .0
            .into_owned();
        let wide: Vec<u8> = "\u{feff}雨 rain\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let cases: [(&[u8], &str); 6] = [
            (b"plain\n", "plain\n"),
            ("雨\r\n雪\r\n".as_bytes(), "雨\n雪\n"),
            (b"mixed\r\nends\n", "mixed\r\nends\n"),
            ("\u{feff}marked".as_bytes(), "marked"),
            (&gbk, "会议纪要\n第二行\n"),
            (&wide, "雨 rain\n"),
        ];
        for (bytes, text) in cases {
            let decoded = decode(bytes).unwrap();
            assert_eq!(decoded.text, text);
            assert_eq!(
                encode(&decoded.text, decoded.form).unwrap(),
                bytes,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_text_is_told_apart() {
        assert_eq!(decode(b"\x7fELF\0\0\x01"), Err(TextError::Binary));
        assert_eq!(decode(b"\xff\x01\x80\x81\xfe"), Err(TextError::Encoding));
    }

    proptest! {
        #[test]
        fn any_text_comes_back_as_it_was(text in "[^\u{0}\u{feff}\r]{0,80}") {
            let bytes = encode(&text, NEW).unwrap();
            prop_assert_eq!(decode(&bytes).unwrap().text, text);
        }
    }
}
