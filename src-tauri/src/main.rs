//! Talaria's window: a thin shell over the core.
//!
//! It starts the core, opens one window, hands the window's requests to the core and the core's
//! changes to the window. Everything else is `talaria-api`'s.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod clipboard;
mod command;
mod graphics;
mod notification;
mod place;
mod shell;
mod window;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = talaria_api::enter_sandbox() {
        return code;
    }
    graphics::prepare();
    match shell::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "the window could not start");
            shell::report(&error);
            ExitCode::FAILURE
        }
    }
}
