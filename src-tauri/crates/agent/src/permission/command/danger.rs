//! Which commands are forbidden in every mode, and which are asked in every mode.
//!
//! Rows name a program and what has to stand in its arguments; what needs more than a row is in
//! [`ruin`](super::ruin) (what is removed or overwritten) and [`option`](super::option) (options that
//! start programs).

use super::line::Simple;
use super::unwrap::FETCHERS;
use super::{Concerns, Use, option, ruin};
use crate::permission::forbidden::{Ban, ban};

/// A program, and words of which each must be among its arguments (as a whole or, after `*`, as a part).
struct Row {
    programs: &'static [&'static str],
    with: &'static [&'static str],
    what: &'static str,
}

const fn row(
    programs: &'static [&'static str],
    with: &'static [&'static str],
    what: &'static str,
) -> Row {
    Row {
        programs,
        with,
        what,
    }
}

const GUARD: &str = "the computer's protection is never switched off";
const STORE: &str = "stored credentials are never read out for a tool";
const DISK: &str = "disks are never formatted or overwritten";
const OWN: &str = "Talaria's own settings and permissions are the user's alone";

/// What no mode allows.
const FORBIDDEN: &[Row] = &[
    row(
        &[
            "mkfs",
            "mke2fs",
            "mkswap",
            "wipefs",
            "blkdiscard",
            "sfdisk",
            "sgdisk",
            "gdisk",
            "cfdisk",
            "diskpart",
            "newfs",
            "mkntfs",
            "mkdosfs",
            "format-volume",
            "clear-disk",
            "initialize-disk",
            "remove-partition",
            "badblocks",
            "nwipe",
        ],
        &[],
        DISK,
    ),
    row(&["fdisk", "parted"], &["*/dev"], DISK),
    row(&["cryptsetup"], &["*luksformat"], DISK),
    row(&["cryptsetup"], &["*erase"], DISK),
    row(&["hdparm"], &["*--security-erase"], DISK),
    row(&["nvme"], &["format"], DISK),
    row(&["diskutil"], &["*erase"], DISK),
    row(&["diskutil"], &["*partition"], DISK),
    row(&["format"], &["*:"], DISK),
    row(&["setenforce"], &["0"], GUARD),
    row(&["setenforce"], &["permissive"], GUARD),
    row(&["ufw"], &["disable"], GUARD),
    row(&["ufw"], &["reset"], GUARD),
    row(&["iptables", "ip6tables"], &["-f"], GUARD),
    row(&["iptables", "ip6tables"], &["--flush"], GUARD),
    row(&["nft"], &["flush"], GUARD),
    row(&["csrutil"], &["disable"], GUARD),
    row(&["spctl"], &["--master-disable"], GUARD),
    row(&["spctl"], &["--global-disable"], GUARD),
    row(&["aa-teardown", "aa-disable"], &[], GUARD),
    row(&["auditctl"], &["-e", "0"], GUARD),
    row(&["set-mppreference", "add-mppreference"], &[], GUARD),
    row(&["netsh"], &["*firewall", "off"], GUARD),
    row(&["set-netfirewallprofile"], &[], GUARD),
    row(&["wevtutil"], &["cl"], GUARD),
    row(&["clear-eventlog"], &[], GUARD),
    row(&["vssadmin"], &["delete"], GUARD),
    row(&["wbadmin"], &["delete"], GUARD),
    row(&["bcdedit"], &[], GUARD),
    row(&["sysctl"], &["*randomize_va_space"], GUARD),
    row(&["gpg", "gpg2"], &["*--export-secret"], STORE),
    row(&["security"], &["*find-"], STORE),
    row(&["security"], &["*dump-keychain"], STORE),
    row(&["security"], &["*export"], STORE),
    row(&["secret-tool"], &[], STORE),
    row(&["keyring"], &["get"], STORE),
    row(&["keyctl"], &[], STORE),
    row(&["kwallet-query"], &[], STORE),
    row(&["cmdkey", "vaultcmd"], &[], STORE),
    row(&["pass"], &["show"], STORE),
    row(&["gopass"], &["show"], STORE),
    row(&["op"], &["read"], STORE),
    row(&["op"], &["item"], STORE),
    row(&["bw"], &["get"], STORE),
    row(&["vault"], &["read"], STORE),
    row(&["gh"], &["auth", "token"], STORE),
    row(&["gcloud"], &["*print-", "auth"], STORE),
    row(&["aws"], &["configure", "get"], STORE),
    row(&["aws"], &["configure", "export-credentials"], STORE),
    row(&["az"], &["*get-access-token"], STORE),
    row(&["git"], &["credential"], STORE),
    row(
        &["mimikatz", "lazagne", "unshadow", "john", "hashcat"],
        &[],
        STORE,
    ),
    row(&["getent"], &["shadow"], STORE),
    row(&["reg"], &["save", "*sam"], STORE),
    row(&["talaria"], &["chat"], OWN),
    row(&["talaria"], &["*--yes"], OWN),
    row(&["talaria"], &["setup"], OWN),
    row(&["talaria"], &["settings"], OWN),
    row(&["talaria"], &["*folder"], OWN),
    row(&["talaria"], &["*mode"], OWN),
];

