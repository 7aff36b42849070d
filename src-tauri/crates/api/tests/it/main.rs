//! The contract from outside.

#[cfg(test)]
mod attachment;
#[cfg(test)]
mod bindings;
#[cfg(test)]
mod context;
#[cfg(test)]
mod core;
#[cfg(test)]
mod file;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod model;
#[cfg(test)]
mod permission;
#[cfg(test)]
mod question;
#[cfg(test)]
mod secret;
#[cfg(test)]
mod tools;
#[cfg(test)]
mod web;
