//! Sessions far longer than their model's window.

mod room;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures_util::stream::{self, BoxStream, StreamExt};
use serde_json::json;
use talaria_agent::port::{CallSite, LiveOutput, ModelService, Plan, PlannedCall, ToolSet};
use talaria_agent::{Budget, Context, Estimate, Gauge, PastTurn, TurnEvent, TurnInput};
use talaria_domain::{
    Act, Compaction, ErrorCode, FinishReason, Item, Message, ModelEvent, ModelRef, ModelRequest,
    ServiceFailure, ServiceId, ToolCall, ToolResult, ToolSpec, Usage,
};
use tokio_util::sync::CancellationToken;

use crate::authority::Nobody;
use crate::scripted::{Log, assert_valid, failure};
use crate::turn::{agent_over, input, limits, session};

/// A model that works with tools, turn after turn, and refuses what does not fit its window.
struct Worker {
    window: u64,
    state: Mutex<Work>,
    /// What it says to a request for a summary.
    summary: fn() -> Vec<Result<ModelEvent, ServiceFailure>>,
    /// It then says no more, and does not end.
    hangs: bool,
}

#[derive(Default)]
struct Work {
    requests: Vec<ModelRequest>,
    summaries: usize,
    refused: usize,
    /// Calls that are still to be made in this turn.
    calls: usize,
    made: usize,
}

impl Worker {
    fn new(window: u64) -> Self {
        Self {
            window,
            state: Mutex::default(),
            summary: || {
                vec![
                    Ok(ModelEvent::Text("They planned a garden; 17 beds.".into())),
                    Ok(ModelEvent::Finished(FinishReason::Stop)),
                ]
            },
            hangs: false,
        }
    }

    fn begin(&self, calls: usize) {
        self.state.lock().unwrap().calls = calls;
    }
}

/// Counts everything that is sent, in its own way.
fn tokens(request: &ModelRequest) -> u64 {
    let messages = serde_json::to_string(&request.messages).unwrap();
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| tool.description.len() + tool.parameters.to_string().len())
        .sum();
    u64::try_from((messages.len() + tools) / 3).unwrap()
}

impl ModelService for Worker {
    fn budget(&self, _model: &ModelRef) -> Option<Budget> {
        None
    }

    fn cuts_silently(&self, _service: &ServiceId) -> bool {
        false
    }

    fn learn_window(&self, _model: &ModelRef, _tokens: u64) {}

    fn ask(
        &self,
        _service: &ServiceId,
        request: ModelRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>> {
        assert_valid(&request.messages);
        let mut state = self.state.lock().unwrap();
        let used = tokens(&request);
        if used > self.window {
            state.refused += 1;
            let overflow = ServiceFailure {
                limit: Some(self.window),
                ..failure(ErrorCode::ContextOverflow, talaria_domain::Retry::Never)
            };
            return stream::iter([Err(overflow)]).boxed();
        }
        if request.tools.is_empty() {
            state.summaries += 1;
            let said = stream::iter((self.summary)());
            return match self.hangs {
                true => said.chain(stream::pending()).boxed(),
                false => said.boxed(),
            };
        }
        let mut events = vec![Ok(ModelEvent::Usage(Usage {
            input_tokens: used,
            ..Usage::default()
        }))];
        if state.calls > 0 {
            state.calls -= 1;
            state.made += 1;
            events.push(Ok(ModelEvent::ToolCall(ToolCall {
                id: format!("call-{}", state.made),
                name: "look".into(),
                arguments: json!({"at": state.made, "why": "to see how the beds lie"}),
                echo: None,
                recovered: false,
            })));
            events.push(Ok(ModelEvent::Finished(FinishReason::ToolCalls)));
        } else {
            events.push(Ok(ModelEvent::Text(
                "The bed is planned. 好的，已经安排。".into(),
            )));
            events.push(Ok(ModelEvent::Finished(FinishReason::Stop)));
        }
        state.requests.push(request);
        stream::iter(events).boxed()
    }
}

/// One tool, whose results are long and differ.
struct Look;

#[async_trait]
impl ToolSet for Look {
    fn specs(&self) -> Vec<ToolSpec> {
        vec![ToolSpec {
            name: "look".into(),
            description: "Looks at a place. ".repeat(20),
            parameters: json!({"type": "object", "properties": {"at": {"type": "integer"}}}),
        }]
    }

    async fn plan(&self, _site: CallSite, call: ToolCall) -> Plan {
        let act = Act::default();
        Plan::Ready(PlannedCall { call, act })
    }

