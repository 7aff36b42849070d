//! A running turn's record: what happened so far, written down first and then told.
//!
//! Every event that a listener hears is already in the journal, so that a program killed at any
//! moment has on disk whatever was on the screen.

mod end;
mod stream;

use talaria_domain::{
    Approval, Compaction, ContextReport, Item, ItemContent, ItemId, Message, ModelRef, Notice,
    ServiceFailure, ToolCall, ToolResult, Turn, TurnId, TurnState, Usage,
};

use crate::TurnEvent;
use crate::history::suspicious_origin;
use crate::port::{CallSite, Clock, Journal, JournalError, Listener};
use crate::turn::TurnInput;

pub(crate) use stream::Stream;

pub(crate) struct Record<'turn> {
    journal: &'turn dyn Journal,
    listener: &'turn dyn Listener,
    clock: &'turn dyn Clock,
    turn: Turn,
    items: Vec<Item>,
    /// Where instructions stood that what is sent along has read.
    taint: Option<String>,
    /// Where the items of the latest answer begin.
    answer: usize,
    /// Text of the last item that is neither written down nor told yet.
    unwritten: String,
}

impl<'turn> Record<'turn> {
    /// Writes the user's words down and tells that the turn began.
    pub(crate) async fn begin(
        input: &TurnInput,
        journal: &'turn dyn Journal,
        listener: &'turn dyn Listener,
        clock: &'turn dyn Clock,
    ) -> Result<Self, JournalError> {
        let now = clock.now();
        let turn = Turn {
            id: TurnId::from_parts(now, clock.random()),
            session_id: input.session_id,
            state: TurnState::Running,
            model: input.model.clone(),
            usage: Usage::default(),
            finish: None,
            failure: None,
            started_at: now,
            finished_at: None,
        };
        let mut record = Self {
            journal,
            listener,
            clock,
            turn,
            items: Vec::new(),
            taint: input.taint.clone(),
            answer: 0,
            unwritten: String::new(),
        };
        let mut user = record.new_item(ItemContent::UserText {
            text: input.text.clone(),
            attachments: input.attachments.clone(),
        });
        user.finished_at = Some(now);
        journal.begin_turn(&record.turn, &user).await?;
        listener.hear(TurnEvent::TurnStarted {
            turn: record.turn.clone(),
            user: user.clone(),
        });
        record.items.push(user);
        Ok(record)
    }

    /// What happened in the turn so far.
    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// The model that answers now.
    pub(crate) fn model(&self) -> &ModelRef {
        &self.turn.model
    }

    /// Keeps what is about to be sent. What comes next is its answer.
    pub(crate) async fn request(
        &mut self,
        messages: &[Message],
        report: &ContextReport,
    ) -> Result<(), JournalError> {
        self.answer = self.items.len();
        self.journal
            .keep_request(self.turn.id, messages, report)
            .await?;
        self.listener.hear(TurnEvent::ContextMeasured {
            report: report.clone(),
        });
        Ok(())
    }

    /// Keeps how the context is shortened from here on, and tells it.
    pub(crate) async fn compacted(&mut self, compaction: &Compaction) -> Result<(), JournalError> {
        self.journal.keep_compaction(compaction).await?;
        let compaction = compaction.clone();
        self.notice(Notice::ContextShortened { compaction }).await
    }

    /// Tells the user something about the turn.
    pub(crate) async fn notice(&mut self, notice: Notice) -> Result<(), JournalError> {
        self.close_text().await?;
        self.begin_item(ItemContent::Notice { notice }).await?;
        self.finish_last().await
    }

    /// Another model answers from here on, and the user is told why.
    pub(crate) async fn switch(
        &mut self,
        to: ModelRef,
        failure: &ServiceFailure,
    ) -> Result<(), JournalError> {
        let from = std::mem::replace(&mut self.turn.model, to.clone());
        self.notice(Notice::ModelSwitched {
            from,
            to,
            code: failure.code,
            message: failure.message.clone(),
        })
        .await
    }

    /// Whether anything of the latest answer was shown.
    pub(crate) fn answer_begun(&self) -> bool {
        let answer = self.items.get(self.answer..).unwrap_or_default();
        answer
            .iter()
            .any(|item| !matches!(item.content, ItemContent::Notice { .. }))
    }

