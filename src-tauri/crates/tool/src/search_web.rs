//! `search_web`: pages of the public web that hold some words, through the user's search service.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, Effect, Freshness, Shown, ToolResult, ToolSpec, WebHit, WebQuery};

use crate::argument::{count, parse, words};
use crate::{Tool, ToolContext};

const NAME: &str = "search_web";
const HITS: usize = 6;
const MOST: usize = 20;

/// The service that the user chose to search the web with.
#[async_trait]
pub trait WebSearch: Send + Sync {
    /// The host that the words go to.
    fn host(&self) -> &str;

    /// What it finds, best first.
    ///
    /// # Errors
    /// Why nothing could be searched, for the model.
    async fn search(&self, query: &WebQuery) -> Result<Vec<WebHit>, String>;
}

pub(crate) struct SearchWeb {
    service: Arc<dyn WebSearch>,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    query: String,
    #[serde(default, deserialize_with = "count")]
    limit: Option<usize>,
    freshness: Option<Freshness>,
}

impl SearchWeb {
    pub(crate) fn new(service: Arc<dyn WebSearch>) -> Self {
        Self { service }
    }

    /// Stands for the words and for who gets them.
    fn digest(&self, query: &WebQuery) -> String {
        format!("{} {}", self.service.host(), query.words)
    }
}

#[async_trait]
impl Tool for SearchWeb {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Search the web. Gives titles, addresses and excerpts; read a page whole \
                          with fetch_page."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "query": {"type": "string", "x-minLength": 1},
                    "limit": {"type": "integer", "x-minimum": 0, "description": "6 unless given, at most 20."},
                    "freshness": {"enum": ["day", "week", "month", "year"]},
                },
                "required": ["query"],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, _context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let query = query(arguments.clone())?;
        Ok(Act {
            digest: self.digest(&query),
            effects: vec![Effect::WebSearch {
                host: self.service.host().to_owned(),
                query: query.words,
            }],
            ..Act::default()
        })
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let query = match query(arguments) {
            Ok(query) => query,
            Err(refused) => return refused,
        };
        // The user may have chosen another service since.
        if self.digest(&query) != context.digest {
            return ToolResult::failure("Not done: another search was allowed.");
        }
        match self.service.search(&query).await {
            Ok(links) if links.is_empty() => {
                ToolResult::success("Nothing was found. Other words may find more.")
            }
            Ok(links) => ToolResult::success(listed(&links)).showing(Shown::Links { links }),
            Err(why) => ToolResult::failure(format!("Not searched: {why}")),
        }
    }
}

fn query(arguments: Value) -> Result<WebQuery, ToolResult> {
    let arguments: Arguments = parse(NAME, arguments)?;
    Ok(WebQuery {
        words: arguments.query,
        count: arguments.limit.unwrap_or(HITS).clamp(1, MOST),
        freshness: arguments.freshness,
    })
}

fn listed(links: &[WebHit]) -> String {
    let lines = links.iter().zip(1..).map(|(link, number)| {
        let date = link.date.as_deref();
        let date = date.map(|date| format!(" ({date})")).unwrap_or_default();
        let snippet = match link.snippet.as_str() {
            "" => String::new(),
            snippet => format!("\n   {snippet}"),
        };
        format!("{number}. {}{date}\n   {}{snippet}", link.title, link.url)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use serde_json::json;
    use talaria_domain::{
        Effect, ItemId, SessionId, Timestamp, ToolResult, TurnId, WebHit, WebQuery,
    };

    use super::{SearchWeb, WebSearch, listed};
    use crate::{Tool, ToolContext};

    /// A service that gives back how many hits were wanted.
    struct Echo(&'static str);

    #[async_trait]
    impl WebSearch for Echo {
        fn host(&self) -> &str {
            self.0
        }

        async fn search(&self, query: &WebQuery) -> Result<Vec<WebHit>, String> {
            Ok(vec![WebHit {
                title: format!("{} {}", query.count, query.words),
                url: "https://garden.example/".into(),
                snippet: String::new(),
                date: None,
            }])
        }
    }

    fn context(digest: &str) -> ToolContext<'static> {
        let now = Timestamp::from_millis(1);
        ToolContext {
            session_id: SessionId::from_parts(now, [3; 10]),
            turn_id: TurnId::from_parts(now, [4; 10]),
            item_id: ItemId::from_parts(now, [5; 10]),
            folders: &[],
            working_folder: std::path::PathBuf::new(),
            withheld: Arc::new(|_| false),
            digest: digest.to_owned(),
            output: &|_| {},
        }
    }

    async fn searched(host: &'static str, digest: &str, limit: usize) -> ToolResult {
        let tool = SearchWeb::new(Arc::new(Echo(host)));
        let arguments = json!({"query": "beds", "limit": limit});
        tool.run(arguments, &context(digest)).await
    }

    #[tokio::test]
    async fn the_words_and_who_gets_them_are_what_is_asked_for() {
        let tool = SearchWeb::new(Arc::new(Echo("search.example")));
        let act = tool.plan(&json!({"query": " 番茄 "}), &context("")).await;
        let act = act.unwrap();
        let (host, query) = ("search.example".to_owned(), "番茄".to_owned());
        assert_eq!(act.effects, [Effect::WebSearch { host, query }]);
        for arguments in [
            json!({}),
            json!({"query": " "}),
            json!({"query": "a", "freshness": "now"}),
        ] {
            let refused = tool.plan(&arguments, &context("")).await;
            assert!(refused.unwrap_err().is_error, "{arguments}");
        }
    }

    #[tokio::test]
    async fn a_search_goes_to_no_other_service_than_was_allowed() {
        let allowed = "search.example beds";
        let result = searched("search.example", allowed, 3).await;
        assert!(result.text.starts_with("1. 3 beds"), "{}", result.text);
        assert!(searched("other.example", allowed, 3).await.is_error);
    }

    #[tokio::test]
    async fn no_more_than_twenty_hits_and_no_less_than_one_are_wanted() {
        for (limit, wanted) in [(0, "1. 1 "), (5, "1. 5 "), (900, "1. 20 ")] {
            let result = searched("s", "s beds", limit).await;
            assert!(result.text.starts_with(wanted), "{}", result.text);
        }
    }

    #[test]
    fn each_page_is_told_with_what_is_known_of_it() {
        let hit = |snippet: &str, date: Option<&str>| WebHit {
            title: "Beds".into(),
            url: "https://garden.example/".into(),
            snippet: snippet.into(),
            date: date.map(str::to_owned),
        };
        let text = listed(&[hit("Dig two.", Some("2026-11-28")), hit("", None)]);
        assert_eq!(
            text,
            "1. Beds (2026-11-28)\n   https://garden.example/\n   Dig two.\n\
             2. Beds\n   https://garden.example/"
        );
    }
}
