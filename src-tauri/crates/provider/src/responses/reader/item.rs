//! The items of one answer, as far as they have come.

use std::collections::VecDeque;

use serde_json::Value;

use super::call::Call;
use super::text::{Sort, Texts};
use crate::echo::Outline;
use crate::tool_calls::Fragment;

/// What stands between two texts that the service keeps apart.
const BREAK: &str = "\n\n";

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Message,
    Reasoning,
    Call,
}

impl Kind {
    /// The kind of an item; none for what the service does by itself, such as a search.
    pub(super) fn of(item: &Value) -> Option<Self> {
        match item.get("type").and_then(Value::as_str) {
            Some("message") => Some(Self::Message),
            Some("reasoning") => Some(Self::Reasoning),
            Some("function_call") => Some(Self::Call),
            Some(_) => None,
            None => item.get("role").map(|_| Self::Message),
        }
    }

    fn of_text(sort: Sort) -> Self {
        match sort {
            Sort::Words => Self::Message,
            Sort::Thought | Sort::Summary => Self::Reasoning,
        }
    }
}

#[derive(Debug)]
struct Item {
    kind: Kind,
    id: Option<String>,
    index: Option<u64>,
    is_closed: bool,
    texts: Texts,
    call: Call,
    /// How many bytes of the answer's text are its own.
    shown: usize,
    /// What the service calls the part that a message plays in the answer.
    phase: Option<String>,
    /// The thought as a whole, if the service wants to see it again.
    kept: Option<Value>,
}

/// The items in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Items {
    items: Vec<Item>,
    /// The message, and the place in it, to which words were added last.
    speaking: (usize, u64),
    /// Whether any words, any thoughts came.
    spoke: bool,
    thought: bool,
    /// The texts found and not yet taken, in order.
    found: Vec<(Sort, String)>,
}

impl Items {
    /// Whether what the model does now is told as it does it. A thought of which nothing is told
    /// may take minutes.
    pub(super) fn are_told(&self) -> bool {
        let is_told = |item: &Item| item.kind != Kind::Reasoning || !item.texts.is_empty();
        self.items.last().is_some_and(is_told)
    }

    /// The texts found since this was last asked.
    pub(super) fn take_found(&mut self) -> Vec<(Sort, String)> {
        std::mem::take(&mut self.found)
    }

    /// An item begins.
    pub(super) fn open(&mut self, item: &Value, index: Option<u64>) {
        let Some(kind) = Kind::of(item) else {
            return;
        };
        let at = self.named(kind, item);
        let at = at.unwrap_or_else(|| self.add(kind, word(item, "id"), index));
        if let Some(known) = self.items.get_mut(at) {
            known.call.open(item);
        }
    }

    /// An item is complete.
    pub(super) fn close(&mut self, item: &Value, index: Option<u64>) {
        let Some(kind) = Kind::of(item) else {
            return;
        };
        let at = self
            .named(kind, item)
            .or_else(|| self.unnamed(kind, item, index))
            .unwrap_or_else(|| self.add(kind, word(item, "id"), index));
        self.settle(at, item);
    }

    /// The answer is complete and holds these.
    pub(super) fn close_all(&mut self, output: &[Value]) {
        let kinds = [Kind::Reasoning, Kind::Message, Kind::Call];
        let mut known = kinds.map(|kind| (kind, self.known(kind, output)));
        for item in output {
            let same = known
                .iter_mut()
                .find(|(kind, _)| Kind::of(item) == Some(*kind))
                .and_then(|(_, known)| known.pop_front());
            match same {
                Some(at) => self.settle(at, item),
                None => self.close(item, None),
            }
        }
        self.finish();
    }

    /// The items of a kind that came, if `output` lists as many: then they are the same ones in
    /// the same order, whatever it calls them.
    fn known(&self, kind: Kind, output: &[Value]) -> VecDeque<usize> {
        let listed = output.iter().filter(|item| Kind::of(item) == Some(kind));
        let came: VecDeque<usize> = (0..)
            .zip(&self.items)
            .filter(|(_, item)| item.kind == kind)
            .map(|(at, _)| at)
            .collect();
        if came.len() == listed.count() {
            came
        } else {
            VecDeque::new()
        }
    }

