use proptest::prelude::*;
use url::Url;

use super::{AddressError, base_url, is_loopback};
use crate::Protocol::{self, AnthropicMessages, OpenaiChat, OpenaiResponses};

fn given(text: &str, protocol: Protocol) -> String {
    base_url(text, protocol).map_or_else(|error| format!("{error:?}"), |url| url.to_string())
}

#[test]
fn any_usual_form_becomes_the_one_base() {
    for (text, expected) in [
        // A bare host gets the version part, in every spelling of a bare host.
        ("https://llm.example.com", "https://llm.example.com/v1"),
        ("https://llm.example.com/", "https://llm.example.com/v1"),
        ("llm.example.com", "https://llm.example.com/v1"),
        ("  llm.example.com/v1/  ", "https://llm.example.com/v1"),
        ("//llm.example.com", "https://llm.example.com/v1"),
        ("HTTPS://LLM.Example.COM/v1", "https://llm.example.com/v1"),
        ("https:/llm.example.com", "https://llm.example.com/v1"),
        ("https//llm.example.com", "https://llm.example.com/v1"),
        // Never twice.
        (
            "https://llm.example.com/v1/v1",
            "https://llm.example.com/v1",
        ),
        ("https://llm.example.com/v1//", "https://llm.example.com/v1"),
        // A version part of the service's own stays.
        (
            "https://a.example.com/api/paas/v4/",
            "https://a.example.com/api/paas/v4",
        ),
        (
            "https://a.example.com/v1beta/openai/",
            "https://a.example.com/v1beta/openai",
        ),
        (
            "https://a.example.com/compatible-mode/v1",
            "https://a.example.com/compatible-mode/v1",
        ),
        (
            "https://a.example.com/api/v3",
            "https://a.example.com/api/v3",
        ),
        // A gateway's path stays as it is.
        (
            "https://a.example.com/team/llm",
            "https://a.example.com/team/llm",
        ),
        ("http://box/av1", "http://box/av1"),
        // Pasted endpoints are cut back.
        (
            "https://a.example.com/v1/chat/completions",
            "https://a.example.com/v1",
        ),
        (
            "https://a.example.com/chat/completions",
            "https://a.example.com/v1",
        ),
        (
            "https://a.example.com/v1/models/",
            "https://a.example.com/v1",
        ),
        (
            "https://a.example.com/api/v3/chat/completions",
            "https://a.example.com/api/v3",
        ),
        (
            "https://a.example.com/v1/responses?stream=1",
            "https://a.example.com/v1",
        ),
        (
            "http://localhost:11434/api/tags",
            "http://localhost:11434/v1",
        ),
        (
            "http://localhost:11434/api/chat",
            "http://localhost:11434/v1",
        ),
        // What does not belong to an address goes.
        (
            "https://a.example.com/v1?key=abc#top",
            "https://a.example.com/v1",
        ),
        ("\"https://a.example.com/v1\"", "https://a.example.com/v1"),
        ("https://a.example.com/\n v1", "https://a.example.com/v1"),
        (
            "\u{feff}https://a.example.com\u{200b}",
            "https://a.example.com/v1",
        ),
        // Near hosts have no certificate as a rule.
        ("localhost:8080", "http://localhost:8080/v1"),
        ("127.0.0.1:1234", "http://127.0.0.1:1234/v1"),
        ("[::1]:8000", "http://[::1]:8000/v1"),
        ("192.168.1.20:8000/v1", "http://192.168.1.20:8000/v1"),
        ("gpu-box:8000", "http://gpu-box:8000/v1"),
        ("studio.local:1234", "http://studio.local:1234/v1"),
        ("https://localhost:8443", "https://localhost:8443/v1"),
        ("8.8.8.8:8000", "https://8.8.8.8:8000/v1"),
        // A server that listens everywhere is asked here.
        ("http://0.0.0.0:8000", "http://127.0.0.1:8000/v1"),
        ("http://[::]:8000/v1", "http://[::1]:8000/v1"),
        // Chinese input methods.
        ("https：／／a．example．com／v1", "https://a.example.com/v1"),
        ("https://a。example。com/v1", "https://a.example.com/v1"),
        ("ｌｏｃａｌｈｏｓｔ：11434", "http://localhost:11434/v1"),
        ("“https://a.example.com/v1”", "https://a.example.com/v1"),
        (
            "https://a.example.com\u{3000}/v1",
            "https://a.example.com/v1",
        ),
        ("https:、、a.example.com、v1", "https://a.example.com/v1"),
        // The host of a known service gets that service's path.
        ("open.bigmodel.cn", "https://open.bigmodel.cn/api/paas/v4"),
        ("https://openrouter.ai/api", "https://openrouter.ai/api/v1"),
        (
            "https://generativelanguage.googleapis.com/v1beta",
            "https://generativelanguage.googleapis.com/v1beta/openai",
        ),
        (
            "open.bigmodel.cn/api/coding/paas/v4",
            "https://open.bigmodel.cn/api/coding/paas/v4",
        ),
    ] {
        assert_eq!(given(text, OpenaiChat), expected, "{text:?}");
        assert_eq!(given(text, OpenaiResponses), expected, "{text:?}");
    }
}

