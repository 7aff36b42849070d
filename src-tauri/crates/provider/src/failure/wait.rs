//! How long a service asks to wait: in headers of several fashions, or in words.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

/// Nobody waits longer; a larger number is a mistake of somebody's.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The headers that tell when an allowance is new, with those that tell what is left of it.
const RESETS: &[(&str, &str)] = &[
    (
        "x-ratelimit-reset-requests",
        "x-ratelimit-remaining-requests",
    ),
    ("x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens"),
    (
        "anthropic-ratelimit-requests-reset",
        "anthropic-ratelimit-requests-remaining",
    ),
    (
        "anthropic-ratelimit-tokens-reset",
        "anthropic-ratelimit-tokens-remaining",
    ),
    ("x-ratelimit-reset", "x-ratelimit-remaining"),
];

/// What the headers ask for. What can't be read counts as not there.
pub(super) fn from_headers(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(millis) = text("retry-after-ms").and_then(|found| found.parse::<f64>().ok()) {
        return seconds(millis / 1000.0);
    }
    if let Some(after) = text("retry-after") {
        return match after.parse::<f64>() {
            Ok(value) => seconds(value),
            Err(_) => until(httpdate::parse_http_date(after).ok()?, now),
        };
    }
    let spent = |name: &str| text(name).and_then(|left| left.parse::<f64>().ok()) == Some(0.0);
    let known = |name: &str| headers.contains_key(name);
    RESETS
        .iter()
        .filter(|(_, remaining)| spent(remaining) || !known(remaining))
        .filter_map(|(reset, _)| moment(text(reset)?, now))
        .max()
}

/// What the words ask for, such as "try again in 7.5s".
pub(super) fn from_text(text: &str) -> Option<Duration> {
    let (_, behind) = ["try again in ", "retry in ", "retry after "]
        .iter()
        .find_map(|words| text.split_once(words))?;
    let number: String = behind
        .chars()
        .take_while(|found| found.is_ascii_digit() || *found == '.')
        .collect();
    let unit = behind.get(number.len()..)?.trim_start();
    let written = behind
        .split_whitespace()
        .next()?
        .trim_end_matches(['.', ',', ')']);
    if unit.starts_with("second") || unit.is_empty() {
        return seconds(number.trim_end_matches('.').parse().ok()?);
    }
    if unit.starts_with("minute") {
        return seconds(number.parse::<f64>().ok()? * 60.0);
    }
    duration(written)
}

/// Reads durations such as `1m26.4s`, `120ms` and `34s`.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|found: char| !found.is_ascii_digit() && found != '.')?;
        let (number, behind) = rest.split_at(end);
        let end = behind
            .find(|found: char| found.is_ascii_digit())
            .unwrap_or(behind.len());
        let (unit, next) = behind.split_at(end);
        let scale = match unit {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 0.001,
            _ => return None,
        };
        total += number.parse::<f64>().ok()? * scale;
        rest = next;
    }
    if text.is_empty() {
        None
    } else {
        seconds(total)
    }
}

/// A duration, seconds, a moment since 1970 in seconds or milliseconds, or a date.
fn moment(text: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(value) = text.parse::<f64>() {
        return match value {
            millis if millis > 1e11 => {
                until(SystemTime::UNIX_EPOCH + seconds_of(millis / 1e3)?, now)
            }
            since if since > 1e9 => until(SystemTime::UNIX_EPOCH + seconds_of(since)?, now),
            few => seconds(few),
        };
    }
    duration(text).or_else(|| until(rfc3339(text)?, now))
}

fn until(moment: SystemTime, now: SystemTime) -> Option<Duration> {
    Some(moment.duration_since(now).unwrap_or_default().min(LONGEST))
}

fn seconds(value: f64) -> Option<Duration> {
    seconds_of(value).map(|found| found.min(LONGEST))
}

fn seconds_of(value: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(value).ok()
}

/// Reads `2026-01-01T00:00:30Z`, the only form services send, by way of the other date format.
fn rfc3339(text: &str) -> Option<SystemTime> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.split('-').map(str::parse::<u64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let mut time = time.split([':', '.']).map(str::parse::<u64>);
    let (hour, minute, second) = (time.next()?.ok()?, time.next()?.ok()?, time.next()?.ok()?);
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let month = MONTHS.get(usize::try_from(month.checked_sub(1)?).ok()?)?;
    // The weekday is not checked against the date.
    let http = format!("Thu, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT");
    httpdate::parse_http_date(&http).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

    use super::{duration, from_headers, from_text};

    /// 2026-01-01T00:00:00Z.
    fn new_year() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600)
    }

    fn waits(pairs: &[(&'static str, &'static str)]) -> Option<f64> {
        let headers: HeaderMap = pairs
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect();
        from_headers(&headers, new_year()).map(|found| found.as_secs_f64())
    }

    #[test]
    fn each_fashion_of_header_is_read() {
        type Case = (&'static [(&'static str, &'static str)], Option<f64>);
        let cases: &[Case] = &[
            (&[("retry-after", "30")], Some(30.0)),
            (&[("retry-after", " 1.5 ")], Some(1.5)),
            (&[("retry-after", "0")], Some(0.0)),
            (
                &[("retry-after-ms", "250"), ("retry-after", "30")],
                Some(0.25),
            ),
            (
                &[("retry-after", "Thu, 01 Jan 2026 00:00:45 GMT")],
                Some(45.0),
            ),
            (
                &[("retry-after", "Wed, 31 Dec 2025 23:00:00 GMT")],
                Some(0.0),
            ),
            (&[("retry-after", "Thu, 77 Foo 2026")], None),
            (&[("retry-after", "-5")], None),
            (&[("retry-after", "NaN")], None),
            (&[("retry-after", "1e300")], None),
            (&[("retry-after", "99999999")], Some(86_400.0)),
            (&[("x-ratelimit-reset-tokens", "6m0s")], Some(360.0)),
            (&[("x-ratelimit-reset-requests", "120ms")], Some(0.12)),
            (
                &[
                    ("x-ratelimit-reset-requests", "1m2.5s"),
                    ("x-ratelimit-remaining-requests", "0"),
                    ("x-ratelimit-reset-tokens", "9m"),
                    ("x-ratelimit-remaining-tokens", "700"),
                ],
                Some(62.5),
            ),
            (&[("x-ratelimit-reset", "1767225660")], Some(60.0)),
            (&[("x-ratelimit-reset", "1767225660000")], Some(60.0)),
            (&[("x-ratelimit-reset", "12")], Some(12.0)),
            (
                &[("anthropic-ratelimit-requests-reset", "2026-01-01T00:00:20Z")],
                Some(20.0),
            ),
            (&[], None),
        ];
        for (headers, expected) in cases {
            assert_eq!(waits(headers), *expected, "{headers:?}");
        }
    }

    #[test]
    fn words_are_read_too() {
        for (text, expected) in [
            ("please try again in 7.5s. visit", Some(7.5)),
            ("try again in 320ms", Some(0.32)),
            ("please retry in 34.25s", Some(34.25)),
            ("retry after 20 seconds", Some(20.0)),
            ("try again in 2 minutes.", Some(120.0)),
            ("try again in a while", None),
            ("try again later", None),
        ] {
            let found = from_text(text).map(|found| found.as_secs_f64());
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_duration_is_none() {
        for text in ["", "s", "5", "5 s", "5x", "1.2.3s", "时"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
