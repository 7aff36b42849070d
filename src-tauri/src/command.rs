//! The window's three commands. What they carry is declared in `talaria-api`'s contract.

use std::sync::Arc;

use serde_json::Value;
use talaria_api::{ApiError, Core, Sink};
use tauri::ipc::Channel;
use tauri::{State, WebviewWindow};

use crate::window;

/// Answers one command of the contract.
#[tauri::command]
pub(crate) async fn call(core: State<'_, Core>, request: Value) -> Result<Value, ApiError> {
    core.call(request).await
}

/// Answers one stream of the contract through a channel of its own.
#[tauri::command]
pub(crate) async fn stream(
    core: State<'_, Core>,
    request: Value,
    channel: Channel<Value>,
) -> Result<(), ApiError> {
    core.stream(request, Arc::new(ToPage(channel))).await
}

/// The page has drawn its first frame.
#[tauri::command]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a command takes what Tauri hands it"
)]
pub(crate) fn ready(window: WebviewWindow) {
    tracing::info!(target: "talaria", "the page is ready");
    window::show(&window);
}

struct ToPage(Channel<Value>);

impl Sink for ToPage {
    fn send(&self, event: Value) {
        if let Err(error) = self.0.send(event) {
            tracing::debug!(%error, "nobody listens to this stream any more");
        }
    }
}
