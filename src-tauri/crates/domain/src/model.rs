//! How a model is named: the service that runs it and the service's own name for it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A service id must be short and made of lower-case letters, digits and hyphens.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a service id: use 1 to 48 of a-z, 0-9 and -")]
pub struct ServiceIdError(String);

/// The user's name for one configured model service, such as `openai` or `my-vllm`.
///
/// It is a settings key and part of a keyring entry, so its alphabet is narrow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub struct ServiceId(String);

impl ServiceId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ServiceId {
    type Error = ServiceIdError;

    fn try_from(text: String) -> Result<Self, ServiceIdError> {
        let fits = (1..=48).contains(&text.len())
            && text
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if fits {
            Ok(Self(text))
        } else {
            Err(ServiceIdError(text.chars().take(60).collect()))
        }
    }
}

impl std::str::FromStr for ServiceId {
    type Err = ServiceIdError;

    fn from_str(text: &str) -> Result<Self, ServiceIdError> {
        Self::try_from(text.to_owned())
    }
}

impl From<ServiceId> for String {
    fn from(id: ServiceId) -> Self {
        id.0
    }
}

impl std::fmt::Display for ServiceId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A service's own name for a model, such as `deepseek-chat` or `qwen3:4b`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct ModelName(String);

impl ModelName {
    /// Takes any non-empty name, trimmed; `None` for blank text.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        (!trimmed.is_empty()).then(|| Self(trimmed.to_owned()))
    }

    /// The name as the service knows it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for ModelName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// One model of one configured service.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
pub struct ModelRef {
    /// The service that runs it.
    pub service: ServiceId,
    /// The service's name for it.
    pub model: ModelName,
}

#[cfg(test)]
mod tests {
    use super::ServiceId;

    #[test]
    fn a_service_id_has_a_narrow_alphabet() {
        assert!("my-vllm2".parse::<ServiceId>().is_ok());
        for bad in ["", "My", "a b", "a/b", "..", "服务", &"a".repeat(49)] {
            assert!(bad.parse::<ServiceId>().is_err(), "{bad}");
        }
    }
}
