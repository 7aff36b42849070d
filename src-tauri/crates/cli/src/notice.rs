//! What the user should know about how a turn went, in words. Used by `chat` and `session show`.

use talaria_domain::Notice;

use crate::output::Output;

/// A notice as one line.
pub(crate) fn words(output: Output, notice: &Notice) -> String {
    match notice {
        Notice::ModelSwitched {
            from, to, message, ..
        } => format!(
            "{} {} → {} · {message}",
            output.words("another model answers:", "已改用其他模型："),
            from.model,
            to.model,
        ),
        Notice::InputCut { sent, read } => format!(
            "{} {sent} → {read} token",
            output.words(
                "the service cut the conversation without saying so; give the model a larger window:",
                "服务悄悄截断了对话，请为模型设置更大的上下文窗口：",
            ),
        ),
        Notice::ToolsLeftOut => output
            .words(
                "this model takes no tools, so it was asked without them",
                "该模型不支持工具，本次请求未带工具",
            )
            .to_owned(),
        Notice::ImagesLeftOut => output
            .words(
                "this model takes no images, so the earlier ones were left out",
                "该模型不支持图片，本次请求未带之前的图片",
            )
            .to_owned(),
    }
}
