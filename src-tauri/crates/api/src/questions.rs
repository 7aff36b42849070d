//! The questions that running turns have put to the user, and what was allowed for a session.
//!
//! Kept in memory alone: a question ends with its turn, and what was allowed for a session ends
//! with the program.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use talaria_domain::{
    Answer, Effect, ErrorCode, Question, QuestionContent, QuestionId, Reach, SessionId,
};
use tokio::sync::oneshot;

use crate::ApiError;

/// What is open, and what was said.
#[derive(Default)]
pub(crate) struct Questions {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    open: HashMap<QuestionId, Open>,
    remembered: HashMap<SessionId, Vec<Vec<Effect>>>,
}

struct Open {
    question: Question,
    answer: oneshot::Sender<Answer>,
}

/// A question that waits. Dropped, it is withdrawn.
pub(crate) struct Waiting<'questions> {
    questions: &'questions Questions,
    id: QuestionId,
    pub(crate) answer: oneshot::Receiver<Answer>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.questions.lock().open.remove(&self.id);
    }
}

impl Questions {
    /// Opens a question.
    pub(crate) fn open(&self, question: Question) -> Waiting<'_> {
        let (answer, waiting) = oneshot::channel();
        let id = question.id;
        self.lock().open.insert(id, Open { question, answer });
        Waiting {
            questions: self,
            id,
            answer: waiting,
        }
    }

    /// The open questions, oldest first; of one session, or of all.
    pub(crate) fn list(&self, session: Option<SessionId>) -> Vec<Question> {
        let state = self.lock();
        let mut open: Vec<Question> = state
            .open
            .values()
            .map(|open| open.question.clone())
            .filter(|question| session.is_none_or(|session| session == question.session_id))
            .collect();
        open.sort_by_key(|question| question.id);
        open
    }

    /// Whether a turn of the session waits for the user.
    pub(crate) fn is_waiting(&self, session: SessionId) -> bool {
        let state = self.lock();
        state
            .open
            .values()
            .any(|open| open.question.session_id == session)
    }

    /// Hands the user's answer to the turn that waits for it.
    ///
    /// # Errors
    /// `not_found` for a question that is no longer open, `conflict` for a yes to something else
    /// than was shown: the question then stays open.
    pub(crate) fn answer(&self, id: QuestionId, answer: Answer) -> Result<Question, ApiError> {
        let mut state = self.lock();
        let Some(open) = state.open.get(&id) else {
            let gone = "this question is no longer open";
            return Err(ApiError::new(ErrorCode::NotFound, gone));
        };
        if let (QuestionContent::Permission { act, .. }, Answer::Allow { digest, .. }) =
            (&open.question.content, &answer)
            && *digest != act.digest
        {
            let other = "this is not what was asked; look at the question again";
            return Err(ApiError::new(ErrorCode::Conflict, other));
        }
        let Some(Open {
            question,
            answer: to,
        }) = state.open.remove(&id)
        else {
            return Err(ApiError::new(ErrorCode::NotFound, "no such question"));
        };
        if let (QuestionContent::Permission { act, .. }, Answer::Allow { reach, .. }) =
            (&question.content, &answer)
            && *reach == Reach::Session
        {
            let acts = state.remembered.entry(question.session_id).or_default();
            acts.push(act.effects.clone());
        }
        // A turn that was stopped this very moment no longer listens.
        let _ = to.send(answer);
        Ok(question)
    }

    /// The acts that the user allowed for the rest of the session.
    pub(crate) fn remembered(&self, session: SessionId) -> Vec<Vec<Effect>> {
        let state = self.lock();
        state.remembered.get(&session).cloned().unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