    /// More words in the place where the last ones stood.
    pub(super) fn push_words(&mut self, piece: &str) {
        let (item, at) = self.speaking;
        self.add_text(item, Sort::Words, at, |texts| {
            texts.push(Sort::Words, at, piece)
        });
    }

    /// A piece of a text.
    pub(super) fn push_text(&mut self, event: &Value, sort: Sort, at: u64, piece: &str) {
        let item = self.meant(Kind::of_text(sort), event);
        if sort == Sort::Words {
            self.speaking = (item, at);
        }
        self.add_text(item, sort, at, |texts| texts.push(sort, at, piece));
    }

    /// A text as a whole.
    pub(super) fn close_text(&mut self, event: &Value, sort: Sort, at: u64, whole: &str) {
        let item = self.meant(Kind::of_text(sort), event);
        self.add_text(item, sort, at, |texts| texts.complete(sort, at, whole));
    }

    /// The call that an event is about.
    pub(super) fn call(&mut self, event: &Value) -> Option<&mut Call> {
        let at = self.meant(Kind::Call, event);
        self.items.get_mut(at).map(|item| &mut item.call)
    }

    /// The calls, each in one piece.
    pub(super) fn calls(&self) -> impl Iterator<Item = Fragment> {
        let calls = self.items.iter().filter(|item| item.kind == Kind::Call);
        (0..)
            .zip(calls)
            .map(|(index, item)| item.call.fragment(index, item.id.as_deref()))
    }

    /// The order of the items, with the thoughts that the service wants to see again.
    pub(super) fn outline(&self) -> Outline {
        let mut outline = Outline::default();
        for item in &self.items {
            match (item.kind, &item.kept) {
                (Kind::Message, _) => outline.say(item.shown, item.phase.as_deref()),
                (Kind::Call, _) if item.call.is_named() => outline.call(),
                (Kind::Reasoning, Some(kept)) => outline.keep(kept.clone()),
                (Kind::Call | Kind::Reasoning, _) => {}
            }
        }
        outline
    }

    /// Nothing more comes: finds what was held back.
    pub(super) fn finish(&mut self) {
        for item in &mut self.items {
            for (sort, text) in item.texts.finish() {
                if sort == Sort::Words {
                    item.shown += text.len();
                }
                self.found.push((sort, text));
            }
        }
    }

    /// The item that an event is about, opened if need be.
    ///
    /// Its id names it, but some relays make up a new one for each event, so its index counts
    /// too; and where that is missing as well, the latest item of the kind is meant.
    fn meant(&mut self, kind: Kind, event: &Value) -> usize {
        let (id, index) = (word(event, "item_id"), index_of(event));
        let of_kind = |item: &Item| item.kind == kind;
        self.items
            .iter()
            .rposition(|item| of_kind(item) && item.has_id(id))
            .or_else(|| {
                self.items
                    .iter()
                    .rposition(|item| of_kind(item) && (index.is_none() || item.index == index))
            })
            .unwrap_or_else(|| self.add(kind, id, index))
    }

    /// The item that is the same by its own id or its call's.
    fn named(&self, kind: Kind, item: &Value) -> Option<usize> {
        let (id, call) = (word(item, "id"), word(item, "call_id"));
        self.items.iter().rposition(|known| {
            known.kind == kind
                && (known.call.is(call) || (known.has_id(id) && !known.call.conflicts(call)))
        })
    }

    /// The item that may be the same: at its index, else the first that is still open.
    fn unnamed(&self, kind: Kind, item: &Value, index: Option<u64>) -> Option<usize> {
        let call = word(item, "call_id");
        self.items.iter().position(|known| {
            let fits = match index {
                Some(_) => known.index == index,
                None => !known.is_closed,
            };
            known.kind == kind && fits && !known.call.conflicts(call)
        })
    }

