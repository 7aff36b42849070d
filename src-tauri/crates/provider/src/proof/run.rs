//! The steps themselves.

use futures_util::StreamExt;
use serde_json::{Value, json};
use talaria_domain::{
    ErrorCode, Message, ModelEvent, ModelName, ModelRequest, ServiceFailure, ToolCall, ToolChoice,
    ToolSpec,
};

use super::remedy::{refuses_tools, remedy};
use super::{ProofStep, Remedy};
use crate::{Client, Endpoint, Files, ListedModel, failure, is_loopback, table_facts};

/// Enough for a short answer of a model that thinks first.
const ANSWER_TOKENS: u32 = 2048;
/// Enough to see whether a key is taken.
const KEY_TOKENS: u32 = 16;
/// Rounds with a tool before the model must have answered.
const ROUNDS: usize = 3;
/// Characters of what a model said that are shown.
const SHOWN: usize = 80;
/// Similar names that are shown for a model that is not listed.
const SIMILAR: usize = 5;
const TOOL: &str = "look_up_word";
const WORD: &str = "kingfisher";

/// How a step came out.
pub(super) enum Outcome {
    Passed(String),
    Limited(Remedy, String),
    Failed(ErrorCode, Remedy, String),
}

/// What a proof knows while it runs.
pub(super) struct Run {
    client: Client,
    endpoint: Endpoint,
    model: ModelName,
    /// On this computer.
    near: bool,
    /// What the service listed, or why it did not; asked once, at the key.
    listed: Result<Vec<ListedModel>, ServiceFailure>,
}

/// A whole streamed answer.
#[derive(Default)]
struct Answer {
    text: String,
    reasoning: String,
    echo: Option<Value>,
    calls: Vec<ToolCall>,
}

impl Run {
    pub(super) fn new(client: Client, endpoint: Endpoint, model: ModelName) -> Self {
        let near = is_loopback(&endpoint.base_url);
        Self {
            client,
            endpoint,
            model,
            near,
            listed: Ok(Vec::new()),
        }
    }

    pub(super) async fn take(&mut self, step: ProofStep) -> Outcome {
        let taken = match step {
            ProofStep::Reach => self.reach().await,
            ProofStep::Key => self.key().await,
            ProofStep::Models => Ok(self.models()),
            ProofStep::Answer => self.answer().await,
            ProofStep::ToolCall => self.tool_call().await,
            ProofStep::Window => Ok(self.window()),
        };
        taken.unwrap_or_else(|failure| {
            let remedy = remedy(&failure, step, self.near);
            Outcome::Failed(failure.code, remedy, failure.message)
        })
    }

