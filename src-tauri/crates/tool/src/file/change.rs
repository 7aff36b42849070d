//! A change of one file: planned as a diff, kept, then made if the file still is what it was.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use talaria_domain::{Act, Effect, ItemId, Preview, SessionId, Shown, ToolResult, TurnId};

use super::place::Place;
use super::seen::{Extent, Seen, version};
use super::text::{Decoded, NEW, TextError, decode, encode};
use super::{ChangeLog, FileChange, LARGEST, diff};
use crate::ToolContext;
use crate::output::hex;

/// What is to become of a file.
pub(super) struct Change {
    place: Place,
    before: Option<Vec<u8>>,
    after: Vec<u8>,
    old_text: Option<String>,
    new_text: String,
}

/// On whose behalf a file is changed.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) session_id: SessionId,
    turn_id: TurnId,
    item_id: ItemId,
}

impl Site {
    pub(super) fn of(context: &ToolContext<'_>) -> Self {
        Self {
            session_id: context.session_id,
            turn_id: context.turn_id,
            item_id: context.item_id,
        }
    }
}

/// A file as it is now.
pub(super) struct Current {
    pub(super) bytes: Option<Vec<u8>>,
    pub(super) decoded: Option<Decoded>,
}

impl Current {
    pub(super) fn of(place: &Place) -> Result<Self, ToolResult> {
        if place.is_folder() {
            return Err(refused(&place.display(), "is a folder"));
        }
        let bytes = place.read()?;
        let decoded = bytes.as_deref().map(decode).transpose();
        let decoded = decoded.map_err(|error| not_text(&place.display(), &error))?;
        Ok(Self { bytes, decoded })
    }

    /// Whether the session's model has seen it, so that it knows what it changes.
    pub(super) fn must_be_seen(
        &self,
        seen: &Seen,
        session: SessionId,
        place: &Place,
        extent: Extent,
    ) -> Result<(), ToolResult> {
        let Some(bytes) = &self.bytes else {
            return Ok(());
        };
        if seen.knows(session, &place.display(), bytes, extent) {
            return Ok(());
        }
        Err(refused(
            &place.display(),
            match extent {
                Extent::Whole => {
                    "was not read whole in this session, or has changed since; read it first"
                }
                Extent::Part => "was not read in this session, or has changed since; read it first",
            },
        ))
    }
}

impl Change {
    /// The change that gives the file this text, in the form it has.
    pub(super) fn to(place: Place, current: Current, text: &str) -> Result<Self, ToolResult> {
        let form = current.decoded.as_ref().map_or(NEW, |decoded| decoded.form);
        let new_text = match form.is_crlf {
            true => text.replace("\r\n", "\n"),
            false => text.to_owned(),
        };
        let after = encode(&new_text, form).map_err(|error| not_text(&place.display(), &error))?;
        if u64::try_from(after.len()).unwrap_or(u64::MAX) > LARGEST {
            return Err(refused(&place.display(), "would get larger than 5 MB"));
        }
        Ok(Self {
            place,
            before: current.bytes,
            after,
            old_text: current.decoded.map(|decoded| decoded.text),
            new_text,
        })
    }

    /// What is shown and asked for.
    pub(super) fn act(&self) -> Act {
        let path = self.place.display();
        Act {
            preview: Preview::Diff {
                diff: diff(&path, self.old_text.as_deref(), Some(&self.new_text)),
            },
            effects: vec![Effect::Write { path }],
            digest: self.digest(),
            asks: None,
        }
    }

    /// Makes the change that was allowed under `digest`, and no other. Blocks.
    pub(super) fn make(
        self,
        digest: &str,
        site: Site,
        seen: &Seen,
        log: &Arc<dyn ChangeLog>,
    ) -> Result<ToolResult, ToolResult> {
        let path = self.place.display();
        if self.digest() != digest {
            let since = "has changed since this was planned; read it again";
            return Err(refused(&path, since));
        }
        let shown = diff(&path, self.old_text.as_deref(), Some(&self.new_text));
        // Who saw only a page of the file knows no more of it after changing that page.
        let knew = |before: &Vec<u8>| seen.knows(site.session_id, &path, before, Extent::Whole);
        let extent = match self.before.as_ref().is_none_or(knew) {
            true => Extent::Whole,
            false => Extent::Part,
        };
        let change = FileChange {
            session_id: site.session_id,
            turn_id: site.turn_id,
            item_id: site.item_id,
            path: path.clone(),
            before: self.before,
            after: self.after,
        };
        let kept = log.keep(&change).map_err(|why| {
            let told = format!("can't be changed, because its old content can't be kept: {why}");
            refused(&path, &told)
        })?;
        self.place.write(&change.after)?;
        log.made(kept);
        seen.note(site.session_id, &path, &change.after, extent);
        let lines = self.new_text.lines().count();
        let told = format!(
            "{path}: +{} −{} lines, now {lines} lines. The user can undo it.",
            shown.added, shown.removed
        );
        Ok(ToolResult::success(told).showing(Shown::Diff { diff: shown }))
    }

    fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(self.place.display());
        hasher.update([0]);
        if let Some(before) = &self.before {
            hasher.update(version(before));
        }
        hasher.update([0]);
        hasher.update(version(&self.after));
        hex(&hasher.finalize())
    }
}

pub(super) fn refused(path: &str, why: &str) -> ToolResult {
    ToolResult::failure(format!("Not done: {path} {why}."))
}

pub(super) fn not_text(path: &str, error: &TextError) -> ToolResult {
    ToolResult::failure(format!("Not done: {path}: {error}."))
}
