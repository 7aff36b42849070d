//! One effect of an act, looked at once for all steps of the ladder.

use talaria_domain::{AskReason, Effect, FolderAccess, Mode, PermissionRule, Verdict};

use super::Policy;
use super::command::{Judged, judge};
use super::forbidden::{Ban, Touch, ban};
use super::place::{Ground, Odd, Place};
use super::rule::{Ruled, host_of};

const OWN: &str = "Talaria's own data and settings are the user's alone";
const INNER: &str = "an address inside the computer or its cloud is never fetched";

/// Devices that hold nothing.
const DEVICES: &[&str] = &[
    "null", "zero", "full", "stdin", "stdout", "stderr", "tty", "fd", "random", "urandom",
];
/// Files that say what the computer is.
const FACTS: &[&str] = &[
    "os-release",
    "lsb-release",
    "hostname",
    "timezone",
    "cpuinfo",
    "meminfo",
    "version",
    "loadavg",
    "uptime",
];

/// An effect with what is known of it.
pub(super) struct View<'a> {
    tool: &'a str,
    effect: &'a Effect,
    policy: &'a Policy,
    /// What a command comes down to.
    judged: Option<Judged>,
    /// The files that are touched, and those that can't be told.
    places: Vec<(Place, Touch)>,
    odd: Option<Odd>,
}

impl<'a> View<'a> {
    pub(super) fn of(tool: &'a str, effect: &'a Effect, policy: &'a Policy) -> Self {
        let mut view = Self {
            tool,
            effect,
            policy,
            judged: None,
            places: Vec::new(),
            odd: None,
        };
        match effect {
            Effect::Read { path } => view.touch(path, Touch::Read),
            Effect::Write { path } => view.touch(path, Touch::Write),
            Effect::Command {
                command, folder, ..
            } => {
                let judged = judge(command, policy.shell, view.ground(folder));
                let uses = judged.uses.iter();
                let known = uses.filter_map(|it| Some((it.place.clone()?, it.touch)));
                view.places.extend(known);
                view.touch(folder, Touch::Read);
                view.judged = Some(judged);
            }
            Effect::Fetch { .. } | Effect::WebSearch { .. } | Effect::Note { .. } => {}
        }
        view
    }

    fn ground<'b>(&'b self, folder: &'b str) -> Ground<'b> {
        Ground {
            folder,
            home: self.policy.home.as_deref(),
        }
    }

    fn touch(&mut self, path: &str, touch: Touch) {
        // A tool gives absolute paths; another one can't be told.
        match Place::read(path, self.ground("")) {
            Ok(place) => self.places.push((place, touch)),
            Err(odd) => self.odd = Some(odd),
        }
    }

    /// Why no mode allows it.
    pub(super) fn forbidden(&self) -> Option<String> {
        if let Some(why) = self
            .judged
            .as_ref()
            .and_then(|judged| judged.concerns.forbidden.clone())
        {
            return Some(why);
        }
        if let Effect::Fetch { url } = self.effect
            && is_inner(url)
        {
            return Some(INNER.to_owned());
        }
        self.places.iter().find_map(|(place, touch)| {
            if self.is_protected(place) {
                return Some(OWN.to_owned());
            }
            match ban(place, *touch) {
                Some(Ban::Forbidden(why)) => Some(why.to_owned()),
                _ => None,
            }
        })
    }

    /// Whether a place is Talaria's own. A granted folder inside the data root is not.
    fn is_protected(&self, place: &Place) -> bool {
        let deepest = |paths: &mut dyn Iterator<Item = &String>| {
            paths
                .filter_map(|path| Place::read(path, Ground::default()).ok())
                .filter(|folder| place.may_be_within(folder))
                .map(|folder| folder.depth())
                .max()
        };
        let own = deepest(&mut self.policy.protected.iter());
        let granted = deepest(&mut self.policy.folders.iter().map(|folder| &folder.path));
        own.is_some_and(|own| granted.is_none_or(|granted| granted <= own))
    }