    /// Whether the user knows that the service cuts what it is sent.
    pub(crate) fn told_of_cut(&self) -> bool {
        self.items.iter().any(|item| {
            matches!(
                item.content,
                ItemContent::Notice {
                    notice: Notice::InputCut { .. }
                }
            )
        })
    }

    /// Writes a call down before it runs.
    pub(crate) async fn call(
        &mut self,
        id: ItemId,
        call: ToolCall,
        round: u32,
    ) -> Result<(), JournalError> {
        self.close_text().await?;
        let item = Item {
            id,
            ..self.new_item(ItemContent::ToolCall {
                call,
                result: None,
                round,
                approval: None,
            })
        };
        self.open(item).await
    }

    /// Where the next call will stand.
    pub(crate) fn site(&self) -> CallSite {
        CallSite {
            session_id: self.turn.session_id,
            turn_id: self.turn.id,
            item_id: ItemId::from_parts(self.clock.now(), self.clock.random()),
        }
    }

    /// Writes down what came of a call, and how it was decided.
    pub(crate) async fn result(
        &mut self,
        id: ItemId,
        decided: Option<Approval>,
        came: ToolResult,
    ) -> Result<(), JournalError> {
        let Some(at) = self.items.iter().rposition(|item| item.id == id) else {
            return Ok(());
        };
        if let Some(Item {
            content: ItemContent::ToolCall {
                result, approval, ..
            },
            ..
        }) = self.items.get_mut(at)
        {
            *result = Some(came);
            *approval = decided;
        }
        self.finish_at(at).await
    }

    /// Writes down a call that is not done at all.
    pub(crate) async fn not_done(
        &mut self,
        call: ToolCall,
        round: u32,
        why: ToolResult,
    ) -> Result<(), JournalError> {
        let site = self.site();
        self.call(site.item_id, call, round).await?;
        self.result(site.item_id, None, why).await
    }

    /// Where instructions stood that this turn, or what is sent along with it, has read.
    pub(crate) fn taint(&self) -> Option<String> {
        suspicious_origin(&self.items).or_else(|| self.taint.clone())
    }

    pub(crate) fn listener(&self) -> &'turn dyn Listener {
        self.listener
    }

    pub(crate) fn used(&mut self, usage: Usage) {
        self.turn.usage = self.turn.usage.plus(usage);
    }

    pub(crate) fn retrying(
        &self,
        attempt: u32,
        wait: std::time::Duration,
        failure: &ServiceFailure,
    ) {
        self.listener.hear(TurnEvent::Retrying {
            attempt,
            wait_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
            code: failure.code,
            message: failure.message.clone(),
        });
    }

    pub(crate) fn turn_id(&self) -> TurnId {
        self.turn.id
    }

    fn new_item(&self, content: ItemContent) -> Item {
        let now = self.clock.now();
        Item {
            id: ItemId::from_parts(now, self.clock.random()),
            turn_id: self.turn.id,
            content,
            started_at: now,
            finished_at: None,
        }
    }

    async fn begin_item(&mut self, content: ItemContent) -> Result<(), JournalError> {
        let item = self.new_item(content);
        self.open(item).await
    }

    async fn open(&mut self, item: Item) -> Result<(), JournalError> {
        self.journal.begin_item(&item).await?;
        self.listener
            .hear(TurnEvent::ItemStarted { item: item.clone() });
        self.items.push(item);
        Ok(())
    }

    async fn finish_last(&mut self) -> Result<(), JournalError> {
        match self.items.len().checked_sub(1) {
            Some(last) => self.finish_at(last).await,
            None => Ok(()),
        }
    }

    async fn finish_at(&mut self, at: usize) -> Result<(), JournalError> {
        let now = self.clock.now();
        let Some(item) = self.items.get_mut(at) else {
            return Ok(());
        };
        item.finished_at = Some(now);
        self.journal.finish_item(item).await?;
        self.listener
            .hear(TurnEvent::ItemFinished { item: item.clone() });
        Ok(())
    }
}
