//! The built-in tools as the agent's.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use talaria_agent::port::ToolSet;
use talaria_domain::{SessionId, ToolCall, ToolResult, ToolSpec};
use talaria_tool::{Registry, ToolContext};

/// The registry, for one session's turns.
pub(crate) struct BuiltInTools {
    /// None while the notes folder can't be opened: then one can still talk.
    registry: Option<Arc<Registry>>,
}

impl BuiltInTools {
    pub(crate) fn new(registry: Option<Arc<Registry>>) -> Self {
        Self { registry }
    }
}

#[async_trait]
impl ToolSet for BuiltInTools {
    fn specs(&self) -> Vec<ToolSpec> {
        self.registry
            .as_ref()
            .map(|registry| registry.specs())
            .unwrap_or_default()
    }

    fn meant(&self, call: &ToolCall) -> Option<Value> {
        self.registry.as_ref()?.meant(call)
    }

    async fn run(&self, session: SessionId, call: &ToolCall) -> ToolResult {
        match &self.registry {
            Some(registry) => {
                registry
                    .run(
                        call,
                        &ToolContext {
                            session_id: session,
                        },
                    )
                    .await
            }
            None => ToolResult {
                text: "the notes folder can't be opened now; tell the user".to_owned(),
                is_error: true,
            },
        }
    }
}
