//! What is known of a model, from whom.
//!
//! Four sources say something: the user, the service's own list, what an overflow has taught, and
//! the bundled table. They are asked in this order, fact by fact.

use serde::{Deserialize, Serialize};
use talaria_domain::{ModelFacts, Price};
use ts_rs::TS;

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FactSource {
    /// The user's settings.
    User,
    /// The service's list of models.
    Service,
    /// The service, when it refused a request that was too long.
    Learned,
    /// The table that comes with Talaria.
    Table,
}

/// A fact and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Known<T> {
    /// The fact.
    pub value: T,
    /// Who says so.
    pub source: FactSource,
}

/// What each source says of one model of one service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactSources {
    /// The user's settings.
    pub user: ModelFacts,
    /// The service's list.
    pub service: ModelFacts,
    /// The window that an overflow has taught. Leave it out once the service lists another window
    /// than it did then: a server near by may have been started anew.
    pub learned_window: Option<u64>,
    /// The bundled table: [`crate::table_facts`].
    pub table: ModelFacts,
}

/// What is known of a model, each fact with its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KnownFacts {
    /// Tokens it can take and give together.
    pub context_window: Option<Known<u64>>,
    /// Tokens it gives in one answer at most.
    pub max_output_tokens: Option<Known<u64>>,
    /// Whether it calls tools.
    pub tools: Option<Known<bool>>,
    /// Whether it takes images.
    pub images: Option<Known<bool>>,
    /// Whether it takes PDF files as they are.
    pub documents: Option<Known<bool>>,
    /// Whether it can think before it answers.
    pub reasoning: Option<Known<bool>>,
    /// What its tokens cost here.
    pub price: Option<Known<Price>>,
}

/// Merges what the sources say. For each fact the first source that knows it counts; only a window
/// that an overflow has taught wins over a larger one of the service's list, because the service
/// has shown that the larger one does not hold.
#[must_use]
pub fn known_facts(sources: &FactSources) -> KnownFacts {
    KnownFacts {
        context_window: window(sources),
        max_output_tokens: first(sources, |facts| facts.max_output_tokens),
        tools: first(sources, |facts| facts.tools),
        images: first(sources, |facts| facts.images),
        documents: first(sources, |facts| facts.documents),
        reasoning: first(sources, |facts| facts.reasoning),
        price: first(sources, |facts| facts.price),
    }
}

impl KnownFacts {
    /// The facts alone.
    #[must_use]
    pub fn facts(&self) -> ModelFacts {
        ModelFacts {
            context_window: value(self.context_window),
            max_output_tokens: value(self.max_output_tokens),
            tools: value(self.tools),
            images: value(self.images),
            documents: value(self.documents),
            reasoning: value(self.reasoning),
            price: value(self.price),
        }
    }
}

fn value<T>(known: Option<Known<T>>) -> Option<T> {
    known.map(|known| known.value)
}

fn window(sources: &FactSources) -> Option<Known<u64>> {
    let known = first(sources, |facts| facts.context_window);
    let learned = sources.learned_window.map(|value| Known {
        value,
        source: FactSource::Learned,
    });
    match (known, learned) {
        (Some(known), Some(learned)) => Some(match known.source {
            FactSource::User => known,
            FactSource::Service if known.value <= learned.value => known,
            FactSource::Service | FactSource::Learned | FactSource::Table => learned,
        }),
        (known, learned) => known.or(learned),
    }
}

fn first<T>(sources: &FactSources, fact: impl Fn(&ModelFacts) -> Option<T>) -> Option<Known<T>> {
    [
        (FactSource::User, &sources.user),
        (FactSource::Service, &sources.service),
        (FactSource::Table, &sources.table),
    ]
    .into_iter()
    .find_map(|(source, facts)| fact(facts).map(|value| Known { value, source }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use talaria_domain::{ModelFacts, Price};

    use super::{FactSource, FactSources, known_facts};

    fn window(tokens: impl Into<Option<u64>>) -> ModelFacts {
        ModelFacts {
            context_window: tokens.into(),
            ..ModelFacts::default()
        }
    }

    #[test]
    fn the_window_comes_from_the_first_who_knows_unless_it_was_refused() {
        use FactSource::{Learned, Service, Table, User};
        for (user, service, learned, table, expected) in [
            (None, None, None, None, None),
            (None, None, None, Some(9), Some((9, Table))),
            (None, None, Some(8), Some(9), Some((8, Learned))),
            (None, None, Some(9), Some(8), Some((9, Learned))),
            (None, None, Some(8), None, Some((8, Learned))),
            (None, Some(7), None, Some(9), Some((7, Service))),
            (None, Some(7), Some(8), Some(9), Some((7, Service))),
            (None, Some(9), Some(8), Some(7), Some((8, Learned))),
            (Some(9), Some(7), Some(8), Some(6), Some((9, User))),
            (Some(5), None, Some(8), None, Some((5, User))),
        ] {
            let sources = FactSources {
                user: window(user),
                service: window(service),
                learned_window: learned,
                table: window(table),
            };
            let known = known_facts(&sources).context_window;
            let found = known.map(|known| (known.value, known.source));
            assert_eq!(
                found, expected,
                "{user:?} {service:?} {learned:?} {table:?}"
            );
        }
    }

    #[test]
    fn each_fact_is_asked_on_its_own() {
        let sources = FactSources {
            user: ModelFacts {
                images: Some(false),
                ..ModelFacts::default()
            },
            service: ModelFacts {
                tools: Some(true),
                images: Some(true),
                ..ModelFacts::default()
            },
            learned_window: None,
            table: ModelFacts {
                tools: Some(false),
                reasoning: Some(true),
                price: Some(Price::FREE),
                ..ModelFacts::default()
            },
        };
        let known = known_facts(&sources);
        let of = |fact: Option<super::Known<bool>>| fact.map(|fact| (fact.value, fact.source));
        assert_eq!(of(known.images), Some((false, FactSource::User)));
        assert_eq!(of(known.tools), Some((true, FactSource::Service)));
        assert_eq!(of(known.reasoning), Some((true, FactSource::Table)));
        assert_eq!(of(known.documents), None);
        assert_eq!(known.facts().price, Some(Price::FREE));
    }

    #[test]
    fn a_fact_tells_the_window_of_the_page_who_says_so() {
        let sources = FactSources {
            learned_window: Some(8_192),
            ..FactSources::default()
        };
        let json = serde_json::to_value(known_facts(&sources)).unwrap();
        assert_eq!(
            json["context_window"],
            serde_json::json!({"value": 8_192, "source": "learned"})
        );
    }

    proptest! {
        #[test]
        fn nobody_but_the_user_makes_a_window_larger_than_what_was_refused(
            service: Option<u64>, learned: u64, table: Option<u64>
        ) {
            let sources = FactSources {
                user: ModelFacts::default(),
                service: window(service),
                learned_window: Some(learned),
                table: window(table),
            };
            let known = known_facts(&sources).context_window.expect("a window");
            prop_assert!(known.value <= learned);
        }
    }
}
