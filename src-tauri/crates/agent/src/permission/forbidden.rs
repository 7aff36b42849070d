//! What no mode and no rule allows, and what is asked in every mode, by path: the tables.
//!
//! A row names neighbouring parts of a path. A path that has them in it, wherever, is meant: the
//! `.ssh` of every user, and what lies under it.

use super::place::{Place, fits};

/// What is done at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    /// Its content is read.
    Read,
    /// It is made, changed, moved or removed.
    Write,
}

/// What a table says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ban {
    /// Never.
    Forbidden(&'static str),
    /// Only when the user says so, each time.
    Asked(&'static str),
}

struct Row {
    run: &'static [&'static str],
    touch: Touch,
    why: &'static str,
}

const fn read(run: &'static [&'static str], why: &'static str) -> Row {
    Row {
        run,
        touch: Touch::Read,
        why,
    }
}

const fn write(run: &'static [&'static str], why: &'static str) -> Row {
    Row {
        run,
        touch: Touch::Write,
        why,
    }
}

const KEYS: &str = "private keys are never given to a tool";
const CREDENTIALS: &str = "credentials are never given to a tool";
const KEYRING: &str = "a keyring is never given to a tool";
const BROWSER: &str = "a browser's passwords and cookies are never given to a tool";
const WALLET: &str = "a wallet is never given to a tool";
const SYSTEM: &str = "the system's passwords are never given to a tool";
const PROCESS: &str = "another process's memory and environment are never given to a tool";
const DISK: &str = "disks and memory are never written to directly";
const KERNEL: &str = "the system's own switches are never changed";

/// Files that may be read although they lie where secrets are.
const PUBLIC: &[&str] = &["*.pub", "known_hosts", "known_hosts.*"];

/// What no mode allows. A row about reading bars writing too.
const FORBIDDEN: &[Row] = &[
    read(&[".ssh"], KEYS),
    read(&["id_rsa"], KEYS),
    read(&["id_dsa"], KEYS),
    read(&["id_ecdsa"], KEYS),
    read(&["id_ed25519"], KEYS),
    read(&["id_ecdsa_sk"], KEYS),
    read(&["id_ed25519_sk"], KEYS),
    read(&["etc", "ssh", "ssh_host_*_key"], KEYS),
    read(&[".gnupg"], KEYS),
    read(&[".aws", "credentials"], CREDENTIALS),
    read(&[".aws", "sso"], CREDENTIALS),
    read(&[".aws", "cli", "cache"], CREDENTIALS),
    read(&[".config", "gcloud"], CREDENTIALS),
    read(&["appdata", "roaming", "gcloud"], CREDENTIALS),
    read(&[".azure"], CREDENTIALS),
    read(&[".kube", "config"], CREDENTIALS),
    read(&[".docker", "config.json"], CREDENTIALS),
    read(&[".netrc"], CREDENTIALS),
    read(&["_netrc"], CREDENTIALS),
    read(&[".git-credentials"], CREDENTIALS),
    read(&[".config", "git", "credentials"], CREDENTIALS),
    read(&[".config", "gh", "hosts.yml"], CREDENTIALS),
    read(&[".config", "hub"], CREDENTIALS),
    read(&[".pgpass"], CREDENTIALS),
    read(&[".my.cnf"], CREDENTIALS),
    read(&[".vault-token"], CREDENTIALS),
    read(&[".config", "rclone", "rclone.conf"], CREDENTIALS),
    read(&[".cargo", "credentials*"], CREDENTIALS),
    read(&[".terraform.d", "credentials*"], CREDENTIALS),
    read(&[".claude", ".credentials.json"], CREDENTIALS),
    read(&[".codex", "auth.json"], CREDENTIALS),
    read(&[".local", "share", "keyrings"], KEYRING),
    read(&["kwalletd"], KEYRING),
    read(&["library", "keychains"], KEYRING),
    read(&["microsoft", "credentials"], KEYRING),
    read(&["microsoft", "protect"], KEYRING),
    read(&["microsoft", "vault"], KEYRING),
    read(&["microsoft", "crypto"], KEYRING),
    read(&[".password-store"], KEYRING),
    read(&[".config", "op"], KEYRING),
    read(&["*.kdbx"], KEYRING),
    read(&["*.keychain-db"], KEYRING),
    read(&[".config", "google-chrome"], BROWSER),
    read(&[".config", "chromium"], BROWSER),
    read(&[".config", "microsoft-edge"], BROWSER),
    read(&[".config", "bravesoftware"], BROWSER),
    read(&[".mozilla"], BROWSER),
    read(&["application support", "google", "chrome"], BROWSER),
    read(&["application support", "firefox"], BROWSER),
    read(&["library", "cookies"], BROWSER),
    read(&["google", "chrome", "user data"], BROWSER),
    read(&["microsoft", "edge", "user data"], BROWSER),
    read(&["mozilla", "firefox", "profiles"], BROWSER),
    read(&["login data"], BROWSER),
    read(&["cookies.sqlite"], BROWSER),
    read(&["logins.json"], BROWSER),
    read(&["key4.db"], BROWSER),
    read(&[".electrum"], WALLET),
    read(&[".bitcoin"], WALLET),
    read(&[".ethereum", "keystore"], WALLET),
    read(&["wallet.dat"], WALLET),
    read(&["etc", "shadow*"], SYSTEM),
    read(&["etc", "gshadow*"], SYSTEM),
    read(&["etc", "sudoers*"], SYSTEM),
    read(&["etc", "krb5.keytab"], SYSTEM),
    read(&["master.passwd"], SYSTEM),
    read(&["system32", "config", "sam"], SYSTEM),
    read(&["system32", "config", "security"], SYSTEM),
    read(&["system32", "config", "system"], SYSTEM),
    read(&["windows", "ntds"], SYSTEM),
    read(&["proc", "*", "environ"], PROCESS),
    read(&["proc", "*", "mem"], PROCESS),
    read(&["proc", "*", "root"], PROCESS),
    read(&["proc", "*", "fd"], PROCESS),
    read(&["proc", "*", "cwd"], PROCESS),
    read(&["proc", "*", "task"], PROCESS),
    read(&["proc", "kcore"], PROCESS),
    read(&["run", "secrets"], CREDENTIALS),
    read(
        &["run", "docker.sock"],
        "the container engine's socket gives the whole computer away",
    ),
    read(&["dev", "mem"], DISK),
    read(&["dev", "kmem"], DISK),
    write(&["proc"], KERNEL),
    write(&["sys"], KERNEL),
    write(&["boot"], "what starts the system is never changed"),
    write(&["etc", "passwd"], SYSTEM),
    write(&["etc", "pam.d"], SYSTEM),
    write(
        &["etc", "ld.so.preload"],
        "code for every program is never planted",
    ),
    write(
        &["windows", "system32"],
        "the system's own files are never changed",
    ),
];

