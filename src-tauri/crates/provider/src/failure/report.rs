//! What the body of an error says, whatever its shape.

use std::time::Duration;

use serde_json::{Map, Value};

use super::wait;

/// Errors wrapped in errors are unwrapped so deep.
const DEEPEST: usize = 6;

/// How much of a body that is plain text is looked at.
const LONGEST_TEXT: usize = 8_000;

/// The members under which services put their words.
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
const CODES: [&str; 6] = [
    "code",
    "type",
    "status",
    "error_code",
    "status_code",
    "reason",
];

/// The members that hold a further report.
const NESTED: [&str; 5] = ["error", "errors", "base_resp", "details", "metadata"];

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
    /// It is a web page.
    pub(super) is_page: bool,
}

impl Report {
    /// Reads a body.
    pub(super) fn read(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body.get(..LONGEST_TEXT * 8).unwrap_or(body));
        let text = text.trim_start_matches('\u{feff}').trim();
        let json = text.strip_prefix("data:").unwrap_or(text).trim();
        let mut report = Self::default();
        if let Ok(value) = serde_json::from_str::<Value>(json) {
            report.collect(&value, 0);
        } else if text.starts_with('<') {
            report.is_page = true;
            report.messages.push(match title(text) {
                Some(title) => format!("The address answered with a web page: {title}"),
                None => "The address answered with a web page.".to_owned(),
            });
        } else if !text.is_empty() {
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
        if let (Some(Value::Array(place)), Some(Value::String(message))) =
            (object.get("loc"), object.get("msg"))
        {
            let place: Vec<String> = place.iter().map(plain).collect();
            self.messages
                .push(format!("{}: {message}", place.join(".")));
            return;
        }
        for code in CODES.iter().filter_map(|member| object.get(*member)) {
            self.collect_code(code);
        }
        for message in MESSAGES.iter().filter_map(|member| object.get(*member)) {
            self.collect(message, depth + 1);
        }
        for nested in NESTED.iter().filter_map(|member| object.get(*member)) {
            self.collect(nested, depth + 1);
        }
        if let Some(raw) = object.get("raw") {
            let before = self.messages.len();
            self.collect(raw, depth + 1);
            self.behind = self.messages.get(before).cloned().or(self.behind.take());
        }
        if let Some(name) = object.get("provider_name").and_then(Value::as_str) {
            self.relayed = Some(name.to_owned());
        }
        if let Some(delay) = object.get("retryDelay").and_then(Value::as_str) {
            self.wait = wait::duration(delay);
        }
        if let Some(size) = object.get("n_ctx").and_then(Value::as_u64) {
            self.limit = Some(size);
        }
    }

    fn collect_code(&mut self, code: &Value) {
        if !matches!(code, Value::String(_) | Value::Number(_)) {
            return;
        }
        let code = plain(code).to_lowercase();
        if let Ok(status @ 400..=599) = code.parse() {
            self.status = self.status.or(Some(status));
        }
        self.codes.push(code);
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
