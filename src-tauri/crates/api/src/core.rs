//! The core: everything that is open while a front end runs.

mod behind;
mod trace;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use talaria_agent::port::Clock;
use talaria_domain::{Language, PermissionRule, SessionSource, Timestamp};
use talaria_note::{NoteError, Notebook};
use talaria_provider::{Client, Limits};
use talaria_secret::{Redactor, SecretStore};
use talaria_store::{
    Home, Opened, Settings, SettingsFile, Store, StoreError, TraceLog, WindowPlace,
};
use talaria_tool::Registry;
use time::OffsetDateTime;
use tracing_appender::non_blocking::WorkerGuard;

use crate::contract::{Call, Stream};
use crate::conversation::Gauges;
use crate::handler::SignIns;
use crate::host::{Options, Sink};
use crate::models::{Lessons, Lists};
use crate::notes::Notes;
use crate::questions::Questions;
use crate::running::Running;
use crate::services::EnvironmentService;
use crate::toolbox::Toolbox;
use crate::wiring::{PublicWeb, SpillFolder, StoreVault, SystemClock, sweep};
use crate::{ApiError, Change, ServiceOverride, logging};

/// Everything that is open; cheap to clone.
#[derive(Clone)]
pub struct Core {
    inner: Arc<Inner>,
}

struct Inner {
    options: Options,
    home: Home,
    store: Store,
    damaged: Option<PathBuf>,
    /// Whether the database is still to be looked through.
    unchecked: bool,
    settings: SettingsFile,
    environment_service: Option<EnvironmentService>,
    notes: Notes,
    tools: Toolbox,
    secrets: SecretStore,
    client: Client,
    lessons: Lessons,
    sign_ins: SignIns,
    running: Running,
    questions: Questions,
    gauges: Gauges,
    lists: Arc<Lists>,
    clock: Arc<SystemClock>,
    traces: TraceLog,
    redactor: Redactor,
    log: Mutex<Option<WorkerGuard>>,
}

impl Core {
    /// Opens everything under the data root.
    ///
    /// # Errors
    /// When the data root can't be used, or the database was written by a newer program.
    pub async fn open(options: Options) -> Result<Self, ApiError> {
        let opened = tokio::task::spawn_blocking(move || Self::open_blocking(options)).await;
        let core = opened.map_err(|error| ApiError::internal(&error))??;
        core.watch_notes();
        core.index_soon();
        let spill = core.home().spill();
        tokio::task::spawn_blocking(move || sweep(&spill));
        core.forget_traces_soon();
        core.check_soon();
        Ok(core)
    }

    fn open_blocking(options: Options) -> Result<Self, ApiError> {
        let home = match &options.home {
            Some(root) => Home::at(root),
            None => Home::resolve(|name| (options.environment)(name))?,
        };
        home.create()?;
        let redactor = Redactor::default();
        let log = logging::begin(&home.logs(), redactor.clone());
        let clock = Arc::new(SystemClock);
        let Opened {
            store,
            damaged,
            unchecked,
        } = Store::open(&home, clock.now())?;
        let settings = SettingsFile::load(home.settings())?;
        let environment_service = match options.source {
            SessionSource::Cli => {
                EnvironmentService::read(&options.service, |name| (options.environment)(name))?
            }
            // The window offers what it finds in the environment; it never takes it by itself.
            SessionSource::Desktop | SessionSource::Import => None,
        };
        if let Some(service) = &environment_service {
            service.add_key_to(&redactor);
        }
        let traces = trace::open(&home, settings.settings().trace, redactor.clone());
        let folder = notes_folder(&options, &home, &settings.settings());
        let chosen = settings.settings().secret_backend;
        let lists = Arc::new(Lists::default());
        let lessons = Lessons::new(store.clone(), Arc::clone(&lists), Arc::clone(&clock));
        Ok(Self {
            inner: Arc::new(Inner {
                notes: Notes::open(folder),
                tools: Toolbox::new(&home, store.clone(), Arc::clone(&clock)),
                secrets: SecretStore::open(home.secrets(), chosen.as_deref(), redactor.clone()),
                redactor,
                client: Client::new(Limits::default())?.with_memory(Arc::new(lessons.clone())),
                lessons,
                sign_ins: SignIns::default(),
                running: Running::default(),
                questions: Questions::default(),
                gauges: Gauges::default(),
                lists,
                traces,
                log: Mutex::new(log.ok()),
                options,
                home,
                store,
                damaged,
                unchecked,
                settings,
                environment_service,
                clock,
            }),
        })
    }

