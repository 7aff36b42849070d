//! What a front end gives the core: its environment, an ear for changes, a place for events.

use std::ffi::OsString;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::Value;
use talaria_domain::{PermissionRule, Question, SessionSource};

use crate::{Change, ServiceOverride};

/// What a front end is to the core: it hears what changed, and reaches what only a window can.
#[async_trait]
pub trait Host: Send + Sync {
    /// Something changed. Must not block.
    fn changed(&self, change: Change);

    /// A turn asks the user something. Must not block. A front end that shows it anyway, because it
    /// heard the turn's event, leaves this as it is.
    fn asked(&self, _question: &Question) {}

    /// The picture that lies in the clipboard, as PNG. None: there is none, or no clipboard.
    async fn clipboard_picture(&self) -> Option<Vec<u8>>;
}

/// A front end that shows nothing on its own.
pub struct Deaf;

#[async_trait]
impl Host for Deaf {
    fn changed(&self, _change: Change) {}

    async fn clipboard_picture(&self) -> Option<Vec<u8>> {
        None
    }
}

/// Takes the events of one stream. Must not block.
pub trait Sink: Send + Sync {
    /// One event, in order.
    fn send(&self, event: Value);
}

/// A sink that takes events of one type.
pub(crate) struct To<E> {
    sink: Arc<dyn Sink>,
    event: PhantomData<fn(E)>,
}

impl<E: Serialize> To<E> {
    pub(crate) fn new(sink: Arc<dyn Sink>) -> Self {
        Self {
            sink,
            event: PhantomData,
        }
    }

    pub(crate) fn send(&self, event: &E) {
        match serde_json::to_value(event) {
            Ok(value) => self.sink.send(value),
            Err(error) => tracing::error!(%error, "an event could not be written"),
        }
    }
}

/// The environment of the program, passed in so that tests bring their own.
pub type Environment = Arc<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// How a core is opened.
#[derive(Clone)]
pub struct Options {
    /// Reads an environment variable.
    pub environment: Environment,
    /// Hears changes.
    pub host: Arc<dyn Host>,
    /// Where sessions made here come from.
    pub source: SessionSource,
    /// What flags say about the service to use.
    pub service: ServiceOverride,
    /// How often a failed request is repeated; none keeps the default.
    pub retries: Option<u32>,
    /// What is allowed without a question, by `--yes`.
    pub yes: Vec<PermissionRule>,
    /// Whether somebody answers the questions of turns. Where nobody does, each is a no.
    pub can_ask: bool,
    /// The model's window in tokens, over what is known of it.
    pub window: Option<u64>,
    /// The data root; none asks the environment.
    pub home: Option<PathBuf>,
}

impl Options {
    /// For the window.
    #[must_use]
    pub fn desktop(host: Arc<dyn Host>) -> Self {
        Self::new(host, SessionSource::Desktop)
    }

    /// For the command line.
    #[must_use]
    pub fn cli() -> Self {
        Self::new(Arc::new(Deaf), SessionSource::Cli)
    }

    fn new(host: Arc<dyn Host>, source: SessionSource) -> Self {
        Self {
            environment: Arc::new(|name| std::env::var_os(name)),
            host,
            source,
            service: ServiceOverride::default(),
            retries: None,
            yes: Vec::new(),
            can_ask: source == SessionSource::Desktop,
            window: None,
            home: None,
        }
    }
}
