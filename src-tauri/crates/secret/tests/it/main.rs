//! The secret store over a real Secret Service, started for the test on a bus of its own.
#![cfg(target_os = "linux")]

#[cfg(test)]
mod bus;
#[cfg(test)]
mod keyring;
