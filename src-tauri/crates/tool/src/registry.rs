//! The tools by name. The agent runs every call of a model through it.

use std::sync::Arc;

use serde_json::Value;
use talaria_domain::{Act, ToolCall, ToolResult, ToolSpec};
use talaria_note::Notebook;

use crate::argument::{settled, without_asides};
use crate::clarify::Clarify;
use crate::fetch_page::FetchPage;
use crate::list_notes::ListNotes;
use crate::output::{Spill, failure, spilled};
use crate::read_note::ReadNote;
use crate::save_note::SaveNote;
use crate::search_notes::SearchNotes;
use crate::search_sessions::SearchSessions;
use crate::search_web::SearchWeb;
use crate::todo::Todo;
use crate::tool_search::{CallTool, FindTools, unwrap_call};
use crate::{Sessions, Tool, ToolContext, Web, WebSearch};

/// The tools of a session, in an order that never changes.
#[derive(Clone)]
pub struct Registry {
    spill: Arc<dyn Spill>,
    tools: Arc<[Entry]>,
    /// What leads to the rare ones where those are not offered.
    search: Arc<[Entry]>,
}

struct Entry {
    /// As the model is told it.
    spec: ToolSpec,
    /// The schema with what it says to us alone.
    schema: Value,
    tool: Arc<dyn Tool>,
}

impl Entry {
    fn of(tool: Arc<dyn Tool>) -> Self {
        let mut spec = tool.spec();
        let schema = spec.parameters;
        spec.parameters = without_asides(&schema);
        Self { spec, schema, tool }
    }
}

/// The tools over the user's notes.
#[must_use]
pub fn note_tools(notebook: Notebook) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(ListNotes::new(notebook.clone())),
        Arc::new(ReadNote::new(notebook.clone())),
        Arc::new(SaveNote::new(notebook.clone())),
        Arc::new(SearchNotes::new(notebook)),
    ]
}

/// The tools of a conversation itself: its plan, questions to the user, other conversations.
#[must_use]
pub fn session_tools(sessions: Arc<dyn Sessions>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(Todo),
        Arc::new(Clarify),
        Arc::new(SearchSessions::new(sessions)),
    ]
}

/// The tools over the public web; without a search where no service for it is set up.
#[must_use]
pub fn web_tools(web: Arc<dyn Web>, search: Option<Arc<dyn WebSearch>>) -> Vec<Arc<dyn Tool>> {
    let mut tools: Vec<Arc<dyn Tool>> = vec![Arc::new(FetchPage::new(web))];
    if let Some(search) = search {
        tools.push(Arc::new(SearchWeb::new(search)));
    }
    tools
}

impl Registry {
    /// These tools, in this order. What is too long for the model goes to `spill`.
    #[must_use]
    pub fn of(tools: Vec<Arc<dyn Tool>>, spill: Arc<dyn Spill>) -> Self {
        let tools: Vec<Entry> = tools.into_iter().map(Entry::of).collect();
        let rare = tools.iter().filter(|entry| entry.tool.is_rare());
        let rare = rare.map(|entry| entry.spec.clone()).collect();
        let search: [Arc<dyn Tool>; 2] = [Arc::new(FindTools::new(rare)), Arc::new(CallTool)];
        Self {
            spill,
            tools: tools.into(),
            search: search.into_iter().map(Entry::of).collect(),
        }
    }

    /// All tools.
    #[must_use]
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|entry| entry.spec.clone()).collect()
    }

    /// What the model is told: all tools if they take no more than `room` together, else those that
    /// are wanted often, and a search of the rest. `cost` measures in the unit of `room`.
    #[must_use]
    pub fn offered(&self, room: u64, cost: impl Fn(&ToolSpec) -> u64) -> Vec<ToolSpec> {
        if self
            .tools
            .iter()
            .map(|entry| cost(&entry.spec))
            .sum::<u64>()
            <= room
        {
            return self.specs();
        }
        let often = self.tools.iter().filter(|entry| !entry.tool.is_rare());
        let offered = often.chain(self.search.iter());
        offered.map(|entry| entry.spec.clone()).collect()
    }

    /// The call with its arguments as the tool's schema has them, and what it would do.
    ///
    /// # Errors
    /// The call as far as it could be read, and the result that tells the model what to mend.
    pub async fn plan(
        &self,
        mut call: ToolCall,
        context: &ToolContext<'_>,
    ) -> Result<(ToolCall, Act), (ToolCall, ToolResult)> {
        if let Err(refused) = unwrap_call(&mut call) {
            return Err((call, refused));
        }
        let Some(Entry { spec, schema, tool }) = self.find(&call.name) else {
            let unknown = self.unknown(call.name.trim());
            return Err((call, unknown));
        };
        match settled(&call.arguments, schema) {
            Ok(arguments) => {
                call.arguments = arguments;
                match tool.plan(&call.arguments, context).await {
                    Ok(act) => Ok((call, act)),
                    Err(refused) => Err((call, refused)),
                }
            }
            Err(fault) => {
                let name = &spec.name;
                let told = failure(format!(
                    "The arguments of {name} {fault}. Call it again with one JSON object."
                ));
                Err((call, told))
            }
        }
    }

    /// Runs a call that was planned. Whatever goes wrong, the model is told and can mend it.
    pub async fn run(&self, planned: &ToolCall, context: &ToolContext<'_>) -> ToolResult {
        let Some(Entry { tool, .. }) = self.find(&planned.name) else {
            return self.unknown(planned.name.trim());
        };
        let mut result = tool.run(planned.arguments.clone(), context).await;
        let (session, item) = (context.session_id, context.item_id);
        result.text = spilled(result.text, session, item, self.spill.as_ref());
        result
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        let name = name.trim();
        let mut all = self.tools.iter().chain(self.search.iter());
        all.find(|entry| entry.spec.name == name)
    }

    fn unknown(&self, name: &str) -> ToolResult {
        let names: Vec<&str> = self
            .tools
            .iter()
            .map(|entry| entry.spec.name.as_str())
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

#[cfg(test)]
mod tests {
    use super::words;

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
