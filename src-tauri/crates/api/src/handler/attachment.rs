//! Files that go with a message: taken in, read back.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use talaria_domain::{Attachment, AttachmentId};

use crate::intake::{self, LARGEST_FILE};
use crate::{AddAttachment, ApiError, AttachmentContent, Core, PasteImage, ReadAttachment};

/// The name of a picture that was pasted.
const PASTED: &str = "image.png";

/// Takes a file in.
pub async fn add_attachment(
    core: &Core,
    AddAttachment { name, data }: AddAttachment,
) -> Result<Attachment, ApiError> {
    // Four characters for three bytes; what is longer need not be read to be refused.
    if data.len() / 4 * 3 > LARGEST_FILE + 3 {
        return Err(ApiError::invalid(intake::IntakeError::TooLarge));
    }
    let bytes = STANDARD.decode(data.trim()).map_err(ApiError::invalid)?;
    take_in(core, name, bytes).await
}

/// Takes in the picture that lies in the clipboard, if one does.
pub async fn paste_image(
    core: &Core,
    PasteImage {}: PasteImage,
) -> Result<Option<Attachment>, ApiError> {
    match core.host().clipboard_picture().await {
        Some(bytes) => take_in(core, PASTED.to_owned(), bytes).await.map(Some),
        None => Ok(None),
    }
}

/// Reads a file back.
pub async fn read_attachment(
    core: &Core,
    ReadAttachment { id }: ReadAttachment,
) -> Result<AttachmentContent, ApiError> {
    let (attachment, content) = core.stored(move |store| store.attachment(id)).await?;
    Ok(AttachmentContent {
        attachment,
        data: STANDARD.encode(content),
    })
}

/// Takes bytes in as a file of that name.
///
/// # Errors
/// `invalid_input` with what to do when no service takes such a file.
pub async fn take_in(core: &Core, name: String, bytes: Vec<u8>) -> Result<Attachment, ApiError> {
    let now = core.now();
    let id = AttachmentId::from_parts(now, core.random());
    let file = core
        .off_the_runtime(move || intake::take_in(&name, bytes))
        .await?
        .map_err(ApiError::invalid)?;
    let attachment = Attachment {
        id,
        name: file.name,
        media_type: file.media_type.to_owned(),
        size: u64::try_from(file.content.len()).unwrap_or(u64::MAX),
    };
    let kept = attachment.clone();
    core.stored(move |store| store.add_attachment(&kept, &file.content, now))
        .await?;
    Ok(attachment)
}
