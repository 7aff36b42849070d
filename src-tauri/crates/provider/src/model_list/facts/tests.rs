//! What lists of the services people use look like, and what they tell.

use serde_json::{Value, json};
use talaria_domain::{ModelFacts, Price, Rates};

use super::of;

fn facts(context_window: u64) -> ModelFacts {
    ModelFacts {
        context_window: Some(context_window),
        ..ModelFacts::default()
    }
}

fn price(input: u64, output: u64, cached_input: impl Into<Option<u64>>) -> Option<Price> {
    Some(Price {
        usual: Rates {
            input,
            output,
            cached_input: cached_input.into(),
            cache_written: None,
        },
        long: None,
    })
}

/// Each service's form of an entry.
fn entries() -> Vec<(&'static str, Value, ModelFacts)> {
    let mut entries = hosted_entries();
    entries.extend(local_entries());
    entries
}

fn hosted_entries() -> Vec<(&'static str, Value, ModelFacts)> {
    vec![
        (
            "OpenRouter",
            json!({
                "id": "maker/model", "context_length": 200_000,
                "architecture": {"input_modalities": ["text", "image", "file"]},
                "pricing": {"prompt": "0.000003", "completion": "0.000015",
                    "input_cache_read": "0.0000003", "input_cache_write": "0"},
                "top_provider": {"context_length": 128_000, "max_completion_tokens": 64_000},
                "supported_parameters": ["max_tokens", "tools", "reasoning"]
            }),
            ModelFacts {
                max_output_tokens: Some(64_000),
                tools: Some(true),
                images: Some(true),
                documents: Some(true),
                reasoning: Some(true),
                price: price(3_000_000, 15_000_000, 300_000),
                ..facts(128_000)
            },
        ),
        (
            "OpenRouter, a text model without tools",
            json!({
                "id": "maker/small", "context_length": 8_192,
                "architecture": {"input_modalities": ["text"]},
                "pricing": {"prompt": "0", "completion": "0"},
                "top_provider": {"context_length": null, "max_completion_tokens": null},
                "supported_parameters": ["temperature"]
            }),
            ModelFacts {
                tools: Some(false),
                images: Some(false),
                reasoning: Some(false),
                price: price(0, 0, None),
                ..facts(8_192)
            },
        ),
        (
            "OpenRouter, a router",
            json!({"id": "router/auto", "context_length": 2_000_000,
                "pricing": {"prompt": "-1", "completion": "-1"}}),
            facts(2_000_000),
        ),
        (
            "Mistral",
            json!({"id": "m", "max_context_length": 131_072, "capabilities":
                {"completion_chat": true, "function_calling": true, "vision": false}}),
            ModelFacts {
                tools: Some(true),
                images: Some(false),
                ..facts(131_072)
            },
        ),
        (
            "Gemini's own",
            json!({"name": "models/g", "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536,
                "supportedGenerationMethods": ["generateContent"], "thinking": true}),
            ModelFacts {
                max_output_tokens: Some(65_536),
                reasoning: Some(true),
                ..facts(1_048_576)
            },
        ),
        (
            "Together",
            json!({"id": "t", "type": "chat", "context_length": 131_072,
                "pricing": {"hourly": 0, "input": 0.18, "output": 0.59, "base": 0}}),
            ModelFacts {
                price: price(180_000, 590_000, None),
                ..facts(131_072)
            },
        ),
        (
            "Together, priced by the hour",
            json!({"id": "t", "context_length": 4_096, "pricing": {"input": 0, "output": 0}}),
            facts(4_096),
        ),
        (
            "Groq",
            json!({"id": "q", "context_window": 131_072, "max_completion_tokens": 65_536}),
            ModelFacts {
                max_output_tokens: Some(65_536),
                ..facts(131_072)
            },
        ),
        (
            "Fireworks",
            json!({"id": "f", "context_length": 262_144, "supports_chat": true,
                "supports_image_input": false, "supports_tools": true}),
            ModelFacts {
                tools: Some(true),
                images: Some(false),
                ..facts(262_144)
            },
        ),
        (
            "DeepInfra",
            json!({"id": "d", "metadata": {"context_length": 163_840, "max_tokens": 16_384,
                "pricing": {"input_tokens": 0.27, "output_tokens": 1.0, "cache_read_tokens": 0.216},
                "tags": ["reasoning", "prompt_cache"]}}),
            ModelFacts {
                max_output_tokens: Some(16_384),
                reasoning: Some(true),
                price: price(270_000, 1_000_000, 216_000),
                ..facts(163_840)
            },
        ),
        (
            "SiliconFlow",
            json!({"id": "s", "object": "model", "created": 0, "owned_by": ""}),
            ModelFacts::default(),
        ),
        (
            "Anthropic",
            json!({"id": "c", "type": "model", "max_input_tokens": 1_000_000, "max_tokens": 128_000,
                "capabilities": {"image_input": {"supported": true}, "pdf_input": {"supported": true},
                    "thinking": {"supported": true, "types": {}}}}),
            ModelFacts {
                max_output_tokens: Some(128_000),
                images: Some(true),
                documents: Some(true),
                reasoning: Some(true),
                ..facts(1_000_000)
            },
        ),
        (
            "GitHub Models",
            json!({"id": "g", "limits": {"max_input_tokens": 131_072, "max_output_tokens": 4_096},
                "capabilities": ["streaming", "tool-calling"],
                "supported_input_modalities": ["text", "image"]}),
            ModelFacts {
                max_output_tokens: Some(4_096),
                tools: Some(true),
                images: Some(true),
                reasoning: Some(false),
                ..facts(131_072)
            },
        ),
        (
            "Moonshot",
            json!({"id": "k", "context_length": 262_144, "supports_image_in": true,
                "supports_reasoning": true}),
            ModelFacts {
                images: Some(true),
                reasoning: Some(true),
                ..facts(262_144)
            },
        ),
        (
            "a gateway that prices by the token",
            json!({"id": "v", "context_window": 400_000, "max_tokens": 128_000,
                "tags": ["tool-use", "vision"], "pricing": {"input": "0.00000125",
                    "output": "0.00001", "input_cache_read": "0.000000125"}}),
            ModelFacts {
                max_output_tokens: Some(128_000),
                tools: Some(true),
                images: Some(true),
                price: price(1_250_000, 10_000_000, 125_000),
                ..facts(400_000)
            },
        ),
        (
            "a price that is not in dollars",
            json!({"id": "y", "pricing": {"input": 2, "output": 8, "currency": "CNY"}}),
            ModelFacts::default(),
        ),
        (
            "xAI",
            json!({"id": "x", "input_modalities": ["text", "image"], "context_length": 500_000}),
            ModelFacts {
                images: Some(true),
                ..facts(500_000)
            },
        ),
    ]
}

