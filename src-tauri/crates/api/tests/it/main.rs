//! Tests of the contract from outside.

mod bindings;
