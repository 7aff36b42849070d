//! Somebody to ask: nobody at all, or one who answers by a script.

use std::collections::VecDeque;
use std::sync::Mutex;

use async_trait::async_trait;
use talaria_agent::permission::Policy;
use talaria_agent::port::{Answered, Authority};
use talaria_domain::{Answer, Question, QuestionContent, QuestionEnd, Reach, SessionId};

/// Nobody can be asked.
pub(crate) struct Nobody;

#[async_trait]
impl Authority for Nobody {
    async fn policy(&self, _session: SessionId) -> Policy {
        Policy::default()
    }

    async fn ask(&self, _question: &Question) -> Answered {
        Answered::Not(QuestionEnd::Unasked)
    }
}

/// What is answered to one question.
pub(crate) enum Reply {
    Yes,
    YesToSomethingElse,
    No(Option<&'static str>),
    Chosen(&'static [&'static str]),
    /// Yes, but only once another question is open too.
    Together,
    Late,
    Never,
}

/// Answers in order, and remembers what it was asked.
#[derive(Default)]
pub(crate) struct Somebody {
    replies: Mutex<VecDeque<Reply>>,
    pub(crate) asked: Mutex<Vec<Question>>,
}

impl Somebody {
    pub(crate) fn who_says(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self {
            replies: Mutex::new(replies.into_iter().collect()),
            asked: Mutex::default(),
        }
    }

    pub(crate) fn times_asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

#[async_trait]
impl Authority for Somebody {
    async fn policy(&self, _session: SessionId) -> Policy {
        Policy::default()
    }

    async fn ask(&self, question: &Question) -> Answered {
        self.asked.lock().unwrap().push(question.clone());
        let reply = self.replies.lock().unwrap().pop_front().expect("a reply");
        let allow = |digest: String| {
            Answered::By(Answer::Allow {
                digest,
                reach: Reach::Once,
            })
        };
        if matches!(reply, Reply::Together) {
            while self.times_asked() < 2 {
                tokio::task::yield_now().await;
            }
        }
        match reply {
            Reply::Yes | Reply::Together => match &question.content {
                QuestionContent::Permission { act, .. } => allow(act.digest.clone()),
                QuestionContent::Choice { .. } => panic!("not a question of yes or no"),
            },
            Reply::YesToSomethingElse => allow("another".into()),
            Reply::No(words) => Answered::By(Answer::Deny {
                words: words.map(Into::into),
            }),
            Reply::Chosen(chosen) => Answered::By(Answer::Choose {
                chosen: chosen.iter().map(|&one| one.to_owned()).collect(),
            }),
            Reply::Late => Answered::Not(QuestionEnd::TimedOut),
            Reply::Never => std::future::pending().await,
        }
    }
}
