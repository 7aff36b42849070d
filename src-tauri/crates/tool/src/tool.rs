//! What a tool is. The registry holds them; each built-in tool implements it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use talaria_domain::{Act, Folder, ItemId, SessionId, ToolResult, ToolSpec, TurnId};

/// One function that the model may call.
///
/// A call is first planned: the permission is decided by what the plan says. It is then run with
/// the digest of the plan that was allowed, or not at all.
#[async_trait]
pub trait Tool: Send + Sync {
    /// What the model is told about it.
    fn spec(&self) -> ToolSpec;

    /// Whether it is wanted seldom: where there is little room it waits behind a search of the tools.
    fn is_rare(&self) -> bool {
        false
    }

    /// What the call would do. Changes nothing. The answer to leave alone, nothing, is only right
    /// for a tool that neither changes nor reaches anything outside its own session.
    ///
    /// # Errors
    /// The result that tells the model what to mend, when the call can't be done at all.
    async fn plan(
        &self,
        _arguments: &Value,
        _context: &ToolContext<'_>,
    ) -> Result<Act, ToolResult> {
        Ok(Act::default())
    }

    /// Does it. A failure is a result too: it tells the model what to mend. A tool whose plan had a
    /// digest checks that what it is about to do still has it, and refuses otherwise.
    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult;
}

/// Takes what a tool puts out while it runs, for the user's eyes. Must not block.
pub type LiveOutput<'call> = dyn Fn(&str) + Send + Sync + 'call;

/// Whether a file inside a folder that may be searched is kept back all the same.
pub type Withheld = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

/// On whose behalf a tool runs, and what it may use.
pub struct ToolContext<'call> {
    /// The session whose turn made the call.
    pub session_id: SessionId,
    /// The turn.
    pub turn_id: TurnId,
    /// The call, as the record has it.
    pub item_id: ItemId,
    /// The folders the session may use.
    pub folders: &'call [Folder],
    /// Where relative paths begin and commands run.
    pub working_folder: PathBuf,
    /// Tells the files that a tool which comes by them must not look into.
    pub withheld: Withheld,
    /// The digest of the plan that was allowed; empty while planning.
    pub digest: String,
    /// Takes output while the tool runs, for the user's eyes only.
    pub output: &'call LiveOutput<'call>,
}
