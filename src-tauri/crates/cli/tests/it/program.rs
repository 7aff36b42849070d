//! The program under test, and what it printed.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;
use talaria_testkit::{Round, ScriptedService, TempHome};

/// The key it is given through the environment.
pub(crate) const KEY: &str = "sk-cli-0c5d8e21";

/// A home, a service and the program that uses both.
pub(crate) struct Program {
    pub(crate) home: TempHome,
    pub(crate) service: ScriptedService,
}

/// What one run of the program did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ok: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Program {
    pub(crate) fn with(rounds: impl IntoIterator<Item = Round>) -> Self {
        let home = TempHome::new().unwrap();
        Self {
            home,
            service: ScriptedService::start(rounds).unwrap(),
        }
    }

    /// Runs it with the service in its environment.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, &[], "")
    }

    /// The same, with more variables and a standard input.
    pub(crate) fn run_with(
        &self,
        arguments: &[&str],
        variables: &[(&str, &str)],
        input: &str,
    ) -> Ran {
        let mut child = self
            .home
            .command(env!("CARGO_BIN_EXE_talaria"))
            .args(arguments)
            .env("TALARIA_BASE_URL", self.service.base_url())
            .env("TALARIA_MODEL", self.service.model())
            .env("TALARIA_API_KEY", KEY)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        Ran::from(child.wait_with_output().unwrap())
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self {
            ok: output.status.success(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

impl Ran {
    /// Each line of its output as JSON.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Its output as one JSON document.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|_| panic!("not one document: {self:?}"))
    }

    /// The last line, which for a turn is its end.
    pub(crate) fn last(&self) -> Value {
        self.lines()
            .pop()
            .unwrap_or_else(|| panic!("nothing was printed: {self:?}"))
    }
}
