//! The bundled table of models, `models.yaml`: what is known of a model when nobody else tells.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use talaria_domain::{LongRates, ModelFacts, Price, Rates};
use url::Url;

use crate::price::{Per, decimal, rates};
use crate::{is_loopback, is_near};

/// Yuan are counted in this many parts when they are turned into dollars.
const RATE_PLACES: u32 = 6;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    checked: String,
    yuan_per_dollar: String,
    vendors: BTreeMap<String, Vendor>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Vendor {
    #[serde(default)]
    usd: Vec<String>,
    #[serde(default)]
    cny: Vec<String>,
    models: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    window: Option<u64>,
    output: Option<u64>,
    #[serde(default)]
    can: Vec<Ability>,
    #[serde(default)]
    cannot: Vec<Ability>,
    usd: Option<Published>,
    cny: Option<Published>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ability {
    Tools,
    Images,
    Documents,
    Reasoning,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    input: String,
    output: String,
    cached: Option<String>,
    written: Option<String>,
    long: Option<PublishedLong>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedLong {
    above: u64,
    input: String,
    output: String,
    cached: Option<String>,
    written: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Currency {
    Dollar,
    Yuan,
}

// A test below holds that the file can be read; the program itself must start without it.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("models.yaml")).unwrap_or_default());

/// The day the bundled table was checked.
#[must_use]
pub fn table_date() -> &'static str {
    &TABLE.checked
}

/// What the bundled table says of a model at this address.
///
/// A service near by, on the user's own computer or network, sets its own, mostly smaller limits,
/// whatever its model could do: of those it tells only what a model is able to. What runs on the
/// user's own computer costs nothing; what a gateway in the network charges is not known.
#[must_use]
pub fn table_facts(address: &Url, model: &str) -> ModelFacts {
    let name = bare(model);
    let found = TABLE.longest_match(&name);
    let facts = found.map(|(_, entry)| entry.facts()).unwrap_or_default();
    if is_near(address) {
        return ModelFacts {
            context_window: None,
            max_output_tokens: None,
            price: is_loopback(address).then_some(Price::FREE),
            ..facts
        };
    }
    let host = address.host_str().unwrap_or_default();
    ModelFacts {
        price: found.and_then(|(vendor, entry)| TABLE.price(vendor, entry, &name, host)),
        ..facts
    }
}

/// The name without the folders that lists and gateways put before it, in lower case.
pub(crate) fn bare(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model);
    name.trim().to_ascii_lowercase()
}

impl Table {
    fn longest_match(&self, name: &str) -> Option<(&Vendor, &Entry)> {
        let all = self
            .vendors
            .values()
            .flat_map(|vendor| vendor.models.iter().map(move |entry| (vendor, entry)));
        all.filter(|(_, entry)| name.starts_with(&entry.name))
            .max_by_key(|(_, entry)| entry.name.len())
    }

    fn price(&self, vendor: &Vendor, entry: &Entry, name: &str, host: &str) -> Option<Price> {
        if !is_same_version(name.strip_prefix(&entry.name)?) {
            return None;
        }
        let bills = |hosts: &[String]| hosts.iter().any(|known| known == host);
        if bills(&vendor.usd) {
            self.read(entry.usd.as_ref()?, Currency::Dollar)
        } else if bills(&vendor.cny) {
            self.read(entry.cny.as_ref()?, Currency::Yuan)
        } else {
            None
        }
    }

    fn read(&self, published: &Published, currency: Currency) -> Option<Price> {
        let dollars = |rates: Rates| self.in_dollars(rates, currency);
        let usual = rates(
            Per::Million,
            Some(&published.input),
            Some(&published.output),
            published.cached.as_deref(),
            published.written.as_deref(),
        )?;
        let long = match &published.long {
            None => None,
            Some(long) => Some(LongRates {
                above: long.above,
                rates: dollars(rates(
                    Per::Million,
                    Some(&long.input),
                    Some(&long.output),
                    long.cached.as_deref(),
                    long.written.as_deref(),
                )?)?,
            }),
        };
        Some(Price {
            usual: dollars(usual)?,
            long,
        })
    }

    fn in_dollars(&self, rates: Rates, currency: Currency) -> Option<Rates> {
        if currency == Currency::Dollar {
            return Some(rates);
        }
        let one = u128::from(10_u64.pow(RATE_PLACES));
        let yuan = u128::from(decimal(&self.yuan_per_dollar, RATE_PLACES)?);
        let turn = |amount: u64| {
            let scaled = u128::from(amount) * one;
            u64::try_from(scaled.checked_div(yuan)?).ok()
        };
        Some(Rates {
            input: turn(rates.input)?,
            output: turn(rates.output)?,
            cached_input: rates.cached_input.and_then(turn),
            cache_written: rates.cache_written.and_then(turn),
        })
    }
}

impl Entry {
    fn facts(&self) -> ModelFacts {
        ModelFacts {
            context_window: self.window,
            max_output_tokens: self.output,
            tools: self.has(Ability::Tools),
            images: self.has(Ability::Images),
            documents: self.has(Ability::Documents),
            reasoning: self.has(Ability::Reasoning),
            price: None,
        }
    }

    fn has(&self, ability: Ability) -> Option<bool> {
        if self.can.contains(&ability) {
            Some(true)
        } else if self.cannot.contains(&ability) {
            Some(false)
        } else {
            None
        }
    }
}

/// Whether what follows a known name still means the same model: nothing, a date, "latest" or
/// "preview". A later version or another size costs something else.
fn is_same_version(rest: &str) -> bool {
    let rest = rest
        .trim_end_matches("-latest")
        .trim_end_matches("-preview");
    let digits = rest.bytes().filter(u8::is_ascii_digit).count();
    let dated = rest.starts_with(['-', '@']) && digits >= 4;
    let only_digits = rest
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'@'));
    rest.is_empty() || (dated && only_digits)
}

#[cfg(test)]
mod tests;
