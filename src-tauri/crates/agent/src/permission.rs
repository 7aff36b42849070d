//! May a call do what it would do? One pure decision for every tool, in numbered steps.
//!
//! The turn asks it before each act. What it can't tell for sure is asked; what nobody answers is
//! not done. `docs/security.md` gives the same steps to the user.

mod command;
mod effect;
mod folder;
mod forbidden;
mod place;
mod rule;

use talaria_domain::{
    Act, ApprovalSource, AskReason, Effect, Folder, Mode, PermissionRule, Reach, Verdict,
};

use effect::View;
pub use folder::grantable;
pub(crate) use place::is_invisible;
pub use rule::KINDS;

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
    /// The shell that commands are given to.
    pub shell: Shell,
    /// The acts that the user allowed for the rest of the session.
    pub remembered: Vec<Vec<Effect>>,
    /// Where instructions were found that the turn has read.
    pub tainted: Option<String>,
}

/// Whose way of reading a command line holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shell {
    /// `sh` and its kin.
    #[default]
    Posix,
    /// Windows' own.
    PowerShell,
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

/// Decides about an act of a tool: the first step that applies.
#[must_use]
pub fn decide(tool: &str, act: &Act, policy: &Policy) -> Decision {
    let views: Vec<View<'_>> = act
        .effects
        .iter()
        .map(|effect| View::of(tool, effect, policy))
        .collect();
    // 1. What touches nothing outside its session needs nobody's leave.
    if views.is_empty() {
        return Decision::Allow(ApprovalSource::Harmless);
    }
    // 2. The short list of what no mode and no rule allows.
    if let Some(why) = views.iter().find_map(View::forbidden) {
        let by = ApprovalSource::Forbidden;
        return Decision::Refuse { by, why };
    }
    // 3. A rule that denies wins over whatever allows.
    if views.iter().any(|view| view.is_met(Verdict::Deny)) {
        let why = "a rule of the user's denies it".to_owned();
        let by = ApprovalSource::Rule;
        return Decision::Refuse { by, why };
    }
    // 4. It might follow from instructions that somebody else put into what was read.
    if let Some(origin) = &policy.tainted
        && !views.iter().all(View::only_reads_granted)
    {
        let origin = origin.clone();
        return once(AskReason::AfterSuspicion { origin });
    }
    // 5. What can do lasting harm, or can't be told, is asked in every mode.
    if let Some(reason) = views.iter().find_map(View::peril) {
        return once(reason);
    }
    // 6. So is what lies outside the granted folders.
    if let Some(path) = views.iter().find_map(View::outside) {
        return Decision::Ask {
            reason: AskReason::OutsideFolders { path },
            reaches: vec![Reach::Folder],
        };
    }
    // 7. A rule that asks.
    if views.iter().any(|view| view.is_met(Verdict::Ask)) {
        return once(AskReason::Rule);
    }
    // 8. Looking at granted files, and notes, whose older text is kept.
    if views.iter().all(View::is_harmless) {
        return Decision::Allow(ApprovalSource::Harmless);
    }
    // 9. Rules that allow; every part needs one.
    if all_else(&views, |view| view.is_allowed(&policy.rules)) {
        return Decision::Allow(ApprovalSource::Rule);
    }
    // 10. The user said yes to the very same act.
    if policy.remembered.contains(&act.effects) {
        return Decision::Allow(ApprovalSource::Remembered);
    }
    // 11. What `--yes` names.
    if all_else(&views, |view| view.is_allowed(&policy.yes)) {
        return Decision::Allow(ApprovalSource::Flag);
    }
    // 12. The session's mode.
    if all_else(&views, |view| view.suits(policy.mode)) {
        return Decision::Allow(ApprovalSource::Mode);
    }
    // 13. Whatever is left is asked.
    Decision::Ask {
        reason: AskReason::Mode,
        reaches: repeats(&act.effects),
    }
}

/// Whether a file that a tool comes by, in a folder it may search, is kept back from it: because no
/// mode allows it, every mode asks for it, or a rule denies it or asks.
#[must_use]
pub fn is_withheld(tool: &str, path: &str, policy: &Policy) -> bool {
    let effect = Effect::Read {
        path: path.to_owned(),
    };
    let view = View::of(tool, &effect, policy);
    view.forbidden().is_some()
        || view.peril().is_some()
        || view.is_met(Verdict::Deny)
        || view.is_met(Verdict::Ask)
}

/// The rules that make a yes to this act one for always: about exactly this, and nothing more.
#[must_use]
pub fn standing(tool: &str, act: &Act) -> Vec<PermissionRule> {
    let pattern = |effect: &Effect| match effect {
        Effect::Command { command, .. } => Some(format!("={command}")),
        Effect::Fetch { url } => Some(rule::host_of(url).to_owned()),
        Effect::WebSearch { host, .. } => Some(host.clone()),
        Effect::Read { path } => Some(path.clone()),
        Effect::Write { .. } | Effect::Note { .. } => None,
    };
    let rule = |pattern| PermissionRule {
        tool: Some(tool.to_owned()),
        pattern: Some(pattern),
        verdict: Verdict::Allow,
    };
    act.effects.iter().filter_map(pattern).map(rule).collect()
}

/// A question whose yes holds for this once.
fn once(reason: AskReason) -> Decision {
    let reaches = Vec::new();
    Decision::Ask { reason, reaches }
}

/// A change of a file is another one each time; the rest can be said yes to once and for all.
fn repeats(effects: &[Effect]) -> Vec<Reach> {
    let is_change = |effect: &Effect| matches!(effect, Effect::Write { .. });
    match effects.iter().any(is_change) {
        true => Vec::new(),
        false => vec![Reach::Session, Reach::Always],
    }
}

fn all_else(views: &[View<'_>], suits: impl Fn(&View<'_>) -> bool) -> bool {
    views.iter().all(|view| view.is_harmless() || suits(view))
}
