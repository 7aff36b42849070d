//! The ladder against tables of attacks and of everyday work.

mod attack;
mod everyday;
mod ladder;
mod variant;

use talaria_agent::permission::{Decision, Policy, decide};
use talaria_domain::{Act, Effect, Folder, FolderAccess, Mode, PermissionRule, Verdict};

/// The folder of the tables, with leave to write.
const FOLDER: &str = "/work/site";

fn policy(mode: Mode) -> Policy {
    let folder = |path: &str, access| Folder {
        path: path.to_owned(),
        access,
        trusted: false,
    };
    Policy {
        mode,
        folders: vec![
            folder(FOLDER, FolderAccess::Write),
            folder("/work/books", FolderAccess::Read),
            folder("/home/lin/.local/share/talaria/files", FolderAccess::Write),
        ],
        protected: vec!["/home/lin/.local/share/talaria".to_owned()],
        home: Some("/home/lin".to_owned()),
        ..Policy::default()
    }
}

/// Everything allowed that a user can allow, in each mode.
fn permissive() -> Vec<Policy> {
    let everything = PermissionRule {
        tool: None,
        pattern: None,
        verdict: Verdict::Allow,
    };
    let with_rules = |mode| Policy {
        rules: vec![everything.clone()],
        yes: vec![everything.clone()],
        ..policy(mode)
    };
    [Mode::Ask, Mode::EditFiles, Mode::ActFreely]
        .map(with_rules)
        .to_vec()
}

fn command(text: &str) -> Act {
    of(Effect::Command {
        command: text.to_owned(),
        folder: FOLDER.to_owned(),
        network: true,
        secrets: Vec::new(),
        sandboxed: true,
    })
}

fn read(path: &str) -> Act {
    let path = path.to_owned();
    of(Effect::Read { path })
}

fn write(path: &str) -> Act {
    let path = path.to_owned();
    of(Effect::Write { path })
}

fn of(effect: Effect) -> Act {
    Act {
        digest: format!("{effect:?}"),
        effects: vec![effect],
        ..Act::default()
    }
}

fn is_allowed(act: &Act, policy: &Policy) -> bool {
    matches!(decide("terminal", act, policy), Decision::Allow(_))
}

fn is_refused(act: &Act, policy: &Policy) -> bool {
    matches!(decide("terminal", act, policy), Decision::Refuse { .. })
}
