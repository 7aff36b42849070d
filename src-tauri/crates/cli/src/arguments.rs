//! The command line's grammar.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use talaria_api::{Options, ServiceOverride};
use talaria_domain::{Mode, PermissionRule};

/// An assistant on your own computer.
#[derive(Parser)]
#[command(name = "talaria", version, about)]
pub(crate) struct Arguments {
    /// Print JSON instead of text for people.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// The address of a model service, instead of the settings' (also TALARIA_BASE_URL). A key for
    /// it is read from TALARIA_API_KEY, never from the command line.
    #[arg(long, global = true, value_name = "URL")]
    base_url: Option<String>,

    /// The model: a name, or SERVICE/NAME for one of the configured services.
    #[arg(long, global = true, value_name = "MODEL")]
    model: Option<String>,

    /// How the service at --base-url is spoken to: openai_chat, openai_responses or
    /// anthropic_messages.
    #[arg(long, global = true, value_name = "PROTOCOL")]
    protocol: Option<String>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Talk: one turn with -m, or a conversation on a terminal.
    Chat(ChatArguments),
    /// Check that everything works, and say what to do where it does not.
    Doctor,
    /// Model services: add one, test it, list its models.
    #[command(subcommand)]
    Provider(ProviderCommand),
    /// Sessions: list, show, search, export, import, fork, delete.
    #[command(subcommand)]
    Session(SessionCommand),
    /// Secrets that commands can be given by name: list, set, remove.
    #[command(subcommand)]
    Secret(SecretCommand),
    /// Searching the web: which service does it.
    #[command(subcommand)]
    Web(WebCommand),
    /// Notes: list, read, save, search.
    #[command(subcommand)]
    Note(NoteCommand),
    /// Traces: what each turn asked, chose, called and waited for.
    #[command(subcommand)]
    Trace(TraceCommand),
}

#[derive(Args)]
pub(crate) struct ChatArguments {
    /// Go on with this session.
    #[arg(short, long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// The message; `-` reads it from standard input.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) message: Option<String>,
    /// A file to send along: a picture, a PDF or a text. Can be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) attach: Vec<PathBuf>,
    /// What to allow without a question: a tool, or file, terminal, web or notes; with a colon, a
    /// command's first words, a path or a host. Can be given several times.
    #[arg(long, value_name = "WHAT", value_parser = named)]
    pub(crate) yes: Vec<PermissionRule>,
    /// A folder the session may use, and works in; with `:read` at its end, only look into. Can be
    /// given several times.
    #[arg(long, value_name = "PATH")]
    pub(crate) folder: Vec<String>,
    /// The same, and instructions in it (AGENTS.md and its kin) are followed.
    #[arg(long, value_name = "PATH")]
    pub(crate) trust_folder: Vec<String>,
    /// How much the session may do without a question.
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArgument>,
    /// How often a failed request is sent again.
    #[arg(long, value_name = "N")]
    retries: Option<u32>,
    /// The model's window in tokens, over what is known of it.
    #[arg(long, value_name = "TOKENS")]
    window: Option<u64>,
}

/// How much a session may do without a question.
#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum ModeArgument {
    /// Every change of a file, command and connection is asked for.
    Ask,
    /// Files in the granted folders are changed without a question.
    EditFiles,
    /// Whatever no rule forbids is done without a question.
    ActFreely,
}

impl From<ModeArgument> for Mode {
    fn from(mode: ModeArgument) -> Self {
        match mode {
            ModeArgument::Ask => Self::Ask,
            ModeArgument::EditFiles => Self::EditFiles,
            ModeArgument::ActFreely => Self::ActFreely,
        }
    }
}

#[derive(Subcommand)]
pub(crate) enum ProviderCommand {
    /// Set a model service up, step by step.
    Add,
    /// Prove that the model in use works, step by step.
    Test,
    /// List the models of the service in use.
    Models,
}

