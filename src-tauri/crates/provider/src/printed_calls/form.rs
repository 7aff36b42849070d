//! What the known models print around and inside a call.
//!
//! A block is one of the [`FORMS`]: an opening mark, calls, a closing mark. The marks tell the
//! models apart; how a call looks between them does not follow from them, since templates and
//! fine-tunes mix everything with everything, so [`calls`] reads any shape behind any mark.

use serde_json::Map;

use super::Printed;
use super::cursor::{Cursor, Stop};
use super::offer::{Offer, Offered};
use super::{json, literal, tagged};

/// A mark that opens a block of calls.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) open: &'static str,
    close: Close,
    /// Nothing may follow the block: its mark is too common to be sure otherwise.
    pub(super) is_last: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Close {
    /// One of these marks. At the very end of an answer it may be missing.
    Mark(&'static [&'static str]),
    /// The calls end by themselves; these marks may follow.
    Free(&'static [&'static str]),
    /// The mark is the start of the call itself; these marks may follow.
    Part(&'static [&'static str]),
}

const fn marked(open: &'static str, close: &'static [&'static str]) -> Form {
    Form {
        open,
        close: Close::Mark(close),
        is_last: false,
    }
}

const fn free(open: &'static str, after: &'static [&'static str]) -> Form {
    Form {
        open,
        close: Close::Free(after),
        is_last: false,
    }
}

const fn part(open: &'static str, after: &'static [&'static str]) -> Form {
    Form {
        open,
        close: Close::Part(after),
        is_last: false,
    }
}

/// What ends a turn; servers that don't know the template let it through.
const END_OF_TURN: &[&str] = &[
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|return|>",
    "<end_of_turn>",
    "<turn|>",
    "<｜end▁of▁sentence｜>",
    "</s>",
];
const DEEPSEEK_END: &[&str] = &["<｜tool▁calls▁end｜>", "<｜tool_calls_end｜>"];
const KIMI_END: &[&str] = &["<|tool_calls_section_end|>", "<|tool_call_section_end|>"];
const HARMONY_END: &[&str] = &["<|call|>"];

/// All marks; none begins another.
pub(super) const FORMS: &[Form] = &[
    // Hermes, Qwen, GLM and most fine-tunes.
    marked("<tool_call>", &["</tool_call>"]),
    // Jamba, MiniMax M1, Hunyuan.
    marked("<tool_calls>", &["</tool_calls>"]),
    // Qwen2.5-Coder and other small models, which mistake the mark around the tools for it.
    marked("<tools>", &["</tools>"]),
    marked("<function_call>", &["</function_call>"]),
    // Qwen3-Coder and Llama 3 without the mark around it; Qwen may still print the closing one.
    part("<function=", &["</tool_call>"]),
    // Llama 3.
    free("<|python_tag|>", &[]),
    // Mistral.
    free("[TOOL_CALLS]", &[]),
    // DeepSeek V3, R1 and V3.1, and how their distillates spell it.
    marked("<｜tool▁calls▁begin｜>", DEEPSEEK_END),
    marked("<｜tool_calls_begin｜>", DEEPSEEK_END),
    part("<｜tool▁call▁begin｜>", DEEPSEEK_END),
    // DeepSeek V3.2 and V4.
    marked("<｜DSML｜function_calls>", &["</｜DSML｜function_calls>"]),
    marked("<｜DSML｜tool_calls>", &["</｜DSML｜tool_calls>"]),
    part(
        "<｜DSML｜invoke name=",
        &["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"],
    ),
    marked("<|DSML|function_calls>", &["</|DSML|function_calls>"]),
    marked("<|DSML|tool_calls>", &["</|DSML|tool_calls>"]),
    // Kimi K2.
    marked("<|tool_calls_section_begin|>", KIMI_END),
    marked("<|tool_call_section_begin|>", KIMI_END),
    part("<|tool_call_begin|>", KIMI_END),
    // Models taught by Claude's answers, and MiniMax M2.
    marked("<function_calls>", &["</function_calls>"]),
    marked("<minimax:tool_call>", &["</minimax:tool_call>"]),
    part(
        "<invoke name=",
        &["</function_calls>", "</minimax:tool_call>"],
    ),
    // Seed-OSS.
    marked("<seed:tool_call>", &["</seed:tool_call>"]),
    // Granite and Phi-4 mini.
    free("<|tool_call|>", &["<|/tool_call|>"]),
    // Gemma 4 and FunctionGemma.
    marked("<|tool_call>", &["<tool_call|>"]),
    marked("<start_function_call>", &["<end_function_call>"]),
    // LFM2, InternLM, Nemotron, Command R.
    marked("<|tool_call_start|>", &["<|tool_call_end|>"]),
    marked("<|action_start|><|plugin|>", &["<|action_end|>"]),
    marked("<TOOLCALL>", &["</TOOLCALL>"]),
    marked("<|START_ACTION|>", &["<|END_ACTION|>"]),
    // gpt-oss.
    free("<|channel|>commentary to=", HARMONY_END),
    free("<|start|>assistant<|channel|>commentary to=", HARMONY_END),
    free("<|start|>assistant to=", HARMONY_END),
    // Gemma 3.
    Form {
        open: "```tool_code",
        close: Close::Mark(&["```"]),
        is_last: true,
    },
];

/// Reads a block, from its opening mark on.
pub(super) fn block(
    cursor: &mut Cursor<'_>,
    form: &Form,
    offer: &Offer,
) -> Result<Vec<Printed>, Stop> {
    if !matches!(form.close, Close::Part(_)) {
        cursor.expect(form.open)?;
    }
    let mut found = Vec::new();
    match form.close {
        Close::Mark(close) => {
            separators(cursor);
            while !cursor.take_any(close)? {
                if !found.is_empty() && (cursor.is_over() || cursor.take_any(END_OF_TURN)?) {
                    break;
                }
                found.extend(calls(cursor, offer)?);
                separators(cursor);
            }
        }
        Close::Free(after) | Close::Part(after) => {
            cursor.space();
            found.extend(run(cursor, offer)?);
            pass(cursor, after)?;
        }
    }
    if found.is_empty() {
        return Err(cursor.no());
    }
    pass(cursor, END_OF_TURN)?;
    Ok(found)
}

/// Reads an answer that is nothing but calls, from its first character on.
pub(super) fn answer(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Vec<Printed>, Stop> {
    let found = run(cursor, offer)?;
    pass(cursor, END_OF_TURN)?;
    cursor.space();
    match cursor.peek()? {
        None => Ok(found),
        Some(_) => Err(cursor.no()),
    }
}

/// Reads calls that stand one behind the other with no mark around them.
fn run(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Vec<Printed>, Stop> {
    let mut found = calls(cursor, offer)?;
    loop {
        let end = cursor.clone();
        separators(cursor);
        if cursor.peek()? != Some('{') {
            *cursor = end;
            return Ok(found);
        }
        found.extend(calls(cursor, offer)?);
    }
}

/// Reads one of these tokens if it comes next, white space aside.
fn pass(cursor: &mut Cursor<'_>, tokens: &[&str]) -> Result<(), Stop> {
    let mut ahead = cursor.clone();
    ahead.space();
    if ahead.take_any(tokens)? {
        *cursor = ahead;
    }
    Ok(())
}

fn separators(cursor: &mut Cursor<'_>) {
    cursor.skip(|next| next.is_whitespace() || matches!(next, ';' | ','));
}

/// Reads one call in any shape, or a list of them.
fn calls(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Vec<Printed>, Stop> {
    match cursor.peek()? {
        Some('{') => Ok(vec![json::call(cursor, offer)?]),
        Some('[') => {
            cursor.next()?;
            list(cursor, offer)
        }
        Some('<') => Ok(vec![tagged::call(cursor, offer)?]),
        Some('`') => {
            open_fence(cursor)?;
            let found = calls(cursor, offer)?;
            cursor.space();
            cursor.expect("```")?;
            Ok(found)
        }
        _ => Ok(vec![named(cursor, offer)?]),
    }
}

fn list(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Vec<Printed>, Stop> {
    let mut found = Vec::new();
    loop {
        cursor.space();
        if cursor.take("]")? {
            return Ok(found);
        }
        match cursor.peek()? {
            Some('{') => found.push(json::call(cursor, offer)?),
            _ => found.push(named(cursor, offer)?),
        }
        cursor.space();
        if cursor.peek()? != Some(']') {
            cursor.expect(",")?;
        }
    }
}

/// Reads the opening line of a fence around JSON.
fn open_fence(cursor: &mut Cursor<'_>) -> Result<(), Stop> {
    cursor.expect("```")?;
    cursor.take("json")?;
    cursor.space();
    Ok(())
}

/// Reads an object of arguments, which may stand in a fence.
pub(super) fn object(cursor: &mut Cursor<'_>) -> Result<Map<String, serde_json::Value>, Stop> {
    cursor.space();
    let fenced = cursor.peek()? == Some('`');
    if fenced {
        open_fence(cursor)?;
    }
    let arguments = json::arguments(cursor)?;
    if fenced {
        cursor.space();
        cursor.expect("```")?;
    }
    Ok(arguments)
}

/// Reads a call that begins with the tool's name.
fn named(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Printed, Stop> {
    // Python shows a result by printing it, and Gemma says what it does.
    let printing = cursor.take("print(")?;
    let calling = cursor.take("call:")?;
    let tool = cursor.tool(offer)?;
    let call = behind_name(cursor, tool, calling)?;
    if printing {
        cursor.space();
        cursor.expect(")")?;
    }
    Ok(call)
}

fn behind_name(cursor: &mut Cursor<'_>, tool: &Offered, calling: bool) -> Result<Printed, Stop> {
    cursor.space();
    let mut id = None;
    let arguments = if cursor.take("(")? {
        literal::keywords(cursor)?
    } else if calling {
        cursor.expect("{")?;
        literal::members(cursor)?
    } else if cursor.take("[CALL_ID]")? {
        id = Some(cursor.head("[ARGS]")?.trim());
        object(cursor)?
    } else if cursor.take("[ARGS]")?
        || matches!(cursor.peek()?, Some('{' | '`'))
        || harmony_header(cursor)?
    {
        object(cursor)?
    } else {
        tagged::keys_and_values(cursor, tool)?
    };
    json::fitted(tool, arguments, id).ok_or(cursor.no())
}

/// Reads what gpt-oss prints between the tool's name and its arguments.
fn harmony_header(cursor: &mut Cursor<'_>) -> Result<bool, Stop> {
    const STARTS: [&str; 4] = [
        "<|constrain|>",
        "<|channel|>",
        "<|message|>",
        "json<|message|>",
    ];
    let start = cursor.clone();
    if !cursor.take_any(&STARTS)? {
        return Ok(false);
    }
    *cursor = start;
    cursor.head("<|message|>")?;
    Ok(true)
}
