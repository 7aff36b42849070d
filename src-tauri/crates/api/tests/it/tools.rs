//! What the model is offered, and that it works with everything real behind it.

use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService};

use crate::fixture::{Open, open};

/// The schemas of all tools in every request stay within this, by the estimate.
const SCHEMAS: u64 = 2_500;

async fn scripted(rounds: Vec<Round>) -> (Open, ScriptedService) {
    let open = open().await;
    let service = ScriptedService::start(rounds).unwrap();
    open.set_up(&service).await;
    (open, service)
}

fn result(events: &[Value], call: usize) -> &Value {
    &events.last().unwrap()["tool_calls"][call]
}

#[tokio::test]
async fn the_schemas_of_all_tools_are_short() {
    let (open, service) = scripted(vec![Round::text(["hello"])]).await;
    let search = json!({"service": "searxng", "base_url": "http://127.0.0.1:9", "key": null});
    open.call("save_web_search", search).await;
    open.say("hi").await;
    let tools = service.requests()[0].body["tools"].to_string();
    let tokens = talaria_agent::estimated_tokens(&tools);
    assert!(tokens <= SCHEMAS, "{tokens} tokens: {tools}");
}

#[tokio::test]
async fn in_a_small_window_the_rare_tools_are_found_first_and_then_called_as_themselves() {
    let plan = json!({"entries": [{"text": "dig", "state": "active"}]});
    let (open, service) = scripted(vec![
        Round::call("find_tools", json!({"query": "plan of the work"})),
        Round::call("call_tool", json!({"name": "todo", "arguments": plan})),
        Round::text(["planned"]),
    ])
    .await;
    let window = json!({"id": "scripted", "tokens": 8_192});
    open.call("set_context_window", window).await;
    let events = open.say("plan it").await;
    let body = &service.requests()[0].body;
    let offered = body["tools"].as_array().unwrap();
    let is_offered = |name| offered.iter().any(|tool| tool["function"]["name"] == name);
    assert!(is_offered("find_tools") && is_offered("call_tool") && !is_offered("todo"));
    assert!(talaria_agent::estimated_tokens(&body["tools"].to_string()) < 1_600);
    assert!(
        result(&events, 0)["result"]
            .as_str()
            .unwrap()
            .starts_with("todo: ")
    );
    let calls = &events.last().unwrap()["tool_calls"];
    assert_eq!(
        (&calls[1]["name"], &calls[1]["arguments"]),
        (&json!("todo"), &plan)
    );
    assert_eq!(service.requests()[2].body["tools"], body["tools"]);
}

#[tokio::test]
async fn a_plan_is_shown_as_one() {
    let plan =
        json!({"entries": [{"text": "dig", "state": "done"}, {"text": "种豆", "state": "active"}]});
    let (open, _service) = scripted(vec![Round::call("todo", plan), Round::text(["ok"])]).await;
    let events = open.say("plan it").await;
    assert_eq!(result(&events, 0)["is_error"], false, "{events:?}");
    let shown = events
        .iter()
        .any(|event| event["item"]["content"]["result"]["shown"]["kind"] == "todo");
    assert!(shown);
}

#[tokio::test]
async fn earlier_conversations_are_found_and_the_present_one_is_not() {
    let (open, _service) = scripted(vec![
        Round::text(["The tomatoes go to bed four."]),
        Round::call("search_sessions", json!({"query": "tomatoes"})),
        Round::text(["bed four"]),
    ])
    .await;
    open.say("Where do the plants go?").await;
    let events = open.say("Where did we put the tomatoes?").await;
    let found = result(&events, 0)["result"].as_str().unwrap();
    assert!(
        found.contains("bed four") && !found.contains("did we put"),
        "{found}"
    );
}

#[tokio::test]
async fn a_page_of_the_own_computer_is_fetched_only_if_its_host_is_allowed() {
    let page = wiremock::MockServer::start().await;
    wiremock::Mock::given(wiremock::matchers::any())
        .respond_with(wiremock::ResponseTemplate::new(200).set_body_raw("<p>土壤</p>", "text/html"))
        .mount(&page)
        .await;
    for allowed in [false, true] {
        let call = Round::call("fetch_page", json!({"url": page.uri()}));
        let (open, _service) = scripted(vec![call, Round::text(["read"])]).await;
        let session = open.session().await;
        let mode = json!({"session_id": session, "mode": "act_freely"});
        open.call("set_session_mode", mode).await;
        if allowed {
            let hosts = json!({"web_allowed_hosts": ["127.0.0.1"]});
            open.call("update_settings", hosts).await;
        }
        let turn = json!({"session_id": session, "text": "read it"});
        let events = open.stream("start_turn", turn).await;
        let told = result(&events, 0)["result"].as_str().unwrap();
        assert_eq!(told.contains("土壤"), allowed, "{told}");
    }
}
