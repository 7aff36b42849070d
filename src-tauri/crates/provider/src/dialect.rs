//! How a service, or one of its models, wants to be asked.
//!
//! Services that claim one protocol differ in what they refuse. A dialect is the set of these
//! differences. It begins with what is known of the host (`hosts.yaml`), grows by one quirk with
//! each refusal that teaches something ([`lesson`]), and is remembered for the model
//! ([`memory`]). The client owns the loop; the writers of requests of all protocols ask
//! [`Dialect::has`] and send nothing that was refused.

mod lesson;
mod memory;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub(crate) use memory::Recollection;
pub use memory::{Memory, Place};

/// One difference from what the protocol says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Quirk {
    /// `stream_options` is refused, so the tokens used may stay unknown.
    NoStreamOptions,
    /// `max_tokens` is refused.
    NoMaxTokens,
    /// `max_completion_tokens` is refused.
    NoMaxCompletionTokens,
    /// A call can't be demanded.
    NoToolChoice,
    /// Tools are refused; earlier calls are told in words.
    NoTools,
    /// Images are refused.
    NoImages,
    /// The system text is taken only inside the user's first message.
    SystemInUser,
    /// Tools are taken only with reasoning switched off in so many words.
    ReasoningOff,
    /// Reasoning goes back with the calls it led to.
    ReasoningWithCalls,
    /// Every message of the model goes back with reasoning, even if there was none.
    ReasoningAlways,
    /// Reasoning is never taken back.
    NoReasoning,
    /// What was marked to go back with a call or an answer is refused.
    NoEcho,
    /// Thoughts that no longer fit what stands before them are left aside only if that is asked for.
    LooseThoughts,
    /// A call that carries no signature of Gemini's needs the one that stands for none.
    SignedCalls,
    /// Ids of calls are nine letters or digits.
    ShortIds,
    /// A message of the model holds one call at most.
    SingleCalls,
    /// Between a result and the user's words the model must speak.
    SpokenBridge,
    /// Calls and results are told in words, so that only two roles are left.
    CallsInWords,
    /// PDF files are taken as parts of a message.
    FileParts,
    /// Content beside calls is null, not empty.
    NullContent,
    /// Content always holds words.
    SpokenContent,
    /// Only the simplest schemas are taken.
    PlainSchemas,
    /// Marks for the service's cache are refused.
    NoCacheMarks,
    /// Anthropic's protocol is spoken with the key where all others have it.
    BearerKey,
    /// Sealed reasoning can't be asked for.
    NoSealedReasoning,
    /// A summary of the reasoning can't be asked for.
    NoSummary,
    /// That nothing be stored can't be asked for.
    NoStore,
    /// That a tool's schema be taken loosely can't be asked for.
    NoStrict,
}

/// The quirks of one model of one service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dialect {
    /// The service's host, for what depends on nothing else.
    #[serde(skip)]
    host: String,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    quirks: BTreeSet<Quirk>,
    /// The longest answer that may be asked for, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    longest_output: Option<u32>,
    /// What the window has left for this one answer; never kept, since the next has another.
    #[serde(skip)]
    room: Option<u32>,
}

/// What is known of a host before it was ever asked.
#[derive(Debug, Deserialize)]
struct Host {
    host: String,
    quirks: BTreeSet<Quirk>,
}

// A test holds that the file can be read; the program itself must start without it.
static HOSTS: LazyLock<Vec<Host>> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("dialect/hosts.yaml")).unwrap_or_default());

impl Dialect {
    /// What is known of the service at `host`.
    pub(crate) fn of_host(host: &str) -> Self {
        let quirks = HOSTS
            .iter()
            .filter(|known| is_within(host, &known.host))
            .flat_map(|known| known.quirks.iter().copied())
            .collect();
        Self {
            host: host.to_owned(),
            quirks,
            ..Self::default()
        }
    }

