//! The notes folder from outside, in real folders.

#[cfg(test)]
mod attack;
#[cfg(test)]
mod history;
#[cfg(test)]
mod notebook;
#[cfg(test)]
mod watch;
