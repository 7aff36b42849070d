//! A model, tools, a journal and a listener that play a script and remember what happened.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use async_trait::async_trait;
use futures_util::stream::{self, BoxStream, StreamExt};
use serde_json::{Value, json};
use talaria_agent::port::{
    CallSite, Clock, Journal, JournalError, Listener, LiveOutput, ModelService, Plan, PlannedCall,
    ToolSet,
};
use talaria_agent::{Budget, TurnEvent};
use talaria_domain::{
    Act, Compaction, ContextReport, ErrorCode, FinishReason, Item, ItemId, Message, ModelEvent,
    ModelRef, ModelRequest, Retry, ServiceFailure, ServiceId, Timestamp, ToolCall, ToolResult,
    ToolSpec, Turn, TurnId, Usage,
};

/// One scripted answer.
pub(crate) enum Round {
    /// These events, then the end of the stream.
    Events(Vec<Result<ModelEvent, ServiceFailure>>),
    /// These events, then nothing for ever.
    Hang(Vec<ModelEvent>),
}

pub(crate) fn says(text: &str) -> Round {
    Round::Events(vec![
        Ok(ModelEvent::Text(text.into())),
        Ok(ModelEvent::Usage(Usage {
            input_tokens: 10,
            output_tokens: 2,
            ..Usage::default()
        })),
        Ok(ModelEvent::Finished(FinishReason::Stop)),
    ])
}

pub(crate) fn calls(names: &[&str]) -> Round {
    let mut events: Vec<_> = names
        .iter()
        .map(|name| {
            Ok(ModelEvent::ToolCall(ToolCall {
                id: format!("call-{name}"),
                name: (*name).into(),
                arguments: json!({ "title": "会议" }),
                echo: None,
                recovered: false,
            }))
        })
        .collect();
    events.push(Ok(ModelEvent::Finished(FinishReason::ToolCalls)));
    Round::Events(events)
}

pub(crate) fn fails(code: ErrorCode, retry: Retry) -> Round {
    Round::Events(vec![Err(failure(code, retry))])
}

pub(crate) fn failure(code: ErrorCode, retry: Retry) -> ServiceFailure {
    ServiceFailure {
        code,
        message: "scripted".into(),
        retry,
        limit: None,
        status: None,
    }
}

/// Plays its rounds in order and asserts on every request what each service demands.
pub(crate) struct ScriptedModel {
    rounds: Mutex<VecDeque<Round>>,
    pub(crate) requests: Mutex<Vec<ModelRequest>>,
    /// The windows of the models that may take over.
    pub(crate) budgets: Mutex<HashMap<ModelRef, Budget>>,
    pub(crate) cuts_silently: bool,
    pub(crate) learnt: Mutex<Vec<(String, u64)>>,
    /// A model that takes over is not sent the reasoning of the first.
    pub(crate) may_rewrite: bool,
}

impl ScriptedModel {
    pub(crate) fn new(rounds: Vec<Round>) -> Self {
        Self {
            rounds: Mutex::new(rounds.into()),
            requests: Mutex::default(),
            budgets: Mutex::default(),
            cuts_silently: false,
            learnt: Mutex::default(),
            may_rewrite: false,
        }
    }
}

impl ModelService for ScriptedModel {
    fn budget(&self, model: &ModelRef) -> Option<Budget> {
        let budgets = self.budgets.lock().unwrap();
        budgets.get(model).cloned()
    }

    fn cuts_silently(&self, _service: &ServiceId) -> bool {
        self.cuts_silently
    }

    fn learn_window(&self, model: &ModelRef, tokens: u64) {
        let mut learnt = self.learnt.lock().unwrap();
        learnt.push((model.model.to_string(), tokens));
    }

    fn ask(
        &self,
        _service: &ServiceId,
        request: ModelRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>> {
        assert_valid(&request.messages);
        let mut requests = self.requests.lock().unwrap();
        if let Some(before) = requests.last().filter(|_| !self.may_rewrite) {
            let shared = before.messages.len();
            assert_eq!(
                before.messages,
                request.messages[..shared],
                "a request extends the one before"
            );
        }
        requests.push(request);
        match self
            .rounds
            .lock()
            .unwrap()
            .pop_front()
            .expect("the script has another round")
        {
            Round::Events(events) => stream::iter(events).boxed(),
            Round::Hang(events) => stream::iter(events.into_iter().map(Ok))
                .chain(stream::pending())
                .boxed(),
        }
    }
}

/// One system message, first; every call answered directly after; no empty message.
pub(crate) fn assert_valid(messages: &[Message]) {
    assert!(
        matches!(messages.first(), Some(Message::System { .. })),
        "the system prompt is first"
    );
    let mut open: VecDeque<&str> = VecDeque::new();
    for message in &messages[1..] {
        match message {
            Message::System { .. } => panic!("a second system message"),
            Message::Tool { call_id, .. } => {
                assert_eq!(
                    open.pop_front(),
                    Some(call_id.as_str()),
                    "answers follow their calls"
                );
            }
            Message::User { text, .. } => {
                assert!(open.is_empty(), "a call is unanswered");
                assert!(!text.trim().is_empty(), "an empty user message");
            }
            Message::Assistant { text, calls, .. } => {
                assert!(open.is_empty(), "a call is unanswered");
                assert!(
                    !text.trim().is_empty() || !calls.is_empty(),
                    "an empty answer"
                );
                open.extend(calls.iter().map(|call| call.id.as_str()));
            }
        }
    }
    assert!(open.is_empty(), "a call is unanswered");
}

/// Answers every call with its name; `slow` never answers, `broken` fails.
pub(crate) struct ScriptedTools;

#[async_trait]
impl ToolSet for ScriptedTools {
    fn specs(&self) -> Vec<ToolSpec> {
        vec![ToolSpec {
            name: "save_note".into(),
            description: String::new(),
            parameters: json!({}),
        }]
    }