    /// Answers one command of the contract, as it came over the wire.
    ///
    /// # Errors
    /// `invalid_input` if there is no such command or its arguments do not fit; else what the
    /// command says.
    pub async fn call(&self, request: serde_json::Value) -> Result<serde_json::Value, ApiError> {
        let call: Call = serde_json::from_value(request).map_err(ApiError::invalid)?;
        call.answer(self).await
    }

    /// Answers one stream of the contract; returns when it has ended.
    ///
    /// # Errors
    /// When it could not begin. What fails later is an event.
    pub async fn stream(
        &self,
        request: serde_json::Value,
        sink: Arc<dyn Sink>,
    ) -> Result<(), ApiError> {
        let stream: Stream = serde_json::from_value(request).map_err(ApiError::invalid)?;
        stream.answer(self, sink).await
    }

    /// Stops what runs and writes the rest of the log. Call last.
    pub async fn close(&self) {
        self.inner.running.stop_all().await;
        let traces = self.traces().clone();
        let _ = self.off_the_runtime(move || traces.flush()).await;
        drop(
            self.inner
                .log
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
    }

    /// Where the window was when it was last closed.
    #[must_use]
    pub fn window_place(&self) -> Option<WindowPlace> {
        self.settings().window
    }

    /// Keeps the window's place. Blocks shortly; a place that can't be kept is no failure.
    pub fn keep_window_place(&self, place: WindowPlace) {
        let kept = self
            .inner
            .settings
            .update(|settings| settings.window = Some(place));
        if let Err(error) = kept {
            tracing::warn!(%error, "the window's place could not be kept");
        }
    }

    /// The language to speak to the user: chosen, or the system's.
    #[must_use]
    pub fn language(&self) -> Language {
        self.settings()
            .language
            .unwrap_or_else(|| locale(|name| self.variable(name)))
    }

    pub(crate) fn settings(&self) -> Settings {
        self.inner.settings.settings()
    }

    /// What is wrong with the settings file, if it can't be understood.
    pub(crate) fn settings_problem(&self) -> Option<String> {
        self.inner
            .settings
            .problem()
            .map(|problem| problem.to_string())
    }

    pub(crate) async fn change_settings(
        &self,
        change: impl FnOnce(&mut Settings) + Send + 'static,
    ) -> Result<(), ApiError> {
        let core = self.clone();
        self.off_the_runtime(move || core.inner.settings.update(change))
            .await??;
        Ok(())
    }

    /// Runs blocking work on a thread for it.
    pub(crate) async fn off_the_runtime<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| ApiError::internal(&error))
    }

    /// Asks the database.
    pub(crate) async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = self.store();
        Ok(self.off_the_runtime(move || work(&store)).await??)
    }

    /// Asks the notes folder.
    pub(crate) async fn in_notes<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Notebook) -> Result<T, NoteError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let notebook = self.inner.notes.notebook()?;
        Ok(self.off_the_runtime(move || work(&notebook)).await??)
    }

    fn watch_notes(&self) {
        let host = Arc::clone(&self.inner.options.host);
        self.inner
            .notes
            .on_change(move || host.changed(Change::Notes));
    }

    pub(crate) fn changed(&self, change: Change) {
        self.inner.options.host.changed(change);
    }

    pub(crate) fn host(&self) -> &dyn crate::Host {
        self.inner.options.host.as_ref()
    }

    pub(crate) fn store(&self) -> Store {
        self.inner.store.clone()
    }

    pub(crate) fn notes(&self) -> &Notes {
        &self.inner.notes
    }

    pub(crate) fn notes_folder(&self) -> PathBuf {
        self.inner.notes.folder()
    }

    /// The built-in tools.
    pub(crate) fn registry(&self) -> Registry {
        let settings = self.settings();
        let vault = StoreVault::new(settings.tool_secrets, self.secrets().clone());
        let web = PublicWeb::new(self.client(), settings.web_allowed_hosts);
        let search = self.chosen_search();
        let spill = SpillFolder::new(self.home().spill(), self.redactor().clone());
        self.inner
            .tools
            .registry(&self.inner.notes, vault, web, search, spill)
    }

    pub(crate) fn toolbox(&self) -> &Toolbox {
        &self.inner.tools
    }

    /// Takes the secrets of this run out of texts.
    pub(crate) fn redactor(&self) -> &Redactor {
        &self.inner.redactor
    }

    pub(crate) fn secrets(&self) -> &SecretStore {
        &self.inner.secrets
    }

    pub(crate) fn client(&self) -> Client {
        self.inner.client.clone()
    }

    pub(crate) fn sign_ins(&self) -> &SignIns {
        &self.inner.sign_ins
    }

    pub(crate) fn running(&self) -> &Running {
        &self.inner.running
    }

    pub(crate) fn questions(&self) -> &Questions {
        &self.inner.questions
    }

    pub(crate) fn gauges(&self) -> &Gauges {
        &self.inner.gauges
    }

    /// Whether there is somebody to ask.
    #[must_use]
    pub fn can_ask(&self) -> bool {
        self.inner.options.can_ask
    }

    pub(crate) fn lists(&self) -> &Lists {
        &self.inner.lists
    }

    pub(crate) fn lessons(&self) -> Lessons {
        self.inner.lessons.clone()
    }

    pub(crate) fn clock(&self) -> Arc<SystemClock> {
        Arc::clone(&self.inner.clock)
    }

    pub(crate) fn random(&self) -> [u8; 10] {
        self.inner.clock.random()
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// The date where the user is, such as `2026-12-01`.
    pub(crate) fn today(&self) -> String {
        let now = OffsetDateTime::now_local().unwrap_or_else(|_| OffsetDateTime::now_utc());
        now.date().to_string()
    }

    pub(crate) fn home(&self) -> &Home {
        &self.inner.home
    }

    pub(crate) fn damaged_database(&self) -> Option<&Path> {
        self.inner.damaged.as_deref()
    }

    pub(crate) fn source(&self) -> SessionSource {
        self.inner.options.source
    }

    pub(crate) fn retries(&self) -> Option<u32> {
        self.inner.options.retries
    }

    pub(crate) fn yes(&self) -> &[PermissionRule] {
        &self.inner.options.yes
    }

    pub(crate) fn window(&self) -> Option<u64> {
        self.inner.options.window
    }

    pub(crate) fn service_override(&self) -> &ServiceOverride {
        &self.inner.options.service
    }

    pub(crate) fn environment_service(&self) -> Option<&EnvironmentService> {
        self.inner.environment_service.as_ref()
    }

    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        (self.inner.options.environment)(name)
    }
}

/// The notes folder: the environment's on the command line, else the settings', else our own.
fn notes_folder(options: &Options, home: &Home, settings: &Settings) -> PathBuf {
    let from_environment = (options.environment)("HERMES_NOTE_DIR")
        .filter(|folder| options.source == SessionSource::Cli && !folder.is_empty());
    match (from_environment, &settings.notes_folder) {
        (Some(folder), _) => {
            let folder = PathBuf::from(folder);
            std::path::absolute(&folder).unwrap_or(folder)
        }
        (None, Some(folder)) => folder.clone(),
        (None, None) => home.notes(),
    }
}

/// The language of the system's locale.
#[must_use]
pub fn system_language() -> Language {
    locale(|name| std::env::var_os(name))
}

fn locale(variable: impl Fn(&str) -> Option<OsString>) -> Language {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| variable(name)?.into_string().ok())
        .find(|value| !value.is_empty())
        .map_or(Language::English, |value| Language::from_locale(&value))
}
