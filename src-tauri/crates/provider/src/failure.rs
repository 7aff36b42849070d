//! Every way in which a service can fail, judged in one place.
//!
//! The status alone says little: the same lack of credit comes as 400, 401, 402, 403, 429 and
//! 500, and behind a 200 too. So the whole answer is read, whatever its content type claims, and
//! judged by its codes first, its words second and its status last. Both protocols, the client
//! and the sign-in use this.

mod limit;
mod report;
mod sign;
mod transport;
mod verdict;
mod wait;

use std::time::{Duration, SystemTime};

use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::Value;
use talaria_domain::{ErrorCode, Retry, ServiceFailure};
use talaria_secret::Secret;

use report::Report;
pub(crate) use transport::{from_transport, was_closed};
use verdict::Verdict;

/// The longest message handed on, in characters.
const LONGEST_MESSAGE: usize = 600;

/// By what the service's own people find a request; a longer one is something else.
const LONGEST_ID: usize = 80;
const REQUEST_IDS: [&str; 2] = ["request-id", "x-request-id"];

const BEFORE_ID: &str = " (request ";

/// Some services say outright that asking again is no use.
const SHOULD_RETRY: &str = "x-should-retry";

/// A key shorter than this is a placeholder such as "none", which may stand in any message.
const SHORTEST_KEY: usize = 6;

/// Judges an answer that is not the one asked for.
pub(crate) fn from_answer(
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    now: SystemTime,
) -> ServiceFailure {
    let report = Report::read(body);
    let status_for_verdict = if status.is_success() {
        report.status
    } else {
        Some(status.as_u16())
    };
    let mut failure = judge(
        &report,
        status_for_verdict,
        wait::from_headers(headers, now),
    );
    failure.status = Some(status.as_u16());
    if failure.message.is_empty() {
        failure.message = match status.canonical_reason() {
            Some(reason) => format!("The service answered {} {reason}.", status.as_u16()),
            None => format!("The service answered {}.", status.as_u16()),
        };
    }
    if headers
        .get(SHOULD_RETRY)
        .is_some_and(|told| told == "false")
    {
        failure.retry = Retry::Never;
    }
    let id = REQUEST_IDS
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok())
        .or(report.request_id.as_deref())
        .filter(|id| id.len() <= LONGEST_ID && !failure.message.contains(id));
    if let Some(id) = id {
        failure.message.push_str(&format!("{BEFORE_ID}{id})"));
    }
    failure
}

/// The message as the service wrote it: the id's digits must not pass for its numbers.
pub(crate) fn without_request_id(message: &str) -> &str {
    message
        .rsplit_once(BEFORE_ID)
        .map_or(message, |(before, _)| before)
}

/// Judges an error that came inside a stream, behind a status of success.
pub(crate) fn from_stream(value: &Value) -> ServiceFailure {
    let report = Report::of(value);
    let mut failure = judge(&report, report.status, None);
    if failure.message.is_empty() {
        "The service reported an error without saying which.".clone_into(&mut failure.message);
    }
    failure
}

fn judge(report: &Report, status: Option<u16>, asked: Option<Duration>) -> ServiceFailure {
    let verdict = verdict::of(report, status);
    let code = verdict.code();
    let wait = asked.or(report.wait);
    let retry = match (verdict, code) {
        (Verdict::Allowance, _) => wait.map_or(Retry::Never, Retry::After),
        (Verdict::Clumsy, _) => Retry::Soon,
        (
            _,
            ErrorCode::RateLimited
            | ErrorCode::Overloaded
            | ErrorCode::Timeout
            | ErrorCode::Network,
        ) => wait.map_or(Retry::Soon, Retry::After),
        // An error that says nothing may be a passing one; a wrong address is not.
        (_, ErrorCode::BadResponse) if status.is_none() && !report.is_page => Retry::Soon,
        _ => Retry::Never,
    };
    let limit = (verdict == Verdict::Window)
        .then(|| report.limit.or_else(|| limit::find(&report.text)))
        .flatten();
    ServiceFailure {
        code,
        message: bounded(&report.shown()),
        retry,
        limit,
        status: None,
    }
}

/// A failure found by Talaria itself.
pub(crate) fn new(code: ErrorCode, message: &str, retry: Retry) -> ServiceFailure {
    ServiceFailure {
        code,
        message: bounded(message),
        retry,
        limit: None,
        status: None,
    }
}

/// The stream ended before its terminal event.
pub(crate) fn stream_cut() -> ServiceFailure {
    new(
        ErrorCode::StreamCut,
        "The connection ended before the answer was complete.",
        Retry::Soon,
    )
}

/// What came back does not follow the protocol.
pub(crate) fn bad_response(message: &str) -> ServiceFailure {
    new(ErrorCode::BadResponse, message, Retry::Never)
}

/// Takes the key out of a failure's message: some services repeat it. That includes the part of
/// one that is left where the message was cut short.
pub(crate) fn conceal(mut failure: ServiceFailure, key: Option<&Secret<String>>) -> ServiceFailure {
    let Some(key) = key
        .map(|key| key.expose().trim())
        .filter(|key| key.len() >= SHORTEST_KEY)
    else {
        return failure;
    };
    if failure.message.contains(key) {
        failure.message = failure.message.replace(key, "[key]");
    }
    if let Some(shown) = failure.message.strip_suffix('…') {
        let left = (SHORTEST_KEY..key.len())
            .rev()
            .filter_map(|length| key.get(..length))
            .find_map(|part| shown.strip_suffix(part));
        if let Some(left) = left {
            failure.message = format!("{left}[key]…");
        }
    }
    failure
}

/// The text on one line and not longer than a message may be.
fn bounded(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut out = words.next().unwrap_or_default().to_owned();
    for word in words {
        if out.len() > LONGEST_MESSAGE * 4 {
            break;
        }
        out.push(' ');
        out.push_str(word);
    }
    match out.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => {
            out.truncate(end);
            out.push('…');
            out
        }
        None => out,
    }
}

#[cfg(test)]
mod tests;
