//! What refusals taught, kept for the next request and the next start.
//!
//! A lesson is kept only once a request that heeded it was accepted, and forgotten after some
//! days: services and models change, and a wrong lesson must not last.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::Dialect;
use crate::{Endpoint, Protocol};

/// How long a lesson counts.
const LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// One model, as lessons about it are filed. No part of it is secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The address of its service: origin and path.
    pub address: String,
    /// Its name.
    pub model: String,
    /// What the lessons are about.
    pub subject: &'static str,
}

impl Place {
    /// The place of a model. What its address may hold beside origin and path could be a secret.
    pub(crate) fn new(endpoint: &Endpoint, model: &str) -> Self {
        let url = &endpoint.base_url;
        Self {
            address: format!("{}{}", url.origin().ascii_serialization(), url.path()),
            model: model.to_owned(),
            subject: match endpoint.protocol {
                Protocol::OpenaiChat => "openai_chat",
                Protocol::OpenaiResponses => "openai_responses",
                Protocol::AnthropicMessages => "anthropic_messages",
            },
        }
    }
}

/// Where lessons outlive the program; who implements it decides where that is.
///
/// A lesson is a short text that only this crate reads. Both calls come from the task that asks
/// the model, so they must not take long. What can't be kept is lost without harm.
pub trait Memory: Send + Sync {
    /// The lesson kept last for `place`.
    fn recall(&self, place: &Place) -> Option<String>;

    /// Keeps `lesson` for `place`, instead of what was there.
    fn keep(&self, place: &Place, lesson: &str);
}

/// A memory that ends with the program.
#[derive(Debug, Default)]
struct Fleeting(Mutex<HashMap<Place, String>>);

impl Memory for Fleeting {
    fn recall(&self, place: &Place) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(place).cloned()
    }

    fn keep(&self, place: &Place, lesson: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(place.clone(), lesson.to_owned());
    }
}

/// The dialects learnt, over a [`Memory`]; cheap to clone.
#[derive(Clone)]
pub(crate) struct Recollection(Arc<dyn Memory>);

impl Default for Recollection {
    fn default() -> Self {
        Self(Arc::new(Fleeting::default()))
    }
}

impl fmt::Debug for Recollection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Recollection")
    }
}

/// A dialect with the time it was learnt.
#[derive(Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    dialect: Dialect,
    /// Seconds since 1970.
    since: u64,
}

impl Recollection {
    /// Over the given memory.
    pub(crate) fn over(memory: Arc<dyn Memory>) -> Self {
        Self(memory)
    }

    /// What was learnt about a model and still counts.
    pub(crate) fn dialect(&self, place: &Place, now: SystemTime) -> Option<Dialect> {
        let kept: Kept = serde_json::from_str(&self.0.recall(place)?).ok()?;
        let age = seconds(now).checked_sub(kept.since)?;
        (age < LIFE.as_secs()).then_some(kept.dialect)
    }

    /// Keeps what was learnt about a model.
    pub(crate) fn keep(&self, place: &Place, dialect: &Dialect, now: SystemTime) {
        let kept = Kept {
            dialect: dialect.clone(),
            since: seconds(now),
        };
        match serde_json::to_string(&kept) {
            Ok(lesson) => self.0.keep(place, &lesson),
            Err(error) => tracing::warn!(%error, "a lesson can't be written"),
        }
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, SystemTime};

    use url::Url;

    use super::{Fleeting, LIFE, Memory, Place, Recollection};
    use crate::dialect::{Dialect, Quirk};
    use crate::{Endpoint, Protocol};

    fn place(address: &str, protocol: Protocol, model: &str) -> Place {
        let endpoint = Endpoint {
            base_url: Url::parse(address).expect("an address"),
            protocol,
            key: None,
        };
        Place::new(&endpoint, model)
    }

    fn here() -> Place {
        place("http://a.example/v1", Protocol::OpenaiChat, "small")
    }

    #[test]
    fn what_was_kept_is_recalled_at_its_place_only() {
        let recollection = Recollection::default();
        let learnt = Dialect::default().with(Quirk::NoTools);
        let now = SystemTime::now();
        recollection.keep(&here(), &learnt, now);
        assert_eq!(recollection.dialect(&here(), now), Some(learnt));
        for other in [
            place("http://b.example/v1", Protocol::OpenaiChat, "small"),
            place("http://a.example/v2", Protocol::OpenaiChat, "small"),
            place("http://a.example:81/v1", Protocol::OpenaiChat, "small"),
            place("http://a.example/v1", Protocol::AnthropicMessages, "small"),
            place("http://a.example/v1", Protocol::OpenaiChat, "large"),
        ] {
            assert_eq!(recollection.dialect(&other, now), None, "{other:?}");
        }
    }

    #[test]
    fn a_place_holds_no_secret_of_the_address() {
        let place = place(
            "https://me:hunter2@a.example/v1?key=hunter2",
            Protocol::OpenaiChat,
            "small",
        );
        assert!(!format!("{place:?}").contains("hunter2"), "{place:?}");
    }

    #[test]
    fn a_lesson_counts_for_some_days_and_not_before_it_was_learnt() {
        let recollection = Recollection::default();
        let learnt = SystemTime::UNIX_EPOCH + LIFE * 9;
        recollection.keep(&here(), &Dialect::default().with(Quirk::NoTools), learnt);
        let second = Duration::from_secs(1);
        for (now, counts) in [
            (learnt, true),
            (learnt + LIFE - second, true),
            (learnt + LIFE, false),
            (learnt - second, false),
        ] {
            let found = recollection.dialect(&here(), now);
            assert_eq!(found.is_some(), counts, "{now:?}");
        }
    }

    #[test]
    fn lessons_that_cannot_be_read_count_as_none() {
        for lesson in [
            "",
            "{}",
            "[]",
            r#"{"since":1,"quirks":["of_a_later_version"]}"#,
        ] {
            let memory = Arc::new(Fleeting::default());
            memory.keep(&here(), lesson);
            let recollection = Recollection::over(memory);
            assert_eq!(recollection.dialect(&here(), SystemTime::UNIX_EPOCH), None);
        }
    }

    #[test]
    fn a_lesson_is_the_same_after_it_was_written_and_read() {
        let memory = Arc::new(Fleeting::default());
        let learnt = Dialect::default()
            .with(Quirk::NoImages)
            .with(Quirk::NoMaxTokens);
        let now = SystemTime::now();
        Recollection::over(memory.clone()).keep(&here(), &learnt, now);
        let found = Recollection::over(memory).dialect(&here(), now);
        assert_eq!(found, Some(learnt));
    }
}
