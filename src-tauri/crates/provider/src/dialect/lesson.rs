//! What a refusal teaches.
//!
//! A refusal is read by its words, since services agree on nothing else. Each lesson says which
//! words mean it, and what the request must have held for them to mean it: that keeps a message
//! that merely names a member from teaching anything. The order counts where one text fits two.

use serde_json::Value;
use talaria_domain::{ErrorCode, ServiceFailure};

use super::{Dialect, Quirk};

/// A number below this in a refusal is part of a name or an index, not a limit of tokens.
const LEAST_LIMIT: u32 = 16;

/// The words by which services say that they don't take a member.
const REFUSED: &[&str] = &[
    "unsupported",
    "not support",
    "n't support",
    "unrecognized",
    "unknown",
    "unexpected",
    "not permitted",
    "not allowed",
    "extra inputs",
    "extra fields",
    "extra_forbidden",
    "cannot find field",
    "no such",
    "不支持",
    "未知",
];

/// The members that limit the answer, by protocol and age.
const LIMITS: [&str; 3] = ["max_completion_tokens", "max_output_tokens", "max_tokens"];

/// The words by which services say that a number is too large.
const TOO_LARGE: &[&str] = &[
    "at most",
    "range",
    "less than",
    "maximum",
    "too large",
    "too high",
    "exceed",
    "between",
    "<=",
    ">",
    "超",
    "范围",
];

