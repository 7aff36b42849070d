//! Whole answers of services, as they come.

use std::time::SystemTime;

use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use super::rich;
use crate::dialect::{Dialect, Quirk};

/// What the whole answer of a service teaches, as its failure is judged.
fn taught(status: u16, body: &str) -> Option<Dialect> {
    let failure = crate::failure::from_answer(
        StatusCode::from_u16(status).expect("a status"),
        &HeaderMap::new(),
        body.as_bytes(),
        SystemTime::UNIX_EPOCH,
    );
    Dialect::default().after(&failure, &rich())
}

#[test]
fn whole_answers_of_services_teach_behind_every_status() {
    use Quirk::*;
    for (status, body, quirk) in [
        (
            400,
            r#"{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error","param":null,"code":null}}"#,
            NoTools,
        ),
        (
            400,
            r#"{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}"#,
            NoTools,
        ),
        (
            404,
            r#"{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, see the documentation.","code":404}}"#,
            NoTools,
        ),
        (
            400,
            r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}"#,
            NoTools,
        ),
        (
            500,
            r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
            NoTools,
        ),
        (
            400,
            r#"{"error":{"code":20037,"message":"Function call is not supported for this model.","data":null}}"#,
            NoTools,
        ),
        (
            500,
            r#"{"error":{"code":500,"message":"Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...","type":"server_error"}}"#,
            SpokenBridge,
        ),
        (
            400,
            r#"{"object":"error","message":"Conversation roles must alternate user/assistant/user/assistant/... Conversation roles must alternate user/assistant/user/assistant/...","type":"BadRequestError","code":400}"#,
            SpokenBridge,
        ),
        (
            400,
            r#"[{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}]"#,
            SystemInUser,
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#,
            NoMaxTokens,
        ),
        (
            422,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}"#,
            NoStreamOptions,
        ),
        (
            400,
            r#"{"error":{"message":"Unrecognized request argument supplied: stream_options","type":"invalid_request_error","param":null,"code":null}}"#,
            NoStreamOptions,
        ),
        (
            400,
            r#"{"error":{"message":"Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.","type":"invalid_request_error","param":"reasoning_effort","code":null}}"#,
            ReasoningOff,
        ),
        (
            400,
            r#"{"error":{"message":"The `reasoning_content` in the thinking mode must be passed back to the API."}}"#,
            ReasoningAlways,
        ),
        (
            400,
            r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"thinking is enabled but reasoning_content is missing in assistant tool call message at index 3\",\"type\":\"invalid_request_error\"}}","provider_name":"Moonshot AI"}}}"#,
            ReasoningAlways,
        ),
        (
            400,
            r#"{"error":{"message":"'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]","type":"invalid_request_error"}}"#,
            NoReasoning,
        ),
        (
            400,
            r#"{"error":{"message":"Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 300","type":"invalid_request_error"}}"#,
            NoImages,
        ),
        (
            404,
            r#"{"error":{"message":"No endpoints found that support image input","code":404}}"#,
            NoImages,
        ),
        (
            500,
            r#"{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}"#,
            NoImages,
        ),
        (
            400,
            r#"{"error":{"message":"Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.a': type is not defined>","type":"invalid_request_error"}}"#,
            PlainSchemas,
        ),
        (
            400,
            r#"[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"$schema\" at 'tools[0].function_declarations[0].parameters': Cannot find field.","status":"INVALID_ARGUMENT"}}]"#,
            PlainSchemas,
        ),
        (
            400,
            r#"{"object":"error","message":"Unexpected role 'user' after role 'tool'","type":"invalid_request_message_order","code":"3230"}"#,
            SpokenBridge,
        ),
        (
            400,
            r#"{"object":"error","message":"This model only supports single tool-calls at once!","type":"BadRequestError","code":400}"#,
            SingleCalls,
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.","status":"INVALID_ARGUMENT"}}"#,
            SignedCalls,
        ),
    ] {
        assert_eq!(
            taught(status, body),
            Some(Dialect::default().with(quirk)),
            "{body}"
        );
    }
}

#[test]
fn whole_answers_about_something_else_teach_nothing() {
    for (status, body) in [
        (
            429,
            r#"{"error":{"message":"Rate limit reached for tools"}}"#,
        ),
        (401, r#"{"error":{"message":"Incorrect API key provided"}}"#),
        (500, r#"{"error":{"message":"Internal error"}}"#),
        (503, r#"{"error":{"message":"The server is overloaded"}}"#),
        (
            404,
            r#"{"error":{"message":"The model `gpt-9` does not exist","code":"model_not_found"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 4096 tokens."}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Invalid image data: the file is broken"}}"#,
        ),
        (400, r#"{"error":{"message":"Could not process image"}}"#),
        (502, "<html><title>Bad gateway</title></html>"),
    ] {
        assert_eq!(taught(status, body), None, "{body}");
    }
}

#[test]
fn a_limit_that_a_minute_does_not_allow_is_left_out_behind_every_status() {
    let words = "Request too large for model `small` on tokens per minute (TPM): Limit 8000, Requested 32979, please reduce your message size and try again.";
    for status in [413, 429] {
        let body = format!(
            r#"{{"error":{{"message":"{words}","type":"tokens","code":"rate_limit_exceeded"}}}}"#
        );
        let next = taught(status, &body).expect("it can be left out");
        assert_eq!(next.limit_member(), None, "{status}");
    }
}
