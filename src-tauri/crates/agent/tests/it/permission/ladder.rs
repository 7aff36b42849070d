//! The steps of the ladder, one after the other.

use talaria_agent::permission::{Decision, Policy, decide, is_withheld, standing};
use talaria_domain::{ApprovalSource, AskReason, Effect, Mode, PermissionRule, Reach, Verdict};

use super::{command, is_allowed, of, policy, read, write};

fn rule(tool: Option<&str>, pattern: Option<&str>, verdict: Verdict) -> PermissionRule {
    PermissionRule {
        tool: tool.map(str::to_owned),
        pattern: pattern.map(str::to_owned),
        verdict,
    }
}

fn with(mode: Mode, rules: Vec<PermissionRule>) -> Policy {
    Policy {
        rules,
        ..policy(mode)
    }
}

fn note() -> talaria_domain::Act {
    of(Effect::Note {
        title: "购物".into(),
    })
}

fn page(url: &str) -> talaria_domain::Act {
    of(Effect::Fetch { url: url.into() })
}

#[test]
fn an_act_without_effects_needs_nobodys_leave() {
    let decision = decide("todo", &talaria_domain::Act::default(), &policy(Mode::Ask));
    assert_eq!(decision, Decision::Allow(ApprovalSource::Harmless));
}

#[test]
fn who_asks_for_nothing_else_gets_what_the_mode_gives() {
    let table = [
        (read("/work/site/a"), [true, true, true]),
        (note(), [true, true, true]),
        (write("/work/site/a"), [false, true, true]),
        (command("make"), [false, false, true]),
        (page("https://example.org/"), [false, false, true]),
        (
            of(Effect::WebSearch {
                host: "s.example".into(),
                query: "天气".into(),
            }),
            [false, false, true],
        ),
    ];
    for (act, allowed) in table {
        for (mode, allowed) in [Mode::Ask, Mode::EditFiles, Mode::ActFreely]
            .into_iter()
            .zip(allowed)
        {
            assert_eq!(
                is_allowed(&act, &policy(mode)),
                allowed,
                "{act:?} in {mode:?}"
            );
        }
    }
}

#[test]
fn a_rule_that_denies_wins() {
    let rules = vec![
        rule(None, None, Verdict::Allow),
        rule(Some("terminal"), Some("git push"), Verdict::Deny),
    ];
    let policy = with(Mode::ActFreely, rules);
    for text in [
        "git push",
        "git push origin",
        "/usr/bin/git push",
        "make && git push",
        "sudo git push",
    ] {
        let decision = decide("terminal", &command(text), &policy);
        let by_rule = matches!(
            decision,
            Decision::Refuse {
                by: ApprovalSource::Rule,
                ..
            }
        );
        assert!(by_rule, "{text}: {decision:?}");
    }
    assert!(is_allowed(&command("git pull"), &policy));
}

#[test]
fn rules_are_about_paths_and_hosts_too() {
    let rules = vec![
        rule(
            Some("write_file"),
            Some("/work/site/out/**"),
            Verdict::Allow,
        ),
        rule(None, Some("*.lock"), Verdict::Deny),
        rule(None, Some("example.org"), Verdict::Allow),
        rule(None, Some("ads.example.org"), Verdict::Deny),
        rule(None, Some("/work/site/legal"), Verdict::Ask),
    ];
    let policy = with(Mode::Ask, rules);
    let table = [
        ("write_file", write("/work/site/out/a/b.txt"), Some(true)),
        ("write_file", write("/work/site/outer.txt"), None),
        ("terminal", write("/work/site/out/a.txt"), None),
        (
            "write_file",
            write("/work/site/out/Cargo.lock"),
            Some(false),
        ),
        ("web_fetch", page("https://example.org/a"), Some(true)),
        ("web_fetch", page("https://docs.example.org/a"), Some(true)),
        ("web_fetch", page("https://ads.example.org/a"), Some(false)),
        ("web_fetch", page("https://badexample.org/"), None),
        ("web_fetch", page("https://example.org@evil.example/"), None),
        ("read_file", read("/work/site/legal/a.txt"), None),
    ];
    for (tool, act, wanted) in table {
        let got = match decide(tool, &act, &policy) {
            Decision::Allow(_) => Some(true),
            Decision::Refuse { .. } => Some(false),
            Decision::Ask { .. } => None,
        };
        assert_eq!(got, wanted, "{tool} {act:?}");
    }
}

#[test]
fn a_rule_for_a_command_allows_that_command_and_nothing_beside_it() {
    let rules = vec![rule(Some("terminal"), Some("git status"), Verdict::Allow)];
    let policy = with(Mode::Ask, rules);
    for text in [
        "git status",
        "git status -s",
        "git  'status'",
        "git status 2>/dev/null",
        "git status && git status",
    ] {
        assert!(is_allowed(&command(text), &policy), "{text}");
    }
    let others = [
        "git status; rm x",
        "git status && rm x",
        "git status | sh",
        "git status > x",
        "git status > ~/.bashrc",
        "git -c core.pager=x status",
        "git stash",
        "GIT_PAGER=x git status",
        "A=b git status",
        "git status $(rm x)",
        "git status `rm x`",
        "git status <(rm x)",
        "git status & rm x",
        "git status\nrm x",
        "./git status",
        "sudo git status",
        "git status $X",
    ];
    for text in others {
        assert!(!is_allowed(&command(text), &policy), "{text}");
    }
}

