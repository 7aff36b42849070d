//! Signs of what waiting helps with: haste, allowances and a lack of room.

use super::Signs;

/// Too fast: waiting a little helps.
pub(in crate::failure) const HASTE: Signs = Signs {
    codes: &[
        "resource_exhausted",
        "1302", // Zhipu
        "1303",
        "1304",
        "1305",
        "1308",
        "1310",
        "1313",
        "336501", // Baidu
        "336502",
        "minimax-1002",
        "minimax-1039",
        "minimax-1041",
        "minimax-2045",
        "minimax-2056",
    ],
    parts: &[
        "rate_limit",
        "ratelimit",
        "throttling",
        "too_many_requests",
        "requestlimitexceeded",
        "quota_exceeded",
        "servicequotaexceeded", // Bedrock
        "accountquotaexceeded",
        "requestbursttoofast",
        "limit_requests",
        "limit_burst_rate",
    ],
    words: &[
        "rate limit",
        "rate-limit",
        "ratelimit",
        "rate_limit",
        "throttl",
        "too many requests",
        "too many tokens, please wait",
        "requests per minute",
        "tokens per minute",
        "tokens per day",
        "tpm limit",
        "rpm limit",
        "concurrency limit",
        "max rpm",
        "quota exceeded",
        "exceeded your current quota",
        "usage limit",
        "请求过于频繁",
        "请求过多",
        "速率",
        "请求频率",
        "调用频率",
        "访问频率",
        "频率过",
        "频率超",
        "频率限",
        "限流",
        "并发数",
        "使用上限",
        "调用次数限额",
    ],
};

/// An allowance of hours or days is used up: waiting a little does not help.
pub(in crate::failure) const ALLOWANCE: Signs = Signs {
    codes: &[
        "1304",
        "1308",
        "1310",
        "accountquotaexceeded",
        "minimax-2056",
    ],
    parts: &[],
    words: &[
        "per day",
        "per-day",
        "daily",
        "per week",
        "weekly",
        "per month",
        "/ month",
        "monthly",
        "usage limit",
        "使用上限",
        "今日",
        "每日",
        "每周",
        "每月",
    ],
};

/// The service has no room now.
pub(in crate::failure) const FULL: Signs = Signs {
    codes: &[
        "server_error",
        "internal_server_error",
        "api_error",
        "internal",
        "unavailable",
        "1312",  // Zhipu
        "3505",  // Mistral
        "50505", // SiliconFlow
        "minimax-1000",
        "minimax-1013",
        "minimax-1024",
        "minimax-1033",
    ],
    parts: &[
        "overloaded",
        "service_unavailable",
        "serviceunavailable",
        "unavailable_error",
    ],
    words: &[
        "overloaded",
        "server is busy",
        "server busy",
        "at capacity",
        "no capacity",
        "capacity exceeded",
        "high demand",
        "high traffic",
        "currently unavailable",
        "temporarily unavailable",
        "繁忙",
        "过载",
        "负载已饱和",
        "访问量过大",
    ],
};
