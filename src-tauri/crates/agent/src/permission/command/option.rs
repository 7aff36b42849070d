//! Options and variables with which a harmless program starts another one, or sends a file away.

use super::Concerns;
use super::line::Simple;

const STARTS: &str = "an option that starts another program";
const SENDS: &str = "sends data to another computer";

/// A program, and how the argument begins that makes it start something.
const STARTING: &[(&str, &[&str])] = &[
    (
        "git",
        &[
            "-c",
            "--exec-path=",
            "--upload-pack",
            "--receive-pack",
            "-u",
            "--exec=",
            "--config-env",
            "--open-files-in-pager",
            "-O",
            "ext::",
            "--extcmd",
        ],
    ),
    (
        "tar",
        &[
            "--checkpoint-action",
            "--to-command",
            "--use-compress-program",
            "-I",
            "--rsh-command",
            "--info-script",
            "--new-volume-script",
            "-F",
        ],
    ),
    ("bsdtar", &["--use-compress-program"]),
    ("zip", &["-TT", "--unzip-command"]),
    ("rsync", &["-e", "--rsh", "--rsync-path"]),
    ("sort", &["--compress-program"]),
    ("man", &["-P", "--pager", "-H"]),
    ("ip", &["netns", "-batch", "-b"]),
    ("rg", &["--pre", "--hostname-bin"]),
    ("fzf", &["--preview", "--bind"]),
    ("less", &["+!", "-k", "--lesskey"]),
    ("more", &["+!"]),
    ("vi", &["-c", "+", "--cmd", "-S"]),
    ("vim", &["-c", "+", "--cmd", "-S"]),
    ("nvim", &["-c", "+", "--cmd", "-S"]),
    ("ed", &["!"]),
    ("emacs", &["--eval", "-l", "--load", "-f"]),
    ("make", &["--eval", "SHELL="]),
    ("gmake", &["--eval", "SHELL="]),
    ("ffmpeg", &["-f concat"]),
    ("openssl", &["-engine", "-provider"]),
    ("jq", &["-L"]),
    ("split", &["--filter"]),
    ("cpio", &["--rsh-command"]),
    ("pip", &["--find-links", "-f"]),
    ("npm", &["--script-shell", "--node-options"]),
    ("go", &["-exec", "-toolexec", "-overlay"]),
    ("ctags", &["--options"]),
    ("sqlite3", &[".shell", ".system", "-cmd"]),
    ("dmesg", &["-P"]),
    ("wget", &["--use-askpass", "-e", "--execute", "--config"]),
    ("curl", &["-K", "--config"]),
    ("date", &["-s", "--set"]),
    ("hostname", &["-F"]),
];

/// Variables that make a program load or start something.
const LOADING: &[&str] = &[
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "PATH",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "PAGER",
    "MANPAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "LESSOPEN",
    "LESSCLOSE",
    "LESS",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
    "RUBYOPT",
    "RUBYLIB",
    "NODE_OPTIONS",
    "NODE_PATH",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "IFS",
    "CDPATH",
    "GCONV_PATH",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "TALARIA_HOME",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "HOME",
    "XDG_CONFIG_HOME",
    "SHELL",
    "MAKEFLAGS",
    "NPM_CONFIG_REGISTRY",
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "OPENSSL_CONF",
    "CURL_HOME",
    "WGETRC",
];
const LOADING_BEGINNINGS: &[&str] = &[
    "DYLD_",
    "GIT_",
    "BASH_FUNC_",
    "CARGO_TARGET_",
    "npm_config_",
];
/// Of those, what steers nothing but words and colours.
const HARMLESS: &[&str] = &[
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_DATE",
    "GIT_TERMINAL_PROMPT",
    "GIT_OPTIONAL_LOCKS",
    "CARGO_TARGET_DIR",
];

/// Judges a command's options and the variables that it is given.
pub(super) fn judge(program: &str, command: &Simple, concerns: &mut Concerns) {
    let name = program
        .strip_prefix('g')
        .filter(|name| matches!(*name, "tar" | "sort" | "split" | "awk" | "sed"))
        .unwrap_or(program);
    let rows = STARTING.iter().filter(|(known, _)| *known == name);
    for (_, options) in rows {
        let is_one = |text: &str| {
            options.iter().any(|option| match option.len() {
                2 if option.starts_with('-') => {
                    text == *option
                        || name == "git"
                            && text.starts_with(option)
                            && is_git_setting(option, command, text)
                }
                _ => text.starts_with(option),
            })
        };
        if command.arguments().iter().any(|word| is_one(&word.text)) && !is_plain_git(name, command)
        {
            concerns.unclear(STARTS);
        }
    }
    judge_scripts(name, command, concerns);
    judge_sending(name, command, concerns);
    for (variable, _) in &command.variables {
        let is_loading = LOADING.contains(&variable.as_str())
            || LOADING_BEGINNINGS.iter().any(|it| variable.starts_with(it));
        if is_loading && !HARMLESS.contains(&variable.as_str()) {
            concerns.unclear(format!("{variable} can change what is started"));
        }
    }
    if matches!(
        program,
        "export" | "declare" | "typeset" | "readonly" | "set-item"
    ) {
        let sets = command
            .arguments()
            .iter()
            .filter_map(|word| word.text.split_once('='));
        if sets.clone().any(|(name, _)| {
            LOADING.contains(&name) && name != "IFS"
                || LOADING_BEGINNINGS.iter().any(|it| name.starts_with(it))
        }) {
            concerns.unclear("a variable that can change what is started");
        }
    }
}

