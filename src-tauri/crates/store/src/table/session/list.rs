//! Reading sessions: one, and the list with what each said last.

use rusqlite::{Connection, Row};
use talaria_domain::{Session, SessionId, TurnId};

use crate::column::{model, timestamp, word_at};
use crate::{Store, StoreError};

/// How much of the last words a list shows, in characters.
const LAST_WORDS: usize = 120;

/// A session as the list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedSession {
    /// The session.
    pub session: Session,
    /// The beginning of its last message, in one line.
    pub last_words: String,
    /// The turn that runs in it now.
    pub running: Option<TurnId>,
}

impl Store {
    /// A session as the list shows it.
    ///
    /// # Errors
    /// `NotFound` for one that isn't there or is deleted.
    pub fn listed_session(&self, id: SessionId) -> Result<ListedSession, StoreError> {
        let filter = "WHERE session.deleted_at IS NULL AND session.id = ?";
        let found = self
            .database()
            .read(|connection| list(connection, filter, [id.to_bytes()]))?;
        found
            .into_iter()
            .next()
            .ok_or(StoreError::NotFound("session"))
    }

    /// The sessions in the list: pinned ones first, then by when something last happened.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn sessions(&self, limit: usize) -> Result<Vec<ListedSession>, StoreError> {
        self.list_sessions(0, limit)
    }

    /// The sessions that were put away, in the same order.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn archived_sessions(&self, limit: usize) -> Result<Vec<ListedSession>, StoreError> {
        self.list_sessions(1, limit)
    }

    fn list_sessions(&self, archived: i64, limit: usize) -> Result<Vec<ListedSession>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let filter = "WHERE session.deleted_at IS NULL AND session.archived = ?
                      ORDER BY session.pinned DESC, session.updated_at DESC LIMIT ?";
        self.database()
            .read(|connection| list(connection, filter, [archived, limit]))
    }
}

/// What `from_row` reads, in its order.
pub(super) const COLUMNS: &str = "session.id, session.title, session.title_origin,
    session.service, session.model, session.source, session.mode, session.pinned,
    session.archived, session.created_at, session.updated_at";

pub(super) fn from_row(row: &Row<'_>) -> Result<Session, StoreError> {
    Ok(Session {
        id: SessionId::from_bytes(row.get(0)?),
        title: row.get(1)?,
        title_origin: word_at("session", row, 2)?,
        model: model(row, 3)?,
        source: word_at("session", row, 5)?,
        mode: word_at("session", row, 6)?,
        pinned: row.get(7)?,
        archived: row.get(8)?,
        created_at: timestamp(row, 9)?,
        updated_at: timestamp(row, 10)?,
    })
}

fn list(
    connection: &Connection,
    filter: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<ListedSession>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS},
            (SELECT substr(item.body, 1, 400) FROM turn JOIN item ON item.turn = turn.number
             WHERE turn.session = session.number AND turn.hidden_at IS NULL
               AND item.kind IN ('user_text', 'model_text') AND item.body <> ''
             ORDER BY turn.number DESC, item.number DESC LIMIT 1) AS last_body,
            (SELECT turn.id FROM turn
             WHERE turn.session = session.number AND turn.state = 'running') AS running
         FROM session {filter}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(values)?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        sessions.push(ListedSession {
            session: from_row(row)?,
            last_words: in_one_line(
                row.get_ref(11)?
                    .as_str_or_null()
                    .unwrap_or_default()
                    .unwrap_or_default(),
            ),
            running: row.get::<_, Option<[u8; 16]>>(12)?.map(TurnId::from_bytes),
        });
    }
    Ok(sessions)
}

fn in_one_line(text: &str) -> String {
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        for letter in (length > 0).then_some(' ').into_iter().chain(word.chars()) {
            if length == LAST_WORDS {
                return line;
            }
            line.push(letter);
            length += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::in_one_line;

    #[test]
    fn last_words_are_one_bounded_line() {
        assert_eq!(in_one_line(" 第一行\n\n第二行\tend "), "第一行 第二行 end");
        assert_eq!(in_one_line(&"字".repeat(500)).chars().count(), 120);
    }
}
