//! Signs of what is wrong with the account: no money, no right, no access from there.

use super::Signs;

/// The account has no credit, or no plan for this.
pub(in crate::failure) const MONEY: Signs = Signs {
    codes: &[
        "insufficient_quota",
        "creditserror",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded",
        "billing_error",
        "billing_not_active",
        "billing_hard_limit_reached",
        "budget_exceeded",              // LiteLLM
        "exceeded_current_quota_error", // Moonshot
        "arrearage",                    // DashScope
        "setlimitexceeded",             // Volcengine
        "quotaexceeded",
        "invalidsubscription",
        "payment_required",
        "1113", // Zhipu
        "1309",
        "30001", // SiliconFlow
        "30011",
        "minimax-1008",
    ],
    parts: &[
        "insufficient_user_quota",
        "insufficient_balance",
        "insufficient_credit",
        "accountoverdue",
        "arrears",
        "freetieronly",
        "freeresourcepackexhausted", // Tencent
        "quota_user_daily_free",     // Baidu
    ],
    words: &[
        "insufficient balance",
        "balance is insufficient",
        "insufficient credit",
        "insufficient fund",
        "insufficient_quota",
        "credit balance is too low",
        "purchase credits",
        "purchase those credits",
        "more credits",
        "any credits",
        "usage credits",
        "used all available credits",
        "out of credits",
        "not enough credits",    // Serper
        "not have enough money", // Bocha
        "credits expired",
        "monthly included credits",
        "spending limit",
        "over budget",
        "budget has been exceeded",
        "budget limit exceeded",
        "key limit exceeded",
        "api usage limits", // Anthropic
        "extra usage is required",
        "usage limit for this billing cycle", // Kimi
        "membership benefits",
        "requires a subscription",
        "requires paid",
        "top up",
        "in good standing",
        "in arrears",
        "overdue balance",
        "overdue payment",
        "failure to pay",
        "free allocated quota exceeded",
        "free tier of the model has been exhausted",
        "余额不足",
        "余量已用尽",
        "额度不足",
        "额度已用",
        "额度失败",
        "欠费",
        "充值",
        "套餐已到期",
    ],
};

/// Told about money, and about an allowance that comes back by itself.
pub(in crate::failure) const QUOTA_WORDS: &str = "check your plan and billing";

/// DashScope says that about a minute's allowance, and leads to this.
pub(in crate::failure) const MINUTE_LINK: &str = "#token-limit";

/// The key is missing, wrong, or lacks a right.
pub(in crate::failure) const KEY: Signs = Signs {
    codes: &[
        "authentication_error",
        "authenticationerror",
        "invalid_authentication_error",
        "incorrect_api_key_error",
        "api_key_invalid", // Gemini
        "invalid_api_key",
        "invalidapikey",
        "invalid_iam_token",          // Baidu
        "subscription_token_invalid", // Brave
        "permission_error",
        "permission_denied",
        "unauthenticated",
        "unauthorized",
        "minimax-1004",
        "minimax-2049",
    ],
    parts: &["authfailure"], // Tencent
    words: &[
        "api key not valid",
        "api key expired",
        "api key is missing",
        "invalid api key",
        "incorrect api key",
        "invalid x-api-key",
        "invalid api token",
        "no api key",
        "no auth credentials",
        "authentication fails",
        "authentication failed",
        "invalid authentication",
        "unauthorized",
        "bad credentials",
        "无效的令牌",
        "令牌已过期",
        "身份验证",
        "鉴权失败",
        "密钥无效",
    ],
};

/// Zhipu's own codes for keys and accounts; other services mean other things by such numbers.
pub(in crate::failure) const ZHIPU_KEY: &[&str] = &[
    "1000", "1001", "1002", "1003", "1004", "1110", "1111", "1112", "1120", "1121", "1220",
];

/// The service is not offered there, or a guard before it lets nobody through.
pub(in crate::failure) const PLACE: Signs = Signs {
    codes: &["unsupported_country_region_territory", "forbidden_region"],
    parts: &[],
    words: &[
        "country, region, or territory",
        "location is not supported", // Gemini
        "region is not supported",
        "not supported in your region",
        "not available in your region",
        "not available in your country",
        "request not allowed", // Anthropic
        "error code: 10",      // Cloudflare
        "just a moment",
        "attention required",
        "所在地区",
        "地区不支持",
    ],
};
