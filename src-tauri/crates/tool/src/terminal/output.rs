//! What a command puts out: its beginning and its end, as people read them.

use std::collections::VecDeque;

/// Kept of the beginning, in bytes.
const HEAD: usize = 64 * 1024;
/// Kept of the end, in bytes.
const TAIL: usize = 192 * 1024;

/// The bytes that came, in bounded room.
#[derive(Clone, Debug, Default)]
pub(super) struct Collected {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: usize,
}

impl Collected {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = HEAD.saturating_sub(self.head.len());
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..over);
        self.left_out += over;
    }

    /// The text, with a word on what is missing in the middle.
    pub(super) fn text(&self) -> String {
        let (front, back) = self.tail.as_slices();
        let tail = [front, back].concat();
        if self.left_out == 0 {
            return readable(&[self.head.as_slice(), &tail].concat());
        }
        format!(
            "{}\n[… {} bytes left out …]\n{}",
            readable(&self.head),
            self.left_out,
            readable(&tail)
        )
    }
}

/// The end of a text, of at most so many characters.
pub(super) fn end_of(text: &str, characters: usize) -> String {
    let length = text.chars().count();
    text.chars()
        .skip(length.saturating_sub(characters))
        .collect()
}

/// Bytes as a terminal would leave them on the screen: without colours and cursor moves, and with
/// only the last state of a line that was written over.
pub(super) fn readable(bytes: &[u8]) -> String {
    let text = decoded(bytes);
    let plain = without_escapes(&text);
    let lines = plain.split('\n').map(|line| {
        let line = line.trim_end_matches('\r');
        line.rsplit('\r').next().unwrap_or(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// UTF-8; on Windows else the code page of Chinese systems. What is neither shows as �.
fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) if cfg!(windows) => {
            let (text, _, is_lossy) = encoding_rs::GBK.decode(bytes);
            match is_lossy {
                false => text.into_owned(),
                true => String::from_utf8_lossy(bytes).into_owned(),
            }
        }
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The text without escape sequences and the other control characters but line ends and tabs.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => match characters.next() {
                // A control sequence ends with its first letter or sign from `@` on.
                Some('[') => {
                    let _ = characters.by_ref().find(|next| ('@'..='~').contains(next));
                }
                // A title or a link ends with a bell, or with an escape and a backslash.
                Some(']') => {
                    let end = characters
                        .by_ref()
                        .find(|next| matches!(next, '\u{7}' | '\u{1b}'));
                    if end == Some('\u{1b}') {
                        let _ = characters.next_if_eq(&'\\');
                    }
                }
                _ => {}
            },
            '\u{8}' => drop(plain.pop()),
            '\n' | '\r' | '\t' => plain.push(character),
            other if other.is_control() => {}
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Collected, HEAD, TAIL, readable};

    #[test]
    fn what_stays_on_the_screen_is_what_is_read() {
        let cases: [(&[u8], &str); 7] = [
            (b"plain\n", "plain\n"),
            (b"\x1b[1;31mred\x1b[0m", "red"),
            (b"10%\r50%\r100%\ndone\r\n", "100%\ndone\n"),
            (b"\x1b]0;title\x07text", "text"),
            (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
            (b"ab\x08c\x07", "ac"),
            ("好\u{0}".as_bytes(), "好"),
        ];
        for (bytes, text) in cases {
            assert_eq!(readable(bytes), text);
        }
        assert_eq!(readable(b"a\xffb"), "a\u{fffd}b");
    }

    #[test]
    fn a_flood_keeps_its_beginning_and_its_end() {
        let mut collected = Collected::default();
        collected.push(b"FIRST\n");
        for _ in 0..10_000 {
            collected.push(&[b'x'; 1_000]);
        }
        collected.push(b"\nLAST");
        let text = collected.text();
        assert!(text.starts_with("FIRST") && text.ends_with("LAST"));
        assert!(text.contains("bytes left out") && text.len() < HEAD + TAIL + 200);
    }

    proptest! {
        #[test]
        fn any_bytes_become_text_without_control_characters(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let text = readable(&bytes);
            prop_assert!(!text.chars().any(|it| it.is_control() && !matches!(it, '\n' | '\t')));
        }
    }
}
