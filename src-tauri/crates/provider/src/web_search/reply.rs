//! The hits in a service's answer.
//!
//! What is missing or of another kind than expected costs that field or that hit, never the rest:
//! services add, rename and leave out as they like.

use serde_json::Value;
use talaria_domain::WebHit;
use url::Url;

use super::service::ReplyForm;

/// The most characters of each text.
const TITLE: usize = 200;
const SNIPPET: usize = 600;
const DATE: usize = 40;
/// A longer address is nothing to give on.
const ADDRESS: usize = 2_000;
/// What tells, in an answer without hits, that something went wrong.
const COMPLAINTS: [&str; 4] = ["error", "message", "msg", "detail"];
/// The few marks that stand for characters in titles and snippets.
const ENTITIES: [(&str, &str); 6] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&nbsp;", " "),
    ("&#39;", "'"),
    ("&#x27;", "'"),
];

/// Why there are no hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// The service complains of something.
    Complaint,
    /// The answer has another form.
    Form,
}

/// At most so many hits, in the service's order. An answer without hits that complains of nothing
/// found nothing.
pub(super) fn hits(form: &ReplyForm, body: &[u8], most: usize) -> Result<Vec<WebHit>, Unread> {
    let answer: Value = serde_json::from_slice(body).map_err(|_| Unread::Form)?;
    let object = answer.as_object().ok_or(Unread::Form)?;
    let mut found = Some(&answer);
    for name in &form.hits {
        found = found.and_then(|value| value.get(name));
    }
    match found {
        Some(Value::Array(hits)) => {
            let hits = hits.iter().filter_map(|hit| read(form, hit));
            Ok(hits.take(most).collect())
        }
        _ if COMPLAINTS
            .iter()
            .any(|name| object.get(*name).is_some_and(|value| !value.is_null())) =>
        {
            Err(Unread::Complaint)
        }
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(_) => Err(Unread::Form),
    }
}

fn read(form: &ReplyForm, hit: &Value) -> Option<WebHit> {
    let url = Url::parse(first(hit, &form.url)?.trim()).ok()?;
    let is_page = matches!(url.scheme(), "http" | "https");
    if !is_page || url.as_str().len() > ADDRESS {
        return None;
    }
    let text = |fields: &[String], most: usize| {
        let text = first(hit, fields).map(|text| on_one_line(&text, most));
        text.filter(|text| !text.is_empty())
    };
    let host = || url.host_str().unwrap_or_default().to_owned();
    Some(WebHit {
        title: text(&form.title, TITLE).unwrap_or_else(host),
        snippet: text(&form.snippet, SNIPPET).unwrap_or_default(),
        date: text(&form.date, DATE).map(day),
        url: url.into(),
    })
}

/// The first field that says something; a list says what its texts say.
fn first(hit: &Value, fields: &[String]) -> Option<String> {
    let texts = fields.iter().filter_map(|name| hit.get(name));
    let mut texts = texts.map(|value| match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            texts.join(" … ")
        }
        _ => String::new(),
    });
    texts.find(|text| !text.trim().is_empty())
}

/// The words without the tags that mark what was looked for.
fn on_one_line(text: &str, most: usize) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        plain.push_str(before);
        rest = match tag.find('>').filter(|_| is_tag(tag)) {
            Some(end) => tag.get(end + 1..).unwrap_or_default(),
            None => {
                plain.push('<');
                tag.get(1..).unwrap_or_default()
            }
        };
    }
    plain.push_str(rest);
    for (mark, character) in ENTITIES {
        plain = plain.replace(mark, character);
    }
    // Last: it begins all others.
    plain = plain.replace("&amp;", "&");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Whether a text begins with a tag, rather than with a sign for "less".
fn is_tag(text: &str) -> bool {
    let name = text.trim_start_matches(['<', '/']);
    name.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// The day alone, where a moment is written as ISO 8601 does.
fn day(date: String) -> String {
    let is_iso = |day: &str| {
        day.len() == 10
            && day.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            })
    };
    match date.split_once(['T', ' ']) {
        Some((day, _)) if is_iso(day) => day.to_owned(),
        _ => date,
    }
}

#[cfg(test)]
mod tests;
