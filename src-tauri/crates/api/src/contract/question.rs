//! What running turns ask, and how it is answered.

use serde::Deserialize;
use talaria_domain::{Answer, QuestionId, SessionId};
use ts_rs::TS;

/// List the open questions, oldest first.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListQuestions {
    /// Of this session only.
    #[serde(default)]
    #[ts(optional)]
    pub session_id: Option<SessionId>,
}

/// Answer an open question.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct AnswerQuestion {
    /// Which.
    pub question_id: QuestionId,
    /// The answer.
    pub answer: Answer,
}
