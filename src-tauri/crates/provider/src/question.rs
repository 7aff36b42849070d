//! A request as it goes over the wire: which protocol's writer makes it, and whose reader takes the
//! answer. The client puts it.

use serde_json::Value;
use talaria_domain::{ModelRequest, Notice, ServiceFailure};

use crate::answer::Reader;
use crate::attachment::{Files, Reading};
use crate::dialect::{Dialect, Quirk};
use crate::echo::Maker;
use crate::history::History;
use crate::printed_calls::Offer;
use crate::tool_calls::Ids;
use crate::{Endpoint, Protocol, anthropic, chat_completions, responses};

/// A request in a protocol's own words.
pub(crate) struct Question {
    /// Where it goes, below the service's address.
    pub(crate) path: &'static [&'static str],
    pub(crate) body: Value,
    /// What the body asks for beyond the protocol, by the service's name for it.
    pub(crate) beta: Option<&'static str>,
    /// What the user should know about how the request was made.
    pub(crate) notices: Vec<Notice>,
}

impl Question {
    /// Puts a request into words. It fails where the model can't be asked that at all.
    pub(crate) fn new(
        endpoint: &Endpoint,
        request: &ModelRequest,
        files: &Files,
        dialect: &Dialect,
    ) -> Result<Self, ServiceFailure> {
        let host = endpoint.base_url.host_str().unwrap_or_default();
        let maker = Maker::model(host, request.model.as_str());
        let documents = match endpoint.protocol {
            Protocol::OpenaiChat => dialect.has(Quirk::FileParts),
            Protocol::OpenaiResponses | Protocol::AnthropicMessages => true,
        };
        let mut reading = Reading::new(files, dialect, documents);
        let history = History::settle(request.messages.clone(), &mut reading)?.adapted(dialect);
        let tools_left_out = !request.tools.is_empty() && dialect.has(Quirk::NoTools);
        let notices = [
            (tools_left_out, Notice::ToolsLeftOut),
            (reading.images_left_out, Notice::ImagesLeftOut),
        ];
        let (path, body): (&'static [&'static str], Value) = match endpoint.protocol {
            Protocol::OpenaiChat => (
                &chat_completions::PATH,
                chat_completions::body(request, history, host, dialect),
            ),
            Protocol::OpenaiResponses => (
                &responses::PATH,
                responses::body(request, history, &maker, dialect),
            ),
            Protocol::AnthropicMessages => (
                &anthropic::PATH,
                anthropic::body(request, history, &maker, dialect),
            ),
        };
        Ok(Self {
            path,
            body,
            beta: match endpoint.protocol {
                Protocol::AnthropicMessages => anthropic::beta(dialect),
                Protocol::OpenaiChat | Protocol::OpenaiResponses => None,
            },
            notices: notices
                .into_iter()
                .filter_map(|(holds, notice)| holds.then_some(notice))
                .collect(),
        })
    }
}

/// What reads the answer to a request, in the protocol of the service at `host`.
pub(crate) fn reader(protocol: Protocol, host: &str, request: &ModelRequest) -> Box<dyn Reader> {
    let ids = Ids::of(&request.messages);
    let maker = Maker::model(host, request.model.as_str());
    let offer = Offer::of(request);
    match protocol {
        Protocol::OpenaiChat => Box::new(chat_completions::Reader::new(host, ids, offer)),
        Protocol::OpenaiResponses => Box::new(responses::Reader::new(maker, ids, offer)),
        Protocol::AnthropicMessages => Box::new(anthropic::Reader::new(maker, ids, offer)),
    }
}
