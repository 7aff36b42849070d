//! The user, and what they have said, as the agent's authority.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use talaria_agent::permission::{Policy, Shell, standing};
use talaria_agent::port::{Answered, Authority};
use talaria_domain::{
    Act, Answer, AskReason, Effect, Folder, FolderAccess, Question, QuestionContent, QuestionEnd,
    Reach, SessionId,
};

use crate::{Change, Core};

/// Asks through the front end.
pub(crate) struct FrontEnd {
    core: Core,
}

impl FrontEnd {
    pub(crate) fn new(core: Core) -> Self {
        Self { core }
    }
}

impl Core {
    /// What a session may do, as it stands now.
    pub(super) async fn policy(&self, session: SessionId) -> Policy {
        let kept = self.stored(move |store| store.session(session)).await;
        Policy {
            // What can't be read is not allowed: the mode is then the one that asks.
            mode: kept.map(|session| session.mode).unwrap_or_default(),
            folders: self.readable(session).await.unwrap_or_default(),
            rules: self.settings().rules,
            yes: self.yes().to_vec(),
            protected: self.own_places(),
            home: self.user_home(),
            shell: if cfg!(windows) {
                Shell::PowerShell
            } else {
                Shell::Posix
            },
            remembered: self.questions().remembered(session),
            tainted: None,
        }
    }
}

#[async_trait]
impl Authority for FrontEnd {
    async fn policy(&self, session: SessionId) -> Policy {
        self.core.policy(session).await
    }

    async fn ask(&self, question: &Question) -> Answered {
        if !self.core.can_ask() {
            return Answered::Not(QuestionEnd::Unasked);
        }
        let mut waiting = self.core.questions().open(question.clone());
        let told = Told::of(&self.core);
        self.core.host().asked(question);
        let answered = tokio::time::timeout(patience(question), &mut waiting.answer).await;
        drop(waiting);
        drop(told);
        match answered {
            Ok(Ok(answer)) => {
                self.extend(question, &answer).await;
                Answered::By(answer)
            }
            Ok(Err(_)) => Answered::Not(QuestionEnd::Withdrawn),
            Err(_) => Answered::Not(QuestionEnd::TimedOut),
        }
    }
}

impl FrontEnd {
    /// Lets a yes reach as far as the user said. If it can't, it holds for this once.
    async fn extend(&self, question: &Question, answer: &Answer) {
        let QuestionContent::Permission {
            tool,
            act,
            reason,
            reaches,
        } = &question.content
        else {
            return;
        };
        let Answer::Allow { reach, .. } = answer else {
            return;
        };
        let extended = match (reach, reason) {
            _ if !reaches.contains(reach) => return,
            (Reach::Always, _) => {
                let rules = standing(tool, act);
                let core = &self.core;
                core.change_settings(move |settings| settings.rules.extend(rules))
                    .await
            }
            (Reach::Folder, AskReason::OutsideFolders { path }) => {
                let folder = Folder {
                    path: folder_of(path),
                    access: access_of(act),
                    trusted: false,
                };
                self.core.grant(question.session_id, folder).await
            }
            (Reach::Once | Reach::Session | Reach::Folder, _) => return,
        };
        match extended {
            Ok(()) => self.core.changed(Change::Settings),
            Err(error) => tracing::warn!(%error, "a yes holds for this once only"),
        }
    }
}

/// The folder itself, or the one that a file lies in.
fn folder_of(path: &str) -> String {
    let path = Path::new(path);
    let folder = match path.is_dir() {
        true => path,
        false => path.parent().unwrap_or(path),
    };
    folder.display().to_string()
}

fn access_of(act: &Act) -> FolderAccess {
    let only_reads = |effect: &Effect| matches!(effect, Effect::Read { .. });
    match act.effects.iter().all(only_reads) {
        true => FolderAccess::Read,
        false => FolderAccess::Write,
    }
}

/// The front end knows that a question is open; dropped, that it no longer is.
struct Told<'core>(&'core Core);

impl<'core> Told<'core> {
    fn of(core: &'core Core) -> Self {
        core.changed(Change::Questions);
        Self(core)
    }
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        self.0.changed(Change::Questions);
    }
}

fn patience(question: &Question) -> Duration {
    let millis = question.expires_at.as_millis() - question.asked_at.as_millis();
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}
