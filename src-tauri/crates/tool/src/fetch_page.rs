//! `fetch_page`: a page of the public web as Markdown, in pages of its own where it is long.

mod page;
mod table;

use std::sync::Arc;

use async_trait::async_trait;
use encoding_rs::{Encoding, UTF_8};
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, Effect, Shown, ToolResult, ToolSpec};
use url::Url;

use self::page::Page;
use crate::argument::{count, parse, words};
use crate::output::MAX_CHARS;
use crate::{Tool, ToolContext};

const NAME: &str = "fetch_page";
/// Characters of one part of a page, with room for what is said around it.
const PART: usize = MAX_CHARS - 1_000;
/// Where a page says in which encoding it is, it does so in its first bytes.
const HEAD: usize = 2_048;

/// What an address gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Where it came from, after redirects.
    pub url: String,
    /// What the server calls it, such as `text/html; charset=gbk`.
    pub content_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The public web. Whoever implements it refuses addresses of this computer and its network, at
/// every redirect, and bounds size and time.
#[async_trait]
pub trait Web: Send + Sync {
    /// What lies at an address.
    ///
    /// # Errors
    /// Why it was not fetched, for the model.
    async fn fetch(&self, url: &Url) -> Result<Fetched, String>;
}

pub(crate) struct FetchPage {
    web: Arc<dyn Web>,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    url: String,
    #[serde(default, deserialize_with = "count")]
    offset: Option<usize>,
}

impl FetchPage {
    pub(crate) fn new(web: Arc<dyn Web>) -> Self {
        Self { web }
    }
}

#[async_trait]
impl Tool for FetchPage {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Read a public web page as Markdown.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "url": {"type": "string", "x-minLength": 1},
                    "offset": {"type": "integer", "x-minimum": 0, "description": "First character, to go on in a long page."},
                },
                "required": ["url"],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, _context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let url = address(&parse::<Arguments>(NAME, arguments.clone())?.url)?.to_string();
        Ok(Act {
            digest: url.clone(),
            effects: vec![Effect::Fetch { url }],
            ..Act::default()
        })
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let planned = parse::<Arguments>(NAME, arguments)
            .and_then(|arguments| Ok((address(&arguments.url)?, arguments.offset.unwrap_or(0))));
        let (url, offset) = match planned {
            Ok(planned) => planned,
            Err(refused) => return refused,
        };
        if url.as_str() != context.digest {
            return ToolResult::failure("Not done: another address was allowed.");
        }
        match self.web.fetch(&url).await {
            // A long page takes its time to read, which the other tasks of this thread don't have.
            Ok(fetched) => tokio::task::spawn_blocking(move || read(&fetched, offset))
                .await
                .unwrap_or_else(|_| ToolResult::failure("Not read: the page can't be understood.")),
            Err(why) => ToolResult::failure(format!("Not fetched: {why}.")),
        }
    }
}

/// The address, without what a browser would keep to itself.
fn address(text: &str) -> Result<Url, ToolResult> {
    let refused = |why: &str| ToolResult::failure(format!("Not fetched: {text:?} {why}."));
    let mut url =
        Url::parse(text).map_err(|_| refused("is no address; give it whole, with https://"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(refused("is no address of a web page"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused("holds a name or a password"));
    }
    url.set_fragment(None);
    Ok(url)
}

fn read(fetched: &Fetched, offset: usize) -> ToolResult {
    let kind = fetched.content_type.split(';').next().unwrap_or_default();
    let kind = kind.trim().to_ascii_lowercase();
    let text = decoded(&fetched.bytes, &fetched.content_type);
    let (title, text) = match kind.as_str() {
        "text/html" | "application/xhtml+xml" | "" => match page(&text, &fetched.url) {
            Some(Page { title, text }) => (title, text),
            None => return ToolResult::failure("Not read: it is nested as no page is."),
        },
        kind if kind.starts_with("text/") || is_data(kind) => (String::new(), text),
        kind => {
            return ToolResult::failure(format!("Not read: it is {kind}, not a page of text."));
        }
    };
    let shown = Shown::Page {
        url: fetched.url.clone(),
        title: title.clone(),
    };
    let whole = if title.is_empty() {
        text
    } else {
        format!("# {title}\n\n{text}")
    };
    ToolResult::success(part(&whole, offset)).showing(shown)
}

fn page(html: &str, address: &str) -> Option<Page> {
    Page::read(html, &Url::parse(address).ok()?)
}

fn is_data(kind: &str) -> bool {
    ["json", "xml", "yaml", "javascript", "toml"]
        .iter()
        .any(|it| kind.contains(it))
}

/// The part of a long text that begins at a character, and how to go on.
fn part(text: &str, offset: usize) -> String {
    let length = text.chars().count();
    let shown: String = text.chars().skip(offset).take(PART).collect();
    let end = offset + shown.chars().count();
    if end < length {
        format!("{shown}\n[{length} characters in all; go on with offset {end}]")
    } else {
        shown
    }
}

/// The bytes in the encoding that the server or the page names.
fn decoded(bytes: &[u8], content_type: &str) -> String {
    let head = String::from_utf8_lossy(bytes.get(..HEAD).unwrap_or(bytes)).to_ascii_lowercase();
    let named = charset(&content_type.to_ascii_lowercase()).or_else(|| charset(&head));
    let named = named.and_then(|label| Encoding::for_label(label.as_bytes()));
    named.unwrap_or(UTF_8).decode(bytes).0.into_owned()
}

/// The word behind `charset=`.
fn charset(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("charset=")?;
    let rest = rest.trim_start_matches(['"', '\'', ' ']);
    let end = rest.find(|next: char| !next.is_ascii_alphanumeric() && !"-_".contains(next));
    Some(rest.get(..end.unwrap_or(rest.len()))?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Fetched, address, part, read};

    fn page(content_type: &str, bytes: &[u8]) -> String {
        let fetched = Fetched {
            url: "https://example.org/".into(),
            content_type: content_type.into(),
            bytes: bytes.to_vec(),
        };
        read(&fetched, 0).text
    }

    #[test]
    fn a_page_is_read_in_the_encoding_it_names() {
        let gbk = encoding_rs::GBK.encode("<p>园艺计划</p>").0;
        assert!(page("text/html; charset=gbk", &gbk).contains("园艺计划"));
        let named = encoding_rs::GBK
            .encode("<meta charset=\"gb2312\"><p>园艺计划</p>")
            .0;
        assert!(page("text/html", &named).contains("园艺计划"));
        assert!(page("text/plain", "雨".as_bytes()).contains("雨"));
    }

    #[test]
    fn what_is_no_text_is_refused_by_its_kind() {
        assert!(page("image/png", b"\x89PNG").contains("it is image/png"));
        assert!(page("application/json", b"{}").contains("{}"));
    }

    #[test]
    fn a_long_page_goes_on_where_it_left_off() {
        let text = "字".repeat(50_000);
        let first = part(&text, 0);
        assert!(
            first.ends_with("go on with offset 23000]"),
            "{}",
            first.len()
        );
        assert!(!part(&text, 46_000).contains("go on"));
    }

    #[test]
    fn an_address_is_one_of_the_web_and_holds_no_password() {
        for (text, fits) in [
            ("https://example.org/a#b", true),
            ("example.org", false),
            ("file:///etc/passwd", false),
            ("https://user:pw@example.org/", false),
            ("javascript:alert(1)", false),
        ] {
            assert_eq!(address(text).is_ok(), fits, "{text}");
        }
    }
}