const ADMIN: &str = "runs as administrator";
const SYSTEM: &str = "changes the system";
const STOPS: &str = "stops programs or the computer";
const STARTS: &str = "changes what runs by itself later";
const SENDS: &str = "sends data to another computer";
const PUBLISHES: &str = "publishes something or changes it for others";
const LOSES: &str = "throws work away that can't be brought back";
const RIGHTS: &str = "changes who may do what";
const SOURCE: &str = "changes where software is fetched from";
const CONTAINER: &str = "a container can reach the whole computer";

/// What is asked in every mode.
const DANGEROUS: &[Row] = &[
    row(&["start-process", "start"], &["runas"], ADMIN),
    row(
        &[
            "sudo",
            "su",
            "doas",
            "pkexec",
            "run0",
            "runas",
            "gosu",
            "runuser",
            "chroot",
            "nsenter",
            "systemd-run",
        ],
        &[],
        ADMIN,
    ),
    row(
        &[
            "shutdown",
            "reboot",
            "halt",
            "poweroff",
            "init",
            "telinit",
            "stop-computer",
            "restart-computer",
        ],
        &[],
        STOPS,
    ),
    row(
        &[
            "killall",
            "pkill",
            "killall5",
            "taskkill",
            "stop-process",
            "skill",
            "xkill",
            "kill",
        ],
        &[],
        STOPS,
    ),
    row(
        &[
            "crontab",
            "at",
            "batch",
            "schtasks",
            "register-scheduledtask",
            "launchctl",
            "new-service",
            "sc",
            "update-rc.d",
            "chkconfig",
            "rc-update",
            "loginctl",
        ],
        &[],
        STARTS,
    ),
    row(
        &["systemctl", "service", "initctl", "rc-service"],
        &[],
        STARTS,
    ),
    row(
        &[
            "reg",
            "regedit",
            "set-itemproperty",
            "new-itemproperty",
            "setx",
            "defaults",
            "dconf",
            "gsettings",
        ],
        &[],
        SYSTEM,
    ),
    row(
        &[
            "useradd",
            "adduser",
            "userdel",
            "usermod",
            "groupadd",
            "passwd",
            "chpasswd",
            "chsh",
            "visudo",
            "vipw",
            "net",
            "new-localuser",
            "dscl",
            "sysadminctl",
        ],
        &[],
        RIGHTS,
    ),
    row(
        &[
            "chown",
            "chgrp",
            "chattr",
            "setcap",
            "setfacl",
            "icacls",
            "takeown",
            "cacls",
            "set-acl",
            "set-executionpolicy",
            "xattr",
        ],
        &[],
        RIGHTS,
    ),
    row(&["chmod"], &[], RIGHTS),
    row(&["openssl"], &["s_client"], SENDS),
    row(&["openssl"], &["s_server"], SENDS),
    row(&["python", "python3"], &["*http.server"], SENDS),
    row(
        &[
            "pip", "pip3", "npm", "npx", "pnpm", "yarn", "bunx", "uv", "uvx", "pipx", "go", "gem",
        ],
        &["*://"],
        "runs what comes from the network",
    ),
    row(
        &[
            "mount",
            "umount",
            "losetup",
            "swapon",
            "swapoff",
            "fdisk",
            "parted",
            "cryptsetup",
            "diskutil",
            "hdparm",
            "nvme",
            "lvremove",
            "vgremove",
            "zpool",
            "zfs",
            "mdadm",
        ],
        &[],
        SYSTEM,
    ),
    row(
        &[
            "insmod",
            "modprobe",
            "rmmod",
            "sysctl",
            "setenforce",
            "ufw",
            "iptables",
            "ip6tables",
            "nft",
            "firewall-cmd",
            "netsh",
            "route",
            "ifconfig",
            "nmcli",
            "auditctl",
            "hostnamectl",
            "timedatectl",
        ],
        &[],
        SYSTEM,
    ),
    row(
        &[
            "apt",
            "apt-get",
            "dpkg",
            "dnf",
            "yum",
            "zypper",
            "pacman",
            "apk",
            "snap",
            "flatpak",
            "brew",
            "choco",
            "winget",
            "scoop",
            "port",
            "rpm",
            "msiexec",
            "installer",
        ],
        &[],
        SYSTEM,
    ),
    row(
        &[
            "docker", "podman", "nerdctl", "lxc", "kubectl", "helm", "ctr", "crictl",
        ],
        &[],
        CONTAINER,
    ),
    row(
        &[
            "nc",
            "ncat",
            "netcat",
            "socat",
            "telnet",
            "ftp",
            "tftp",
            "sftp",
            "scp",
            "ssh",
            "sshpass",
            "mosh",
            "rclone",
            "magic-wormhole",
            "wormhole",
            "croc",
            "ngrok",
            "cloudflared",
            "chisel",
            "nmap",
            "masscan",
            "tcpdump",
            "mail",
            "sendmail",
            "mailx",
            "mutt",
            "send-mailmessage",
        ],
        &[],
        SENDS,
    ),
    row(
        &[
            "ssh-keygen",
            "ssh-copy-id",
            "ssh-add",
            "gpg",
            "gpg2",
            "security",
            "vault",
            "op",
            "bw",
            "pass",
        ],
        &[],
        RIGHTS,
    ),
    row(
        &[
            "nsupdate",
            "certutil",
            "bitsadmin",
            "rundll32",
            "regsvr32",
            "mshta",
            "wmic",
            "installutil",
        ],
        &[],
        SYSTEM,
    ),
    row(&["git"], &["push"], PUBLISHES),
    row(&["git"], &["reset", "--hard"], LOSES),
    row(&["git"], &["clean"], LOSES),
    row(&["git"], &["*filter-"], LOSES),
    row(&["git"], &["reflog", "expire"], LOSES),
    row(&["git"], &["update-ref"], LOSES),
    row(&["git"], &["gc", "*--prune"], LOSES),
    row(&["git"], &["branch", "-d"], LOSES),
    row(&["git"], &["stash", "drop"], LOSES),
    row(&["git"], &["stash", "clear"], LOSES),
    row(&["git"], &["checkout", "."], LOSES),
    row(&["git"], &["checkout", "-f"], LOSES),
    row(&["git"], &["restore", "."], LOSES),
    row(&["git"], &["config"], STARTS),
    row(&["git"], &["remote", "add"], SOURCE),
    row(&["git"], &["remote", "set-url"], SOURCE),
    row(&["git"], &["*insteadof"], SOURCE),
    row(&["git"], &["send-email"], SENDS),
    row(&["npm", "pnpm", "yarn", "bun"], &["publish"], PUBLISHES),
    row(
        &[
            "npm", "pnpm", "yarn", "pip", "pip3", "cargo", "gem", "conda",
        ],
        &["config"],
        SOURCE,
    ),
    row(&["npm", "pnpm", "yarn"], &["-g"], SYSTEM),
    row(&["npm", "pnpm"], &["--global"], SYSTEM),
    row(&["npm"], &["token"], RIGHTS),
    row(
        &[
            "npm", "cargo", "docker", "gh", "gcloud", "aws", "az", "heroku",
        ],
        &["login"],
        RIGHTS,
    ),
    row(&["cargo"], &["publish"], PUBLISHES),
    row(&["cargo"], &["yank"], PUBLISHES),
    row(&["twine", "poetry", "uv", "flit"], &["publish"], PUBLISHES),
    row(&["twine"], &["upload"], PUBLISHES),
    row(&["gem"], &["push"], PUBLISHES),
    row(&["pip", "pip3"], &["*index-url"], SOURCE),
    row(&["npm", "pnpm", "yarn"], &["*--registry"], SOURCE),
    row(&["gh", "glab", "hub"], &["*create"], PUBLISHES),
    row(&["gh", "glab"], &["delete"], PUBLISHES),
    row(&["gh", "glab"], &["merge"], PUBLISHES),
    row(&["gh", "glab"], &["api"], PUBLISHES),
    row(&["gh"], &["secret"], RIGHTS),
    row(
        &[
            "terraform",
            "tofu",
            "pulumi",
            "ansible",
            "ansible-playbook",
            "aws",
            "gcloud",
            "az",
            "doctl",
            "fly",
            "flyctl",
            "heroku",
            "vercel",
            "netlify",
            "wrangler",
            "firebase",
            "serverless",
            "sam",
            "cdk",
        ],
        &[],
        PUBLISHES,
    ),
    row(
        &[
            "dropdb",
            "mysqladmin",
            "redis-cli",
            "mongo",
            "mongosh",
            "psql",
            "mysql",
        ],
        &[],
        LOSES,
    ),
    row(&["history"], &["-c"], LOSES),
    row(&["talaria"], &[], OWN),
    row(&["crontab"], &[], STARTS),
    row(&["screen", "tmux"], &[], "runs on without being seen"),
    row(&["disown"], &[], "runs on without being seen"),
    row(
        &["xdotool", "ydotool", "xte", "osascript", "cliclick"],
        &[],
        "types and clicks for the user",
    ),
];

