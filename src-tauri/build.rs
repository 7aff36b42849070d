//! Lets Tauri read its configuration and write the window's permissions.

fn main() {
    tauri_build::try_build(
        tauri_build::Attributes::new()
            .app_manifest(tauri_build::AppManifest::new().commands(&["call", "stream", "ready"])),
    )
    .unwrap_or_else(|error| {
        println!("cargo::error={error:#}");
    });
}
