//! The request for a search, in a service's own words.

use std::time::{Duration, SystemTime};

use reqwest::RequestBuilder;
use reqwest::header::HeaderName;
use serde_json::{Map, Value};
use talaria_domain::{ErrorCode, Freshness, Retry, ServiceFailure, WebQuery};
use talaria_secret::Secret;
use time::OffsetDateTime;

use super::SearchEndpoint;
use super::service::{FreshnessForm, KeyHeader, Method};
use crate::client::secret_header;
use crate::failure;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The request for a search at this moment.
pub(super) fn built(
    http: &reqwest::Client,
    endpoint: &SearchEndpoint,
    query: &WebQuery,
    now: SystemTime,
) -> Result<RequestBuilder, ServiceFailure> {
    let form = &endpoint.service.request;
    let fields = fields(endpoint, query, now);
    let request = match form.method {
        Method::Get => {
            let mut address = endpoint.address.clone();
            address
                .query_pairs_mut()
                .extend_pairs(fields.iter().map(|(name, value)| (name, plain(value))));
            http.get(address)
        }
        Method::Post => http.post(endpoint.address.clone()).json(&fields),
    };
    match (&endpoint.service.key, &endpoint.key) {
        (Some(header), Some(key)) => with_key(request, header, key),
        _ => Ok(request),
    }
}

/// The fields that say what is looked for.
fn fields(endpoint: &SearchEndpoint, query: &WebQuery, now: SystemTime) -> Map<String, Value> {
    let form = &endpoint.service.request;
    let mut fields = form.fixed.clone();
    fields.insert(form.query.clone(), query.words.clone().into());
    if let Some(name) = &form.count {
        fields.insert(name.clone(), query.count.into());
    }
    if let Some(freshness) = query.freshness {
        let (name, value) = told(&form.freshness, freshness, now);
        fields.insert(name.to_owned(), value.into());
    }
    fields
}

/// The field and the words for a step of freshness.
fn told(form: &FreshnessForm, freshness: Freshness, now: SystemTime) -> (&str, String) {
    match form {
        FreshnessForm::Words {
            field,
            day,
            week,
            month,
            year,
        } => {
            let word = match freshness {
                Freshness::Day => day,
                Freshness::Week => week,
                Freshness::Month => month,
                Freshness::Year => year,
            };
            (field, word.clone())
        }
        FreshnessForm::Since { since } => {
            let days = match freshness {
                Freshness::Day => 1,
                Freshness::Week => 7,
                Freshness::Month => 31,
                Freshness::Year => 366,
            };
            let first = now.checked_sub(DAY * days).unwrap_or(now);
            let date = OffsetDateTime::from(first).date();
            (since, format!("{date}T00:00:00.000Z"))
        }
    }
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn with_key(
    request: RequestBuilder,
    header: &KeyHeader,
    key: &Secret<String>,
) -> Result<RequestBuilder, ServiceFailure> {
    let name = HeaderName::from_bytes(header.header.as_bytes()).map_err(|_| {
        let message = "The header for the key has no name.";
        failure::new(ErrorCode::Internal, message, Retry::Never)
    })?;
    let key = key.expose().trim();
    let value = if header.bearer {
        let bearer = Secret::new(format!("Bearer {key}"));
        secret_header(bearer.expose())?
    } else {
        secret_header(key)?
    };
    Ok(request.header(name, value))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use serde_json::{Value, json};
    use talaria_domain::{Freshness, WebQuery};
    use talaria_secret::Secret;

    use super::built;
    use crate::search_service;

    /// 2026-12-01 at noon.
    const NOW: Duration = Duration::from_secs(1_796_126_400);

    fn query(freshness: Option<Freshness>) -> WebQuery {
        WebQuery {
            words: "番茄 & beans".into(),
            count: 3,
            freshness,
        }
    }

    fn request(id: &str, query: &WebQuery) -> reqwest::Request {
        let endpoint = search_service(id).unwrap().endpoint("http://127.0.0.1:9");
        let endpoint = endpoint
            .unwrap()
            .with_key(Some(Secret::new(" k-1 ".into())));
        let now = SystemTime::UNIX_EPOCH + NOW;
        let http = reqwest::Client::new();
        built(&http, &endpoint, query, now)
            .unwrap()
            .build()
            .unwrap()
    }

    #[test]
    fn a_service_that_is_asked_by_its_address_gets_the_query_there() {
        for (id, freshness, asked) in [
            (
                "brave",
                Some(Freshness::Week),
                "/res/v1/web/search?count=3&freshness=pw&q=%E7%95%AA%E8%8C%84+%26+beans&text_decorations=false",
            ),
            (
                "searxng",
                Some(Freshness::Year),
                "/search?format=json&q=%E7%95%AA%E8%8C%84+%26+beans&time_range=year",
            ),
            (
                "searxng",
                None,
                "/search?format=json&q=%E7%95%AA%E8%8C%84+%26+beans",
            ),
        ] {
            let request = request(id, &query(freshness));
            assert_eq!(request.method(), "GET", "{id}");
            let (_, path) = request.url().as_str().split_once(":9").unwrap();
            assert_eq!(path, asked);
        }
    }

    #[test]
    fn a_service_that_is_asked_in_json_gets_a_body() {
        let words = "番茄 & beans";
        for (id, body) in [
            (
                "tavily",
                json!({"query": words, "max_results": 3, "time_range": "day"}),
            ),
            (
                "exa",
                json!({"query": words, "numResults": 3, "contents": {"highlights": true},
                       "startPublishedDate": "2026-11-30T00:00:00.000Z"}),
            ),
            ("serper", json!({"q": words, "num": 3, "tbs": "qdr:d"})),
            (
                "bocha",
                json!({"query": words, "count": 3, "freshness": "oneDay", "summary": true}),
            ),
            (
                "zhipu",
                json!({"search_query": words, "count": 3, "search_recency_filter": "oneDay",
                       "search_engine": "search_std", "search_intent": false}),
            ),
        ] {
            let request = request(id, &query(Some(Freshness::Day)));
            assert_eq!(request.method(), "POST", "{id}");
            let sent = request.body().unwrap().as_bytes().unwrap();
            assert_eq!(serde_json::from_slice::<Value>(sent).unwrap(), body, "{id}");
        }
    }

    #[test]
    fn the_key_goes_where_the_service_looks_for_it_and_is_marked_secret() {
        for (id, header, value) in [
            ("brave", "x-subscription-token", "k-1"),
            ("tavily", "authorization", "Bearer k-1"),
            ("exa", "x-api-key", "k-1"),
            ("serper", "x-api-key", "k-1"),
            ("bocha", "authorization", "Bearer k-1"),
            ("zhipu", "authorization", "Bearer k-1"),
        ] {
            let request = request(id, &query(None));
            let found = request.headers().get(header).unwrap();
            assert_eq!(found, value, "{id}");
            assert!(found.is_sensitive(), "{id}");
            assert!(!request.url().as_str().contains("k-1"), "{id}");
        }
        assert!(!format!("{:?}", request("searxng", &query(None))).contains("k-1"));
    }

    #[test]
    fn each_step_of_freshness_begins_so_many_days_ago() {
        for (freshness, day) in [
            (Freshness::Day, "2026-11-30"),
            (Freshness::Week, "2026-11-24"),
            (Freshness::Month, "2026-10-31"),
            (Freshness::Year, "2025-11-30"),
        ] {
            let request = request("exa", &query(Some(freshness)));
            let sent = request.body().unwrap().as_bytes().unwrap();
            assert!(String::from_utf8_lossy(sent).contains(day), "{day}");
        }
    }
}
