//! The keyring's thread: time-outs, queueing and what a refusal means.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use keyring_core::Error;

use super::{Fault, Keyring};
use crate::{KeyringProblem, SecretError};

const SOON: Duration = Duration::from_millis(50);
const LATER: Duration = Duration::from_secs(10);

fn problem<T>(came: &Result<T, Fault>) -> Option<KeyringProblem> {
    match came {
        Err(Fault::Problem(problem)) => Some(*problem),
        _ => None,
    }
}

#[tokio::test]
async fn while_a_call_hangs_the_next_fail_at_once_and_afterwards_work_again() {
    let keyring = Keyring::start();
    let (let_go, held) = channel::<()>();
    let hung = keyring.run(SOON, move |_| {
        held.recv().ok();
        Ok(())
    });
    assert_eq!(problem(&hung.await), Some(KeyringProblem::TimedOut));
    tokio::time::sleep(SOON).await;

    let begun = Instant::now();
    for _ in 0..100 {
        let next = keyring.run(LATER, |_| Ok(()));
        assert_eq!(problem(&next.await), Some(KeyringProblem::TimedOut));
        assert!(begun.elapsed() < Duration::from_secs(1));
    }

    let_go.send(()).unwrap();
    while keyring.running.is_overdue() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(keyring.run(LATER, |_| Ok(())).await.is_ok());
}

#[tokio::test]
async fn a_call_whose_caller_gave_up_in_the_queue_is_not_done() {
    let keyring = Keyring::start();
    let done = Arc::new(AtomicUsize::new(0));
    let (let_go, held) = channel::<()>();
    let slow = keyring.run(LATER, move |_| {
        held.recv().ok();
        Ok(())
    });
    let count = Arc::clone(&done);
    let queued = async {
        let came = keyring.run(SOON, move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(())
        });
        let came = problem(&came.await);
        let_go.send(()).unwrap();
        came
    };
    let (slow, queued) = tokio::join!(slow, queued);
    assert!(slow.is_ok());
    assert_eq!(queued, Some(KeyringProblem::TimedOut));
    assert!(keyring.run(LATER, |_| Ok(())).await.is_ok());
    assert_eq!(done.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_call_that_is_not_waited_for_does_not_stop_the_next() {
    let keyring = Keyring::start();
    let dropped = keyring.run(LATER, |_| {
        std::thread::sleep(SOON);
        Ok(())
    });
    assert!(tokio::time::timeout(SOON / 5, dropped).await.is_err());
    assert!(keyring.run(LATER, |_| Ok(())).await.is_ok());
}

#[test]
fn each_refusal_of_a_keyring_has_its_meaning() {
    let refused = || std::io::Error::other("refused").into();
    let of = |error| SecretError::from(Fault::of_call(&error));
    assert!(matches!(
        of(Error::NoDefaultStore),
        SecretError::Keyring(KeyringProblem::Missing)
    ));
    assert!(matches!(
        of(Error::BadEncoding(Vec::new())),
        SecretError::Keyring(KeyringProblem::NotKept)
    ));
    for locked in [
        Error::NoStorageAccess(refused()),
        Error::PlatformFailure(refused()),
    ] {
        assert!(matches!(
            of(locked),
            SecretError::Keyring(KeyringProblem::Locked)
        ));
    }
    assert!(matches!(
        of(Error::TooLong("password".to_owned(), 2560)),
        SecretError::TooLong(2560)
    ));
}