/// Judges one command of a line.
pub(super) fn judge(command: &Simple, line: &[Simple], concerns: &mut Concerns) {
    let program = command.program();
    if let Some(row) = FORBIDDEN.iter().find(|row| row.fits(&program, command)) {
        concerns.forbid(row.what);
    }
    if program.starts_with("mkfs.") {
        concerns.forbid(DISK);
    }
    if let Some(row) = DANGEROUS.iter().find(|row| row.fits(&program, command))
        && !is_a_look(&program, command)
    {
        concerns.danger(row.what);
    }
    if !program.is_ascii() {
        concerns.unclear("a program whose name has other letters");
    }
    option::judge(&program, command, concerns);
    ruin::judge(&program, command, concerns);
    judge_connection(&program, command, line, concerns);
}

/// The harmless questions that programs of the table answer.
fn is_a_look(program: &str, command: &Simple) -> bool {
    let verb = command.verb();
    match program {
        "systemctl" | "service" | "rc-service" => matches!(
            verb,
            "status" | "is-active" | "is-enabled" | "list-units" | "show" | "cat"
        ),
        "docker" | "podman" | "kubectl" => {
            matches!(verb, "ps" | "images" | "logs" | "version" | "info" | "get")
                && !command.has(&["secret", "secrets", "secret/"])
        }
        "crontab" => command.has(&["-l"]) && command.feeders.is_empty(),
        "apt" | "apt-get" | "dpkg" | "dnf" | "brew" | "rpm" | "pacman" | "snap" => {
            matches!(verb, "list" | "show" | "search" | "info")
                || command.has(&["-l", "-L", "-s", "-q", "-qa", "--version"])
        }
        "npm" | "pip" | "pip3" | "cargo" | "git" => {
            verb == "config"
                && command.has(&["get", "list", "--list", "-l", "--get"])
                && program != "npm"
        }
        "mount" => command.arguments().is_empty(),
        "sysctl" => {
            !command.has(&["-w", "-p"]) && command.operands().all(|word| !word.text.contains('='))
        }
        "kill" => command.has(&["-0", "-l"]),
        "nc" | "ncat" => command.has_flag('z'),
        "terraform" | "tofu" => matches!(verb, "fmt" | "validate" | "version"),
        "chmod" => command
            .operands()
            .next()
            .is_some_and(|mode| is_plain_mode(&mode.text)),
        _ => command.arguments().len() == 1 && command.has(&["--version", "--help", "-V"]),
    }
}

