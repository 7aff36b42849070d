//! Turns: beginning one, trying one again, stopping one.

use std::collections::HashMap;
use std::sync::Arc;

use talaria_agent::{
    Agent, Context, Limits, RetryPolicy, TurnInput, messages_of, messages_of_another_model,
    suspicious_origin, system_prompt,
};
use talaria_domain::{Attachment, ErrorCode, ItemContent, ModelRef, Price, SessionId, TurnId};
use talaria_provider::KnownFacts;
use talaria_store::TurnRecord;
use tokio_util::sync::CancellationToken;

use crate::host::To;
use crate::wiring::{BuiltInTools, FrontEnd, ModelTokens, Services, StoreJournal, ToFrontEnd};
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
    let model = session_model(core, session_id).await?;
    let endpoint = core.endpoint(&model.service).await?;
    let known = core.known_of(&model, &endpoint).await;
    refuse_pictures(&known, &model, &words)?;
    let window = core.window_within(&known, &endpoint);
    let (context, taint) = context(core, session_id, replaces, &model, window).await?;
    let mut services = Services {
        client: core.client(),
        store: core.store(),
        lessons: core.lessons(),
        prices: priced(&model, &known).into_iter().collect(),
        endpoints: HashMap::from([(model.service.clone(), endpoint)]),
    };
    let fallbacks = fallbacks(core, &model, &mut services).await;
    let models = std::iter::once(&model).chain(&fallbacks).cloned();
    let trace = core.trace_turn(models.collect());
    let agent = Agent::new(
        trace.of_service(Arc::new(services)),
        Arc::new(BuiltInTools::new(core.registry())),
        Arc::new(FrontEnd::new(core.clone())),
        Arc::new(StoreJournal::new(core.store(), replaces)),
        core.clock(),
        limits(core),
    );
    let input = TurnInput {
        session_id,
        model,
        fallbacks,
        context,
        text: words.text,
        attachments: words.attachments,
        taint,
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

fn priced(model: &ModelRef, known: &KnownFacts) -> Option<(ModelRef, Price)> {
    known.price.map(|price| (model.clone(), price.value))
}

/// The models that may answer in the place of `model`, and how their services are reached. One
/// that can't be reached from here is left out: the turn itself does not depend on it.
async fn fallbacks(core: &Core, model: &ModelRef, services: &mut Services) -> Vec<ModelRef> {
    let mut usable = Vec::new();
    for fallback in core.settings().fallbacks {
        if fallback == *model {
            continue;
        }
        let endpoint = match core.endpoint(&fallback.service).await {
            Ok(endpoint) => endpoint,
            Err(error) => {
                tracing::warn!(%error, model = %fallback.model, "a fallback can't be used");
                continue;
            }
        };
        let known = core.known_of(&fallback, &endpoint).await;
        services.prices.extend(priced(&fallback, &known));
        services
            .endpoints
            .insert(fallback.service.clone(), endpoint);
        usable.push(fallback);
    }
    usable
}

fn limits(core: &Core) -> Limits {
    let retry = match core.retries() {
        Some(retries) => RetryPolicy {
            attempts: retries.saturating_add(1),
            ..RetryPolicy::default()
        },
        None => RetryPolicy::default(),
    };
    Limits {
        retry,
        ..Limits::default()
    }
}

/// The session's model, or the default one, which the session then keeps.
async fn session_model(core: &Core, id: SessionId) -> Result<ModelRef, ApiError> {
    let session = core.stored(move |store| store.session(id)).await?;
    if let Some(model) = session.model {
        return Ok(model);
    }
    let model = core.default_model().ok_or_else(ApiError::no_model)?;
    let kept = model.clone();
    core.stored(move |store| store.set_session_model(id, &kept))
        .await?;
    Ok(model)
}

/// What the model sees of the session so far, within a window of so many tokens.
async fn context(
    core: &Core,
    id: SessionId,
    replaces: Option<TurnId>,
    model: &ModelRef,
    window: u64,
) -> Result<(Context, Option<String>), ApiError> {
    let counter = ModelTokens::of(&model.model);
    let model = model.clone();
    let prompt = system_prompt(&core.today());
    let (whole, taint) = core
        .stored(move |store| {
            let system = store.freeze_system_prompt(id, &prompt)?;
            let mut turns = store.turns(id, usize::MAX)?.turns;
            turns.retain(|record| Some(record.turn.id) != replaces);
            let taint = turns
                .iter()
                .find_map(|record| suspicious_origin(&record.items));
            let earlier = turns
                .iter()
                .map(|record| {
                    if record.turn.model == model {
                        messages_of(&record.items)
                    } else {
                        messages_of_another_model(&record.items)
                    }
                })
                .collect();
            Ok((Context::new(system, earlier), taint))
        })
        .await?;
    // Half of the window is left to this turn: its message, its tools and its answer. Counting a
    // long session may take a moment, and holds up nothing else.
    let context = core.off_the_runtime(move || whole.within(window / 2, &counter));
    Ok((context.await?, taint))
}
