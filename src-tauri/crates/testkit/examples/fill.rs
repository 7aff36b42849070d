//! Fills a data root for the measurements: many sessions, and a long one on top of the list.
//!
//! Call: `fill DATA_ROOT`. The words are made up from a fixed sequence, the same every time.

use std::error::Error;

use talaria_domain::{
    FinishReason, Item, ItemContent, ItemId, Mode, ModelName, ModelRef, Session, SessionId,
    SessionSource, Timestamp, TitleOrigin, Turn, TurnId, TurnState, Usage,
};
use talaria_store::{Home, Store, TurnRecord};

/// Messages in all, and those of them in the long session. A turn has two.
const MESSAGES: usize = 100_000;
const LONG: usize = 10_000;
const SHORT_SESSIONS: usize = 300;

/// 2026-01-01; each turn is a minute later.
const BEGIN: i64 = 1_767_225_600_000;
const MINUTE: i64 = 60_000;

const WORDS: &[&str] = &[
    "window", "note", "the", "of", "answer", "model", "会议", "and", "keeps", "a", "笔记", "later",
    "draft", "总结", "in", "search", "three", "项目", "before", "with",
];

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::args()
        .nth(1)
        .ok_or("say which data root to fill")?;
    let store = Store::open(&Home::at(root), Timestamp::from_millis(BEGIN))?.store;
    let mut filler = Filler {
        state: 0x9e37_79b9_7f4a_7c15,
        at: BEGIN,
    };
    let short_turns = (MESSAGES - LONG) / 2 / SHORT_SESSIONS;
    for number in 1..=SHORT_SESSIONS {
        filler.session(&store, &format!("Session {number}"), short_turns)?;
    }
    filler.session(&store, "The long one", LONG / 2)?;
    store.update_index()?;
    Ok(())
}

/// Makes ids, times and words one after another.
struct Filler {
    state: u64,
    at: i64,
}

impl Filler {
    fn session(&mut self, store: &Store, title: &str, turns: usize) -> Result<(), Box<dyn Error>> {
        let created_at = self.now();
        let id = SessionId::from_parts(created_at, self.random());
        let model = ModelRef {
            service: "scripted".parse()?,
            model: ModelName::new("scripted-large").ok_or("not a name")?,
        };
        let turns: Vec<_> = (0..turns).map(|_| self.turn(id, &model)).collect();
        let session = Session {
            id,
            title: title.to_owned(),
            title_origin: TitleOrigin::User,
            model: Some(model),
            source: SessionSource::Import,
            mode: Mode::Ask,
            pinned: false,
            archived: false,
            created_at,
            updated_at: self.now(),
        };
        Ok(store.import_session(&session, turns, || self.random())?)
    }

    fn turn(&mut self, session_id: SessionId, model: &ModelRef) -> TurnRecord {
        self.at += MINUTE;
        let at = self.now();
        let id = TurnId::from_parts(at, self.random());
        let question = ItemContent::UserText {
            text: self.words(12),
            attachments: Vec::new(),
        };
        let answer = ItemContent::ModelText {
            text: format!(
                "## {}\n\n{}\n\n- {}\n",
                self.words(3),
                self.words(40),
                self.words(6)
            ),
        };
        let items = [question, answer].map(|content| Item {
            id: ItemId::from_parts(at, self.random()),
            turn_id: id,
            content,
            started_at: at,
            finished_at: Some(at),
        });
        let turn = Turn {
            id,
            session_id,
            state: TurnState::Finished,
            model: model.clone(),
            usage: Usage::default(),
            finish: Some(FinishReason::Stop),
            failure: None,
            started_at: at,
            finished_at: Some(at),
        };
        TurnRecord {
            turn,
            items: items.into(),
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.at)
    }

    fn words(&mut self, count: usize) -> String {
        let length = WORDS.len() as u64;
        let picked = (0..count).filter_map(|_| WORDS.get((self.next() % length) as usize));
        picked.copied().collect::<Vec<_>>().join(" ")
    }

    fn random(&mut self) -> [u8; 10] {
        let mut bytes = [0; 10];
        for (byte, random) in bytes
            .iter_mut()
            .zip(self.next().to_le_bytes().iter().cycle())
        {
            *byte = *random;
        }
        bytes
    }

    /// A small generator (SplitMix64), so that every run is the same.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
