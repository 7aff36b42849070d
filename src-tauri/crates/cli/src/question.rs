//! What a turn asks, put to whoever sits at the terminal. Enter alone is no.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use talaria_api::{AnswerQuestion, ApiError, Core, handler};
use talaria_domain::{
    Answer, AskReason, Choice, DiffHunk, Effect, FileDiff, LineChange, Preview, Question,
    QuestionContent, QuestionEnd, QuestionId, Reach, concern_text,
};
use tokio::task::AbortHandle;

use crate::output::Output;
use crate::terminal;

/// Puts the questions of a turn one after the other.
#[derive(Default)]
pub(crate) struct Asker {
    alone: Arc<tokio::sync::Mutex<()>>,
    open: Mutex<HashMap<QuestionId, AbortHandle>>,
}

impl Asker {
    /// Puts a question as soon as the others before it are done with.
    pub(crate) fn ask(&self, core: &Core, output: Output, question: Question) {
        let (core, alone, id) = (core.clone(), Arc::clone(&self.alone), question.id);
        let asking = tokio::spawn(async move {
            let _alone = alone.lock().await;
            if let Err(error) = put(&core, output, question).await {
                output.aside(&error.message);
            }
        });
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(id, asking.abort_handle());
    }

    /// Asks no longer: the question is closed.
    pub(crate) fn drop(&self, id: QuestionId) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(asking) = open.remove(&id) {
            asking.abort();
        }
    }
}

/// What to say about a question that got no answer.
pub(crate) fn unanswered(output: Output, end: QuestionEnd) -> Option<&'static str> {
    match end {
        QuestionEnd::Answered | QuestionEnd::Withdrawn => None,
        QuestionEnd::TimedOut => Some(output.words(
            "no answer in time: taken as no",
            "超时未答复，按“不允许”处理",
        )),
        QuestionEnd::Unasked => Some(output.words(
            "nobody can be asked here: taken as no; --yes names what is allowed",
            "此处无法询问，按“不允许”处理；可用 --yes 指明允许的操作",
        )),
    }
}

/// Asks, and hands the answer to the turn.
async fn put(core: &Core, output: Output, question: Question) -> Result<(), ApiError> {
    let answer = match &question.content {
        QuestionContent::Permission {
            tool, act, reason, ..
        } => {
            output.aside(&format!("{tool} · {}", why(output, reason)));
            for effect in &act.effects {
                output.aside(&format!("  {}", what(output, effect)));
            }
            if let Preview::Diff { diff } = &act.preview {
                output.aside(&lines(diff));
            }
            let digest = act.digest.clone();
            match ask(output.words("Allow this once? [y/N] ", "只允许这一次？[y/N] ")).await?
            {
                Some(yes) if is_yes(&yes) => Answer::Allow {
                    digest,
                    reach: Reach::Once,
                },
                _ => Answer::Deny { words: None },
            }
        }
        QuestionContent::Choice { choice } => chosen(output, choice).await?,
    };
    let question_id = question.id;
    handler::answer_question(
        core,
        AnswerQuestion {
            question_id,
            answer,
        },
    )
    .await
}

async fn chosen(output: Output, choice: &Choice) -> Result<Answer, ApiError> {
    output.aside(&choice.text);
    for (at, option) in choice.options.iter().enumerate() {
        output.aside(&format!("  {}. {option}", at + 1));
    }
    let hint = match (choice.options.is_empty(), choice.several) {
        (true, _) => output.words("Your answer: ", "你的回答："),
        (false, false) => output.words("A number, or your own words: ", "输入编号，或直接回答："),
        (false, true) => output.words(
            "Numbers, with commas between, or your own words: ",
            "输入编号（可多个，用逗号分隔），或直接回答：",
        ),
    };
    let words = ask(hint).await?.unwrap_or_default();
    Ok(match meant(&words, &choice.options) {
        chosen if chosen.is_empty() => Answer::Deny { words: None },
        chosen => Answer::Choose { chosen },
    })
}

