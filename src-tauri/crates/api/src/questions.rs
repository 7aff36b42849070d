//! The questions that running turns have put to the user, and what was allowed for a session.
//!
//! Kept in memory alone: a question ends with its turn, and what was allowed for a session ends
//! with the program.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
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
    /// than was shown, `invalid_input` for an answer to another kind of question. In the latter two
    /// cases the question stays open.
    pub(crate) fn answer(&self, id: QuestionId, answer: Answer) -> Result<(), ApiError> {
        let mut state = self.lock();
        let open = match state.open.entry(id) {
            Entry::Occupied(open) => open,
            Entry::Vacant(_) => {
                let gone = "this question is no longer open";
                return Err(ApiError::new(ErrorCode::NotFound, gone));
            }
        };
        let session = open.get().question.session_id;
        let remembered = fit(&open.get().question.content, &answer)?;
        let Open { answer: to, .. } = open.remove();
        if let Some(effects) = remembered {
            state.remembered.entry(session).or_default().push(effects);
        }
        // A turn that was stopped this very moment no longer listens.
        let _ = to.send(answer);
        Ok(())
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

/// Whether the answer is one to this question, and the act that it allows for the session.
fn fit(content: &QuestionContent, answer: &Answer) -> Result<Option<Vec<Effect>>, ApiError> {
    match (content, answer) {
        (QuestionContent::Permission { act, reaches, .. }, Answer::Allow { digest, reach }) => {
            if *digest != act.digest {
                let other = "this is not what was asked; look at the question again";
                return Err(ApiError::new(ErrorCode::Conflict, other));
            }
            let lasts = *reach == Reach::Session && reaches.contains(reach);
            Ok(lasts.then(|| act.effects.clone()))
        }
        (_, Answer::Deny { .. }) | (QuestionContent::Choice { .. }, Answer::Choose { .. }) => {
            Ok(None)
        }
        (QuestionContent::Permission { .. }, Answer::Choose { .. }) => Err(ApiError::invalid(
            "this question is answered with allow or deny",
        )),
        (QuestionContent::Choice { .. }, Answer::Allow { .. }) => Err(ApiError::invalid(
            "this question is answered with choose or deny",
        )),
    }
}

#[cfg(test)]
mod tests;
