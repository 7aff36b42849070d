//! What the renderer promises of any input.

#[cfg(test)]
mod allowed;
