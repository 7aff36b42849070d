//! The words of Talaria as types: pure data and rules, no I/O, no clock, no randomness.
//!
//! Every other crate speaks in these types; the window sees the same ones, because each that
//! crosses to it also derives a TypeScript declaration (`talaria-api` writes them out).

mod act;
mod attachment;
mod concern;
mod context;
mod error_code;
mod id;
mod language;
mod message;
mod model;
mod model_facts;
mod permission;
mod question;
mod request;
mod session;
mod timestamp;
mod tool;
mod trace;
mod turn;
mod usage;
mod web_search;

pub use act::{Act, DiffHunk, DiffLine, Effect, FileChangeKind, FileDiff, LineChange, Preview};
pub use attachment::Attachment;
pub use concern::concern_text;
pub use context::{Compaction, ContextLayer, ContextReport, LayerKind};
pub use error_code::ErrorCode;
pub use id::{
    AttachmentId, CompactionId, FileChangeId, IdError, ItemId, QuestionId, SessionId, SpanId,
    TurnId,
};
pub use language::Language;
pub use message::Message;
pub use model::{ModelName, ModelRef, ServiceId, ServiceIdError};
pub use model_facts::{LongRates, ModelFacts, Price, Rates};
pub use permission::{
    Approval, ApprovalOutcome, ApprovalSource, Folder, FolderAccess, Mode, PermissionRule, Verdict,
};
pub use question::{Answer, AskReason, Choice, Question, QuestionContent, QuestionEnd, Reach};
pub use request::{ModelEvent, ModelRequest, Retry, ServiceFailure, ToolChoice};
pub use session::{Session, SessionSource, TitleOrigin};
pub use timestamp::Timestamp;
pub use tool::{Shown, Suspicion, TodoEntry, TodoState, ToolCall, ToolResult, ToolSpec};
pub use trace::{ChoiceKind, ChoiceTrace, RequestTrace, Resend, Span, SpanContent};
pub use turn::{FinishReason, Item, ItemContent, Notice, Turn, TurnFailure, TurnState};
pub use usage::{Cost, Usage};
pub use web_search::{Freshness, WebHit, WebQuery};
