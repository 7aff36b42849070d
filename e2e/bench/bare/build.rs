//! Lets Tauri read its configuration.

fn main() {
    tauri_build::build();
}
