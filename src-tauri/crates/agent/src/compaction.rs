//! Making room in a session's context: what leaves, what stays, and whether it was worth it.
//!
//! Old tool steps leave first; that takes no model. If it is not enough, a model writes a summary
//! of what is oldest, unless it could not bring enough room back: then no request is spent on it,
//! and the user is told why. A summary that came out too long, or that could not be written in the
//! turn before, gives way to leaving the oldest out, lest turn after turn pays for another. Whatever
//! is done is recorded before it is followed, and what it covers stays in the database.

mod cut;
mod summary;

use talaria_domain::{
    Compaction, CompactionId, ContextReport, Item, LayerKind, ModelRef, Notice, Usage,
};
use tokio_util::sync::CancellationToken;

use self::cut::{Cut, cut_for};
use self::summary::Order;
use crate::context::{Context, summary_length};
use crate::record::Record;
use crate::turn::{Agent, Break};

/// Of what can be shortened, this much stays as it is, in percent.
const KEPT: u64 = 40;
/// A compaction that leaves more than this of what can be shortened is not enough, in percent.
const ENOUGH: u64 = 60;
/// One that brings less than this of it back is not worth it, in percent.
const WORTH_IT: u64 = 20;
/// With less room than this, in percent of the window, nothing is summarised: the oldest is left out.
const LEAST_ROOM: u64 = 10;

/// Why room is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The next request would not fit.
    Full,
    /// A request did not fit, whatever was counted.
    Overflown,
}

/// What came of looking for room.
enum Found {
    /// This makes the context shorter.
    Shorter(Compaction),
    /// Nothing would bring enough back.
    Nothing,
    /// No summary could be written.
    NoSummary,
}

/// What came of shortening a session by hand.
#[derive(Clone, Debug, Default)]
pub struct Compacted {
    /// None: there is nothing to shorten, or no summary that is shorter could be written.
    pub compaction: Option<Compaction>,
    /// What it took, also where nothing came of it.
    pub usage: Usage,
}

