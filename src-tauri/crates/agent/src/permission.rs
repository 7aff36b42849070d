//! May a call do what it would do? One pure decision for every tool, in numbered steps.
//!
//! The turn asks it before each act. What it can't tell for sure is asked; what nobody answers is
//! not done.

use talaria_domain::{Act, ApprovalSource, AskReason, Effect, Folder, Mode, PermissionRule, Reach};

/// All that a decision rests on, as it stands when the call is about to be done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// How much the session may do without asking.
    pub mode: Mode,
    /// The folders it may use.
    pub folders: Vec<Folder>,
    /// The user's standing rules, from the settings.
    pub rules: Vec<PermissionRule>,
    /// What `--yes` on the command line names.
    pub yes: Vec<PermissionRule>,
    /// Folders and files that are Talaria's own. Only a granted folder inside one may be used.
    pub protected: Vec<String>,
    /// The user's home folder, so that `~` in a command can be told.
    pub home: Option<String>,
    /// The acts that the user allowed for the rest of the session.
    pub remembered: Vec<Vec<Effect>>,
    /// Where instructions were found that the turn has read.
    pub tainted: Option<String>,
}

/// What is decided about an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is done.
    Allow(ApprovalSource),
    /// The user is asked.
    Ask {
        /// Why.
        reason: AskReason,
        /// How far a yes may reach, beside this once.
        reaches: Vec<Reach>,
    },
    /// It is not done, whatever the user says.
    Refuse {
        /// Who says so.
        by: ApprovalSource,
        /// Why, for the model and the user.
        why: String,
    },
}

/// Decides about an act of a tool.
#[must_use]
pub fn decide(_tool: &str, act: &Act, policy: &Policy) -> Decision {
    // 1. What touches nothing outside its session needs nobody's leave.
    if act.effects.is_empty() {
        return Decision::Allow(ApprovalSource::Harmless);
    }
    let ask = |reason| Decision::Ask {
        reason,
        reaches: vec![Reach::Session],
    };
    // 2. It might follow from somebody else's words.
    if let Some(origin) = &policy.tainted {
        let origin = origin.clone();
        return ask(AskReason::AfterSuspicion { origin });
    }
    // 3. The user said yes to the very same act.
    if policy.remembered.contains(&act.effects) {
        return Decision::Allow(ApprovalSource::Remembered);
    }
    // 4. Whatever is left is asked.
    ask(AskReason::Mode)
}
