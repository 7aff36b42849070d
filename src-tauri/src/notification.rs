//! Questions of running turns, told to who does not look at the window.
//!
//! The shell calls it when a turn asks. A notification carries the whole act and can be answered,
//! or it carries less and only leads to the window. Closing it, or letting it pass, answers nothing.

#[cfg(target_os = "linux")]
mod freedesktop;

use talaria_api::{AnswerQuestion, Core, ListQuestions, handler};
use talaria_domain::{
    Act, Answer, AskReason, Effect, Language, Preview, Question, QuestionContent, Reach,
};
use tauri::AppHandle;
use tokio::sync::watch;

#[cfg(target_os = "linux")]
use self::freedesktop::{Outcome, Service};
use crate::window;

/// A text of more characters or lines may be cut where it is shown, so that nobody could say yes to
/// all of it.
const LONGEST: usize = 240;
const LINES: usize = 4;

/// Tells the user of a question until it ends, and hands on what they answer. `changes` comes each
/// time that the open questions have changed.
#[cfg(target_os = "linux")]
pub(crate) async fn tell(
    app: &AppHandle,
    core: &Core,
    question: &Question,
    mut changes: watch::Receiver<u64>,
) {
    let told = Told::of(question, core.language());
    let ended = async {
        while is_open(core, question).await {
            if changes.changed().await.is_err() {
                return;
            }
        }
    };
    let outcome = match Service::of_session().await {
        Ok(service) => service.ask(&told, ended).await,
        Err(error) => Err(error),
    };
    match outcome {
        Ok(Outcome::Show) => window::raise(app),
        Ok(Outcome::Nothing) => {}
        Ok(Outcome::Denied) => answer(core, question, Answer::Deny { words: None }).await,
        Ok(Outcome::Allowed) => {
            if let Some(answers) = &told.answers {
                answer(core, question, answers.yes()).await;
            }
        }
        Err(error) => tracing::debug!(%error, "there are no notifications here"),
    }
}

/// Elsewhere the system draws attention to the window, which shows the question.
#[cfg(not(target_os = "linux"))]
pub(crate) async fn tell(
    _app: &AppHandle,
    _core: &Core,
    _question: &Question,
    _changes: watch::Receiver<u64>,
) {
}

#[cfg(target_os = "linux")]
async fn is_open(core: &Core, question: &Question) -> bool {
    let session_id = Some(question.session_id);
    let open = handler::list_questions(core, ListQuestions { session_id }).await;
    open.is_ok_and(|open| open.iter().any(|it| it.id == question.id))
}

#[cfg(target_os = "linux")]
async fn answer(core: &Core, question: &Question, answer: Answer) {
    let question_id = question.id;
    let answered = handler::answer_question(
        core,
        AnswerQuestion {
            question_id,
            answer,
        },
    )
    .await;
    if let Err(error) = answered {
        tracing::info!(%error, "the question had ended before it was answered");
    }
}

/// What a notification says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) title: String,
    pub(crate) body: String,
    /// The answers it offers; none where it only leads to the window.
    pub(crate) answers: Option<Answers>,
    /// What opens the window.
    pub(crate) show: String,
}

/// The answers of a notification, none of them the first choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answers {
    pub(crate) deny: String,
    pub(crate) allow: String,
    /// Stands for exactly what was shown.
    digest: String,
}

impl Answers {
    /// Yes, to exactly this and this once.
    pub(crate) fn yes(&self) -> Answer {
        Answer::Allow {
            digest: self.digest.clone(),
            reach: Reach::Once,
        }
    }
}

impl Told {
    /// What is told of a question.
    pub(crate) fn of(question: &Question, language: Language) -> Self {
        let words = |english: &str, chinese: &str| {
            let chosen = match language {
                Language::English => english,
                Language::Chinese => chinese,
            };
            chosen.to_owned()
        };
        let show = words("Show", "查看");
        match &question.content {
            QuestionContent::Choice { choice } => Self {
                title: words("Talaria has a question", "Talaria 想问你"),
                body: shortened(&choice.text),
                answers: None,
                show,
            },
            QuestionContent::Permission { act, reason, .. } => {
                let whole = whole(act, language).filter(|_| is_habit(reason));
                let answers = whole.is_some().then(|| Answers {
                    deny: words("Deny", "拒绝"),
                    allow: words("Allow once", "仅此一次"),
                    digest: act.digest.clone(),
                });
                let look = words(
                    "Look at it in the window before you answer.",
                    "请在窗口中查看后再回答。",
                );
                Self {
                    title: words("May Talaria do this?", "允许 Talaria 这样做吗？"),
                    body: whole.unwrap_or(look),
                    answers,
                    show,
                }
            }
        }
    }
}

/// The act in full; none where it can't be shown so that nothing of it is missed.
fn whole(act: &Act, language: Language) -> Option<String> {
    if !matches!(act.preview, Preview::Arguments) || act.effects.is_empty() {
        return None;
    }
    let lines: Vec<String> = act.effects.iter().map(|it| line(it, language)).collect();
    let text = lines.join("\n");
    let is_plain = !text
        .chars()
        .any(|c| c != '\n' && (c.is_control() || is_formatting(c)));
    let fits = text.chars().count() <= LONGEST && text.lines().count() <= LINES;
    (is_plain && fits).then_some(text)
}

