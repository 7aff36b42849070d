//! Every recorded answer comes to what its head says, however it is cut, written or compressed,
//! and gives no call before it has said that it is done.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::StreamExt;
use talaria_domain::{ModelRequest, ToolCall};
use talaria_provider::Client;

use crate::recording::{Answer, Recording, reading, recordings};
use crate::wire::{Act, Service, request, short};

/// A way to write a stream, and its name.
type Writing = (&'static str, fn(&[u8]) -> Vec<u8>);

/// How many of the ways to write a stream, the first ones, differ in their line ends.
const LINE_ENDS: usize = 3;

/// Ways to write the same stream.
const WRITINGS: &[Writing] = &[
    ("as it is", <[u8]>::to_vec),
    ("CR and LF", |body| replaced(body, b"\n", b"\r\n")),
    ("CR", |body| replaced(body, b"\n", b"\r")),
    ("a mark", |body| [b"\xEF\xBB\xBF", body].concat()),
    ("no space", |body| replaced(body, b"\ndata: ", b"\ndata:")),
    ("comments", |body| {
        replaced(body, b"\ndata: ", b"\n: wait\nid: 1\ndata: ")
    }),
];

fn replaced(body: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() * 2);
    let mut rest = body;
    while let Some(&first) = rest.first() {
        if let Some(behind) = rest.strip_prefix(from) {
            out.extend_from_slice(to);
            rest = behind;
        } else {
            out.push(first);
            rest = &rest[1..];
        }
    }
    out
}

/// The writings of one recording.
fn written(recording: &Recording) -> Vec<(&'static str, Vec<u8>)> {
    let writings = if recording.is_stream {
        WRITINGS
    } else {
        &WRITINGS[..1]
    };
    let bodies = writings
        .iter()
        .map(|(how, write)| (*how, write(&recording.body)));
    bodies.collect()
}

/// All places to cut a recording: every byte of it as it is, and around each line end where its
/// lines end in another way.
fn cuts(recording: &Recording) -> Vec<(&'static str, Vec<u8>, Vec<usize>)> {
    let cut = |(at, (how, body)): (usize, (&'static str, Vec<u8>))| {
        let around = |place: &usize| {
            let near = body.get(place.saturating_sub(1)..body.len().min(place + 1));
            at == 0 || *place < 4 || near.is_some_and(|near| near.iter().any(u8::is_ascii_control))
        };
        let cuts = (0..=body.len()).filter(around).collect();
        (how, body, cuts)
    };
    let ends = written(recording).into_iter().take(LINE_ENDS);
    ends.enumerate().map(cut).collect()
}

#[test]
fn every_recording_comes_to_what_its_head_says() {
    let reading = reading();
    let mut wrong = Vec::new();
    for recording in recordings() {
        let answer = recording.answer(&reading, [recording.body.as_slice()]);
        let outcome = answer.outcome(&recording.expected);
        if outcome != recording.expected {
            wrong.push(format!(
                "{}\n  asked {:?}\n  found {outcome:?}",
                recording.name, recording.expected
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_cut_at_any_byte_changes_nothing() {
    let reading = reading();
    for recording in recordings() {
        let whole = recording.answer(&reading, [recording.body.as_slice()]);
        for (how, body, cuts) in cuts(&recording) {
            for cut in cuts {
                let (left, right) = body.split_at(cut);
                let answer = recording.answer(&reading, [left, right]);
                assert_eq!(answer, whole, "{}, {how}, cut at {cut}", recording.name);
            }
        }
    }
}

#[test]
fn small_pieces_and_other_writings_change_nothing() {
    let reading = reading();
    for recording in recordings() {
        let whole = recording.answer(&reading, [recording.body.as_slice()]);
        for (how, body) in written(&recording) {
            for size in [1, 2, 3, 7, usize::MAX] {
                let answer = recording.answer(&reading, body.chunks(size));
                assert_eq!(answer, whole, "{}, {how}, by {size}", recording.name);
            }
        }
    }
}

#[test]
fn a_stream_that_ends_early_runs_no_half_call() {
    let reading = reading();
    for recording in recordings() {
        let whole = recording.answer(&reading, [recording.body.as_slice()]);
        for end in 0..recording.body.len() {
            let place = format!("{}, ended at {end}", recording.name);
            let answer = recording.answer(&reading, [&recording.body[..end]]);
            if answer.is_finished() {
                assert_eq!(answer.calls(), whole.calls(), "{place}");
            } else {
                assert_eq!(answer.calls(), Vec::<&ToolCall>::new(), "{place}");
            }
        }
    }
}

#[test]
fn a_line_of_megabytes_is_one_event() {
    let reading = reading();
    let long = "早 ".repeat(1 << 20);
    let delta = |text: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    };
    let body = format!(
        "{}{}{}data: [DONE]\n\n",
        delta("a"),
        delta(&long),
        delta("z")
    );
    let all = recordings();
    let plain = all
        .iter()
        .find(|recording| recording.name == "openai_chat/text.sse");
    let answer = plain
        .unwrap()
        .answer(&reading, body.as_bytes().chunks(1 << 16));
    assert_eq!(answer.words(), format!("a{long}z"));
    assert!(answer.is_finished());
}

#[tokio::test]
async fn a_service_that_sends_them_is_read_the_same() {
    for recording in recordings() {
        let reading = std::thread::scope(|scope| {
            let whole = || recording.answer(&reading(), [recording.body.as_slice()]);
            scope.spawn(whole).join().unwrap()
        });
        for (how, encoding, body) in sent(&recording.body) {
            let head = format!("HTTP/1.1 200 OK\r\n{encoding}connection: close\r\n\r\n");
            let (left, right) = body.split_at(body.len() / 2);
            let acts = [head.as_bytes(), left, right].map(|bytes| Act::Send(bytes.to_vec()));
            let service = Service::start(vec![acts.to_vec()]).await;
            let answer = asked(&recording, &service).await;
            assert_eq!(answer, reading, "{}, {how}", recording.name);
        }
    }
}

/// The body in the encodings of HTTP.
fn sent(body: &[u8]) -> [(&'static str, &'static str, Vec<u8>); 2] {
    let mut zipped = GzEncoder::new(Vec::new(), Compression::fast());
    // A service flushes where an event ends, so that the event is not held back.
    for piece in body.split_inclusive(|byte| *byte == b'\n') {
        zipped.write_all(piece).unwrap();
        zipped.flush().unwrap();
    }
    let zipped = zipped.finish().unwrap();
    [
        ("plain", "", body.to_vec()),
        ("compressed", "content-encoding: gzip\r\n", zipped),
    ]
}

async fn asked(recording: &Recording, service: &Service) -> Answer {
    let client = Client::new(short()).unwrap();
    let request = ModelRequest {
        tools: recording.tools(),
        ..request()
    };
    let events = client.stream(
        &service.endpoint(recording.protocol),
        request,
        &talaria_provider::Files::default(),
    );
    Answer::of(events.collect().await, &recording.body)
}
