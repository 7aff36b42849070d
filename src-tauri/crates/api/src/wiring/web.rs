//! The shared HTTP client as the tools' public web.

use async_trait::async_trait;
use talaria_provider::Client;
use talaria_tool::{Fetched, Web};
use url::Url;

/// The public web, and the private hosts that the user allowed.
pub(crate) struct PublicWeb {
    client: Client,
    allowed: Vec<String>,
}

impl PublicWeb {
    pub(crate) fn new(client: Client, allowed: Vec<String>) -> Self {
        Self { client, allowed }
    }
}

#[async_trait]
impl Web for PublicWeb {
    async fn fetch(&self, url: &Url) -> Result<Fetched, String> {
        let fetched = self.client.page(url.clone(), &self.allowed).await;
        let file = fetched.map_err(|failure| failure.message)?;
        Ok(Fetched {
            url: file.url.into(),
            content_type: file.content_type,
            bytes: file.bytes.to_vec(),
        })
    }
}
