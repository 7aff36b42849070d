//! What to do about each kind of failure, in one line, for the command line and scripts.
//!
//! The window has its own, longer words and buttons in `ui/src/lib/backend/errors.ts`.

use talaria_domain::{ErrorCode, Language};

/// The line for a code.
#[must_use]
pub(crate) fn hint(code: ErrorCode, language: Language) -> &'static str {
    let (english, chinese) = match code {
        ErrorCode::Auth => ("Check the key of this service.", "请检查该服务的密钥。"),
        ErrorCode::Billing => (
            "Add credit to the account, or choose another service.",
            "请为账户充值，或换用其他服务。",
        ),
        ErrorCode::RateLimited => ("Wait a moment and try again.", "请稍候再试。"),
        ErrorCode::Overloaded => (
            "The service is busy. Try again later, or choose another model.",
            "服务繁忙。请稍后再试，或换用其他模型。",
        ),
        ErrorCode::ContextOverflow => (
            "Begin a new session, clear the history, or choose a model with a larger window.",
            "请新建会话、清空历史，或换用窗口更大的模型。",
        ),
        ErrorCode::OutputLimit => ("Ask for a shorter answer.", "请要求更短的回答。"),
        ErrorCode::ContentPolicy => (
            "The service refused this content. Put it in other words.",
            "服务拒绝了这段内容。请换一种说法。",
        ),
        ErrorCode::ModelNotFound => (
            "Choose another model: `talaria provider models` lists them.",
            "请换用其他模型：`talaria provider models` 可列出全部模型。",
        ),
        ErrorCode::BadRequest => (
            "The service refused the request; its message says why.",
            "服务拒绝了该请求，原因见其消息。",
        ),
        ErrorCode::Network => (
            "Check the network, the address and the proxy.",
            "请检查网络、地址和代理。",
        ),
        ErrorCode::Timeout => (
            "Nothing came for too long. Try again.",
            "等待过久没有回应。请重试。",
        ),
        ErrorCode::Tls => (
            "Check the certificate, the clock, and whether a proxy intercepts the connection.",
            "请检查证书、系统时间，以及是否有代理拦截连接。",
        ),
        ErrorCode::BadResponse => (
            "Check the address: the answer is not what the protocol says.",
            "请检查地址：返回内容不符合协议。",
        ),
        ErrorCode::StreamCut => (
            "The connection broke off. What came is kept; try again.",
            "连接中断。已收到的内容已保留，请重试。",
        ),
        ErrorCode::Cancelled => ("It was stopped.", "已停止。"),
        ErrorCode::Storage => (
            "Check that the disk has room and the data folder can be written.",
            "请检查磁盘空间，以及数据文件夹是否可写。",
        ),
        ErrorCode::Keyring => (
            "Unlock the system keyring, or choose another place for keys in the settings.",
            "请解锁系统密钥环，或在设置中为密钥选择其他存放处。",
        ),
        ErrorCode::InvalidInput => ("Mend the input and try again.", "请修改输入后重试。"),
        ErrorCode::NotFound => (
            "Check the name: there is no such thing.",
            "请检查名称：找不到该项。",
        ),
        ErrorCode::Conflict => (
            "It was changed meanwhile. Read it again, then save.",
            "它在此期间已被修改。请重新读取后再保存。",
        ),
        ErrorCode::Denied => ("It was not permitted.", "未获许可。"),
        ErrorCode::UnsafeContent => ("The content was judged unsafe.", "内容被判定为不安全。"),
        ErrorCode::Internal => (
            "This is a fault of Talaria. The log has the details.",
            "这是 Talaria 自身的故障，详情见日志。",
        ),
    };
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}
