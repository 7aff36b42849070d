//! Reading the traces: the turns, by what stands in them, and the spans of one.

use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Row, params_from_iter};
use talaria_domain::{Cost, ModelName, ModelRef, SessionId, Span, Timestamp, TurnId, TurnState};

use super::file::TraceFile;
use crate::StoreError;
use crate::column::{parse_json, parse_word};

const COLUMNS: &str =
    "turn, session, service, model, state, spans, tokens, cost, started_at, ended_at";

/// A turn as a list of traces shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedTurn {
    /// The turn.
    pub turn_id: TurnId,
    /// Its session.
    pub session_id: SessionId,
    /// The model it asked last; none before its first answer.
    pub model: Option<ModelRef>,
    /// How it ended; running while no end is known.
    pub state: TurnState,
    /// How many spans it has.
    pub spans: u64,
    /// Tokens of all its requests, in and out.
    pub tokens: u64,
    /// What they cost, as far as that is known.
    pub cost: Option<Cost>,
    /// When it began.
    pub started_at: Timestamp,
    /// When its last span ended.
    pub ended_at: Timestamp,
}

impl TraceFile {
    pub(super) fn turns(&self, query: &str, limit: usize) -> Result<Vec<TracedTurn>, StoreError> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let has_word = "EXISTS (SELECT 1 FROM span WHERE span.trace = trace.number
                                AND instr(span.words, ?) > 0)";
        let filter = vec![has_word; words.len()].join(" AND ");
        let filter = if words.is_empty() { "TRUE" } else { &filter };
        let sql = format!(
            "SELECT {COLUMNS} FROM trace WHERE {filter}
             ORDER BY started_at DESC, number DESC LIMIT ?"
        );
        let limit = Value::Integer(i64::try_from(limit).unwrap_or(i64::MAX));
        let values = words.into_iter().map(Value::Text).chain([limit]);
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        let mut turns = Vec::new();
        while let Some(row) = rows.next()? {
            turns.push(from_row(row)?);
        }
        Ok(turns)
    }

    pub(super) fn turn(&self, id: TurnId) -> Result<Option<TracedTurn>, StoreError> {
        self.connection
            .prepare(&format!("SELECT {COLUMNS} FROM trace WHERE turn = ?"))?
            .query_row([id.to_bytes()], |row| Ok(from_row(row)))
            .optional()?
            .transpose()
    }

    pub(super) fn spans(&self, id: TurnId) -> Result<Vec<Span>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT span.content FROM span JOIN trace ON trace.number = span.trace
             WHERE trace.turn = ? ORDER BY span.started_at, span.number",
        )?;
        let mut rows = statement.query([id.to_bytes()])?;
        let mut spans = Vec::new();
        while let Some(row) = rows.next()? {
            let content: String = row.get(0)?;
            spans.push(parse_json("span", &content)?);
        }
        Ok(spans)
    }

    pub(super) fn sessions(&self) -> Result<Vec<SessionId>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT DISTINCT session FROM trace")?;
        let sessions = statement.query_map([], |row| Ok(SessionId::from_bytes(row.get(0)?)))?;
        Ok(sessions.collect::<Result<_, _>>()?)
    }
}

fn from_row(row: &Row<'_>) -> Result<TracedTurn, StoreError> {
    let count = |column: usize| -> Result<u64, StoreError> {
        Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
    };
    let (service, model): (Option<String>, Option<String>) = (row.get(2)?, row.get(3)?);
    let model = service.zip(model).and_then(|(service, model)| {
        Some(ModelRef {
            service: service.parse().ok()?,
            model: ModelName::new(&model)?,
        })
    });
    Ok(TracedTurn {
        turn_id: TurnId::from_bytes(row.get(0)?),
        session_id: SessionId::from_bytes(row.get(1)?),
        model,
        state: parse_word("trace", &row.get::<_, String>(4)?)?,
        spans: count(5)?,
        tokens: count(6)?,
        cost: row
            .get::<_, Option<i64>>(7)?
            .and_then(|cost| u64::try_from(cost).ok())
            .map(Cost),
        started_at: Timestamp::from_millis(row.get(8)?),
        ended_at: Timestamp::from_millis(row.get(9)?),
    })
}
