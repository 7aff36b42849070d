//! The script service over a real socket, and the walls between the workspace's crates.

#[cfg(test)]
mod scripted;
#[cfg(test)]
mod walls;