#[test]
fn the_anthropic_protocol_always_has_a_version_part() {
    for (text, expected) in [
        ("api.anthropic.com", "https://api.anthropic.com/v1"),
        (
            "https://api.anthropic.com/v1/messages",
            "https://api.anthropic.com/v1",
        ),
        (
            "https://a.example.com/anthropic",
            "https://a.example.com/anthropic/v1",
        ),
        (
            "https://a.example.com/anthropic/v1/messages",
            "https://a.example.com/anthropic/v1",
        ),
        (
            "https://a.example.com/v1/messages/count_tokens",
            "https://a.example.com/v1",
        ),
    ] {
        assert_eq!(given(text, AnthropicMessages), expected, "{text:?}");
    }
}

#[test]
fn what_is_no_web_address_is_refused_with_its_reason() {
    for (text, expected) in [
        ("", AddressError::Empty),
        (" \n ", AddressError::Empty),
        ("https://", AddressError::Unreadable),
        ("not an address at all!^", AddressError::Unreadable),
        ("http://host:99999", AddressError::Unreadable),
        (
            "ftp://a.example.com",
            AddressError::Scheme("ftp".to_owned()),
        ),
        (
            "file:///etc/passwd",
            AddressError::Scheme("file".to_owned()),
        ),
        (
            "ws://a.example.com/v1",
            AddressError::Scheme("ws".to_owned()),
        ),
        (
            "https://me:hunter2@a.example.com",
            AddressError::Credentials,
        ),
        ("me@a.example.com", AddressError::Credentials),
    ] {
        assert_eq!(base_url(text, OpenaiChat), Err(expected), "{text:?}");
    }
}

#[test]
fn a_refusal_never_repeats_a_password() {
    let error = base_url("https://me:hunter2@a.example.com", OpenaiChat).expect_err("refused");
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}

#[test]
fn only_this_computer_is_loopback() {
    for (text, expected) in [
        ("http://localhost:1", true),
        ("http://ollama.localhost", true),
        ("http://127.8.9.1", true),
        ("http://[::1]:8000", true),
        ("http://[::ffff:127.0.0.1]", true),
        ("http://192.168.1.2", false),
        ("https://localhost.example.com", false),
        ("https://notlocalhost", false),
        ("https://127.0.0.1.example.com", false),
    ] {
        let url = Url::parse(text).expect("a URL");
        assert_eq!(is_loopback(&url), expected, "{text}");
    }
}

fn protocols() -> impl Strategy<Value = Protocol> {
    prop_oneof![
        Just(OpenaiChat),
        Just(OpenaiResponses),
        Just(AnthropicMessages),
    ]
}

fn paths() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("v1"),
        Just("v4"),
        Just("v1beta"),
        Just("api"),
        Just("chat"),
        Just("completions"),
        Just("messages"),
        Just("models"),
        Just("openai"),
        Just("")
    ];
    proptest::collection::vec(part, 0..6).prop_map(|parts| parts.join("/"))
}

proptest! {
    #[test]
    fn a_base_is_its_own_base(
        host in "(https?://)?(api\\.example\\.com|localhost:[1-9][0-9]{3}|openrouter\\.ai|api\\.groq\\.com)",
        path in paths(),
        protocol in protocols(),
    ) {
        let once = base_url(&format!("{host}/{path}"), protocol).expect("an address");
        let twice = base_url(once.as_str(), protocol).expect("still an address");
        prop_assert_eq!(&once, &twice);
        prop_assert!(!once.path().ends_with('/'), "{}", once);
        prop_assert!(!once.path().ends_with("/v1/v1"), "{}", once);
    }

    #[test]
    fn no_text_breaks_the_rule(text in ".{0,80}", protocol in protocols()) {
        if let Ok(url) = base_url(&text, protocol) {
            prop_assert!(matches!(url.scheme(), "http" | "https"));
            prop_assert!(url.query().is_none() && url.username().is_empty());
            prop_assert_eq!(base_url(url.as_str(), protocol), Ok(url));
        }
    }
}
