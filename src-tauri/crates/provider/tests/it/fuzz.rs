//! Damaged answers against everything that reads them. Each target runs a few hundred cases in the
//! tests, and for as many seconds as `TALARIA_FUZZ_SECONDS` says with `./dev fuzz`. A case that
//! fails names its seed; `TALARIA_FUZZ_SEED` runs that one again.

use std::env;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use talaria_domain::{FinishReason, ModelEvent};
use tokio::runtime::Runtime;

use crate::damage::damage;
use crate::recording::{Answer, Recording, reading, recordings};

/// How many cases a target runs where no time is given.
const CASES: u64 = 300;

/// One case after the other; tells the seed of the one that fails.
fn run(target: &str, mut case: impl FnMut(&mut StdRng)) {
    let number = |name| {
        env::var(name)
            .ok()
            .and_then(|text: String| text.parse().ok())
    };
    if let Some(seed) = number("TALARIA_FUZZ_SEED") {
        return case(&mut StdRng::seed_from_u64(seed));
    }
    let seconds: Option<u64> = number("TALARIA_FUZZ_SECONDS");
    let first: u64 = seconds.map_or(0, |_| rand::random());
    let begun = Instant::now();
    let mut done = 0;
    while match seconds {
        Some(seconds) => begun.elapsed() < Duration::from_secs(seconds),
        None => done < CASES,
    } {
        let seed = Seed(first.wrapping_add(done));
        case(&mut StdRng::seed_from_u64(seed.0));
        done += 1;
    }
    println!(
        "{target}: {done} cases in {:.1} s",
        begun.elapsed().as_secs_f32()
    );
}

/// The seed of the case that runs.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("Run it again with TALARIA_FUZZ_SEED={}", self.0);
        }
    }
}

/// What must hold of every body whatever: it is read to one end, the same in any pieces, without
/// blowing up, and its calls are fit to run.
fn check(dice: &mut StdRng, reading: &Runtime, recording: &Recording, body: &[u8]) -> Answer {
    let whole = recording.answer(reading, [body]);
    let mut pieces = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.len().min(dice.random_range(1..60)));
        pieces.push(piece);
        rest = behind;
    }
    assert_eq!(
        recording.answer(reading, pieces),
        whole,
        "{}",
        recording.name
    );
    assert!(
        whole.words().len() <= 3 * body.len(),
        "it only says what came"
    );
    let calls = whole.calls();
    if !calls.is_empty() {
        let end = whole.events.last();
        assert_eq!(end, Some(&ModelEvent::Finished(FinishReason::ToolCalls)));
    }
    for (at, call) in calls.iter().enumerate() {
        assert!(!call.name.is_empty(), "a call names its tool");
        assert!(call.arguments.is_object() || call.arguments.is_string());
        assert!(
            calls[..at].iter().all(|before| before.id != call.id),
            "ids differ"
        );
    }
    whole
}

#[test]
fn fuzz_streams() {
    let reading = reading();
    let recordings = recordings();
    run("streams", |dice| {
        let recording = recordings.choose(dice).unwrap();
        let mut body = recording.body.clone();
        damage(dice, &mut body, &recordings);
        check(dice, &reading, recording, &body);
    });
}

/// A stream of chat completions with these deltas.
fn chat(deltas: &[Value], end: &str) -> Vec<u8> {
    let mut body = String::new();
    for delta in deltas {
        body.push_str(&format!(
            "data: {}\n\n",
            json!({"choices": [{"delta": delta}]})
        ));
    }
    body.push_str(end);
    body.into_bytes()
}

const DONE: &str =
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

fn maybe(dice: &mut StdRng, values: &[Value]) -> Value {
    values.choose(dice).unwrap().clone()
}

/// A fragment of a call with anything in it, and anything left out.
fn fragment(dice: &mut StdRng) -> Value {
    let index = maybe(
        dice,
        &[
            json!(0),
            json!(0),
            json!(1),
            json!(7),
            json!("0"),
            Value::Null,
        ],
    );
    let id = maybe(
        dice,
        &[json!("k1"), json!("k2"), json!(""), json!(3), Value::Null],
    );
    let name = maybe(
        dice,
        &[
            json!("find"),
            json!("fi"),
            json!("nd"),
            json!(""),
            Value::Null,
        ],
    );
    let arguments = maybe(
        dice,
        &[
            json!("{\"q\":"),
            json!("\"x\"}"),
            json!("{}"),
            json!("{\"q\":1}{\"q\":2}"),
            json!({"q": []}),
            json!(""),
            json!("null"),
            json!([]),
            Value::Null,
        ],
    );
    let mut call =
        json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}});
    for member in ["index", "id", "function"] {
        if dice.random_bool(0.2) {
            call.as_object_mut().unwrap().remove(member);
        }
    }
    call
}