/// The words that mean a quirk, and what the request held if they mean it.
struct Lesson {
    quirk: Quirk,
    held: fn(&Value) -> bool,
    /// Any of these; all the words of one.
    words: &'static [&'static [&'static str]],
}

const LESSONS: &[Lesson] = &[
    Lesson {
        quirk: Quirk::NoStreamOptions,
        held: |body| body.get("stream_options").is_some(),
        words: &[&["stream_options"], &["include_usage"]],
    },
    Lesson {
        quirk: Quirk::ReasoningOff,
        held: |body| holds_tools(body) && body.get("reasoning_effort").is_none(),
        words: &[
            &["function tools with reasoning_effort"],
            &["reasoning_effort to 'none'"],
            &["reasoning_effort", "tools", "not supported"],
        ],
    },
    Lesson {
        quirk: Quirk::ReasoningAlways,
        held: |body| any_message(body, |message| role(message) == "assistant"),
        words: &[
            &["reasoning_content", "must be passed back"],
            &["reasoning_content", "missing"],
            &["reasoning_content", "required"],
            &["reasoning_content", "must be provided"],
        ],
    },
    Lesson {
        quirk: Quirk::SignedCalls,
        held: holds_calls,
        words: &[&["missing", "thought_signature"]],
    },
    Lesson {
        quirk: Quirk::PlainSchemas,
        held: holds_tools,
        words: &[
            &["invalid schema"],
            &["schema", "is not a valid"],
            &["json schema"],
            &["json_schema"],
            &["input_schema"],
            &["function.parameters"],
            &["function_declarations"],
            &["functiondeclaration"],
            &["grammar"],
            &["unsupported schema"],
        ],
    },
    Lesson {
        quirk: Quirk::NoTools,
        held: |body| holds_tools(body) || holds_calls(body),
        words: &[
            &["not support tool"],
            &["n't support tool"],
            &["not support function"],
            &["n't support function"],
            &["not support the tools"],
            &["not support 'tools'"],
            &["support tool use"],
            &["support tool calling"],
            &["tool use is not supported"],
            &["tool use not supported"],
            &["tool calling is not supported"],
            &["tool calling not supported"],
            &["tool calling` is not supported"],
            &["tool calls are not supported"],
            &["tools is not supported"],
            &["tools are not supported"],
            &["tools not supported"],
            &["'tools' is not supported"],
            &["`tools` is not supported"],
            &["function calling is not"],
            &["function call is not"],
            &["function calling not supported"],
            &["functions are not supported"],
            &["unsupported parameter", "'tools'"],
            &["unrecognized request argument", ": tools"],
            &["enable-auto-tool-choice"],
            &["tools param requires"],
            &["不支持工具"],
            &["不支持函数"],
            &["不支持 tools"],
            &["不支持function"],
            &["不支持 function"],
        ],
    },
    Lesson {
        quirk: Quirk::NoToolChoice,
        held: |body| body.get("tool_choice").is_some(),
        words: &[&["tool_choice"], &["tool choice"], &["toolconfig"]],
    },
    Lesson {
        quirk: Quirk::SingleCalls,
        held: |body| any_message(body, |message| calls_of(message) > 1),
        words: &[
            &["single tool-call"],
            &["single tool call"],
            &["one tool call"],
            &["parallel tool call"],
            &["multiple tool call"],
            &["parallel function call"],
        ],
    },
    Lesson {
        quirk: Quirk::SystemInUser,
        held: holds_system,
        words: &[
            &["system role not supported"],
            &["system role is not"],
            &["system role isn't"],
            &["developer instruction is not enabled"],
            &["not support 'system'"],
            &["not support system"],
            &["not support the system"],
            &["'system' is not"],
            &["system message", "not support"],
            &["system instruction", "not"],
            &["system prompt", "not support"],
            &["unexpected role 'system'"],
            &["unknown variant `system`"],
            &["invalid role: system"],
        ],
    },
    Lesson {
        quirk: Quirk::SpokenBridge,
        held: |body| any_message(body, |message| role(message) == "tool"),
        words: &[&["must alternate"], &["should alternate"], &["after role"]],
    },
    Lesson {
        quirk: Quirk::CallsInWords,
        held: holds_calls,
        words: &[
            &["must alternate"],
            &["should alternate"],
            &["after role"],
            &["unexpected role"],
            &["only user and assistant roles"],
            &["'tool'", "role"],
            &["invalid role: tool"],
            &["unknown variant `tool`"],
        ],
    },
    Lesson {
        quirk: Quirk::SystemInUser,
        held: holds_system,
        words: &[
            &["must alternate"],
            &["should alternate"],
            &["only user and assistant roles"],
        ],
    },
    Lesson {
        quirk: Quirk::NoImages,
        held: holds_images,
        words: &[
            &["not support image"],
            &["n't support image"],
            &["not support vision"],
            &["not support multimodal"],
            &["not support 'image"],
            &["not support the image"],
            &["not a multimodal"],
            &["not a vision"],
            &["image_url is only supported"],
            &["unknown variant `image_url`"],
            &["unknown variant `image`"],
            &["image_url", "not support"],
            &["image_url", "unsupported"],
            &["image_url", "invalid content type"],
            &["'image_url'", "must be"],
            &["support image input"],
            &["image input is not"],
            &["image inputs are not"],
            &["images are not supported"],
            &["image content is not supported"],
            &["required for image input"],
            &["mmproj"],
            &["at most 0 image"],
            &["text-only"],
            &["不支持图"],
            &["must be a string"],
            &["valid string"],
            &["expected a string"],
        ],
    },
    Lesson {
        quirk: Quirk::TextContent,
        held: |body| any_message(body, |message| content(message).is_array()),
        words: &[
            &["content", "must be a string"],
            &["content", "valid string"],
            &["content", "expected string"],
            &["expected a string"],
            &["content must be string"],
        ],
    },
    Lesson {
        quirk: Quirk::SpokenContent,
        held: |body| any_message(body, |message| content(message).is_null()),
        words: EMPTY,
    },
    Lesson {
        quirk: Quirk::NullContent,
        held: |body| any_message(body, |message| content(message) == ""),
        words: EMPTY,
    },
    Lesson {
        quirk: Quirk::NoReasoning,
        held: |body| any_message(body, |message| message.get("reasoning_content").is_some()),
        words: &[&["reasoning_content"]],
    },
    Lesson {
        quirk: Quirk::NoCacheMarks,
        held: |body| holds_member(body, "cache_control"),
        words: &[&["cache_control"]],
    },
    Lesson {
        quirk: Quirk::NoSealedReasoning,
        held: |body| body.get("include").is_some(),
        words: &[
            &["encrypted content is not supported"],
            &["reasoning.encrypted_content"],
            &["include"],
        ],
    },
    Lesson {
        quirk: Quirk::NoSummary,
        held: |body| body.get("reasoning").is_some(),
        words: &[
            &["reasoning.summary"],
            &["reasoning summar"],
            &["'reasoning'"],
            &["reasoning", "not supported"],
            &["reasoning", "not permitted"],
        ],
    },
    Lesson {
        quirk: Quirk::NoStrict,
        held: |body| holds_member(body, "strict"),
        words: &[&["strict"]],
    },
    Lesson {
        quirk: Quirk::NoStore,
        held: |body| body.get("store").is_some(),
        words: &[
            &["'store'"],
            &["`store`"],
            &["store", "not permitted"],
            &["store", "unknown"],
        ],
    },
    Lesson {
        quirk: Quirk::NoEcho,
        held: holds_echo,
        words: &[
            &["extra_content"],
            &["reasoning_details"],
            &["encrypted_content"],
            &["thinking", "signature"],
            &["thinking", "block"],
            &["thought_signature"],
            &["thought signature"],
        ],
    },
];

const EMPTY: &[&[&str]] = &[
    &["content", "empty"],
    &["content", "null"],
    &["content", "none"],
    &["content", "blank"],
    &["content", "required"],
    &["content", "missing"],
];

impl Dialect {
    /// What to try after the request `body` was refused; none if the refusal is about something
    /// else, or says again what is known.
    pub(crate) fn after(&self, failure: &ServiceFailure, body: &Value) -> Option<Self> {
        if !may_teach(failure.code) {
            return None;
        }
        let text = failure.message.to_lowercase();
        if failure.code == ErrorCode::ContextOverflow {
            return self.after_overflow(&text, body);
        }
        self.after_limit(&text, body).or_else(|| {
            LESSONS
                .iter()
                .filter(|lesson| !self.has(lesson.quirk) && (lesson.held)(body))
                .find(|lesson| says(&text, lesson.words))
                .map(|lesson| self.clone().with(lesson.quirk))
        })
    }

