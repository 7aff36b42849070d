//! The commands, each declared once.
//!
//! From this table come the enums that the front ends send, the dispatch to the handlers and the
//! TypeScript that the window is checked against.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use talaria_domain::{Attachment, ContextReport, Folder, Message, Question, WebHit};
use talaria_markdown::Block;
use talaria_note::{Note, NoteSummary, NoteVersion};
use talaria_provider::{AuthorizationState, ListedModel, LocalService, ProofEvent};

use super::*;
use crate::host::{Sink, To};
use crate::{ApiError, Core, handler};

/// Visits the type of each argument, result and event.
pub(crate) trait VisitTypes {
    fn command<A: ts_rs::TS + 'static, R: ts_rs::TS + 'static>(&mut self, name: &'static str);
    fn stream<A: ts_rs::TS + 'static, E: ts_rs::TS + 'static>(&mut self, name: &'static str);
    fn event<E: ts_rs::TS + 'static>(&mut self);
}

macro_rules! contract {
    (
        commands { $($command:ident: $arguments:ident -> $result:ty;)+ }
        streams { $($stream:ident: $stream_arguments:ident -> $event:ty;)+ }
    ) => {
        /// A command with its arguments: asked once, answered once.
        #[derive(Deserialize)]
        #[serde(tag = "command", content = "arguments", rename_all = "snake_case")]
        #[allow(missing_docs, reason = "each variant is its argument type's name")]
        pub enum Call { $($arguments($arguments),)+ }

        /// A command that answers with events until it ends.
        #[derive(Deserialize)]
        #[serde(tag = "command", content = "arguments", rename_all = "snake_case")]
        #[allow(missing_docs, reason = "each variant is its argument type's name")]
        pub enum Stream { $($stream_arguments($stream_arguments),)+ }

        impl Call {
            /// Answers the command.
            pub(crate) async fn answer(self, core: &Core) -> Result<Value, ApiError> {
                match self {
                    $(Self::$arguments(arguments) => {
                        written(&handler::$command(core, arguments).await?)
                    })+
                }
            }
        }

        impl Stream {
            /// Answers with events until the stream's end.
            pub(crate) async fn answer(
                self,
                core: &Core,
                sink: Arc<dyn Sink>,
            ) -> Result<(), ApiError> {
                match self {
                    $(Self::$stream_arguments(arguments) => {
                        handler::$stream(core, arguments, To::new(sink)).await
                    })+
                }
            }
        }

        pub(crate) fn visit_types(visitor: &mut impl VisitTypes) {
            $(visitor.command::<$arguments, $result>(stringify!($command));)+
            $(visitor.stream::<$stream_arguments, $event>(stringify!($stream));)+
            visitor.event::<Change>();
            visitor.event::<ApiError>();
        }
    };
}

contract! {
    commands {
        list_sessions: ListSessions -> Vec<SessionLine>;
        create_session: CreateSession -> SessionView;
        open_session: OpenSession -> SessionView;
        list_turns: ListTurns -> TurnPage;
        rename_session: RenameSession -> ();
        pin_session: PinSession -> ();
        archive_session: ArchiveSession -> ();
        delete_session: DeleteSession -> ();
        restore_session: RestoreSession -> ();
        clear_session: ClearSession -> ();
        restore_turns: RestoreTurns -> ();
        set_session_model: SetSessionModel -> ();
        set_session_mode: SetSessionMode -> ();
        grant_folder: GrantFolder -> ();
        revoke_folder: RevokeFolder -> ();
        list_folders: ListFolders -> Vec<Folder>;
        save_draft: SaveDraft -> ();
        search_sessions: SearchSessions -> Vec<SearchHit>;
        export_session: ExportSession -> SessionExport;
        import_session: ImportSession -> SessionView;
        fork_session: ForkSession -> SessionView;
        read_sent_messages: ReadSentMessages -> Vec<Message>;
        stop_turn: StopTurn -> ();
        list_file_changes: ListFileChanges -> Vec<FileChangeView>;
        undo_file_changes: UndoFileChanges -> Vec<FileChangeView>;
        read_context: ReadContext -> Option<ContextReport>;
        compact_session: CompactSession -> CompactionView;
        stop_compaction: StopCompaction -> ();
        undo_compaction: UndoCompaction -> ();
        list_compactions: ListCompactions -> Vec<CompactionView>;
        list_tool_secrets: ListToolSecrets -> Vec<ToolSecret>;
        save_tool_secret: SaveToolSecret -> ();
        remove_tool_secret: RemoveToolSecret -> ();
        read_web_search: ReadWebSearch -> WebSearchView;
        save_web_search: SaveWebSearch -> WebSearchView;
        try_web_search: TryWebSearch -> Vec<WebHit>;
        list_processes: ListProcesses -> Vec<ProcessView>;
        stop_process: StopProcess -> ();
        list_questions: ListQuestions -> Vec<Question>;
        answer_question: AnswerQuestion -> ();
        add_attachment: AddAttachment -> Attachment;
        paste_image: PasteImage -> Option<Attachment>;
        read_attachment: ReadAttachment -> AttachmentContent;

        list_traces: ListTraces -> Vec<TraceLine>;
        read_trace: ReadTrace -> Trace;
        export_trace: ExportTrace -> TraceExport;

        list_notes: ListNotes -> Vec<NoteSummary>;
        read_note: ReadNote -> Note;
        create_note: CreateNote -> Note;
        save_note: SaveNote -> Note;
        rename_note: RenameNote -> Note;
        delete_note: DeleteNote -> ();
        restore_note: RestoreNote -> Note;
        list_note_versions: ListNoteVersions -> Vec<NoteVersion>;
        read_note_version: ReadNoteVersion -> String;
        render_markdown: RenderMarkdown -> Vec<Block>;
        load_image: LoadImage -> LoadedImage;

        read_settings: ReadSettings -> SettingsView;
        update_settings: UpdateSettings -> SettingsView;
        read_about: ReadAbout -> About;
        run_doctor: RunDoctor -> Vec<Diagnosis>;

        read_setup: ReadSetup -> SetupView;
        discover_services: DiscoverServices -> Vec<LocalService>;
        save_service: SaveService -> ServiceView;
        remove_service: RemoveService -> ();
        set_context_window: SetContextWindow -> ();
        list_models: ListModels -> Vec<ListedModel>;
        read_model: ReadModel -> ModelView;
        set_model_facts: SetModelFacts -> ModelView;
        begin_authorization: BeginAuthorization -> AuthorizationAttempt;
        read_authorization: ReadAuthorization -> AuthorizationState;
        cancel_authorization: CancelAuthorization -> ();
        read_secret_store: ReadSecretStore -> SecretStoreView;
        choose_secret_store: ChooseSecretStore -> SecretStoreView;
    }
    streams {
        start_turn: StartTurn -> WindowTurnEvent;
        retry_turn: RetryTurn -> WindowTurnEvent;
        prove_service: ProveService -> ProofEvent;
    }
}

fn written(result: &impl Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(result).map_err(|error| ApiError::internal(&error))
}
