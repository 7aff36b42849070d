//! The judgement: which code an error gets.
//!
//! The order of the rules is the point. Words about money win over every status. Words about
//! haste win over words about length, since "too many tokens, please wait" would otherwise cost
//! the user a part of the conversation.

use talaria_domain::ErrorCode;

use super::limit;
use super::report::Report;

const OVERFLOW_CODES: &[&str] = &[
    "context_length_exceeded",
    "context_window_exceeded",
    "model_context_window_exceeded",
    "exceed_context_size_error",
    "tokens_too_long",
    "characters_too_long",
    "prompt_too_long",
    "1261",
    "1039",
];
const OVERFLOW_WORDS: &[&str] = &[
    "maximum context length",
    "max context length",
    "context window",
    "context length",
    "context size",
    "context limit",
    "maximum number of tokens allowed",
    "range of input length",
    "model token limit",
    "maximum allowed input length",
    "maximum prompt length",
    "input is too long for requested model",
    "prompt is too long",
    "prompt too long",
    "prompt tokens too long",
    "reduce the length of the messages",
    "no user query found in messages",
    "input token count",
    "输入长度超",
    "上下文长度超",
];
const BILLING_CODES: &[&str] = &[
    "insufficient_quota",
    "insufficient_user_quota",
    "insufficient_balance",
    "insufficient_credits",
    "creditserror",
    "billing_error",
    "billing_not_active",
    "billing_hard_limit_reached",
    "exceeded_current_quota_error",
    "arrearage",
    "accountoverdueerror",
    "payment_required",
    "1113",
    "1008",
    "30001",
    "30011",
];
const BILLING_WORDS: &[&str] = &[
    "insufficient balance",
    "balance is insufficient",
    "insufficient credit",
    "insufficient fund",
    "insufficient_quota",
    "credit balance is too low",
    "purchase credits",
    "more credits",
    "used all available credits",
    "out of credits",
    "top up",
    "account is in arrears",
    "overdue payment",
    "余额不足",
    "额度不足",
    "欠费",
    "充值",
];
/// Said by a daily allowance as well, which comes back by itself.
const QUOTA_WORDS: &str = "check your plan and billing";
const HASTE_WORDS: &[&str] = &[
    "rate limit",
    "rate-limit",
    "ratelimit",
    "throttl",
    "too many requests",
    "too many tokens, please wait",
    "requests per minute",
    "tokens per minute",
    "quota exceeded",
    "请求过于频繁",
    "速率限制",
    "频率",
];
const HASTE_CODES: &[&str] = &[
    "rate_limit_error",
    "rate_limit_exceeded",
    "rate_limit_reached_error",
    "resource_exhausted",
    "too_many_requests",
    "1302",
    "1303",
    "1305",
];
const FULL_WORDS: &[&str] = &[
    "overloaded",
    "server is busy",
    "at capacity",
    "no capacity",
    "capacity exceeded",
    "currently unavailable",
    "temporarily unavailable",
    "服务繁忙",
    "繁忙",
    "过载",
];
const FULL_CODES: &[&str] = &[
    "overloaded_error",
    "engine_overloaded_error",
    "serveroverloaded",
    "api_error",
    "server_error",
    "internal_server_error",
    "service_unavailable",
    "unavailable",
    "1312",
];
const POLICY_CODES: &[&str] = &[
    "content_filter",
    "content_policy_violation",
    "datainspectionfailed",
    "data_inspection_failed",
    "sensitivecontentdetected",
    "moderation_blocked",
    "1301",
    "1026",
    "1027",
];
const POLICY_WORDS: &[&str] = &[
    "content management policy",
    "content policy",
    "usage policies",
    "inappropriate content",
    "sensitive content",
    "敏感内容",
    "不安全或敏感",
];
const MODEL_CODES: &[&str] = &["model_not_found", "modelnotopen", "modelnotfound", "1211"];
const MODEL_WORDS: &[&str] = &[
    "not found",
    "not exist",
    "no such model",
    "unknown model",
    "not a valid model",
    "invalid model",
    "not have access",
    "no endpoints found",
    "不存在",
];
const KEY_CODES: &[&str] = &[
    "authentication_error",
    "invalid_api_key",
    "invalidapikey",
    "authenticationerror",
    "permission_error",
    "permission_denied",
    "invalid_authentication_error",
    "unauthenticated",
    "2049",
];
const KEY_WORDS: &[&str] = &[
    "api key not valid",
    "invalid api key",
    "incorrect api key",
    "invalid x-api-key",
    "no auth credentials",
    "authentication fails",
    "invalid authentication",
    "unauthorized",
    "api key is missing",
    "无效的令牌",
];
const REQUEST_CODES: &[&str] = &[
    "invalid_request_error",
    "invalid_argument",
    "request_too_large",
];

/// The code for what `report` says behind `status`; no status inside a stream.
pub(super) fn code(report: &Report, status: Option<u16>) -> ErrorCode {
    let coded = |codes: &[&str]| {
        report
            .codes
            .iter()
            .any(|code| codes.contains(&code.as_str()))
    };
    let says = |words: &[&str]| words.iter().any(|word| report.text.contains(word));

    if coded(OVERFLOW_CODES) {
        return ErrorCode::ContextOverflow;
    }
    let allowance = coded(&["resource_exhausted"]) || report.wait.is_some();
    let out_of_quota = report.text.contains(QUOTA_WORDS) && !allowance;
    if status == Some(402) || coded(BILLING_CODES) || says(BILLING_WORDS) || out_of_quota {
        return ErrorCode::Billing;
    }
    // More tokens at once than the service lets through in a minute: no waiting helps.
    if report.text.contains("request too large") && limit::is_beyond_minute(&report.text) {
        return ErrorCode::ContextOverflow;
    }
    let full = coded(FULL_CODES) || says(FULL_WORDS);
    if matches!(status, Some(429 | 503 | 529)) || coded(HASTE_CODES) || says(HASTE_WORDS) {
        let haste = coded(HASTE_CODES) || says(HASTE_WORDS) || (status == Some(429) && !full);
        return if haste {
            ErrorCode::RateLimited
        } else {
            ErrorCode::Overloaded
        };
    }
    if says(OVERFLOW_WORDS) {
        return ErrorCode::ContextOverflow;
    }
    if coded(POLICY_CODES) || says(POLICY_WORDS) {
        return ErrorCode::ContentPolicy;
    }
    let about_model = report.text.contains("model") || report.text.contains("模型");
    if status != Some(401) && (coded(MODEL_CODES) || (about_model && says(MODEL_WORDS))) {
        return ErrorCode::ModelNotFound;
    }
    if matches!(status, Some(401 | 403)) || coded(KEY_CODES) || says(KEY_WORDS) {
        return ErrorCode::Auth;
    }
    by_status(report, status, full, coded(REQUEST_CODES))
}

fn by_status(report: &Report, status: Option<u16>, full: bool, refused: bool) -> ErrorCode {
    if report.is_page && !matches!(status, Some(413 | 500..)) {
        return ErrorCode::BadResponse;
    }
    match status {
        Some(407) => ErrorCode::Network,
        Some(408 | 504 | 524) => ErrorCode::Timeout,
        Some(500..) => ErrorCode::Overloaded,
        // Nothing there speaks the protocol.
        Some(404 | 405) => ErrorCode::BadResponse,
        Some(400..500) => ErrorCode::BadRequest,
        _ if refused => ErrorCode::BadRequest,
        _ if full => ErrorCode::Overloaded,
        _ => ErrorCode::BadResponse,
    }
}