#[test]
fn a_yes_for_always_is_about_exactly_that() {
    let act = command("cargo test -p site");
    let policy = with(Mode::Ask, standing("terminal", &act));
    assert_eq!(
        decide("terminal", &act, &policy),
        Decision::Allow(ApprovalSource::Rule)
    );
    for text in [
        "cargo test",
        "cargo test -p site --release",
        "cargo test -p site; ls",
    ] {
        assert!(!is_allowed(&command(text), &policy), "{text}");
    }
    assert!(standing("write_file", &write("/work/site/a")).is_empty());
}

#[test]
fn after_a_suspicion_all_but_looking_is_asked() {
    let tainted = |mode| Policy {
        tainted: Some("https://example.org/".into()),
        rules: vec![rule(None, None, Verdict::Allow)],
        remembered: vec![command("make").effects],
        ..policy(mode)
    };
    for mode in [Mode::Ask, Mode::EditFiles, Mode::ActFreely] {
        assert!(is_allowed(&read("/work/site/a"), &tainted(mode)));
        for act in [
            write("/work/site/a"),
            command("make"),
            note(),
            page("https://example.org/"),
        ] {
            let asked = decide("terminal", &act, &tainted(mode));
            let wanted = Decision::Ask {
                reason: AskReason::AfterSuspicion {
                    origin: "https://example.org/".into(),
                },
                reaches: Vec::new(),
            };
            assert_eq!(asked, wanted, "{act:?}");
        }
    }
}

#[test]
fn what_was_allowed_for_the_session_is_not_asked_again() {
    let mut policy = policy(Mode::Ask);
    policy.remembered.push(command("make").effects);
    let decision = decide("terminal", &command("make"), &policy);
    assert_eq!(decision, Decision::Allow(ApprovalSource::Remembered));
    assert!(!is_allowed(&command("make all"), &policy));
}

#[test]
fn a_flag_allows_what_it_names() {
    let mut policy = policy(Mode::Ask);
    policy.yes = vec![rule(Some("terminal"), None, Verdict::Allow)];
    let decision = decide("terminal", &command("make"), &policy);
    assert_eq!(decision, Decision::Allow(ApprovalSource::Flag));
    assert!(!matches!(
        decide("write_file", &write("/work/site/a"), &policy),
        Decision::Allow(_)
    ));
}

#[test]
fn a_question_says_why_and_how_far_a_yes_can_reach() {
    let reach = |tool, act: &_, mode| match decide(tool, act, &policy(mode)) {
        Decision::Ask { reason, reaches } => (reason, reaches),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        reach("terminal", &command("make"), Mode::Ask),
        (AskReason::Mode, vec![Reach::Session, Reach::Always])
    );
    assert_eq!(
        reach("write_file", &write("/work/site/a"), Mode::Ask),
        (AskReason::Mode, Vec::new())
    );
    assert_eq!(
        reach("read_file", &read("/work/other/a"), Mode::ActFreely),
        (
            AskReason::OutsideFolders {
                path: "/work/other/a".into()
            },
            vec![Reach::Folder]
        )
    );
    let (reason, reaches) = reach("terminal", &command("git push"), Mode::ActFreely);
    assert!(matches!(reason, AskReason::Dangerous { .. }) && reaches.is_empty());
    let (reason, reaches) = reach("terminal", &command("$X"), Mode::ActFreely);
    assert!(matches!(reason, AskReason::Unclear { .. }) && reaches.is_empty());
}

#[test]
fn addresses_inside_the_computer_are_never_fetched() {
    for url in [
        "file:///etc/hostname",
        "http://169.254.169.254/latest/meta-data/",
        "HTTP://metadata.google.internal/",
        "gopher://example.org/",
        "javascript:alert(1)",
    ] {
        assert!(
            matches!(
                decide("web_fetch", &page(url), &policy(Mode::ActFreely)),
                Decision::Refuse { .. }
            ),
            "{url}"
        );
    }
}

#[test]
fn a_search_keeps_back_what_a_read_would_be_asked_or_refused_for() {
    let rules = vec![
        rule(Some("file"), Some("*.secret"), Verdict::Deny),
        rule(None, Some("/home/ada/work/drafts/*"), Verdict::Ask),
        rule(None, Some("*.md"), Verdict::Allow),
    ];
    let policy = with(Mode::ActFreely, rules);
    for (path, kept_back) in [
        ("/home/ada/work/plan.md", false),
        ("/home/ada/work/.env.example", false),
        ("/home/ada/work/.env", true),
        ("/home/ada/work/.env.local", true),
        ("/home/ada/work/keys/id_ed25519", true),
        ("/home/ada/work/a.secret", true),
        ("/home/ada/work/drafts/a.md", true),
        // Outside the folders it was asked for when the search was.
        ("/srv/plan.md", false),
    ] {
        assert_eq!(
            is_withheld("search_files", path, &policy),
            kept_back,
            "{path}"
        );
    }
}
