//! What a session may do, and where.

use serde::Deserialize;
use talaria_domain::{Folder, Mode, SessionId};
use ts_rs::TS;

/// Choose how much a session may do without asking.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct SetSessionMode {
    /// Which session.
    pub session_id: SessionId,
    /// How much.
    pub mode: Mode,
}

/// Let a session use a folder.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct GrantFolder {
    /// Which session.
    pub session_id: SessionId,
    /// The folder, by its whole path.
    pub folder: Folder,
}

/// Take a folder away from a session.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RevokeFolder {
    /// Which session.
    pub session_id: SessionId,
    /// The folder's path, as it is listed.
    pub path: String,
}

/// List the folders a session may use. The first is the one it works in.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListFolders {
    /// Which session.
    pub session_id: SessionId,
}
