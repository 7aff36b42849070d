//! A data root in a temporary folder, and the rows that tests put into it.

use talaria_domain::{
    Attachment, AttachmentId, ContextLayer, ContextReport, Item, ItemContent, ItemId, LayerKind,
    Mode, ModelName, ModelRef, Session, SessionId, SessionSource, Timestamp, TitleOrigin, ToolCall,
    Turn, TurnId, TurnState, Usage,
};
use talaria_store::{Home, Opened, Store};

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_764_550_000_000);

pub(crate) fn later(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW.as_millis() + millis)
}

/// A data root that is removed with the fixture, and its store.
pub(crate) struct Root {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) store: Store,
}

impl Root {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Home::at(folder.path()), NOW).unwrap().store;
        Self { folder, store }
    }

    pub(crate) fn home(&self) -> Home {
        Home::at(self.folder.path())
    }

    /// Closes the store and opens it again at another time.
    pub(crate) fn reopen(self, now: Timestamp) -> (Self, Opened) {
        let Self { folder, store } = self;
        drop(store);
        let opened = Store::open(&Home::at(folder.path()), now).unwrap();
        (
            Self {
                folder,
                store: opened.store.clone(),
            },
            opened,
        )
    }

    pub(crate) fn session(&self, seed: u8) -> Session {
        let session = session(seed);
        self.store.create_session(&session).unwrap();
        session
    }

    /// A finished turn with an answer.
    pub(crate) fn exchange(
        &self,
        session: &Session,
        seed: u16,
        question: &str,
        answer: &str,
    ) -> Turn {
        let mut turn = turn(session.id, seed);
        self.store
            .begin_turn(&turn, &user(&turn, question))
            .unwrap();
        self.store
            .finish_item(&finished(text(&turn, 1, answer)))
            .unwrap();
        turn.state = TurnState::Finished;
        turn.finished_at = Some(later(i64::from(seed) + 1));
        self.store.finish_turn(&turn).unwrap();
        turn
    }
}

pub(crate) fn model(name: &str) -> ModelRef {
    ModelRef {
        service: "openai".parse().unwrap(),
        model: ModelName::new(name).unwrap(),
    }
}

pub(crate) fn session(seed: u8) -> Session {
    Session {
        id: SessionId::from_parts(later(i64::from(seed)), [seed; 10]),
        title: String::new(),
        title_origin: TitleOrigin::None,
        model: Some(model("gpt-5")),
        source: SessionSource::Desktop,
        mode: Mode::Ask,
        pinned: false,
        archived: false,
        created_at: later(i64::from(seed)),
        updated_at: later(i64::from(seed)),
    }
}

pub(crate) fn turn(session_id: SessionId, seed: u16) -> Turn {
    let [high, low] = seed.to_be_bytes();
    let mut random = [0; 10];
    random[8] = high;
    random[9] = low;
    random[..8].copy_from_slice(&session_id.to_bytes()[8..]);
    Turn {
        id: TurnId::from_parts(later(i64::from(seed)), random),
        session_id,
        state: TurnState::Running,
        model: model("gpt-5"),
        usage: Usage::default(),
        finish: None,
        failure: None,
        started_at: later(i64::from(seed)),
        finished_at: None,
    }
}

pub(crate) fn item(turn: &Turn, seed: u8, content: ItemContent) -> Item {
    let mut random = [seed; 10];
    random[..9].copy_from_slice(&turn.id.to_bytes()[7..]);
    Item {
        id: ItemId::from_parts(turn.started_at, random),
        turn_id: turn.id,
        content,
        started_at: turn.started_at,
        finished_at: None,
    }
}

pub(crate) fn user(turn: &Turn, words: &str) -> Item {
    user_with(turn, words, Vec::new())
}

pub(crate) fn user_with(turn: &Turn, words: &str, attachments: Vec<Attachment>) -> Item {
    let text = words.into();
    finished(item(turn, 0, ItemContent::UserText { text, attachments }))
}

pub(crate) fn file(seed: u8) -> Attachment {
    Attachment {
        id: AttachmentId::from_parts(NOW, [seed; 10]),
        name: "图.png".into(),
        media_type: "image/png".into(),
        size: 3,
    }
}

pub(crate) fn text(turn: &Turn, seed: u8, words: &str) -> Item {
    item(turn, seed, ItemContent::ModelText { text: words.into() })
}

pub(crate) fn call(turn: &Turn, seed: u8) -> Item {
    let call = ToolCall {
        id: format!("call-{seed}"),
        name: "save_note".into(),
        arguments: serde_json::json!({"title": "雨"}),
        echo: None,
        recovered: false,
    };
    item(
        turn,
        seed,
        ItemContent::ToolCall {
            call,
            result: None,
            round: 1,
            approval: None,
        },
    )
}

pub(crate) fn report(tokens: u64) -> ContextReport {
    ContextReport {
        window: 8_192,
        reserved: 2_048,
        layers: vec![ContextLayer {
            kind: LayerKind::Input,
            tokens,
            cap: None,
        }],
    }
}

pub(crate) fn finished(mut item: Item) -> Item {
    item.finished_at = Some(item.started_at);
    item
}

/// The text of an item that has one.
pub(crate) fn words(item: &Item) -> &str {
    match &item.content {
        ItemContent::UserText { text, .. }
        | ItemContent::ModelText { text }
        | ItemContent::Reasoning { text, .. } => text,
        ItemContent::ToolCall { .. } | ItemContent::Notice { .. } => panic!("it has no text"),
    }
}
