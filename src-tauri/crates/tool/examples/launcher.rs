//! A program that is nothing but a launcher, for the tests of the terminal.

use std::process::ExitCode;

fn main() -> ExitCode {
    talaria_tool::sandbox::enter().unwrap_or(ExitCode::FAILURE)
}