    async fn run(
        &self,
        _site: CallSite,
        planned: &PlannedCall,
        _output: &LiveOutput<'_>,
    ) -> ToolResult {
        let at = planned.call.arguments["at"].as_u64().unwrap();
        let long = usize::try_from(at % 7).unwrap() * 60;
        ToolResult::success(format!(
            "place {at}: {}",
            "soil, 土壤 and stones; ".repeat(long + 1)
        ))
    }
}

/// What is left of a session between its turns.
struct Session {
    worker: Arc<Worker>,
    log: Arc<Log>,
    past: Vec<PastTurn>,
    gauge: Gauge,
    rules: String,
}

impl Session {
    fn new(worker: Worker) -> Self {
        Self {
            worker: Arc::new(worker),
            log: Arc::default(),
            past: Vec::new(),
            gauge: Gauge::default(),
            rules: "Plan gardens.".into(),
        }
    }

    fn compactions(&self) -> Vec<Compaction> {
        self.log.compactions.lock().unwrap().clone()
    }

    fn context(&self) -> Context {
        let budget = Budget::new(self.worker.window, Arc::new(Estimate), self.gauge.clone());
        Context::new(session(), self.rules.clone(), self.past.clone(), budget)
            .shortened(self.compactions().pop())
    }

    /// One turn with so many calls; what happened is then part of the session.
    async fn turn(&mut self, words: &str, calls: usize) -> talaria_domain::Turn {
        self.worker.begin(calls);
        self.log.events.lock().unwrap().clear();
        let input = TurnInput {
            text: words.into(),
            context: self.context(),
            ..input()
        };
        let agent = agent_over(
            self.worker.clone(),
            self.log.clone(),
            Arc::new(Look),
            Arc::new(Nobody),
            limits(60),
        );
        let turn = agent
            .run(input, self.log.as_ref(), &CancellationToken::new())
            .await
            .expect("it is written down");
        self.past.push(PastTurn {
            items: self.items(),
            is_own: true,
        });
        turn
    }

