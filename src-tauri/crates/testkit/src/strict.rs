//! What the strictest service refuses about a chat request.

use std::collections::BTreeSet;

use serde_json::Value;

/// Everything wrong with the messages of a request; empty for a good one.
#[must_use]
pub fn faults(body: &Value) -> Vec<String> {
    let Some(messages) = body.get("messages").and_then(Value::as_array) else {
        return vec!["there are no messages".to_owned()];
    };
    let mut reading = Reading::default();
    for (index, message) in messages.iter().enumerate() {
        reading.read(index, message);
    }
    reading.end();
    reading.faults
}

#[derive(Default)]
struct Reading {
    faults: Vec<String>,
    /// Calls whose results have not come yet.
    open: BTreeSet<String>,
    /// Ids of the whole talk: none may come twice.
    known: BTreeSet<String>,
    last: String,
}

impl Reading {
    fn read(&mut self, index: usize, message: &Value) {
        let text = |member: &str| message.get(member).and_then(Value::as_str);
        let role = text("role").unwrap_or_default().to_owned();
        if role == "tool" {
            let id = text("tool_call_id").unwrap_or_default().to_owned();
            if !self.open.remove(&id) {
                self.fault(index, &format!("a result answers no open call: {id}"));
            }
            if text("content").is_none_or(str::is_empty) {
                self.fault(index, &format!("the result of {id} is empty"));
            }
        } else {
            self.answered(index);
            self.in_turn(index, &role);
        }
        if role == "assistant" {
            self.calls(index, message);
        }
        self.last = role;
    }

    fn in_turn(&mut self, index: usize, role: &str) {
        let fits = match role {
            "system" => index == 0,
            "user" => self.last != "user",
            "assistant" => self.last == "user" || self.last == "tool",
            _ => false,
        };
        if !fits {
            self.fault(
                index,
                &format!("a message of {role} after one of {}", self.last),
            );
        }
    }

    fn calls(&mut self, index: usize, message: &Value) {
        let calls = message.get("tool_calls").and_then(Value::as_array);
        let content = message.get("content").and_then(Value::as_str);
        if calls.is_none() && content.is_none_or(str::is_empty) {
            self.fault(index, "the model said and called nothing");
        }
        for call in calls.into_iter().flatten() {
            let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
            if id.is_empty() || !self.known.insert(id.to_owned()) {
                self.fault(index, &format!("the id {id:?} is empty or comes twice"));
            }
            self.open.insert(id.to_owned());
            let arguments = call.pointer("/function/arguments").and_then(Value::as_str);
            let object = arguments.and_then(|text| serde_json::from_str::<Value>(text).ok());
            if !object.is_some_and(|object| object.is_object()) {
                self.fault(index, &format!("the arguments of {id} are no object"));
            }
        }
    }

    fn answered(&mut self, index: usize) {
        for id in std::mem::take(&mut self.open) {
            self.fault(index, &format!("the call {id} has no result"));
        }
    }

    fn end(&mut self) {
        self.answered(usize::MAX);
        if self.last != "user" && self.last != "tool" {
            self.fault(
                usize::MAX,
                &format!("the last message is one of {}", self.last),
            );
        }
    }

    fn fault(&mut self, index: usize, what: &str) {
        let place = match index {
            usize::MAX => "at the end".to_owned(),
            index => format!("message {index}"),
        };
        self.faults.push(format!("{place}: {what}"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::faults;

    fn found(messages: &Value) -> String {
        faults(&json!({"messages": messages})).join("; ")
    }

    fn call(id: &str) -> Value {
        json!({"role": "assistant", "content": "", "tool_calls": [
            {"id": id, "function": {"name": "t", "arguments": "{}"}},
        ]})
    }

    fn result(id: &str) -> Value {
        json!({"role": "tool", "tool_call_id": id, "content": "x"})
    }

    #[test]
    fn a_good_request_has_no_faults() {
        let user = json!({"role": "user", "content": "hi"});
        let system = json!({"role": "system", "content": "be kind"});
        let said = json!({"role": "assistant", "content": "yes"});
        for messages in [
            json!([user]),
            json!([system, user, said, user]),
            json!([system, user, call("a"), result("a")]),
            json!([
                user,
                call("a"),
                result("a"),
                call("b"),
                result("b"),
                said,
                user
            ]),
        ] {
            assert_eq!(found(&messages), "", "{messages}");
        }
    }

    #[test]
    fn each_fault_is_named() {
        let user = json!({"role": "user", "content": "hi"});
        for (messages, fault) in [
            (json!([user, user]), "a message of user after one of user"),
            (json!([user, call("a")]), "the call a has no result"),
            (json!([user, call("a"), user]), "the call a has no result"),
            (
                json!([user, result("a")]),
                "a result answers no open call: a",
            ),
            (
                json!([user, call("a"), result("a"), call("a"), result("a")]),
                "comes twice",
            ),
            (
                json!([user, {"role": "assistant", "content": ""}, user]),
                "said and called nothing",
            ),
            (
                json!([user, {"role": "assistant", "content": "x"}]),
                "the last message",
            ),
            (
                json!([user, {"role": "system", "content": "x"}, user]),
                "a message of system",
            ),
        ] {
            assert!(
                found(&messages).contains(fault),
                "{messages}: {}",
                found(&messages)
            );
        }
        assert_eq!(faults(&json!({})), ["there are no messages"]);
    }
}
