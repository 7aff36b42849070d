//! Makes WebKitGTK draw on machines where its fast path shows an empty window.
//!
//! With NVIDIA's driver, and without any graphics device, WebKitGTK's DMABUF renderer fails or
//! wastes memory. WebKit reads its switch from the environment when it starts, so the program
//! starts itself again with the switch set. What the user has set always wins.

/// The switch that turns the DMABUF renderer off.
#[cfg(target_os = "linux")]
const SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Call first in `main`, before any window code.
#[cfg(target_os = "linux")]
pub(crate) fn prepare() {
    use std::os::unix::process::CommandExt;
    use std::path::Path;

    let nvidia = Path::new("/proc/driver/nvidia").exists();
    let no_device = !Path::new("/dev/dri").exists();
    if std::env::var_os(SWITCH).is_some() || !(nvidia || no_device) {
        return;
    }
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let failed = std::process::Command::new(program)
        .args(std::env::args_os().skip(1))
        .env(SWITCH, "1")
        .exec();
    tracing::warn!(error = %failed, "could not start again with another renderer");
}

/// Other platforms' web views need no help.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prepare() {}
