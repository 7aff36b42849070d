//! A turn's events on their way to a front end, with the Markdown of its texts rendered.

use std::sync::{Mutex, PoisonError};

use talaria_agent::TurnEvent;
use talaria_agent::port::Listener;
use talaria_domain::{ItemContent, SessionSource};
use talaria_markdown::{BlockPatch, Stream};
use tokio_util::sync::CancellationToken;

use crate::host::To;
use crate::{Change, Core, WindowTurnEvent};

/// Sends a turn's events through a sink, and lets the turn be stopped once it has an id.
pub(crate) struct ToFrontEnd {
    core: Core,
    sink: To<WindowTurnEvent>,
    stop: CancellationToken,
    /// The renderer of the text that streams now. None: this front end shows plain text.
    text: Option<Mutex<Stream>>,
}

impl ToFrontEnd {
    pub(crate) fn new(core: Core, sink: To<WindowTurnEvent>, stop: CancellationToken) -> Self {
        let text = (core.source() == SessionSource::Desktop).then(Mutex::default);
        Self {
            core,
            sink,
            stop,
            text,
        }
    }

    fn render(&self, event: &TurnEvent) -> Option<BlockPatch> {
        let mut stream = self
            .text
            .as_ref()?
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match event {
            TurnEvent::ItemStarted { item } if is_text(&item.content) => {
                *stream = Stream::default();
                None
            }
            TurnEvent::TextDelta { text, .. } => Some(stream.push(text)),
            TurnEvent::ItemFinished { item } if is_text(&item.content) => Some(stream.finish()),
            _ => None,
        }
    }
}

impl Listener for ToFrontEnd {
    fn hear(&self, event: TurnEvent) {
        let patch = self.render(&event);
        match &event {
            TurnEvent::TurnStarted { turn, .. } => {
                self.core.running().began(turn.id, self.stop.clone());
                self.core.changed(Change::Sessions);
            }
            TurnEvent::TurnFinished {
                turn_id,
                session_id,
                ..
            }
            | TurnEvent::Error {
                turn_id,
                session_id,
                ..
            } => {
                self.core.running().ended(*turn_id);
                self.core.changed(Change::Sessions);
                // A page that was loaded anew meanwhile hears no more of this turn's events.
                let session_id = *session_id;
                self.core.changed(Change::Session { session_id });
            }
            _ => {}
        }
        let event = without_echo(event);
        self.sink.send(&WindowTurnEvent { event, patch });
    }
}

fn without_echo(mut event: TurnEvent) -> TurnEvent {
    match &mut event {
        TurnEvent::ItemStarted { item } | TurnEvent::ItemFinished { item } => {
            item.content.forget_echo();
        }
        _ => {}
    }
    event
}

fn is_text(content: &ItemContent) -> bool {
    matches!(content, ItemContent::ModelText { .. })
}
