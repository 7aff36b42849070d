//! What a turn needs from outside, as traits that the turn owns.

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use talaria_domain::{
    Act, Answer, Compaction, ContextReport, Item, ItemId, Message, ModelEvent, ModelRef,
    ModelRequest, Question, QuestionEnd, ServiceFailure, ServiceId, SessionId, Timestamp, ToolCall,
    ToolResult, ToolSpec, Turn, TurnId,
};

use crate::TurnEvent;
use crate::context::Budget;
use crate::permission::Policy;

/// The model services that can be asked.
pub trait ModelService: Send + Sync {
    /// Sends the request to a service. Dropping the stream ends the request; a stream that ends without
    /// [`ModelEvent::Finished`] was cut and yields an error last.
    fn ask(
        &self,
        service: &ServiceId,
        request: ModelRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>>;

    /// Whether the service is known to cut what is too long without saying so, so that its count
    /// of what it read has to be looked at.
    fn cuts_silently(&self, service: &ServiceId) -> bool;

    /// The window of a model that may take over, and how it counts. None: nothing is known of it.
    fn budget(&self, model: &ModelRef) -> Option<Budget>;

    /// Takes note that the model's window has no more than so many tokens, as an overflow or a
    /// silent cut has shown. Must not block.
    fn learn_window(&self, model: &ModelRef, tokens: u64);
}

/// The tools a turn may use.
#[async_trait]
pub trait ToolSet: Send + Sync {
    /// What the model is told, in an order that never changes within a session.
    fn specs(&self) -> Vec<ToolSpec>;

    /// What a call would do, with its arguments as the tool's schema has them: what is recorded and
    /// sent back is what the tool is given. Changes nothing.
    async fn plan(&self, site: CallSite, call: ToolCall) -> Plan;

    /// Runs a call that was planned and allowed, and hands on what it puts out meanwhile. A failure
    /// is a result too: the model is told and may try another way. Dropping the future stops the
    /// tool.
    async fn run(
        &self,
        site: CallSite,
        planned: &PlannedCall,
        output: &LiveOutput<'_>,
    ) -> ToolResult;
}

/// Takes what a tool puts out while it runs, for the user's eyes. Must not block.
pub type LiveOutput<'call> = dyn Fn(&str) + Send + Sync + 'call;

/// Where a call stands in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The session.
    pub session_id: SessionId,
    /// The turn.
    pub turn_id: TurnId,
    /// The call's item.
    pub item_id: ItemId,
}

/// What became of a call before anything was done.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// It can be done.
    Ready(PlannedCall),
    /// It can't; the result tells the model what to mend.
    Refused(ToolCall, ToolResult),
}

impl Plan {
    /// The call, as far as it could be read.
    pub(crate) fn call(&self) -> &ToolCall {
        match self {
            Self::Ready(planned) => &planned.call,
            Self::Refused(call, _) => call,
        }
    }
}

/// A call whose arguments are settled, and what it would do.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedCall {
    /// The call.
    pub call: ToolCall,
    /// What it would do.
    pub act: Act,
}

/// Who says what a session may do.
#[async_trait]
pub trait Authority: Send + Sync {
    /// What holds for the session now. It can change while a turn runs.
    async fn policy(&self, session: SessionId) -> Policy;

    /// Puts a question to the user and waits for the answer. Ends by itself when the question
    /// expires; dropping the future withdraws it.
    async fn ask(&self, question: &Question) -> Answered;
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// The user's answer.
    By(Answer),
    /// There is none, and there will be none.
    Not(QuestionEnd),
}

/// Writes down what happens, before anybody is shown it.
#[async_trait]
pub trait Journal: Send + Sync {
    /// The turn and the user's words, durable when this returns.
    async fn begin_turn(&self, turn: &Turn, user: &Item) -> Result<(), JournalError>;
    /// The messages of the turn's latest request, exactly as they are sent, and what they take.
    async fn keep_request(
        &self,
        turn: TurnId,
        messages: &[Message],
        report: &ContextReport,
    ) -> Result<(), JournalError>;
    /// How a session's context is shortened from here on.
    async fn keep_compaction(&self, compaction: &Compaction) -> Result<(), JournalError>;
    /// An item that has begun.
    async fn begin_item(&self, item: &Item) -> Result<(), JournalError>;
    /// More text of an item that has begun.
    async fn append_text(&self, item: ItemId, text: &str) -> Result<(), JournalError>;
    /// An item as it stays.
    async fn finish_item(&self, item: &Item) -> Result<(), JournalError>;
    /// The turn as it stays.
    async fn finish_turn(&self, turn: &Turn) -> Result<(), JournalError>;
}

/// Something could not be written down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(pub String);

/// Counts the tokens of a text, as the turn's model would.
pub trait TokenCounter: Send + Sync {
    /// Tokens that `text` takes. May be slow the first time.
    fn count(&self, text: &str) -> u64;
}

/// Hears a turn's events. Must not block.
pub trait Listener: Send + Sync {
    /// One event, in order.
    fn hear(&self, event: TurnEvent);
}

/// Time and chance, passed in so that tests can hold them still.
pub trait Clock: Send + Sync {
    /// The time now.
    fn now(&self) -> Timestamp;
    /// Ten random bytes, for an id.
    fn random(&self) -> [u8; 10];
}
