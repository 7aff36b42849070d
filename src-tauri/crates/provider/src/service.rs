//! A configured model service and what it lists.

use serde::{Deserialize, Serialize};
use talaria_domain::{ModelFacts, ModelName};
use talaria_secret::Secret;
use ts_rs::TS;
use url::Url;

/// The wire protocol a service speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// OpenAI's chat completions, which most services imitate.
    OpenaiChat,
    /// OpenAI's responses, the newer of its two protocols.
    OpenaiResponses,
    /// Anthropic's messages.
    AnthropicMessages,
}

impl Protocol {
    /// Whether a service speaks both protocols at one address: OpenAI's two are such.
    pub(crate) fn shares_addresses_with(self, other: Self) -> bool {
        let is_anthropic = |protocol| matches!(protocol, Self::AnthropicMessages);
        is_anthropic(self) == is_anthropic(other)
    }
}

/// A model as its service lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListedModel {
    /// The service's name for it.
    pub name: ModelName,
    /// What the service tells of it.
    pub facts: ModelFacts,
}

/// Where a service is and how to speak to it.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The address requests go to, normalised: no trailing slash, version part included.
    pub base_url: Url,
    /// The protocol it speaks.
    pub protocol: Protocol,
    /// The key, where one is needed.
    pub key: Option<Secret<String>>,
}
