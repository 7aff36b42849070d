//! `talaria`: the same core without a window.
//!
//! It shares the data root with the window. With `--json` each command prints JSON, and a failure as
//! `{"type":"error",…}`; the exit code is then not 0.

mod arguments;
mod chat;
mod model_line;
mod note;
mod notice;
mod output;
mod provider;
mod question;
mod secret;
mod session;
mod setup;
mod terminal;
mod trace;
mod web;

use std::process::ExitCode;

use clap::Parser;
use talaria_api::{ApiError, Core, RunDoctor, handler};

use crate::arguments::{Arguments, Command};
use crate::output::Output;

fn main() -> ExitCode {
    if let Some(code) = talaria_api::enter_sandbox() {
        return code;
    }
    let arguments = Arguments::parse();
    let output = Output::new(arguments.json, talaria_api::system_language());
    let ran = tokio::runtime::Runtime::new()
        .map_err(|error| ApiError::startup(&error))
        .and_then(|runtime| {
            let ran = runtime.block_on(run(&arguments, &output));
            // An answer that the terminal still waits for, to a question that is closed, holds up
            // nobody.
            runtime.shutdown_background();
            ran
        });
    match ran {
        Ok(code) => code,
        Err(error) => {
            output.error(error);
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &Arguments, output: &Output) -> Result<ExitCode, ApiError> {
    let core = Core::open(arguments.options()).await?;
    let output = &output.in_language(core.language());
    let done = match &arguments.command {
        Command::Chat(chat) => chat::run(&core, output, chat).await,
        Command::Doctor => doctor(&core, output).await,
        Command::Provider(command) => provider::run(&core, output, command).await,
        Command::Session(command) => session::run(&core, output, command).await,
        Command::Secret(command) => secret::run(&core, output, command).await,
        Command::Web(command) => web::run(&core, output, command).await,
        Command::Note(command) => note::run(&core, output, command).await,
        Command::Trace(command) => trace::run(&core, output, command).await,
    };
    core.close().await;
    done
}

async fn doctor(core: &Core, output: &Output) -> Result<ExitCode, ApiError> {
    let diagnoses = handler::run_doctor(core, RunDoctor {}).await?;
    output.show(&diagnoses, |diagnosis| {
        let mark = if diagnosis.passed { "✓" } else { "✗" };
        let line = format!(
            "{mark} {}  {}",
            output.check(diagnosis.check),
            diagnosis.detail
        );
        if diagnosis.passed {
            line
        } else {
            format!("{line}\n  → {}", diagnosis.hint)
        }
    });
    let healthy = diagnoses.iter().all(|diagnosis| diagnosis.passed);
    Ok(if healthy {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