fn plain(recordings: &[Recording]) -> &Recording {
    let is_plain = |recording: &&Recording| recording.name == "openai_chat/text.sse";
    recordings.iter().find(is_plain).unwrap()
}

#[test]
fn fuzz_fragments_of_calls() {
    let reading = reading();
    let recordings = recordings();
    let recording = plain(&recordings);
    run("fragments of calls", |dice| {
        let deltas: Vec<Value> = (0..dice.random_range(1..8))
            .map(|_| {
                let fragments = (0..dice.random_range(1..3)).map(|_| fragment(dice));
                json!({"tool_calls": fragments.collect::<Vec<_>>()})
            })
            .collect();
        check(dice, &reading, recording, &chat(&deltas, DONE));
        let cut = check(dice, &reading, recording, &chat(&deltas, ""));
        assert!(
            cut.failure.is_some() && cut.calls().is_empty(),
            "a cut stream calls nothing"
        );
    });
}

#[test]
fn fuzz_arguments() {
    const TOKENS: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "'",
        "\\",
        "\\\"",
        "\"q\"",
        "\"a b\"",
        "1",
        "-",
        ".5",
        "true",
        "null",
        "\n",
        "\t",
        " ",
        "```json\n",
        "```",
        "json\n",
        "{}",
        "{\"q\":1}",
        "\"{\\\"q\\\":1}\"",
        "q",
        "早",
        "\u{0}",
        "//",
    ];
    let reading = reading();
    let recordings = recordings();
    let recording = plain(&recordings);
    run("arguments", |dice| {
        let text: String = (0..dice.random_range(0..14))
            .map(|_| *TOKENS.choose(dice).unwrap())
            .collect();
        let call = json!({"index": 0, "id": "k1", "function": {"name": "find", "arguments": text}});
        let body = chat(&[json!({"tool_calls": [call]})], DONE);
        let answer = check(dice, &reading, recording, &body);
        let calls = answer.calls();
        assert!(!calls.is_empty(), "the call is there: {text}");
        if let Ok(Value::Object(object)) = serde_json::from_str(&text) {
            assert_eq!(
                calls[0].arguments,
                Value::Object(object),
                "an object is read as it is"
            );
        }
        for call in calls {
            if let Value::String(kept) = &call.arguments {
                assert_eq!(*kept, text, "what can't be read is handed on as it is");
            }
        }
    });
}

#[test]
fn fuzz_printed_calls() {
    const TOKENS: &[&str] = &[
        "<tool_call>",
        "</tool_call>",
        "[TOOL_CALLS]",
        "<|python_tag|>",
        "<｜DSML｜function_calls>",
        "<|tool_call_begin|>functions.find:0<|tool_call_argument_begin|>",
        "<|tool_call_end|>",
        "<function=find>",
        "</function>",
        "{\"name\": \"find\", \"arguments\": {\"q\": \"owl\"}}",
        "{\"name\": \"fly\", \"arguments\": {}}",
        "{\"name\": \"find\",",
        "[",
        "]",
        "}",
        "`",
        "```\n",
        "```json\n",
        "\n",
        "> ",
        " ",
        "words ",
        "早",
        "<think>",
        "</think>",
        "<",
    ];
    let reading = reading();
    let recordings = recordings();
    let named = |recording: &&Recording| recording.name == "openai_chat/printed-in-tags.sse";
    let recording = recordings.iter().find(named).unwrap();
    run("printed calls", |dice| {
        let pieces: Vec<&str> = (0..dice.random_range(1..16))
            .map(|_| *TOKENS.choose(dice).unwrap())
            .collect();
        let deltas: Vec<Value> = pieces
            .iter()
            .map(|piece| json!({"content": piece}))
            .collect();
        let answer = check(dice, &reading, recording, &chat(&deltas, DONE));
        for call in answer.calls() {
            assert!(call.recovered && call.name == "find", "{pieces:?}");
            assert!(call.arguments.is_object(), "{pieces:?}");
        }
        let cut = check(dice, &reading, recording, &chat(&deltas, ""));
        assert!(
            cut.failure.is_some() && cut.calls().is_empty(),
            "{pieces:?}"
        );
    });
}
