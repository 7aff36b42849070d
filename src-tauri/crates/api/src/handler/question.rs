//! Questions of running turns: which are open, and the user's answers.

use talaria_domain::Question;

use crate::{AnswerQuestion, ApiError, Core, ListQuestions};

/// The open questions, oldest first.
pub async fn list_questions(
    core: &Core,
    ListQuestions { session_id }: ListQuestions,
) -> Result<Vec<Question>, ApiError> {
    Ok(core.questions().list(session_id))
}

/// Answers a question; the turn that asked goes on.
pub async fn answer_question(
    core: &Core,
    AnswerQuestion {
        question_id,
        answer,
    }: AnswerQuestion,
) -> Result<(), ApiError> {
    core.questions().answer(question_id, answer)
}
