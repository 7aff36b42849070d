//! Damage to a recorded body, as a bad line, a bad relay or a bad service would do it. Used by the
//! fuzzer.

use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use crate::recording::Recording;

/// What is thrown in: all that means something to one of the readers.
const WORDS: &[&str] = &[
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "data: ",
    "data:",
    "event: error\n",
    ": wait\n",
    "id: 1\n",
    "[DONE]",
    "\u{feff}",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    ",",
    ":",
    "null",
    "\"\"",
    "{}",
    "0",
    "-1",
    "1e9",
    "\\u0000",
    "\\ud83d",
    "早",
    "🌍",
    "\"error\":{\"message\":\"Overloaded\"},",
    "\"finish_reason\":\"stop\",",
    "\"content\":\"x\",",
    "\"index\":0,",
    "\"id\":\"k9\",",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "```",
    "\"usage\":{\"prompt_tokens\":3},",
    "\"type\":\"message_stop\",",
];

/// Changes a body in one to eight places.
pub(crate) fn damage(dice: &mut StdRng, body: &mut Vec<u8>, others: &[Recording]) {
    for _ in 0..dice.random_range(1..=8) {
        let start = dice.random_range(0..=body.len());
        let end = body.len().min(start + dice.random_range(0..40));
        match dice.random_range(0..8) {
            0 => drop(body.drain(start..end)),
            1 => {
                let again = body[start..end].to_vec();
                body.splice(end..end, again);
            }
            2 => {
                let word = WORDS.choose(dice).unwrap();
                body.splice(start..start, word.bytes());
            }
            3 => {
                let word = WORDS.choose(dice).unwrap();
                body.splice(start..end, word.bytes());
            }
            4 => body.truncate(start),
            5 => {
                let other = &others.choose(dice).unwrap().body;
                let from = dice.random_range(0..=other.len());
                body.splice(start.., other[from..].iter().copied());
            }
            6 => shuffle_lines(dice, body),
            _ => {
                for byte in &mut body[start..end] {
                    *byte = dice.random();
                }
            }
        }
    }
}

fn shuffle_lines(dice: &mut StdRng, body: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = body
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if !lines.is_empty() {
        let (one, other) = (
            dice.random_range(0..lines.len()),
            dice.random_range(0..lines.len()),
        );
        lines.swap(one, other);
    }
    *body = lines.concat();
}
