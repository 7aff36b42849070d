//! What a session may do, and where.

use talaria_domain::Folder;

use crate::{ApiError, Change, Core, GrantFolder, ListFolders, RevokeFolder, SetSessionMode};

/// Chooses how much a session may do without asking.
pub async fn set_session_mode(
    core: &Core,
    SetSessionMode { session_id, mode }: SetSessionMode,
) -> Result<(), ApiError> {
    core.stored(move |store| store.set_session_mode(session_id, mode))
        .await?;
    core.changed(Change::Sessions);
    Ok(())
}

/// Lets a session use a folder.
pub async fn grant_folder(
    core: &Core,
    GrantFolder { session_id, folder }: GrantFolder,
) -> Result<(), ApiError> {
    core.grant(session_id, folder).await?;
    core.changed(Change::Session { session_id });
    Ok(())
}

/// Takes a folder away from a session.
pub async fn revoke_folder(
    core: &Core,
    RevokeFolder { session_id, path }: RevokeFolder,
) -> Result<(), ApiError> {
    core.stored(move |store| store.revoke_folder(session_id, &path))
        .await?;
    core.changed(Change::Session { session_id });
    Ok(())
}

/// The folders a session may use, the one it works in first.
pub async fn list_folders(
    core: &Core,
    ListFolders { session_id }: ListFolders,
) -> Result<Vec<Folder>, ApiError> {
    core.folders(session_id).await
}
