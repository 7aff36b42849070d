//! Prices as they are published, and what a request cost.
//!
//! Published prices are decimal numbers ("0.0000025"), in tables and lists alike. They are read
//! digit by digit into whole numbers, so that no sum is ever off by a rounding of binary fractions.

use serde_json::Value;
use talaria_domain::{Cost, Price, Rates, Usage};

/// Digits behind the point that a price per million tokens may have.
const PLACES: u32 = 6;
/// Nobody asks a thousand dollars for a million tokens: a higher number has another unit.
const HIGHEST: u64 = 1_000_000_000;

/// What a published price counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Per {
    /// Dollars for one token.
    Token,
    /// Dollars for a million tokens.
    Million,
}

/// A published price in the unit of [`Rates`]. None for what is no price, such as the -1 of a
/// router that does not know yet which model it will choose.
pub(crate) fn rate(text: &str, per: Per) -> Option<u64> {
    let places = match per {
        Per::Token => PLACES * 2,
        Per::Million => PLACES,
    };
    decimal(text, places).filter(|rate| *rate <= HIGHEST)
}

/// A decimal number in units of `10^-places`, rounded to the nearest; also in the form `2.5e-06`.
pub(crate) fn decimal(text: &str, places: u32) -> Option<u64> {
    let (number, exponent) = match text.trim().split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (text.trim(), 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits: String = [whole, fraction].concat();
    if digits.is_empty() || digits.len() > 30 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let shift = i32::try_from(places)
        .ok()?
        .checked_add(exponent)?
        .checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let value: u128 = digits.parse().ok()?;
    let power = 10_u128.checked_pow(shift.unsigned_abs())?;
    let scaled = if shift >= 0 {
        value.checked_mul(power)?
    } else {
        (value + power / 2) / power
    };
    u64::try_from(scaled).ok()
}

/// The rates of published prices. None unless both directions have one.
pub(crate) fn rates(
    per: Per,
    input: Option<&str>,
    output: Option<&str>,
    cached: Option<&str>,
    written: Option<&str>,
) -> Option<Rates> {
    let read = |text: Option<&str>| text.and_then(|text| rate(text, per));
    Some(Rates {
        input: read(input)?,
        output: read(output)?,
        cached_input: read(cached),
        // A zero says that nothing is asked beyond the usual price.
        cache_written: read(written).filter(|written| *written > 0),
    })
}

/// What one request cost, in whole billionths of a dollar, the last one rounded up. Give it the
/// usage of a single request, not a sum: how long a request is decides on its rates. None: the
/// service reported no tokens, or more than can be.
#[must_use]
pub fn cost(usage: &Usage, price: &Price) -> Option<Cost> {
    if usage.is_empty() {
        return None;
    }
    let rates = match price.long {
        Some(long) if usage.input_tokens > long.above => long.rates,
        _ => price.usual,
    };
    let (cached, written) = (usage.cached_tokens, usage.cache_written_tokens);
    // What a service says of its cache may not add up with what was sent; nothing is counted twice.
    let fresh = usage
        .input_tokens
        .saturating_sub(cached.saturating_add(written));
    let sum = [
        (fresh, rates.input),
        (cached, rates.cached_input.unwrap_or(rates.input)),
        (written, rates.cache_written.unwrap_or(rates.input)),
        (usage.output_tokens, rates.output),
    ]
    .into_iter()
    .map(|(tokens, rate)| u128::from(tokens) * u128::from(rate))
    .sum::<u128>();
    // A rate of one is a millionth of a dollar for a million tokens: a thousandth of a billionth
    // for one.
    u64::try_from(sum.div_ceil(1_000)).ok().map(Cost)
}

/// What the service itself says a request cost, in its report of the tokens used: a few do, in
/// dollars or in ten billionths of one.
pub(crate) fn reported(usage: &Value) -> Option<Cost> {
    let dollars = usage.get("cost").and_then(|cost| match cost {
        Value::Number(number) => decimal(&number.to_string(), 9),
        Value::String(text) => decimal(text, 9),
        _ => None,
    });
    let ticks = || usage.get("cost_in_usd_ticks")?.as_u64();
    dollars
        .or_else(|| ticks().map(|ticks| ticks.div_ceil(10)))
        .map(Cost)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use serde_json::json;
    use talaria_domain::{Cost, LongRates, Price, Rates, Usage};

    use super::{Per, cost, decimal, rate, rates, reported};

    /// 2 dollars for a million tokens sent, 10 for received ones, 0.2 cached, 2.5 written.
    fn price() -> Price {
        Price {
            usual: Rates {
                input: 2_000_000,
                output: 10_000_000,
                cached_input: Some(200_000),
                cache_written: Some(2_500_000),
            },
            long: None,
        }
    }

    fn usage(input: u64, cached: u64, written: u64, output: u64) -> Usage {
        Usage {
            input_tokens: input,
            cached_tokens: cached,
            cache_written_tokens: written,
            output_tokens: output,
            cost: None,
        }
    }

    #[test]
    fn a_cost_is_taken_from_a_service_that_reports_it() {
        for (usage, billionths) in [
            (json!({"cost": 0.000_014}), Some(14_000)),
            (json!({"cost": "1.5e-6"}), Some(1500)),
            (json!({"cost": 0}), Some(0)),
            (json!({"cost_in_usd_ticks": 37_756_005}), Some(3_775_601)),
            (json!({"cost": null}), None),
            (json!({"cost": -1}), None),
            (json!({"total_tokens": 7}), None),
        ] {
            assert_eq!(reported(&usage), billionths.map(Cost), "{usage}");
        }
    }

    #[test]
    fn published_prices_are_read_exactly() {
        for (text, per, expected) in [
            ("0.00000125", Per::Token, Some(1_250_000)),
            ("0.0000000028", Per::Token, Some(2_800)),
            ("2.5e-06", Per::Token, Some(2_500_000)),
            ("1.5E-5", Per::Token, Some(15_000_000)),
            ("3", Per::Million, Some(3_000_000)),
            ("0.0036", Per::Million, Some(3_600)),
            ("0.1", Per::Million, Some(100_000)),
            (" 0 ", Per::Million, Some(0)),
            (".5", Per::Million, Some(500_000)),
            ("5.", Per::Million, Some(5_000_000)),
            ("-1", Per::Token, None),
            ("", Per::Token, None),
            (".", Per::Token, None),
            ("free", Per::Million, None),
            ("1.2.3", Per::Million, None),
            ("NaN", Per::Million, None),
            ("1e99", Per::Million, None),
            ("1e2147483647", Per::Million, None),
            ("3", Per::Token, None),
            ("99999999999999999999999999999999", Per::Million, None),
        ] {
            assert_eq!(rate(text, per), expected, "{text}");
        }
    }

    #[test]
    fn what_is_finer_than_the_unit_is_rounded() {
        assert_eq!(decimal("0.0000005", 6), Some(1));
        assert_eq!(decimal("0.0000004", 6), Some(0));
    }

    #[test]
    fn both_directions_must_have_a_price() {
        assert_eq!(rates(Per::Million, Some("1"), None, None, None), None);
        assert_eq!(rates(Per::Million, Some("-1"), Some("1"), None, None), None);
        let found = rates(Per::Million, Some("1"), Some("2"), Some("0"), Some("0"));
        let found = found.expect("rates");
        assert_eq!((found.input, found.output), (1_000_000, 2_000_000));
        assert_eq!((found.cached_input, found.cache_written), (Some(0), None));
    }

    #[test]
    fn each_kind_of_token_has_its_rate() {
        for (used, expected) in [
            (usage(1_000_000, 0, 0, 0), Some(2_000_000_000)),
            (usage(0, 0, 0, 1_000_000), Some(10_000_000_000)),
            (usage(1_000, 0, 0, 100), Some(3_000_000)),
            (usage(1_000, 1_000, 0, 0), Some(200_000)),
            (usage(1_000, 0, 1_000, 0), Some(2_500_000)),
            (usage(1_000, 600, 300, 0), Some(120_000 + 750_000 + 200_000)),
            // More from the cache than was sent: counted as the service says, and no less than 0.
            (usage(100, 200, 0, 0), Some(40_000)),
            (usage(0, 0, 0, 0), None),
        ] {
            assert_eq!(cost(&used, &price()), expected.map(Cost), "{used:?}");
        }
    }

    #[test]
    fn without_rates_of_its_own_the_cache_costs_what_is_usual() {
        let plain = Price {
            usual: Rates {
                cached_input: None,
                cache_written: None,
                ..price().usual
            },
            long: None,
        };
        let used = usage(1_000, 600, 300, 0);
        assert_eq!(cost(&used, &plain), Some(Cost(2_000_000)));
    }

    #[test]
    fn a_long_request_is_counted_at_its_rates_as_a_whole() {
        let rates = Rates {
            input: 4_000_000,
            output: 15_000_000,
            cached_input: Some(400_000),
            cache_written: None,
        };
        let price = Price {
            long: Some(LongRates {
                above: 1_000,
                rates,
            }),
            ..price()
        };
        assert_eq!(cost(&usage(1_000, 0, 0, 10), &price), Some(Cost(2_100_000)));
        assert_eq!(cost(&usage(1_001, 0, 0, 10), &price), Some(Cost(4_154_000)));
    }

    #[test]
    fn what_is_free_costs_nothing_and_a_part_of_a_billionth_is_one() {
        assert_eq!(cost(&usage(9, 0, 0, 9), &Price::FREE), Some(Cost(0)));
        let cheap = Price {
            usual: Rates {
                input: 1,
                ..Rates::default()
            },
            long: None,
        };
        assert_eq!(cost(&usage(1, 0, 0, 0), &cheap), Some(Cost(1)));
    }

    proptest! {
        #[test]
        fn no_usage_makes_it_panic(input: u64, cached: u64, written: u64, output: u64) {
            let _ = cost(&usage(input, cached, written, output), &price());
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in ".{0,40}", places in 0_u32..20) {
            let _ = decimal(&text, places);
        }

        #[test]
        fn a_number_of_micro_dollars_comes_back(micro in 0_u64..1_000_000_000) {
            let text = format!("{}.{:06}", micro / 1_000_000, micro % 1_000_000);
            prop_assert_eq!(rate(&text, Per::Million), Some(micro));
        }
    }
}