impl Agent {
    /// Shortens the context where the next request needs it. True: it is shorter now.
    pub(crate) async fn make_room(
        &self,
        need: Need,
        context: &mut Context,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<bool, Break> {
        let before = context.measure(record.items(), &self.tools.specs());
        let is_full = before.tokens() > context.budget.limit();
        if context.is_exhausted || (need == Need::Full && !is_full) {
            return Ok(false);
        }
        let compaction = match self.find_room(context, &before, record, stop).await? {
            Found::Shorter(compaction) => compaction,
            Found::Nothing => {
                context.is_exhausted = true;
                record.notice(full(&before)).await?;
                return Ok(false);
            }
            Found::NoSummary => {
                context.is_exhausted = true;
                record.notice(Notice::SummaryFailed).await?;
                return Ok(false);
            }
        };
        context.is_exhausted = !is_worth_it(freed(&compaction), &before);
        record.compacted(&compaction).await?;
        context.shorten(compaction);
        if context.is_exhausted {
            let after = context.measure(record.items(), &self.tools.specs());
            record.notice(full(&after)).await?;
        }
        Ok(true)
    }

    /// The gentlest way that brings enough room back.
    async fn find_room(
        &self,
        context: &Context,
        before: &ContextReport,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<Found, Break> {
        let room = room(context, before);
        let Some(cut) = cut_for(context, record.items(), room * KEPT / 100) else {
            return Ok(Found::Nothing);
        };
        if let Some(without_steps) = self.without_steps(context, record.items(), &cut, before) {
            return Ok(shorter(without_steps));
        }
        // So little can be kept that a summary would be written for every message; and one that
        // could not be written in the turn before is not paid for again.
        if room * 100 < context.budget.window() * LEAST_ROOM || context.missed_summary() {
            let without_oldest = self.without_oldest(context, record.items(), &cut, before);
            return Ok(shorter(without_oldest));
        }
        let length = summary_length(room);
        let empty = self.with_summary(context, record.items(), &cut, String::new(), before);
        if !is_worth_it(
            freed(&empty).saturating_sub(expected(before, length)),
            before,
        ) {
            return Ok(Found::Nothing);
        }
        let model = record.model().clone();
        let order = Order {
            cut: &cut,
            length,
            keep: "",
            model: &model,
        };
        let mut usage = Usage::default();
        let written = self
            .summarise(context, record.items(), order, &mut usage, stop)
            .await;
        record.used(usage);
        let Some(summary) = written? else {
            return Ok(Found::NoSummary);
        };
        let summarised = self.with_summary(context, record.items(), &cut, summary, before);
        if is_worth_it(freed(&summarised), before) {
            return Ok(shorter(summarised));
        }
        // It is about as long as what it would stand for, and would be asked for again soon.
        let without_oldest = self.without_oldest(context, record.items(), &cut, before);
        Ok(shorter(without_oldest))
    }

    /// Shortens a session as far as can be, because the user said so. `keep` is what they want kept
    /// above all. Nothing is written down.
    pub async fn compact(
        &self,
        context: &Context,
        model: &ModelRef,
        keep: &str,
        stop: &CancellationToken,
    ) -> Compacted {
        let mut done = Compacted::default();
        let before = context.measure(&[], &self.tools.specs());
        let Some(cut) = cut_for(context, &[], 0) else {
            return done;
        };
        let order = Order {
            cut: &cut,
            length: summary_length(room(context, &before)),
            keep,
            model,
        };
        let written = self.summarise(context, &[], order, &mut done.usage, stop);
        if let Ok(Some(summary)) = written.await {
            let summarised = Compaction {
                by_hand: true,
                ..self.with_summary(context, &[], &cut, summary, &before)
            };
            done.compaction = Some(summarised).filter(|new| freed(new) > 0);
        }
        done
    }

    /// The compaction that leaves old steps out, if that is enough.
    fn without_steps(
        &self,
        context: &Context,
        running: &[Item],
        cut: &Cut,
        before: &ContextReport,
    ) -> Option<Compaction> {
        let compaction = Compaction {
            steps_through: Some(cut.through),
            ..self.going_on(context, before)
        };
        let measured = self.measured(context, running, compaction);
        let left = measured.tokens_after.saturating_sub(fixed_of(before));
        (left <= room(context, before) * ENOUGH / 100).then_some(measured)
    }

    /// The compaction that leaves everything out up to the cut. A summary that there is stays.
    fn without_oldest(
        &self,
        context: &Context,
        running: &[Item],
        cut: &Cut,
        before: &ContextReport,
    ) -> Compaction {
        let compaction = Compaction {
            left_out_through: Some(cut.through),
            ..self.going_on(context, before)
        };
        self.measured(context, running, compaction)
    }

    fn with_summary(
        &self,
        context: &Context,
        running: &[Item],
        cut: &Cut,
        summary: String,
        before: &ContextReport,
    ) -> Compaction {
        let compaction = Compaction {
            summary_through: Some(cut.through),
            summary,
            steps_through: None,
            left_out_through: None,
            ..self.going_on(context, before)
        };
        self.measured(context, running, compaction)
    }

    /// A new compaction that shortens as much as the one that is followed now.
    fn going_on(&self, context: &Context, before: &ContextReport) -> Compaction {
        let (at, now) = (self.clock.now(), context.compaction());
        Compaction {
            id: CompactionId::from_parts(at, self.clock.random()),
            session_id: context.session_id(),
            at,
            steps_through: now.and_then(|now| now.steps_through),
            summary_through: now.and_then(|now| now.summary_through),
            summary: now.map(|now| now.summary.clone()).unwrap_or_default(),
            left_out_through: context.left_out_through(),
            window: context.budget.window(),
            tokens_before: before.tokens(),
            tokens_after: before.tokens(),
            by_hand: false,
        }
    }

    /// What a request takes under a compaction.
    fn measured(
        &self,
        context: &Context,
        running: &[Item],
        mut compaction: Compaction,
    ) -> Compaction {
        let after = context.clone().shortened(Some(compaction.clone()));
        let after = after.measure(running, &self.tools.specs());
        compaction.tokens_after = after.tokens();
        compaction
    }
}

fn shorter(compaction: Compaction) -> Found {
    match freed(&compaction) {
        0 => Found::Nothing,
        _ => Found::Shorter(compaction),
    }
}

fn freed(compaction: &Compaction) -> u64 {
    compaction
        .tokens_before
        .saturating_sub(compaction.tokens_after)
}

/// How long a new summary is likely to get: as long as the one before; a first one is mostly far
/// from as long as it may be.
fn expected(before: &ContextReport, length: u64) -> u64 {
    let layers = before.layers.iter();
    let summaries = layers.filter(|layer| layer.kind == LayerKind::Summary);
    let before: u64 = summaries.map(|layer| layer.tokens).sum();
    before.max(length / 4)
}

/// Whether so much is enough of what can be shortened at all.
fn is_worth_it(freed: u64, before: &ContextReport) -> bool {
    let shortenable = before.tokens().saturating_sub(fixed_of(before));
    freed * 100 >= shortenable * WORTH_IT
}

/// What is left of a request for what can be shortened.
fn room(context: &Context, report: &ContextReport) -> u64 {
    context.budget.limit().saturating_sub(fixed_of(report))
}

/// What can't be shortened: rules, tools, and what the user says now.
fn fixed_of(report: &ContextReport) -> u64 {
    let is_fixed = |kind| {
        matches!(
            kind,
            LayerKind::Rules | LayerKind::ContextFiles | LayerKind::Tools | LayerKind::Input
        )
    };
    let fixed = report.layers.iter().filter(|layer| is_fixed(layer.kind));
    fixed.map(|layer| layer.tokens).sum()
}

fn full(report: &ContextReport) -> Notice {
    Notice::ContextFull {
        window: report.window,
        fixed: fixed_of(report),
    }
}
