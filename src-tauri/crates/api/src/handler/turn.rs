//! Turns: beginning one, trying one again, stopping one.

use talaria_agent::TurnInput;
use talaria_domain::{Attachment, ErrorCode, ItemContent, ModelRef, SessionId, TurnId};
use talaria_provider::KnownFacts;
use talaria_store::TurnRecord;
use tokio_util::sync::CancellationToken;

use crate::conversation::Conversation;
use crate::host::To;
use crate::wiring::ToFrontEnd;
use crate::{ApiError, Core, RetryTurn, StartTurn, StopTurn, WindowTurnEvent};

/// A message longer than this, in bytes, is refused: it is a file, not a message.
const LONGEST_MESSAGE: usize = 4 * 1024 * 1024;

/// Sends a message and streams the turn.
pub(crate) async fn start_turn(
    core: &Core,
    StartTurn {
        session_id,
        text,
        attachments,
    }: StartTurn,
    to: To<WindowTurnEvent>,
) -> Result<(), ApiError> {
    if text.trim().is_empty() && attachments.is_empty() {
        return Err(ApiError::invalid("the message is empty"));
    }
    if text.len() > LONGEST_MESSAGE {
        return Err(ApiError::invalid(
            "the message is longer than 4 MB; put it into a file",
        ));
    }
    let attachments = core
        .stored(move |store| store.attachments(&attachments))
        .await?;
    let words = Words { text, attachments };
    run(core, session_id, words, None, to).await
}

/// Sends the last turn's message again; the new turn takes the old one's place.
pub(crate) async fn retry_turn(
    core: &Core,
    RetryTurn { turn_id }: RetryTurn,
    to: To<WindowTurnEvent>,
) -> Result<(), ApiError> {
    let TurnRecord { turn, items } = core.stored(move |store| store.turn(turn_id)).await?;
    let words = items
        .into_iter()
        .find_map(|item| match item.content {
            ItemContent::UserText { text, attachments } => Some(Words { text, attachments }),
            _ => None,
        })
        .ok_or_else(|| ApiError::new(ErrorCode::NotFound, "the turn has no message"))?;
    run(core, turn.session_id, words, Some(turn_id), to).await
}

/// Stops a running turn; what came is kept.
pub async fn stop_turn(core: &Core, StopTurn { turn_id }: StopTurn) -> Result<(), ApiError> {
    if core.running().stop(turn_id) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::NotFound,
        "this turn does not run any more",
    ))
}

/// What the user sends.
struct Words {
    text: String,
    attachments: Vec<Attachment>,
}

async fn run(
    core: &Core,
    session_id: SessionId,
    words: Words,
    replaces: Option<TurnId>,
    to: To<WindowTurnEvent>,
) -> Result<(), ApiError> {
    let Conversation {
        model,
        fallbacks,
        known,
        context,
        taint,
        notices,
        agent,
        trace,
    } = Conversation::open(core, session_id, replaces).await?;
    refuse_pictures(&known, &model, &words)?;
    let input = TurnInput {
        session_id,
        model,
        fallbacks,
        context,
        text: words.text,
        attachments: words.attachments,
        taint,
        notices,
    };
    let stop = CancellationToken::new();
    let listener = trace.of_listener(ToFrontEnd::new(core.clone(), to, stop.clone()));
    // A turn outlives the page that began it: a reload or a closed stream does not end it.
    let core = core.clone();
    let ended = tokio::spawn(async move {
        let ended = agent.run(input, &listener, &stop).await;
        core.index_soon();
        ended
    });
    match ended.await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(ApiError::new(ErrorCode::Storage, error)),
        Err(error) => Err(ApiError::internal(&error)),
    }
}

/// A model that is known to be blind is not asked: some services drop a picture without a word,
/// and the answer would be made up.
fn refuse_pictures(known: &KnownFacts, model: &ModelRef, words: &Words) -> Result<(), ApiError> {
    let blind = known.images.is_some_and(|images| !images.value);
    if blind && words.attachments.iter().any(Attachment::is_image) {
        return Err(ApiError::invalid(format_args!(
            "the model {} takes no pictures; choose another model, or leave the picture out",
            model.model
        )));
    }
    Ok(())
}
