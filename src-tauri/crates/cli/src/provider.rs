//! `talaria provider`: the model service in use.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use talaria_api::{ApiError, Core, ListModels, ProofEvent, ProofState, ProofStep, Sink, handler};

use crate::arguments::ProviderCommand;
use crate::model_line::{Widths, model_line};
use crate::output::Output;
use crate::setup;

/// Runs the command.
pub(crate) async fn run(
    core: &Core,
    output: &Output,
    command: &ProviderCommand,
) -> Result<ExitCode, ApiError> {
    match command {
        ProviderCommand::Add => setup::run(core, output).await.map(|()| ExitCode::SUCCESS),
        ProviderCommand::Models => models(core, output).await,
        ProviderCommand::Test => test(core, output).await,
    }
}

async fn models(core: &Core, output: &Output) -> Result<ExitCode, ApiError> {
    let id = core.default_service().ok_or_else(ApiError::no_model)?;
    let models = handler::list_models(core, ListModels { id }).await?;
    let widths = Widths::of(&models);
    output.show(&models, |model| model_line(*output, model, widths));
    Ok(ExitCode::SUCCESS)
}

/// Proves the model in use, a line for each step.
pub(crate) async fn test(core: &Core, output: &Output) -> Result<ExitCode, ApiError> {
    let model = core.default_model().ok_or_else(ApiError::no_model)?;
    let printer = Arc::new(Printer {
        output: *output,
        failed: AtomicBool::new(false),
    });
    let request = json!({
        "command": "prove_service",
        "arguments": { "id": model.service, "model": model.model },
    });
    core.stream(request, printer.clone()).await?;
    let failed = printer.failed.load(Ordering::Relaxed);
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

struct Printer {
    output: Output,
    failed: AtomicBool,
}

impl Sink for Printer {
    fn send(&self, event: Value) {
        let Ok(ProofEvent { step, state }) = serde_json::from_value(event.clone()) else {
            tracing::error!("an event has an unknown form");
            return;
        };
        if matches!(state, ProofState::Failed { .. }) {
            self.failed.store(true, Ordering::Relaxed);
        }
        if self.output.is_json() {
            return self.output.json(&event);
        }
        let name = step_name(self.output, step);
        match state {
            ProofState::Running => {}
            ProofState::Passed { detail, millis } => {
                self.output
                    .line(&format!("✓ {name}  {detail}  {millis} ms"));
            }
            ProofState::Limited { message, .. } => {
                self.output.line(&format!("! {name}  {message}"));
            }
            ProofState::Failed { code, message, .. } => {
                self.output.line(&format!("✗ {name}"));
                self.output.error(ApiError::of_event(code, &message));
            }
            ProofState::Skipped => self.output.line(&format!("– {name}")),
        }
    }
}

fn step_name(output: Output, step: ProofStep) -> &'static str {
    let (english, chinese) = match step {
        ProofStep::Reach => ("Service reached", "服务可达"),
        ProofStep::Key => ("Key accepted", "密钥有效"),
        ProofStep::Models => ("Models listed", "模型列表"),
        ProofStep::Answer => ("Answer streamed", "流式回答"),
        ProofStep::ToolCall => ("Tool call", "工具调用"),
        ProofStep::Window => ("Context window", "上下文窗口"),
    };
    output.words(english, chinese)
}
