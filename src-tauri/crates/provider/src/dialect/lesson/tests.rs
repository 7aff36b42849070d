mod answers;
mod limits;

use proptest::prelude::*;
use serde_json::{Value, json};
use talaria_domain::{ErrorCode, Retry, ServiceFailure};

use super::{LESSONS, largest_below};
use crate::dialect::{Dialect, Quirk};

fn refusal(code: ErrorCode, message: &str) -> ServiceFailure {
    ServiceFailure {
        code,
        message: message.to_owned(),
        retry: Retry::Never,
        limit: None,
        status: Some(400),
    }
}

/// A request that holds everything that can be refused.
fn rich() -> Value {
    json!({
        "model": "small",
        "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": [
                {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}},
                {"type": "image_url", "image_url": {"url": "data:"}},
            ]},
            {"role": "assistant", "content": "", "reasoning_content": "hm", "tool_calls": [
                {"id": "1", "extra_content": {}},
                {"id": "2"},
            ]},
            {"role": "tool", "content": "r"},
        ],
        "stream_options": {"include_usage": true},
        "tools": [{"strict": false}],
        "tool_choice": "required",
        "max_tokens": 32000,
        "include": ["reasoning.encrypted_content"],
        "reasoning": {"summary": "auto"},
        "thinking": {"type": "adaptive"},
        "store": false,
    })
}

fn poor() -> Value {
    json!({"model": "small", "messages": [{"role": "user", "content": "a"}], "stream": true})
}

fn learnt(message: &str, body: &Value) -> Option<Dialect> {
    Dialect::default().after(&refusal(ErrorCode::BadRequest, message), body)
}

#[test]
fn each_refusal_teaches_its_one_quirk() {
    use Quirk::*;
    for (message, quirk) in [
        (
            "Encrypted content is not supported with this model.",
            NoSealedReasoning,
        ),
        ("include: Extra inputs are not permitted", NoSealedReasoning),
        (
            "Unsupported parameter: 'reasoning.summary' is not supported with this model.",
            NoSummary,
        ),
        (
            "Your organization must be verified to generate reasoning summaries.",
            NoSummary,
        ),
        (
            "thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags",
            NoSummary,
        ),
        ("tools.0.strict: Extra inputs are not permitted", NoStrict),
        ("Unknown parameter: 'store'.", NoStore),
        (
            "body.stream_options: Extra inputs are not permitted",
            NoStreamOptions,
        ),
        ("Unknown field: include_usage", NoStreamOptions),
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            NoMaxTokens,
        ),
        ("gemma:2b does not support tools", NoTools),
        (
            "No endpoints found that support tool use. Try another model.",
            NoTools,
        ),
        (
            "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
            NoTools,
        ),
        ("`tool calling` is not supported with this model", NoTools),
        ("tools param requires --jinja flag", NoTools),
        ("This model doesn't support function calling.", NoTools),
        ("该模型不支持工具调用", NoTools),
        (
            "Thinking may not be enabled when tool_choice forces tool use.",
            NoToolChoice,
        ),
        ("tool_choice 'required' is not available", NoToolChoice),
        (
            "Tool call id was call_77 but must be a-z, A-Z, 0-9, with a length of 9.",
            ShortIds,
        ),
        ("System role not supported", SystemInUser),
        (
            "Developer instruction is not enabled for models/gemma-3",
            SystemInUser,
        ),
        (
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            SystemInUser,
        ),
        (
            "Function tools with reasoning_effort are not supported for small in /v1/chat/completions. Set reasoning_effort to 'none'.",
            ReasoningOff,
        ),
        (
            "The `reasoning_content` in the thinking mode must be passed back to the API.",
            ReasoningAlways,
        ),
        (
            "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
            ReasoningAlways,
        ),
        ("property 'reasoning_content' is unsupported", NoReasoning),
        (
            "Function call is missing a thought_signature in functionCall parts.",
            SignedCalls,
        ),
        (
            "messages.2.tool_calls.0.extra_content: Extra inputs are not permitted",
            NoEcho,
        ),
        (
            "This model only supports single tool-calls at once!",
            SingleCalls,
        ),
        (
            "Conversation roles must alternate user/assistant/user/assistant/...",
            SpokenBridge,
        ),
        ("Unexpected role 'user' after role 'tool'", SpokenBridge),
        ("Only user and assistant roles are supported!", CallsInWords),
        ("small is not a multimodal model", NoImages),
        ("unknown variant `image_url`, expected `text`", NoImages),
        (
            "'image_url' is only supported by certain models: image_url not supported",
            NoImages,
        ),
        (
            "image input is not supported - you may need to provide the mmproj",
            NoImages,
        ),
        ("messages[2].content must not be empty", NullContent),
        (
            "Invalid schema for function 'now': 'pattern' is not permitted",
            PlainSchemas,
        ),
        (
            "tools.function.parameters is not a valid moonshot flavored json schema",
            PlainSchemas,
        ),
        ("failed to parse grammar", PlainSchemas),
        (
            "messages.1.content.0.cache_control: Extra inputs are not permitted",
            NoCacheMarks,
        ),
    ] {
        let next = learnt(message, &rich());
        assert_eq!(next, Some(Dialect::default().with(quirk)), "{message}");
    }
}