    async fn reach(&self) -> Result<Outcome, ServiceFailure> {
        self.client.reach(&self.endpoint).await?;
        let url = &self.endpoint.base_url;
        let host = url.host_str().unwrap_or_default();
        Ok(Outcome::Passed(match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }))
    }

    /// A list proves the key only where it is not public; else one short request does.
    async fn key(&mut self) -> Result<Outcome, ServiceFailure> {
        self.listed = self.client.list_models(&self.endpoint).await;
        match &self.listed {
            Ok(_) => {}
            // The service may have no list; the next step says so.
            Err(failure) if lacks_list(failure) => {}
            Err(failure) => return Err(failure.clone()),
        }
        if self.endpoint.key.is_none() || (self.listed.is_ok() && self.list_needs_key().await) {
            return Ok(Outcome::Passed(String::new()));
        }
        match self
            .ask(self.request(KEY_TOKENS, hello(), Vec::new()))
            .await
        {
            Err(failure) if failure.code == ErrorCode::Auth => Err(failure),
            // Whatever else is wrong, the service knew the key; the later steps tell.
            _ => Ok(Outcome::Passed(String::new())),
        }
    }

    async fn list_needs_key(&self) -> bool {
        let open = Endpoint {
            key: None,
            ..self.endpoint.clone()
        };
        self.client
            .list_models(&open)
            .await
            .is_err_and(|failure| failure.code == ErrorCode::Auth)
    }

    fn models(&self) -> Outcome {
        let listed = match &self.listed {
            Ok(listed) => listed,
            Err(failure) => {
                return Outcome::Limited(Remedy::ReadMessage, failure.message.clone());
            }
        };
        if listed.is_empty() && self.near {
            return Outcome::Failed(ErrorCode::ModelNotFound, Remedy::PullModel, String::new());
        }
        if self.listed_model().is_some() {
            return Outcome::Passed(listed.len().to_string());
        }
        Outcome::Limited(Remedy::ChooseModel, similar(listed, self.model.as_str()))
    }

    fn listed_model(&self) -> Option<&ListedModel> {
        let listed = self.listed.as_ref().ok()?;
        let wanted = self.model.as_str();
        listed
            .iter()
            .find(|listed| is_same_model(listed.name.as_str(), wanted))
    }

    async fn answer(&self) -> Result<Outcome, ServiceFailure> {
        let answer = self
            .ask(self.request(ANSWER_TOKENS, hello(), Vec::new()))
            .await?;
        let said = if answer.text.trim().is_empty() {
            answer.reasoning
        } else {
            answer.text
        };
        if said.trim().is_empty() {
            return Err(failure::bad_response("The model's answer is empty."));
        }
        Ok(Outcome::Passed(shown(&said)))
    }

    /// Offers one tool, sends its result back and expects an answer after it.
    async fn tool_call(&self) -> Result<Outcome, ServiceFailure> {
        let mut messages = vec![Message::User {
            text: format!(
                "Call the tool {TOOL} with the topic \"talaria\". When you have its result, \
                 answer with the word it gave and nothing else."
            ),
            attachments: Vec::new(),
        }];
        let mut called = false;
        for _ in 0..ROUNDS {
            let request = self.request(ANSWER_TOKENS, messages.clone(), vec![tool()]);
            let answer = match self.ask(request).await {
                Err(failure) if refuses_tools(&failure) => {
                    return Ok(Outcome::Limited(Remedy::ChooseToolModel, failure.message));
                }
                other => other?,
            };
            if answer.calls.is_empty() {
                let spoke = !(answer.text.trim().is_empty() && answer.reasoning.trim().is_empty());
                return Ok(if called && spoke {
                    Outcome::Passed(TOOL.to_owned())
                } else {
                    Outcome::Limited(Remedy::ChooseToolModel, shown(&answer.text))
                });
            }
            if let Some(wrong) = answer.calls.iter().find(|call| !is_right(call)) {
                let said = format!("{} {}", wrong.name, wrong.arguments);
                return Ok(Outcome::Limited(Remedy::ChooseToolModel, shown(&said)));
            }
            called = true;
            append_results(&mut messages, answer);
        }
        Ok(Outcome::Limited(Remedy::ChooseToolModel, TOOL.to_owned()))
    }

    /// What the service lists, else what is known of hosted models. A local service decides on the
    /// window itself, whatever its model could do.
    fn window(&self) -> Outcome {
        let listed = self.listed_model().map(|model| model.facts);
        let known = listed
            .unwrap_or_default()
            .or(table_facts(&self.endpoint.base_url, self.model.as_str()));
        match known.context_window {
            Some(tokens) => Outcome::Passed(tokens.to_string()),
            None => Outcome::Limited(Remedy::SetWindow, String::new()),
        }
    }

    fn request(&self, tokens: u32, messages: Vec<Message>, tools: Vec<ToolSpec>) -> ModelRequest {
        ModelRequest {
            model: self.model.clone(),
            messages,
            tools,
            // What a conversation sends; some models refuse a forced call.
            tool_choice: ToolChoice::Auto,
            max_output_tokens: Some(tokens),
        }
    }

    /// Streams one answer to its terminal event.
    async fn ask(&self, request: ModelRequest) -> Result<Answer, ServiceFailure> {
        let mut stream = self
            .client
            .stream(&self.endpoint, request, &Files::default());
        let mut answer = Answer::default();
        while let Some(event) = stream.next().await {
            match event? {
                ModelEvent::Text(text) => answer.text.push_str(&text),
                ModelEvent::Reasoning(text) => answer.reasoning.push_str(&text),
                ModelEvent::WasReasoning => answer.reasoning = std::mem::take(&mut answer.text),
                ModelEvent::ToolCall(call) => answer.calls.push(call),
                ModelEvent::Echo(value) => answer.echo = Some(value),
                ModelEvent::Usage(_) | ModelEvent::Notice(_) => {}
                ModelEvent::Finished(_) => return Ok(answer),
            }
        }
        Err(failure::stream_cut())
    }
}

