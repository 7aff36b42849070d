//! Whether two acts may be done at the same time.

use talaria_domain::{Act, Effect};

/// Whether the second could see, or spoil, what the first does. In doubt they collide.
pub(super) fn collide(one: &Act, other: &Act) -> bool {
    let meet = |one: &Effect| other.effects.iter().any(|other| touch(one, other));
    one.effects.iter().any(meet)
}

/// Whether an effect leaves everything as it was.
pub(super) fn only_reads(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Read { .. } | Effect::Fetch { .. } | Effect::WebSearch { .. }
    )
}

fn touch(one: &Effect, other: &Effect) -> bool {
    match (one, other) {
        (one, other) if only_reads(one) && only_reads(other) => false,
        // Nobody can tell from outside what a command touches.
        (Effect::Command { .. }, _) | (_, Effect::Command { .. }) => true,
        (Effect::Note { title: one }, Effect::Note { title: other }) => one == other,
        (
            Effect::Write { path: one },
            Effect::Write { path: other } | Effect::Read { path: other },
        )
        | (Effect::Read { path: one }, Effect::Write { path: other }) => overlap(one, other),
        _ => false,
    }
}

/// Whether one path is the other, or lies in it.
fn overlap(one: &str, other: &str) -> bool {
    let within = |inner: &str, outer: &str| {
        inner
            .strip_prefix(outer.trim_end_matches(['/', '\\']))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
    };
    within(one, other) || within(other, one)
}

#[cfg(test)]
mod tests {
    use talaria_domain::{Act, Effect};

    use super::collide;

    fn act(effects: &[Effect]) -> Act {
        Act {
            effects: effects.to_vec(),
            ..Act::default()
        }
    }

    #[test]
    fn what_could_see_or_spoil_the_other_waits() {
        let read = |path: &str| Effect::Read { path: path.into() };
        let write = |path: &str| Effect::Write { path: path.into() };
        let note = |title: &str| Effect::Note {
            title: title.into(),
        };
        let fetch = Effect::Fetch {
            url: "https://example.org/".into(),
        };
        let command = Effect::Command {
            command: "make".into(),
            folder: "/work".into(),
            network: false,
            secrets: Vec::new(),
            sandboxed: true,
        };
        let cases = [
            (read("/a"), read("/a"), false),
            (read("/a"), write("/a"), true),
            (write("/a"), write("/a"), true),
            (write("/a"), write("/b"), false),
            (read("/folder"), write("/folder/file"), true),
            (write("/folder"), write("/folder2"), false),
            (write("/a"), fetch.clone(), false),
            (fetch.clone(), fetch, false),
            (note("雨"), note("雨"), true),
            (note("雨"), note("雪"), false),
            (note("雨"), write("/a"), false),
            (command.clone(), read("/a"), true),
            (command.clone(), command, true),
        ];
        for (one, other, meet) in cases {
            let (one, other) = (act(&[one]), act(&[other]));
            assert_eq!(collide(&one, &other), meet, "{one:?} {other:?}");
            assert_eq!(collide(&other, &one), meet, "{other:?} {one:?}");
            assert!(!collide(&one, &Act::default()));
        }
    }
}
