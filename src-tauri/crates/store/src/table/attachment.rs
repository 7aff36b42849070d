//! `attachment` and `item_attachment`: the files that came with messages.
//!
//! The bytes stand in the database, so that one file holds a conversation whole. A file is written
//! before its message is sent; one that no message and no draft names is purged after a week.

use rusqlite::{OptionalExtension, Transaction, named_params, params};
use talaria_domain::{Attachment, AttachmentId, Timestamp};

use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[Migration {
    number: 2_026_120_108,
    effect: Effect::Adds,
    sql: "
        CREATE TABLE attachment (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL,
            media_type TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            content BLOB NOT NULL
        ) STRICT;
        CREATE TABLE item_attachment (
            item INTEGER NOT NULL REFERENCES item (number) ON DELETE CASCADE,
            attachment INTEGER NOT NULL REFERENCES attachment (number) ON DELETE CASCADE,
            PRIMARY KEY (item, attachment)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX item_attachment_of_attachment ON item_attachment (attachment);",
}];

impl Store {
    /// Keeps a file that goes with a message to come.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn add_attachment(
        &self,
        attachment: &Attachment,
        content: &[u8],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO attachment (id, name, media_type, created_at, content)
                     VALUES (:id, :name, :media_type, :now, :content)",
                )?
                .execute(named_params! {
                    ":id": attachment.id.to_bytes(),
                    ":name": attachment.name,
                    ":media_type": attachment.media_type,
                    ":now": now.as_millis(),
                    ":content": content,
                })?;
            Ok(())
        })
    }

    /// Files by their ids, without their bytes, in the order of the ids.
    ///
    /// # Errors
    /// `NotFound` when one isn't there, or when they can't be read.
    pub fn attachments(&self, ids: &[AttachmentId]) -> Result<Vec<Attachment>, StoreError> {
        self.database().read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT name, media_type, length(content) FROM attachment WHERE id = ?",
            )?;
            ids.iter()
                .map(|id| {
                    let found = statement
                        .query_row([id.to_bytes()], |row| {
                            Ok(Attachment {
                                id: *id,
                                name: row.get(0)?,
                                media_type: row.get(1)?,
                                size: u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0),
                            })
                        })
                        .optional()?;
                    found.ok_or(StoreError::NotFound("attachment"))
                })
                .collect()
        })
    }

    /// A file by its id, with its bytes.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be read.
    pub fn attachment(&self, id: AttachmentId) -> Result<(Attachment, Vec<u8>), StoreError> {
        self.database().read(|connection| {
            let found = connection
                .prepare_cached("SELECT name, media_type, content FROM attachment WHERE id = ?")?
                .query_row([id.to_bytes()], |row| {
                    let content: Vec<u8> = row.get(2)?;
                    let attachment = Attachment {
                        id,
                        name: row.get(0)?,
                        media_type: row.get(1)?,
                        size: u64::try_from(content.len()).unwrap_or(u64::MAX),
                    };
                    Ok((attachment, content))
                })
                .optional()?;
            found.ok_or(StoreError::NotFound("attachment"))
        })
    }

    /// Deletes the files that nothing has named since `before`.
    pub(super) fn purge_attachments(&self, before: i64) -> Result<(), StoreError> {
        const UNUSED: &str = "created_at < ?
            AND number NOT IN (SELECT attachment FROM item_attachment)
            AND lower(hex(id)) NOT IN
                (SELECT replace(value ->> 'id', '-', '') FROM draft, json_each(draft.attachments))";
        let any = self.database().read_at_opening(|connection| {
            let sql = format!("SELECT EXISTS (SELECT 1 FROM attachment WHERE {UNUSED})");
            Ok(connection.query_row(&sql, [before], |row| row.get::<_, bool>(0))?)
        })?;
        if any {
            self.database().write(|transaction| {
                let sql = format!("DELETE FROM attachment WHERE {UNUSED}");
                transaction.execute(&sql, [before])?;
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Ties the files of a message to its item. A file that is not there is left out: the message says
/// what it was.
pub(super) fn tie(
    transaction: &Transaction<'_>,
    item: i64,
    attachments: &[Attachment],
) -> Result<(), StoreError> {
    let mut statement = transaction.prepare_cached(
        "INSERT OR IGNORE INTO item_attachment (item, attachment)
         SELECT ?1, number FROM attachment WHERE id = ?2",
    )?;
    for attachment in attachments {
        statement.execute(params![item, attachment.id.to_bytes()])?;
    }
    Ok(())
}
