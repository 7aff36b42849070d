//! Prints how fast tokens are counted, and what it costs to measure and assemble the context of a
//! session of a thousand messages whose counts are known. `./dev bench` runs it.

use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use talaria_agent::port::TokenCounter;
use talaria_agent::{Budget, Context, Estimate, Gauge, PastTurn};
use talaria_domain::{Item, ItemContent, ItemId, SessionId, Timestamp, TurnId};

const MESSAGES: u32 = 1_000;
const RUNS: usize = 200;
/// Of the text that is counted, about a third of whose bytes are Chinese.
const BYTES: usize = 4 * 1024 * 1024;

/// A published tokenizer, as most models' own.
struct Published(&'static tiktoken::CoreBpe);

impl TokenCounter for Published {
    fn count(&self, text: &str) -> u64 {
        u64::try_from(self.0.count(text)).unwrap_or(u64::MAX)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout();
    writeln!(out, "{:<50} {:>10}  goal", "the context", "p50")?;
    let published = tiktoken::get_encoding("o200k_base").ok_or("there is no such encoding")?;
    let text = text().repeat(BYTES / text().len());
    for (name, counter) in [
        (
            "tokens, by a published tokenizer",
            &Published(published) as &dyn TokenCounter,
        ),
        ("tokens, by the estimate", &Estimate),
    ] {
        let begun = Instant::now();
        let tokens = counter.count(&text);
        let rate = text.len() as f64 / 1e6 / begun.elapsed().as_secs_f64();
        writeln!(
            out,
            "{name:<50} {rate:>6.1} MB/s  ≥ 20 MB/s ({tokens} tokens)"
        )?;
    }
    let past = past();
    let gauge = Gauge::default();
    let context = |past| {
        let budget = Budget::new(200_000, Arc::new(Estimate), gauge.clone());
        Context::new(session(), "Rules.".into(), past, budget)
    };
    // The first time, everything is counted.
    let _counted = context(past.clone()).measure(&[], &[]);
    let context = context(past);
    let mut measured = timed(|| drop(context.measure(&[], &[])));
    let mut assembled = timed(|| drop(context.messages(&[])));
    for (name, times) in [
        ("a thousand messages measured", &mut measured),
        ("a thousand messages assembled", &mut assembled),
    ] {
        times.sort();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let millis = median.as_secs_f64() * 1e3;
        writeln!(out, "{name:<50} {millis:>7.3} ms  ≤ 0.3 ms")?;
    }
    Ok(())
}

fn timed(work: impl Fn()) -> Vec<Duration> {
    let run = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed()
    };
    (0..RUNS).map(run).collect()
}

fn session() -> SessionId {
    SessionId::from_parts(Timestamp::from_millis(1), [0; 10])
}

fn text() -> &'static str {
    "The tomatoes go to bed four, where the wall keeps them warm; beans follow in June. \
     番茄种在四号地，靠墙暖和，六月再种豆角。 fn plan(bed: u8) -> Option<&str> { beds.get(bed) }\n"
}

fn past() -> Vec<PastTurn> {
    let turn = |number: u32| {
        let at = Timestamp::from_millis(i64::from(number));
        let item = |place: u8, content| {
            let [one, two, three, four] = number.to_be_bytes();
            Item {
                id: ItemId::from_parts(at, [one, two, three, four, place, 0, 0, 0, 0, 0]),
                turn_id: TurnId::from_parts(at, [0; 10]),
                content,
                started_at: at,
                finished_at: Some(at),
            }
        };
        let question = ItemContent::UserText {
            text: text().repeat(2),
            attachments: Vec::new(),
        };
        let answer = ItemContent::ModelText {
            text: text().repeat(4),
        };
        PastTurn {
            items: vec![item(0, question), item(1, answer)],
            is_own: true,
        }
    };
    (0..MESSAGES / 2).map(turn).collect()
}
