//! The turn loop, driven by scripted rounds.

#[cfg(test)]
mod acting;
#[cfg(test)]
mod authority;
#[cfg(test)]
mod fallback;
#[cfg(test)]
mod hands;
#[cfg(test)]
mod limit;
#[cfg(test)]
mod long_session;
#[cfg(test)]
mod permission;
#[cfg(test)]
mod scripted;
#[cfg(test)]
mod turn;