    /// The host of the service.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Whether the service has this quirk.
    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// The same with one quirk more.
    #[must_use]
    pub(crate) fn with(mut self, quirk: Quirk) -> Self {
        self.quirks.insert(quirk);
        self
    }

    /// The quirks of both; what was learnt last says how long an answer may be.
    #[must_use]
    pub(crate) fn and(mut self, learnt: Self) -> Self {
        self.quirks.extend(learnt.quirks);
        self.longest_output = learnt.longest_output.or(self.longest_output);
        self.room = learnt.room.or(self.room);
        self
    }

    /// The member of a chat completion that limits the answer; none if each was refused.
    pub(crate) fn limit_member(&self) -> Option<&'static str> {
        if !self.has(Quirk::NoMaxTokens) {
            Some("max_tokens")
        } else if !self.has(Quirk::NoMaxCompletionTokens) {
            Some("max_completion_tokens")
        } else {
            None
        }
    }

    /// How many tokens of answer to ask for, if `asked` are wanted.
    pub(crate) fn output_limit(&self, asked: u32) -> u32 {
        let bounds = [self.longest_output, self.room];
        bounds.into_iter().flatten().fold(asked, u32::min)
    }
}

/// Whether a host is `suffix` or lies below it.
pub(crate) fn is_within(host: &str, suffix: &str) -> bool {
    host.strip_suffix(suffix)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::{Dialect, HOSTS, Quirk, is_within};

    #[test]
    fn the_table_of_hosts_can_be_read_and_names_each_once() {
        assert!(!HOSTS.is_empty());
        for (at, known) in HOSTS.iter().enumerate() {
            assert!(!known.quirks.is_empty(), "{}", known.host);
            assert!(
                HOSTS
                    .iter()
                    .skip(at + 1)
                    .all(|other| other.host != known.host),
                "{} stands twice",
                known.host
            );
        }
    }

    #[test]
    fn a_host_is_known_by_the_end_of_its_name() {
        for (host, short_ids) in [
            ("mistral.ai", true),
            ("api.mistral.ai", true),
            ("notmistral.ai", false),
            ("mistral.ai.example", false),
            ("", false),
        ] {
            assert_eq!(
                Dialect::of_host(host).has(Quirk::ShortIds),
                short_ids,
                "{host}"
            );
        }
        assert!(is_within("a.b.example", "b.example"));
        assert!(!is_within("ab.example", "b.example"));
    }

    #[test]
    fn the_answers_limit_goes_under_the_name_that_was_not_refused() {
        let plain = Dialect::default();
        assert_eq!(plain.limit_member(), Some("max_tokens"));
        let renamed = plain.clone().with(Quirk::NoMaxTokens);
        assert_eq!(renamed.limit_member(), Some("max_completion_tokens"));
        let none = renamed.with(Quirk::NoMaxCompletionTokens);
        assert_eq!(none.limit_member(), None);
        let old = plain.with(Quirk::NoMaxCompletionTokens);
        assert_eq!(old.limit_member(), Some("max_tokens"));
    }

    #[test]
    fn an_answers_limit_is_never_above_the_longest() {
        let bounded = Dialect {
            longest_output: Some(100),
            ..Dialect::default()
        };
        for (asked, sent) in [(50, 50), (100, 100), (500, 100)] {
            assert_eq!(bounded.output_limit(asked), sent);
        }
        assert_eq!(Dialect::default().output_limit(500), 500);
    }

    #[test]
    fn two_dialects_add_up() {
        let one = Dialect::default().with(Quirk::NoTools);
        let two = Dialect {
            longest_output: Some(5),
            ..Dialect::default().with(Quirk::NoImages)
        };
        let both = one.clone().and(two.clone());
        assert!(both.has(Quirk::NoTools) && both.has(Quirk::NoImages));
        assert_eq!(both, two.and(one));
        let known = Dialect::of_host("h.example");
        assert_eq!(known.and(both).host(), "h.example");
    }
}
