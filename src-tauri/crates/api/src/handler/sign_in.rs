//! Signing in to a service in the browser.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use talaria_domain::{ErrorCode, ServiceId};
use talaria_provider::{Attempt, AuthorizationState, Authorizer, preset, sign_in_service};
use talaria_secret::Secret;

use super::setup::{free_id, save_service};
use crate::{
    ApiError, AuthorizationAttempt, BeginAuthorization, CancelAuthorization, Core, KeyInput,
    ReadAuthorization, SaveService,
};

/// The sign-ins that wait for their browser.
#[derive(Default)]
pub(crate) struct SignIns {
    waiting: Mutex<HashMap<String, SignIn>>,
}

struct SignIn {
    attempt: Attempt,
    preset: String,
    service: ServiceId,
    /// The key that the service gave, until it is kept: without a keyring the user first has to
    /// choose another place, and must not have to sign in again.
    unkept: Option<Secret<String>>,
}

impl SignIns {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, SignIn>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Begins to sign in to a preset's service. The front end opens the page.
pub async fn begin_authorization(
    core: &Core,
    BeginAuthorization { preset }: BeginAuthorization,
) -> Result<AuthorizationAttempt, ApiError> {
    let page = sign_in_service(&preset).ok_or_else(|| {
        ApiError::invalid(format_args!(
            "\"{preset}\" has no sign-in; use a key instead"
        ))
    })?;
    let service = free_id(core, &preset)?;
    let attempt = Authorizer::new(core.client())
        .begin(page)
        .await
        .map_err(|error| ApiError::new(ErrorCode::Network, error))?;
    let begun = AuthorizationAttempt {
        attempt: attempt.id().to_owned(),
        url: attempt.url().to_string(),
        expires_in: u32::try_from(attempt.expires_in().as_secs()).unwrap_or(u32::MAX),
        service: service.clone(),
    };
    // A second attempt takes the place of the first: nobody waits for that any more.
    let mut waiting = core.sign_ins().lock();
    waiting.clear();
    waiting.insert(
        begun.attempt.clone(),
        SignIn {
            attempt,
            preset,
            service,
            unkept: None,
        },
    );
    Ok(begun)
}

/// How a sign-in stands. Once the service gave a key, it is kept and the service saved.
pub async fn read_authorization(
    core: &Core,
    ReadAuthorization { attempt }: ReadAuthorization,
) -> Result<AuthorizationState, ApiError> {
    let (state, service) = {
        let mut waiting = core.sign_ins().lock();
        let sign_in = waiting.get_mut(&attempt).ok_or_else(over)?;
        let state = sign_in.attempt.state();
        if let Some(key) = sign_in.attempt.take_key() {
            sign_in.unkept = Some(key);
        }
        (
            state,
            sign_in.unkept.clone().map(|key| sign_in.to_save(key)),
        )
    };
    if let Some(service) = service {
        save_service(core, service.ok_or_else(over)?).await?;
        if let Some(sign_in) = core.sign_ins().lock().get_mut(&attempt) {
            sign_in.unkept = None;
        }
    }
    Ok(state)
}

fn over() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "this sign-in is over; begin a new one")
}

impl SignIn {
    /// The service with its key.
    fn to_save(&self, value: Secret<String>) -> Option<SaveService> {
        let known = preset(&self.preset)?;
        Some(SaveService {
            id: Some(self.service.clone()),
            name: known.name.clone(),
            preset: Some(self.preset.clone()),
            base_url: known.base_url.clone(),
            protocol: known.protocol,
            key: KeyInput::Typed { value },
        })
    }
}

/// Gives a sign-in up.
pub async fn cancel_authorization(
    core: &Core,
    CancelAuthorization { attempt }: CancelAuthorization,
) -> Result<(), ApiError> {
    if let Some(sign_in) = core.sign_ins().lock().remove(&attempt) {
        sign_in.attempt.cancel();
    }
    Ok(())
}