fn hello() -> Vec<Message> {
    vec![Message::User {
        text: "Say hello in one short sentence.".to_owned(),
        attachments: Vec::new(),
    }]
}

fn tool() -> ToolSpec {
    ToolSpec {
        name: TOOL.to_owned(),
        description: "Looks up the word that belongs to a topic.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "topic": { "type": "string", "description": "The topic." } },
            "required": ["topic"],
        }),
    }
}

/// The tool that was offered, with arguments that could be read.
fn is_right(call: &ToolCall) -> bool {
    call.name == TOOL && call.arguments.is_object()
}

fn append_results(messages: &mut Vec<Message>, answer: Answer) {
    let Answer {
        text,
        reasoning,
        echo,
        calls,
    } = answer;
    let results: Vec<Message> = calls
        .iter()
        .map(|call| Message::Tool {
            call_id: call.id.clone(),
            name: call.name.clone(),
            text: WORD.to_owned(),
            is_error: false,
        })
        .collect();
    let reasoning = (!reasoning.is_empty()).then_some(reasoning);
    messages.push(Message::Assistant {
        text,
        reasoning,
        echo,
        calls,
    });
    messages.extend(results);
}

/// Whether the failure of a list means only that there is none. A wrong address looks the same;
/// it shows when the model is asked.
fn lacks_list(failure: &ServiceFailure) -> bool {
    matches!(
        failure.code,
        ErrorCode::BadResponse | ErrorCode::BadRequest | ErrorCode::ModelNotFound
    )
}

/// Lists put a folder before a name (`models/…`) or a tag behind it (`…:latest`).
fn is_same_model(listed: &str, wanted: &str) -> bool {
    let bare = |name: &str| {
        let name = name.strip_prefix("models/").unwrap_or(name);
        name.strip_suffix(":latest")
            .unwrap_or(name)
            .to_ascii_lowercase()
    };
    bare(listed) == bare(wanted)
}

/// The listed names that begin most like the wanted one.
fn similar(listed: &[ListedModel], wanted: &str) -> String {
    let common = |name: &str| {
        let pairs = name.chars().zip(wanted.chars());
        pairs
            .take_while(|(one, other)| one.eq_ignore_ascii_case(other))
            .count()
    };
    let mut names: Vec<&str> = listed.iter().map(|model| model.name.as_str()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(common(name)));
    names.truncate(SIMILAR);
    names.join(", ")
}

/// The beginning of what was said, on one line.
fn shown(said: &str) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::{ModelFacts, ModelName};

    use super::{SHOWN, is_same_model, shown, similar};
    use crate::ListedModel;

    #[test]
    fn a_model_is_found_under_its_other_spellings() {
        for (listed, wanted, same) in [
            ("models/gemini-3.6-flash", "gemini-3.6-flash", true),
            ("qwen3:latest", "qwen3", true),
            ("qwen3:4b", "qwen3", false),
            ("GLM-5.2", "glm-5.2", true),
            ("gpt-4o-mini", "gpt-4o", false),
        ] {
            assert_eq!(is_same_model(listed, wanted), same, "{listed} / {wanted}");
        }
    }

    #[test]
    fn the_names_most_like_the_wanted_one_come_first() {
        let listed: Vec<_> = ["a", "b", "qwen2", "llama", "c", "qwen3:4b", "d"]
            .iter()
            .filter_map(|name| ModelName::new(name))
            .map(|name| ListedModel {
                name,
                facts: ModelFacts::default(),
            })
            .collect();
        assert_eq!(similar(&listed, "qwen3"), "qwen3:4b, qwen2, a, b, llama");
        assert_eq!(similar(&[], "qwen3"), "");
    }

    #[test]
    fn what_is_shown_is_one_bounded_line() {
        assert_eq!(shown(" Hello,\n  world "), "Hello, world");
        assert_eq!(shown(&"你好".repeat(100)).chars().count(), SHOWN + 1);
    }
}
