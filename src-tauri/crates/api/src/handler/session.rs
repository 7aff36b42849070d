//! Sessions: listing, opening, changing, searching, carrying over.

use talaria_domain::{Item, ItemContent, Message, Session, SessionId, TitleOrigin};
use talaria_markdown::render;
use talaria_store::{Draft, ListedSession, TurnRecord};

use crate::{
    ApiError, ArchiveSession, Change, ClearSession, Core, CreateSession, DeleteSession, ExcerptRun,
    ForkSession, ItemView, ListSessions, ListTurns, OpenSession, PinSession, ReadSentMessages,
    RenameSession, RestoreSession, RestoreTurns, SaveDraft, SearchHit, SearchSessions, SessionLine,
    SessionView, SetSessionModel, TurnPage, TurnView,
};

/// The list shows at most so many; the rest is found by searching.
const LISTED: usize = 1_000;
/// An opened session begins with its latest turns.
const OPENED: usize = 30;

/// The sessions, pinned first, then latest first.
pub async fn list_sessions(
    core: &Core,
    ListSessions { archived }: ListSessions,
) -> Result<Vec<SessionLine>, ApiError> {
    let listed = core
        .stored(move |store| {
            if archived {
                store.archived_sessions(LISTED)
            } else {
                store.sessions(LISTED)
            }
        })
        .await?;
    Ok(listed
        .into_iter()
        .map(|listed| line(core, listed))
        .collect())
}

/// Makes a session with the default model.
pub async fn create_session(
    core: &Core,
    CreateSession {}: CreateSession,
) -> Result<SessionView, ApiError> {
    let session = new_session(core);
    let id = session.id;
    core.stored(move |store| store.create_session(&session))
        .await?;
    core.changed(Change::Sessions);
    view(core, id).await
}

/// Opens a session at its end.
pub async fn open_session(
    core: &Core,
    OpenSession { session_id }: OpenSession,
) -> Result<SessionView, ApiError> {
    view(core, session_id).await
}

/// Turns before a known one.
pub async fn list_turns(
    core: &Core,
    ListTurns {
        session_id,
        before,
        limit,
    }: ListTurns,
) -> Result<TurnPage, ApiError> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    core.stored(move |store| {
        let page = store.turns_before(session_id, before, limit)?;
        Ok(TurnPage {
            turns: page.turns.into_iter().map(turn_view).collect(),
            has_earlier: page.has_earlier,
        })
    })
    .await
}

/// Gives a session a title.
pub async fn rename_session(
    core: &Core,
    RenameSession { session_id, title }: RenameSession,
) -> Result<(), ApiError> {
    core.stored(move |store| {
        store.rename_session(session_id, &title)?;
        if !title.trim().is_empty() {
            return Ok(());
        }
        // A blank title gives the session back its automatic one.
        match first_words(&store.turns(session_id, usize::MAX)?.turns) {
            Some(title) => store.set_automatic_title(session_id, &title),
            None => Ok(()),
        }
    })
    .await?;
    core.changed(Change::Sessions);
    Ok(())
}

/// Keeps a session at the top of the list, or no longer.
pub async fn pin_session(
    core: &Core,
    PinSession { session_id, pinned }: PinSession,
) -> Result<(), ApiError> {
    core.stored(move |store| store.pin_session(session_id, pinned))
        .await?;
    core.changed(Change::Sessions);
    Ok(())
}

/// Puts a session away, or brings it back.
pub async fn archive_session(
    core: &Core,
    ArchiveSession {
        session_id,
        archived,
    }: ArchiveSession,
) -> Result<(), ApiError> {
    core.stored(move |store| store.archive_session(session_id, archived))
        .await?;
    core.changed(Change::Sessions);
    Ok(())
}

/// Deletes a session; for a week it can be restored.
pub async fn delete_session(
    core: &Core,
    DeleteSession { session_id }: DeleteSession,
) -> Result<(), ApiError> {
    let now = core.now();
    core.stored(move |store| store.delete_session(session_id, now))
        .await?;
    core.changed(Change::Sessions);
    Ok(())
}

/// Undoes a deletion.
pub async fn restore_session(
    core: &Core,
    RestoreSession { session_id }: RestoreSession,
) -> Result<(), ApiError> {
    core.stored(move |store| store.restore_session(session_id))
        .await?;
    core.changed(Change::Sessions);
    Ok(())
}

/// Forgets all turns of a session; for a week they can be restored.
pub async fn clear_session(
    core: &Core,
    ClearSession { session_id }: ClearSession,
) -> Result<(), ApiError> {
    let now = core.now();
    core.stored(move |store| store.clear_turns(session_id, now))
        .await?;
    core.changed(Change::Session { session_id });
    core.changed(Change::Sessions);
    Ok(())
}

