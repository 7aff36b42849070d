//! A turn's events as spans.

use std::collections::HashMap;

use talaria_domain::{
    Approval, ChoiceKind, ChoiceTrace, Compaction, FinishReason, Item, ItemContent, ItemId, Notice,
    Question, QuestionContent, QuestionEnd, QuestionId, Resend, SpanContent, Timestamp, Turn,
    TurnFailure, TurnState, Usage,
};

use super::{Root, TurnTrace};
use crate::TurnEvent;

/// What has begun and not ended.
#[derive(Default)]
pub(super) struct Open {
    /// The questions of the turn, until the call that they are about is over.
    asked: HashMap<QuestionId, Asked>,
}

/// A question to the user.
struct Asked {
    question: Question,
    ended: Option<(QuestionEnd, Timestamp)>,
}

impl TurnTrace {
    /// Makes of an event what belongs into the trace.
    pub(super) fn hear(&self, event: &TurnEvent) {
        if let TurnEvent::TurnStarted { turn, .. } = event {
            return self.begin(turn);
        }
        let Some(root) = self.state().turn else {
            return;
        };
        match event {
            TurnEvent::Retrying {
                attempt,
                wait_ms,
                code,
                message,
            } => {
                if let Some(pending) = &mut self.state().pending {
                    pending.resend(Resend {
                        attempt: *attempt,
                        code: *code,
                        message: message.clone(),
                        wait_ms: *wait_ms,
                    });
                }
            }
            TurnEvent::ContextMeasured { report } => {
                self.state().estimated = Some(report.tokens());
            }
            TurnEvent::QuestionAsked { question } => self.asked(question),
            TurnEvent::QuestionClosed { question_id, end } => {
                let now = self.now();
                if let Some(asked) = self.state().open.asked.get_mut(question_id) {
                    asked.ended = Some((*end, now));
                }
            }
            TurnEvent::ItemFinished { item } => self.finished(root, item),
            TurnEvent::TurnFinished { finish, usage, .. } => {
                let state = match finish {
                    FinishReason::Cancelled => TurnState::Cancelled,
                    _ => TurnState::Finished,
                };
                self.end(root, state, *usage, Some(*finish), None);
            }
            TurnEvent::Error {
                code,
                message,
                usage,
                ..
            } => {
                let failure = TurnFailure {
                    code: *code,
                    message: message.clone(),
                };
                self.end(root, TurnState::Failed, *usage, None, Some(failure));
            }
            _ => {}
        }
    }

    fn begin(&self, turn: &Turn) {
        let root = Root {
            span: self.span_id(),
            turn_id: turn.id,
            session_id: turn.session_id,
            started_at: turn.started_at,
        };
        {
            let mut state = self.state();
            state.turn = Some(root);
            state.model = Some(turn.model.clone());
        }
        self.choose_model(root, &turn.model, "the session's model".to_owned());
    }

    fn end(
        &self,
        root: Root,
        ended: TurnState,
        usage: Usage,
        finish: Option<FinishReason>,
        failure: Option<TurnFailure>,
    ) {
        let (pending, model) = {
            let mut state = self.state();
            state.turn = None;
            (state.pending.take(), state.model.take())
        };
        if let Some(pending) = pending {
            self.close_request(pending);
        }
        let Some(model) = model else { return };
        self.record_root(
            root,
            SpanContent::Turn {
                model,
                state: ended,
                usage,
                finish,
                failure,
            },
        );
    }

    fn asked(&self, question: &Question) {
        let asked = Asked {
            question: question.clone(),
            ended: None,
        };
        self.state().open.asked.insert(question.id, asked);
    }

    fn finished(&self, root: Root, item: &Item) {
        match &item.content {
            ItemContent::Notice { notice } => self.noticed(root, notice),
            ItemContent::ToolCall {
                call,
                result,
                approval,
                ..
            } => {
                if let Some(approval) = approval {
                    self.decided(root, item, &call.name, approval);
                }
                let content = SpanContent::ToolCall {
                    item_id: item.id,
                    call_id: call.id.clone(),
                    name: call.name.clone(),
                    arguments: call.arguments.clone(),
                    result: result.as_ref().map(|result| result.text.clone()),
                    failed: result.as_ref().is_none_or(|result| result.is_error),
                };
                self.record(root, item.started_at, content);
            }
            ItemContent::UserText { .. }
            | ItemContent::ModelText { .. }
            | ItemContent::Reasoning { .. } => {}
        }
    }

    /// The span of a decision lasts as long as the user was waited for.
    fn decided(&self, root: Root, item: &Item, tool: &str, approval: &Approval) {
        let asked = self.state().open.take(item.id);
        let now = self.now();
        let (started_at, ended_at, reason, end) = match asked {
            Some(Asked { question, ended }) => {
                let (end, ended_at) = ended.unzip();
                let reason = match question.content {
                    QuestionContent::Permission { reason, .. } => Some(reason),
                    QuestionContent::Choice { .. } => None,
                };
                (question.asked_at, ended_at.unwrap_or(now), reason, end)
            }
            None => (item.started_at, item.started_at, None, None),
        };
        let content = SpanContent::Permission {
            item_id: item.id,
            tool: tool.to_owned(),
            approval: approval.clone(),
            reason,
            end,
        };
        self.record_until(root, started_at, ended_at, content);
    }

    fn noticed(&self, root: Root, notice: &Notice) {
        let now = self.now();
        match notice {
            Notice::ModelSwitched {
                to, code, message, ..
            } => {
                let failed = self.state().pending.take();
                if let Some(pending) = failed {
                    self.close_request(pending);
                }
                self.state().model = Some(to.clone());
                self.choose_model(root, to, format!("{code}: {message}"));
            }
            Notice::ContextShortened { compaction } => {
                let choice = way_of(compaction);
                self.record(root, now, SpanContent::Choice { choice });
                let compaction = compaction.clone();
                self.record(root, now, SpanContent::Compaction { compaction });
            }
            other => {
                let notice = other.clone();
                self.record(root, now, SpanContent::Notice { notice });
            }
        }
    }
}

/// How room was made: the cheaper way is tried first.
fn way_of(compaction: &Compaction) -> ChoiceTrace {
    let ways = ["leave out tool steps", "summarise"];
    let [steps, summary] = ways;
    let summarised = compaction.summary_through.is_some();
    ChoiceTrace {
        of: ChoiceKind::Compaction,
        candidates: ways.map(str::to_owned).to_vec(),
        chosen: if summarised { summary } else { steps }.to_owned(),
        why: format!(
            "{} tokens before, {} after",
            compaction.tokens_before, compaction.tokens_after
        ),
    }
}

impl Open {
    /// The question for permission to do a call.
    fn take(&mut self, item: ItemId) -> Option<Asked> {
        let (id, _) = self.asked.iter().find(|(_, asked)| {
            asked.question.item_id == item
                && matches!(asked.question.content, QuestionContent::Permission { .. })
        })?;
        let id = *id;
        self.asked.remove(&id)
    }
}
