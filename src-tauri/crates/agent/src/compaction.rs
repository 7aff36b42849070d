//! Making room in a session's context: what leaves, what stays, and whether it was worth it.
//!
//! Old tool steps leave first; that takes no model. If it is not enough, a model writes a summary
//! of what is oldest. Either is recorded before it is followed, and what it covers stays in the
//! database. One that does not bring enough room back is not tried again in the same turn: the user
//! is told why.

mod cut;
mod summary;

use talaria_domain::{Compaction, CompactionId, ContextReport, Item, LayerKind, ModelRef, Notice};
use tokio_util::sync::CancellationToken;

use self::cut::{Cut, cut_for};
use crate::context::Context;
use crate::port::JournalError;
use crate::record::Record;
use crate::turn::{Agent, Break};

/// Of what can be shortened, this much stays as it is, in percent.
const KEPT: u64 = 40;
/// A compaction that leaves more than this of what can be shortened is not enough, in percent.
const ENOUGH: u64 = 60;
/// One that brings less than this back is the last one of its turn, in percent.
const WORTH_IT: u64 = 20;

/// With less room than this, in percent of the window, nothing is summarised: the oldest is left out.
const LEAST_ROOM: u64 = 10;
/// What stands for messages that are left out without a summary.
const LEFT_OUT: &str = "(Older messages were left out: there is no room for them. Ask the user for \
                        what you need of them.)";

/// Why room is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The next request would not fit.
    Full,
    /// A request did not fit, whatever was counted.
    Overflown,
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
        let tools = self.tools.specs();
        let before = context.measure(record.items(), &tools);
        let is_full = before.tokens() > context.budget.limit();
        if context.is_exhausted || (need == Need::Full && !is_full) {
            return Ok(false);
        }
        let fixed = fixed_of(&before);
        let room = context.budget.limit().saturating_sub(fixed);
        let Some(cut) = cut_for(context, record.items(), room * KEPT / 100) else {
            context.is_exhausted = true;
            record.notice(full(&before)).await?;
            return Ok(false);
        };
        let items = record.items();
        let shortened = match self.without_steps(context, items, &cut, room, &before) {
            Some(shortened) => Some(shortened),
            // So little can be kept that a summary would be written for every message.
            None if room * 100 < context.budget.window() * LEAST_ROOM => {
                Some(self.with_summary(context, items, &cut, LEFT_OUT.to_owned(), &before))
            }
            None => {
                let model = record.model().clone();
                let written = self
                    .summarise(context, items, &cut, "", &model, stop)
                    .await?;
                record.used(written.usage);
                let Some(summary) = written.summary else {
                    context.is_exhausted = true;
                    record.notice(Notice::SummaryFailed).await?;
                    return Ok(false);
                };
                Some(self.with_summary(context, record.items(), &cut, summary, &before))
            }
        };
        let smaller = shortened.filter(|new| new.tokens_after < new.tokens_before);
        let Some(compaction) = smaller else {
            context.is_exhausted = true;
            record.notice(full(&before)).await?;
            return Ok(false);
        };
        let freed = compaction.tokens_before - compaction.tokens_after;
        let shortenable = before.tokens().saturating_sub(fixed).max(1);
        context.is_exhausted = freed * 100 / shortenable < WORTH_IT;
        record.compacted(&compaction).await?;
        context.shorten(compaction);
        if context.is_exhausted {
            let after = context.measure(record.items(), &tools);
            record.notice(full(&after)).await?;
        }
        Ok(true)
    }

    /// Shortens a session as far as can be, because the user said so. `keep` is what they want kept
    /// above all. None: there is nothing to shorten, or the summary came to nothing.
    ///
    /// # Errors
    /// When the compaction could not be written down.
    pub async fn compact(
        &self,
        context: &Context,
        model: &ModelRef,
        keep: &str,
        stop: &CancellationToken,
    ) -> Result<Option<Compaction>, JournalError> {
        let before = context.measure(&[], &self.tools.specs());
        let Some(cut) = cut_for(context, &[], 0) else {
            return Ok(None);
        };
        let written = self.summarise(context, &[], &cut, keep, model, stop).await;
        let summary = match written {
            Ok(written) => written.summary,
            Err(Break::Unwritten(error)) => return Err(error),
            Err(Break::Stopped | Break::Failed(_)) => None,
        };
        let compaction = summary.map(|summary| Compaction {
            by_hand: true,
            ..self.with_summary(context, &[], &cut, summary, &before)
        });
        let smaller = compaction.filter(|new| new.tokens_after < new.tokens_before);
        if let Some(compaction) = &smaller {
            self.journal.keep_compaction(compaction).await?;
        }
        Ok(smaller)
    }

    /// The compaction that leaves old steps out, if that is enough.
    fn without_steps(
        &self,
        context: &Context,
        running: &[Item],
        cut: &Cut,
        room: u64,
        before: &ContextReport,
    ) -> Option<Compaction> {
        let now = context.compaction();
        let compaction = Compaction {
            steps_through: Some(cut.through),
            summary_through: now.and_then(|now| now.summary_through),
            summary: now.map(|now| now.summary.clone()).unwrap_or_default(),
            ..self.compaction_of(context, before)
        };
        let measured = self.measured(context, running, compaction);
        let left = measured.tokens_after.saturating_sub(fixed_of(before));
        (left <= room * ENOUGH / 100).then_some(measured)
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
            ..self.compaction_of(context, before)
        };
        self.measured(context, running, compaction)
    }

    fn compaction_of(&self, context: &Context, before: &ContextReport) -> Compaction {
        let at = self.clock.now();
        Compaction {
            id: CompactionId::from_parts(at, self.clock.random()),
            session_id: context.session_id(),
            at,
            steps_through: None,
            summary_through: None,
            summary: String::new(),
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
