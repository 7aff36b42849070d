//! However a command is written, it is not judged milder.

use proptest::prelude::*;
use talaria_domain::Mode;

use super::{command, decide, is_allowed, is_refused, policy};

/// One letter, written in one of the ways a shell reads as that letter.
fn dressed(letter: char, way: u8) -> String {
    match way % 6 {
        0 => format!("\\{letter}"),
        1 => format!("'{letter}'"),
        2 => format!("\"{letter}\""),
        3 => format!("$'\\x{:02x}'", u32::from(letter)),
        4 => format!("{letter}''"),
        _ => letter.to_string(),
    }
}

fn dressed_up(text: &str, ways: &[u8]) -> String {
    text.chars()
        .zip(ways.iter().cycle())
        .map(|(letter, way)| match letter {
            ' ' => " ".to_owned(),
            letter => dressed(letter, *way),
        })
        .collect()
}

fn wrapped(text: &str, way: u8) -> String {
    let quoted = text.replace('\'', "'\\''");
    match way % 8 {
        0 => format!("sh -c '{quoted}'"),
        1 => format!("eval '{quoted}'"),
        2 => format!("true && {text}"),
        3 => format!("( {text} )"),
        4 => format!("nohup {text} &"),
        5 => format!("echo $({text})"),
        6 => format!("env {text}"),
        _ => format!("bash <<'END'\n{text}\nEND"),
    }
}

proptest! {
    #[test]
    fn any_text_at_all_is_decided(text in "\\PC{0,200}") {
        let _ = decide("terminal", &command(&text), &policy(Mode::ActFreely));
    }

    #[test]
    fn any_pieces_of_a_shell_are_decided(
        pieces in proptest::collection::vec(
            prop::sample::select(vec![
                "$(", ")", "`", "'", "\"", "\\", "${", "}", "{", ",", "..", "<<E", "\n", "|", "&", ";", "(", "((", "<(",
                ">", "$'", "\\x", "case x in", "esac", "for f in", "sh -c", "eval", "xargs", "E", " ", "a=", "$a", "*", "#",
            ]),
            0..60,
        )
    ) {
        let _ = decide("terminal", &command(&pieces.concat()), &policy(Mode::ActFreely));
    }

    #[test]
    fn a_dressed_up_command_is_refused_like_the_plain_one(
        plain in prop::sample::select(vec!["rm -rf /", "mkfs.ext4 /dev/sdb", "cat /etc/shadow", "dd of=/dev/sda", "setenforce 0"]),
        ways in proptest::collection::vec(any::<u8>(), 1..12),
        wrap in any::<u8>(),
    ) {
        let text = wrapped(&dressed_up(plain, &ways), wrap);
        prop_assert!(is_refused(&command(&text), &policy(Mode::ActFreely)), "{}", text);
    }

    #[test]
    fn a_dressed_up_danger_is_never_just_done(
        plain in prop::sample::select(vec!["git push", "sudo ls", "rm -rf .git", "cat .env", "crontab x", "cat ../other/x"]),
        ways in proptest::collection::vec(any::<u8>(), 1..12),
        wrap in any::<u8>(),
    ) {
        let text = wrapped(&dressed_up(plain, &ways), wrap);
        prop_assert!(!is_allowed(&command(&text), &policy(Mode::ActFreely)), "{}", text);
    }
}

#[test]
fn deep_and_long_lines_are_judged_in_time() {
    let lines = [
        "$(".repeat(20_000),
        "(".repeat(30_000),
        "{a,b}".repeat(5_000),
        "{".repeat(30_000),
        "a=$a$a;".repeat(4_000),
        "a=x;".to_owned() + &"a=$a$a$a;".repeat(3_000),
        "eval ".repeat(6_000),
        "sudo ".repeat(6_000),
        "`".repeat(30_000),
        "x|".repeat(15_000),
        "<<E\n".repeat(7_000),
        "*".repeat(30_000),
        format!("cat {}", "../".repeat(9_000)),
        "sh -c '".repeat(4_000),
        "\u{4e00}".repeat(10_000),
    ];
    let begin = std::time::Instant::now();
    for line in lines {
        assert!(!is_allowed(&command(&line), &policy(Mode::Ask)));
    }
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
}
