//! The traces: what each turn did, in a file of their own.
//!
//! Spans go into a queue and are written in batches by one thread, so that whoever records one
//! waits for nothing. A file that is damaged is set aside and begun anew, one of a newer program is
//! left alone, and what is too old or too much is deleted: nothing here can harm the sessions.

mod clean;
mod file;
mod query;
mod schema;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use talaria_domain::{SessionId, Span, Timestamp, TurnId};

pub use clean::Clean;
pub use query::TracedTurn;

use crate::{Home, StoreError};
use file::TraceFile;

/// So many spans may wait; further ones are lost.
const QUEUE: usize = 1024;
/// So many spans are written at once.
const BATCH: usize = 256;
/// How long a span may wait for others to be written with.
const GATHER: Duration = Duration::from_millis(50);
/// How often a batch is tried: another program may hold the file, or it may turn out damaged.
const TRIES: u32 = 3;
/// How long the end of the program waits for the last spans.
const LAST_WRITE: Duration = Duration::from_secs(2);

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// The file's size in bytes; the oldest turns go first.
    pub bytes: u64,
    /// Days after which a turn's trace is deleted.
    pub days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            bytes: 200 * 1024 * 1024,
            days: 30,
        }
    }
}

/// The traces of a data root. Clones share them.
#[derive(Clone)]
pub struct TraceLog {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    retention: Retention,
    clean: Clean,
    /// Begun with the first span.
    writer: Mutex<Option<Writer>>,
    /// Whether the file can't be written; then nothing is tried again.
    refused: Arc<AtomicBool>,
    lost: AtomicU64,
}

/// The thread that writes.
struct Writer {
    queue: SyncSender<Order>,
    thread: JoinHandle<()>,
}

/// What the thread is told.
enum Order {
    Keep(Box<Span>),
    Forget(SessionId),
    /// Answer when all before is written.
    Flush(SyncSender<()>),
}

impl TraceLog {
    /// The traces of a data root. Touches no file before something is recorded or read; `clean`
    /// takes the secrets out of a text.
    #[must_use]
    pub fn new(home: &Home, retention: Retention, clean: Clean) -> Self {
        Self {
            inner: Arc::new(Inner {
                path: home.traces(),
                retention,
                clean,
                writer: Mutex::new(None),
                refused: Arc::default(),
                lost: AtomicU64::new(0),
            }),
        }
    }

    /// Takes a span. Never blocks: while too many wait, it is lost.
    pub fn record(&self, span: Span) {
        self.order(Order::Keep(Box::new(span)));
    }

    /// Deletes the traces of a session.
    pub fn forget(&self, session: SessionId) {
        self.order(Order::Forget(session));
    }

    /// Waits until everything recorded so far is on disk, or for two seconds.
    pub fn flush(&self) {
        let queue = {
            let writer = self.inner.writer.lock();
            let writer = writer.unwrap_or_else(PoisonError::into_inner);
            writer.as_ref().map(|writer| writer.queue.clone())
        };
        let Some(queue) = queue else { return };
        let (done, written) = sync_channel(1);
        if queue.send(Order::Flush(done)).is_ok() {
            let _ = written.recv_timeout(LAST_WRITE);
        }
    }

    /// The latest turns whose trace has every word of `query` in it, newest first. Any text is a
    /// query; an empty one finds all.
    ///
    /// # Errors
    /// When the file can't be read, or is a newer program's.
    pub fn turns(&self, query: &str, limit: usize) -> Result<Vec<TracedTurn>, StoreError> {
        self.read(Vec::new(), |file| file.turns(query, limit))
    }

    /// One turn's line.
    ///
    /// # Errors
    /// `NotFound`, or when the file can't be read.
    pub fn turn(&self, id: TurnId) -> Result<TracedTurn, StoreError> {
        let found = self.read(None, |file| file.turn(id))?;
        found.ok_or(StoreError::NotFound("trace"))
    }

