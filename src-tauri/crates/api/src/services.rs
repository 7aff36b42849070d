//! Which model service is meant, and how it is reached.
//!
//! A service comes from the settings; on the command line also from flags and the environment, which
//! then form a service of their own under the name `environment`.

use std::ffi::OsString;

use talaria_domain::{ErrorCode, ModelName, ModelRef, ServiceId};
use talaria_provider::{Endpoint, Protocol, base_url};
use talaria_secret::{Redactor, Secret, SecretName};
use talaria_store::ServiceSettings;

use crate::{ApiError, Core};

/// The id of the service that flags and the environment describe.
const ENVIRONMENT: &str = "environment";

/// What the command line's flags say about the service to use.
#[derive(Clone, Debug, Default)]
pub struct ServiceOverride {
    /// Its address.
    pub base_url: Option<String>,
    /// The model: a name, or `SERVICE/NAME`.
    pub model: Option<String>,
    /// Its protocol.
    pub protocol: Option<String>,
}

/// The service that flags and the environment describe.
#[derive(Clone, Debug)]
pub(crate) struct EnvironmentService {
    id: ServiceId,
    endpoint: Endpoint,
    model: Option<ModelName>,
}

impl EnvironmentService {
    /// Makes the key known to who takes secrets out of what is written.
    pub(crate) fn add_key_to(&self, redactor: &Redactor) {
        if let Some(key) = &self.endpoint.key {
            redactor.add(key);
        }
    }

    /// Reads the flags, then `TALARIA_*`, then `HERMES_*`. None: neither an address nor a key is
    /// given.
    pub(crate) fn read(
        flags: &ServiceOverride,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Option<Self>, ApiError> {
        let variable = |name: &str| {
            let read = |prefix: &str| environment(&format!("{prefix}_{name}"));
            let value = read("TALARIA").or_else(|| read("HERMES"))?;
            value
                .into_string()
                .ok()
                .filter(|value| !value.trim().is_empty())
        };
        let key = variable("API_KEY");
        let address = flags.base_url.clone().or_else(|| variable("BASE_URL"));
        if key.is_none() && address.is_none() {
            return Ok(None);
        }
        let protocol = match flags.protocol.clone().or_else(|| variable("PROTOCOL")) {
            Some(name) => protocol_named(&name)?,
            None => Protocol::OpenaiChat,
        };
        let address = address.unwrap_or_else(|| usual_address(protocol).to_owned());
        let model = flags.model.clone().or_else(|| variable("MODEL"));
        Ok(Some(Self {
            id: ENVIRONMENT.parse().map_err(ApiError::invalid)?,
            endpoint: Endpoint {
                base_url: base_url(&address, protocol).map_err(ApiError::invalid)?,
                protocol,
                key: key.map(|key| Secret::new(key.trim().to_owned())),
            },
            model: model.as_deref().and_then(ModelName::new),
        }))
    }
}

/// The protocol of that name, in the settings or in an environment variable.
pub(crate) fn protocol_named(name: &str) -> Result<Protocol, ApiError> {
    match name.trim().to_ascii_lowercase().as_str() {
        "openai_chat" | "openai" => Ok(Protocol::OpenaiChat),
        "openai_responses" | "responses" => Ok(Protocol::OpenaiResponses),
        "anthropic_messages" | "anthropic" => Ok(Protocol::AnthropicMessages),
        other => Err(ApiError::invalid(format_args!(
            "\"{other}\" is no protocol: use openai_chat, openai_responses or anthropic_messages"
        ))),
    }
}

/// How the settings write a protocol.
pub(crate) fn protocol_name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::OpenaiChat => "openai_chat",
        Protocol::OpenaiResponses => "openai_responses",
        Protocol::AnthropicMessages => "anthropic_messages",
    }
}

fn usual_address(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::OpenaiChat | Protocol::OpenaiResponses => "https://api.openai.com/v1",
        Protocol::AnthropicMessages => "https://api.anthropic.com/v1",
    }
}

/// The name under which a service's key is kept.
pub(crate) fn key_name(id: &ServiceId) -> Result<SecretName, ApiError> {
    SecretName::new(&format!("service:{id}")).map_err(|error| ApiError::internal(&error))
}

impl Core {
    /// The model new sessions begin with: what flags or the environment ask for, else the settings'.
    #[must_use]
    pub fn default_model(&self) -> Option<ModelRef> {
        self.chosen_model().or_else(|| self.settings().model)
    }

    /// The service of the default model, or the one that the environment describes without a model.
    #[must_use]
    pub fn default_service(&self) -> Option<ServiceId> {
        match self.environment_service() {
            Some(service) => Some(service.id.clone()),
            None => self.default_model().map(|model| model.service),
        }
    }