/// Whether a mode gives no rights to everybody, and none of another user.
fn is_plain_mode(mode: &str) -> bool {
    let is_number = mode.len() == 3 && mode.chars().all(|digit| digit.is_digit(8));
    let for_all = |mode: &str| mode.starts_with(['a', 'o']) && mode.contains('w');
    match is_number {
        true => !mode.ends_with(['2', '3', '6', '7']),
        false => {
            !mode.contains('s')
                && !mode.starts_with(|first: char| first.is_ascii_digit())
                && !for_all(mode)
        }
    }
}

/// Shells that are handed to another computer.
fn judge_connection(program: &str, command: &Simple, line: &[Simple], concerns: &mut Concerns) {
    const HANDED: &str = "control of the computer is never handed to another one";
    let is_shell = |text: &str| {
        let name = super::line::program_name(text);
        matches!(
            name.as_str(),
            "sh" | "bash" | "dash" | "zsh" | "ksh" | "cmd" | "powershell" | "pwsh"
        )
    };
    let to_network = command
        .files
        .iter()
        .map(|file| file.path.text.as_str())
        .find_map(|path| {
            path.strip_prefix("/dev/tcp/")
                .or_else(|| path.strip_prefix("/dev/udp/"))
        });
    if let Some(host) = to_network {
        let is_here = ["127.", "localhost/", "::1/"]
            .iter()
            .any(|here| host.starts_with(here));
        match (is_shell(program), is_here) {
            (true, _) => concerns.forbid(HANDED),
            (false, false) => concerns.danger(SENDS),
            (false, true) => {}
        }
    }
    let connects = matches!(
        program,
        "nc" | "ncat" | "netcat" | "socat" | "telnet" | "openssl"
    );
    let starts_shell = command.arguments().iter().any(|word| {
        is_shell(&word.text)
            || word.text.to_lowercase().contains("exec:")
            || word.text.to_lowercase().contains("system:")
    });
    let fed_by_shell = command
        .feeders
        .iter()
        .filter_map(|number| line.get(*number))
        .any(|feeder| is_shell(&feeder.program()));
    if connects
        && (starts_shell
            || fed_by_shell
            || program != "openssl" && command.has(&["-e", "-c", "--exec", "--sh-exec"]))
    {
        concerns.forbid(HANDED);
    }
}

