//! The user's rules: which of them are about an effect.

use talaria_domain::{Effect, PermissionRule, Verdict};

use super::command::{Judged, Simple};
use super::place::{Ground, Place, fits};

/// One effect as the rules look at it.
pub(super) struct Ruled<'a> {
    /// The tool that would have it.
    pub(super) tool: &'a str,
    /// The effect.
    pub(super) effect: &'a Effect,
    /// What a command comes down to, for a command.
    pub(super) judged: Option<&'a Judged>,
    /// The user's home.
    pub(super) home: Option<&'a str>,
}

impl Ruled<'_> {
    /// Whether a rule of this kind is about any part of the effect.
    pub(super) fn is_met(&self, rules: &[PermissionRule], verdict: Verdict) -> bool {
        self.of_tool(rules, verdict)
            .any(|rule| match &rule.pattern {
                None => true,
                Some(pattern) => self.meets(pattern),
            })
    }

    /// Whether rules allow all of the effect.
    pub(super) fn is_allowed(&self, rules: &[PermissionRule]) -> bool {
        let allowing: Vec<&PermissionRule> = self.of_tool(rules, Verdict::Allow).collect();
        if allowing.iter().any(|rule| rule.pattern.is_none()) {
            return true;
        }
        let patterns: Vec<&str> = allowing
            .iter()
            .filter_map(|rule| rule.pattern.as_deref())
            .collect();
        match (self.effect, self.judged) {
            (Effect::Command { command, .. }, Some(judged)) => {
                let is_exact = |pattern: &&str| pattern.strip_prefix('=') == Some(command.as_str());
                patterns.iter().any(is_exact) || are_all_allowed(judged, &patterns)
            }
            _ => patterns.iter().any(|pattern| self.meets(pattern)),
        }
    }

    fn of_tool<'r>(
        &self,
        rules: &'r [PermissionRule],
        verdict: Verdict,
    ) -> impl Iterator<Item = &'r PermissionRule> {
        let (tool, kind) = (self.tool.to_owned(), kind(self.effect));
        rules.iter().filter(move |rule| {
            let is_of = |wanted: &String| fits(wanted, &tool) || kind == wanted;
            rule.verdict == verdict && rule.tool.as_ref().is_none_or(is_of)
        })
    }

    fn meets(&self, pattern: &str) -> bool {
        match self.effect {
            Effect::Read { path } | Effect::Write { path } => is_in(pattern, path, self.home),
            Effect::Command { command, .. } => {
                pattern.strip_prefix('=') == Some(command.as_str())
                    || self.judged.is_some_and(|judged| {
                        judged
                            .commands
                            .iter()
                            .any(|command| begins(pattern, command, Named::Anyhow))
                            || judged
                                .uses
                                .iter()
                                .filter_map(|it| it.place.as_ref())
                                .any(|place| {
                                    is_pathlike(pattern) && is_in(pattern, &place.text(), self.home)
                                })
                    })
            }
            Effect::Fetch { url } => is_host(pattern, host_of(url)),
            Effect::WebSearch { host, .. } => is_host(pattern, host),
            Effect::Note { title } => fits(pattern, title),
        }
    }
}

/// The kinds of tools, as rules name them.
pub const KINDS: [&str; 4] = [FILE, TERMINAL, WEB, NOTES];

const FILE: &str = "file";
const TERMINAL: &str = "terminal";
const WEB: &str = "web";
const NOTES: &str = "notes";

/// The kind of tools that have such effects.
fn kind(effect: &Effect) -> &'static str {
    match effect {
        Effect::Read { .. } | Effect::Write { .. } => FILE,
        Effect::Command { .. } => TERMINAL,
        Effect::Fetch { .. } | Effect::WebSearch { .. } => WEB,
        Effect::Note { .. } => NOTES,
    }
}

/// How a program has to be named for a rule to be about it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    /// By any path to it.
    Anyhow,
    /// As the rule writes it: another folder's `git` is another program.
    AsWritten,
}

/// Every command must be allowed by a pattern, and may write no file on the way.
fn are_all_allowed(judged: &Judged, patterns: &[&str]) -> bool {
    !judged.commands.is_empty()
        && judged.commands.iter().all(|command| {
            let writes = command
                .files
                .iter()
                .any(|file| file.is_written && file.path.text != "/dev/null");
            !writes
                && command.variables.is_empty()
                && command.words.iter().all(|word| word.is_known)
                && patterns
                    .iter()
                    .any(|pattern| begins(pattern, command, Named::AsWritten))
        })
}

/// Whether a command begins with the words of a pattern.
fn begins(pattern: &str, command: &Simple, named: Named) -> bool {
    let wanted: Vec<&str> = pattern.split_whitespace().collect();
    let Some((program, rest)) = wanted.split_first() else {
        return false;
    };
    let written = command.words.first().map_or("", |word| word.text.as_str());
    let is_program = fits(program, written)
        || named == Named::Anyhow && fits(&program.to_lowercase(), &command.program());
    let follows = rest.iter().enumerate().all(|(at, wanted)| {
        let is_last_star = *wanted == "*" && at + 1 == rest.len();
        is_last_star
            || command
                .arguments()
                .get(at)
                .is_some_and(|word| fits(wanted, &word.text))
    });
    is_program && follows
}

fn is_pathlike(pattern: &str) -> bool {
    pattern.contains(['/', '\\']) || pattern.starts_with('~')
}

/// Whether a path lies in a pattern's folder or fits its wildcards.
fn is_in(pattern: &str, path: &str, home: Option<&str>) -> bool {
    let ground = Ground { folder: "", home };
    let (Ok(wanted), Ok(place)) = (Place::read(pattern, ground), Place::read(path, ground)) else {
        return false;
    };
    if !pattern.contains(['*', '?']) {
        return place.is_within(&wanted);
    }
    // `**` at the end: all of a folder. A pattern without a folder is about the name alone.
    if !is_pathlike(pattern) {
        return place.parts().last().is_some_and(|name| fits(pattern, name));
    }
    fits(&wanted.text(), &place.text())
}

fn is_host(pattern: &str, host: &str) -> bool {
    let (pattern, host) = (pattern.to_lowercase(), host.to_lowercase());
    fits(&pattern, &host)
        || host
            .strip_suffix(&pattern)
            .is_some_and(|sub| sub.ends_with('.'))
}

/// The host of an address; nothing if it has none.
pub(super) fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    match host.strip_prefix('[') {
        Some(inner) => inner.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}
