//! The picture in the clipboard, for the core that asks for it when something is pasted.
//!
//! Only WebKitGTK needs it: its pages get no picture with a paste. Elsewhere the page has it.

use tauri::AppHandle;

/// The picture as PNG; none if there is none, or nobody hands it over in time.
#[cfg(target_os = "linux")]
pub(crate) async fn picture(app: &AppHandle) -> Option<Vec<u8>> {
    /// Another program holds the clipboard and may be slow.
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(3);

    let (give, take) = tokio::sync::oneshot::channel();
    app.run_on_main_thread(move || {
        let clipboard = gtk::Clipboard::get(&gtk::gdk::SELECTION_CLIPBOARD);
        clipboard.request_image(move |_, picture| {
            let png = picture.and_then(|picture| picture.save_to_bufferv("png", &[]).ok());
            // Nobody waits any longer: then nobody misses it.
            let _ = give.send(png);
        });
    })
    .ok()?;
    tokio::time::timeout(PATIENCE, take).await.ok()?.ok()?
}

/// The page has the picture already.
#[cfg(not(target_os = "linux"))]
pub(crate) async fn picture(_app: &AppHandle) -> Option<Vec<u8>> {
    None
}
