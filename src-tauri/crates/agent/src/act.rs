//! What a model asked to be done: each call planned, decided, asked for, run and recorded.
//!
//! Calls that have nothing to do with each other run at the same time. The others wait, and are
//! planned only once what they depend on has been done, so that what the user is shown is what
//! will happen.

mod collision;
mod permit;

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use talaria_domain::{Act, Approval, ItemId, ToolCall, ToolResult};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use self::collision::{collide, only_reads};
use self::permit::{Asking, Permit};
use crate::TurnEvent;
use crate::port::{CallSite, Listener, Plan, PlannedCall};
use crate::progress::{Progress, Standing};
use crate::record::Record;
use crate::turn::{Agent, Break};

/// Live output waits at most this long before it is shown.
const SHOW_EVERY: Duration = Duration::from_millis(30);

/// Why a call is not run once the model was told to conclude.
pub(crate) const CLOSED: &str = "this turn has no further tool calls";
const STOPPED: &str = "the user stopped the turn";
const CONCLUDE: &str = "[This turn has no further tool calls. Answer now with what was reached.]";

/// Which of the turn's answers made the calls, and how far the turn's limits let it go.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    pub(crate) number: u32,
    /// The model is told to conclude.
    pub(crate) is_last: bool,
    /// So many of its calls are run.
    pub(crate) most_calls: usize,
}

/// A call that keeps coming back with the same result.
pub(crate) struct Stuck {
    pub(crate) tool: String,
    pub(crate) times: u32,
}

impl Agent {
    /// Does what an answer asked for, in as few waves as its calls allow.
    pub(crate) async fn act<'turn>(
        &'turn self,
        calls: Vec<ToolCall>,
        round: Round,
        record: &mut Record<'turn>,
        progress: &mut Progress,
        stop: &'turn CancellationToken,
    ) -> Result<Option<Stuck>, Break> {
        let mut waiting: VecDeque<ToolCall> = calls.into();
        let too_many = waiting.split_off(waiting.len().min(round.most_calls));
        let mut stuck = None;
        while !waiting.is_empty() && !stop.is_cancelled() {
            let mut wave = self.wave(&mut waiting, round, record, stop).await?;
            while let Some(done) = wave.next().await {
                stuck = settle(done, round, record, progress).await?.or(stuck);
            }
        }
        let most = round.most_calls;
        let why = match (stop.is_cancelled(), round.is_last) {
            (true, _) => STOPPED.to_owned(),
            (false, true) => CLOSED.to_owned(),
            (false, false) => format!("more than {most} calls in one answer; make it again"),
        };
        for call in waiting.into_iter().chain(too_many) {
            record.not_done(call, round.number, not_run(&why)).await?;
        }
        match stop.is_cancelled() {
            true => Err(Break::Stopped),
            false => Ok(stuck),
        }
    }

    /// Begins the calls at the front that can run at the same time, and takes them off.
    async fn wave<'turn>(
        &'turn self,
        waiting: &mut VecDeque<ToolCall>,
        round: Round,
        record: &mut Record<'turn>,
        stop: &'turn CancellationToken,
    ) -> Result<FuturesUnordered<BoxFuture<'turn, Done>>, Break> {
        let mut acts: Vec<Act> = Vec::new();
        let wave = FuturesUnordered::new();
        while let Some(call) = waiting.pop_front() {
            let site = record.site();
            let plan = tokio::select! {
                biased;
                () = stop.cancelled() => None,
                plan = self.tools.plan(site, call.clone()) => Some(plan),
            };
            let Some(plan) = plan else {
                waiting.push_front(call);
                break;
            };
            if let Plan::Ready(planned) = &plan {
                if acts.iter().any(|earlier| collide(earlier, &planned.act)) {
                    waiting.push_front(call);
                    break;
                }
                acts.push(planned.act.clone());
            }
            record
                .call(site.item_id, plan.call().clone(), round.number)
                .await?;
            let (taint, listener) = (record.taint(), record.listener());
            wave.push(self.perform(site, plan, taint, listener, stop).boxed());
        }
        Ok(wave)
    }

    /// One call, from the decision to the result.
    async fn perform(
        &self,
        site: CallSite,
        plan: Plan,
        taint: Option<String>,
        listener: &dyn Listener,
        stop: &CancellationToken,
    ) -> Done {
        let planned = match plan {
            Plan::Ready(planned) => planned,
            Plan::Refused(call, result) => {
                return Done {
                    item: site.item_id,
                    call,
                    changes: false,
                    approval: None,
                    result,
                };
            }
        };
        let asking = Asking {
            site,
            listener,
            stop,
        };
        let permit = match &planned.act.asks {
            Some(choice) => Permit::Answered(self.choose(choice, &asking).await),
            None => self.permit(&planned, taint, &asking).await,
        };
        let (approval, result) = match permit {
            Permit::Granted(approval) => {
                let result = self.run_tool(site, &planned, listener, stop).await;
                (Some(approval), result)
            }
            Permit::Withheld(approval, result) => (Some(approval), result),
            Permit::Answered(result) => (None, result),
        };
        Done {
            item: site.item_id,
            changes: !planned.act.effects.iter().all(only_reads),
            call: planned.call,
            approval,
            result,
        }
    }

    /// Runs a permitted call and shows what it puts out meanwhile.
    async fn run_tool(
        &self,
        site: CallSite,
        planned: &PlannedCall,
        listener: &dyn Listener,
        stop: &CancellationToken,
    ) -> ToolResult {
        let unseen = Mutex::new(String::new());
        let output = |text: &str| locked(&unseen).push_str(text);
        let show = || {
            let text = std::mem::take(&mut *locked(&unseen));
            if !text.is_empty() {
                let item_id = site.item_id;
                listener.hear(TurnEvent::ToolOutput { item_id, text });
            }
        };
        let mut tick = tokio::time::interval(SHOW_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut running = self.tools.run(site, planned, &output);
        let result = loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break not_run(STOPPED),
                result = &mut running => break result,
                _ = tick.tick() => show(),
            }
        };
        show();
        tracing::info!(
            tool = planned.call.name,
            failed = result.is_error,
            "tool ran"
        );
        result
    }
}