    /// The turn's items as they stayed.
    fn items(&self) -> Vec<Item> {
        let events = self.log.events.lock().unwrap();
        let mut items: Vec<Item> = Vec::new();
        for event in events.iter() {
            match event {
                TurnEvent::TurnStarted { user: item, .. } | TurnEvent::ItemStarted { item } => {
                    items.push(item.clone());
                }
                TurnEvent::ItemFinished { item } => {
                    if let Some(known) = items.iter_mut().find(|known| known.id == item.id) {
                        known.clone_from(item);
                    }
                }
                _ => {}
            }
        }
        items
    }
}

/// Which requests do not extend the one before.
fn rewrites(requests: &[ModelRequest]) -> Vec<usize> {
    let is_rewritten = |at: &usize| {
        !requests[*at]
            .messages
            .starts_with(&requests[*at - 1].messages)
    };
    (1..requests.len()).filter(is_rewritten).collect()
}

/// Which requests, by the journal's lines, were the first after a compaction.
fn first_after_compactions(lines: &[String]) -> Vec<usize> {
    let (mut sent, mut first) = (0, Vec::new());
    for line in lines {
        if line.starts_with("write request") {
            sent += 1;
        } else if line == "write compaction" && first.last() != Some(&sent) {
            first.push(sent);
        }
    }
    first
}

#[tokio::test]
async fn two_hundred_turns_fit_every_window_and_rewrite_only_at_a_compaction() {
    for window in [8_192, 32_768, 200_000] {
        let mut session = Session::new(Worker::new(window));
        for at in 0..200 {
            let words = format!("Bed {at}: what grows there? 第{at}块地种什么？");
            let turn = session.turn(&words, at % 4).await;
            assert_eq!(turn.finish, Some(FinishReason::Stop), "{window} {at}");
            let state = session.worker.state.lock().unwrap();
            let last = state.requests.last().unwrap();
            let is_verbatim =
                |message: &Message| matches!(message, Message::User { text, .. } if *text == words);
            assert!(last.messages.iter().any(is_verbatim), "{window} {at}");
        }
        let state = session.worker.state.lock().unwrap();
        assert_eq!(state.refused, 0, "{window}");
        let shortened = first_after_compactions(&session.log.lines());
        assert_eq!(rewrites(&state.requests), shortened, "{window}");
        let compactions = session.compactions().len();
        assert!(compactions < 120, "{window}: {compactions}");
    }
}

#[tokio::test]
async fn a_turn_that_is_longer_than_the_window_goes_on() {
    let mut session = Session::new(Worker::new(8_192));
    let words = "Look at every place there is.";
    let turn = session.turn(words, 50).await;
    assert_eq!(turn.finish, Some(FinishReason::Stop));
    let state = session.worker.state.lock().unwrap();
    assert_eq!((state.made, state.refused), (50, 0));
    let last = state.requests.last().unwrap();
    let said = last
        .messages
        .iter()
        .filter(|message| matches!(message, Message::User { text, .. } if text == words));
    assert_eq!(said.count(), 1, "the user's words stay as they are");
}

#[tokio::test]
async fn a_summary_that_fails_changes_nothing() {
    type Events = fn() -> Vec<Result<ModelEvent, ServiceFailure>>;
    let cases: [Events; 4] = [
        || {
            vec![
                Ok(ModelEvent::Text("  ".into())),
                Ok(ModelEvent::Finished(FinishReason::Stop)),
            ]
        },
        || {
            vec![Err(failure(
                ErrorCode::Overloaded,
                talaria_domain::Retry::Soon,
            ))]
        },
        || vec![Ok(ModelEvent::Text("half".into()))],
        || {
            vec![
                Ok(ModelEvent::ToolCall(ToolCall {
                    id: "x".into(),
                    name: "look".into(),
                    arguments: json!({}),
                    echo: None,
                    recovered: false,
                })),
                Ok(ModelEvent::Finished(FinishReason::ToolCalls)),
            ]
        },
    ];
    for summary in cases {
        let mut session = Session::new(Worker {
            summary,
            ..Worker::new(8_192)
        });
        for at in 0..30 {
            session
                .turn(&format!("{at}: {}", "tell me more ".repeat(60)), 0)
                .await;
            if session.worker.state.lock().unwrap().summaries > 0 {
                break;
            }
        }
        assert!(
            session
                .compactions()
                .iter()
                .all(|compaction| compaction.summary.is_empty())
        );
        let lines = session.log.lines();
        assert!(
            lines.contains(&"write begun notice".to_owned()),
            "it is told"
        );
    }
}

#[tokio::test]
async fn an_overflow_makes_room_and_sends_once_more() {
    // The window is a quarter of what it is taken for.
    let mut session = Session::new(Worker::new(8_192));
    let context_of = |session: &Session| {
        let budget = Budget::new(32_768, Arc::new(Estimate), session.gauge.clone());
        Context::new(
            crate::turn::session(),
            "Plan.".into(),
            session.past.clone(),
            budget,
        )
    };
    for at in 0..6 {
        session
            .turn(&format!("{at}: {}", "what else? ".repeat(30)), 2)
            .await;
    }
    session.log.compactions.lock().unwrap().clear();
    session.log.events.lock().unwrap().clear();
    session.worker.begin(0);
    let input = TurnInput {
        text: "And now?".into(),
        context: context_of(&session),
        ..input()
    };
    let agent = agent_over(
        session.worker.clone(),
        session.log.clone(),
        Arc::new(Look),
        Arc::new(Nobody),
        limits(24),
    );
    let turn = agent
        .run(input, session.log.as_ref(), &CancellationToken::new())
        .await
        .unwrap();
    assert_eq!(turn.finish, Some(FinishReason::Stop));
    assert_eq!(session.worker.state.lock().unwrap().refused, 1);
    assert_eq!(session.compactions().len(), 1);
}

#[tokio::test]
async fn where_nothing_can_be_shortened_the_user_is_told_once() {
    let mut session = Session::new(Worker::new(8_192));
    let turn = session.turn(&"long words ".repeat(6_000), 0).await;
    assert_eq!(turn.failure.unwrap().code, ErrorCode::ContextOverflow);
    let notices = session.log.lines();
    let notices = notices.iter().filter(|line| *line == "write begun notice");
    assert_eq!(notices.count(), 1);
    assert_eq!(session.worker.state.lock().unwrap().summaries, 0);
}

#[tokio::test]
async fn a_window_that_is_mostly_tools_burns_no_summaries() {
    // What every request takes leaves next to nothing for the conversation.
    let mut session = Session::new(Worker::new(8_192));
    session.rules = "Plan gardens, and mind every rule. ".repeat(600);
    for at in 0..12 {
        let turn = session
            .turn(&format!("{at}: {}", "what else? ".repeat(40)), 0)
            .await;
        assert_eq!(turn.finish, Some(FinishReason::Stop), "{at}");
    }
    let state = session.worker.state.lock().unwrap();
    assert_eq!((state.summaries, state.refused), (0, 0));
}

#[tokio::test]
async fn a_session_far_longer_than_a_small_window_is_taken_over_by_it() {
    let mut session = Session::new(Worker::new(200_000));
    for at in 0..60 {
        session
            .turn(&format!("{at}: {}", "and what about this? ".repeat(90)), 1)
            .await;
    }
    session.worker = Arc::new(Worker::new(8_192));
    session.gauge = Gauge::default();
    let turn = session.turn("And now?", 1).await;
    assert_eq!(turn.finish, Some(FinishReason::Stop));
    let state = session.worker.state.lock().unwrap();
    assert!(
        state.summaries > 0 && state.summaries <= 10,
        "{}",
        state.summaries
    );
    assert_eq!(state.refused, 0);
}
