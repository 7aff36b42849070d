//! The tools by name. The agent runs every call of a model through it.

use std::sync::Arc;

use serde_json::Value;
use talaria_domain::{ToolCall, ToolResult, ToolSpec};
use talaria_note::Notebook;

use crate::list_notes::ListNotes;
use crate::output::{bounded, failure};
use crate::read_note::ReadNote;
use crate::save_note::SaveNote;
use crate::search_notes::SearchNotes;
use crate::{Tool, ToolContext};

/// The tools of a session, in an order that never changes.
#[derive(Clone)]
pub struct Registry {
    tools: Arc<[(ToolSpec, Box<dyn Tool>)]>,
}

impl Registry {
    /// The tools that every session has, over these notes.
    #[must_use]
    pub fn built_in(notebook: Notebook) -> Self {
        Self::of(vec![
            Box::new(ListNotes::new(notebook.clone())),
            Box::new(ReadNote::new(notebook.clone())),
            Box::new(SaveNote::new(notebook.clone())),
            Box::new(SearchNotes::new(notebook)),
        ])
    }

    fn of(tools: Vec<Box<dyn Tool>>) -> Self {
        Self {
            tools: tools.into_iter().map(|tool| (tool.spec(), tool)).collect(),
        }
    }

    /// What the model is told.
    #[must_use]
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|(spec, _)| spec.clone()).collect()
    }

    /// Runs a call. Whatever is wrong with it, the model is told and can mend it.
    pub async fn run(&self, call: &ToolCall, context: &ToolContext) -> ToolResult {
        let name = call.name.trim();
        let Some((_, tool)) = self.tools.iter().find(|(spec, _)| spec.name == name) else {
            return self.unknown(name);
        };
        match object(&call.arguments) {
            Ok(arguments) => {
                let ToolResult { text, is_error } = tool.run(arguments, context).await;
                ToolResult {
                    text: bounded(text),
                    is_error,
                }
            }
            Err(fault) => failure(format!(
                "The arguments of {name} {fault}. Call it again with one JSON object."
            )),
        }
    }

    fn unknown(&self, name: &str) -> ToolResult {
        let names: Vec<&str> = self
            .tools
            .iter()
            .map(|(spec, _)| spec.name.as_str())
            .collect();
        let shown: String = name.chars().take(60).collect();
        let wanted = words(name);
        let close: Vec<&str> = names
            .iter()
            .copied()
            .filter(|known| {
                words(known)
                    .iter()
                    .filter(|word| wanted.contains(word))
                    .count()
                    > 0
            })
            .collect();
        failure(if close.is_empty() {
            format!(
                "There is no tool {shown:?}. The tools are: {}.",
                names.join(", ")
            )
        } else {
            format!(
                "There is no tool {shown:?}. Did you mean {}?",
                close.join(" or ")
            )
        })
    }
}

/// The words of a tool's name, however they are joined, without a plural's "s".
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower_before = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && lower_before) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
        .into_iter()
        .map(|word| word.trim_end_matches('s').to_owned())
        .collect()
}

/// The arguments as an object: also from nothing, or from JSON that was put into a string.
fn object(arguments: &Value) -> Result<Value, String> {
    match arguments {
        Value::Object(_) => Ok(arguments.clone()),
        Value::Null => Ok(Value::Object(serde_json::Map::new())),
        Value::String(text) if text.trim().is_empty() => Ok(Value::Object(serde_json::Map::new())),
        Value::String(text) => match serde_json::from_str::<Value>(without_fence(text)) {
            Ok(Value::Object(object)) => Ok(Value::Object(object)),
            Ok(_) => Err("are not an object".to_owned()),
            Err(error) => Err(format!("are not valid JSON ({error})")),
        },
        Value::Array(_) => Err("are a list, not an object".to_owned()),
        Value::Bool(_) | Value::Number(_) => Err("are a single value, not an object".to_owned()),
    }
}

/// The text without a Markdown fence or a leading `json` around it.
fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let inner = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    let inner = inner.unwrap_or(text).trim();
    inner.strip_prefix("json").unwrap_or(inner).trim()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{object, words};

    #[test]
    fn arguments_are_read_as_an_object_where_that_is_plain() {
        let table = [
            (json!({"a": 1}), json!({"a": 1})),
            (Value::Null, json!({})),
            (json!(" "), json!({})),
            (json!("{\"a\": 1}"), json!({"a": 1})),
            (json!("```json\n{\"a\": 1}\n```"), json!({"a": 1})),
            (json!("json\n{\"a\": 1}"), json!({"a": 1})),
        ];
        for (given, read) in table {
            assert_eq!(object(&given), Ok(read), "{given}");
        }
    }

    #[test]
    fn other_arguments_are_refused_with_what_is_wrong() {
        let table = [
            (json!([1]), "a list"),
            (json!(3), "a single value"),
            (json!(true), "a single value"),
            (json!("[1]"), "not an object"),
            (json!("{\"a\": tru"), "not valid JSON"),
            (json!("{'a': 1}"), "not valid JSON"),
        ];
        for (given, fault) in table {
            assert!(object(&given).unwrap_err().contains(fault), "{given}");
        }
    }

    #[test]
    fn a_name_has_the_same_words_however_it_is_written() {
        for name in [
            "save_notes",
            "saveNote",
            "save-note",
            "SaveNotes",
            "notes.save",
        ] {
            let mut found = words(name);
            found.sort();
            assert_eq!(found, ["note", "save"], "{name}");
        }
    }
}