/// Characters that change how others are read, or can't be seen.
fn is_formatting(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn line(effect: &Effect, language: Language) -> String {
    let (english, chinese, subject) = match effect {
        Effect::Read { path } => ("Read", "读取", path.clone()),
        Effect::Write { path } => ("Change the file", "修改文件", path.clone()),
        Effect::Command {
            command,
            folder,
            network,
            secrets,
            sandboxed,
        } => {
            let facts = facts(*network, secrets, *sandboxed, language);
            let subject = format!("{command}\n({folder}; {facts})");
            ("Run", "运行", subject)
        }
        Effect::Fetch { url } => ("Open", "访问", url.clone()),
        Effect::WebSearch { host, query } => {
            ("Search the web", "联网搜索", format!("{query} ({host})"))
        }
        Effect::Note { title } => ("Write the note", "写入笔记", title.clone()),
    };
    match language {
        Language::English => format!("{english}: {subject}"),
        Language::Chinese => format!("{chinese}：{subject}"),
    }
}

fn facts(network: bool, secrets: &[String], sandboxed: bool, language: Language) -> String {
    let (on, off, given, inside, outside) = match language {
        Language::English => (
            "may use the network",
            "no network",
            "gets the secrets ",
            "sandboxed",
            "not sandboxed here",
        ),
        Language::Chinese => (
            "可访问网络",
            "不能联网",
            "会得到密钥：",
            "在沙箱中",
            "此处没有沙箱",
        ),
    };
    let mut facts = vec![if network { on } else { off }.to_owned()];
    if !secrets.is_empty() {
        facts.push(format!("{given}{}", secrets.join(", ")));
    }
    facts.push(if sandboxed { inside } else { outside }.to_owned());
    facts.join("; ")
}

/// Whether it is asked out of habit; what is grave is to be looked at.
fn is_habit(reason: &AskReason) -> bool {
    matches!(reason, AskReason::Mode | AskReason::Rule)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::{
        Act, Answer, AskReason, Choice, Effect, FileChangeKind, FileDiff, ItemId, Language,
        Preview, Question, QuestionContent, QuestionId, Reach, SessionId, Timestamp, TurnId,
    };

    use super::Told;

    pub(crate) fn question(content: QuestionContent) -> Question {
        let at = Timestamp::from_millis(1);
        Question {
            id: QuestionId::from_parts(at, [1; 10]),
            session_id: SessionId::from_parts(at, [2; 10]),
            turn_id: TurnId::from_parts(at, [3; 10]),
            item_id: ItemId::from_parts(at, [4; 10]),
            asked_at: at,
            expires_at: Timestamp::from_millis(600_001),
            content,
        }
    }

    fn command(command: &str) -> Effect {
        Effect::Command {
            command: command.into(),
            folder: "/home/ada/work".into(),
            network: true,
            secrets: vec!["TOKEN".into()],
            sandboxed: true,
        }
    }

    fn asked(effects: Vec<Effect>, reason: AskReason, preview: Preview) -> Question {
        question(QuestionContent::Permission {
            tool: "run_command".into(),
            act: Act {
                effects,
                preview,
                asks: None,
                digest: "d1".into(),
            },
            reason,
            reaches: vec![Reach::Session],
        })
    }

    #[test]
    fn an_act_that_fits_is_told_whole_and_can_be_answered() {
        let question = asked(
            vec![command("make test")],
            AskReason::Mode,
            Preview::Arguments,
        );
        let told = Told::of(&question, Language::English);
        assert_eq!(
            told.body,
            "Run: make test\n(/home/ada/work; may use the network; gets the secrets TOKEN; sandboxed)"
        );
        let yes = told.answers.unwrap().yes();
        let (digest, reach) = ("d1".to_owned(), Reach::Once);
        assert_eq!(yes, Answer::Allow { digest, reach });
        let told = Told::of(&question, Language::Chinese);
        assert!(told.body.starts_with("运行：make test"), "{}", told.body);
        assert_eq!(told.answers.unwrap().deny, "拒绝");
    }

    #[test]
    fn what_can_not_be_told_whole_or_is_grave_only_leads_to_the_window() {
        let diff = FileDiff {
            path: "/a".into(),
            change: FileChangeKind::Changed,
            added: 1,
            removed: 1,
            hunks: Vec::new(),
            cut: false,
        };
        let long = "x".repeat(300);
        let what = "it removes files".to_owned();
        for (effects, reason, preview) in [
            (vec![command(&long)], AskReason::Mode, Preview::Arguments),
            (
                vec![command("a\nb\nc\nd\ne")],
                AskReason::Mode,
                Preview::Arguments,
            ),
            (
                vec![command("ls \u{202e}fdp.x")],
                AskReason::Mode,
                Preview::Arguments,
            ),
            (
                vec![command("ls\u{7}")],
                AskReason::Mode,
                Preview::Arguments,
            ),
            (
                vec![command("ls")],
                AskReason::Dangerous { what },
                Preview::Arguments,
            ),
            (
                vec![Effect::Write { path: "/a".into() }],
                AskReason::Mode,
                Preview::Diff { diff },
            ),
            (Vec::new(), AskReason::Mode, Preview::Arguments),
        ] {
            let question = asked(effects, reason, preview);
            let told = Told::of(&question, Language::English);
            assert_eq!(told.answers, None, "{question:?}");
            assert!(told.body.contains("in the window"), "{}", told.body);
        }
    }

    #[test]
    fn a_question_of_the_models_is_told_and_answered_in_the_window() {
        let choice = Choice {
            text: "哪一块地？".into(),
            options: vec!["一".into()],
            several: false,
        };
        let told = Told::of(
            &question(QuestionContent::Choice { choice }),
            Language::Chinese,
        );
        assert_eq!((told.body.as_str(), told.answers), ("哪一块地？", None));
    }
}
