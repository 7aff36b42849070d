//! The store as the rest of Talaria uses it: whole files on disk, several processes, damage.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that fails is to stop at once, where it fails"
)]

mod attachment;
mod compaction;
mod crash;
mod damage;
mod file_change;
mod fixture;
mod folder;
mod lesson;
mod search;
mod session;
mod sharing;
mod trace;
mod turn;
