//! Files that go with a message.

use serde::{Deserialize, Serialize};
use talaria_domain::{Attachment, AttachmentId};
use ts_rs::TS;

/// Take a file in, to go with a message. A picture is brought to a size that services take.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct AddAttachment {
    /// Its name, as the user knows it.
    pub name: String,
    /// Its bytes in base64.
    pub data: String,
}

/// Take in the picture that lies in the clipboard: WebKitGTK hands a page none when one is pasted.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct PasteImage {}

/// Read a file that was taken in, to show it.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadAttachment {
    /// Which.
    pub id: AttachmentId,
}

/// A file with its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AttachmentContent {
    /// What it is.
    pub attachment: Attachment,
    /// Its bytes in base64.
    pub data: String,
}