    /// Some services count the limit of the answer against what a minute allows: without one they
    /// count what is really said.
    fn after_overflow(&self, text: &str, body: &Value) -> Option<Self> {
        let counted =
            text.contains("requested") && (text.contains("tpm") || text.contains("per min"));
        let limited = LIMITS.iter().any(|member| body.get(*member).is_some());
        let free = self
            .clone()
            .with(Quirk::NoMaxTokens)
            .with(Quirk::NoMaxCompletionTokens);
        (counted && limited && free != *self).then_some(free)
    }

    /// What a refusal says about the limit of the answer: that it goes by another name, or that
    /// the number is too large.
    fn after_limit(&self, text: &str, body: &Value) -> Option<Self> {
        let member = LIMITS
            .into_iter()
            .find(|member| body.get(*member).is_some())?;
        if !LIMITS.iter().any(|limit| text.contains(limit)) {
            return None;
        }
        if text.contains(member) && REFUSED.iter().any(|word| text.contains(word)) {
            let quirk = if member == "max_tokens" {
                Quirk::NoMaxTokens
            } else {
                Quirk::NoMaxCompletionTokens
            };
            return Some(self.clone().with(quirk)).filter(|next| next != self);
        }
        let asked = u32::try_from(body.get(member)?.as_u64()?).ok()?;
        if !TOO_LARGE.iter().any(|word| text.contains(word)) {
            return None;
        }
        Some(Self {
            longest_output: Some(largest_below(text, asked)?),
            ..self.clone()
        })
    }
}

/// Whether a failure of this kind can be a refusal: templates of local services break with a
/// status of 500, gateways without a fitting model with 404.
fn may_teach(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::BadRequest
            | ErrorCode::ModelNotFound
            | ErrorCode::BadResponse
            | ErrorCode::Overloaded
            | ErrorCode::ContextOverflow
            | ErrorCode::OutputLimit
    )
}

fn says(text: &str, any: &[&[&str]]) -> bool {
    any.iter()
        .any(|all| all.iter().all(|word| text.contains(word)))
}

/// The largest number in the text that is smaller than the one refused.
fn largest_below(text: &str, refused: u32) -> Option<u32> {
    text.split(|found: char| !(found.is_ascii_digit() || found == ','))
        .flat_map(numbers)
        .filter(|number| (LEAST_LIMIT..refused).contains(number))
        .max()
}

/// The numbers in digits and commas: one if the commas part thousands, else one each.
fn numbers(digits: &str) -> Vec<u32> {
    let groups: Vec<&str> = digits.split(',').collect();
    let thousands = groups.iter().skip(1).all(|group| group.len() == 3);
    let texts = if thousands {
        vec![groups.concat()]
    } else {
        groups.into_iter().map(str::to_owned).collect()
    };
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

fn messages(body: &Value) -> impl Iterator<Item = &Value> {
    ["messages", "input"]
        .into_iter()
        .filter_map(|member| body.get(member)?.as_array())
        .flatten()
}

fn any_message(body: &Value, test: impl Fn(&Value) -> bool) -> bool {
    messages(body).any(test)
}

fn role(message: &Value) -> &str {
    message
        .get("role")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The content of a message; true where it has none, which is neither null nor text.
fn content(message: &Value) -> &Value {
    message.get("content").unwrap_or(&Value::Bool(true))
}

fn parts(message: &Value) -> impl Iterator<Item = &Value> {
    content(message).as_array().into_iter().flatten()
}

fn kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn calls_of(message: &Value) -> usize {
    let listed = message.get("tool_calls").and_then(Value::as_array);
    let blocks = parts(message).filter(|part| kind(part) == "tool_use");
    listed.map_or(0, Vec::len) + blocks.count()
}

fn holds_tools(body: &Value) -> bool {
    body.get("tools").is_some()
}

fn holds_calls(body: &Value) -> bool {
    any_message(body, |message| {
        calls_of(message) > 0 || kind(message) == "function_call"
    })
}

fn holds_system(body: &Value) -> bool {
    body.get("system").is_some()
        || body.get("instructions").is_some()
        || any_message(body, |message| role(message) == "system")
}

fn holds_images(body: &Value) -> bool {
    any_message(body, |message| {
        parts(message).any(|part| matches!(kind(part), "image_url" | "image" | "input_image"))
    })
}

fn holds_echo(body: &Value) -> bool {
    [
        "extra_content",
        "reasoning_details",
        "encrypted_content",
        "signature",
    ]
    .iter()
    .any(|member| holds_member(body, member))
}

/// Whether a member of this name stands anywhere in the request.
fn holds_member(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(object) => object
            .iter()
            .any(|(member, value)| member == name || holds_member(value, name)),
        Value::Array(values) => values.iter().any(|value| holds_member(value, name)),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
