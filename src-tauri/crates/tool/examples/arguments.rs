//! Prints how many damaged arguments are read as they were meant, how many are lost without a word,
//! and what reading one costs. `./dev bench` runs it.
//!
//! Each kind of damage that models are known for is done to the same calls of one tool.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde_json::{Value, json};
use talaria_domain::{ItemId, SessionId, Timestamp, ToolCall, ToolResult, ToolSpec, TurnId};
use talaria_tool::{Registry, Spill, Tool, ToolContext};

const RUNS: u32 = 400;

/// A tool with every kind of argument.
struct Plan;

#[async_trait]
impl Tool for Plan {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "plan".into(),
            description: String::new(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "bed": {"type": "string"},
                    "count": {"type": "integer"},
                    "shade": {"type": "boolean"},
                    "plants": {"type": "array", "items": {"type": "string"}},
                    "size": {"type": "object", "properties": {
                        "width": {"type": "number"}, "unit": {"enum": ["m", "ft"]},
                    }},
                },
                "required": ["bed"],
                "additionalProperties": false,
            }),
        }
    }

    async fn run(&self, arguments: Value, _context: &ToolContext<'_>) -> ToolResult {
        ToolResult::success(arguments.to_string())
    }
}

/// Keeps nothing: no result is long.
struct Nowhere;

impl Spill for Nowhere {
    fn keep(&self, _session: SessionId, _item: ItemId, _text: &str) -> Option<String> {
        None
    }
}

/// What is done to a call's arguments as text.
type Damage = (&'static str, fn(&str) -> Value);

const DAMAGES: [Damage; 12] = [
    ("none", |text| json!(text)),
    ("a comma too many", |text| json!(text.replace('}', ",}"))),
    ("a bracket too many", |text| json!(format!("{text}}}"))),
    ("names without quotes", |text| {
        json!(
            text.replace("\"count\":", "count:")
                .replace("\"bed\":", "bed:")
        )
    }),
    ("Python's words", |text| {
        let text = text.replace("true", "True").replace("false", "False");
        json!(text.replace('"', "'"))
    }),
    ("a fence around it", |text| {
        json!(format!("```json\n{text}\n```"))
    }),
    ("words before it", |text| {
        json!(format!("Here it is: {text}"))
    }),
    ("a comment in it", |text| {
        json!(text.replacen('{', "{ // the plan\n", 1))
    }),
    ("written twice", |text| json!(json!(text).to_string())),
    ("numbers as text", |text| {
        json!(text.replace(":3", ":\"3\""))
    }),
    ("lists as text", |text| {
        json!(text.replace("[\"beans\",\"番茄\"]", "\"[\\\"beans\\\",\\\"番茄\\\"]\""))
    }),
    ("one value for a list", |text| {
        json!(text.replace("[\"kale\"]", "\"kale\""))
    }),
];

fn calls() -> [Value; 3] {
    [
        json!({"bed": "四号地", "count": 3, "shade": true, "plants": ["beans", "番茄"]}),
        json!({"bed": "two, by the wall", "plants": ["kale"], "size": {"unit": "m", "width": 2.5}}),
        json!({"bed": "one", "count": 3, "shade": false}),
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let registry = Registry::of(vec![Arc::new(Plan)], Arc::new(Nowhere));
    let (mut right, mut lost, mut all, mut spent) = (0, 0, 0, Duration::ZERO);
    let mut out = std::io::stdout();
    for (name, damage) in DAMAGES {
        for meant in calls() {
            let arguments = damage(&meant.to_string());
            let begun = Instant::now();
            let mut read = None;
            for _ in 0..RUNS {
                read = settled(&registry, arguments.clone()).await;
            }
            spent += begun.elapsed();
            all += 1;
            match read {
                Some(read) if read == meant => right += 1,
                Some(read) => {
                    lost += 1;
                    writeln!(out, "  {name}: {read}, not {meant}")?;
                }
                None => writeln!(out, "  {name}: refused {arguments}")?,
            }
        }
    }
    let share = f64::from(right) / f64::from(all);
    let micros = spent.as_secs_f64() * 1e6 / f64::from(all * RUNS);
    writeln!(
        out,
        "damaged arguments read as meant                    {share:>7.3}     ≥ .98"
    )?;
    writeln!(
        out,
        "read as something else                             {lost:>7}     0"
    )?;
    writeln!(
        out,
        "cost of one, with its plan                         {micros:>7.2} µs  ≤ 5 µs"
    )?;
    Ok(())
}

/// The arguments as the tool would get them; none where the call is refused.
async fn settled(registry: &Registry, arguments: Value) -> Option<Value> {
    let at = Timestamp::from_millis(1);
    let call = ToolCall {
        id: "c".into(),
        name: "plan".into(),
        arguments,
        echo: None,
        recovered: false,
    };
    let context = ToolContext {
        session_id: SessionId::from_parts(at, [0; 10]),
        turn_id: TurnId::from_parts(at, [0; 10]),
        item_id: ItemId::from_parts(at, [0; 10]),
        folders: &[],
        working_folder: PathBuf::new(),
        withheld: Arc::new(|_: &Path| false),
        digest: String::new(),
        output: &|_| {},
    };
    let planned = registry.plan(call, &context).await;
    planned.ok().map(|(call, _)| call.arguments)
}
