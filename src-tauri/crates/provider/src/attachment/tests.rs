use bytes::Bytes;
use proptest::prelude::*;
use talaria_domain::{Attachment, AttachmentId, ErrorCode};

use super::{Age, Files, Part, Reading, longest_run, plain_name, quoted};
use crate::dialect::{Dialect, Quirk};

fn file(name: &str, media_type: &str, bytes: &[u8]) -> (Attachment, Files) {
    let attachment = Attachment {
        id: AttachmentId::from_bytes([7; 16]),
        name: name.to_owned(),
        media_type: media_type.to_owned(),
        size: 0,
    };
    let files = Files::from([(attachment.id, Bytes::copy_from_slice(bytes))]);
    (attachment, files)
}

const BINARY: &[u8] = b"\xFF\xD8\x00";

#[test]
fn each_kind_of_file_becomes_its_part() {
    let image = |media_type: &str| Part::Image {
        media_type: media_type.to_owned(),
        data: "/9gA".to_owned(),
    };
    let document = Part::Document {
        name: "a".to_owned(),
        data: "/9gA".to_owned(),
    };
    for (media_type, bytes, part) in [
        ("image/png", BINARY, image("image/png")),
        ("image/webp", BINARY, image("image/webp")),
        ("application/pdf", BINARY, document),
        (
            "text/markdown",
            b"hi".as_slice(),
            Part::Text(quoted("a", "hi")),
        ),
        (
            "application/json",
            b"{}".as_slice(),
            Part::Text(quoted("a", "{}")),
        ),
        (
            "image/svg+xml",
            b"<svg/>".as_slice(),
            Part::Text(quoted("a", "<svg/>")),
        ),
        ("text/plain", b"".as_slice(), Part::Text(quoted("a", ""))),
    ] {
        let (attachment, files) = file("a", media_type, bytes);
        let mut reading = Reading::new(&files, &Dialect::default(), true);
        assert_eq!(
            reading.part(&attachment, Age::Now),
            Ok(part),
            "{media_type}"
        );
    }
}

#[test]
fn what_a_model_does_not_take_fails_now_and_is_told_later() {
    let plain = Dialect::default();
    let blind = plain.clone().with(Quirk::NoImages);
    for (media_type, dialect, words) in [
        ("image/png", &blind, "takes no images"),
        ("image/tiff", &plain, "kind of image"),
        ("application/pdf", &plain, "takes no PDF"),
        ("application/zip", &plain, "neither text nor"),
    ] {
        let (attachment, files) = file("a.x", media_type, BINARY);
        let mut reading = Reading::new(&files, dialect, false);
        let failure = reading.part(&attachment, Age::Now).expect_err(media_type);
        assert_eq!(failure.code, ErrorCode::BadRequest);
        assert!(failure.message.contains(words), "{failure}");
        assert!(failure.message.contains("a.x"), "{failure}");
        let Ok(Part::Text(line)) = reading.part(&attachment, Age::Earlier) else {
            panic!("{media_type} is told");
        };
        assert!(line.starts_with('[') && line.contains(words), "{line}");
        assert_eq!(reading.images_left_out, media_type == "image/png");
    }
}

#[test]
fn a_file_that_is_gone_is_told() {
    let (attachment, _) = file("a\n\"b\".png", "image/png", BINARY);
    let none = Files::new();
    let mut reading = Reading::new(&none, &Dialect::default(), true);
    for age in [Age::Now, Age::Earlier] {
        let part = reading.part(&attachment, age);
        assert_eq!(
            part,
            Ok(Part::Text("[The file \"a 'b'.png\" is gone.]".to_owned()))
        );
    }
}

#[test]
fn a_text_file_stands_between_fences_longer_than_its_own() {
    for (text, fence) in [
        ("a", "```"),
        ("```\na\n```", "````"),
        ("`````", "``````"),
        ("`a`", "```"),
    ] {
        let quoted = quoted("n", text);
        let (head, rest) = quoted.split_once('\n').expect("a head");
        assert!(head.contains("\"n\"") && head.contains("data"), "{head}");
        assert_eq!(rest, format!("{fence}\n{text}\n{fence}"));
    }
    assert!(quoted("n", "\u{feff}a\n").ends_with("\n```\na\n```"));
}

#[test]
fn a_name_stays_on_its_line() {
    assert_eq!(plain_name("a\r\n\"b\"\u{2028}"), "a  'b' ");
    assert_eq!(plain_name(&"名".repeat(300)).chars().count(), 200);
}

proptest! {
    #[test]
    fn no_text_closes_its_own_fence(text in "[a`\n]{0,40}") {
        let quoted = quoted("n", &text);
        let fence = quoted.lines().nth(1).unwrap_or_default();
        prop_assert!(fence.len() > longest_run(&text));
        prop_assert!(quoted.ends_with(fence));
    }
}
