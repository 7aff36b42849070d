//! `item` and `item_chunk`: the things that happen in a turn, and text as it streams in.
//!
//! Streamed text is appended as rows of its own, so that a long answer is not rewritten for each
//! piece; the pieces are merged when the item is finished or closed.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, named_params, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use talaria_domain::{
    Approval, Attachment, Item, ItemContent, ItemId, Notice, Timestamp, ToolCall, ToolResult,
    TurnId,
};

use super::transcript::TurnRecord;
use super::{attachment, turn};
use crate::column::{json, optional_timestamp, parse_json, timestamp};
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 2_026_120_103,
        effect: Effect::Adds,
        sql: "
        CREATE TABLE item (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            turn INTEGER NOT NULL REFERENCES turn (number) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            body TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            finished_at INTEGER
        ) STRICT;
        CREATE INDEX item_of_turn ON item (turn);
        CREATE TABLE item_chunk (
            number INTEGER PRIMARY KEY,
            item INTEGER NOT NULL REFERENCES item (number) ON DELETE CASCADE,
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX item_chunk_of_item ON item_chunk (item);",
    },
    // What stands beside a text, as JSON: the text itself stays plain for the search.
    Migration {
        number: 2_026_120_111,
        effect: Effect::Adds,
        sql: "ALTER TABLE item ADD COLUMN beside TEXT;",
    },
];

/// What the model and the user are told of a tool that never came to an end.
const INTERRUPTED: &str =
    "Interrupted before the tool finished. It is not known whether it took effect.";

const USER_TEXT: &str = "user_text";
const MODEL_TEXT: &str = "model_text";
const REASONING: &str = "reasoning";
const TOOL_CALL: &str = "tool_call";
const NOTICE: &str = "notice";

/// The body of a tool call's row, as JSON.
#[derive(Serialize, Deserialize)]
struct CallBody {
    call: ToolCall,
    result: Option<ToolResult>,
    #[serde(default)]
    round: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    approval: Option<Approval>,
}

impl Store {
    /// Writes down an item that has begun.
    ///
    /// # Errors
    /// `NotFound` when its turn isn't there, or when it can't be written.
    pub fn begin_item(&self, item: &Item) -> Result<(), StoreError> {
        self.save_item(item)
    }

    /// Appends to the text of an item that streams.
    ///
    /// # Errors
    /// `NotFound` when the item isn't there, or when it can't be written.
    pub fn append_text(&self, id: ItemId, text: &str) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let changed = transaction
                .prepare_cached(
                    "INSERT INTO item_chunk (item, text) SELECT number, ?2 FROM item WHERE id = ?1",
                )?
                .execute(params![id.to_bytes(), text])?;
            if changed == 0 {
                Err(StoreError::NotFound("item"))
            } else {
                Ok(())
            }
        })
    }

    /// Writes down an item as it stays; its content replaces what was streamed.
    ///
    /// # Errors
    /// `NotFound` when its turn isn't there, or when it can't be written.
    pub fn finish_item(&self, item: &Item) -> Result<(), StoreError> {
        self.save_item(item)
    }

    fn save_item(&self, item: &Item) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let turn = turn::number(transaction, item.turn_id)?;
            save(transaction, turn, item)
        })
    }
}

/// Inserts an item or replaces what is known of it.
pub(super) fn save(
    transaction: &Transaction<'_>,
    turn: i64,
    item: &Item,
) -> Result<(), StoreError> {
    let Columns { kind, body, beside } = to_columns(&item.content)?;
    let number: i64 = transaction
        .prepare_cached(
            "INSERT INTO item (id, turn, kind, body, beside, started_at, finished_at)
             VALUES (:id, :turn, :kind, :body, :beside, :started, :finished)
             ON CONFLICT (id) DO UPDATE SET
                 kind = excluded.kind, body = excluded.body, beside = excluded.beside,
                 finished_at = excluded.finished_at
             RETURNING number",
        )?
        .query_row(
            named_params! {
                ":id": item.id.to_bytes(),
                ":turn": turn,
                ":kind": kind,
                ":body": body,
                ":beside": beside,
                ":started": item.started_at.as_millis(),
                ":finished": item.finished_at.map(Timestamp::as_millis),
            },
            |row| row.get(0),
        )?;
    if let ItemContent::UserText { attachments, .. } = &item.content {
        attachment::tie(transaction, number, attachments)?;
    }
    if item.finished_at.is_some() {
        settle(transaction, number, kind)?;
    }
    Ok(())
}

