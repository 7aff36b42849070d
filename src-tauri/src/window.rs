//! The one window: made hidden, shown when the page is ready, remembered when it closes.

use std::time::Duration;

use talaria_api::{Core, WindowPlace};
use tauri::{AppHandle, Manager, PhysicalPosition, PhysicalSize, Url, WebviewUrl, WebviewWindow};
use tauri::{UserAttentionType, WebviewWindowBuilder, WindowEvent};

use crate::place::{Area, reachable};

/// The window's label, as the capabilities name it.
pub(crate) const LABEL: &str = "main";

/// A page that says nothing for so long is shown anyway, so that an error in it can be seen.
const SHOW_AFTER: Duration = Duration::from_secs(4);

/// Makes the window at its remembered place.
pub(crate) fn open(app: &AppHandle, core: &Core) -> tauri::Result<()> {
    tracing::info!(target: "talaria", "the window opens");
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title("Talaria")
        .inner_size(1180.0, 800.0)
        .min_inner_size(720.0, 480.0)
        .center()
        .visible(false)
        // The page takes dropped files itself; the shell's own handler would keep them from it.
        .disable_drag_drop_handler()
        .on_navigation(is_own_page)
        .on_document_title_changed(|window, title| {
            if let Err(error) = window.set_title(&title) {
                tracing::debug!(%error, "the title could not be set");
            }
        })
        .build()?;
    restore(&window, core.window_place())?;
    remember(&window, core.clone());
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SHOW_AFTER).await;
        show(&window);
    });
    Ok(())
}

/// Shows the window and brings it to the front.
pub(crate) fn show(window: &WebviewWindow) {
    let shown = window
        .show()
        .and_then(|()| window.unminimize())
        .and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be shown");
    }
}

/// Brings the window of an already running program to the front.
pub(crate) fn raise(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL) {
        show(&window);
    }
}

/// Whether the user has the window in front of them.
pub(crate) fn is_looked_at(app: &AppHandle) -> bool {
    app.get_webview_window(LABEL)
        .is_some_and(|window| window.is_focused().unwrap_or(false))
}

/// Lets the system show, in its own way, that the window waits for the user.
pub(crate) fn ask_for_attention(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else {
        return;
    };
    let kind = Some(UserAttentionType::Informational);
    if let Err(error) = window.request_user_attention(kind) {
        tracing::debug!(%error, "the system could not be asked for attention");
    }
}

/// The window never leaves its own page; links open outside.
fn is_own_page(url: &Url) -> bool {
    let own = match url.scheme() {
        "tauri" => true,
        "http" | "https" => url.host_str() == Some("tauri.localhost") || is_dev_page(url),
        _ => false,
    };
    if !own {
        tracing::warn!(scheme = url.scheme(), "the page tried to leave; refused");
    }
    own
}

fn is_dev_page(url: &Url) -> bool {
    tauri::is_dev() && url.host_str() == Some("localhost")
}

fn restore(window: &WebviewWindow, saved: Option<WindowPlace>) -> tauri::Result<()> {
    let screens: Vec<Area> = window
        .available_monitors()?
        .iter()
        .map(|screen| Area {
            x: screen.position().x,
            y: screen.position().y,
            width: screen.size().width,
            height: screen.size().height,
        })
        .collect();
    let Some(place) = saved.and_then(|saved| reachable(saved, &screens)) else {
        return Ok(());
    };
    window.set_size(PhysicalSize::new(place.width, place.height))?;
    window.set_position(PhysicalPosition::new(place.x, place.y))?;
    if place.maximized {
        window.maximize()
    } else {
        Ok(())
    }
}

/// Keeps the place when the window closes. A minimised window's place means nothing.
fn remember(window: &WebviewWindow, core: Core) {
    let closing = window.clone();
    window.on_window_event(move |event| {
        if matches!(event, WindowEvent::CloseRequested { .. })
            && let Some(place) = current_place(&closing)
        {
            core.keep_window_place(place);
        }
    });
}

fn current_place(window: &WebviewWindow) -> Option<WindowPlace> {
    if window.is_minimized().ok()? {
        return None;
    }
    let (position, size) = (window.outer_position().ok()?, window.inner_size().ok()?);
    Some(WindowPlace {
        x: position.x,
        y: position.y,
        width: size.width,
        height: size.height,
        maximized: window.is_maximized().ok()?,
    })
}
