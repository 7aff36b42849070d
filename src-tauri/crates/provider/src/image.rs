//! Remote images, fetched one at a time after the user chose to see one, from the public network
//! alone.

use bytes::Bytes;
use talaria_domain::{ErrorCode, ServiceFailure};
use url::Url;

use crate::Client;
use crate::public::{failure, get};

/// The largest image that is fetched, in bytes.
const LARGEST: usize = 10 * 1024 * 1024;
/// What the page can show without running anything.
const MEDIA_TYPES: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
];

/// An image as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteImage {
    /// One of the types a page shows without running anything.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Bytes,
}

impl Client {
    /// Fetches an image from the public network.
    ///
    /// # Errors
    /// `denied` for an address that is not public, `bad_response` for what is no image or too large,
    /// else what the connection said.
    pub async fn image(&self, url: Url) -> Result<RemoteImage, ServiceFailure> {
        let file = get(url, LARGEST, &[]).await?;
        let declared = file.content_type.split(';').next().unwrap_or_default();
        let declared = declared.trim().to_ascii_lowercase();
        let known = MEDIA_TYPES.into_iter().find(|known| *known == declared);
        let media_type = known.ok_or_else(|| {
            let other = "this is not an image that can be shown";
            failure(ErrorCode::BadResponse, other)
        })?;
        Ok(RemoteImage {
            media_type,
            bytes: file.bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::ErrorCode;

    use crate::{Client, Limits};

    #[tokio::test]
    async fn an_image_on_this_computer_is_refused_before_anything_is_sent() {
        let client = Client::new(Limits::default()).unwrap();
        for url in [
            "http://127.0.0.1:9/x.png",
            "http://[::1]/x.png",
            "http://localhost/x.png",
            "file:///etc/passwd",
        ] {
            let refused = client.image(url.parse().unwrap()).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::Denied, "{url}");
        }
    }
}
