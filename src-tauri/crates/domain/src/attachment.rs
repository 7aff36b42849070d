//! A file that the user sends along with a message.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::AttachmentId;

/// An image or a file of the user's, without its bytes: these stay in the store and are fetched
/// when a request is written, so that a message stays small wherever it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Attachment {
    /// Its id.
    pub id: AttachmentId,
    /// The file's name, without a folder.
    pub name: String,
    /// What it is, for example `image/png`; found from its bytes, not from its name.
    pub media_type: String,
    /// Its size in bytes, as it is kept.
    #[ts(type = "number")]
    pub size: u64,
}

impl Attachment {
    /// Whether it is a picture.
    #[must_use]
    pub fn is_image(&self) -> bool {
        self.media_type.starts_with("image/")
    }
}
