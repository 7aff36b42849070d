//! Counting tokens as a model does, for the models whose tokenizer is published.
//!
//! A vocabulary is read when it is first counted with: that takes a tenth of a second and some 10 to
//! 25 MB from then on. Whoever only needs to know that a text is short enough asks an estimate first.

use crate::model_table::bare;

/// Beginnings of models' names, and the vocabulary they share. A name that goes on with another
/// version (`qwen3.5`) must not match: later members of a family often have a vocabulary of their
/// own that is not published.
const VOCABULARIES: [(&str, &str); 33] = [
    ("chatgpt-4o", "o200k_base"),
    ("gpt-4.1", "o200k_base"),
    ("gpt-4.5", "o200k_base"),
    ("gpt-4o", "o200k_base"),
    ("gpt-5", "o200k_base"),
    // Its chat format has tokens of its own; text is counted alike.
    ("gpt-oss", "o200k_base"),
    ("o1", "o200k_base"),
    ("o3", "o200k_base"),
    ("o4-mini", "o200k_base"),
    ("deepseek-chat", "deepseek_v3"),
    ("deepseek-flash", "deepseek_v3"),
    ("deepseek-reasoner", "deepseek_v3"),
    ("deepseek-v3", "deepseek_v3"),
    ("deepseek-v4", "deepseek_v3"),
    ("glm-4.5", "glm4"),
    ("glm-4.6", "glm4"),
    ("glm-4.7", "glm4"),
    ("glm-5", "glm5"),
    ("kimi-k2", "kimi_k2"),
    ("kimi-k3", "kimi_k2"),
    ("llama-3", "llama3"),
    ("llama3", "llama3"),
    ("meta-llama-3", "llama3"),
    ("minimax-m2", "minimax_m2"),
    ("devstral", "mistral_v3"),
    ("magistral", "mistral_v3"),
    ("ministral", "mistral_v3"),
    ("mistral-nemo", "mistral_v3"),
    ("mistral-small", "mistral_v3"),
    ("open-mistral-nemo", "mistral_v3"),
    ("qwen2.5", "qwen2"),
    ("qwen3-", "qwen2"),
    ("qwen3:", "qwen2"),
];

/// A model's tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokenizer {
    vocabulary: &'static str,
}

impl Tokenizer {
    /// The tokenizer of this model, if it is known. Reads no vocabulary yet.
    #[must_use]
    pub fn of(model: &str) -> Option<Self> {
        let name = bare(model);
        let vocabulary = VOCABULARIES
            .iter()
            .find(|(prefix, _)| name.starts_with(prefix))
            .map(|(_, vocabulary)| *vocabulary)?;
        Some(Self { vocabulary })
    }

    /// Tokens that the text takes. What looks like a special token is counted as the text it is.
    #[must_use]
    pub fn count(&self, text: &str) -> Option<u64> {
        let vocabulary = tiktoken::get_encoding(self.vocabulary)?;
        u64::try_from(vocabulary.count(text)).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Tokenizer, VOCABULARIES};

    fn count(model: &str, text: &str) -> Option<u64> {
        Tokenizer::of(model)?.count(text)
    }

    #[test]
    fn every_vocabulary_is_compiled_in() {
        for (prefix, vocabulary) in VOCABULARIES {
            assert!(count(prefix, "a word").is_some(), "{prefix}: {vocabulary}");
        }
    }

    #[test]
    fn a_model_is_counted_with_its_familys_vocabulary() {
        for (model, vocabulary) in [
            ("gpt-5.4-mini", Some("o200k_base")),
            ("openai/gpt-oss-120b", Some("o200k_base")),
            ("deepseek-ai/DeepSeek-V3.2", Some("deepseek_v3")),
            ("deepseek-r1:8b", None),
            ("qwen3:8b", Some("qwen2")),
            ("qwen3.6-plus", None),
            ("GLM-5.2", Some("glm5")),
            ("kimi-k2.6", Some("kimi_k2")),
            ("claude-sonnet-5-5", None),
            ("gemini-3.6-flash", None),
            ("llama4:scout", None),
            ("", None),
        ] {
            let found = Tokenizer::of(model).map(|tokenizer| tokenizer.vocabulary);
            assert_eq!(found, vocabulary, "{model}");
        }
    }

    #[test]
    fn text_is_counted_and_a_special_tokens_name_is_text_too() {
        for (model, text, tokens) in [
            ("gpt-5", "hello world", 2),
            ("gpt-5", "", 0),
            ("gpt-5", "<|endoftext|>", 7),
            ("deepseek-v3", "Hello!", 2),
        ] {
            assert_eq!(count(model, text), Some(tokens), "{model}: {text}");
        }
    }

    #[test]
    fn chinese_is_counted_with_fewer_tokens_by_the_models_made_for_it() {
        let text = "大家一致认为第一个版本应该尽量小，其余的功能等到真的有人需要时再做。";
        let of = |model| count(model, text).expect("a count");
        for model in ["deepseek-v3", "kimi-k2", "glm-5", "qwen3:8b", "minimax-m2"] {
            assert!(of(model) <= of("gpt-5"), "{model}");
        }
    }

    proptest! {
        #[test]
        fn no_text_takes_more_tokens_than_bytes(text in "\\PC{0,60}") {
            let tokens = count("gpt-5", &text).expect("a count");
            prop_assert!(usize::try_from(tokens).expect("a count") <= text.len());
        }
    }
}
