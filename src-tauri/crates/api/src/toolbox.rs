//! The built-in tools as one core has them, and what they remember between turns.

use std::sync::Arc;

use talaria_store::{Home, Store};
use talaria_tool::sandbox::Launcher;
use talaria_tool::terminal::{Background, Terminal};
use talaria_tool::{Registry, Tool, WebSearch, file, note_tools, session_tools, web_tools};

use crate::notes::Notes;
use crate::wiring::{
    ChosenSearch, PublicWeb, SpillFolder, StoreChanges, StoreSessions, StoreVault, SystemClock,
};

/// The tools that outlive a turn.
pub(crate) struct Toolbox {
    kept: Vec<Arc<dyn Tool>>,
    /// None where our own program can't be found, so that no command can be started.
    terminal: Option<Terminal>,
}

impl Toolbox {
    pub(crate) fn new(home: &Home, store: Store, clock: Arc<SystemClock>) -> Self {
        let mut kept = file::tools(Arc::new(StoreChanges::new(store.clone(), clock)));
        kept.extend(session_tools(Arc::new(StoreSessions(store))));
        let launcher = Launcher::of_this_program().inspect_err(|error| {
            tracing::warn!(%error, "commands can't be run: the program does not know where it lies");
        });
        let terminal = launcher.ok().map(|it| Terminal::new(it, home.scratch()));
        Self { kept, terminal }
    }

    /// All tools, in an order that never changes; without those for notes while the notes folder
    /// can't be opened.
    pub(crate) fn registry(
        &self,
        notes: &Notes,
        vault: StoreVault,
        web: PublicWeb,
        search: Option<ChosenSearch>,
        spill: SpillFolder,
    ) -> Registry {
        let notebook = notes.notebook().inspect_err(|error| {
            tracing::warn!(%error, "there are no tools for notes: the folder can't be opened");
        });
        let notes = notebook.map(note_tools).unwrap_or_default();
        let kept = self.kept.iter().cloned();
        let vault = Arc::new(vault);
        let terminal = self.terminal.iter().flat_map(|it| it.tools(vault.clone()));
        let search = search.map(|it| -> Arc<dyn WebSearch> { Arc::new(it) });
        let web = web_tools(Arc::new(web), search);
        let all = notes.into_iter().chain(kept).chain(terminal).chain(web);
        Registry::of(all.collect(), Arc::new(spill))
    }

    /// The commands in the background.
    pub(crate) fn background(&self) -> Option<&Background> {
        self.terminal.as_ref().map(Terminal::background)
    }
}
