//! The facts in one entry of a service's list, wherever services put them.
//!
//! A list that names what a model takes is complete: what it leaves out, the model lacks. Loose
//! tags are not: of those only the presence counts.

use serde_json::Value;
use talaria_domain::{ModelFacts, Price};

use crate::price::{Per, rates};

/// The window; the first that is there counts.
const WINDOWS: [&str; 15] = [
    // What is loaded now, not what could be.
    "/loaded_context_length",
    "/context_length",
    "/context_window",
    "/max_context_length",
    "/max_model_len",
    "/max_input_tokens",
    "/inputTokenLimit",
    "/max_context_window_tokens",
    "/capabilities/limits/max_context_window_tokens",
    "/metadata/context_length",
    "/limits/max_input_tokens",
    "/context_size",
    "/top_provider/context_length",
    "/meta/n_ctx",
    "/meta/n_ctx_train",
];
const OUTPUTS: [&str; 9] = [
    "/top_provider/max_completion_tokens",
    "/max_completion_tokens",
    "/max_output_tokens",
    "/max_output_length",
    "/outputTokenLimit",
    "/limits/max_output_tokens",
    "/capabilities/limits/max_output_tokens",
    "/metadata/max_tokens",
    "/max_tokens",
];
const TOOLS: [&str; 5] = [
    "/capabilities/function_calling",
    "/capabilities/supports/tool_calls",
    "/capabilities/trained_for_tool_use",
    "/supports_tools",
    "/supports_function_calling",
];
const IMAGES: [&str; 6] = [
    "/capabilities/vision",
    "/capabilities/supports/vision",
    "/capabilities/image_input/supported",
    "/supports_image_input",
    "/supports_image_in",
    "/supports_vision",
];
const DOCUMENTS: [&str; 2] = ["/capabilities/pdf_input/supported", "/supports_pdf_input"];
const REASONING: [&str; 5] = [
    "/capabilities/thinking/supported",
    "/capabilities/reasoning",
    "/thinking",
    "/supports_reasoning",
    "/supports_thinking",
];

/// Complete lists of what a model takes in.
const TAKEN: [&str; 4] = [
    "/architecture/input_modalities",
    "/input_modalities",
    "/supported_input_modalities",
    "/modalities/input",
];
/// Complete lists of what can be asked of a model.
const ASKED: [&str; 2] = ["/supported_parameters", "/capabilities"];
/// Lists of what is worth a mention.
const TAGS: [&str; 4] = [
    "/tags",
    "/metadata/tags",
    "/features",
    "/supported_features",
];

const TOOL_WORDS: [&str; 6] = [
    "tools",
    "tool_use",
    "tool-use",
    "tool-calling",
    "function_calling",
    "function-calling",
];
const IMAGE_WORDS: [&str; 3] = ["image", "images", "vision"];
const DOCUMENT_WORDS: [&str; 2] = ["file", "pdf"];
const REASONING_WORDS: [&str; 4] = [
    "reasoning",
    "include_reasoning",
    "reasoning_effort",
    "thinking",
];

/// What an entry tells of its model.
pub(crate) fn of(entry: &Value) -> ModelFacts {
    let asked = words(entry, &ASKED);
    let taken = words(entry, &TAKEN);
    let tags = words(entry, &TAGS);
    // A list of abilities tells of images only if it names them: `supported_parameters` never does.
    let seen = asked.as_ref().filter(|words| has(words, &IMAGE_WORDS));
    ModelFacts {
        context_window: window(entry),
        max_output_tokens: number(entry, &OUTPUTS),
        tools: flag(entry, &TOOLS)
            .or_else(|| asked.as_ref().map(|words| has(words, &TOOL_WORDS)))
            .or_else(|| presence(tags.as_ref(), &TOOL_WORDS)),
        images: flag(entry, &IMAGES)
            .or_else(|| taken.as_ref().map(|words| has(words, &IMAGE_WORDS)))
            .or_else(|| presence(seen, &IMAGE_WORDS))
            .or_else(|| presence(tags.as_ref(), &IMAGE_WORDS))
            .or_else(|| {
                entry
                    .get("type")
                    .filter(|kind| *kind == "vlm")
                    .map(|_| true)
            }),
        documents: flag(entry, &DOCUMENTS).or_else(|| presence(taken.as_ref(), &DOCUMENT_WORDS)),
        reasoning: flag(entry, &REASONING)
            .or_else(|| asked.as_ref().map(|words| has(words, &REASONING_WORDS)))
            .or_else(|| presence(tags.as_ref(), &REASONING_WORDS)),
        price: price(entry),
    }
}

