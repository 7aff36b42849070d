//! What a command would write, where its text alone says so: `echo`, `printf` and decoders.
//!
//! A line that prints another line, or decodes one, is then judged by what comes out.

use std::iter::Peekable;
use std::str::Chars;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::line::Simple;

/// Lenient, as the programs are.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// What it writes to its standard output; none if that can't be told.
pub(super) fn of(command: &Simple) -> Option<String> {
    if command.files.iter().any(|file| file.is_written) {
        return None;
    }
    let are_known = command
        .words
        .iter()
        .all(|word| word.is_known && !word.is_open);
    if !are_known {
        return None;
    }
    let input = command.input.as_deref();
    match command.program().as_str() {
        "echo" | "write-output" => Some(echoed(command)),
        "printf" => printed(command),
        "true" | "false" | ":" => Some(String::new()),
        "cat" | "tee"
            if command
                .operands()
                .next()
                .is_none_or(|word| word.text == "-") =>
        {
            input.map(str::to_owned)
        }
        "base64" if is_decoding(command) => from_base64(input?),
        "base32" if is_decoding(command) => None,
        "openssl" if command.has(&["base64", "enc", "-base64", "-a"]) && command.has(&["-d"]) => {
            from_base64(input?)
        }
        "xxd" if command.has_flag('r') => from_hex(input?),
        "rev" => Some(
            input?
                .lines()
                .map(|line| line.chars().rev().collect::<String>())
                .collect::<Vec<_>>()
                .join("\n"),
        ),
        "tr" => translated(command, input?),
        _ => None,
    }
}

fn is_decoding(command: &Simple) -> bool {
    command.has(&["--decode", "-D", "-di", "-id"]) || command.has_flag('d')
}

/// The text in base64; none if it is none.
pub(crate) fn from_base64(text: &str) -> Option<String> {
    let packed: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    String::from_utf8(LENIENT.decode(packed).ok()?).ok()
}

/// A PowerShell command in base64: each letter takes two bytes.
pub(super) fn from_wide_base64(text: &str) -> Option<String> {
    let bytes = LENIENT.decode(text.trim()).ok()?;
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .filter_map(|pair| Some(u16::from_le_bytes([*pair.first()?, *pair.get(1)?])))
        .collect();
    String::from_utf16(&units).ok()
}

fn from_hex(text: &str) -> Option<String> {
    let digits: Vec<u32> = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .map(|letter| letter.to_digit(16))
        .collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits
        .chunks_exact(2)
        .filter_map(|pair| u8::try_from(pair.first()? * 16 + pair.get(1)?).ok())
        .collect();
    String::from_utf8(bytes).ok()
}

fn echoed(command: &Simple) -> String {
    let is_option = |text: &str| {
        text.strip_prefix('-').is_some_and(|flags| {
            !flags.is_empty() && flags.chars().all(|flag| "neE".contains(flag))
        })
    };
    let options = command
        .arguments()
        .iter()
        .take_while(|word| is_option(&word.text));
    let opens_escapes = options.clone().any(|word| word.text.contains('e'));
    let skipped = options.count();
    let rest: Vec<&str> = command
        .arguments()
        .iter()
        .skip(skipped)
        .map(|word| word.text.as_str())
        .collect();
    let text = rest.join(" ");
    if opens_escapes {
        unescaped(&text)
    } else {
        text
    }
}

fn printed(command: &Simple) -> Option<String> {
    let mut arguments = command.arguments().iter().map(|word| word.text.as_str());
    let form = arguments.find(|text| *text != "--")?;
    if form == "-v" {
        return None;
    }
    let form = unescaped(form);
    let rest: Vec<&str> = arguments.collect();
    let mut text = String::new();
    let mut given = rest.iter();
    loop {
        let mut used = false;
        let mut letters = form.chars();
        while let Some(letter) = letters.next() {
            if letter != '%' {
                text.push(letter);
                continue;
            }
            match letters.next()? {
                '%' => text.push('%'),
                's' => {
                    used = true;
                    text.push_str(given.next().copied().unwrap_or_default());
                }
                'b' => {
                    used = true;
                    text.push_str(&unescaped(given.next().copied().unwrap_or_default()));
                }
                'c' => {
                    used = true;
                    text.extend(given.next().and_then(|word| word.chars().next()));
                }
                // A number's form is not followed.
                _ => return None,
            }
        }
        if !used || given.len() == 0 {
            return Some(text);
        }
    }
}

/// Backslash escapes as `echo -e` and `printf` know them.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut buffer = [0; 4];
    while let Some(letter) = letters.next() {
        let escaped = match letter {
            '\\' => letters.next(),
            other => {
                bytes.extend_from_slice(other.encode_utf8(&mut buffer).as_bytes());
                continue;
            }
        };
        match escaped {
            Some('n') => bytes.push(b'\n'),
            Some('t') => bytes.push(b'\t'),
            Some('r') => bytes.push(b'\r'),
            Some('x') => bytes.push(numbered(&mut letters, 16, 2, 0)),
            Some(digit @ '0'..='7') => {
                let first = digit.to_digit(8).unwrap_or(0);
                bytes.push(numbered(
                    &mut letters,
                    8,
                    if first == 0 { 3 } else { 2 },
                    first,
                ));
            }
            Some(other) => bytes.extend_from_slice(other.encode_utf8(&mut buffer).as_bytes()),
            None => bytes.push(b'\\'),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn numbered(letters: &mut Peekable<Chars<'_>>, base: u32, most: usize, first: u32) -> u8 {
    let mut number = first;
    for _ in 0..most {
        let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(base)) else {
            break;
        };
        letters.next();
        number = number * base + digit;
    }
    u8::try_from(number & 0xff).unwrap_or(0)
}

/// `tr -d LETTERS` and `tr FROM TO`.
fn translated(command: &Simple, input: &str) -> Option<String> {
    let operands: Vec<Vec<char>> = command
        .operands()
        .map(|word| letters_of(&word.text))
        .collect();
    match operands.as_slice() {
        [from] if command.has_flag('d') => Some(
            input
                .chars()
                .filter(|letter| !from.contains(letter))
                .collect(),
        ),
        [from, to] => {
            let last = to.last()?;
            let other = |letter: char| {
                let at = from.iter().position(|known| *known == letter);
                at.map_or(letter, |at| *to.get(at).unwrap_or(last))
            };
            Some(input.chars().map(other).collect())
        }
        _ => None,
    }
}

/// The letters that `a-z` and its like stand for.
fn letters_of(set: &str) -> Vec<char> {
    let text = unescaped(set);
    let given: Vec<char> = text.chars().collect();
    let mut letters = Vec::new();
    let mut at = 0;
    while let Some(letter) = given.get(at) {
        match (given.get(at + 1), given.get(at + 2)) {
            (Some('-'), Some(end)) if u32::from(*end).saturating_sub(u32::from(*letter)) < 1024 => {
                letters.extend(*letter..=*end);
                at += 3;
            }
            _ => {
                letters.push(*letter);
                at += 1;
            }
        }
    }
    letters
}
