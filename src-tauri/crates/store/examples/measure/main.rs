//! Prints how long the store takes for what a user waits for, beside the bare database in the same
//! run: appending a message, bulk import, searching, listing and opening.
//!
//! Call: `measure [MESSAGES]`. The texts are made up from a fixed sequence, three tenths Chinese.

mod floor;
mod text;

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use talaria_domain::{
    FinishReason, Item, ItemContent, ItemId, Mode, ModelName, ModelRef, Session, SessionId,
    SessionSource, Timestamp, TitleOrigin, Turn, TurnId, TurnState, Usage,
};
use talaria_store::{Home, Store, TurnRecord};

use text::Writer;

/// Messages of one session. A turn has two.
const IN_SESSION: usize = 100;
/// Messages that are appended one by one.
const APPENDED: usize = 2_000;
const RUNS: usize = 200;
const BEGIN: i64 = 1_767_225_600_000;
const HITS: usize = 50;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let messages = match std::env::args().nth(1) {
        Some(messages) => messages.parse()?,
        None => 100_000,
    };
    let folder = tempfile::tempdir()?;
    let home = Home::at(folder.path());
    let mut table = Table::new()?;
    let mut filler = Filler {
        writer: Writer::new(),
        at: BEGIN,
    };

    table.line(&format!("{messages} messages"), "", "", "")?;
    import(&mut table, &home, &mut filler, messages)?;
    append(&mut table, &home, &mut filler)?;
    look(&mut table, &home)?;
    search(&mut table, &home)
}

/// Bulk import, with the index brought up to date, and what the file takes.
fn import(table: &mut Table, home: &Home, filler: &mut Filler, messages: usize) -> Outcome<()> {
    let store = Store::open(home, filler.now())?.store;
    let sessions: Vec<_> = (0..messages / IN_SESSION)
        .map(|_| filler.session())
        .collect::<Outcome<_>>()?;
    let bytes: usize = sessions.iter().flat_map(|(_, turns)| turns).map(size).sum();
    let texts = sessions.iter().flat_map(|(_, turns)| turns).flat_map(texts);
    let bare = floor::import(&texts.collect::<Vec<_>>())?;
    let begun = Instant::now();
    for (session, turns) in &sessions {
        store.import_session(session, turns.clone(), || filler.writer.random())?;
    }
    store.update_index()?;
    let took = begun.elapsed();
    drop(store);
    let rows = |took: Duration| format!("{:.0}/s", messages as f64 / took.as_secs_f64());
    table.line("import, indexed", &rows(took), &rows(bare), "≥ 30,000/s")?;
    let kept = fs_err::metadata(home.database())?.len();
    let ratio = format!("{:.2}", kept as f64 / bytes as f64);
    table.line("bytes a byte of text", &ratio, "1.00", "≤ 1.9")
}

/// One message after another, each to be found at once.
fn append(table: &mut Table, home: &Home, filler: &mut Filler) -> Outcome<()> {
    let store = Store::open(home, filler.now())?.store;
    let (session, _) = filler.session()?;
    store.create_session(&session)?;
    let (mut sure, mut quick, mut indexed) = (Vec::new(), Vec::new(), Vec::new());
    let mut written = Vec::new();
    for _ in 0..APPENDED / 2 {
        let TurnRecord { mut turn, items } = filler.turn(session.id)?;
        let [user, answer] = items.as_slice() else {
            return Err("a turn has two messages".into());
        };
        turn.state = TurnState::Running;
        let begun = Instant::now();
        store.begin_turn(&turn, user)?;
        sure.push(begun.elapsed());
        store.update_index()?;
        let begun = Instant::now();
        store.finish_item(answer)?;
        quick.push(begun.elapsed());
        // The next search does this first; after a turn it is done behind it.
        let begun = Instant::now();
        store.update_index()?;
        indexed.push(begun.elapsed());
        turn.state = TurnState::Finished;
        store.finish_turn(&turn)?;
        written.extend(texts(&TurnRecord { turn, items }));
    }
    let mut bare = floor::append(home.root(), &written)?;
    let name = "append a message, p50";
    table.time(
        name,
        share(&mut quick, 50),
        share(&mut bare.quick, 50),
        "≤ 0.05 ms",
    )?;
    let name = "append a message, p99";
    table.time(
        name,
        share(&mut quick, 99),
        share(&mut bare.quick, 99),
        "≤ 1 ms",
    )?;
    let none = Duration::ZERO;
    let name = "put it into the index, behind it, p50";
    table.time(name, share(&mut indexed, 50), none, "")?;
    let name = "put it into the index, behind it, p99";
    table.time(name, share(&mut indexed, 99), none, "≤ 1 ms")?;
    let name = "the user's message, safe from power failure, p50";
    table.time(
        name,
        share(&mut sure, 50),
        share(&mut bare.sure, 50),
        "≤ 0.38 ms",
    )
}

