use std::ops::ControlFlow;

use super::Framing;

/// The data of the events, then what is no stream.
fn read(pieces: &[&[u8]]) -> (Vec<String>, Option<String>) {
    let mut events = Vec::new();
    let mut framing = Framing::default();
    for piece in pieces {
        let flow = framing.take(piece, &mut |event| {
            events.push(event.data.to_owned());
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(flow.ok(), Some(ControlFlow::Continue(())));
    }
    let rest = framing.close(&mut |event| {
        events.push(event.data.to_owned());
        Ok(ControlFlow::Continue(()))
    });
    let rest = rest.expect("the body is small");
    (
        events,
        rest.map(|body| String::from_utf8_lossy(&body).into_owned()),
    )
}

#[test]
fn each_framing_is_known_by_its_first_bytes_wherever_they_are_cut() {
    let line = r#"{"message":{"content":"好"}}"#;
    let cases: &[(String, Vec<&str>, Option<&str>)] = &[
        ("data: 1\n\ndata: 2\n\n".into(), vec!["1", "2"], None),
        ("\u{feff}data: 1\r\rdata: 2".into(), vec!["1", "2"], None),
        ("\n\ndata: 1\n\ndata: {\"cut".into(), vec!["1"], None),
        (": wait\n\n: wait\n\n".into(), vec![], None),
        ("retry: 5\nid: 7\n\n".into(), vec![], None),
        ("  \n ".into(), vec![], None),
        ("".into(), vec![], None),
        (format!("{line}\n{line}\n"), vec![line, line], None),
        (format!("{line}\r\n\n{line}"), vec![line, line], None),
        (format!("{line}\n{line}\n{{\"mess"), vec![line, line], None),
        (format!("{line}\n\n"), vec![], Some(line)),
        (line.into(), vec![], Some(line)),
        (
            "{\n  \"choices\": []\n}".into(),
            vec![],
            Some("{\n  \"choices\": []\n}"),
        ),
        (
            "{\"a\":1}\n{\"a\":2}".into(),
            vec![],
            Some("{\"a\":1}\n{\"a\":2}"),
        ),
        ("\n{\"a\":1}".into(), vec![], Some("{\"a\":1}")),
        ("<html>".into(), vec![], Some("<html>")),
        ("upstream: gone".into(), vec![], Some("upstream: gone")),
        (
            "Too many\nrequests".into(),
            vec![],
            Some("Too many\nrequests"),
        ),
    ];
    for (body, events, rest) in cases {
        for cut in 0..=body.len() {
            let (left, right) = body.as_bytes().split_at(cut);
            let (found, whole) = read(&[left, right]);
            let found: Vec<&str> = found.iter().map(|data| data.trim()).collect();
            assert_eq!(found, *events, "{body:?} cut at {cut}");
            assert_eq!(
                whole.as_deref().map(str::trim),
                *rest,
                "{body:?} cut at {cut}"
            );
        }
    }
}

#[test]
fn a_break_asks_for_no_more() {
    for body in ["data: 1\n\ndata: 2\n\n", "{\"type\":1}\n{\"type\":2}\n"] {
        let mut count = 0;
        let mut framing = Framing::default();
        let flow = framing.take(body.as_bytes(), &mut |_| {
            count += 1;
            Ok(ControlFlow::Break(()))
        });
        assert_eq!(flow.ok(), Some(ControlFlow::Break(())), "{body}");
        assert_eq!(count, 1, "{body}");
    }
}
