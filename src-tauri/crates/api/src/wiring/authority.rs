//! The user, and what they have said, as the agent's authority.

use std::time::Duration;

use async_trait::async_trait;
use talaria_agent::permission::Policy;
use talaria_agent::port::{Answered, Authority};
use talaria_domain::{Question, QuestionEnd, SessionId};

use crate::{Change, Core};

/// Asks through the front end.
pub(crate) struct FrontEnd {
    core: Core,
}

impl FrontEnd {
    pub(crate) fn new(core: Core) -> Self {
        Self { core }
    }
}

#[async_trait]
impl Authority for FrontEnd {
    async fn policy(&self, session: SessionId) -> Policy {
        let kept = self.core.stored(move |store| store.session(session)).await;
        Policy {
            // What can't be read is not allowed: the mode is then the one that asks.
            mode: kept.map(|session| session.mode).unwrap_or_default(),
            remembered: self.core.questions().remembered(session),
            ..Policy::default()
        }
    }

    async fn ask(&self, question: &Question) -> Answered {
        if !self.core.can_ask() {
            return Answered::Not(QuestionEnd::Unasked);
        }
        let mut waiting = self.core.questions().open(question.clone());
        let told = Told::of(&self.core);
        self.core.host().asked(question);
        let answered = tokio::time::timeout(patience(question), &mut waiting.answer).await;
        drop(waiting);
        drop(told);
        match answered {
            Ok(Ok(answer)) => Answered::By(answer),
            Ok(Err(_)) => Answered::Not(QuestionEnd::Withdrawn),
            Err(_) => Answered::Not(QuestionEnd::TimedOut),
        }
    }
}

/// The front end knows that a question is open; dropped, that it no longer is.
struct Told<'core>(&'core Core);

impl<'core> Told<'core> {
    fn of(core: &'core Core) -> Self {
        core.changed(Change::Questions);
        Self(core)
    }
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        self.0.changed(Change::Questions);
    }
}

fn patience(question: &Question) -> Duration {
    let millis = question.expires_at.as_millis() - question.asked_at.as_millis();
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}