#[derive(Subcommand)]
pub(crate) enum SessionCommand {
    /// List the sessions, latest first.
    List {
        /// The archived ones instead.
        #[arg(long)]
        archived: bool,
    },
    /// Show a session's turns.
    Show {
        /// Which session.
        id: String,
        /// The exact messages of its latest request instead.
        #[arg(long)]
        sent: bool,
    },
    /// List what tools changed in your files.
    Changes {
        /// Which session.
        id: String,
        /// Of this turn only.
        #[arg(long, value_name = "TURN")]
        turn: Option<String>,
    },
    /// Put files back as they were before a session's tools changed them.
    Undo {
        /// Which session.
        id: String,
        /// The changes of this turn only.
        #[arg(long, value_name = "TURN")]
        turn: Option<String>,
    },
    /// Show what the tokens of a session's latest request were spent on.
    Context {
        /// Which session.
        id: String,
    },
    /// Shorten what a session's model is sent of older turns. Nothing is deleted.
    Compact {
        /// Which session.
        id: String,
        /// What to keep above all.
        #[arg(long, default_value = "", value_name = "TEXT")]
        keep: String,
    },
    /// Search the words of all sessions.
    Search {
        /// Any text.
        query: String,
    },
    /// Print a session as JSON.
    Export {
        /// Which session.
        id: String,
    },
    /// Make a session from an exported one.
    Import {
        /// The exported file.
        file: PathBuf,
    },
    /// Copy a session, to go another way from here.
    Fork {
        /// Which session.
        id: String,
    },
    /// Delete a session.
    Delete {
        /// Which session.
        id: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum SecretCommand {
    /// List their names.
    List,
    /// Keep one; its value is asked for, or read from standard input.
    Set {
        /// The variable that a command gets it as, such as GITHUB_TOKEN.
        name: String,
    },
    /// Forget one.
    Remove {
        /// Its name.
        name: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum WebCommand {
    /// Show the service that is used, and those there are.
    Show,
    /// Choose a service; its key is asked for, or read from standard input.
    Set {
        /// Its id, as `talaria web show` lists it.
        service: String,
        /// Its address, where that is not the usual one.
        #[arg(long, value_name = "URL", default_value = "")]
        address: String,
    },
    /// Search the web no longer, and forget the key.
    Remove,
    /// Search once.
    Search {
        /// The words.
        query: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum NoteCommand {
    /// List the notes, latest first.
    List,
    /// Print a note.
    Read {
        /// Its title or path.
        title: String,
    },
    /// Save a note; an older text of it is kept.
    Save {
        /// Its title.
        title: String,
        /// The text; without it, standard input is read.
        #[arg(long, allow_hyphen_values = true)]
        text: Option<String>,
    },
    /// Search the notes.
    Search {
        /// Any text.
        query: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum TraceCommand {
    /// List the latest traces.
    List {
        /// Any text; each word of it must stand in the trace.
        #[arg(
            short,
            long,
            default_value = "",
            hide_default_value = true,
            allow_hyphen_values = true
        )]
        query: String,
        /// At most so many.
        #[arg(short = 'n', long, default_value_t = 50)]
        limit: u32,
    },
    /// Show what a turn did, step by step.
    Show {
        /// Which turn.
        turn: String,
    },
    /// Print a turn's trace as OTLP in JSON, for tools of telemetry.
    Export {
        /// Which turn.
        turn: String,
    },
}

impl Arguments {
    /// How the core is to be opened.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::cli();
        options.service = ServiceOverride {
            base_url: self.base_url.clone(),
            model: self.model.clone(),
            protocol: self.protocol.clone(),
        };
        if let Command::Chat(chat) = &self.command {
            options.retries = chat.retries;
            options.window = chat.window;
            options.yes.clone_from(&chat.yes);
            options.can_ask = !self.json && std::io::stdin().is_terminal();
        }
        options
    }
}

/// What `--yes` names.
fn named(what: &str) -> Result<PermissionRule, &'static str> {
    PermissionRule::allowing(what).ok_or("name a tool, such as terminal or terminal:cargo test")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_grammar_is_sound() {
        super::Arguments::command().debug_assert();
    }
}