/// Inserts an item that is known to be new and whole.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    turn: i64,
    item: &Item,
) -> Result<(), StoreError> {
    let Columns { kind, body, beside } = to_columns(&item.content)?;
    transaction
        .prepare_cached(
            "INSERT INTO item (id, turn, kind, body, beside, started_at, finished_at)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            item.id.to_bytes(),
            turn,
            kind,
            body,
            beside,
            item.started_at.as_millis(),
            item.finished_at.map(Timestamp::as_millis)
        ])?;
    let number = transaction.last_insert_rowid();
    if let ItemContent::UserText { attachments, .. } = &item.content {
        attachment::tie(transaction, number, attachments)?;
    }
    if item.finished_at.is_some() {
        queue(transaction, number, kind)?;
    }
    Ok(())
}

/// Closes every open item of a turn: streamed text stays as far as it came, a call without a
/// result gets one that says so.
pub(super) fn close_open(
    transaction: &Transaction<'_>,
    turn: i64,
    at: Timestamp,
) -> Result<(), StoreError> {
    let open: Vec<(i64, String, String)> = transaction
        .prepare_cached(
            "SELECT number, kind, body FROM item WHERE turn = ? AND finished_at IS NULL",
        )?
        .query_map([turn], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    for (number, kind, body) in open {
        let body = match kind.as_str() {
            // One that can't be read must not keep the others, and the database, from opening.
            TOOL_CALL => closed_call(&body).unwrap_or(body),
            NOTICE => body,
            _ => body + &streamed(transaction, number)?,
        };
        transaction
            .prepare_cached("UPDATE item SET body = ?2, finished_at = ?3 WHERE number = ?1")?
            .execute(params![number, body, at.as_millis()])?;
        settle(transaction, number, &kind)?;
    }
    Ok(())
}

fn closed_call(body: &str) -> Result<String, StoreError> {
    let mut call: CallBody = parse_json("tool call", body)?;
    call.result.get_or_insert(ToolResult::failure(INTERRUPTED));
    json(&call)
}

/// Once an item is complete its pieces are no longer needed, and its words can be searched.
fn settle(transaction: &Transaction<'_>, number: i64, kind: &str) -> Result<(), StoreError> {
    transaction
        .prepare_cached("DELETE FROM item_chunk WHERE item = ?")?
        .execute([number])?;
    queue(transaction, number, kind)
}

/// Puts what can be searched in line for the index.
fn queue(transaction: &Transaction<'_>, number: i64, kind: &str) -> Result<(), StoreError> {
    if kind == USER_TEXT || kind == MODEL_TEXT {
        transaction
            .prepare_cached("INSERT OR IGNORE INTO search_queue (item) VALUES (?)")?
            .execute([number])?;
    }
    Ok(())
}

fn streamed(connection: &Connection, number: i64) -> Result<String, StoreError> {
    let text: Option<Option<String>> = connection
        .prepare_cached(
            "SELECT group_concat(text, '' ORDER BY number) FROM item_chunk WHERE item = ?",
        )?
        .query_row([number], |row| row.get(0))
        .optional()?;
    Ok(text.flatten().unwrap_or_default())
}

/// Puts the items of the turns that `filter` names into `records`, which are in turn order.
pub(super) fn fill(
    connection: &Connection,
    filter: &str,
    values: &[&dyn rusqlite::ToSql],
    records: &mut [(i64, TurnRecord)],
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT item.turn, item.number, item.id, turn.id, item.kind, item.body, item.beside,
                item.started_at, item.finished_at
         FROM turn CROSS JOIN item ON item.turn = turn.number
         WHERE {filter} ORDER BY turn.number, item.number"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(values)?;
    let mut records = records.iter_mut();
    let mut current = records.next();
    while let Some(row) = rows.next()? {
        let turn: i64 = row.get(0)?;
        while current.as_ref().is_some_and(|(number, _)| *number < turn) {
            current = records.next();
        }
        if let Some((_, record)) = current.as_mut() {
            record.items.push(from_row(connection, row)?);
        }
    }
    Ok(())
}

/// Reads the columns that `fill` names.
fn from_row(connection: &Connection, row: &Row<'_>) -> Result<Item, StoreError> {
    let kind = row.get_ref(4)?.as_str().unwrap_or_default();
    let finished_at = optional_timestamp(row, 8)?;
    let mut body: String = row.get(5)?;
    if finished_at.is_none() && kind != TOOL_CALL && kind != NOTICE {
        body.push_str(&streamed(connection, row.get(1)?)?);
    }
    let beside = row.get_ref(6)?.as_str_or_null().unwrap_or_default();
    Ok(Item {
        id: ItemId::from_bytes(row.get(2)?),
        turn_id: TurnId::from_bytes(row.get(3)?),
        content: from_columns(kind, body, beside)?,
        started_at: timestamp(row, 7)?,
        finished_at,
    })
}

/// How a content lies in its row.
#[derive(Debug)]
struct Columns<'item> {
    kind: &'static str,
    body: Cow<'item, str>,
    beside: Option<String>,
}

