//! An answer read from memory instead of a connection, through all that a live one goes through.
//!
//! Only with the feature `replay`, for tests and measurements.

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt};
use talaria_domain::{ModelEvent, ModelRequest, ServiceFailure};

use crate::{Limits, Protocol, answer, question};

/// Reads the pieces of a body as the answer to a request. Needs a runtime of tokio's.
pub fn replay(
    protocol: Protocol,
    request: &ModelRequest,
    pieces: Vec<Bytes>,
) -> impl Stream<Item = Result<ModelEvent, ServiceFailure>> + Send + use<> {
    let reader = question::reader(protocol, "127.0.0.1", request);
    let body = stream::iter(pieces).map(Ok).boxed();
    answer::read(body, reader, Limits::default())
}
