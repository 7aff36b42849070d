//! A window with one text field: the floor that the real window is measured against.

fn main() -> tauri::Result<()> {
    tauri::Builder::default().run(tauri::generate_context!())
}