/// What only the whole line shows: secrets on their way to the network.
pub(super) fn judge_together(line: &[Simple], uses: &[Use], concerns: &mut Concerns) {
    const LEAVES: &str = "secrets are never sent to another computer";
    let sends = line.iter().any(|command| {
        let program = command.program();
        FETCHERS.contains(&program.as_str())
            || matches!(
                program.as_str(),
                "nslookup" | "host" | "ping" | "rsync" | "mail" | "sendmail"
            )
    });
    if !sends {
        return;
    }
    if concerns.names_secret {
        concerns.danger("sends a secret to another computer");
    }
    let reads_secret = uses.iter().any(|it| {
        let Some(place) = &it.place else { return false };
        matches!(ban(place, it.touch), Some(Ban::Forbidden(_)))
            || it.touch == crate::permission::forbidden::Touch::Read
                && matches!(ban(place, it.touch), Some(Ban::Asked(_)))
    });
    let prints_environment = line.iter().any(|command| {
        matches!(
            command.program().as_str(),
            "env" | "printenv" | "set" | "export" | "declare" | "compgen"
        ) && command.operands().next().is_none()
            && command.words.len() <= 2
    });
    let is_fed = line.iter().any(|command| {
        FETCHERS.contains(&command.program().as_str()) && !command.feeders.is_empty()
    });
    if reads_secret || prints_environment && is_fed {
        concerns.forbid(LEAVES);
    }
}

impl Row {
    fn fits(&self, program: &str, command: &Simple) -> bool {
        self.programs.contains(&program)
            && self.with.iter().all(|wanted| {
                command.arguments().iter().any(|word| {
                    let text = word.text.to_lowercase();
                    match wanted.strip_prefix('*') {
                        Some(part) => text.contains(part),
                        None => text == *wanted,
                    }
                })
            })
    }
}