    async fn plan(&self, _site: CallSite, mut call: ToolCall) -> Plan {
        if call.arguments == "title: 雨" {
            call.arguments = json!({ "title": "雨" });
        }
        let act = Act::default();
        Plan::Ready(PlannedCall { call, act })
    }

    async fn run(
        &self,
        _site: CallSite,
        PlannedCall { call, .. }: &PlannedCall,
        _output: &LiveOutput<'_>,
    ) -> ToolResult {
        if call.name == "slow" {
            std::future::pending::<()>().await;
        }
        ToolResult {
            is_error: call.name == "broken",
            ..ToolResult::success(format!("did {}", call.name))
        }
    }
}

/// What was written down and told, in one order.
#[derive(Default)]
pub(crate) struct Log {
    lines: Mutex<Vec<String>>,
    pub(crate) events: Mutex<Vec<TurnEvent>>,
    pub(crate) compactions: Mutex<Vec<Compaction>>,
    pub(crate) fail_writes_of: Mutex<Option<&'static str>>,
}

impl Log {
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    pub(crate) fn last_event(&self) -> Value {
        let events = self.events.lock().unwrap();
        serde_json::to_value(events.last().expect("an event")).unwrap()
    }

    fn write(&self, what: &'static str, line: String) -> Result<(), JournalError> {
        if *self.fail_writes_of.lock().unwrap() == Some(what) {
            return Err(JournalError("disk full".into()));
        }
        self.lines.lock().unwrap().push(line);
        Ok(())
    }
}

fn kind(item: &Item) -> String {
    let value = serde_json::to_value(&item.content).unwrap();
    value["kind"].as_str().unwrap().to_owned()
}

#[async_trait]
impl Journal for Log {
    async fn begin_turn(&self, _turn: &Turn, _user: &Item) -> Result<(), JournalError> {
        self.write("turn", "write turn".into())
    }
    async fn keep_request(
        &self,
        _turn: TurnId,
        messages: &[Message],
        _report: &ContextReport,
    ) -> Result<(), JournalError> {
        self.write("request", format!("write request of {}", messages.len()))
    }
    async fn keep_compaction(&self, compaction: &Compaction) -> Result<(), JournalError> {
        self.compactions.lock().unwrap().push(compaction.clone());
        self.write("compaction", "write compaction".into())
    }
    async fn begin_item(&self, item: &Item) -> Result<(), JournalError> {
        self.write("item", format!("write begun {}", kind(item)))
    }
    async fn append_text(&self, _item: ItemId, text: &str) -> Result<(), JournalError> {
        self.write("text", format!("write text {text}"))
    }
    async fn finish_item(&self, item: &Item) -> Result<(), JournalError> {
        self.write("item", format!("write finished {}", kind(item)))
    }
    async fn finish_turn(&self, turn: &Turn) -> Result<(), JournalError> {
        self.write("end", format!("write end {:?}", turn.state))
    }
}

impl Listener for Log {
    fn hear(&self, event: TurnEvent) {
        let value = serde_json::to_value(&event).unwrap();
        let mut line = format!("tell {}", value["type"].as_str().unwrap());
        if line == "tell context_measured" {
            return self.events.lock().unwrap().push(event);
        }
        if let Some(text) = value["text"].as_str() {
            line = format!("{line} {text}");
        }
        self.lines.lock().unwrap().push(line);
        self.events.lock().unwrap().push(event);
    }
}

/// Ids differ from each other over all clocks of a test.
static MADE: AtomicU64 = AtomicU64::new(0);

/// A clock that moves one millisecond each time it is read.
#[derive(Default)]
pub(crate) struct SteppingClock(AtomicI64);

impl Clock for SteppingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
    fn random(&self) -> [u8; 10] {
        let mut random = [0; 10];
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        random[2..].copy_from_slice(&made.to_be_bytes());
        random
    }
}
