//! `talaria trace`: what each turn did.

use std::process::ExitCode;

use talaria_api::{ApiError, Core, ExportTrace, ListTraces, ReadTrace, Trace, TraceLine, handler};
use talaria_domain::{ApprovalOutcome, Cost, RequestTrace, Span, SpanContent, TurnId, TurnState};

use crate::arguments::TraceCommand;
use crate::notice;
use crate::output::Output;

/// A text in a line is cut to so many characters.
const SHOWN: usize = 100;

/// Runs the command.
pub(crate) async fn run(
    core: &Core,
    output: &Output,
    command: &TraceCommand,
) -> Result<ExitCode, ApiError> {
    match command {
        TraceCommand::List { query, limit } => {
            let list = ListTraces {
                query: query.clone(),
                limit: *limit,
            };
            let lines = handler::list_traces(core, list).await?;
            output.show(&lines, |line| self::line(*output, line));
        }
        TraceCommand::Show { turn } => {
            let turn_id = parse(turn)?;
            let trace = handler::read_trace(core, ReadTrace { turn_id }).await?;
            output.show_one(&trace, || text(*output, &trace));
        }
        TraceCommand::Export { turn } => {
            let turn_id = parse(turn)?;
            output.json(&handler::export_trace(core, ExportTrace { turn_id }).await?);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn parse(id: &str) -> Result<TurnId, ApiError> {
    id.parse().map_err(ApiError::not_an_id)
}

fn line(output: Output, line: &TraceLine) -> String {
    let model = line
        .model
        .as_ref()
        .map_or("–", |model| model.model.as_str());
    let cost = line
        .cost
        .map_or_else(String::new, |cost| format!("  {}", dollars(cost)));
    format!(
        "{}  {}  {}  {} ms  {} {}{cost}  {}",
        line.turn_id,
        state(output, line.state),
        model,
        line.duration_ms,
        line.tokens,
        output.words("tokens", "词元"),
        line.title
    )
}

fn text(output: Output, trace: &Trace) -> String {
    let mut lines = vec![line(output, &trace.line)];
    let begun = trace.line.started_at;
    lines.extend(trace.spans.iter().map(|span| {
        let (after, took) = (
            span.started_at.millis_since(begun),
            span.ended_at.millis_since(span.started_at),
        );
        format!("{after:>7} ms  {took:>6} ms  {}", step(output, span))
    }));
    lines.join("\n")
}

/// A span in one line.
fn step(output: Output, span: &Span) -> String {
    match &span.content {
        SpanContent::Turn { state, failure, .. } => {
            let failure = failure.as_ref().map_or_else(String::new, |failure| {
                format!(": {}: {}", failure.code, failure.message)
            });
            format!(
                "{} {}{failure}",
                output.words("turn", "轮次"),
                self::state(output, *state)
            )
        }
        SpanContent::Request { request } => asked(output, request),
        SpanContent::Choice { choice } => format!(
            "{} {} ({}; {})",
            output.words("chose", "选择"),
            choice.chosen,
            choice.candidates.join(", "),
            choice.why
        ),
        SpanContent::ToolCall {
            name,
            arguments,
            result,
            failed,
            ..
        } => format!(
            "{} {name} {} → {}{}",
            output.words("tool", "工具"),
            short(&arguments.to_string()),
            if *failed { "✗ " } else { "" },
            short(result.as_deref().unwrap_or_default())
        ),
        SpanContent::Permission { tool, approval, .. } => {
            let outcome = match approval.outcome {
                ApprovalOutcome::Allowed => output.words("allowed", "已允许"),
                ApprovalOutcome::Denied => output.words("denied", "已拒绝"),
                ApprovalOutcome::Unanswered => output.words("not answered", "未答复"),
            };
            format!("{} {tool}: {outcome}", output.words("permission", "权限"))
        }
        SpanContent::Compaction { compaction } => format!(
            "{} {} → {} {}",
            output.words("context shortened", "上下文已缩短"),
            compaction.tokens_before,
            compaction.tokens_after,
            output.words("tokens", "词元")
        ),
        SpanContent::Notice { notice } => format!("! {}", notice::words(output, notice)),
    }
}

fn asked(output: Output, request: &RequestTrace) -> String {
    let mut text = format!(
        "{} {}: {} {}, {} → {} {}, {} {}",
        output.words("asked", "请求"),
        request.model.model,
        request.messages,
        output.words("messages", "条消息"),
        request.usage.input_tokens,
        request.usage.output_tokens,
        output.words("tokens", "词元"),
        request.usage.cached_tokens,
        output.words("cached", "命中缓存")
    );
    if !request.calls.is_empty() {
        let called = output.words("called", "调用");
        text.push_str(&format!(", {called} {}", request.calls.join(", ")));
    }
    for resend in &request.retries {
        let again = output.words("sent again", "重新发送");
        text.push_str(&format!(
            ", {again} ({}, {} ms)",
            resend.code, resend.wait_ms
        ));
    }
    if let Some(failure) = &request.failure {
        text.push_str(&format!(", {}: {}", failure.code, short(&failure.message)));
    }
    text
}

fn state(output: Output, state: TurnState) -> &'static str {
    match state {
        TurnState::Running => output.words("running", "进行中"),
        TurnState::Finished => output.words("finished", "已完成"),
        TurnState::Cancelled => output.words("stopped", "已停止"),
        TurnState::Failed => output.words("failed", "失败"),
        TurnState::Interrupted => output.words("interrupted", "已中断"),
    }
}

/// One line of a text.
fn short(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .take(SHOWN)
        .collect();
    if text.chars().count() > SHOWN {
        format!("{line}…")
    } else {
        line
    }
}

fn dollars(Cost(billionths): Cost) -> String {
    let hundredths_of_cents = billionths.div_ceil(100_000);
    format!(
        "${}.{:04}",
        hundredths_of_cents / 10_000,
        hundredths_of_cents % 10_000
    )
}

#[cfg(test)]
mod tests {
    use talaria_domain::Cost;

    use super::{dollars, short};

    #[test]
    fn a_cost_is_shown_in_dollars_and_never_as_nothing() {
        for (billionths, shown) in [
            (0, "$0.0000"),
            (1, "$0.0001"),
            (1_234_500_000, "$1.2345"),
            (20_000_000_000, "$20.0000"),
        ] {
            assert_eq!(dollars(Cost(billionths)), shown);
        }
    }

    #[test]
    fn a_text_is_shown_in_one_short_line() {
        assert_eq!(short("a\nb\u{1b}[31m"), "a b [31m");
        assert_eq!(short(&"字".repeat(101)).chars().count(), 101);
    }
}