#[test]
fn nothing_is_learnt_about_what_was_not_sent() {
    for message in [
        "stream_options is not permitted",
        "does not support tools",
        "System role not supported",
        "roles must alternate",
        "max_tokens is not supported",
        "reasoning_content must be passed back",
        "does not support image input",
        "tool_choice is unknown",
        "content must not be empty",
    ] {
        assert_eq!(learnt(message, &poor()), None, "{message}");
    }
}

#[test]
fn failures_of_another_kind_teach_nothing() {
    for code in [
        ErrorCode::Auth,
        ErrorCode::Billing,
        ErrorCode::RateLimited,
        ErrorCode::Network,
        ErrorCode::Timeout,
        ErrorCode::StreamCut,
        ErrorCode::ContentPolicy,
    ] {
        let failure = refusal(code, "stream_options is not permitted");
        assert_eq!(
            Dialect::default().after(&failure, &rich()),
            None,
            "{code:?}"
        );
    }
    assert_eq!(learnt("no such thing", &rich()), None);
    assert_eq!(learnt("", &rich()), None);
}

#[test]
fn a_lesson_is_learnt_once_and_the_next_one_after_it() {
    let alternate = refusal(ErrorCode::Overloaded, "Conversation roles must alternate");
    let mut dialect = Dialect::default();
    for quirk in [
        Quirk::SpokenBridge,
        Quirk::CallsInWords,
        Quirk::SystemInUser,
    ] {
        let next = dialect
            .after(&alternate, &rich())
            .expect("something is left to try");
        assert_eq!(next, dialect.with(quirk));
        dialect = next;
    }
    assert_eq!(dialect.after(&alternate, &rich()), None);
}

#[test]
fn the_number_of_a_request_is_no_limit() {
    let body = json!({"max_tokens": 90_000});
    let learnt = learnt(
        "max_tokens is too large, at most 8192 (request req-70000)",
        &body,
    );
    assert_eq!(
        learnt.map(|dialect| dialect.output_limit(90_000)),
        Some(8192)
    );
}

#[test]
fn a_refusal_of_what_went_back_is_not_taken_for_another() {
    use Quirk::*;
    let anthropic = json!({"messages": [{"role": "assistant", "content": [
        {"type": "thinking", "thinking": "hm", "signature": "QUJD"},
    ]}], "thinking": {"type": "adaptive"}});
    let responses = json!({"input": [{"type": "reasoning", "encrypted_content": "c2VhbA=="}],
        "include": ["reasoning.encrypted_content"], "reasoning": {"summary": "auto"}});
    for (message, body, quirk) in [
        (
            "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\".",
            &anthropic,
            LooseThoughts,
        ),
        (
            "messages.1.content.0: Invalid `signature` in `thinking` block",
            &anthropic,
            NoEcho,
        ),
        (
            "thinking.display: Extra inputs are not permitted",
            &anthropic,
            NoSummary,
        ),
        (
            "The encrypted content gAAA could not be verified.",
            &responses,
            NoEcho,
        ),
        (
            "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
            &responses,
            NoEcho,
        ),
        (
            "Unsupported parameter: 'reasoning.summary'",
            &responses,
            NoSummary,
        ),
    ] {
        let next = learnt(message, body);
        assert_eq!(next, Some(Dialect::default().with(quirk)), "{message}");
    }
}

#[test]
fn an_answers_blocks_are_known_in_every_protocol() {
    let anthropic = json!({
        "system": "Be kind.",
        "max_tokens": 100,
        "messages": [
            {"role": "user", "content": [{"type": "image"}]},
            {"role": "assistant", "content": [{"type": "tool_use"}, {"type": "tool_use"}]},
        ],
    });
    let responses = json!({
        "instructions": "Be kind.",
        "max_output_tokens": 100,
        "input": [
            {"role": "user", "content": [{"type": "input_image"}]},
            {"type": "function_call"},
        ],
    });
    for body in [anthropic, responses] {
        for (message, quirk) in [
            ("this model does not support image input", Quirk::NoImages),
            ("System role not supported", Quirk::SystemInUser),
            ("does not support tools", Quirk::NoTools),
        ] {
            let next = learnt(message, &body);
            assert_eq!(
                next,
                Some(Dialect::default().with(quirk)),
                "{message} {body}"
            );
        }
    }
}

#[test]
fn every_word_of_a_lesson_is_in_lower_case() {
    for lesson in LESSONS {
        for word in lesson.words.iter().copied().flatten() {
            assert_eq!(*word, word.to_lowercase());
        }
    }
}

proptest! {
    #[test]
    fn any_text_teaches_at_most_a_bounded_number_of_things(words in "[ -~]{0,80}") {
        let failure = refusal(
            ErrorCode::BadRequest,
            &format!("{words} tools content must alternate max_tokens unknown"),
        );
        let mut dialect = Dialect::default();
        let mut steps = 0;
        while let Some(next) = dialect.after(&failure, &rich()) {
            prop_assert_ne!(&next, &dialect);
            dialect = next;
            steps += 1;
            prop_assert!(steps <= LESSONS.len() + 4);
        }
    }

    #[test]
    fn a_limit_found_is_always_smaller_than_the_one_refused(text in "[0-9, ]{0,40}", refused: u32) {
        if let Some(found) = largest_below(&text, refused) {
            prop_assert!(found < refused);
        }
    }
}
