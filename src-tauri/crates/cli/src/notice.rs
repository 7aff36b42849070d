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
        Notice::ContextShortened { compaction } => format!(
            "{} {} → {} token",
            output.words("older parts were shortened to make room:", "已压缩较早的内容以腾出空间："),
            compaction.tokens_before,
            compaction.tokens_after,
        ),
        Notice::ContextFull { window, fixed } => format!(
            "{} {fixed} / {window} token",
            output.words(
                "no room can be made: rules, tools and the message alone take most of the window:",
                "已无法腾出空间：规则、工具和这条消息就占去了窗口的大部分：",
            ),
        ),
        Notice::NoProgress { tool, times } => format!(
            "{} {tool} × {times}",
            output.words(
                "the model went round in circles and was told to conclude:",
                "模型在原地打转，已要求它作出结论：",
            ),
        ),
        Notice::SummaryFailed => output
            .words(
                "the context is full, and no summary of its older part could be written",
                "上下文已满，而较早内容的摘要没有写成",
            )
            .to_owned(),
        Notice::NotConcluded => output
            .words(
                "the model was asked to conclude and said nothing more; what was reached stands above",
                "已要求模型作出结论，但它没有再说什么；目前的进展见上文",
            )
            .to_owned(),
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
        Notice::InstructionsLeftOut {
            path,
            is_suspicious,
        } => format!(
            "{} {path}",
            if *is_suspicious {
                output.words(
                    "instructions that try to take over were left out:",
                    "以下说明试图操纵助手，未采用：",
                )
            } else {
                output.words(
                    "there is no room for these instructions, they were left out:",
                    "以下说明过长，未采用：",
                )
            }
        ),
    }
}
