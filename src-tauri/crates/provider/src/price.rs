//! Prices as they are published, and what an answer cost.
//!
//! Published prices are decimal numbers ("0.0000025"), in tables and lists alike. They are read
//! digit by digit into whole numbers, so that no sum is ever off by a rounding of binary fractions.

use talaria_domain::Rates;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Per, decimal, rate, rates};

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

    proptest! {
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
