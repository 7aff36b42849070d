//! Remote images, one at a time, after the user's click.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use url::Url;

use crate::{ApiError, Core, LoadImage, LoadedImage};

/// Fetches an image that the user chose to see.
pub async fn load_image(
    core: &Core,
    LoadImage { url }: LoadImage,
) -> Result<LoadedImage, ApiError> {
    let url = Url::parse(&url).map_err(ApiError::invalid)?;
    let image = core.client().image(url).await?;
    let data = STANDARD.encode(&image.bytes);
    Ok(LoadedImage {
        data_url: format!("data:{};base64,{data}", image.media_type),
    })
}
