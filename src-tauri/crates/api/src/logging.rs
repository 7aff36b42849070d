//! The log: structured lines in files that rotate by the day and are kept for a week.
//!
//! Secrets can't be logged by type (`Secret` has no readable `Debug`); what slips into a message of
//! somebody else's is replaced on its way to the file, for every secret that this run has seen.

use std::io::{self, Write};
use std::path::Path;

use talaria_secret::Redactor;
use tracing_appender::non_blocking::{NonBlocking, WorkerGuard};
use tracing_appender::rolling::{InitError, RollingFileAppender, Rotation};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Files kept; one a day.
const DAYS: usize = 7;

/// Begins to log into `folder`. Whoever holds the guard keeps the log going; the first log of a
/// process stays, later ones are left as they are.
pub(crate) fn begin(folder: &Path, redactor: Redactor) -> Result<WorkerGuard, InitError> {
    let file = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("talaria")
        .filename_suffix("log")
        .max_log_files(DAYS)
        .build(folder)?;
    let (file, guard) = tracing_appender::non_blocking(file);
    let filter = EnvFilter::try_from_env("TALARIA_LOG")
        .unwrap_or_else(|_| EnvFilter::new("warn,talaria=info"));
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_env_filter(filter)
        .with_writer(Redacted { file, redactor })
        .finish();
    if tracing::subscriber::set_global_default(subscriber).is_err() {
        tracing::debug!("this process logs already");
    }
    Ok(guard)
}

/// Writes whole lines without the secrets of this run.
#[derive(Clone)]
struct Redacted {
    file: NonBlocking,
    redactor: Redactor,
}

impl Write for Redacted {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        self.file
            .write_all(self.redactor.redact(&text).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<'writer> MakeWriter<'writer> for Redacted {
    type Writer = Self;

    fn make_writer(&'writer self) -> Self {
        self.clone()
    }
}