/// `-ccore.pager=…` right after its option.
fn is_git_setting(option: &str, _command: &Simple, text: &str) -> bool {
    option == "-c" && text.contains('=')
}

/// `-c` and `-u` mean other things after a verb: `git commit -c`, `git push -u`, `git diff -O`.
fn is_plain_git(name: &str, command: &Simple) -> bool {
    if name != "git" {
        return false;
    }
    let before_verb = command
        .arguments()
        .iter()
        .take_while(|word| word.text.starts_with('-'));
    let has_early = before_verb
        .clone()
        .any(|word| word.text.starts_with("-c") || word.text.starts_with("--"));
    let is_late = command
        .arguments()
        .iter()
        .skip(before_verb.count())
        .any(|word| {
            [
                "--upload-pack",
                "--receive-pack",
                "--exec=",
                "--open-files-in-pager",
                "ext::",
                "--extcmd",
                "--config-env",
            ]
            .iter()
            .any(|option| word.text.starts_with(option))
                || matches!(command.verb(), "grep") && word.text.starts_with("-O")
                || matches!(command.verb(), "clone" | "fetch" | "ls-remote")
                    && (word.text == "-u" || word.text == "-c")
        });
    let is_early_setting = has_early
        && !command
            .arguments()
            .iter()
            .take_while(|word| word.text.starts_with('-'))
            .all(|word| {
                matches!(
                    word.text.as_str(),
                    "--no-pager"
                        | "--version"
                        | "--help"
                        | "--no-optional-locks"
                        | "--literal-pathspecs"
                        | "--bare"
                )
            });
    !is_late && !is_early_setting
}

/// Little languages whose programs can start others.
fn judge_scripts(name: &str, command: &Simple, concerns: &mut Concerns) {
    let text = || command.arguments().iter().map(|word| word.text.as_str());
    match name {
        "awk" | "gawk" | "mawk" | "nawk" => {
            let starts = |text: &str| {
                ["system", "getline", "|", "@load", "ENVIRON", "> \"", ">\""]
                    .iter()
                    .any(|word| text.contains(word))
            };
            if text().any(starts) || command.has(&["-f", "-i", "-l"]) {
                concerns.unclear(STARTS);
            }
        }
        "sed" => {
            let inline = text().filter_map(|text| text.strip_prefix("--expression="));
            if command.has(&["-f", "--file"]) || inline.chain(text()).any(sed_starts) {
                concerns.unclear(STARTS);
            }
        }
        "find" | "gfind" if command.has(&["-fprint", "-fprintf", "-fls", "-fprint0"]) => {
            concerns.unclear("an option that writes a file");
        }
        "ed" | "ex" if !command.feeders.is_empty() || command.input.is_some() => {
            concerns.unclear(STARTS);
        }
        _ => {}
    }
}

/// Whether a text of `sed` starts a program or writes a file.
fn sed_starts(script: &str) -> bool {
    let script = script.trim();
    let runs = script == "e"
        || ["/e", "|e", ",e"].iter().any(|end| script.ends_with(end))
        || ["e ", "1e", "$e"]
            .iter()
            .any(|begin| script.starts_with(begin))
        || [";e", "ge;", "\ne"]
            .iter()
            .any(|part| script.contains(part));
    let writes = script.starts_with("w ")
        || ["/w ", ";w ", "gw ", "/w/"]
            .iter()
            .any(|part| script.contains(part));
    runs || writes
}

/// Files that are sent away by options.
fn judge_sending(name: &str, command: &Simple, concerns: &mut Concerns) {
    let begins = |options: &[&str]| {
        command
            .arguments()
            .iter()
            .any(|word| options.iter().any(|option| word.text.starts_with(option)))
    };
    let sends = match name {
        "curl" | "curlie" => {
            let is_cluster = |text: &str| {
                let flags = text.strip_prefix('-').unwrap_or_default();
                let is_plain = flags.chars().all(|flag| flag.is_ascii_alphabetic());
                is_plain && flags.len() < 7 && flags.contains(['T', 'F', 'd'])
            };
            command
                .arguments()
                .iter()
                .any(|word| is_cluster(&word.text))
                || begins(&[
                    "-d",
                    "--data",
                    "-F",
                    "--form",
                    "-T",
                    "--upload-file",
                    "--json",
                    "--url-query",
                ])
                || command.has(&["-X", "--request"]) && !command.has(&["GET", "HEAD"])
                || begins(&["-XP", "-XD", "--request=P", "--request=D"])
        }
        "wget" => begins(&["--post-", "--body-", "--method=P", "--method=D"]),
        "http" | "https" | "xh" => command.operands().count() > 1 || !command.feeders.is_empty(),
        "iwr" | "irm" | "invoke-webrequest" | "invoke-restmethod" => begins(&[
            "-Body", "-body", "-InFile", "-infile", "-Form", "-Method", "-method",
        ]),
        "rsync" => command.operands().any(|word| is_remote(&word.text)),
        "dig" | "nslookup" | "host" | "ping" => {
            !command.feeders.is_empty() || command.arguments().iter().any(|word| !word.is_known)
        }
        _ => false,
    };
    // Words that another command puts into an address leave with it.
    let is_put_together = matches!(name, "curl" | "wget" | "iwr" | "irm")
        && !command.feeders.is_empty()
        && command.arguments().iter().any(|word| !word.is_known);
    if sends || is_put_together {
        concerns.danger(SENDS);
    }
}

fn is_remote(text: &str) -> bool {
    text.starts_with("rsync://")
        || text
            .split_once(':')
            .is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'))
}
