//! Ollama's own lines, which some addresses answer with although a completion was asked for.

use serde_json::{Value, json};

/// The chunk of a completion that a line of Ollama's means; none if it is no such line.
pub(super) fn as_chunk(line: &Value) -> Option<Value> {
    if line.get("choices").is_some() {
        return None;
    }
    let done = line.get("done")?.as_bool()?;
    let message = line.get("message");
    let member = |name: &str| message.and_then(|message| message.get(name)).cloned();
    let text = member("content").or_else(|| line.get("response").cloned());
    let reason = line.get("done_reason").and_then(Value::as_str);
    let mut chunk = json!({
        "choices": [{
            "delta": {
                "content": text,
                "reasoning": member("thinking"),
                "tool_calls": member("tool_calls"),
            },
            "finish_reason": done.then(|| reason.unwrap_or("stop")),
        }],
    });
    if let (true, Some(chunk)) = (done, chunk.as_object_mut()) {
        let usage = json!({
            "prompt_tokens": line.get("prompt_eval_count"),
            "completion_tokens": line.get("eval_count"),
        });
        chunk.insert("usage".to_owned(), usage);
    }
    Some(chunk)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::as_chunk;

    #[test]
    fn a_line_becomes_a_chunk() {
        let line = json!({
            "model": "m", "done": false,
            "message": {"role": "assistant", "content": "早", "thinking": "hm"},
        });
        let chunk = as_chunk(&line).expect("a line");
        assert_eq!(
            chunk.pointer("/choices/0/delta/content"),
            Some(&json!("早"))
        );
        assert_eq!(
            chunk.pointer("/choices/0/delta/reasoning"),
            Some(&json!("hm"))
        );
        assert_eq!(
            chunk.pointer("/choices/0/finish_reason"),
            Some(&Value::Null)
        );
        assert_eq!(chunk.get("usage"), None);

        let last =
            json!({"done": true, "done_reason": "length", "prompt_eval_count": 5, "eval_count": 2});
        let chunk = as_chunk(&last).expect("a line");
        assert_eq!(
            chunk.pointer("/choices/0/finish_reason"),
            Some(&json!("length"))
        );
        assert_eq!(chunk.pointer("/usage/prompt_tokens"), Some(&json!(5)));
    }

    #[test]
    fn anything_else_is_none() {
        for other in [
            json!({"choices": []}),
            json!({"done": "yes"}),
            json!({"error": "gone"}),
            json!([1]),
        ] {
            assert_eq!(as_chunk(&other), None, "{other}");
        }
    }
}
