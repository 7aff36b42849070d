//! Prints what Talaria itself adds to a turn, against a service on loopback that answers at once:
//! from a message to its request, from a tool call to the next request, from the start of the
//! program to its first request; and the memory of a core without a window.

use std::error::Error;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use talaria_api::{Core, Options, Sink};
use talaria_testkit::{Round, ScriptedService, TempHome};

/// Messages of the session that goes on.
const MESSAGES: usize = 1_000;
const RUNS: usize = 40;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Takes events and forgets them.
struct Nowhere;

impl Sink for Nowhere {
    fn send(&self, _: Value) {}
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut out = std::io::stdout();
    writeln!(out, "{:<55} {:>9} {:>9}  goal", "a turn", "p50", "p95")?;
    let home = TempHome::new()?;
    let service = ScriptedService::start([])?;
    let core = open(&home, &service).await?;
    let (mut sent, mut acted) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        // Each run begins from the same thousand messages.
        let session = import(&core).await?;
        service.push(Round::call("read_note", json!({"title": "none"})));
        service.push(Round::text(["Done."]));
        let begun = Instant::now();
        let turn = json!({"command": "start_turn", "arguments": {
            "session_id": session, "text": "And now?",
        }});
        core.stream(turn, Arc::new(Nowhere)).await?;
        let requests = service.take_requests();
        let [first, second] = requests.as_slice() else {
            return Err("a turn with a call has two requests".into());
        };
        sent.push(first.at.duration_since(begun));
        acted.push(second.at.duration_since(first.at));
    }
    let name = format!("from a message to its request, {MESSAGES} messages");
    line(&mut out, &name, &mut sent, "≤ 3 ms")?;
    line(
        &mut out,
        "from a call to the next request",
        &mut acted,
        "≤ 2 ms",
    )?;
    let name = "from the start of the program to its first request";
    line(&mut out, name, &mut starts(&home)?, "≤ 40 ms")?;
    let memory = resident()?;
    writeln!(
        out,
        "{:<55} {memory:>6} MB {:>9}  ≤ 25 MB",
        "memory of a core, with this program", ""
    )?;
    core.close().await;
    Ok(())
}

async fn open(home: &TempHome, service: &ScriptedService) -> Outcome<Core> {
    let mut options = Options::cli();
    let (address, model) = (service.base_url(), service.model());
    options.home = Some(home.data_root());
    options.environment = Arc::new(move |name| match name {
        "TALARIA_BASE_URL" => Some(address.clone().into()),
        "TALARIA_MODEL" => Some(model.into()),
        _ => None,
    });
    Ok(Core::open(options).await?)
}

/// A session with many messages, as another Talaria has exported it.
async fn import(core: &Core) -> Outcome<Value> {
    let id = |number: usize| format!("01890a5d-ac96-774b-bcce-{number:012x}");
    let item = |turn: usize, number: usize, content: Value| {
        json!({
            "id": id(turn * 10 + number), "turn_id": id(turn), "content": content,
            "started_at": turn, "finished_at": turn,
        })
    };
    let turns: Vec<Value> = (1..=MESSAGES / 2)
        .map(|turn| {
            let words = format!("message {turn} 第{turn}条 with some words in it");
            json!({
                "id": id(turn), "session_id": id(0), "state": "finished",
                "model": {"service": "environment", "model": "scripted"},
                "usage": {"input_tokens": 0, "cached_tokens": 0, "output_tokens": 0},
                "finish": "stop", "failure": null, "started_at": turn, "finished_at": turn,
                "items": [
                    item(turn, 1, json!({"kind": "user_text", "text": words})),
                    item(turn, 2, json!({"kind": "model_text", "text": words})),
                ],
            })
        })
        .collect();
    let document = json!({
        "version": 1,
        "session": {
            "id": id(0), "title": "Long", "title_origin": "user", "model": null,
            "source": "import", "mode": "ask", "pinned": false, "archived": false,
            "created_at": 0, "updated_at": 0,
        },
        "turns": turns,
    });
    let import = json!({"command": "import_session", "arguments": {"document": document}});
    let made = core.call(import).await?;
    Ok(made.pointer("/session/id").cloned().unwrap_or_default())
}

/// The built program, started again and again.
fn starts(home: &TempHome) -> Outcome<Vec<Duration>> {
    let example = std::env::current_exe()?;
    let folder = example.parent().and_then(|folder| folder.parent());
    let program = folder.ok_or("there is no built program")?.join("talaria");
    (0..RUNS)
        .map(|_| {
            let service = ScriptedService::start([Round::text(["Here."])])?;
            let mut command: Command = home.command(&program);
            let begun = Instant::now();
            command
                .args(["chat", "-m", "hi"])
                .env("TALARIA_BASE_URL", service.base_url())
                .env("TALARIA_MODEL", service.model())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()?;
            let requests = service.requests();
            let first = requests.first().ok_or("the program asked nothing")?;
            Ok(first.at.duration_since(begun))
        })
        .collect()
}

/// The memory of this process in megabytes, shared parts counted by their share.
fn resident() -> Outcome<u64> {
    let rollup = fs_err::read_to_string("/proc/self/smaps_rollup")?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB"));
    Ok(kilobytes
        .ok_or("the system does not say")?
        .trim()
        .parse::<u64>()?
        / 1024)
}

fn line(out: &mut impl Write, name: &str, times: &mut [Duration], goal: &str) -> Outcome<()> {
    times.sort_unstable();
    let share = |hundredths: usize| {
        let at = (times.len() * hundredths / 100).min(times.len().saturating_sub(1));
        let time = times.get(at).copied().unwrap_or_default();
        format!("{:.2} ms", time.as_secs_f64() * 1000.0)
    };
    writeln!(out, "{name:<55} {:>9} {:>9}  {goal}", share(50), share(95))?;
    Ok(())
}
