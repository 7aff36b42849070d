//! What the body of an error says, whatever its shape.

use std::time::Duration;

use serde_json::{Map, Value};

use super::wait;

/// Errors wrapped in errors are unwrapped so deep.
const DEEPEST: usize = 6;

/// How much of a body that is plain text is looked at.
const LONGEST_TEXT: usize = 8_000;

/// The members under which services put their words. Case does not matter in any of them.
const MESSAGES: [&str; 7] = [
    "message",
    "msg",
    "error_msg",
    "error_message",
    "status_msg",
    "error_description",
    "detail",
];

/// The members under which services put their codes.
const CODES: [&str; 9] = [
    "code",
    "type",
    "status",
    "error_code",
    "error_type",
    "errorcode",
    "status_code",
    "http_code",
    "reason",
];

/// The members that hold a further report.
const NESTED: [&str; 6] = [
    "error",
    "errors",
    "response",
    "details",
    "innererror",
    "metadata",
];

/// The members that tell how many seconds to wait.
const SECONDS: [&str; 4] = [
    "retry_after",
    "retryafter",
    "retry_after_seconds",
    "estimated_time",
];

/// The gist of an error's body.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Report {
    messages: Vec<String>,
    /// The first message of what a relay got from the service behind it.
    behind: Option<String>,
    relayed: Option<String>,
    /// All codes, lower case.
    pub(super) codes: Vec<String>,
    /// All messages, lower case.
    pub(super) text: String,
    /// The HTTP status that the body claims.
    pub(super) status: Option<u16>,
    /// How long the body asks to wait.
    pub(super) wait: Option<Duration>,
    /// The window that the body tells as a number.
    pub(super) limit: Option<u64>,
    /// By what the service's own people find the request.
    pub(super) request_id: Option<String>,
    /// It is a web page.
    pub(super) is_page: bool,
    /// There was no body at all.
    pub(super) is_empty: bool,
}

impl Report {
    /// Reads a body.
    pub(super) fn read(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        let text = text.trim_start_matches('\u{feff}').trim();
        let json = text
            .lines()
            .find_map(|line| line.strip_prefix("data:"))
            .unwrap_or(text)
            .trim();
        let mut report = Self::default();
        if let Ok(value) = serde_json::from_str::<Value>(json) {
            report.collect(&value, 0);
        } else if text.starts_with('<') {
            report.is_page = true;
            report.messages.push(match title(text) {
                Some(title) => format!("The address answered with a web page: {title}"),
                None => "The address answered with a web page.".to_owned(),
            });
        } else if text.is_empty() {
            report.is_empty = true;
        } else {
            report
                .messages
                .push(text.chars().take(LONGEST_TEXT).collect());
        }
        report.finished()
    }

    /// Reads a value.
    pub(super) fn of(value: &Value) -> Self {
        let mut report = Self::default();
        report.collect(value, 0);
        report.finished()
    }

    /// The message for people.
    pub(super) fn shown(&self) -> String {
        let message = self
            .behind
            .as_ref()
            .or(self.messages.first())
            .cloned()
            .unwrap_or_default();
        match &self.relayed {
            Some(name) if !message.is_empty() => format!("{name}: {message}"),
            _ => message,
        }
    }

    fn finished(mut self) -> Self {
        self.text = self.messages.join("\n").to_lowercase();
        self.wait = self.wait.or_else(|| wait::from_text(&self.text));
        self
    }

    fn collect(&mut self, value: &Value, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match value {
            Value::String(text) => self.collect_text(text, depth),
            Value::Array(values) => {
                for value in values.iter().take(8) {
                    self.collect(value, depth + 1);
                }
            }
            Value::Object(object) => self.collect_object(object, depth),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A message may itself be a report in JSON.
    fn collect_text(&mut self, text: &str, depth: usize) {
        let text = text.trim();
        if text.starts_with(['{', '['])
            && let Ok(value) = serde_json::from_str::<Value>(text)
        {
            self.collect(&value, depth + 1);
        } else if !text.is_empty() {
            self.messages.push(text.to_owned());
        }
    }

    fn collect_object(&mut self, object: &Map<String, Value>, depth: usize) {
        let members: Vec<(String, &Value)> = object
            .iter()
            .map(|(name, value)| (name.to_lowercase(), value))
            .collect();
        let member = |wanted: &str| {
            members
                .iter()
                .find_map(|(name, value)| (name == wanted).then_some(*value))
        };
        if let (Some(Value::Array(place)), Some(Value::String(message))) =
            (member("loc"), member("msg"))
        {
            let place: Vec<String> = place.iter().map(plain).collect();
            self.messages
                .push(format!("{}: {message}", place.join(".")));
            return;
        }
        for code in CODES.iter().filter_map(|name| member(name)) {
            self.collect_code(code);
        }
        for message in MESSAGES.iter().filter_map(|name| member(name)) {
            self.collect(message, depth + 1);
        }
        // MiniMax's numbers mean other things than those of others.
        if let Some(told) = member("base_resp") {
            let code = told.get("status_code").map(plain).unwrap_or_default();
            self.codes.push(format!("minimax-{code}"));
            self.collect(told.get("status_msg").unwrap_or(&Value::Null), depth + 1);
        }
        for nested in NESTED.iter().filter_map(|name| member(name)) {
            self.collect(nested, depth + 1);
        }
        if let Some(raw) = member("raw") {
            let before = self.messages.len();
            self.collect(raw, depth + 1);
            self.behind = self.messages.get(before).cloned().or(self.behind.take());
        }
        let text = |name: &str| member(name).and_then(Value::as_str).map(str::to_owned);
        self.relayed = text("provider_name").or(self.relayed.take());
        self.request_id = text("request_id").or(self.request_id.take());
        let seconds = SECONDS
            .iter()
            .filter_map(|name| member(name)?.as_f64())
            .find_map(wait::seconds);
        let delay = text("retrydelay").and_then(|delay| wait::duration(&delay));
        self.wait = delay.or(seconds).or(self.wait.take());
        let window = member("n_ctx").and_then(Value::as_u64);
        self.limit = window.or(self.limit);
    }

    fn collect_code(&mut self, code: &Value) {
        if !matches!(code, Value::String(_) | Value::Number(_)) {
            return;
        }
        let code = plain(code).to_lowercase();
        match code.parse() {
            Ok(status @ 400..=599) => self.status = self.status.or(Some(status)),
            _ => self.codes.push(code),
        }
    }
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn title(page: &str) -> Option<String> {
    let start = page.to_ascii_lowercase();
    let open = start.find("<title")?;
    let begin = open + start.get(open..)?.find('>')? + 1;
    let end = begin + start.get(begin..)?.find('<')?;
    let title = page.get(begin..end)?.trim();
    (!title.is_empty()).then(|| title.chars().take(100).collect())
}
