//! Programs that are never run, and programs that are always asked for.

use crate::permission::command::line::Simple;

/// A program, and words of which each must be among its arguments (as a whole or, after `*`, as a part).
pub(super) struct Row {
    programs: &'static [&'static str],
    with: &'static [&'static str],
    pub(super) what: &'static str,
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

pub(super) const DISK: &str = "disks are never formatted or overwritten";

const OWN: &str = "Talaria's own settings and permissions are the user's alone";

/// What no mode allows.
pub(super) const FORBIDDEN: &[Row] = &[
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

pub(super) const SENDS: &str = "sends data to another computer";

const PUBLISHES: &str = "publishes something or changes it for others";

const LOSES: &str = "throws work away that can't be brought back";

const RIGHTS: &str = "changes who may do what";

const SOURCE: &str = "changes where software is fetched from";

const CONTAINER: &str = "a container can reach the whole computer";

/// What is asked in every mode.
pub(super) const DANGEROUS: &[Row] = &[
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

impl Row {
    pub(super) fn fits(&self, program: &str, command: &Simple) -> bool {
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
