//! `talaria session`: what was said.

use std::path::Path;
use std::process::ExitCode;

use talaria_api::{
    ApiError, CompactSession, Core, DeleteSession, ExportSession, FileChangeView, ForkSession,
    ImportSession, ListFileChanges, ListSessions, ReadContext, ReadSentMessages, SearchHit,
    SearchSessions, SessionExport, SessionLine, UndoFileChanges, handler,
};
use talaria_domain::{
    Attachment, Compaction, ContextReport, FileDiff, Item, ItemContent, LayerKind, Message,
    SessionId,
};

use crate::arguments::SessionCommand;
use crate::notice;
use crate::output::Output;

/// At most so many hits are printed.
const HITS: u32 = 50;

/// Runs the command.
pub(crate) async fn run(
    core: &Core,
    output: &Output,
    command: &SessionCommand,
) -> Result<ExitCode, ApiError> {
    match command {
        SessionCommand::List { archived } => {
            let archived = *archived;
            output.show(
                &handler::list_sessions(core, ListSessions { archived }).await?,
                line,
            );
        }
        SessionCommand::Show { id, sent: true } => {
            let session_id = parse(id)?;
            let sent = handler::read_sent_messages(core, ReadSentMessages { session_id }).await?;
            output.show(&sent, sent_message);
        }
        SessionCommand::Changes { id, turn } => {
            let changes = changes(core, id, turn.as_deref()).await?;
            output.show(&changes, |view| change(*output, view));
        }
        SessionCommand::Undo { id, turn } => {
            let changes = changes(core, id, turn.as_deref()).await?;
            let open = changes
                .iter()
                .filter(|change| !change.undone && !change.lost);
            let ids = open.map(|change| change.id).collect();
            let left = handler::undo_file_changes(core, UndoFileChanges { ids }).await?;
            output.show(&left, |view| change(*output, view));
        }
        SessionCommand::Context { id } => {
            let session_id = parse(id)?;
            let report = handler::read_context(core, ReadContext { session_id }).await?;
            output.show_one(&report, || context(*output, report.as_ref()));
        }
        SessionCommand::Compact { id, keep } => {
            let (session_id, keep) = (parse(id)?, keep.clone());
            let made = handler::compact_session(core, CompactSession { session_id, keep }).await?;
            output.show_one(&made, || {
                let Compaction {
                    tokens_before,
                    tokens_after,
                    summary,
                    ..
                } = &made.compaction;
                format!("{tokens_before} → {tokens_after} token\n\n{summary}")
            });
        }
        SessionCommand::Show { id, sent: false } => show(core, output, parse(id)?).await?,
        SessionCommand::Search { query } => {
            let search = SearchSessions {
                query: query.clone(),
                limit: HITS,
            };
            output.show(&handler::search_sessions(core, search).await?, hit);
        }
        SessionCommand::Export { id } => output.json(&export(core, parse(id)?).await?),
        SessionCommand::Import { file } => {
            let document = read(file)?;
            let made = handler::import_session(core, ImportSession { document })
                .await?
                .session;
            output.show_one(&made, || made.session.id.to_string());
        }
        SessionCommand::Fork { id } => {
            let session_id = parse(id)?;
            let made = handler::fork_session(core, ForkSession { session_id })
                .await?
                .session;
            output.show_one(&made, || made.session.id.to_string());
        }
        SessionCommand::Delete { id } => {
            let session_id = parse(id)?;
            handler::delete_session(core, DeleteSession { session_id }).await?;
            let deleted = serde_json::json!({ "deleted": session_id });
            output.show_one(&deleted, || output.words("Deleted.", "已删除。").to_owned());
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn show(core: &Core, output: &Output, session_id: SessionId) -> Result<(), ApiError> {
    let mut session = export(core, session_id).await?;
    // Who looks at a talk does not want its files as text.
    session.attachments.clear();
    output.show_one(&session, || {
        let items = session.turns.iter().flat_map(|turn| &turn.items);
        items
            .filter_map(|item| words(*output, item))
            .collect::<Vec<_>>()
            .join("\n\n")
    });
    Ok(())
}

async fn export(core: &Core, session_id: SessionId) -> Result<SessionExport, ApiError> {
    handler::export_session(core, ExportSession { session_id }).await
}

fn parse(id: &str) -> Result<SessionId, ApiError> {
    id.parse().map_err(ApiError::not_an_id)
}

fn read(file: &Path) -> Result<SessionExport, ApiError> {
    let text = fs_err::read_to_string(file).map_err(|error| ApiError::unreadable(&error))?;
    serde_json::from_str(&text).map_err(|error| ApiError::not_an_export(&error))
}

fn line(line: &SessionLine) -> String {
    format!(
        "{}  {}  {}",
        line.session.id, line.session.title, line.last_words
    )
}

async fn changes(
    core: &Core,
    id: &str,
    turn: Option<&str>,
) -> Result<Vec<FileChangeView>, ApiError> {
    let turn_id = turn.map(str::parse).transpose();
    let list = ListFileChanges {
        session_id: parse(id)?,
        turn_id: turn_id.map_err(ApiError::not_an_id)?,
    };
    handler::list_file_changes(core, list).await
}

fn change(output: Output, change: &FileChangeView) -> String {
    let FileDiff {
        path,
        added,
        removed,
        ..
    } = &change.diff;
    let mark = if change.undone { "↩" } else { "•" };
    let counts = if change.lost {
        output
            .words(
                "can't be put back: what it held is no longer kept",
                "无法还原：原内容已不再保存",
            )
            .to_owned()
    } else {
        format!("+{added} −{removed}")
    };
    format!("{mark} {}  {path}  {counts}", change.turn_id)
}

fn context(output: Output, report: Option<&ContextReport>) -> String {
    let Some(report) = report else {
        return output
            .words("Nothing was sent yet.", "还没有发送过请求。")
            .to_owned();
    };
    let mut lines: Vec<String> = report
        .layers
        .iter()
        .map(|layer| format!("{:>8}  {}", layer.tokens, layer_words(output, layer.kind)))
        .collect();
    let whole = output.words("of a window of", "，窗口大小");
    lines.push(format!("{:>8}  {whole} {}", report.tokens(), report.window));
    lines.join("\n")
}

fn layer_words(output: Output, kind: LayerKind) -> &'static str {
    match kind {
        LayerKind::Rules => output.words("rules", "规则"),
        LayerKind::ContextFiles => {
            output.words("instructions of trusted folders", "受信任文件夹的说明")
        }
        LayerKind::Tools => output.words("tools", "工具"),
        LayerKind::Summary => output.words("summary", "摘要"),
        LayerKind::History => output.words("earlier messages", "较早的消息"),
        LayerKind::EarlierSteps => output.words("earlier steps", "较早的步骤"),
        LayerKind::Input => output.words("the last message", "最后一条消息"),
        LayerKind::Steps => output.words("its steps", "本轮步骤"),
    }
}

fn hit(hit: &SearchHit) -> String {
    let words: String = hit.excerpt.iter().map(|run| run.text.as_str()).collect();
    format!("{}  {}  {words}", hit.session_id, hit.title)
}

fn words(output: Output, item: &Item) -> Option<String> {
    match &item.content {
        ItemContent::UserText { text, attachments } => {
            Some(format!("› {text}{}", files(attachments)))
        }
        ItemContent::Notice { notice } => Some(format!("! {}", notice::words(output, notice))),
        ItemContent::ModelText { text } => Some(text.clone()),
        ItemContent::ToolCall { call, .. } => Some(format!("• {} {}", call.name, call.arguments)),
        ItemContent::Reasoning { .. } => None,
    }
}

fn files(attachments: &[Attachment]) -> String {
    attachments
        .iter()
        .map(|file| format!("\n  [{} · {}]", file.name, file.media_type))
        .collect()
}

fn sent_message(message: &Message) -> String {
    match message {
        Message::System { text } => format!("[system]\n{text}"),
        Message::User { text, attachments } => format!("[user]\n{text}{}", files(attachments)),
        Message::Assistant { text, calls, .. } => {
            let calls: Vec<String> = calls
                .iter()
                .map(|call| format!("\n→ {} {}", call.name, call.arguments))
                .collect();
            format!("[assistant]\n{text}{}", calls.concat())
        }
        Message::Tool { name, text, .. } => format!("[tool {name}]\n{text}"),
    }
}
