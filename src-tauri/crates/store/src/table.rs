//! The tables, one file each: how they came to be, and what can be done with their rows.

mod attachment;
mod compaction;
mod draft;
mod file_change;
mod folder;
mod item;
mod lesson;
mod request;
mod search;
mod session;
mod spending;
mod transcript;
mod turn;

pub use compaction::{KeptCompaction, SessionStand};
pub use draft::Draft;
pub use file_change::{KeptFileChange, NewFileChange};
pub use search::SearchHit;
pub(crate) use search::empty_index;
pub use session::ListedSession;
pub use transcript::{TurnPage, TurnRecord};

use crate::migration::Migration;

/// The steps of all tables, oldest first.
pub(crate) fn migrations() -> Vec<Migration> {
    let mut all = [
        attachment::MIGRATIONS,
        session::MIGRATIONS,
        turn::MIGRATIONS,
        item::MIGRATIONS,
        lesson::MIGRATIONS,
        compaction::MIGRATIONS,
        draft::MIGRATIONS,
        file_change::MIGRATIONS,
        folder::MIGRATIONS,
        request::MIGRATIONS,
        search::MIGRATIONS,
        spending::MIGRATIONS,
    ]
    .concat();
    all.sort_by_key(|migration| migration.number);
    all
}

/// The tables whose rows are carried over from a damaged file, parents first. The search index is
/// made anew from them.
pub(crate) const SALVAGED: &[&str] = &[
    "session",
    "turn",
    "item",
    "item_chunk",
    "attachment",
    "item_attachment",
    "compaction",
    "spending",
    "draft",
    "file_content",
    "file_change",
    "lesson",
];

/// Brings salvaged rows in line with each other: a turn whose session was lost gets an untitled
/// one, a row whose parent can't be named is dropped.
pub(crate) const MEND: &str = "
    INSERT INTO session (number, id, title, title_origin, source, created_at, updated_at)
        SELECT session, randomblob(16), '', 'none', 'import', min(started_at), max(started_at)
        FROM turn WHERE session NOT IN (SELECT number FROM session) GROUP BY session;
    DELETE FROM item WHERE turn NOT IN (SELECT number FROM turn);
    DELETE FROM item_chunk WHERE item NOT IN (SELECT number FROM item);
    DELETE FROM item_attachment WHERE item NOT IN (SELECT number FROM item)
        OR attachment NOT IN (SELECT number FROM attachment);
    DELETE FROM compaction WHERE session NOT IN (SELECT number FROM session);
    DELETE FROM spending WHERE session NOT IN (SELECT number FROM session);
    DELETE FROM file_change WHERE session NOT IN (SELECT number FROM session);
    DELETE FROM draft WHERE session NOT IN (SELECT number FROM session);
";
