//! The services that search the web: `services.yaml`. The settings offer them.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use super::SearchEndpoint;
use crate::address::{AddressError, is_near, web_address};

/// A service that searches the web.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchService {
    /// Its id.
    pub id: String,
    /// Its name in English.
    pub name: String,
    /// Its name in Chinese.
    pub name_zh: String,
    /// The page where a key is made; where there is no key, the page that tells how it is set up.
    pub key_page: String,
    base_url: String,
    path: String,
    pub(super) key: Option<KeyHeader>,
    pub(super) longest_query: usize,
    pub(super) request: RequestForm,
    pub(super) reply: ReplyForm,
}

/// The header that carries a key.
#[derive(Debug, Deserialize)]
pub(super) struct KeyHeader {
    pub(super) header: String,
    pub(super) bearer: bool,
}

/// How a service is asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestForm {
    pub(super) method: Method,
    pub(super) query: String,
    pub(super) count: Option<String>,
    pub(super) freshness: FreshnessForm,
    pub(super) fixed: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Method {
    /// The fields stand in the address.
    Get,
    /// The fields are a JSON body.
    Post,
}

/// How a service is told how new a page must be.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum FreshnessForm {
    /// By a word for each step.
    Words {
        field: String,
        day: String,
        week: String,
        month: String,
        year: String,
    },
    /// By the first day.
    Since { since: String },
}

/// Where a service puts what it found.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplyForm {
    pub(super) hits: Vec<String>,
    pub(super) title: Vec<String>,
    pub(super) url: Vec<String>,
    pub(super) snippet: Vec<String>,
    pub(super) date: Vec<String>,
}

// The tests below hold that the file can be read; the program itself must start without it.
static SERVICES: LazyLock<Vec<SearchService>> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("services.yaml")).unwrap_or_default());

/// Every service that searches the web, in the order they are offered.
#[must_use]
pub fn search_services() -> &'static [SearchService] {
    &SERVICES
}

/// The service with this id.
#[must_use]
pub fn search_service(id: &str) -> Option<&'static SearchService> {
    search_services().iter().find(|service| service.id == id)
}

impl SearchService {
    /// Whether it answers only to who has a key.
    #[must_use]
    pub fn needs_key(&self) -> bool {
        self.key.is_some()
    }

    /// Whether the user must say where it is.
    #[must_use]
    pub fn needs_address(&self) -> bool {
        self.base_url.is_empty()
    }

    /// The service at its usual address, or at `own`, if that is not blank. An address on this
    /// computer or its network is as good as any: the user typed it.
    ///
    /// # Errors
    /// If the address is missing or can't be used, or a key would go over an open connection.
    pub fn endpoint(&'static self, own: &str) -> Result<SearchEndpoint, AddressError> {
        let own = own.trim();
        let base = if own.is_empty() { &self.base_url } else { own };
        let mut address = web_address(base)?;
        if self.needs_key() && address.scheme() != "https" && !is_near(&address) {
            return Err(AddressError::Open);
        }
        self.complete(&mut address);
        Ok(SearchEndpoint {
            service: self,
            address,
            key: None,
        })
    }

    /// Puts the path below the address, unless it was pasted with it.
    fn complete(&self, address: &mut Url) {
        let given = address.path().trim_end_matches('/').to_owned();
        let is_whole = given == self.path || given.ends_with(&format!("/{}", self.path));
        let path = if is_whole {
            given
        } else {
            format!("{given}/{}", self.path)
        };
        address.set_path(&path);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use url::Url;

    use super::{search_service, search_services};
    use crate::AddressError;

    #[test]
    fn the_services_are_all_there_and_ids_are_unique() {
        let ids: HashSet<_> = search_services().iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids.len(), search_services().len());
        for id in [
            "brave", "tavily", "exa", "serper", "bocha", "zhipu", "searxng",
        ] {
            assert!(ids.contains(id), "{id}");
        }
    }

    #[test]
    fn every_field_says_something() {
        for service in search_services() {
            let page = Url::parse(&service.key_page).expect(&service.id);
            assert_eq!(page.scheme(), "https", "{}", service.id);
            assert!(service.needs_key() != service.needs_address());
            for text in [&service.name, &service.name_zh, &service.request.query] {
                assert!(!text.trim().is_empty(), "{}", service.id);
            }
            let reply = &service.reply;
            for fields in [&reply.hits, &reply.title, &reply.url, &reply.snippet] {
                assert!(!fields.is_empty(), "{}", service.id);
            }
        }
    }

    #[test]
    fn a_service_is_at_its_usual_address_unless_the_user_says_another() {
        for (id, own, address) in [
            (
                "brave",
                "",
                "https://api.search.brave.com/res/v1/web/search",
            ),
            ("bocha", " ", "https://api.bochaai.com/v1/web-search"),
            (
                "bocha",
                "https://api.bocha.cn",
                "https://api.bocha.cn/v1/web-search",
            ),
            (
                "tavily",
                "https://gate.example/tavily/",
                "https://gate.example/tavily/search",
            ),
            ("searxng", "localhost:8888", "http://localhost:8888/search"),
            ("searxng", "192.168.1.9/", "http://192.168.1.9/search"),
            (
                "searxng",
                "https://searx.example/search?q=x#y",
                "https://searx.example/search",
            ),
            (
                "searxng",
                "http://0.0.0.0:8080/searx",
                "http://127.0.0.1:8080/searx/search",
            ),
        ] {
            let endpoint = search_service(id).unwrap().endpoint(own);
            assert_eq!(endpoint.unwrap().address().as_str(), address, "{id} {own}");
        }
    }

    #[test]
    fn an_address_that_can_not_be_used_is_refused() {
        for (id, own, error) in [
            ("searxng", "", AddressError::Empty),
            ("searxng", "http://", AddressError::Unreadable),
            ("searxng", "ftp://x/", AddressError::Scheme("ftp".into())),
            (
                "searxng",
                "https://me:pw@x.example/",
                AddressError::Credentials,
            ),
            ("exa", "http://gate.example", AddressError::Open),
        ] {
            let refused = search_service(id).unwrap().endpoint(own).unwrap_err();
            assert_eq!(refused, error, "{id} {own}");
        }
        assert!(
            search_service("exa")
                .unwrap()
                .endpoint("http://127.0.0.1:1")
                .is_ok()
        );
    }
}
