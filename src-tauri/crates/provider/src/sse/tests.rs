use proptest::prelude::*;

use super::{Event, LONGEST, Parser, TooLong};

/// An event's name and data.
type Owned = (String, String);

fn owned(event: Event<'_>) -> Owned {
    (event.name.to_owned(), event.data.to_owned())
}

fn parse<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Owned> {
    let mut parser = Parser::default();
    let mut events = Vec::new();
    for mut piece in pieces {
        while let Some(event) = parser.next(&mut piece).expect("the stream is small") {
            events.push(owned(event));
        }
        assert!(piece.is_empty(), "a piece is taken whole");
    }
    events.extend(parser.finish().expect("the stream is small").map(owned));
    events
}

fn data(text: &str) -> Owned {
    named("", text)
}

fn named(name: &str, text: &str) -> Owned {
    (name.to_owned(), text.to_owned())
}

#[test]
fn each_shape_of_a_stream_gives_its_events() {
    let cases: &[(&str, &str, &[Owned])] = &[
        (
            "line feeds",
            "data: a\n\ndata: b\n\n",
            &[data("a"), data("b")],
        ),
        (
            "both",
            "data: a\r\n\r\ndata: b\r\n\r\n",
            &[data("a"), data("b")],
        ),
        (
            "carriage returns",
            "data: a\r\rdata: b\r\r",
            &[data("a"), data("b")],
        ),
        (
            "mixed endings",
            "data: a\r\ndata: b\n\rdata: c\r\n\n",
            &[data("a\nb"), data("c")],
        ),
        (
            "a comment",
            ": waiting\n\n: waiting\n\ndata: x\n\n",
            &[data("x")],
        ),
        ("only comments", ": waiting\n\n: waiting\n\n", &[]),
        ("no space", "data:{\"n\":1}\n\n", &[data("{\"n\":1}")]),
        ("only the first space goes", "data:  x\n\n", &[data(" x")]),
        (
            "lines join",
            "data: {\ndata: \"n\": 1}\n\n",
            &[data("{\n\"n\": 1}")],
        ),
        ("an empty line of data", "data\ndata:\n\n", &[data("\n")]),
        ("a mark at the start", "\u{feff}data: x\n\n", &[data("x")]),
        (
            "a mark later is content",
            "data: \u{feff}x\n\n",
            &[data("\u{feff}x")],
        ),
        (
            "a name",
            "event: ping\ndata: {}\n\n",
            &[named("ping", "{}")],
        ),
        (
            "a name without data",
            "event: error\nid: 4\n\n",
            &[named("error", "")],
        ),
        ("other fields", "id: 4\nretry: 10\nfoo: bar\n\n", &[]),
        (
            "no blank line at the end",
            "data: a\n\ndata: b\n",
            &[data("a"), data("b")],
        ),
        (
            "no line end at the end",
            "data: a\n\ndata: b",
            &[data("a"), data("b")],
        ),
        ("nothing", "", &[]),
    ];
    for (what, stream, expected) in cases {
        assert_eq!(parse([stream.as_bytes()]), *expected, "{what}");
    }
}

#[test]
fn a_stream_cut_at_any_byte_gives_the_same_events() {
    let stream =
        "\u{feff}: hi\r\n\r\ndata: 你好\r\ndata: wörld🌍\r\n\r\nevent: x\rdata:1\r\rdata: z";
    let whole = parse([stream.as_bytes()]);
    assert_eq!(whole, [data("你好\nwörld🌍"), named("x", "1"), data("z")]);
    for cut in 0..=stream.len() {
        let (left, right) = stream.as_bytes().split_at(cut);
        assert_eq!(parse([left, right]), whole, "cut at {cut}");
        assert_eq!(parse([left, b"", right]), whole, "an empty read at {cut}");
    }
    assert_eq!(parse(stream.as_bytes().chunks(1)), whole);
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(
        parse([b"data: a\xFFb\n\n".as_slice()]),
        [data("a\u{fffd}b")]
    );
}

#[test]
fn a_long_line_is_taken_and_an_endless_one_is_refused() {
    let long = format!("data: {}\n\n", "x".repeat(17 * 1024 * 1024));
    let events = parse(long.as_bytes().chunks(1 << 16));
    assert_eq!(
        events.first().map(|(_, data)| data.len()),
        Some(17 * 1024 * 1024)
    );

    let mut parser = Parser::default();
    let piece = vec![b'x'; LONGEST / 2];
    assert_eq!(parser.next(&mut piece.as_slice()), Ok(None));
    assert_eq!(parser.next(&mut piece.as_slice()), Ok(None));
    assert_eq!(parser.next(&mut b"x".as_slice()), Err(TooLong));
}

fn pieces_of_streams() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("data: "),
        Just("data:"),
        Just("event: "),
        Just(": "),
        Just("\r"),
        Just("\n"),
        Just("\r\n"),
        Just("你"),
        Just("{\"a\":1}"),
        Just("\u{feff}"),
        Just(" "),
        Just("\n\n"),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn cuts_never_matter(stream in pieces_of_streams(), cuts in proptest::collection::vec(0_usize..400, 0..6)) {
        let bytes = stream.as_bytes();
        let whole = parse([bytes]);
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut rest = bytes;
        let mut before = 0;
        for cut in cuts {
            let (left, right) = rest.split_at(cut - before);
            pieces.push(left);
            rest = right;
            before = cut;
        }
        pieces.push(rest);
        prop_assert_eq!(parse(pieces), whole);
    }

    #[test]
    fn no_bytes_upset_it(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        parse(bytes.chunks(7));
    }
}