/// What can be written to under `/dev` without touching a disk.
const DEVICES: &[&str] = &[
    "null", "zero", "full", "stdout", "stderr", "stdin", "tty", "fd", "shm", "random", "urandom",
];

const STARTS: &str = "changes what runs by itself later";
const AGENTS: &str = "changes what an agent is told later";
const HOLDS: &str = "a file that may hold secrets";

/// What is asked in every mode. `Touch::Write` rows are about changing only.
const ASKED: &[Row] = &[
    write(&[".bashrc"], STARTS),
    write(&[".bash_profile"], STARTS),
    write(&[".bash_login"], STARTS),
    write(&[".bash_logout"], STARTS),
    write(&[".bash_aliases"], STARTS),
    write(&[".profile"], STARTS),
    write(&[".zshrc"], STARTS),
    write(&[".zshenv"], STARTS),
    write(&[".zprofile"], STARTS),
    write(&[".zlogin"], STARTS),
    write(&[".cshrc"], STARTS),
    write(&[".tcshrc"], STARTS),
    write(&[".kshrc"], STARTS),
    write(&[".inputrc"], STARTS),
    write(&[".xinitrc"], STARTS),
    write(&[".xprofile"], STARTS),
    write(&[".xsession"], STARTS),
    write(&[".vimrc"], STARTS),
    write(&[".gitconfig"], STARTS),
    write(&[".config", "git"], STARTS),
    write(&[".config", "fish"], STARTS),
    write(&[".config", "autostart"], STARTS),
    write(&[".config", "systemd"], STARTS),
    write(&[".config", "environment.d"], STARTS),
    write(&["library", "launchagents"], STARTS),
    write(&["library", "launchdaemons"], STARTS),
    write(&["start menu", "programs", "startup"], STARTS),
    write(&["microsoft.powershell_profile.ps1"], STARTS),
    write(&["profile.ps1"], STARTS),
    write(&["etc"], STARTS),
    write(&["var", "spool", "cron"], STARTS),
    write(&[".git", "hooks"], STARTS),
    write(&[".git", "config"], STARTS),
    write(&[".husky"], STARTS),
    write(&[".envrc"], STARTS),
    write(&[".vscode", "tasks.json"], STARTS),
    write(&[".pythonrc*"], STARTS),
    write(&["sitecustomize.py"], STARTS),
    write(&["agents.md"], AGENTS),
    write(&["claude.md"], AGENTS),
    write(&["gemini.md"], AGENTS),
    write(&["soul.md"], AGENTS),
    write(&[".cursorrules"], AGENTS),
    write(&[".cursor"], AGENTS),
    write(&[".claude"], AGENTS),
    write(&[".codex"], AGENTS),
    write(&[".hermes"], AGENTS),
    write(&[".agents"], AGENTS),
    write(&[".talaria"], AGENTS),
    write(&["copilot-instructions.md"], AGENTS),
    write(&[".mcp.json"], AGENTS),
    read(&[".env"], HOLDS),
    read(&[".env.*"], HOLDS),
    read(&["*.env"], HOLDS),
    read(&["*.pem"], HOLDS),
    read(&["*.key"], HOLDS),
    read(&["*.p12"], HOLDS),
    read(&["*.pfx"], HOLDS),
    read(&["*.jks"], HOLDS),
    read(&["*.keystore"], HOLDS),
    read(&["*.ppk"], HOLDS),
    read(&["*.ovpn"], HOLDS),
    read(&["*.tfstate"], HOLDS),
    read(&["credentials"], HOLDS),
    read(&["credentials.*"], HOLDS),
    read(&["secret"], HOLDS),
    read(&["secrets"], HOLDS),
    read(&["secret.*"], HOLDS),
    read(&["secrets.*"], HOLDS),
    read(&["client_secret*"], HOLDS),
    read(&["service-account*.json"], HOLDS),
    read(&["service_account*.json"], HOLDS),
    read(&["passwords*"], HOLDS),
    read(&["password.*"], HOLDS),
    read(&[".npmrc"], HOLDS),
    read(&[".yarnrc.yml"], HOLDS),
    read(&[".pypirc"], HOLDS),
    read(&[".htpasswd"], HOLDS),
    read(&[".*_history"], HOLDS),
    read(&["*密码"], HOLDS),
    read(&["*密码.*"], HOLDS),
    read(&["*密钥"], HOLDS),
    read(&["*密钥.*"], HOLDS),
    read(&["*口令.*"], HOLDS),
    read(&["*私钥"], HOLDS),
    read(&["*私钥.*"], HOLDS),
    read(&["*凭证.*"], HOLDS),
    read(&["*凭据.*"], HOLDS),
    read(&["etc", "passwd"], HOLDS),
];

