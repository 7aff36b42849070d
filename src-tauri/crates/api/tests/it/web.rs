//! Searching the web: set up, used by the model, and with its key kept to itself.

use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService};
use wiremock::matchers::{any, header, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::fixture::{Open, open};

const KEY: &str = "tvly-4b1f0c52";
const PAGE: &str = "https://garden.example/beds";

/// A search service that knows one page.
async fn service() -> MockServer {
    let hit = json!({"title": "Raised beds", "url": PAGE, "content": "Dig two beds."});
    let server = MockServer::start().await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({"results": [hit]})))
        .mount(&server)
        .await;
    server
}

async fn choose(open: &Open, service: &str, server: &MockServer, key: Option<&str>) -> Value {
    let saved = json!({"service": service, "base_url": server.uri(), "key": key});
    open.call("save_web_search", saved).await
}

/// The names of the tools in a request.
fn tools(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().unwrap();
    let names = tools.iter().map(|tool| tool["function"]["name"].as_str());
    names.flatten().collect()
}

#[tokio::test]
async fn the_model_can_search_the_web_once_a_service_is_chosen() {
    let (open, server) = (open().await, service().await);
    let model = ScriptedService::start([
        Round::text(["hello"]),
        Round::call(
            "search_web",
            json!({"query": "raised beds", "freshness": "week"}),
        ),
        Round::text(["found"]),
    ])
    .unwrap();
    open.set_up(&model).await;
    open.say("hi").await;
    assert!(!tools(&model.requests()[0].body).contains(&"search_web"));

    choose(&open, "searxng", &server, None).await;
    let session = open.session().await;
    let mode = json!({"session_id": session, "mode": "act_freely"});
    open.call("set_session_mode", mode).await;
    let turn = json!({"session_id": session, "text": "look it up"});
    let events = open.stream("start_turn", turn).await;
    assert!(tools(&model.requests()[1].body).contains(&"search_web"));
    let call = &events.last().unwrap()["tool_calls"][0];
    assert_eq!(call["is_error"], false, "{call}");
    let result = call["result"].as_str().unwrap();
    assert!(
        result.contains(PAGE) && result.contains("Dig two beds."),
        "{result}"
    );
    let shown = events.iter().find_map(|event| {
        let shown = &event["item"]["content"]["result"]["shown"];
        (shown["kind"] == "links").then_some(&shown["links"][0]["url"])
    });
    assert_eq!(shown, Some(&json!(PAGE)));
    let asked = &server.received_requests().await.unwrap()[0];
    let asked = asked.url.query().unwrap();
    assert!(
        asked.contains("q=raised+beds") && asked.contains("time_range=week"),
        "{asked}"
    );
}

#[tokio::test]
async fn a_key_goes_to_its_service_and_nowhere_else() {
    let (open, server) = (open().await, MockServer::start().await);
    let hit = json!({"results": [{"title": KEY, "url": PAGE}]});
    Mock::given(header("authorization", format!("Bearer {KEY}").as_str()))
        .respond_with(ResponseTemplate::new(200).set_body_json(hit))
        .expect(1)
        .mount(&server)
        .await;
    let view = choose(&open, "tavily", &server, Some(&format!(" {KEY}\n"))).await;
    assert_eq!(
        (&view["service"], &view["has_key"]),
        (&json!("tavily"), &json!(true))
    );
    assert!(!view.to_string().contains(KEY));
    let settings = fs_err::read_to_string(open.home.data_root().join("settings.yaml")).unwrap();
    assert!(
        settings.contains("tavily") && !settings.contains(KEY),
        "{settings}"
    );
    let found = open.call("try_web_search", json!({"query": "beds"})).await;
    assert_eq!(found[0]["url"], PAGE);

    // The same key stays for the same place, and is not taken along to another.
    let view = choose(&open, "tavily", &server, None).await;
    assert_eq!(view["has_key"], true);
    for (service, base_url) in [("tavily", "https://evil.example"), ("exa", "")] {
        let other = json!({"service": service, "base_url": base_url, "key": null});
        let refused = open.refusal("save_web_search", other).await;
        assert_eq!(refused["code"], "invalid_input", "{service}");
    }
    let none = json!({"service": null, "key": null});
    let view = open.call("save_web_search", none).await;
    assert_eq!(
        (&view["service"], &view["has_key"]),
        (&Value::Null, &json!(false))
    );
}

#[tokio::test]
async fn a_service_is_refused_that_could_not_be_used() {
    let open = open().await;
    for (service, base_url, key) in [
        ("altavista", "", Some(KEY)),
        ("searxng", "", None),
        ("brave", "", None),
        ("brave", "", Some(" ")),
        ("exa", "http://gate.example", Some(KEY)),
        ("searxng", "https://me:pw@searx.example", None),
    ] {
        let saved = json!({"service": service, "base_url": base_url, "key": key});
        let refused = open.refusal("save_web_search", saved).await;
        assert_eq!(refused["code"], "invalid_input", "{service} {base_url}");
    }
    let view = open.call("read_web_search", json!({})).await;
    assert_eq!(view["service"], Value::Null);
    assert!(view["services"].as_array().unwrap().len() >= 5);
    let refused = open
        .refusal("try_web_search", json!({"query": "beds"}))
        .await;
    assert_eq!(refused["code"], "invalid_input");
}

#[tokio::test]
async fn what_the_service_refuses_is_told_to_the_model_with_who_can_mend_it() {
    let (open, server) = (open().await, MockServer::start().await);
    Mock::given(query_param("q", "beds"))
        .respond_with(ResponseTemplate::new(403))
        .mount(&server)
        .await;
    let model = ScriptedService::start([
        Round::call("search_web", json!({"query": "beds"})),
        Round::text(["no"]),
    ])
    .unwrap();
    open.set_up(&model).await;
    choose(&open, "searxng", &server, None).await;
    let session = open.session().await;
    let mode = json!({"session_id": session, "mode": "act_freely"});
    open.call("set_session_mode", mode).await;
    let turn = json!({"session_id": session, "text": "look it up"});
    let events = open.stream("start_turn", turn).await;
    let result = &events.last().unwrap()["tool_calls"][0];
    assert_eq!(result["is_error"], true);
    let text = result["result"].as_str().unwrap();
    assert!(
        text.contains("search.formats") && text.contains("settings"),
        "{text}"
    );
}