fn local_entries() -> Vec<(&'static str, Value, ModelFacts)> {
    vec![
        (
            "vLLM",
            json!({"id": "v", "owned_by": "vllm", "max_model_len": 32_768}),
            facts(32_768),
        ),
        (
            "llama.cpp, with the window it runs with",
            json!({"id": "l", "meta": {"n_ctx": 8_192, "n_ctx_train": 131_072}}),
            facts(8_192),
        ),
        (
            "llama.cpp of an older version",
            json!({"id": "l", "meta": {"n_ctx_train": 131_072}}),
            facts(131_072),
        ),
        (
            "LM Studio, loaded",
            json!({"id": "s", "type": "vlm", "state": "loaded", "max_context_length": 131_072,
                "loaded_context_length": 4_096, "capabilities": ["tool_use"]}),
            ModelFacts {
                tools: Some(true),
                images: Some(true),
                reasoning: Some(false),
                ..facts(4_096)
            },
        ),
        (
            "LM Studio, not loaded",
            json!({"id": "s", "type": "llm", "state": "not-loaded", "max_context_length": 131_072}),
            ModelFacts::default(),
        ),
        (
            "Ollama's own description",
            json!({"capabilities": ["completion", "vision", "tools", "thinking"]}),
            ModelFacts {
                tools: Some(true),
                images: Some(true),
                reasoning: Some(true),
                ..ModelFacts::default()
            },
        ),
    ]
}

#[test]
fn each_service_is_read_as_it_writes() {
    for (service, entry, expected) in entries() {
        assert_eq!(of(&entry), expected, "{service}");
    }
}

#[test]
fn what_has_the_wrong_form_tells_nothing() {
    for entry in [
        json!({"context_length": "many", "pricing": "cheap", "capabilities": 3}),
        json!({"context_length": -1, "pricing": null, "tags": [1, 2], "thinking": "yes"}),
        json!({"context_length": 0, "max_tokens": 0, "supported_parameters": []}),
        json!("a name"),
        json!(null),
    ] {
        assert_eq!(of(&entry), ModelFacts::default(), "{entry}");
    }
}
