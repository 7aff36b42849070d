//! Linux: Landlock closes files, seccomp closes the network and the calls that lead around both.

use std::collections::BTreeMap;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, Signal};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use super::Confinement;

/// Without these a file could still be emptied, so that is not called a sandbox.
const LEAST: ABI = ABI::V3;
/// The newest rules that are asked for; an older kernel gives what it has.
const RULES: ABI = ABI::V5;
/// What every program needs to start and to work: the system's own files, for reading.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/etc",
    "/proc",
    "/sys/devices",
    "/sys/fs/cgroup",
    "/run/systemd/resolve",
    "/var/lib/dpkg",
    "/nix",
    "/snap",
];
/// Devices that only take or give bytes.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/fd",
];
/// The terminal of whoever asks. A command's own session has none but the one it was given.
const TERMINAL: &str = "/dev/tty";
/// Where people keep toolchains in their home; their contents are programs, not secrets.
const TOOLCHAINS: &[&str] = &[
    ".cargo/bin",
    ".rustup",
    ".nvm",
    ".pyenv",
    ".local/bin",
    ".local/lib",
    ".local/share/pnpm",
    ".bun/bin",
    ".deno/bin",
    "go/bin",
    ".volta",
    ".asdf",
];

/// Why a process could not confine itself.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConfineError {
    #[error("files: {0}")]
    Files(#[from] RulesetError),
    #[error("system calls: {0}")]
    Calls(#[from] seccompiler::Error),
    #[error("system calls: {0}")]
    Filter(#[from] seccompiler::BackendError),
}

/// Whether this kernel can close files at all.
pub(super) fn is_available() -> bool {
    // Made, and thrown away: only `restrict_self` would confine this process.
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Lets the process end with the one that started it, and leave no memory on the disk.
pub(super) fn bind_to_parent() -> std::io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    rustix::process::setrlimit(Resource::Core, none)?;
    Ok(())
}

/// Confines this process and all that it starts, for good.
pub(super) fn confine(policy: &Confinement) -> Result<(), ConfineError> {
    close_files(policy)?;
    close_calls(policy.network)
}

fn close_files(policy: &Confinement) -> Result<(), ConfineError> {
    let home = std::env::home_dir().unwrap_or_default();
    let toolchains = TOOLCHAINS.iter().map(|name| home.join(name));
    let system = SYSTEM.iter().map(|path| Path::new(path).to_owned());
    let readable: Vec<_> = system
        .chain(toolchains)
        .chain(policy.read.iter().cloned())
        .collect();
    let terminal = policy.terminal.then_some(TERMINAL);
    let all = AccessFs::from_all(RULES);
    Ruleset::default()
        .handle_access(all)?
        .scope(Scope::AbstractUnixSocket | Scope::Signal)?
        .create()?
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(RULES)))?
        .add_rules(path_beneath_rules(DEVICES, all))?
        .add_rules(path_beneath_rules(terminal, all))?
        .add_rules(path_beneath_rules(&policy.write, all))?
        .restrict_self()?;
    Ok(())
}

/// System calls that no command of ours needs, and that lead around the rest.
const CLOSED: &[libc::c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_setns,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_unshare,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_mount_setattr,
    libc::SYS_pidfd_getfd,
    libc::SYS_process_madvise,
    libc::SYS_kexec_file_load,
];
/// Sockets with a name in the file system lead to services that are not confined: the session's bus,
/// containers, keys. They are closed to every command.
const LOCAL: &[libc::c_int] = &[libc::AF_UNIX];
/// Kinds of sockets that leave the computer, or speak to the kernel.
const NETWORK: &[libc::c_int] = &[
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
    libc::AF_PACKET,
    libc::AF_VSOCK,
    libc::AF_BLUETOOTH,
    libc::AF_XDP,
];

fn close_calls(network: bool) -> Result<(), ConfineError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        CLOSED.iter().map(|call| (*call, Vec::new())).collect();
    let of_kind = |kind: &libc::c_int| {
        let value = u64::try_from(*kind).unwrap_or_default();
        let (length, same) = (SeccompCmpArgLen::Dword, SeccompCmpOp::Eq);
        SeccompRule::new(vec![SeccompCondition::new(0, length, same, value)?])
    };
    let closed = NETWORK.iter().filter(|_| !network);
    let sockets: Result<Vec<_>, _> = LOCAL.iter().chain(closed).map(of_kind).collect();
    rules.insert(libc::SYS_socket, sockets?);
    let refusal = u32::try_from(libc::EPERM).unwrap_or(1);
    let Ok(machine) = std::env::consts::ARCH.try_into() else {
        // seccomp knows no filter for this machine; files are closed all the same.
        return Ok(());
    };
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(refusal),
        machine,
    )?;
    let program: BpfProgram = filter.try_into()?;
    seccompiler::apply_filter(&program)?;
    Ok(())
}
