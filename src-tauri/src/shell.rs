//! Starts the core and the window, and ends them.

use std::sync::Arc;

use async_trait::async_trait;
use talaria_api::{ApiError, Change, Core, Host, Options};
use talaria_domain::Question;
use tauri::{AppHandle, Emitter, Manager};
use tokio::sync::watch;

use crate::{clipboard, command, notification, window};

/// The event under which the page hears that something changed.
const CHANGE: &str = "change";

/// Why the program could not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShellError {
    /// The core did not open.
    #[error("{0}")]
    Core(#[from] ApiError),
    /// The window did not open.
    #[error("the window could not be opened: {0}")]
    Window(#[from] tauri::Error),
}

/// Runs until the window is closed.
pub(crate) fn run() -> Result<(), ShellError> {
    let host = Arc::new(Page::default());
    // The core opens while the system gets ready to show a window.
    let opening = tauri::async_runtime::spawn(Core::open(Options::desktop(host.clone())));
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|app, _, _| {
            window::raise(app);
        }))
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::init())
        .invoke_handler(tauri::generate_handler![
            command::call,
            command::stream,
            command::ready
        ])
        .setup(move |app| {
            host.set(app.handle().clone());
            Ok(window::open(app.handle(), &app.state::<Core>())?)
        })
        .build(tauri::generate_context!())?;
    let core = tauri::async_runtime::block_on(opening)??;
    app.manage(core.clone());
    app.run(move |_, event| {
        if matches!(event, tauri::RunEvent::Exit) {
            tauri::async_runtime::block_on(core.close());
        }
    });
    Ok(())
}

/// Tells the user why there is no window.
pub(crate) fn report(error: &ShellError) {
    use std::io::Write;
    let hint = match error {
        ShellError::Core(error) => error.hint.as_str(),
        ShellError::Window(_) => "Run `talaria chat` in a terminal to go on without a window.",
    };
    // A terminal that is gone can't be told anything; there is nobody else to tell.
    let _ = writeln!(std::io::stderr(), "Talaria: {error}\n{hint}");
}

/// The page, once there is one.
#[derive(Default)]
struct Page {
    app: std::sync::OnceLock<AppHandle>,
    /// Counts how often the open questions changed.
    questions: watch::Sender<u64>,
}

impl Page {
    fn set(&self, app: AppHandle) {
        // Set-up runs once, so a second handle can't come.
        let _ = self.app.set(app);
    }
}

#[async_trait]
impl Host for Page {
    async fn clipboard_picture(&self) -> Option<Vec<u8>> {
        clipboard::picture(self.app.get()?).await
    }

    /// Who looks at the window sees it there.
    fn asked(&self, question: &Question) {
        let Some(app) = self.app.get().filter(|app| !window::is_looked_at(app)) else {
            return;
        };
        let (app, question) = (app.clone(), question.clone());
        let changes = self.questions.subscribe();
        tauri::async_runtime::spawn(async move {
            window::ask_for_attention(&app);
            if let Some(core) = app.try_state::<Core>() {
                notification::tell(&app, &core, &question, changes).await;
            }
        });
    }

    fn changed(&self, change: Change) {
        if change == Change::Questions {
            self.questions.send_modify(|count| *count += 1);
        }
        if let Some(window) = self
            .app
            .get()
            .and_then(|app| app.get_webview_window(window::LABEL))
            && let Err(error) = window.emit(CHANGE, change)
        {
            tracing::warn!(%error, "the page could not be told of a change");
        }
    }
}
