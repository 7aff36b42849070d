//! Secrets for commands: keeping one, forgetting one, their names.

use crate::secrets::name_of;
use crate::{
    ApiError, Change, Core, ListToolSecrets, RemoveToolSecret, SaveToolSecret, ToolSecret,
};

/// The shortest value that is kept, in bytes.
const SHORTEST: usize = 6;

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
    // A shorter one would stand in too many innocent texts to be taken out of them.
    if value.expose().len() < SHORTEST {
        return Err(ApiError::invalid(
            "a secret has at least 6 characters, so that it can be kept out of texts",
        ));
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
    core.change_settings(move |settings| {
        let same = |known: &String| known.eq_ignore_ascii_case(&name);
        settings.tool_secrets.retain(|known| !same(known));
    })
    .await?;
    core.changed(Change::Settings);
    Ok(())
}
