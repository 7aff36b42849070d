//! Programs that only look: they change nothing and reach nothing but files.

use super::line::Simple;

/// Programs that look, whatever their arguments.
const LOOKING: &[&str] = &[
    "ls",
    "dir",
    "cat",
    "head",
    "tail",
    "wc",
    "pwd",
    "echo",
    "printf",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "ag",
    "file",
    "stat",
    "du",
    "df",
    "tree",
    "uniq",
    "cut",
    "tr",
    "diff",
    "cmp",
    "comm",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "which",
    "type",
    "uname",
    "whoami",
    "id",
    "true",
    "false",
    "test",
    "[",
    "[[",
    "seq",
    "sleep",
    "jq",
    "nl",
    "tac",
    "rev",
    "column",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "b2sum",
    "cksum",
    "od",
    "hexdump",
    "strings",
    "fold",
    "fmt",
    "paste",
    "join",
    "expand",
    "arch",
    "nproc",
    "locale",
    "cd",
    "date",
    "bat",
    "eza",
    "exa",
    "less",
    "more",
    "get-childitem",
    "get-content",
    "get-location",
    "select-string",
    "gci",
    "gc",
];
/// What `git` can be asked without changing anything.
const GIT: &[&str] = &[
    "status",
    "diff",
    "log",
    "show",
    "blame",
    "rev-parse",
    "ls-files",
    "ls-tree",
    "describe",
    "shortlog",
    "cat-file",
    "grep",
    "rev-list",
    "name-rev",
    "merge-base",
    "whatchanged",
    "count-objects",
];

/// Whether a command, started alone, changes nothing.
pub(super) fn only_looks(command: &Simple) -> bool {
    if command.is_root
        || command
            .files
            .iter()
            .any(|file| file.is_written && file.path.text != "/dev/null")
    {
        return false;
    }
    if command.words.is_empty() {
        return command.variables.is_empty() || command.files.is_empty();
    }
    // A program of this name somewhere else is another program.
    let written = command.words.first().map_or("", |word| word.text.as_str());
    let is_the_systems = !written.contains('/')
        || ["/bin/", "/usr/bin/"].iter().any(|folder| {
            written.starts_with(folder)
                && written.matches('/').count() == folder.matches('/').count()
        });
    if !is_the_systems || !command.variables.is_empty() {
        return false;
    }
    match command.program().as_str() {
        "git" => {
            GIT.contains(&command.verb())
                && !command.has(&["--output", "--ext-diff", "--textconv"])
                && !command
                    .arguments()
                    .iter()
                    .any(|word| word.text.starts_with("--output"))
        }
        "find" | "fd" | "fdfind" => !command.has(&[
            "-delete",
            "-exec",
            "-execdir",
            "-ok",
            "-okdir",
            "-x",
            "-X",
            "--exec",
            "--exec-batch",
            "-fprint",
            "-fprintf",
            "-fls",
            "-fprint0",
        ]),
        "sort" => {
            !command.has_flag('o')
                && !command
                    .arguments()
                    .iter()
                    .any(|word| word.text.starts_with("--output"))
        }
        "tree" => !command.has_flag('o'),
        "date" => !command.has(&["-s", "--set"]),
        "rg" => !command
            .arguments()
            .iter()
            .any(|word| word.text.starts_with("--pre")),
        "sed" => {
            !command
                .arguments()
                .iter()
                .any(|word| word.text.starts_with("-i") || word.text.starts_with("--in-place"))
                && command.has(&["-n"])
        }
        "xargs" => true,
        program => LOOKING.contains(&program),
    }
}
