//! The checks of `talaria doctor`: what works, and what to do where something does not.

use futures_util::StreamExt;
use talaria_domain::{ErrorCode, Mode, Session, SessionId, SessionSource, TitleOrigin};
use talaria_provider::{ProofEvent, ProofState, ProofStep, prove};

use crate::hint::hint;
use crate::{ApiError, Check, Core, Diagnosis, RunDoctor};

/// Looks at everything a conversation needs.
pub async fn run_doctor(core: &Core, RunDoctor {}: RunDoctor) -> Result<Vec<Diagnosis>, ApiError> {
    let doctor = Doctor { core };
    let mut diagnoses = doctor.model().await;
    diagnoses.push(doctor.tools());
    diagnoses.push(doctor.session_write().await);
    diagnoses.push(doctor.notes_folder().await);
    diagnoses.push(doctor.keyring().await);
    Ok(diagnoses)
}

struct Doctor<'core> {
    core: &'core Core,
}

impl Doctor<'_> {
    /// Connection, call round trip and window, by the proof of the first-run guide.
    async fn model(&self) -> Vec<Diagnosis> {
        let checks = [Check::Connection, Check::CallRoundTrip, Check::ContextLimit];
        match self.proof().await {
            Ok(steps) => checks.map(|check| self.of_proof(check, &steps)).into(),
            Err(error) => checks.map(|check| self.failed(check, &error)).into(),
        }
    }

    async fn proof(&self) -> Result<Vec<ProofEvent>, ApiError> {
        let model = self.core.default_model().ok_or_else(ApiError::no_model)?;
        let endpoint = self.core.endpoint(&model.service).await?;
        let steps = prove(self.core.client(), endpoint, model.model);
        let settled =
            steps.filter(|event| std::future::ready(!matches!(event.state, ProofState::Running)));
        Ok(settled.collect().await)
    }

    fn of_proof(&self, check: Check, steps: &[ProofEvent]) -> Diagnosis {
        let belongs = |step: ProofStep| match check {
            Check::Connection => {
                matches!(step, ProofStep::Reach | ProofStep::Key | ProofStep::Answer)
            }
            Check::CallRoundTrip => step == ProofStep::ToolCall,
            _ => step == ProofStep::Window,
        };
        let mut seen = Vec::new();
        for event in steps.iter().filter(|event| belongs(event.step)) {
            match &event.state {
                ProofState::Running => {}
                ProofState::Passed { detail, .. } => seen.push(detail.clone()),
                ProofState::Limited { message, .. } => {
                    return self.failed(check, &ApiError::new(ErrorCode::BadResponse, message));
                }
                ProofState::Failed { code, message, .. } => {
                    return self.failed(check, &ApiError::new(*code, message));
                }
                ProofState::Skipped => {
                    return self.failed(check, &ApiError::new(ErrorCode::Cancelled, "not tried"));
                }
            }
        }
        passed(check, seen.join(" · "))
    }

    fn tools(&self) -> Diagnosis {
        if let Err(error) = self.core.notes().notebook() {
            return self.failed(Check::Tools, &error.into());
        }
        let specs = self.core.registry().specs();
        let names: Vec<String> = specs.into_iter().map(|spec| spec.name).collect();
        passed(Check::Tools, names.join(", "))
    }

    /// Writes a session, reads it back and deletes it.
    async fn session_write(&self) -> Diagnosis {
        let now = self.core.now();
        let session = Session {
            id: SessionId::from_parts(now, self.core.random()),
            title: String::new(),
            title_origin: TitleOrigin::None,
            model: None,
            source: SessionSource::Cli,
            mode: Mode::Ask,
            pinned: false,
            archived: false,
            created_at: now,
            updated_at: now,
        };
        let written = self
            .core
            .stored(move |store| {
                store.create_session(&session)?;
                let read = store.session(session.id)?;
                store.delete_session(session.id, now)?;
                Ok(read == session)
            })
            .await;
        match written {
            Ok(true) => passed(Check::SessionWrite, self.core.home().database().display()),
            Ok(false) => {
                let error =
                    ApiError::new(ErrorCode::Storage, "what was read is not what was written");
                self.failed(Check::SessionWrite, &error)
            }
            Err(error) => self.failed(Check::SessionWrite, &error),
        }
    }

    async fn notes_folder(&self) -> Diagnosis {
        match self
            .core
            .in_notes(|notebook| notebook.check_writable())
            .await
        {
            Ok(()) => passed(Check::NotesFolder, self.core.notes_folder().display()),
            Err(error) => self.failed(Check::NotesFolder, &error),
        }
    }

    async fn keyring(&self) -> Diagnosis {
        let state = self.core.secrets().probe().await;
        match state.active {
            Some(backend) => passed(
                Check::Keyring,
                format_args!("{} · {}", backend.name(), state.keyring_name),
            ),
            None => {
                let why = state
                    .keyring_problem
                    .map_or("no store is chosen", |problem| problem.name());
                self.failed(Check::Keyring, &ApiError::new(ErrorCode::Keyring, why))
            }
        }
    }

    fn failed(&self, check: Check, error: &ApiError) -> Diagnosis {
        Diagnosis {
            check,
            passed: false,
            detail: error.message.clone(),
            hint: hint(error.code, self.core.language()).to_owned(),
        }
    }
}

fn passed(check: Check, detail: impl std::fmt::Display) -> Diagnosis {
    Diagnosis {
        check,
        passed: true,
        detail: detail.to_string(),
        hint: String::new(),
    }
}
