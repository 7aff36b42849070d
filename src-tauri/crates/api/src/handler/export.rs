//! Sessions as files: written with everything that belongs to them, and read back.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use talaria_domain::{Attachment, AttachmentId, ItemContent, Mode, Session, SessionSource};
use talaria_store::{Store, StoreError, TurnRecord};

use super::attachment::take_in;
use super::session::{new_session, view};
use crate::{
    ApiError, AttachmentContent, Change, Core, ExportSession, ExportedTurn, ImportSession,
    SessionExport, SessionView,
};

/// The version of exported files.
const EXPORT_VERSION: u32 = 1;

/// A whole session as a file's content.
pub async fn export_session(
    core: &Core,
    ExportSession { session_id }: ExportSession,
) -> Result<SessionExport, ApiError> {
    core.stored(move |store| {
        let turns = store.turns(session_id, usize::MAX)?.turns;
        Ok(SessionExport {
            version: EXPORT_VERSION,
            session: store.session(session_id)?,
            attachments: attachments_of(store, &turns)?,
            turns: turns
                .into_iter()
                .map(|TurnRecord { turn, items }| ExportedTurn { turn, items })
                .collect(),
        })
    })
    .await
}

/// Makes a new session from an exported one.
pub async fn import_session(
    core: &Core,
    ImportSession { document }: ImportSession,
) -> Result<SessionView, ApiError> {
    if document.version != EXPORT_VERSION {
        return Err(ApiError::invalid(format_args!(
            "this file has version {}, and only version {EXPORT_VERSION} can be read",
            document.version
        )));
    }
    let files = take_files_in(core, document.attachments).await?;
    let session = Session {
        id: new_session(core).id,
        source: SessionSource::Import,
        // What somebody else allowed is not allowed here.
        mode: Mode::Ask,
        ..document.session
    };
    let id = session.id;
    let mut turns: Vec<TurnRecord> = document
        .turns
        .into_iter()
        .map(|ExportedTurn { turn, items }| TurnRecord { turn, items })
        .collect();
    attachments_in(&mut turns, |attachment| {
        if let Some(own) = files.get(&attachment.id) {
            attachment.clone_from(own);
        }
    });
    let from = core.clone();
    core.stored(move |store| store.import_session(&session, turns, || from.random()))
        .await?;
    core.changed(Change::Sessions);
    view(core, id).await
}

/// The files of all messages, each once. One that is gone is left out.
fn attachments_of(
    store: &Store,
    turns: &[TurnRecord],
) -> Result<Vec<AttachmentContent>, StoreError> {
    let mut found: Vec<AttachmentContent> = Vec::new();
    for attachment in turns.iter().flat_map(|turn| &turn.items).flat_map(files_of) {
        if found
            .iter()
            .any(|known| known.attachment.id == attachment.id)
        {
            continue;
        }
        match store.attachment(attachment.id) {
            Ok((attachment, content)) => found.push(AttachmentContent {
                attachment,
                data: STANDARD.encode(content),
            }),
            Err(StoreError::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Files from outside are looked at like any other, and get ids of their own.
async fn take_files_in(
    core: &Core,
    files: Vec<AttachmentContent>,
) -> Result<HashMap<AttachmentId, Attachment>, ApiError> {
    let mut taken = HashMap::new();
    for AttachmentContent { attachment, data } in files {
        let bytes = STANDARD.decode(data).map_err(ApiError::invalid)?;
        let own = take_in(core, attachment.name, bytes).await?;
        taken.insert(attachment.id, own);
    }
    Ok(taken)
}

fn files_of(item: &talaria_domain::Item) -> &[Attachment] {
    match &item.content {
        ItemContent::UserText { attachments, .. } => attachments,
        _ => &[],
    }
}

fn attachments_in(turns: &mut [TurnRecord], mut change: impl FnMut(&mut Attachment)) {
    for item in turns.iter_mut().flat_map(|turn| &mut turn.items) {
        if let ItemContent::UserText { attachments, .. } = &mut item.content {
            attachments.iter_mut().for_each(&mut change);
        }
    }
}
