//! What a session is allowed to do, and how each act came to be allowed or not.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How much a session may do without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Every change of a file, command and connection is asked for.
    #[default]
    Ask,
    /// Files in the granted folders are changed without asking; the rest is asked for.
    EditFiles,
    /// Whatever no rule forbids is done without asking, in the granted folders and on the web.
    ActFreely,
}

/// A folder that a session may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Folder {
    /// Absolute, without links.
    pub path: String,
    /// Whether its files may be changed, or only read.
    pub access: FolderAccess,
    /// Whether instructions in it (`AGENTS.md` and its kin) are read. Only the user says so.
    pub trusted: bool,
}

/// What may be done in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FolderAccess {
    /// Its files may be read.
    Read,
    /// Its files may be changed too.
    Write,
}

/// A standing word of the user's about what tools may do. It holds for each effect by itself: a
/// command line of three commands is allowed only if each of the three is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct PermissionRule {
    /// The tool it is about, or a kind of tools: `file`, `terminal`, `web`, `notes`; none means
    /// every tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tool: Option<String>,
    /// What it is about: the first words of a command (`git status`), a path (`/srv/site/**`), or a
    /// host (`*.example.org`). `*` stands for anything. None means whatever the tool does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pattern: Option<String>,
    /// What is then done.
    pub verdict: Verdict,
}

impl PermissionRule {
    /// The rule that allows what `--yes` names: a tool, or a tool, a colon and a pattern. None for
    /// what names nothing in particular.
    #[must_use]
    pub fn allowing(what: &str) -> Option<Self> {
        let (tool, pattern) = match what.split_once(':') {
            Some((tool, pattern)) => (tool.trim(), Some(pattern.trim())),
            None => (what.trim(), None),
        };
        let names = |text: &str| text.chars().any(char::is_alphanumeric);
        let is_named = names(tool) && tool != "all" && pattern.is_none_or(|it| !it.is_empty());
        is_named.then(|| Self {
            tool: Some(tool.to_owned()),
            pattern: pattern.map(str::to_owned),
            verdict: Verdict::Allow,
        })
    }
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Do it.
    Allow,
    /// Ask, even where the mode would not.
    Ask,
    /// Never do it. Wins over every other rule.
    Deny,
}

/// How a call came to be done, or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Approval {
    /// What was decided.
    pub outcome: ApprovalOutcome,
    /// Who decided.
    pub by: ApprovalSource,
    /// What the user said to a refusal, for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<String>,
}

/// What was decided about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalOutcome {
    /// It was done.
    Allowed,
    /// It was not.
    Denied,
    /// Nobody answered in time, or nobody could; so it was not.
    Unanswered,
}

/// Who decided about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalSource {
    /// It changes and reaches nothing that is asked for.
    Harmless,
    /// It is on the short list of what no mode allows.
    Forbidden,
    /// A rule of the user's.
    Rule,
    /// The session's mode.
    Mode,
    /// What the user allowed earlier in this session.
    Remembered,
    /// The user, asked about this call.
    User,
    /// `--yes` on the command line.
    Flag,
}

#[cfg(test)]
mod tests {
    use super::{PermissionRule, Verdict};

    #[test]
    fn yes_has_to_name_something() {
        let named = |what| PermissionRule::allowing(what).map(|rule| (rule.tool, rule.pattern));
        let some = |tool: &str, pattern: Option<&str>| {
            Some((Some(tool.to_owned()), pattern.map(str::to_owned)))
        };
        assert_eq!(named("terminal"), some("terminal", None));
        assert_eq!(
            named("terminal: cargo test"),
            some("terminal", Some("cargo test"))
        );
        assert_eq!(
            named("web:*.example.org"),
            some("web", Some("*.example.org"))
        );
        for nothing in ["", "*", "all", ":", ":x", "terminal:", " "] {
            assert_eq!(named(nothing), None, "{nothing}");
        }
        assert_eq!(
            PermissionRule::allowing("file").unwrap().verdict,
            Verdict::Allow
        );
    }
}
