//! The exchange of the browser's code for a key.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use talaria_domain::ServiceFailure;
use talaria_secret::Secret;

use super::SignInService;
use super::pkce::{self, Proof};
use crate::{Client, failure};

/// How long the service may take.
const TIME: Duration = Duration::from_secs(30);

/// The key for a code. An answer of success is never repeated in a failure: it may hold the key.
pub(super) async fn key_for(
    client: &Client,
    service: &SignInService,
    code: &str,
    proof: &Proof,
) -> Result<Secret<String>, ServiceFailure> {
    let answer = client
        .http(&service.exchange)
        .post(service.exchange.clone())
        .timeout(TIME)
        .json(&json!({
            "code": code,
            "code_verifier": proof.verifier(),
            "code_challenge_method": pkce::METHOD,
        }))
        .send()
        .await
        .map_err(|error| failure::from_transport(&error))?;
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = answer
        .bytes()
        .await
        .map_err(|error| failure::from_transport(&error))?;
    if !status.is_success() {
        return Err(failure::from_answer(
            status,
            &headers,
            &body,
            SystemTime::now(),
        ));
    }
    let mut answer: Value = serde_json::from_slice(&body).unwrap_or_default();
    match answer.get_mut(&service.key_field).map(Value::take) {
        Some(Value::String(key)) if !key.trim().is_empty() => Ok(Secret::new(key)),
        _ => Err(failure::bad_response(
            "The service's answer to the sign-in held no key.",
        )),
    }
}
