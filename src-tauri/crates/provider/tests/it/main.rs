//! The crate from outside, over real connections on loopback.

#[cfg(test)]
mod authorization;
#[cfg(test)]
mod client;
#[cfg(test)]
mod discovery;
#[cfg(test)]
mod proof;
#[cfg(test)]
mod wire;
