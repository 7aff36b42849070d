//! The blocks of one answer, as far as they have come.

use serde_json::{Map, Value, json};

use crate::echo::Outline;
use crate::tool_calls::Fragment;

/// One block.
#[derive(Debug)]
enum Block {
    /// So many bytes of the answer's text.
    Words(usize),
    Thought(Thought),
    Call(Call),
}

/// A thought, as far as it is known.
#[derive(Debug, Default)]
struct Thought {
    /// The block as it was opened, with whatever the service put into it.
    opening: Map<String, Value>,
    streamed: String,
    signature: String,
}

impl Thought {
    /// The block as it must go back; none if nothing proves that the model made it.
    fn proved(self) -> Option<Value> {
        let Self {
            mut opening,
            streamed,
            signature,
        } = self;
        let text = |opening: &Map<String, Value>, member: &str| {
            let text = opening.get(member).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        if !text(&opening, "data").is_empty() {
            return Some(Value::Object(opening));
        }
        let thinking = text(&opening, "thinking") + &streamed;
        let signature = if signature.is_empty() {
            text(&opening, "signature")
        } else {
            signature
        };
        if signature.is_empty() {
            return None;
        }
        opening.insert("type".to_owned(), json!("thinking"));
        opening.insert("thinking".to_owned(), json!(thinking));
        opening.insert("signature".to_owned(), json!(signature));
        Some(Value::Object(opening))
    }
}

/// A call, as far as it is known.
#[derive(Debug, Default)]
struct Call {
    id: Option<String>,
    name: Option<String>,
    /// What the block opened with: mostly an empty object, which only holds the place.
    opening: Option<Value>,
    streamed: String,
}

/// The blocks in the order in which they came, each with the index it was given.
#[derive(Debug, Default)]
pub(super) struct Blocks(Vec<(Option<u64>, Block)>);

impl Blocks {
    /// A block begins, or is there as a whole.
    pub(super) fn open(&mut self, block: &Value, index: Option<u64>) {
        let block = match word(block, "type") {
            Some("text") => Block::Words(word(block, "text").map_or(0, str::len)),
            Some("thinking" | "redacted_thinking") => Block::Thought(Thought {
                opening: block.as_object().cloned().unwrap_or_default(),
                ..Thought::default()
            }),
            Some("tool_use") => {
                let call = Call {
                    id: word(block, "id").map(str::to_owned),
                    name: word(block, "name").map(str::to_owned),
                    opening: block.get("input").filter(|input| !input.is_null()).cloned(),
                    streamed: String::new(),
                };
                if self.has_call(&call, index) {
                    return;
                }
                Block::Call(call)
            }
            _ => return,
        };
        self.0.push((index, block));
    }

    /// More words came.
    pub(super) fn say(&mut self, bytes: usize, index: Option<u64>) {
        match self.at(index, |block| matches!(block, Block::Words(_))) {
            Some(Block::Words(before)) => *before += bytes,
            _ => self.0.push((index, Block::Words(bytes))),
        }
    }

    /// More words came where the last ones stood.
    pub(super) fn say_on(&mut self, bytes: usize) {
        let last = self.0.iter_mut().rev().find_map(|(_, block)| match block {
            Block::Words(before) => Some(before),
            Block::Thought(_) | Block::Call(_) => None,
        });
        match last {
            Some(before) => *before += bytes,
            None => self.0.push((None, Block::Words(bytes))),
        }
    }

    /// More of a thought came.
    pub(super) fn think(&mut self, text: &str, index: Option<u64>) {
        self.change_thought(index, |thought| thought.streamed.push_str(text));
    }

    /// A thought was signed.
    pub(super) fn sign(&mut self, signature: &str, index: Option<u64>) {
        self.change_thought(index, |thought| {
            signature.clone_into(&mut thought.signature);
        });
    }

    /// More of a call's arguments came.
    pub(super) fn argue(&mut self, piece: &str, index: Option<u64>) {
        let is_call = |block: &Block| matches!(block, Block::Call(_));
        if let Some(Block::Call(call)) = self.at(index, is_call) {
            call.streamed.push_str(piece);
        }
    }

    /// The calls, each in one piece, for the assembly that all protocols share.
    pub(super) fn calls(&self) -> impl Iterator<Item = Fragment> {
        let calls = self.0.iter().filter_map(|(_, block)| match block {
            Block::Call(call) => Some(call),
            Block::Words(_) | Block::Thought(_) => None,
        });
        (0..).zip(calls).map(|(index, call)| Fragment {
            index: Some(index),
            id: call.id.clone(),
            name: call.name.clone(),
            arguments: match call.streamed.trim() {
                "" => call.opening.clone(),
                _ => Some(Value::String(call.streamed.clone())),
            },
            echo: None,
        })
    }

    /// The order of the blocks, with the thoughts that can be proved to be the model's own.
    pub(super) fn outline(self) -> Outline {
        let mut outline = Outline::default();
        for (_, block) in self.0 {
            match block {
                Block::Words(bytes) => outline.say(bytes, None),
                Block::Call(call) if call.name.is_some() => outline.call(),
                Block::Call(_) => {}
                Block::Thought(thought) => {
                    if let Some(thought) = thought.proved() {
                        outline.keep(thought);
                    }
                }
            }
        }
        outline
    }

    fn change_thought(&mut self, index: Option<u64>, change: impl FnOnce(&mut Thought)) {
        match self.at(index, |block| matches!(block, Block::Thought(_))) {
            Some(Block::Thought(thought)) => change(thought),
            _ => {
                let mut thought = Thought::default();
                change(&mut thought);
                self.0.push((index, Block::Thought(thought)));
            }
        }
    }

    fn has_call(&self, call: &Call, index: Option<u64>) -> bool {
        call.id.is_some()
            && self.0.iter().any(|(at, block)| match block {
                Block::Call(known) => known.id == call.id && *at == index,
                Block::Words(_) | Block::Thought(_) => false,
            })
    }

    /// The last block of a kind at that index; else the last block, if it is of the kind: some
    /// relays count otherwise in each event.
    fn at(&mut self, index: Option<u64>, is_meant: fn(&Block) -> bool) -> Option<&mut Block> {
        let named = self
            .0
            .iter()
            .rposition(|(at, block)| is_meant(block) && index.is_some() && *at == index);
        let place = named.or(self.0.len().checked_sub(1))?;
        let (_, block) = self.0.get_mut(place)?;
        is_meant(block).then_some(block)
    }
}

/// A text that is not empty.
pub(super) fn word<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    let text = value.get(member).and_then(Value::as_str);
    text.filter(|text| !text.is_empty())
}