fn to_columns(content: &ItemContent) -> Result<Columns<'_>, StoreError> {
    let mut beside = None;
    let (kind, body) = match content {
        ItemContent::UserText { text, attachments } => {
            beside = (!attachments.is_empty())
                .then(|| json(attachments))
                .transpose()?;
            (USER_TEXT, Cow::Borrowed(text.as_str()))
        }
        ItemContent::ModelText { text } => (MODEL_TEXT, Cow::Borrowed(text.as_str())),
        ItemContent::Reasoning { text, echo } => {
            beside = echo.as_ref().map(json).transpose()?;
            (REASONING, Cow::Borrowed(text.as_str()))
        }
        ItemContent::Notice { notice } => (NOTICE, Cow::Owned(json(notice)?)),
        ItemContent::ToolCall {
            call,
            result,
            round,
            approval,
        } => {
            let body = CallBody {
                call: call.clone(),
                result: result.clone(),
                round: *round,
                approval: approval.clone(),
            };
            (TOOL_CALL, Cow::Owned(json(&body)?))
        }
    };
    Ok(Columns { kind, body, beside })
}

fn from_columns(kind: &str, body: String, beside: Option<&str>) -> Result<ItemContent, StoreError> {
    match kind {
        USER_TEXT => Ok(ItemContent::UserText {
            text: body,
            attachments: beside
                .map(|files| parse_json::<Vec<Attachment>>("attachment", files))
                .transpose()?
                .unwrap_or_default(),
        }),
        MODEL_TEXT => Ok(ItemContent::ModelText { text: body }),
        REASONING => Ok(ItemContent::Reasoning {
            text: body,
            echo: beside
                .map(|echo| parse_json::<Value>("reasoning", echo))
                .transpose()?,
        }),
        NOTICE => Ok(ItemContent::Notice {
            notice: parse_json::<Notice>("notice", &body)?,
        }),
        TOOL_CALL => {
            let CallBody {
                call,
                result,
                round,
                approval,
            } = parse_json("tool call", &body)?;
            Ok(ItemContent::ToolCall {
                call,
                result,
                round,
                approval,
            })
        }
        _ => Err(StoreError::Unreadable("item")),
    }
}

#[cfg(test)]
mod tests;