    /// What harm it can do, or what can't be told of it.
    pub(super) fn peril(&self) -> Option<AskReason> {
        if let Some(judged) = &self.judged {
            if let Some(what) = judged.concerns.dangerous.clone() {
                return Some(AskReason::Dangerous { what });
            }
            if let Some(what) = judged.concerns.unclear.clone() {
                return Some(AskReason::Unclear { what });
            }
        }
        if let Some(odd) = self.odd {
            return Some(AskReason::Unclear {
                what: odd.to_owned(),
            });
        }
        self.places
            .iter()
            .find_map(|(place, touch)| match ban(place, *touch) {
                Some(Ban::Asked(what)) => Some(AskReason::Dangerous {
                    what: what.to_owned(),
                }),
                _ => None,
            })
    }

    /// The first place that no granted folder covers.
    pub(super) fn outside(&self) -> Option<String> {
        let is_outside =
            |(place, touch): &&(Place, Touch)| match place.granted(&self.policy.folders) {
                Some(FolderAccess::Write) => false,
                Some(FolderAccess::Read) => *touch == Touch::Write,
                None => !self.is_open_to_all(place, *touch),
            };
        self.places
            .iter()
            .find(is_outside)
            .map(|(place, _)| place.text())
    }

    /// What every command may use: devices that hold nothing, and the programs of the system.
    fn is_open_to_all(&self, place: &Place, touch: Touch) -> bool {
        if self.judged.is_none() {
            return false;
        }
        let parts: Vec<&str> = place.parts().iter().map(String::as_str).collect();
        match parts.as_slice() {
            ["dev", device, ..] => DEVICES.contains(device),
            [
                "usr" | "bin" | "sbin" | "lib" | "lib64" | "nix" | "opt",
                _,
                ..,
            ] => touch == Touch::Read,
            ["etc" | "proc", name] => touch == Touch::Read && FACTS.contains(name),
            _ => false,
        }
    }

    /// Whether it only reads files in granted folders.
    pub(super) fn only_reads_granted(&self) -> bool {
        matches!(self.effect, Effect::Read { .. })
            && self.outside().is_none()
            && self.peril().is_none()
    }

    /// Whether no mode asks for it.
    pub(super) fn is_harmless(&self) -> bool {
        match self.effect {
            Effect::Read { .. } => self.outside().is_none(),
            Effect::Note { .. } => true,
            Effect::Write { .. }
            | Effect::Command { .. }
            | Effect::Fetch { .. }
            | Effect::WebSearch { .. } => false,
        }
    }

    /// Whether a mode lets it be done. What speaks against it was looked at before.
    pub(super) fn suits(&self, mode: Mode) -> bool {
        match mode {
            Mode::Ask => false,
            Mode::ActFreely => true,
            Mode::EditFiles => match self.effect {
                Effect::Write { .. } => true,
                Effect::Command {
                    network, secrets, ..
                } => {
                    !network
                        && secrets.is_empty()
                        && self.judged.as_ref().is_some_and(|judged| judged.only_looks)
                }
                Effect::Read { .. }
                | Effect::Note { .. }
                | Effect::Fetch { .. }
                | Effect::WebSearch { .. } => false,
            },
        }
    }

    /// Whether a rule of the user's with this verdict is about any part of it.
    pub(super) fn is_met(&self, verdict: Verdict) -> bool {
        self.ruled().is_met(&self.policy.rules, verdict)
    }

    /// Whether rules allow all of it.
    pub(super) fn is_allowed(&self, rules: &[PermissionRule]) -> bool {
        self.ruled().is_allowed(rules)
    }

    fn ruled(&self) -> Ruled<'_> {
        Ruled {
            tool: self.tool,
            effect: self.effect,
            judged: self.judged.as_ref(),
            home: self.policy.home.as_deref(),
        }
    }
}

/// Addresses of files, and of the services that hand credentials to programs in a cloud.
fn is_inner(url: &str) -> bool {
    let scheme = url
        .split(':')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase();
    let host = host_of(url).to_lowercase();
    !matches!(scheme.as_str(), "http" | "https")
        || matches!(
            host.as_str(),
            "169.254.169.254"
                | "metadata.google.internal"
                | "metadata"
                | "fd00:ec2::254"
                | "100.100.100.200"
        )
}
