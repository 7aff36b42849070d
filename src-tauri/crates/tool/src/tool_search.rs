//! `find_tools` and `call_tool`: how a model reaches the tools that are not offered with every
//! request, because their schemas would take too much of it. The registry offers them.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{ToolCall, ToolResult, ToolSpec};

use crate::argument::{maybe_words, parse, settled, words};
use crate::output::failure;
use crate::{Tool, ToolContext};

/// The tool that calls another one.
pub(crate) const CALL_TOOL: &str = "call_tool";
/// So many tools are described at once.
const MOST: usize = 5;
/// Letters that two words must begin with to be of one kind.
const STEM: usize = 4;

/// Tells of tools by what they do.
pub(crate) struct FindTools {
    others: Vec<ToolSpec>,
}

/// Stands for the tools that it calls: the registry turns such a call into the real one.
pub(crate) struct CallTool;

#[derive(Deserialize)]
struct Arguments {
    #[serde(default, deserialize_with = "maybe_words")]
    query: Option<String>,
}

/// A call inside a call.
#[derive(Deserialize)]
struct Inner {
    #[serde(deserialize_with = "words")]
    name: String,
    #[serde(default)]
    arguments: Value,
}

impl FindTools {
    /// Over these, which are not offered by themselves.
    pub(crate) fn new(others: Vec<ToolSpec>) -> Self {
        Self { others }
    }

    /// The tools that have words of the query, the closest first.
    fn found(&self, query: &str) -> Vec<&ToolSpec> {
        let wanted = stems(query);
        let mut ranked: BTreeMap<usize, Vec<&ToolSpec>> = BTreeMap::new();
        for spec in &self.others {
            let (name, told) = (stems(&spec.name), stems(&spec.description));
            let score: usize = wanted
                .iter()
                .map(|word| 2 * usize::from(name.contains(word)) + usize::from(told.contains(word)))
                .sum();
            if score > 0 {
                ranked.entry(score).or_default().push(spec);
            }
        }
        ranked.into_values().rev().flatten().take(MOST).collect()
    }
}

#[async_trait]
impl Tool for FindTools {
    fn spec(&self) -> ToolSpec {
        let names: Vec<&str> = self.others.iter().map(|spec| spec.name.as_str()).collect();
        ToolSpec {
            name: "find_tools".to_owned(),
            description: format!(
                "Find more tools by what they do, to call with {CALL_TOOL}: {}.",
                names.join(", ")
            ),
            parameters: json!({
                "type": "object",
                "properties": {"query": {"type": "string"}},
                "required": ["query"],
                "additionalProperties": false,
            }),
        }
    }

    async fn run(&self, arguments: Value, _context: &ToolContext<'_>) -> ToolResult {
        let query = match parse::<Arguments>("find_tools", arguments) {
            Ok(Arguments { query }) => query.unwrap_or_default(),
            Err(refused) => return refused,
        };
        let found = self.found(&query);
        if found.is_empty() {
            let all = self
                .others
                .iter()
                .map(|spec| format!("{}: {}", spec.name, spec.description));
            let all = all.collect::<Vec<_>>().join("\n");
            return ToolResult::success(format!("No tool has these words. There are:\n{all}"));
        }
        let told = found
            .iter()
            .map(|spec| format!("{}: {}\n{}", spec.name, spec.description, spec.parameters));
        ToolResult::success(told.collect::<Vec<_>>().join("\n\n"))
    }
}

#[async_trait]
impl Tool for CallTool {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: CALL_TOOL.to_owned(),
            description: "Call a tool that find_tools told of.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "x-minLength": 1},
                    "arguments": {"type": "object"},
                },
                "required": ["name"],
                "additionalProperties": false,
            }),
        }
    }

    async fn run(&self, _arguments: Value, _context: &ToolContext<'_>) -> ToolResult {
        failure(format!("{CALL_TOOL} calls another tool, not itself."))
    }
}

/// Turns a call of [`CallTool`] into the one it stands for, which is then recorded, judged and shown.
///
/// # Errors
/// The result that says what to mend.
pub(crate) fn unwrap_call(call: &mut ToolCall) -> Result<(), ToolResult> {
    if call.name.trim() != CALL_TOOL {
        return Ok(());
    }
    let object = settled(&call.arguments, &CallTool.spec().parameters)
        .map_err(|fault| failure(format!("The arguments of {CALL_TOOL} {fault}.")))?;
    let Inner { name, arguments } = parse(CALL_TOOL, object)?;
    (call.name, call.arguments) = (name, arguments);
    Ok(())
}

/// The words of a text in small letters, cut to what words of one kind share.
fn stems(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.chars().count() > 2)
        .map(|word| word.to_lowercase().chars().take(STEM).collect())
        .collect()
}
