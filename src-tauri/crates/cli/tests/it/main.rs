//! `talaria` as a program: started in a home of its own, against a scripted service.

#[cfg(test)]
mod chat;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod failure;
#[cfg(test)]
mod note;
#[cfg(test)]
mod permission;
#[cfg(test)]
mod program;
#[cfg(test)]
mod provider;
#[cfg(test)]
mod session;
#[cfg(test)]
mod storage;
#[cfg(test)]
mod trace;
#[cfg(test)]
mod turn;
#[cfg(test)]
mod web;