/// The window, unless the entry says that its model is not loaded: with which window it will be,
/// only the server's settings tell.
fn window(entry: &Value) -> Option<u64> {
    if entry
        .get("state")
        .is_some_and(|state| state == "not-loaded")
    {
        return None;
    }
    let window = number(entry, &WINDOWS)?;
    // A gateway names the model's window and that of the first service it would ask.
    let first_asked = number(entry, &["/top_provider/context_length"]);
    Some(first_asked.map_or(window, |other| other.min(window)))
}

fn number(entry: &Value, places: &[&str]) -> Option<u64> {
    places
        .iter()
        .find_map(|place| entry.pointer(place)?.as_u64())
        .filter(|number| *number > 0)
}

fn flag(entry: &Value, places: &[&str]) -> Option<bool> {
    places.iter().find_map(|place| match entry.pointer(place)? {
        Value::Bool(flag) => Some(*flag),
        // How it can be set, which it could not be if it were not there.
        Value::Object(options) => (!options.is_empty()).then_some(true),
        _ => None,
    })
}

/// The first of the lists that says something.
fn words<'entry>(entry: &'entry Value, places: &[&str]) -> Option<Vec<&'entry str>> {
    places
        .iter()
        .filter_map(|place| entry.pointer(place)?.as_array())
        .map(|list| list.iter().filter_map(Value::as_str).collect::<Vec<_>>())
        .find(|words| !words.is_empty())
}

fn has(words: &[&str], wanted: &[&str]) -> bool {
    words.iter().any(|word| {
        wanted
            .iter()
            .any(|wanted| wanted.eq_ignore_ascii_case(word))
    })
}

fn presence(words: Option<&Vec<&str>>, wanted: &[&str]) -> Option<bool> {
    words.filter(|words| has(words, wanted)).map(|_| true)
}

/// The price, in each of the forms that are known to be dollars.
fn price(entry: &Value) -> Option<Price> {
    let pricing = entry
        .get("pricing")
        .or_else(|| entry.pointer("/metadata/pricing"))?;
    if pricing
        .get("currency")
        .is_some_and(|currency| currency != "USD")
    {
        return None;
    }
    let text = |names: &[&str]| {
        names.iter().find_map(|name| match pricing.get(*name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    };
    let cached = text(&[
        "input_cache_read",
        "input_cache_reads",
        "cache_read_tokens",
        "cached_input",
    ]);
    let written = text(&[
        "input_cache_write",
        "input_cache_writes",
        "cache_write_tokens",
    ]);
    let per_token =
        pricing.get("prompt").is_some() || pricing.get("input").is_some_and(Value::is_string);
    let usual = rates(
        if per_token { Per::Token } else { Per::Million },
        text(&["prompt", "input", "input_tokens"]).as_deref(),
        text(&["completion", "output", "output_tokens"]).as_deref(),
        cached.as_deref(),
        written.as_deref(),
    )?;
    // Where prices are numbers, a zero stands for a model that is priced by the hour.
    let is_unpriced = !per_token && usual.input == 0 && usual.output == 0;
    (!is_unpriced).then_some(Price { usual, long: None })
}

#[cfg(test)]
mod tests;
