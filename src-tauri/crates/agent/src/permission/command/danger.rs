//! Which commands are forbidden in every mode, and which are asked in every mode.
//!
//! Rows name a program and what has to stand in its arguments; what needs more than a row is in
//! [`ruin`](super::ruin) (what is removed or overwritten) and [`option`](super::option) (options that
//! start programs).

mod table;

use super::interpret::FETCHERS;
use super::line::Simple;
use super::{Concerns, Use, option, ruin};
use crate::permission::forbidden::{Ban, ban};
use table::{DANGEROUS, DISK, FORBIDDEN, SENDS};

/// Judges one command of a line.
pub(super) fn judge(command: &Simple, line: &[Simple], concerns: &mut Concerns) {
    let program = command.program();
    if let Some(row) = FORBIDDEN.iter().find(|row| row.fits(&program, command)) {
        concerns.forbid(row.what);
    }
    if program.starts_with("mkfs.") {
        concerns.forbid(DISK);
    }
    if let Some(row) = DANGEROUS.iter().find(|row| row.fits(&program, command))
        && !is_a_look(&program, command)
    {
        concerns.danger(row.what);
    }
    if !program.is_ascii() {
        concerns.unclear("a program whose name has other letters");
    }
    option::judge(&program, command, concerns);
    ruin::judge(&program, command, concerns);
    judge_connection(&program, command, line, concerns);
}

/// The harmless questions that programs of the table answer.
fn is_a_look(program: &str, command: &Simple) -> bool {
    let verb = command.verb();
    match program {
        "systemctl" | "service" | "rc-service" => matches!(
            verb,
            "status" | "is-active" | "is-enabled" | "list-units" | "show" | "cat"
        ),
        "docker" | "podman" | "kubectl" => {
            matches!(verb, "ps" | "images" | "logs" | "version" | "info" | "get")
                && !command.has(&["secret", "secrets", "secret/"])
        }
        "crontab" => command.has(&["-l"]) && command.feeders.is_empty(),
        "apt" | "apt-get" | "dpkg" | "dnf" | "brew" | "rpm" | "pacman" | "snap" => {
            matches!(verb, "list" | "show" | "search" | "info")
                || command.has(&["-l", "-L", "-s", "-q", "-qa", "--version"])
        }
        "npm" | "pip" | "pip3" | "cargo" | "git" => {
            verb == "config"
                && command.has(&["get", "list", "--list", "-l", "--get"])
                && program != "npm"
        }
        "mount" => command.arguments().is_empty(),
        "sysctl" => {
            !command.has(&["-w", "-p"]) && command.operands().all(|word| !word.text.contains('='))
        }
        "kill" => command.has(&["-0", "-l"]),
        "nc" | "ncat" => command.has_flag('z'),
        "terraform" | "tofu" => matches!(verb, "fmt" | "validate" | "version"),
        "chmod" => command
            .operands()
            .next()
            .is_some_and(|mode| is_plain_mode(&mode.text)),
        _ => command.arguments().len() == 1 && command.has(&["--version", "--help", "-V"]),
    }
}

/// Whether a mode gives no rights to everybody, and none of another user.
fn is_plain_mode(mode: &str) -> bool {
    let is_number = mode.len() == 3 && mode.chars().all(|digit| digit.is_digit(8));
    let for_all = |mode: &str| mode.starts_with(['a', 'o']) && mode.contains('w');
    match is_number {
        true => !mode.ends_with(['2', '3', '6', '7']),
        false => {
            !mode.contains('s')
                && !mode.starts_with(|first: char| first.is_ascii_digit())
                && !for_all(mode)
        }
    }
}

/// Shells that are handed to another computer.
fn judge_connection(program: &str, command: &Simple, line: &[Simple], concerns: &mut Concerns) {
    const HANDED: &str = "control of the computer is never handed to another one";
    let is_shell = |text: &str| {
        let name = super::line::program_name(text);
        matches!(
            name.as_str(),
            "sh" | "bash" | "dash" | "zsh" | "ksh" | "cmd" | "powershell" | "pwsh"
        )
    };
    let to_network = command
        .files
        .iter()
        .map(|file| file.path.text.as_str())
        .find_map(|path| {
            path.strip_prefix("/dev/tcp/")
                .or_else(|| path.strip_prefix("/dev/udp/"))
        });
    if let Some(host) = to_network {
        let is_here = ["127.", "localhost/", "::1/"]
            .iter()
            .any(|here| host.starts_with(here));
        match (is_shell(program), is_here) {
            (true, _) => concerns.forbid(HANDED),
            (false, false) => concerns.danger(SENDS),
            (false, true) => {}
        }
    }
    let connects = matches!(
        program,
        "nc" | "ncat" | "netcat" | "socat" | "telnet" | "openssl"
    );
    let starts_shell = command.arguments().iter().any(|word| {
        is_shell(&word.text)
            || word.text.to_lowercase().contains("exec:")
            || word.text.to_lowercase().contains("system:")
    });
    let fed_by_shell = command
        .feeders
        .iter()
        .filter_map(|number| line.get(*number))
        .any(|feeder| is_shell(&feeder.program()));
    if connects
        && (starts_shell
            || fed_by_shell
            || program != "openssl" && command.has(&["-e", "-c", "--exec", "--sh-exec"]))
    {
        concerns.forbid(HANDED);
    }
}

/// What only the whole line shows: secrets on their way to the network.
pub(super) fn judge_together(line: &[Simple], uses: &[Use], concerns: &mut Concerns) {
    const LEAVES: &str = "secrets are never sent to another computer";
    let sends = line.iter().any(|command| {
        let program = command.program();
        FETCHERS.contains(&program.as_str())
            || matches!(
                program.as_str(),
                "nslookup" | "host" | "ping" | "rsync" | "mail" | "sendmail"
            )
    });
    if !sends {
        return;
    }
    if concerns.names_secret {
        concerns.danger("sends a secret to another computer");
    }
    let reads_secret = uses.iter().any(|it| {
        let Some(place) = &it.place else { return false };
        matches!(ban(place, it.touch), Some(Ban::Forbidden(_)))
            || it.touch == crate::permission::forbidden::Touch::Read
                && matches!(ban(place, it.touch), Some(Ban::Asked(_)))
    });
    let prints_environment = line.iter().any(|command| {
        matches!(
            command.program().as_str(),
            "env" | "printenv" | "set" | "export" | "declare" | "compgen"
        ) && command.operands().next().is_none()
            && command.words.len() <= 2
    });
    let is_fed = line.iter().any(|command| {
        FETCHERS.contains(&command.program().as_str()) && !command.feeders.is_empty()
    });
    if reads_secret || prints_environment && is_fed {
        concerns.forbid(LEAVES);
    }
}
