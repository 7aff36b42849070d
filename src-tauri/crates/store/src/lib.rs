//! Everything kept under the data root: its layout, the SQLite database, the settings file.
//!
//! The calls block; callers with an async runtime put them on a thread for blocking work. Time is
//! always passed in.

mod column;
mod damage;
mod database;
mod error;
mod excerpt;
mod home;
mod migration;
mod presence;
mod settings;
mod store;
mod table;
mod trace;
mod word;

pub use error::StoreError;
pub use excerpt::ExcerptRun;
pub use home::Home;
pub use settings::{
    ModelSettings, ServiceSettings, Settings, SettingsError, SettingsFile, SettingsProblem, Theme,
    TraceSettings, WebSearchSettings, WindowPlace,
};
pub use store::{Opened, Store};
pub use table::{
    Draft, KeptCompaction, KeptFileChange, ListedSession, NewFileChange, SearchHit, SessionStand,
    TurnPage, TurnRecord,
};
pub use trace::{Clean, Retention, TraceLog, TracedTurn};