/// Names that look like secrets and are there to be read.
const SAMPLES: &[&str] = &[
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    ".env.defaults",
    "*.pub",
    "secrets.md",
    "credentials.md",
    "secrets.rs",
    "credentials.rs",
    "secret.rs",
    "secrets.py",
    "secrets.ts",
    "credentials.ts",
    "credentials.py",
    "secret.ts",
    "secret.py",
    "*.rs",
    "*.html",
];

/// What the tables say of doing this here.
pub(super) fn ban(place: &Place, touch: Touch) -> Option<Ban> {
    let parts = place.folded();
    let name = parts.last().map_or("", String::as_str);
    if touch == Touch::Write && is_device(&parts) {
        return Some(Ban::Forbidden(DISK));
    }
    let is_public = touch == Touch::Read && PUBLIC.iter().any(|public| fits(public, name));
    if let Some(row) = FORBIDDEN.iter().find(|row| row.bars(&parts, touch))
        && !is_public
    {
        return Some(Ban::Forbidden(row.why));
    }
    if SAMPLES.iter().any(|sample| fits(sample, name)) && touch == Touch::Read {
        return None;
    }
    // A file that holds secrets may be made; what is asked is giving its content to a model.
    let asked = ASKED
        .iter()
        .find(|row| row.touch == touch && row.bars(&parts, touch));
    asked.map(|row| Ban::Asked(row.why))
}

fn is_device(parts: &[String]) -> bool {
    match parts {
        [first, device, ..] if first == "dev" => !DEVICES.contains(&device.as_str()),
        _ => false,
    }
}

impl Row {
    fn bars(&self, parts: &[String], touch: Touch) -> bool {
        if touch < self.touch {
            return false;
        }
        // A place of the system's is one only at the root.
        let from_root = matches!(
            self.run.first(),
            Some(&("etc" | "proc" | "sys" | "boot" | "dev" | "run" | "var"))
        );
        let mut windows = parts.windows(self.run.len());
        let meant = |window: &[String]| {
            window
                .iter()
                .zip(self.run)
                .all(|(part, name)| is_meant(part, name))
        };
        if from_root {
            // `/private/etc` and `/var/run` are where some systems keep them.
            let private = parts
                .first()
                .is_some_and(|first| first == "private" || first == "var");
            windows.take(1 + usize::from(private)).any(meant)
        } else {
            windows.any(meant)
        }
    }
}

/// Whether a part of a path, which may hold wildcards of a shell, can be this name.
fn is_meant(part: &str, name: &str) -> bool {
    if fits(name, part) {
        return true;
    }
    // A wildcard at the start of a name does not stand for a dot.
    let is_open = part.contains(['*', '?', '[']);
    is_open && name.starts_with('.') == part.starts_with('.') && part != "*" && {
        let opened: String = open_classes(part);
        fits(&opened, &name.replace('*', "")) || fits(&opened, &name.replace('*', "x"))
    }
}

/// `[ab]` and its like stand for one letter.
fn open_classes(part: &str) -> String {
    let mut open = String::new();
    let mut is_in_class = false;
    for letter in part.chars() {
        match letter {
            '[' if !is_in_class => is_in_class = true,
            ']' if is_in_class => {
                is_in_class = false;
                open.push('?');
            }
            _ if is_in_class => {}
            _ => open.push(letter),
        }
    }
    open
}