/// Undoes the latest clearing.
pub async fn restore_turns(
    core: &Core,
    RestoreTurns { session_id }: RestoreTurns,
) -> Result<(), ApiError> {
    core.stored(move |store| store.restore_turns(session_id))
        .await?;
    core.changed(Change::Session { session_id });
    core.changed(Change::Sessions);
    Ok(())
}

/// Chooses the model of a session's next turns.
pub async fn set_session_model(
    core: &Core,
    SetSessionModel { session_id, model }: SetSessionModel,
) -> Result<(), ApiError> {
    core.service(&model.service)?;
    core.stored(move |store| store.set_session_model(session_id, &model))
        .await?;
    core.changed(Change::Sessions);
    Ok(())
}

/// Keeps what is typed and not yet sent.
pub async fn save_draft(
    core: &Core,
    SaveDraft {
        session_id,
        text,
        attachments,
    }: SaveDraft,
) -> Result<(), ApiError> {
    core.stored(move |store| {
        let attachments = store.attachments(&attachments)?;
        store.set_draft(session_id, &Draft { text, attachments })
    })
    .await
}

/// Searches the words of all sessions.
pub async fn search_sessions(
    core: &Core,
    SearchSessions { query, limit }: SearchSessions,
) -> Result<Vec<SearchHit>, ApiError> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let hits = core
        .stored(move |store| store.search(&query, limit))
        .await?;
    Ok(hits
        .into_iter()
        .map(|hit| SearchHit {
            session_id: hit.session_id,
            title: hit.title,
            turn_id: hit.turn_id,
            excerpt: hit
                .excerpt
                .into_iter()
                .map(|run| ExcerptRun {
                    text: run.text,
                    hit: run.hit,
                })
                .collect(),
        })
        .collect())
}

/// Makes a new session with the same turns.
pub async fn fork_session(
    core: &Core,
    ForkSession { session_id }: ForkSession,
) -> Result<SessionView, ApiError> {
    let (fork, from) = (new_session(core), core.clone());
    let id = fork.id;
    core.stored(move |store| {
        let original = store.session(session_id)?;
        let fork = Session {
            id: fork.id,
            created_at: fork.created_at,
            updated_at: fork.created_at,
            mode: fork.mode,
            pinned: false,
            archived: false,
            ..original
        };
        store.fork_session(session_id, &fork, || from.random())
    })
    .await?;
    core.changed(Change::Sessions);
    view(core, id).await
}

/// The messages of a session's latest request, exactly as they were sent.
pub async fn read_sent_messages(
    core: &Core,
    ReadSentMessages { session_id }: ReadSentMessages,
) -> Result<Vec<Message>, ApiError> {
    let request = core
        .stored(move |store| store.last_request(session_id))
        .await?;
    Ok(request.map(|(_, messages)| messages).unwrap_or_default())
}

pub(super) fn new_session(core: &Core) -> Session {
    let now = core.now();
    Session {
        id: SessionId::from_parts(now, core.random()),
        title: String::new(),
        title_origin: TitleOrigin::None,
        model: core.default_model(),
        source: core.source(),
        mode: core.settings().default_mode,
        pinned: false,
        archived: false,
        created_at: now,
        updated_at: now,
    }
}

pub(super) async fn view(core: &Core, session_id: SessionId) -> Result<SessionView, ApiError> {
    let asked = core.clone();
    core.stored(move |store| {
        let page = store.turns(session_id, OPENED)?;
        let draft = store.draft(session_id)?;
        Ok(SessionView {
            session: line(&asked, store.listed_session(session_id)?),
            draft: draft.text,
            draft_attachments: draft.attachments,
            usage: store.session_usage(session_id)?,
            turns: page.turns.into_iter().map(turn_view).collect(),
            has_earlier: page.has_earlier,
        })
    })
    .await
}

fn line(core: &Core, listed: ListedSession) -> SessionLine {
    SessionLine {
        waiting: core.questions().is_waiting(listed.session.id),
        session: listed.session,
        last_words: listed.last_words,
        running: listed.running,
    }
}

fn turn_view(TurnRecord { turn, items }: TurnRecord) -> TurnView {
    TurnView {
        turn,
        items: items.into_iter().map(item_view).collect(),
    }
}

fn item_view(mut item: Item) -> ItemView {
    item.content.forget_echo();
    let blocks = match &item.content {
        ItemContent::ModelText { text } => render(text),
        _ => Vec::new(),
    };
    ItemView { item, blocks }
}

fn first_words(turns: &[TurnRecord]) -> Option<String> {
    turns
        .iter()
        .flat_map(|turn| &turn.items)
        .find_map(|item| match &item.content {
            ItemContent::UserText { text, .. } => Some(Session::automatic_title(text)),
            _ => None,
        })
}