/// Listing, opening a session, opening the database.
fn look(table: &mut Table, home: &Home) -> Outcome<()> {
    let now = Timestamp::from_millis(BEGIN);
    let opening = || -> Outcome<Duration> {
        let begun = Instant::now();
        let opened = Store::open(home, now)?;
        let took = begun.elapsed();
        drop(opened);
        Ok(took)
    };
    let mut opened = (0..RUNS / 4)
        .map(|_| opening())
        .collect::<Outcome<Vec<_>>>()?;
    let bare = floor::open(&home.database())?;
    let store = Store::open(home, now)?.store;
    let listed = store.sessions(2)?;
    let last = listed.last().ok_or("there is a session")?.session.id;
    let mut listing = timed(|| Ok(store.sessions(20).map(drop)?))?;
    let mut turns = timed(|| Ok(store.turns(last, IN_SESSION / 2).map(drop)?))?;
    let bare_list = floor::list(&home.database())?;
    let bare_turns = floor::turns(&home.database())?;
    table.time(
        "list the 20 latest sessions",
        share(&mut listing, 50),
        bare_list,
        "≤ 0.05 ms",
    )?;
    table.time(
        "open a session of 100 messages",
        share(&mut turns, 50),
        bare_turns,
        "≤ 0.08 ms",
    )?;
    table.time(
        "open the database",
        share(&mut opened, 50),
        bare,
        "≤ 0.3 ms",
    )
}

fn search(table: &mut Table, home: &Home) -> Outcome<()> {
    let store = Store::open(home, Timestamp::from_millis(BEGIN))?.store;
    for (name, query, goal) in [
        ("search, a common word", text::COMMON, "≤ 1 ms"),
        ("search, two Chinese characters", text::CHINESE, "≤ 1 ms"),
        ("search, a phrase", text::PHRASE, "≤ 2 ms"),
        ("search, a rare word", text::RARE, "≤ 2 ms"),
    ] {
        let mut found = 0;
        let mut took = timed(|| {
            found = store.search(query, HITS)?.len();
            Ok(())
        })?;
        let bare = floor::search(&home.database(), query)?;
        table.time(
            &format!("{name} ({found} hits)"),
            share(&mut took, 50),
            bare,
            goal,
        )?;
    }
    Ok(())
}

fn timed(mut work: impl FnMut() -> Outcome<()>) -> Outcome<Vec<Duration>> {
    (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            work()?;
            Ok(begun.elapsed())
        })
        .collect()
}

/// The time within which so many hundredths of the runs were done.
fn share(times: &mut [Duration], hundredths: usize) -> Duration {
    times.sort_unstable();
    let at = (times.len() * hundredths / 100).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or_default()
}

fn texts(record: &TurnRecord) -> Vec<String> {
    let text = |item: &Item| match &item.content {
        ItemContent::UserText { text, .. } | ItemContent::ModelText { text } => text.clone(),
        _ => String::new(),
    };
    record.items.iter().map(text).collect()
}

fn size(record: &TurnRecord) -> usize {
    texts(record).iter().map(String::len).sum()
}

/// What is printed.
struct Table {
    out: std::io::Stdout,
}

impl Table {
    fn new() -> Outcome<Self> {
        let mut table = Self {
            out: std::io::stdout(),
        };
        table.line("store", "Talaria", "bare SQLite", "goal")?;
        Ok(table)
    }

    fn time(&mut self, name: &str, ours: Duration, bare: Duration, goal: &str) -> Outcome<()> {
        let millis = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1000.0);
        if bare.is_zero() {
            return self.line(name, &millis(ours), "", goal);
        }
        let ratio = ours.as_secs_f64() / bare.as_secs_f64();
        let ours = format!("{} ({ratio:.1}×)", millis(ours));
        self.line(name, &ours, &millis(bare), goal)
    }

    fn line(&mut self, name: &str, ours: &str, bare: &str, goal: &str) -> Outcome<()> {
        writeln!(self.out, "{name:<50} {ours:<20} {bare:<14} {goal}")?;
        Ok(())
    }
}

/// Makes sessions, one after another.
struct Filler {
    writer: Writer,
    at: i64,
}

impl Filler {
    fn session(&mut self) -> Outcome<(Session, Vec<TurnRecord>)> {
        let created_at = self.now();
        let id = SessionId::from_parts(created_at, self.writer.random());
        let turns = (0..IN_SESSION / 2)
            .map(|_| self.turn(id))
            .collect::<Outcome<_>>()?;
        let session = Session {
            id,
            title: self.writer.text(5),
            title_origin: TitleOrigin::User,
            model: Some(model()?),
            source: SessionSource::Import,
            mode: Mode::Ask,
            pinned: false,
            archived: false,
            created_at,
            updated_at: self.now(),
        };
        Ok((session, turns))
    }

    fn turn(&mut self, session_id: SessionId) -> Outcome<TurnRecord> {
        self.at += 60_000;
        let at = self.now();
        let id = TurnId::from_parts(at, self.writer.random());
        let question = ItemContent::UserText {
            text: self.writer.text(25),
            attachments: Vec::new(),
        };
        let answer = ItemContent::ModelText {
            text: self.writer.text(90),
        };
        let items = [question, answer].map(|content| Item {
            id: ItemId::from_parts(at, self.writer.random()),
            turn_id: id,
            content,
            started_at: at,
            finished_at: Some(at),
        });
        Ok(TurnRecord {
            turn: Turn {
                id,
                session_id,
                state: TurnState::Finished,
                model: model()?,
                usage: Usage::default(),
                finish: Some(FinishReason::Stop),
                failure: None,
                started_at: at,
                finished_at: Some(at),
            },
            items: items.into(),
        })
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.at)
    }
}

fn model() -> Outcome<ModelRef> {
    Ok(ModelRef {
        service: "scripted".parse()?,
        model: ModelName::new("scripted-large").ok_or("not a name")?,
    })
}
