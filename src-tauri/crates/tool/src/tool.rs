//! What a tool is. The registry holds them; each built-in tool implements it.

use async_trait::async_trait;
use serde_json::Value;
use talaria_domain::{SessionId, ToolResult, ToolSpec};

/// One function that the model may call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// What the model is told about it.
    fn spec(&self) -> ToolSpec;

    /// Runs it. A failure is a result too: it tells the model what to mend.
    async fn run(&self, arguments: Value, context: &ToolContext) -> ToolResult;
}

/// On whose behalf a tool runs.
#[derive(Clone, Copy, Debug)]
pub struct ToolContext {
    /// The session whose turn made the call.
    pub session_id: SessionId,
}
