//! The crate from outside, over real connections on loopback.

// Marked as tests so that their helpers, too, may unwrap.
#[cfg(test)]
mod authorization;
#[cfg(test)]
mod client;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod dialect;
#[cfg(test)]
mod discovery;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod listing;
#[cfg(test)]
mod proof;
#[cfg(test)]
mod recording;
#[cfg(test)]
mod web_search;
#[cfg(test)]
mod wire;
