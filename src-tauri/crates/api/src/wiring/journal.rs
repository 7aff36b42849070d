//! The database as the agent's journal.

use async_trait::async_trait;
use talaria_agent::port::{Journal, JournalError};
use talaria_domain::{
    Compaction, ContextReport, Item, ItemContent, ItemId, Message, Session, TitleOrigin, Turn,
    TurnId,
};
use talaria_store::{Draft, Store, StoreError};

/// Writes one turn down, off the async threads.
pub(crate) struct StoreJournal {
    store: Store,
    /// The turn that this one takes the place of.
    replaces: Option<TurnId>,
}

impl StoreJournal {
    pub(crate) fn new(store: Store, replaces: Option<TurnId>) -> Self {
        Self { store, replaces }
    }

    async fn write(
        &self,
        work: impl FnOnce(&Store) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<(), JournalError> {
        let store = self.store.clone();
        match tokio::task::spawn_blocking(move || work(&store)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(JournalError(error.to_string())),
            Err(error) => Err(JournalError(error.to_string())),
        }
    }
}

#[async_trait]
impl Journal for StoreJournal {
    async fn begin_turn(&self, turn: &Turn, user: &Item) -> Result<(), JournalError> {
        let (replaces, turn, user) = (self.replaces, turn.clone(), user.clone());
        self.write(move |store| {
            match replaces {
                Some(old) => store.begin_retry(old, &turn, &user)?,
                None => store.begin_turn(&turn, &user)?,
            }
            if let ItemContent::UserText { text, attachments } = &user.content {
                let words = match attachments.first() {
                    Some(file) if text.trim().is_empty() => &file.name,
                    _ => text,
                };
                // The first words name a session; later ones do not name it anew.
                if store.session(turn.session_id)?.title_origin == TitleOrigin::None {
                    store.set_automatic_title(turn.session_id, &Session::automatic_title(words))?;
                }
            }
            // The words are in the conversation now.
            store.set_draft(turn.session_id, &Draft::default())
        })
        .await
    }

    async fn keep_request(
        &self,
        turn: TurnId,
        messages: &[Message],
        report: &ContextReport,
    ) -> Result<(), JournalError> {
        let (messages, report) = (messages.to_vec(), report.clone());
        self.write(move |store| store.keep_request(turn, &messages, &report))
            .await
    }

    async fn keep_compaction(&self, compaction: &Compaction) -> Result<(), JournalError> {
        let compaction = compaction.clone();
        self.write(move |store| store.keep_compaction(&compaction))
            .await
    }

    async fn begin_item(&self, item: &Item) -> Result<(), JournalError> {
        let item = item.clone();
        self.write(move |store| store.begin_item(&item)).await
    }

    async fn append_text(&self, item: ItemId, text: &str) -> Result<(), JournalError> {
        let text = text.to_owned();
        self.write(move |store| store.append_text(item, &text))
            .await
    }

    async fn finish_item(&self, item: &Item) -> Result<(), JournalError> {
        let item = item.clone();
        self.write(move |store| store.finish_item(&item)).await
    }

    async fn finish_turn(&self, turn: &Turn) -> Result<(), JournalError> {
        let turn = turn.clone();
        self.write(move |store| store.finish_turn(&turn)).await
    }
}
