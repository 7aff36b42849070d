//! The built-in tools as a model calls them.

#[cfg(test)]
mod call;
#[cfg(test)]
mod file;
#[cfg(test)]
mod note;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod tool_search;
