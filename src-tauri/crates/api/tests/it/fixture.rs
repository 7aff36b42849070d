//! A core with everything real behind it but the model service and the front end.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use talaria_api::{Change, Core, Host, Options, Sink};
use talaria_testkit::{ScriptedService, TempHome};

pub(crate) const KEY: &str = "sk-contract-51d0c7a9";

/// A core in a home of its own, and what it said without being asked.
pub(crate) struct Open {
    pub(crate) core: Core,
    pub(crate) front_end: Arc<FrontEnd>,
    pub(crate) home: TempHome,
}

#[derive(Default)]
pub(crate) struct FrontEnd {
    pub(crate) heard: Mutex<Vec<Value>>,
    pub(crate) clipboard: Mutex<Option<Vec<u8>>>,
}

#[async_trait::async_trait]
impl Host for FrontEnd {
    async fn clipboard_picture(&self) -> Option<Vec<u8>> {
        self.clipboard.lock().unwrap().clone()
    }

    fn changed(&self, change: Change) {
        self.heard
            .lock()
            .unwrap()
            .push(serde_json::to_value(change).unwrap());
    }
}

#[derive(Default)]
struct Events(Mutex<Vec<Value>>);

impl Sink for Events {
    fn send(&self, event: Value) {
        self.0.lock().unwrap().push(event);
    }
}

pub(crate) async fn open() -> Open {
    open_at(TempHome::new().unwrap()).await
}

/// Opens the core over a home that is there already. A failed request is not sent again.
pub(crate) async fn open_at(home: TempHome) -> Open {
    let front_end = Arc::new(FrontEnd::default());
    let mut options = Options::desktop(front_end.clone());
    options.home = Some(home.data_root());
    options.retries = Some(0);
    options.environment = Arc::new(|name| (name == "OPENAI_API_KEY").then(|| KEY.into()));
    let core = Core::open(options).await.unwrap();
    let open = Open {
        core,
        front_end,
        home,
    };
    open.call(
        "choose_secret_store",
        json!({"choice": {"backend": "memory"}}),
    )
    .await;
    open
}

impl Open {
    pub(crate) async fn call(&self, command: &str, arguments: Value) -> Value {
        let request = json!({"command": command, "arguments": arguments});
        self.core
            .call(request)
            .await
            .unwrap_or_else(|error| panic!("{command}: {error:?}"))
    }

    pub(crate) async fn refusal(&self, command: &str, arguments: Value) -> Value {
        let request = json!({"command": command, "arguments": arguments});
        serde_json::to_value(self.core.call(request).await.unwrap_err()).unwrap()
    }

    pub(crate) async fn stream(&self, command: &str, arguments: Value) -> Vec<Value> {
        let events = Arc::new(Events::default());
        let request = json!({"command": command, "arguments": arguments});
        self.core.stream(request, events.clone()).await.unwrap();
        events.0.lock().unwrap().clone()
    }

    pub(crate) async fn refuse_stream(&self, command: &str, arguments: Value) -> Value {
        let request = json!({"command": command, "arguments": arguments});
        let refused = self.core.stream(request, Arc::new(Events::default())).await;
        serde_json::to_value(refused.unwrap_err()).unwrap()
    }

    /// Sets the scripted service up, with a key, as the one in use.
    pub(crate) async fn set_up(&self, service: &ScriptedService) {
        let model = self.add(service, "Scripted").await;
        self.call(
            "update_settings",
            json!({"model": model, "setup_done": true}),
        )
        .await;
    }

    /// Adds a scripted service, and gives its model.
    pub(crate) async fn add(&self, service: &ScriptedService, name: &str) -> Value {
        let saved = self
            .call(
                "save_service",
                json!({
                    "id": null, "name": name, "preset": null, "protocol": "openai_chat",
                    "base_url": service.base_url(), "key": {"from": "typed", "value": KEY},
                }),
            )
            .await;
        json!({"service": saved["id"], "model": service.model()})
    }

    /// Sends a message in a new session and gives the turn's events.
    pub(crate) async fn say(&self, text: &str) -> Vec<Value> {
        let session = self.session().await;
        let turn = json!({"session_id": session, "text": text});
        self.stream("start_turn", turn).await
    }

    pub(crate) async fn session(&self) -> Value {
        self.call("create_session", json!({})).await["session"]["id"].clone()
    }
}
