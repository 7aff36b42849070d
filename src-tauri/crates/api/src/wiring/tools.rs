//! The built-in tools as the agent's.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use talaria_agent::permission::{Policy, is_withheld};
use talaria_agent::port::{CallSite, LiveOutput, Plan, PlannedCall, ToolSet};
use talaria_agent::{cap, estimated_tokens, suspicions};
use talaria_domain::{Effect, LayerKind, ToolCall, ToolResult, ToolSpec};
use talaria_secret::Redactor;
use talaria_tool::{Registry, ToolContext};

use crate::Core;

/// Tools without effects that give back what was kept earlier, by whomever it was written.
const KEPT: &[&str] = &["read_note", "search_notes", "search_sessions"];

/// The registry, for one session's turns.
pub(crate) struct BuiltInTools {
    registry: Registry,
    specs: Vec<ToolSpec>,
    core: Core,
}

/// Where a session's tools may work.
struct Ground {
    policy: Arc<Policy>,
    working_folder: PathBuf,
}

impl BuiltInTools {
    /// The tools for a model with a window of so many tokens.
    pub(crate) fn within(core: Core, window: u64) -> Self {
        let registry = core.registry();
        let room = cap(LayerKind::Tools, window).unwrap_or(window);
        let specs = registry.offered(room, tokens_of_spec);
        Self {
            registry,
            specs,
            core,
        }
    }

    /// What holds for the session now. Folders that can't be read are none.
    async fn ground(&self, site: CallSite) -> Ground {
        let policy = self.core.policy(site.session_id).await;
        let first = policy.folders.first();
        Ground {
            working_folder: first.map(|it| PathBuf::from(&it.path)).unwrap_or_default(),
            policy: Arc::new(policy),
        }
    }
}

#[async_trait]
impl ToolSet for BuiltInTools {
    fn specs(&self) -> Vec<ToolSpec> {
        self.specs.clone()
    }

    async fn plan(&self, site: CallSite, call: ToolCall) -> Plan {
        let ground = self.ground(site).await;
        let context = context(site, &call.name, &ground, String::new(), &|_| {});
        match self.registry.plan(call, &context).await {
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
        let (ground, digest) = (self.ground(site).await, planned.act.digest.clone());
        let redactor = self.core.redactor();
        let shown = |text: &str| output(&redactor.redact(text));
        let context = context(site, &planned.call.name, &ground, digest, &shown);
        let result = self.registry.run(&planned.call, &context).await;
        let result = without_secrets(redactor, result);
        match source(planned) {
            Some(source) => from_outside(source, result),
            None => result,
        }
    }
}

fn tokens_of_spec(spec: &ToolSpec) -> u64 {
    let texts = [&spec.name, &spec.description, &spec.parameters.to_string()];
    texts.map(|text| estimated_tokens(text)).iter().sum()
}

fn context<'call>(
    site: CallSite,
    tool: &str,
    ground: &'call Ground,
    digest: String,
    output: &'call LiveOutput<'call>,
) -> ToolContext<'call> {
    let (tool, policy) = (tool.to_owned(), Arc::clone(&ground.policy));
    ToolContext {
        session_id: site.session_id,
        turn_id: site.turn_id,
        item_id: site.item_id,
        folders: &ground.policy.folders,
        working_folder: ground.working_folder.clone(),
        withheld: Arc::new(move |path| is_withheld(&tool, &path.to_string_lossy(), &policy)),
        digest,
        output,
    }
}

/// The result without the values of secrets: neither the model nor the disk gets them.
fn without_secrets(redactor: &Redactor, mut result: ToolResult) -> ToolResult {
    result.text = redactor.redact(&result.text);
    result.shown = result.shown.and_then(|shown| {
        let mut value = serde_json::to_value(shown).ok()?;
        take_secrets(redactor, &mut value);
        serde_json::from_value(value).ok()
    });
    result
}

/// Takes the secrets out of every text, however deep it lies.
fn take_secrets(redactor: &Redactor, value: &mut Value) {
    match value {
        Value::String(text) => *text = redactor.redact(text),
        Value::Array(values) => values.iter_mut().for_each(|it| take_secrets(redactor, it)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|it| take_secrets(redactor, it)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Marks what a tool brought as data, with the instructions that stand in it.
fn from_outside(source: String, mut result: ToolResult) -> ToolResult {
    let found = suspicions(&source, &result.text);
    if !found.is_empty() {
        let rules: Vec<&str> = found.iter().map(|it| it.rule.as_str()).collect();
        tracing::warn!(?rules, "instructions stand in what a tool brought");
    }
    result.suspicions.extend(found);
    result.source = Some(source);
    result
}

/// Where a call's result comes from, if somebody else wrote it.
fn source(planned: &PlannedCall) -> Option<String> {
    let from = planned.act.effects.iter().find_map(|effect| match effect {
        Effect::Read { path } => Some(path.clone()),
        Effect::Command { command, .. } => Some(command.clone()),
        Effect::Fetch { url } => Some(url.clone()),
        Effect::WebSearch { host, .. } => Some(host.clone()),
        Effect::Write { .. } | Effect::Note { .. } => None,
    });
    let call = &planned.call;
    let kept = KEPT.contains(&call.name.as_str()).then(|| {
        let title = call.arguments.get("title").and_then(|title| title.as_str());
        title.unwrap_or(&call.name).to_owned()
    });
    from.or(kept)
}
