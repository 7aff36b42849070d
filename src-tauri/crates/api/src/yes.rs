//! What `--yes` on the command line names, looked at before a turn begins: a slip of the pen would
//! else allow nothing, and say nothing.

use talaria_agent::permission::KINDS;

use crate::{ApiError, Core};

impl Core {
    /// Refuses a `--yes` that names no tool and no kind of tools.
    ///
    /// # Errors
    /// `invalid_input` with what can be named.
    pub fn check_yes(&self) -> Result<(), ApiError> {
        let tools = self.registry().specs().into_iter().map(|spec| spec.name);
        let known: Vec<String> = KINDS.into_iter().map(str::to_owned).chain(tools).collect();
        let named = self.yes().iter().filter_map(|rule| rule.tool.as_ref());
        for tool in named {
            if !known.contains(tool) {
                let known = known.join(", ");
                return Err(ApiError::invalid(format_args!(
                    "--yes can't name {tool}: there is no such tool. It can name: {known}"
                )));
            }
        }
        Ok(())
    }
}