/// What became of a call.
struct Done {
    item: ItemId,
    call: ToolCall,
    /// It could have changed something.
    changes: bool,
    approval: Option<Approval>,
    result: ToolResult,
}

/// Records what became of a call, with what the model should know about how its turn goes.
async fn settle(
    done: Done,
    round: Round,
    record: &mut Record<'_>,
    progress: &mut Progress,
) -> Result<Option<Stuck>, Break> {
    let mut result = done.result;
    let standing = progress.saw(&done.call, &result, done.changes, round.number);
    match standing {
        Standing::Moving => {}
        Standing::Circling(times) => result.advice = Some(circling(times)),
        Standing::Stuck(_) => result.advice = Some(CONCLUDE.to_owned()),
    }
    if round.is_last && !matches!(standing, Standing::Stuck(_)) {
        result.advice = Some(CONCLUDE.to_owned());
    }
    record.result(done.item, done.approval, result).await?;
    Ok(match standing {
        Standing::Stuck(times) => Some(Stuck {
            tool: done.call.name,
            times,
        }),
        Standing::Moving | Standing::Circling(_) => None,
    })
}

fn circling(times: u32) -> String {
    format!(
        "[You have now had this result {times} times. Do something else, or tell the user what \
         is in the way.]"
    )
}

/// The result of a call that was not done.
pub(crate) fn not_run(why: &str) -> ToolResult {
    ToolResult::failure(format!("not run: {why}"))
}

fn locked(text: &Mutex<String>) -> MutexGuard<'_, String> {
    text.lock().unwrap_or_else(PoisonError::into_inner)
}
