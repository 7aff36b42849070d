//! Secrets for commands: keeping one, forgetting one, their names.

use crate::secrets::name_of;
use crate::{
    ApiError, Change, Core, ListToolSecrets, RemoveToolSecret, SaveToolSecret, ToolSecret,
};

/// The names of the secrets for commands.
pub async fn list_tool_secrets(
    core: &Core,
    ListToolSecrets {}: ListToolSecrets,
) -> Result<Vec<ToolSecret>, ApiError> {
    let names = core.settings().tool_secrets.into_iter();
    Ok(names.map(|name| ToolSecret { name }).collect())
}

/// Keeps a secret for commands.
pub async fn save_tool_secret(
    core: &Core,
    SaveToolSecret { name, value }: SaveToolSecret,
) -> Result<(), ApiError> {
    let key = name_of(&name)?;
    if value.expose().is_empty() {
        return Err(ApiError::invalid("the secret is empty"));
    }
    core.secrets().set(&key, value).await?;
    core.change_settings(move |settings| {
        let same = |known: &String| known.eq_ignore_ascii_case(&name);
        settings.tool_secrets.retain(|known| !same(known));
        settings.tool_secrets.push(name);
        settings.tool_secrets.sort();
    })
    .await?;
    core.changed(Change::Settings);
    Ok(())
}

/// Forgets a secret for commands.
pub async fn remove_tool_secret(
    core: &Core,
    RemoveToolSecret { name }: RemoveToolSecret,
) -> Result<(), ApiError> {
    core.secrets().delete(&name_of(&name)?).await?;
    core.change_settings(move |settings| settings.tool_secrets.retain(|known| *known != name))
        .await?;
    core.changed(Change::Settings);
    Ok(())
}
