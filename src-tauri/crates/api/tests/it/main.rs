//! The contract from outside.

#[cfg(test)]
mod bindings;
#[cfg(test)]
mod core;