    /// The model that flags or the environment ask for.
    #[must_use]
    pub fn chosen_model(&self) -> Option<ModelRef> {
        if let Some(EnvironmentService { id, model, .. }) = self.environment_service() {
            return model.clone().map(|model| ModelRef {
                service: id.clone(),
                model,
            });
        }
        let asked = self.service_override().model.as_deref()?;
        let settings = self.settings();
        let named = asked.split_once('/').and_then(|(service, model)| {
            let service = settings
                .services
                .iter()
                .find(|known| known.id.as_str() == service)?;
            Some(ModelRef {
                service: service.id.clone(),
                model: ModelName::new(model)?,
            })
        });
        named.or_else(|| {
            Some(ModelRef {
                service: settings.model?.service,
                model: ModelName::new(asked)?,
            })
        })
    }

    /// A configured service.
    pub(crate) fn service(&self, id: &ServiceId) -> Result<Option<ServiceSettings>, ApiError> {
        if self
            .environment_service()
            .is_some_and(|service| service.id == *id)
        {
            return Ok(None);
        }
        let found = self
            .settings()
            .services
            .into_iter()
            .find(|service| service.id == *id);
        found.map(Some).ok_or_else(|| {
            let message = format!("the service \"{id}\" is not set up; choose another model");
            ApiError::new(ErrorCode::NotFound, message)
        })
    }

    /// How a service is reached, with its key if it has one.
    pub(crate) async fn endpoint(&self, id: &ServiceId) -> Result<Endpoint, ApiError> {
        let Some(service) = self.service(id)? else {
            return self
                .environment_service()
                .map(|service| service.endpoint.clone())
                .ok_or_else(ApiError::no_model);
        };
        let protocol = protocol_named(&service.protocol)?;
        // A service without a key never touches the keyring.
        let key = if service.has_key {
            self.secrets().get(&key_name(id)?).await?
        } else {
            None
        };
        Ok(Endpoint {
            base_url: base_url(&service.base_url, protocol).map_err(ApiError::invalid)?,
            protocol,
            key,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::{EnvironmentService, ServiceOverride, protocol_name, protocol_named};

    fn read(variables: &[(&str, &str)]) -> Option<EnvironmentService> {
        let environment = |name: &str| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| OsString::from(value))
        };
        EnvironmentService::read(&ServiceOverride::default(), environment).expect("it reads")
    }

    #[test]
    fn an_address_alone_describes_a_service_without_a_key() {
        let service =
            read(&[("TALARIA_BASE_URL", "http://127.0.0.1:9000/v1/")]).expect("a service");
        assert_eq!(
            service.endpoint.base_url.as_str(),
            "http://127.0.0.1:9000/v1"
        );
        assert!(service.endpoint.key.is_none() && service.model.is_none());
    }

    #[test]
    fn talaria_wins_over_hermes_and_both_can_be_mixed() {
        let service = read(&[
            ("HERMES_BASE_URL", "http://127.0.0.1:1/v1"),
            ("HERMES_MODEL", "old"),
            ("TALARIA_MODEL", "new"),
            ("HERMES_API_KEY", " key "),
        ])
        .expect("a service");
        assert_eq!(service.model.expect("a model").as_str(), "new");
        assert_eq!(service.endpoint.key.expect("a key").expose(), "key");
    }

    #[test]
    fn nothing_set_describes_nothing() {
        assert!(read(&[("TALARIA_BASE_URL", " "), ("TALARIA_MODEL", "m")]).is_none());
    }

    #[test]
    fn each_protocol_goes_by_its_name_and_a_short_one() {
        for (short, name, host) in [
            ("openai", "openai_chat", "api.openai.com"),
            ("responses", "openai_responses", "api.openai.com"),
            ("Anthropic ", "anthropic_messages", "api.anthropic.com"),
        ] {
            let protocol = protocol_named(short).expect("it is known");
            assert_eq!(protocol_name(protocol), name);
            assert_eq!(protocol_named(name).expect("it is known"), protocol);
            let service = read(&[("TALARIA_API_KEY", "k"), ("TALARIA_PROTOCOL", short)]);
            let url = service.expect("a service").endpoint.base_url;
            assert_eq!(url.host_str(), Some(host));
        }
    }

    #[test]
    fn an_unknown_protocol_is_an_error() {
        let flags = ServiceOverride {
            protocol: Some("soap".into()),
            base_url: Some("http://127.0.0.1:1".into()),
            model: None,
        };
        assert!(EnvironmentService::read(&flags, |_| None).is_err());
    }
}
