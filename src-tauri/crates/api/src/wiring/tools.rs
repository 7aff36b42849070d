//! The built-in tools as the agent's.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use talaria_agent::port::{CallSite, LiveOutput, Plan, PlannedCall, ToolSet};
use talaria_domain::{ToolCall, ToolResult, ToolSpec};
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

    async fn plan(&self, site: CallSite, call: ToolCall) -> Plan {
        let Some(registry) = &self.registry else {
            return Plan::Refused(call, closed());
        };
        match registry
            .plan(call, &context(site, String::new(), &|_| {}))
            .await
        {
            Ok((call, act)) => Plan::Ready(PlannedCall { call, act }),
            Err((call, refused)) => Plan::Refused(call, refused),
        }
    }

    async fn run(
        &self,
        site: CallSite,
        planned: &PlannedCall,
        output: &LiveOutput<'_>,
    ) -> ToolResult {
        let Some(registry) = &self.registry else {
            return closed();
        };
        let digest = planned.act.digest.clone();
        registry
            .run(&planned.call, &context(site, digest, output))
            .await
    }
}

fn context<'call>(
    site: CallSite,
    digest: String,
    output: &'call LiveOutput<'call>,
) -> ToolContext<'call> {
    ToolContext {
        session_id: site.session_id,
        turn_id: site.turn_id,
        item_id: site.item_id,
        folders: &[],
        working_folder: PathBuf::new(),
        digest,
        output,
    }
}

fn closed() -> ToolResult {
    ToolResult::failure("the notes folder can't be opened now; tell the user")
}
