//! Questions on a terminal, asked off the async threads.

use std::io::{BufRead, IsTerminal, Write};

use talaria_api::{ApiError, Secret};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// The line that is being read. Who asked for it may be gone; it then goes to who asks next, as two
/// readers at once would share between them what is typed.
static READING: Mutex<Option<JoinHandle<std::io::Result<Option<String>>>>> = Mutex::const_new(None);

/// Asks for a line. `None`: the input has ended.
pub(crate) async fn ask(prompt: &str) -> Result<Option<String>, ApiError> {
    let prompt = prompt.to_owned();
    off_the_runtime(move || {
        let mut stdout = std::io::stdout();
        stdout.write_all(prompt.as_bytes())?;
        stdout.flush()
    })
    .await?;
    let mut reading = READING.lock().await;
    let line = reading.get_or_insert_with(|| tokio::task::spawn_blocking(line));
    let read = line.await;
    *reading = None;
    read.map_err(|error| ApiError::startup(&error))?
        .map_err(|error| ApiError::unreadable(&error))
}

fn line() -> std::io::Result<Option<String>> {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim_end_matches(['\n', '\r']).to_owned()))
}

/// Asks for a secret; nothing of it is shown.
pub(crate) async fn ask_secret(prompt: &str) -> Result<Secret<String>, ApiError> {
    let prompt = prompt.to_owned();
    off_the_runtime(move || rpassword::prompt_password(prompt).map(Secret::new)).await
}

/// A secret that is typed, or piped in; never an argument, as others on the computer see those.
pub(crate) async fn secret(prompt: &str) -> Result<Secret<String>, ApiError> {
    if std::io::stdin().is_terminal() {
        return ask_secret(prompt).await;
    }
    let text = off_the_runtime(|| std::io::read_to_string(std::io::stdin())).await?;
    Ok(Secret::new(text.trim_end_matches(['\n', '\r']).to_owned()))
}

async fn off_the_runtime<T: Send + 'static>(
    ask: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::task::spawn_blocking(ask).await {
        Ok(answer) => answer.map_err(|error| ApiError::unreadable(&error)),
        Err(error) => Err(ApiError::startup(&error)),
    }
}
