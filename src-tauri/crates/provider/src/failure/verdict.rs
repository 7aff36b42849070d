//! The judgement: which kind of error a report is.
//!
//! The order of the rules is the point. Money wins over every status. Haste wins over words about
//! length, since "too many tokens, please wait" would otherwise cost the user a part of the
//! conversation. The status speaks last.

use talaria_domain::ErrorCode;

use super::limit;
use super::report::Report;
use super::sign::{
    ALLOWANCE, CLUMSY, CONTENT, FULL, HASTE, KEY, MINUTE_LINK, MODEL, MODEL_OF_MODEL, MONEY, PLACE,
    QUOTA_WORDS, REQUEST, WINDOW, WINDOW_OF_TOKENS, ZHIPU_KEY,
};

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// More than the model's window holds.
    Window,
    /// More at once than the service lets through in a minute, so that no waiting helps.
    Minute,
    /// An allowance of hours or days is used up.
    Allowance,
    /// The model wrote what the service could not read.
    Clumsy,
    /// Anything that needs nothing but its code.
    Plain(ErrorCode),
}

impl Verdict {
    /// The code by which the rest of Talaria knows it.
    pub(super) fn code(self) -> ErrorCode {
        match self {
            Self::Window | Self::Minute => ErrorCode::ContextOverflow,
            Self::Allowance => ErrorCode::RateLimited,
            Self::Clumsy => ErrorCode::BadResponse,
            Self::Plain(code) => code,
        }
    }
}

/// Judges what `report` says behind `status`; no status inside a stream.
pub(super) fn of(report: &Report, status: Option<u16>) -> Verdict {
    if WINDOW.coded(report) {
        return Verdict::Window;
    }
    if is_about_money(report, status) {
        return Verdict::Plain(ErrorCode::Billing);
    }
    if is_beyond_minute(report) {
        return Verdict::Minute;
    }
    if MODEL.coded(report) {
        return Verdict::Plain(ErrorCode::ModelNotFound);
    }
    if report
        .codes
        .iter()
        .any(|code| ZHIPU_KEY.contains(&code.as_str()))
    {
        return Verdict::Plain(ErrorCode::Auth);
    }
    if let Some(verdict) = of_haste(report, status) {
        return verdict;
    }
    if is_too_long(report, status) {
        return Verdict::Window;
    }
    if CLUMSY.are_in(report) {
        return Verdict::Clumsy;
    }
    Verdict::Plain(of_subject(report, status).unwrap_or_else(|| by_status(report, status)))
}

fn is_about_money(report: &Report, status: Option<u16>) -> bool {
    let is_minute = report.text.contains(MINUTE_LINK)
        || report
            .codes
            .iter()
            .any(|code| code.starts_with("throttling"));
    if is_minute && !report.text.contains("free") {
        return false;
    }
    // An allowance of nothing never comes back: the free plan has none of this model.
    let nothing = report.text.contains("limit: 0,") || report.text.ends_with("limit: 0");
    let comes_back =
        report.codes.iter().any(|code| code == "resource_exhausted") || report.wait.is_some();
    let quota = report.text.contains(QUOTA_WORDS) && (!comes_back || nothing);
    // Tavily has numbers of its own for a plan and a limit that are used up.
    matches!(status, Some(402 | 432 | 433)) || MONEY.are_in(report) || quota
}

fn is_beyond_minute(report: &Report) -> bool {
    let about = ["request too large", "tokens per", "tpm", "tpd"];
    about.iter().any(|words| report.text.contains(words)) && limit::is_beyond_minute(&report.text)
}

fn of_haste(report: &Report, status: Option<u16>) -> Option<Verdict> {
    let hasty = HASTE.are_in(report);
    let full = FULL.are_in(report);
    let refused_for_now = matches!(status, Some(429 | 498 | 503 | 529));
    if !hasty && !refused_for_now {
        return None;
    }
    let hasty = hasty || (status == Some(429) && !full);
    Some(match (hasty, ALLOWANCE.are_in(report)) {
        (true, true) => Verdict::Allowance,
        (true, false) => Verdict::Plain(ErrorCode::RateLimited),
        (false, _) => Verdict::Plain(ErrorCode::Overloaded),
    })
}

fn is_too_long(report: &Report, status: Option<u16>) -> bool {
    let text = &report.text;
    let output = [
        "max_tokens",
        "max_completion_tokens",
        "max_output_tokens",
        "max_new_tokens",
    ];
    let about_output = output.iter().any(|name| text.contains(name));
    let about_key = matches!(status, Some(401 | 403));
    let of_tokens =
        text.contains("token") && !about_output && !about_key && WINDOW_OF_TOKENS.said(report);
    let of_messages = text.contains("string too long") && text.contains("messages[");
    let of_input = text.contains("input length") && text.contains("exceeds the maximum");
    // Cerebras says no more than this.
    let wordless = matches!(status, Some(400 | 413)) && report.is_empty;
    WINDOW.said(report) || of_tokens || of_messages || of_input || wordless
}

/// What the words are about, where neither length nor time.
fn of_subject(report: &Report, status: Option<u16>) -> Option<ErrorCode> {
    if CONTENT.are_in(report) || status == Some(451) {
        return Some(ErrorCode::ContentPolicy);
    }
    let about_model = report.text.contains("model") || report.text.contains("模型");
    // Anthropic names the model and says no more; of a wrong path it says that it is not found.
    let named = MODEL_OF_MODEL.coded(report) && report.text != "not found";
    let lacks_model = MODEL.said(report) || named || (about_model && MODEL_OF_MODEL.said(report));
    if status != Some(401) && lacks_model {
        return Some(ErrorCode::ModelNotFound);
    }
    if PLACE.are_in(report) && !matches!(status, Some(500..)) {
        return Some(ErrorCode::Denied);
    }
    // A page that forbids is a guard's, but some services ask for the key with a page.
    let forbidden = status == Some(401) || (status == Some(403) && !report.is_page);
    if forbidden || KEY.are_in(report) {
        return Some(ErrorCode::Auth);
    }
    REQUEST.said(report).then_some(ErrorCode::BadRequest)
}

fn by_status(report: &Report, status: Option<u16>) -> ErrorCode {
    let refused = REQUEST.coded(report);
    let full = FULL.are_in(report);
    if report.is_page && !matches!(status, Some(413 | 500..)) {
        return ErrorCode::BadResponse;
    }
    match status {
        Some(407 | 511) => ErrorCode::Network,
        Some(408 | 504 | 522 | 524) => ErrorCode::Timeout,
        Some(500..) if refused && !full => ErrorCode::BadRequest,
        Some(500..) => ErrorCode::Overloaded,
        // Nothing there speaks the protocol.
        Some(404 | 405) => ErrorCode::BadResponse,
        Some(400..500) if FULL.said(report) && !refused => ErrorCode::Overloaded,
        Some(400..500) => ErrorCode::BadRequest,
        _ if refused => ErrorCode::BadRequest,
        _ if full => ErrorCode::Overloaded,
        _ if report.codes.iter().any(|code| code == "minimax-1001") => ErrorCode::Timeout,
        _ => ErrorCode::BadResponse,
    }
}

#[cfg(test)]
mod tests;
