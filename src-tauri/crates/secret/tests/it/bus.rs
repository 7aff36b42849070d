//! Runs one test again as a child inside `dbus-run-session`, with or without a keyring behind it.

use std::process::Command;

/// Set in the child; its value is the keyring's folder.
const INSIDE: &str = "TALARIA_TEST_BUS";

/// What is behind the bus.
pub(crate) enum Behind {
    /// GNOME's keyring, unlocked.
    UnlockedKeyring,
    /// GNOME's keyring, which nobody has unlocked.
    LockedKeyring,
    /// Nothing that keeps secrets.
    Nothing,
}

/// Whether this process is already the child; otherwise runs it and asserts that it passed.
///
/// Returns false when the programs are not installed, and says so.
pub(crate) fn inside(test: &str, behind: &Behind) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let installed = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !installed("dbus-run-session") || !installed("gnome-keyring-daemon") {
        eprintln!("not run: dbus-run-session and gnome-keyring-daemon are not installed");
        return false;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let unlock = match behind {
        Behind::UnlockedKeyring => {
            "printf 'test\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; "
        }
        Behind::LockedKeyring => {
            "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; "
        }
        Behind::Nothing => "",
    };
    let mut session = Command::new("dbus-run-session");
    if matches!(behind, Behind::Nothing) {
        let config = folder.path().join("bus.conf");
        let text = "<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>\
            <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>\
            <allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>";
        fs_err::write(&config, text).unwrap();
        session.arg(format!("--config-file={}", config.display()));
    }
    let output = session
        .args(["--", "sh", "-c"])
        .arg(format!("{unlock}exec \"$0\" --exact {test} --nocapture"))
        .arg(std::env::current_exe().unwrap())
        .env(INSIDE, folder.path())
        .env("XDG_DATA_HOME", folder.path().join("data"))
        .env("XDG_RUNTIME_DIR", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    false
}
