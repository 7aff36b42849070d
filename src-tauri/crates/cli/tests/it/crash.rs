//! `talaria chat`, killed at any moment: every session opens, shows what it showed, and goes on.
//!
//! The moments are drawn from a fixed sequence over the time that an undisturbed turn takes.
//! `TALARIA_KILLS` says how many; without it there are 100.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService, Step};

use crate::program::Program;

/// So many sessions are used in turn, so that each is killed again and again.
const SESSIONS: usize = 8;
const KILLS: usize = 100;
/// Within this the kills stop, however many were asked for.
const PATIENCE: Duration = Duration::from_secs(120);

/// A small generator (SplitMix64), so that every run is the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// A turn with all that can be cut: thoughts, words, two calls at once, another call, an answer.
fn rounds() -> Vec<Round> {
    let pause = || Step::Wait(Duration::from_millis(4));
    let call = |name: &str, arguments: Value| Step::Call {
        name: name.to_owned(),
        arguments,
    };
    vec![
        Round::Answer(vec![
            Step::Reasoning("先看看。".into()),
            pause(),
            Step::Text("I look at your notes. ".into()),
            pause(),
            call("read_note", json!({"title": "杭州"})),
            call("read_note", json!({"title": "none"})),
        ]),
        Round::Answer(vec![
            pause(),
            call("save_note", json!({"title": "杭州", "text": "三天"})),
        ]),
        Round::Answer(vec![
            Step::Text("It is ".into()),
            pause(),
            Step::Text("kept.".into()),
            pause(),
        ]),
    ]
}

fn command(program: &Program, service: &ScriptedService, arguments: &[&str]) -> Command {
    let mut command = program.home.command(env!("CARGO_BIN_EXE_talaria"));
    command
        .args(arguments)
        .env("TALARIA_BASE_URL", service.base_url())
        .env("TALARIA_MODEL", service.model())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn talk(program: &Program, service: &ScriptedService, session: Option<&str>) -> Child {
    let mut arguments = vec!["--json", "chat", "-m", "go on"];
    if let Some(session) = session {
        arguments.extend(["-s", session]);
    }
    command(program, service, &arguments).spawn().unwrap()
}

/// The sessions as they are listed, newest first.
fn sessions(program: &Program) -> Vec<String> {
    let ran = program.run(&["--json", "session", "list"]);
    assert!(ran.ok, "{ran:?}");
    let listed = ran.document();
    let id = |session: &Value| session["id"].as_str().unwrap().to_owned();
    listed.as_array().unwrap().iter().map(id).collect()
}

/// The session opens and shows, with nothing left running and every call answered.
fn opens(program: &Program, session: &str) {
    assert!(program.run(&["session", "show", session]).ok, "{session}");
    let shown = program
        .run(&["--json", "session", "export", session])
        .document();
    for turn in shown["turns"].as_array().unwrap() {
        assert_ne!(turn["state"], "running", "{turn}");
        for item in turn["items"].as_array().unwrap() {
            assert!(!item["finished_at"].is_null(), "{item}");
            if item["content"]["kind"] == "tool_call" {
                assert!(!item["content"]["result"].is_null(), "{item}");
            }
        }
    }
}

/// The session takes another message, and what is sent is a request that any service takes.
fn goes_on(program: &Program, session: &str) {
    let service = ScriptedService::start([Round::text(["Here I am."])]).unwrap();
    let done = command(
        program,
        &service,
        &["--json", "chat", "-s", session, "-m", "still there?"],
    )
    .stdout(Stdio::piped())
    .output()
    .unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success() && out.contains("Here I am."), "{out}");
    assert_eq!(service.faults(), Vec::<String>::new());
    assert_eq!(service.requests().len(), 1);
}

#[test]
fn a_program_killed_at_any_moment_leaves_sessions_that_open_and_go_on() {
    let kills = std::env::var("TALARIA_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(KILLS);
    let program = Program::with([]);
    let began = Instant::now();
    let undisturbed = {
        let service = ScriptedService::start(rounds()).unwrap();
        let began = Instant::now();
        assert!(talk(&program, &service, None).wait().unwrap().success());
        assert_eq!(service.faults(), Vec::<String>::new());
        began.elapsed()
    };
    let span = u64::try_from(undisturbed.as_micros()).unwrap();
    let mut chance = Chance(7);
    let mut cut = 0;
    for kill in 0..kills {
        assert!(
            began.elapsed() < PATIENCE,
            "only {kill} of {kills} kills in time"
        );
        let known = sessions(&program);
        let session = (known.len() >= SESSIONS).then(|| known[kill % SESSIONS].clone());
        let service = ScriptedService::start(rounds()).unwrap();
        let mut child = talk(&program, &service, session.as_deref());
        sleep(Duration::from_micros(chance.below(span)));
        cut += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(service.faults(), Vec::<String>::new(), "kill {kill}");
        // A session that was only just begun may not be there; one that is, is whole.
        if let Some(session) = session.or_else(|| sessions(&program).first().cloned()) {
            opens(&program, &session);
            goes_on(&program, &session);
        }
    }
    assert!(
        cut * 2 > kills,
        "{cut} of {kills} were killed while they ran"
    );
    for session in sessions(&program) {
        opens(&program, &session);
    }
    let aside = fs_err::read_dir(program.home.data_root()).unwrap();
    let names = aside.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let damaged: Vec<String> = names.filter(|name| name.contains("corrupt")).collect();
    assert_eq!(damaged, Vec::<String>::new(), "a kill damages nothing");
}