    /// The spans of a turn, in the order in which they began.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn spans(&self, id: TurnId) -> Result<Vec<Span>, StoreError> {
        self.read(Vec::new(), |file| file.spans(id))
    }

    /// The sessions that have traces.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn sessions(&self) -> Result<Vec<SessionId>, StoreError> {
        self.read(Vec::new(), TraceFile::sessions)
    }

    /// Reads with all that was recorded on disk; a file that was never made holds `nothing`.
    fn read<T>(
        &self,
        nothing: T,
        work: impl FnOnce(&TraceFile) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.flush();
        if !self.inner.path.exists() {
            return Ok(nothing);
        }
        work(&TraceFile::open(&self.inner.path)?)
    }

    fn order(&self, order: Order) {
        if self.inner.refused.load(Ordering::Relaxed) {
            return;
        }
        let writer = self.inner.writer.lock();
        let mut writer = writer.unwrap_or_else(PoisonError::into_inner);
        if writer.is_none() {
            *writer = self.begin();
        }
        let Some(Writer { queue, .. }) = writer.as_ref() else {
            return;
        };
        if let Err(TrySendError::Full(_)) = queue.try_send(order) {
            let lost = self.inner.lost.fetch_add(1, Ordering::Relaxed) + 1;
            tracing::warn!(lost, "traces come faster than they can be written");
        }
    }

    fn begin(&self) -> Option<Writer> {
        let (queue, orders) = sync_channel(QUEUE);
        let work = Work {
            path: self.inner.path.clone(),
            retention: self.inner.retention,
            clean: self.inner.clean.clone(),
            refused: Arc::clone(&self.inner.refused),
        };
        let thread = std::thread::Builder::new()
            .name("traces".to_owned())
            .spawn(move || work.run(&orders));
        match thread {
            Ok(thread) => Some(Writer { queue, thread }),
            Err(error) => {
                tracing::warn!(%error, "no trace is kept");
                self.inner.refused.store(true, Ordering::Relaxed);
                None
            }
        }
    }
}

impl Drop for Inner {
    /// Lets the thread write what is left.
    fn drop(&mut self) {
        let writer = self.writer.get_mut();
        let writer = writer.unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Writer { queue, thread }) = writer {
            drop(queue);
            let _ = thread.join();
        }
    }
}

/// What the thread needs.
struct Work {
    path: PathBuf,
    retention: Retention,
    clean: Clean,
    refused: Arc<AtomicBool>,
}

impl Work {
    fn run(self, orders: &Receiver<Order>) {
        let mut file = None;
        while let Some(batch) = gathered(orders) {
            let done: Vec<_> = batch.iter().filter_map(Order::waiting).collect();
            if !self.refused.load(Ordering::Relaxed) {
                self.write(&mut file, &batch);
            }
            for done in done {
                let _ = done.try_send(());
            }
        }
    }

    /// Writes a batch; a damaged file is set aside, and it is written into a new one.
    fn write(&self, file: &mut Option<TraceFile>, batch: &[Order]) {
        for attempt in 1..=TRIES {
            let written = self
                .opened(file)
                .and_then(|file| file.write(batch, &self.clean));
            let Err(error) = written else {
                return self.trim(file);
            };
            *file = None;
            if matches!(error, StoreError::Busy) && attempt < TRIES {
                continue;
            }
            if error.is_damage() {
                tracing::warn!(%error, "the traces are damaged and are begun anew");
                if self.set_aside().is_ok() {
                    continue;
                }
            }
            let lasting = matches!(error, StoreError::Newer { .. } | StoreError::ReadOnly);
            self.refused.store(lasting, Ordering::Relaxed);
            tracing::warn!(%error, lasting, "some traces could not be kept");
            return;
        }
    }

    fn trim(&self, file: &mut Option<TraceFile>) {
        let trimmed = file.as_mut().map(|file| file.trim(self.retention));
        if let Some(Err(error)) = trimmed {
            tracing::warn!(%error, "old traces could not be deleted yet");
        }
    }

    fn opened<'file>(
        &self,
        file: &'file mut Option<TraceFile>,
    ) -> Result<&'file mut TraceFile, StoreError> {
        match file {
            Some(file) => Ok(file),
            None => Ok(file.insert(TraceFile::make(&self.path)?)),
        }
    }

    fn set_aside(&self) -> Result<(), StoreError> {
        let modified = fs_err::metadata(&self.path)?.modified()?;
        let since = modified
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        let millis = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        crate::damage::set_aside(&self.path, Timestamp::from_millis(millis)).map(drop)
    }
}

impl Order {
    fn waiting(&self) -> Option<SyncSender<()>> {
        match self {
            Self::Flush(done) => Some(done.clone()),
            Self::Keep(_) | Self::Forget(_) => None,
        }
    }
}

/// The next orders; none once nobody is left to give any. Somebody who waits is not kept waiting.
fn gathered(orders: &Receiver<Order>) -> Option<Vec<Order>> {
    let mut batch = vec![orders.recv().ok()?];
    while batch.len() < BATCH && !matches!(batch.last(), Some(Order::Flush(_))) {
        match orders.recv_timeout(GATHER) {
            Ok(order) => batch.push(order),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    Some(batch)
}