/// The options that the numbers stand for; else the words as they are.
fn meant(words: &str, options: &[String]) -> Vec<String> {
    let numbers: Option<Vec<&String>> = words
        .split([',', '，', '、', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| options.get(part.parse::<usize>().ok()?.checked_sub(1)?))
        .collect();
    match numbers {
        Some(chosen) => chosen.into_iter().cloned().collect(),
        None => vec![words.trim().to_owned()],
    }
}

async fn ask(prompt: &str) -> Result<Option<String>, ApiError> {
    terminal::ask(prompt).await
}

fn is_yes(answer: &str) -> bool {
    matches!(
        answer.trim().to_lowercase().as_str(),
        "y" | "yes" | "是" | "好" | "允许"
    )
}

fn why(output: Output, reason: &AskReason) -> String {
    match reason {
        AskReason::Mode => output
            .words(
                "the session's mode asks for it first",
                "按会话的模式，这需要先询问",
            )
            .to_owned(),
        AskReason::Rule => output
            .words("one of your rules asks for this", "你的规则要求先询问")
            .to_owned(),
        AskReason::OutsideFolders { path } => format!(
            "{} {path}",
            output.words("outside the granted folders:", "在已授权的文件夹之外：")
        ),
        AskReason::Unclear { what } => format!(
            "{} {}",
            output.words("what it does can't be told:", "无法判断它会做什么："),
            concern_text(what, output.language())
        ),
        AskReason::Dangerous { what } => format!(
            "{} {}",
            output.words("this may do lasting harm:", "可能造成无法挽回的后果："),
            concern_text(what, output.language())
        ),
        AskReason::AfterSuspicion { origin } => format!(
            "{} {origin}",
            output.words(
                "instructions were found in what was read, it might follow from them:",
                "读到的内容里夹带了指令，此操作可能由此而来：",
            )
        ),
    }
}

fn what(output: Output, effect: &Effect) -> String {
    match effect {
        Effect::Read { path } => format!("{} {path}", output.words("read", "读取")),
        Effect::Write { path } => format!("{} {path}", output.words("write", "写入")),
        Effect::Command {
            command,
            folder,
            network,
            secrets,
            sandboxed,
        } => {
            let mut line = format!(
                "{} {command}\n  {} {folder}",
                output.words("run", "运行"),
                output.words("in", "位置：")
            );
            if *network {
                line.push_str(output.words(" · with the network", " · 可访问网络"));
            }
            if !secrets.is_empty() {
                let given = output.words(" · secrets: ", " · 密钥：");
                line.push_str(&format!("{given}{}", secrets.join(", ")));
            }
            if !sandboxed {
                line.push_str(output.words(" · not sandboxed here", " · 此处没有沙箱"));
            }
            line
        }
        Effect::Fetch { url } => format!("{} {url}", output.words("fetch", "访问网页")),
        Effect::WebSearch { host, query } => format!(
            "{} {host}: {query}",
            output.words("search the web with", "联网搜索，通过")
        ),
        Effect::Note { title } => format!("{} {title}", output.words("write the note", "写入笔记")),
    }
}

/// A change as a diff in the usual form.
fn lines(diff: &FileDiff) -> String {
    let mut text = format!("  +{} −{}", diff.added, diff.removed);
    for DiffHunk { lines, .. } in &diff.hunks {
        text.push_str("\n  ···");
        for line in lines {
            let mark = match line.change {
                LineChange::Same => ' ',
                LineChange::Added => '+',
                LineChange::Removed => '-',
            };
            text.push_str(&format!("\n  {mark} {}", line.text));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{is_yes, meant};

    #[test]
    fn enter_alone_is_no() {
        for (answer, yes) in [
            ("", false),
            ("n", false),
            ("yes, but", false),
            (" Y ", true),
            ("是", true),
        ] {
            assert_eq!(is_yes(answer), yes, "{answer}");
        }
    }

    #[test]
    fn numbers_stand_for_options_and_words_for_themselves() {
        let options = ["red".to_owned(), "blue".to_owned()];
        for (words, chosen) in [
            ("2", vec!["blue"]),
            ("1, 2", vec!["red", "blue"]),
            ("1，2", vec!["red", "blue"]),
            ("3", vec!["3"]),
            ("green", vec!["green"]),
            ("", vec![]),
        ] {
            assert_eq!(meant(words, &options), chosen, "{words}");
        }
    }
}
