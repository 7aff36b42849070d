//! Signs of what is wrong with the request: its length, its content, its model.

use super::Signs;

/// More than the model's window holds.
pub(in crate::failure) const WINDOW: Signs = Signs {
    codes: &[
        "context_length_exceeded",
        "context_window_exceeded",
        "model_context_window_exceeded",
        "exceed_context_size_error",
        "model_max_prompt_tokens_exceeded", // GitHub Copilot
        "tokens_limit_reached",             // GitHub Models
        "prompt_too_long",
        "tokens_too_long", // Baidu
        "characters_too_long",
        "336007",
        "336103",
        "1261", // Zhipu
        "3051", // Mistral
    ],
    parts: &["oversizetext", "outofcontext"], // Volcengine
    words: &[
        "maximum context length",
        "max context length",
        "context window",
        "context length",
        "context size",
        "context limit",
        "context is too long",
        "maximum number of tokens allowed",
        "range of input length", // DashScope
        "model token limit",     // Moonshot
        "maximum allowed input length",
        "maximum prompt length",
        "maximum model length", // vLLM
        "max_seq_len",          // SiliconFlow
        "max message tokens",   // Volcengine
        "n_ctx",                // LM Studio
        "`inputs` tokens",      // TGI
        "`inputs` must have less than",
        "input is too long for requested model",
        "prompt is too long",
        "prompt too long",
        "prompt tokens too long",
        "input length and `max_tokens` exceed",
        "reduce the length of the",
        "reduce the length of either one",
        "no user query found in messages", // Ollama, once it has cut the question off
        "input token count",
        "超长",
        "输入过长",
        "内容过长",
        "上下文长度",
        "超出上下文",
        "超过上下文",
        "超过最大长度",
        "超出最大长度",
        "超过模型最大",
        "输入长度超",
        "最大输入长度",
    ],
};

/// Said about length, and about other things unless tokens are spoken of.
pub(in crate::failure) const WINDOW_OF_TOKENS: Signs = Signs {
    codes: &[],
    parts: &[],
    words: &[
        "too many tokens",
        "too many input tokens",
        "too long",
        "too large",
        "exceeds the limit of",
        "exceed the limit",
        "exceed the configured limit",
        "exceeds the maximum",
        "exceed the maximum",
        "exceeds maximum",
        "limit exceeded",
        "cannot exceed",
        "数量超",
        "超过限制",
        "超出限制",
    ],
};

/// The service does not want to read or say this.
pub(in crate::failure) const CONTENT: Signs = Signs {
    codes: &[
        "content_policy_violation",
        "moderation_blocked",
        "unsafe_request", // Baidu
        "invalid_prompt",
        "1301", // Zhipu
        "minimax-1026",
        "minimax-1027",
    ],
    parts: &[
        "content_filter",
        "contentfilter",
        "datainspectionfailed",
        "data_inspection_failed",
        "sensitivecontent",
        "riskdetection",
        "policyviolation",
    ],
    words: &[
        "content management policy",
        "content policy",
        "content filter",
        "usage polic",
        "usage guidelines",
        "inappropriate content",
        "sensitive content",
        "content exists risk",  // DeepSeek
        "considered high risk", // Moonshot
        "was flagged",
        "new_sensitive", // MiniMax
        "敏感内容",
        "敏感信息",
        "敏感词",
        "内容敏感",
        "或敏感",
        "涉敏",
        "不合规",
        "内容安全",
    ],
};

/// There is no such model, or not for this account; whatever else is said.
pub(in crate::failure) const MODEL: Signs = Signs {
    codes: &[
        "model_not_found",
        "model_not_available",
        "model_not_supported", // GitHub Copilot
        "model_decommissioned",
        "modelnotfound",
        "modelnotopen",
        "invalid_model",
        "unknown_model",
        "unavailable_model",
        "deploymentnotfound",
        "1211", // Zhipu
        "1311",
        "20012", // SiliconFlow
        "30003",
    ],
    parts: &[
        "invalidendpoint",
        "model.accessdenied",
        "modelidaccessdisabled",
    ],
    words: &[
        "no endpoints found",
        "no models loaded", // LM Studio
        "requested model is not supported",
        "not a chat model",
        "model identifier is invalid", // Bedrock
        "access to the model",
        "access to model",
        "unable to access model",
        "model has been decommissioned",
        "model disabled",
        "failed to load model",
        "try pulling it",
        "must be verified to use the model",
        "无可用渠道",
    ],
};

/// Means the model; the words only where a model is spoken of.
pub(in crate::failure) const MODEL_OF_MODEL: Signs = Signs {
    codes: &["not_found_error", "notfounderror"],
    parts: &[],
    words: &[
        "not found",
        "not exist",
        "no such model",
        "unknown model",
        "not a valid model",
        "invalid model",
        "not have access",
        "no longer available",
        "no longer supported",
        "deprecated",
        "decommissioned",
        "不存在",
        "已下线",
        "无权",
        "未开通",
    ],
};

/// The service refuses the request itself, also where it says so behind a 500.
pub(in crate::failure) const REQUEST: Signs = Signs {
    codes: &[
        "invalid_request_error",
        "invalid_argument",
        "request_too_large",
    ],
    parts: &[],
    words: &[
        "must alternate",
        "jinja",
        "chat template",
        "chat_template",
        "raise_exception",
        "cannot unmarshal",
        "does not support tools",
        "requires more system memory", // Ollama
    ],
};

/// The model wrote a call that the service could not read; it may do better.
pub(in crate::failure) const CLUMSY: Signs = Signs {
    codes: &["tool_use_failed"], // Groq
    parts: &[],
    words: &["failed to call a function"],
};
