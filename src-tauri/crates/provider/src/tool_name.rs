//! Names of tools as every service takes them.
//!
//! Services agree on letters, digits, `_` and `-`, 64 at most, a letter or `_` first. A tool of
//! another name goes by one made from it, the same in each request, and a call comes back under
//! the tool's own name. Names that a model made up are written by the same rule.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use talaria_domain::{ModelEvent, ToolSpec};

/// The longest name that is taken.
const LONGEST: usize = 64;

/// How many bytes of a digest tell two names apart that would look alike.
const MARK: usize = 4;

/// The name on the wire.
pub(crate) fn wire(name: &str) -> String {
    if fits(name) {
        return name.to_owned();
    }
    let safe = |found: char| found.is_ascii_alphanumeric() || matches!(found, '_' | '-');
    let mut wire = String::from(
        if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            ""
        } else {
            "_"
        },
    );
    let room = LONGEST - 1 - 2 * MARK - 1;
    wire.extend(
        name.chars()
            .take(room)
            .map(|found| if safe(found) { found } else { '_' }),
    );
    wire.push('_');
    for byte in Sha256::digest(name.as_bytes()).iter().take(MARK) {
        // Writing to a text can't fail.
        let _ = write!(wire, "{byte:02x}");
    }
    wire
}

fn fits(name: &str) -> bool {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(safe)
}

/// The tools that go by another name, by that name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(HashMap<String, String>);

impl Names {
    /// Gives the tools of a request their names on the wire. Of two with one name the first stays.
    pub(crate) fn settle(tools: &mut Vec<ToolSpec>) -> Self {
        let mut names = Self::default();
        let mut seen: Vec<String> = Vec::new();
        tools.retain_mut(|tool| {
            let wire = wire(&tool.name);
            if seen.contains(&wire) {
                tracing::warn!(tool = tool.name, "a tool is offered twice");
                return false;
            }
            seen.push(wire.clone());
            if wire != tool.name {
                let own = std::mem::replace(&mut tool.name, wire.clone());
                names.0.insert(wire, own);
            }
            true
        });
        names
    }

    /// The event with a call under its tool's own name.
    pub(crate) fn restore(&self, mut event: ModelEvent) -> ModelEvent {
        if let ModelEvent::ToolCall(call) = &mut event
            && let Some(own) = self.0.get(&call.name)
        {
            call.name.clone_from(own);
        }
        event
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use talaria_domain::{ModelEvent, ToolCall, ToolSpec};

    use super::{Names, fits, wire};

    fn tool(name: &str) -> ToolSpec {
        ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: json!({}),
        }
    }

    #[test]
    fn a_name_that_every_service_takes_stays() {
        for name in ["save_note", "a-b", "_x1", &"x".repeat(64)] {
            assert_eq!(wire(name), name);
        }
    }

    #[test]
    fn any_other_name_becomes_one_that_is_taken() {
        for (name, start) in [
            ("1st.tool with/space", "_1st_tool_with_space_"),
            ("工具", "____"),
            ("", "__"),
            ("mcp:files.read", "mcp_files_read_"),
            ("-a", "_-a_"),
        ] {
            assert!(wire(name).starts_with(start), "{}", wire(name));
        }
        let (one, two) = ("x".repeat(64) + "1", "x".repeat(64) + "2");
        assert_ne!(wire(&one), wire(&two));
        assert_ne!(wire("工具"), wire("文件"));
    }

    #[test]
    fn a_call_comes_back_under_the_tools_own_name() {
        let mut tools = vec![tool("读取"), tool("now"), tool("now"), tool("a.b")];
        let names = Names::settle(&mut tools);
        let sent: Vec<String> = tools.iter().map(|tool| tool.name.clone()).collect();
        assert_eq!(sent, [wire("读取"), "now".to_owned(), wire("a.b")]);
        for (called, own) in [
            (wire("读取"), "读取"),
            ("now".to_owned(), "now"),
            (wire("a.b"), "a.b"),
            ("made_up".to_owned(), "made_up"),
        ] {
            let event = ModelEvent::ToolCall(ToolCall {
                id: "1".to_owned(),
                name: called,
                arguments: json!({}),
                echo: None,
                recovered: false,
            });
            let ModelEvent::ToolCall(call) = names.restore(event) else {
                panic!("a call stays one");
            };
            assert_eq!(call.name, own);
        }
    }

    proptest! {
        #[test]
        fn whatever_the_name_it_fits_and_stays_the_same(name: String) {
            let wired = wire(&name);
            prop_assert!(fits(&wired), "{}", wired);
            prop_assert_eq!(wire(&wired), wired);
        }
    }
}