    fn add(&mut self, kind: Kind, id: Option<&str>, index: Option<u64>) -> usize {
        // What an earlier item held back comes before what this one says.
        self.finish();
        self.items.push(Item {
            kind,
            id: id.map(str::to_owned),
            index,
            is_closed: false,
            texts: Texts::default(),
            call: Call::default(),
            shown: 0,
            phase: None,
            kept: None,
        });
        self.items.len() - 1
    }

    /// Takes a whole item.
    fn settle(&mut self, at: usize, item: &Value) {
        if let Some(known) = self.items.get_mut(at) {
            known.is_closed = true;
            known.call.close(item);
            known.phase = word(item, "phase")
                .map(str::to_owned)
                .or(known.phase.take());
            known.kept = thought_to_keep(item).or(known.kept.take());
        }
        for (sort, place, whole) in texts_of(item) {
            self.add_text(at, sort, place, |texts| texts.complete(sort, place, whole));
        }
    }

    /// Finds what a text adds, with a break before it where it begins something of its own.
    fn add_text(
        &mut self,
        item: usize,
        sort: Sort,
        at: u64,
        add: impl FnOnce(&mut Texts) -> String,
    ) {
        let Some(item) = self.items.get_mut(item) else {
            return;
        };
        let begins = item.texts.begins(sort, at);
        let new = add(&mut item.texts);
        if new.is_empty() {
            return;
        }
        let before = match sort {
            Sort::Words => &mut self.spoke,
            Sort::Thought | Sort::Summary => &mut self.thought,
        };
        let new = if begins && *before {
            format!("{BREAK}{new}")
        } else {
            new
        };
        *before = true;
        if sort == Sort::Words {
            item.shown += new.len();
        }
        self.found.push((sort, new));
    }
}

impl Item {
    fn has_id(&self, id: Option<&str>) -> bool {
        id.is_some() && self.id.as_deref() == id
    }
}

/// The texts of a whole item, with their places. A thought is preferred to its summary.
fn texts_of(item: &Value) -> Vec<(Sort, u64, &str)> {
    match Kind::of(item) {
        Some(Kind::Message) => match item.get("content").and_then(Value::as_str) {
            Some(text) => vec![(Sort::Words, 0, text)],
            None => parts_of(item, "content", Sort::Words),
        },
        Some(Kind::Reasoning) => {
            let mut found = parts_of(item, "content", Sort::Thought);
            found.extend(parts_of(item, "summary", Sort::Summary));
            found
        }
        Some(Kind::Call) | None => Vec::new(),
    }
}

fn parts_of<'a>(item: &'a Value, member: &str, sort: Sort) -> Vec<(Sort, u64, &'a str)> {
    let parts = item.get(member).and_then(Value::as_array);
    let text = |part: &'a Value| {
        let text = part.get("text").or_else(|| part.get("refusal"));
        text.and_then(Value::as_str)
    };
    (0..)
        .zip(parts.into_iter().flatten())
        .filter_map(|(at, part)| Some((sort, at, text(part)?)))
        .collect()
}

/// A thought as it must go back: sealed by its service, or readable by a server that keeps
/// nothing itself. A sealed one goes without its id, under which nothing is stored.
fn thought_to_keep(item: &Value) -> Option<Value> {
    if Kind::of(item) != Some(Kind::Reasoning) {
        return None;
    }
    let is_sealed = word(item, "encrypted_content").is_some();
    let is_readable = item.pointer("/content/0/text").is_some();
    if !is_sealed && !is_readable {
        return None;
    }
    let mut kept = item.as_object()?.clone();
    kept.retain(|member, value| {
        let is_own = member == "status" || (member == "id" && is_sealed);
        !is_own && !value.is_null()
    });
    Some(Value::Object(kept))
}

/// Where in the answer an event's item stands.
pub(super) fn index_of(event: &Value) -> Option<u64> {
    event.get("output_index").and_then(Value::as_u64)
}

/// A text that is not empty.
pub(super) fn word<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    value
        .get(member)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}
