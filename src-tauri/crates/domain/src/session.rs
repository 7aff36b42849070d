//! A session: one conversation and what belongs to it as a whole.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Mode, ModelRef, SessionId, Timestamp};

/// Where a session was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SessionSource {
    /// In the window.
    Desktop,
    /// On the command line.
    Cli,
    /// Read from an exported file.
    Import,
}

/// Who gave a session its title. A title of the user's is never replaced by an automatic one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TitleOrigin {
    /// Nobody yet: the window shows "New session".
    None,
    /// Taken from the first words of the conversation.
    Automatic,
    /// Written by the user.
    User,
}

/// One conversation as the session list and the agent see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Its title; empty while `title_origin` is `none`.
    pub title: String,
    /// Who wrote the title.
    pub title_origin: TitleOrigin,
    /// The model the next turn will use; none until one is set up.
    pub model: Option<ModelRef>,
    /// Where it began.
    pub source: SessionSource,
    /// How much it may do without asking.
    #[serde(default)]
    pub mode: Mode,
    /// Kept at the top of the list.
    pub pinned: bool,
    /// Out of the list, still searchable.
    pub archived: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When something last happened in it.
    pub updated_at: Timestamp,
}

/// A title made by itself is at most this long, in characters.
const AUTOMATIC_TITLE: usize = 40;

impl Session {
    /// The title a session gets from its first message: the first line that has words, without
    /// Markdown's marks at its start, cut at a word where there is one.
    #[must_use]
    pub fn automatic_title(message: &str) -> String {
        let marks = |character: char| {
            character.is_whitespace() || matches!(character, '#' | '>' | '*' | '-' | '`')
        };
        let line = message
            .lines()
            .map(|line| line.trim_matches(marks))
            .find(|line| !line.is_empty());
        let line = line.unwrap_or_else(|| message.trim());
        if line.chars().count() <= AUTOMATIC_TITLE {
            return line.to_owned();
        }
        let cut: String = line.chars().take(AUTOMATIC_TITLE).collect();
        let at_word = cut.rsplit_once(' ').map(|(words, _)| words);
        let kept = at_word.filter(|words| words.chars().count() > AUTOMATIC_TITLE / 2);
        format!("{}…", kept.unwrap_or(&cut).trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::Session;

    #[test]
    fn a_title_is_the_first_line_that_has_words() {
        let long = "Please compare the three proposals for the new office in detail";
        let chinese = "请把".repeat(30);
        let cases = [
            ("Hello", "Hello"),
            ("\n\n## Plan for May\nmore", "Plan for May"),
            ("```\ncode\n```", "code"),
            ("把今天的会议存成笔记", "把今天的会议存成笔记"),
            (long, "Please compare the three proposals for…"),
            ("---", "---"),
        ];
        for (message, title) in cases {
            assert_eq!(Session::automatic_title(message), title, "{message}");
        }
        assert_eq!(Session::automatic_title(&chinese).chars().count(), 41);
    }
}
