//! A session made ready for its model: who answers, with which tools, and what is sent along.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use talaria_agent::{
    Agent, Budget, Context, Gauge, Limits, PastTurn, RetryPolicy, TurnTrace, cap,
    suspicious_origin, system_prompt, with_context_files,
};
use talaria_domain::{LayerKind, ModelRef, Notice, Price, SessionId, TurnId};
use talaria_provider::KnownFacts;
use talaria_store::KeptCompaction;

use crate::wiring::{BuiltInTools, FrontEnd, ModelTokens, Services, StoreJournal};
use crate::{ApiError, Core, context_files};

/// The gauges of so many sessions are kept; the others are counted anew when they are next used.
const GAUGES: usize = 32;

/// A session that can be asked.
pub(crate) struct Conversation {
    pub(crate) model: ModelRef,
    pub(crate) fallbacks: Vec<ModelRef>,
    /// What is known of the model.
    pub(crate) known: KnownFacts,
    pub(crate) context: Context,
    /// Where instructions stood that the context has read.
    pub(crate) taint: Option<String>,
    /// What the user is to be told of how the context came about.
    pub(crate) notices: Vec<Notice>,
    pub(crate) agent: Agent,
    pub(crate) trace: TurnTrace,
}

impl Conversation {
    /// Makes a session ready. `replaces` is a turn that the next one takes the place of.
    ///
    /// # Errors
    /// When it has no model, or its service can't be reached from here.
    pub(crate) async fn open(
        core: &Core,
        session_id: SessionId,
        replaces: Option<TurnId>,
    ) -> Result<Self, ApiError> {
        let model = session_model(core, session_id).await?;
        let endpoint = core.endpoint(&model.service).await?;
        let known = core.known_of(&model, &endpoint).await;
        let window = core.window_within(&known, &endpoint);
        let Prepared {
            context,
            taint,
            notices,
        } = prepared(core, session_id, replaces, &model, window).await?;
        let mut services = Services {
            client: core.client(),
            store: core.store(),
            lessons: core.lessons(),
            budgets: HashMap::new(),
            prices: priced(&model, &known).into_iter().collect(),
            endpoints: HashMap::from([(model.service.clone(), endpoint)]),
        };
        let fallbacks = fallbacks(core, session_id, &model, &mut services).await;
        let models = std::iter::once(&model).chain(&fallbacks).cloned();
        let trace = core.trace_turn(models.collect());
        let agent = Agent::new(
            trace.of_service(Arc::new(services)),
            Arc::new(BuiltInTools::within(core.clone(), window)),
            Arc::new(FrontEnd::new(core.clone())),
            Arc::new(StoreJournal::new(core.store(), replaces)),
            core.clock(),
            limits(core),
        );
        Ok(Self {
            model,
            fallbacks,
            known,
            context,
            taint,
            notices,
            agent,
            trace,
        })
    }
}

/// What was counted of the sessions that were used last.
#[derive(Default)]
pub(crate) struct Gauges(Mutex<Vec<((SessionId, ModelRef), Gauge)>>);

impl Gauges {
    fn of(&self, session: SessionId, model: &ModelRef) -> Gauge {
        let mut gauges = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (session, model.clone());
        let known = gauges.iter().position(|(known, _)| *known == key);
        let gauge = known.map_or_else(Gauge::default, |at| gauges.remove(at).1);
        gauges.truncate(GAUGES - 1);
        gauges.insert(0, (key, gauge.clone()));
        gauge
    }
}

fn priced(model: &ModelRef, known: &KnownFacts) -> Option<(ModelRef, Price)> {
    known.price.map(|price| (model.clone(), price.value))
}

/// The models that may answer in the place of `model`, and how their services are reached. One
/// that can't be reached from here is left out: the turn itself does not depend on it.
async fn fallbacks(
    core: &Core,
    session: SessionId,
    model: &ModelRef,
    services: &mut Services,
) -> Vec<ModelRef> {
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
        let window = core.window_within(&known, &endpoint);
        let budget = budget(core, session, &fallback, window);
        services.budgets.insert(fallback.clone(), budget);
        services
            .endpoints
            .insert(fallback.service.clone(), endpoint);
        usable.push(fallback);
    }
    usable
}

/// A model's window, and how it counts a session.
fn budget(core: &Core, session: SessionId, model: &ModelRef, window: u64) -> Budget {
    let counter = Arc::new(ModelTokens::of(&model.model));
    Budget::new(window, counter, core.gauges().of(session, model))
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

/// What the model sees of a session, and what is known of it.
struct Prepared {
    context: Context,
    taint: Option<String>,
    notices: Vec<Notice>,
}

/// What the model sees of the session so far, within a window of so many tokens.
async fn prepared(
    core: &Core,
    id: SessionId,
    replaces: Option<TurnId>,
    model: &ModelRef,
    window: u64,
) -> Result<Prepared, ApiError> {
    let budget = budget(core, id, model, window);
    let model = model.clone();
    let (prompt, folders) = (system_prompt(&core.today()), core.folders(id).await?);
    core.stored(move |store| {
        let mut notices = Vec::new();
        let system = match store.system_prompt(id)? {
            Some(frozen) => frozen,
            None => {
                let room = cap(LayerKind::ContextFiles, window).unwrap_or(window);
                let (files, left_out) = context_files::read(&folders, room);
                notices = left_out;
                store.freeze_system_prompt(id, &with_context_files(prompt, &files))?
            }
        };
        let mut turns = store.turns(id, usize::MAX)?.turns;
        turns.retain(|record| Some(record.turn.id) != replaces);
        let taint = turns
            .iter()
            .find_map(|record| suspicious_origin(&record.items));
        let past: Vec<PastTurn> = turns
            .into_iter()
            .map(|record| PastTurn {
                is_own: record.turn.model == model,
                items: record.items,
            })
            .collect();
        let context = Context::new(id, system, past, budget);
        let followed = followed(&context, store.compactions(id)?);
        Ok(Prepared {
            context: context.shortened(followed),
            taint,
            notices,
        })
    })
    .await
}

/// The latest compaction that still holds and whose place is still part of the session: a turn that
/// was tried again, or cleared away, takes its compactions with it.
fn followed(
    context: &Context,
    compactions: Vec<KeptCompaction>,
) -> Option<talaria_domain::Compaction> {
    compactions
        .into_iter()
        .rev()
        .filter(|kept| !kept.undone)
        .map(|kept| kept.compaction)
        .find(|compaction| context.has_place_of(compaction))
}
