//! Asking whether a call may be done, or asking for the user what the model wants to know.

use talaria_domain::{
    Answer, Approval, ApprovalOutcome, ApprovalSource, Choice, Question, QuestionContent,
    QuestionEnd, QuestionId, Timestamp, ToolResult,
};
use tokio_util::sync::CancellationToken;

use crate::TurnEvent;
use crate::permission::{Decision, decide};
use crate::port::{Answered, CallSite, Listener, PlannedCall};
use crate::turn::Agent;

/// A no is about what would come of the call, and not about how it was put.
const NO_OTHER_WAY: &str = "Do not reach for the same effect in another way.";

/// Who asks, and who hears of it.
pub(super) struct Asking<'call> {
    pub(super) site: CallSite,
    pub(super) listener: &'call dyn Listener,
    pub(super) stop: &'call CancellationToken,
}

/// Whether a call is run.
pub(super) enum Permit {
    /// It is.
    Granted(Approval),
    /// It is not, and the model is told why.
    Withheld(Approval, ToolResult),
    /// The user's answer is all that was wanted.
    Answered(ToolResult),
}

impl Agent {
    /// Decides about a call, with the user's help where it takes that.
    pub(super) async fn permit(
        &self,
        planned: &PlannedCall,
        taint: Option<String>,
        asking: &Asking<'_>,
    ) -> Permit {
        let mut policy = self.authority.policy(asking.site.session_id).await;
        policy.tainted = policy.tainted.or(taint);
        match decide(&planned.call.name, &planned.act, &policy) {
            Decision::Allow(by) => Permit::Granted(approval(ApprovalOutcome::Allowed, by)),
            Decision::Refuse { by, why } => Permit::Withheld(
                approval(ApprovalOutcome::Denied, by),
                ToolResult::failure(format!(
                    "Not done, and not to be asked for: {why}. {NO_OTHER_WAY} Go on without it, and \
                     tell the user."
                )),
            ),
            Decision::Ask { reason, reaches } => {
                let content = QuestionContent::Permission {
                    tool: planned.call.name.clone(),
                    act: planned.act.clone(),
                    reason,
                    reaches,
                };
                heed(self.ask_user(content, asking).await, &planned.act.digest)
            }
        }
    }

    /// Asks the user what the model wants to know.
    pub(super) async fn choose(&self, choice: &Choice, asking: &Asking<'_>) -> ToolResult {
        let content = QuestionContent::Choice {
            choice: choice.clone(),
        };
        match self.ask_user(content, asking).await {
            Answered::By(Answer::Choose { chosen }) if !chosen.is_empty() => {
                ToolResult::success(format!("The user answered: {}", chosen.join("; ")))
            }
            Answered::By(Answer::Deny { words: Some(words) }) => {
                ToolResult::success(format!("The user chose none of these, and says: {words}"))
            }
            Answered::By(_) => ToolResult::success(
                "The user does not want to choose. Go on with your own best judgement, and say so.",
            ),
            Answered::Not(end) => ToolResult::failure(format!(
                "{} Go on with your own best judgement, and say what you took for granted.",
                unanswered(end)
            )),
        }
    }

    async fn ask_user(&self, content: QuestionContent, asking: &Asking<'_>) -> Answered {
        let now = self.clock.now();
        let patience = i64::try_from(self.limits.answer_within.as_millis()).unwrap_or(i64::MAX);
        let question = Question {
            id: QuestionId::from_parts(now, self.clock.random()),
            session_id: asking.site.session_id,
            turn_id: asking.site.turn_id,
            item_id: asking.site.item_id,
            asked_at: now,
            expires_at: Timestamp::from_millis(now.as_millis().saturating_add(patience)),
            content,
        };
        asking.listener.hear(TurnEvent::QuestionAsked {
            question: question.clone(),
        });
        let answered = tokio::select! {
            biased;
            () = asking.stop.cancelled() => Answered::Not(QuestionEnd::Withdrawn),
            answered = self.authority.ask(&question) => answered,
        };
        asking.listener.hear(TurnEvent::QuestionClosed {
            question_id: question.id,
            end: match &answered {
                Answered::By(_) => QuestionEnd::Answered,
                Answered::Not(end) => *end,
            },
        });
        answered
    }
}

/// What an answer means for the act that `digest` stands for.
fn heed(answered: Answered, digest: &str) -> Permit {
    let deny = |words: Option<String>, told: String| {
        let denied = Approval {
            words,
            ..approval(ApprovalOutcome::Denied, ApprovalSource::User)
        };
        Permit::Withheld(denied, ToolResult::failure(told))
    };
    match answered {
        Answered::By(Answer::Allow { digest: seen, .. }) if seen == digest => {
            Permit::Granted(approval(ApprovalOutcome::Allowed, ApprovalSource::User))
        }
        Answered::By(Answer::Allow { .. }) => deny(
            None,
            "Not done: what the user allowed is not what would be done now. Make the call again."
                .to_owned(),
        ),
        Answered::By(Answer::Deny { words: Some(words) }) => {
            let told = format!("Not done: the user said no, and says: {words}\n{NO_OTHER_WAY}");
            deny(Some(words), told)
        }
        Answered::By(Answer::Deny { words: None } | Answer::Choose { .. }) => deny(
            None,
            format!(
                "Not done: the user said no. {NO_OTHER_WAY} Go on without it, or ask what they want \
                 instead."
            ),
        ),
        Answered::Not(end) => Permit::Withheld(
            approval(ApprovalOutcome::Unanswered, ApprovalSource::User),
            ToolResult::failure(format!(
                "Not done: it needs the user's permission. {} {NO_OTHER_WAY} Say what you \
                 would have done.",
                unanswered(end)
            )),
        ),
    }
}

fn unanswered(end: QuestionEnd) -> &'static str {
    match end {
        QuestionEnd::TimedOut => "The user did not answer in time.",
        QuestionEnd::Unasked => "Nobody can be asked here.",
        QuestionEnd::Withdrawn | QuestionEnd::Answered => "The user stopped the turn.",
    }
}

fn approval(outcome: ApprovalOutcome, by: ApprovalSource) -> Approval {
    Approval {
        outcome,
        by,
        words: None,
    }
}
