//! How long a service asks to wait: in headers of several fashions, or in words.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

/// Nobody waits longer; a larger number is a mistake of somebody's.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The words before a wait, all lower case.
const BEFORE: &[&str] = &[
    "try again in ",
    "try again after ",
    "retry in ",
    "retry after ",
    "reset in ",
    "resets in ",
    "reset after ",
    "please wait ",
];

/// The words behind a wait in Chinese, with what they count.
const BEHIND: &[(&str, f64)] = &[("秒后", 1.0), ("分钟后", 60.0), ("小时后", 3600.0)];

/// What the headers ask for. What can't be read counts as not there.
pub(super) fn from_headers(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let millis = text("retry-after-ms").and_then(|found| seconds(found.parse::<f64>().ok()? / 1e3));
    let after = || text("retry-after").and_then(|found| moment(found, now));
    millis.or_else(after).or_else(|| reset(headers, now))
}

/// When the allowance that is spent comes back. Each has a header that tells when it does, and
/// most have one of the same name that tells what is left of it.
fn reset(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    headers
        .iter()
        .filter(|(name, _)| name.as_str().contains("ratelimit") && name.as_str().contains("reset"))
        .filter(|(name, _)| {
            let left = headers.get(name.as_str().replace("reset", "remaining"));
            left.is_none_or(|left| left.to_str().is_ok_and(is_nothing))
        })
        .filter_map(|(_, value)| moment(value.to_str().ok()?.trim(), now))
        .max()
}

fn is_nothing(left: &str) -> bool {
    left.trim().parse::<f64>().is_ok_and(|left| left <= 0.0)
}

/// What the words ask for, such as "try again in 7.5s".
pub(super) fn from_text(text: &str) -> Option<Duration> {
    let english = BEFORE
        .iter()
        .filter_map(|words| text.split_once(words))
        .find_map(|(_, behind)| amount(behind.trim_start_matches("about ")));
    english.or_else(|| {
        BEHIND.iter().find_map(|(words, scale)| {
            let (before, _) = text.split_once(words)?;
            let before = before.trim_end();
            let start =
                before.trim_end_matches(|found: char| found.is_ascii_digit() || found == '.');
            seconds(before.get(start.len()..)?.parse::<f64>().ok()? * scale)
        })
    })
}

/// Reads a duration such as `1m26.4s`, `120ms` and `34s`, and nothing else.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let (found, rest) = parts(text)?;
    rest.is_empty().then(|| seconds(found)).flatten()
}

/// The duration at the start of a text; a bare number counts seconds.
fn amount(text: &str) -> Option<Duration> {
    if let Some((found, _)) = parts(text) {
        return seconds(found);
    }
    let (number, rest) = number(text)?;
    let is_end = !rest.starts_with(|next: char| next.is_alphanumeric());
    is_end.then(|| seconds(number)).flatten()
}

/// Numbers with their units, one after the other: their sum in seconds, and what follows.
fn parts(text: &str) -> Option<(f64, &str)> {
    let (mut total, mut rest, mut any) = (0.0, text, false);
    while let Some((number, behind)) = number(rest) {
        let unit = behind.trim_start_matches(' ');
        let end = unit
            .find(|found: char| !found.is_ascii_alphabetic())
            .unwrap_or(unit.len());
        let (unit, next) = unit.split_at(end);
        let Some(scale) = scale(unit) else {
            break;
        };
        (total, rest, any) = (total + number * scale, next, true);
        let gap = rest.trim_start_matches([' ', ',']);
        if gap.starts_with(|next: char| next.is_ascii_digit()) {
            rest = gap;
        }
    }
    any.then_some((total, rest))
}

fn number(text: &str) -> Option<(f64, &str)> {
    let end = text
        .find(|found: char| !found.is_ascii_digit() && found != '.')
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let digits = digits.strip_suffix('.').unwrap_or(digits);
    Some((digits.parse().ok()?, rest))
}

fn scale(unit: &str) -> Option<f64> {
    Some(match unit {
        "ms" | "millisecond" | "milliseconds" => 0.001,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        _ => return None,
    })
}

/// A duration, seconds, a moment since 1970 in seconds or milliseconds, or a date.
fn moment(text: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(value) = text.parse::<f64>() {
        let since_1970 = |seconds: f64| {
            let moment = SystemTime::UNIX_EPOCH.checked_add(seconds_of(seconds)?)?;
            until(moment, now)
        };
        return match value {
            millis if millis > 1e11 => since_1970(millis / 1e3),
            since if since > 1e9 => since_1970(since),
            few => seconds(few),
        };
    }
    let date = || {
        httpdate::parse_http_date(text)
            .ok()
            .or_else(|| rfc3339(text))
    };
    duration(text).or_else(|| until(date()?, now))
}

fn until(moment: SystemTime, now: SystemTime) -> Option<Duration> {
    Some(moment.duration_since(now).unwrap_or_default().min(LONGEST))
}

/// So many seconds, if they can be waited for.
pub(super) fn seconds(value: f64) -> Option<Duration> {
    seconds_of(value).map(|found| found.min(LONGEST))
}

fn seconds_of(value: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(value).ok()
}

/// Reads `2026-01-01T00:00:30Z` or `…+08:00`.
fn rfc3339(text: &str) -> Option<SystemTime> {
    let (date, time) = text.split_once(['T', ' '])?;
    let (time, ahead) = offset(time)?;
    let mut date = date.split('-').map(str::parse::<u64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let mut time = time.split([':', '.']).map(str::parse::<u64>);
    let (hour, minute, second) = (time.next()?.ok()?, time.next()?.ok()?, time.next()?.ok()?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = days(year, month, day)? * 86_400 + hour * 3600 + minute * 60 + second;
    let local = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
    match ahead {
        Ahead::Of(time) => local.checked_sub(time),
        Ahead::Behind(time) => local.checked_add(time),
    }
}

/// The days from 1970 to a date, counted in years that begin in March.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year = if month < 3 { year - 1 } else { year };
    let in_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    (365 * year + year / 4 - year / 100 + year / 400 + in_year).checked_sub(719_468)
}

/// How far a clock is from the one of Greenwich.
enum Ahead {
    Of(Duration),
    Behind(Duration),
}

fn offset(time: &str) -> Option<(&str, Ahead)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, Ahead::Of(Duration::ZERO)));
    }
    let (time, offset) = time.split_at_checked(time.rfind(['+', '-'])?)?;
    let (hours, minutes) = offset.get(1..)?.split_once(':')?;
    let minutes = hours.parse::<u64>().ok()? * 60 + minutes.parse::<u64>().ok()?;
    let distance = Duration::from_secs(minutes.checked_mul(60)?.min(86_400));
    Some(if offset.starts_with('+') {
        (time, Ahead::Of(distance))
    } else {
        (time, Ahead::Behind(distance))
    })
}

#[cfg(test)]
mod tests;
