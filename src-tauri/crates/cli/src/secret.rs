//! `talaria secret`: what commands can be given by name. A value is typed or piped in, never an
//! argument: arguments can be seen by others on the computer.

use std::process::ExitCode;

use talaria_api::{ApiError, Core, ListToolSecrets, RemoveToolSecret, SaveToolSecret, handler};

use crate::arguments::SecretCommand;
use crate::output::Output;
use crate::terminal;

/// Runs the command.
pub(crate) async fn run(
    core: &Core,
    output: &Output,
    command: &SecretCommand,
) -> Result<ExitCode, ApiError> {
    match command {
        SecretCommand::List => {
            let secrets = handler::list_tool_secrets(core, ListToolSecrets {}).await?;
            output.show(&secrets, |secret| secret.name.clone());
        }
        SecretCommand::Set { name } => {
            let value = terminal::secret(output.words("Value: ", "值：")).await?;
            let name = name.clone();
            handler::save_tool_secret(core, SaveToolSecret { name, value }).await?;
            output.aside(output.words("Kept.", "已保存。"));
        }
        SecretCommand::Remove { name } => {
            let name = name.clone();
            handler::remove_tool_secret(core, RemoveToolSecret { name }).await?;
            output.aside(output.words("Removed.", "已移除。"));
        }
    }
    Ok(ExitCode::SUCCESS)
}
