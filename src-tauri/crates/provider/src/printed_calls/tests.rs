use serde_json::{Value, json};
use talaria_domain::{Message, ModelEvent, ModelName, ModelRequest, ToolChoice, ToolSpec};

use super::{End, Finder, Offer, Printed};
use crate::answer::Out;

mod stream;

fn tool(name: &str, parameters: Value) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: String::new(),
        parameters,
    }
}

fn tools() -> Vec<ToolSpec> {
    let find = json!({"type": "object", "required": ["word"], "additionalProperties": false, "properties": {
        "word": {"type": "string"}, "most": {"type": "integer"}, "exact": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}}, "sort": {"enum": ["new", "old"]}}});
    let keep = json!({"type": "object", "required": ["text"], "properties": {
        "text": {"type": "string"}, "place": {"type": "object"}}});
    let now = json!({"type": "object", "properties": {}});
    vec![
        tool("find", find),
        tool("find_all", json!({"type": "object"})),
        tool("keep", keep),
        tool("now", now),
    ]
}

fn offer(messages: Vec<Message>, tools: Vec<ToolSpec>) -> Offer {
    Offer::of(&ModelRequest {
        model: ModelName::new("m").unwrap(),
        messages,
        tools,
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
    })
}

fn finder() -> Finder {
    Finder::new(offer(Vec::new(), tools()))
}

/// What an answer came to.
#[derive(Debug, Default, PartialEq)]
struct Found {
    reasoning: String,
    text: String,
    calls: Vec<Printed>,
}

fn read<'a>(pieces: impl IntoIterator<Item = &'a str>, end: End) -> Found {
    let mut finder = finder();
    let mut out = Out::new();
    for piece in pieces {
        finder.push(piece, &mut out);
    }
    let calls = finder.finish(end, &mut out);
    let (reasoning, text) = told(out);
    Found {
        reasoning,
        text,
        calls,
    }
}

/// The reasoning and the text that was given.
fn told(out: Out) -> (String, String) {
    let (mut reasoning, mut text) = (String::new(), String::new());
    for event in out {
        match event {
            ModelEvent::Text(piece) => text.push_str(&piece),
            ModelEvent::WasReasoning => reasoning = std::mem::take(&mut text),
            other => panic!("{other:?} is not its business"),
        }
    }
    (reasoning, text)
}

fn calls(answer: &str) -> Vec<(String, Value)> {
    let found = read([answer], End::Complete).calls.into_iter();
    found.map(|call| (call.name, call.arguments)).collect()
}

/// Reads it whole, in two pieces at every place, and letter by letter.
fn read_in_every_way(answer: &str, end: End) -> Found {
    let whole = read([answer], end);
    for (cut, _) in answer.char_indices() {
        let (left, right) = answer.split_at(cut);
        assert_eq!(read([left, right], end), whole, "{answer:?} cut at {cut}");
    }
    let letters = answer.split_inclusive(|_: char| true);
    assert_eq!(read(letters, end), whole, "{answer:?} in letters");
    whole
}

fn find(word: &str) -> (String, Value) {
    ("find".to_owned(), json!({"word": word}))
}

/// One call in each form that a model is known to print.
const ONE: &[&str] = &[
    // Hermes and Qwen.
    r#"<tool_call>{"name":"find","arguments":{"word":"oak"}}</tool_call>"#,
    "<tool_call>\n{\"name\": \"find\", \"arguments\": {\"word\": \"oak\"}}\n</tool_call>",
    "<tool_call>\n{\"arguments\": {\"word\": \"oak\"}, \"name\": \"find\"}\n</tool_call>",
    r#"<tool_call>{"name":"find","parameters":{"word":"oak"}}</tool_call>"#,
    r#"<tool_call>{"name":"find","arguments":"{\"word\":\"oak\"}"}</tool_call>"#,
    r#"<tool_call>{"id":"1","type":"function","function":{"name":"find","arguments":{"word":"oak"}}}</tool_call>"#,
    r#"<tool_call>{"function":"find","arguments":{"word":"oak"}}</tool_call>"#,
    r#"<tool_call>[{"name":"find","arguments":{"word":"oak"}}]</tool_call>"#,
    r#"<tool_call>{'name': 'find', 'arguments': {'word': 'oak'}}</tool_call>"#,
    r#"<tool_call>{"name":"find","arguments":{"word":"oak"}}"#,
    "<tool_call>\n<tool_call>\n{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}\n</tool_call>\n</tool_call>",
    "<tool_call>\n```json\n{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}\n```\n</tool_call>",
    r#"<tool_calls>[{"name":"find","arguments":{"word":"oak"}}]</tool_calls>"#,
    "<tools>\n{\"name\": \"find\", \"arguments\": {\"word\": \"oak\"}}\n</tools>",
    r#"<function_call>{"name": "find", "arguments": {"word": "oak"}}</function_call>"#,
    // Qwen3-Coder and Seed-OSS.
    "<tool_call>\n<function=find>\n<parameter=word>\noak\n</parameter>\n</function>\n</tool_call>",
    "<function=find>\n<parameter=word>\noak\n</parameter>\n</function>\n</tool_call>",
    "<function=find><parameter=word>oak</parameter></function>",
    "<seed:tool_call><function=find><parameter=word>oak</parameter></function></seed:tool_call>",
    // The end of the turn came through.
    "<tool_call>\n{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}\n</tool_call><|im_end|>",
    "<tool_call>\n{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}\n<|im_end|>",
    "{\"name\":\"find\",\"parameters\":{\"word\":\"oak\"}}<|eot_id|>",
    "[TOOL_CALLS]find[ARGS]{\"word\":\"oak\"}</s>",
    // Llama 3.
    r#"<|python_tag|>{"name": "find", "parameters": {"word": "oak"}}"#,
    r#"<|python_tag|>{"type": "function", "name": "find", "parameters": {"word": "oak"}}<|eom_id|>"#,
    r#"<|python_tag|>find.call(word="oak")"#,
    r#"<function=find>{"word": "oak"}</function>"#,
    // Mistral.
    r#"[TOOL_CALLS][{"name":"find","arguments":{"word":"oak"}}]"#,
    r#"[TOOL_CALLS] [{"name": "find", "arguments": {"word": "oak"}}]</s>"#,
    r#"[TOOL_CALLS]find{"word": "oak"}"#,
    r#"[TOOL_CALLS]find[ARGS]{"word": "oak"}"#,
    // DeepSeek.
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find\n```json\n{\"word\":\"oak\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find\n{\"word\":\"oak\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find<｜tool▁sep｜>{\"word\":\"oak\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<｜tool▁call▁begin｜>find<｜tool▁sep｜>{\"word\":\"oak\"}<｜tool▁call▁end｜>",
    "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"find\">\n<｜DSML｜parameter name=\"word\" string=\"true\">oak</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    "<｜DSML｜tool_calls><｜DSML｜invoke name=\"find\"><｜DSML｜parameter name=\"word\" string=\"false\">\"oak\"</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>",
    "<|DSML|tool_calls><|DSML|invoke name=\"find\"><|DSML|parameter name=\"word\" string=\"true\">oak</|DSML|parameter></|DSML|invoke></|DSML|tool_calls>",
    // GLM.
    "<tool_call>find\n<arg_key>word</arg_key>\n<arg_value>oak</arg_value>\n</tool_call>",
    "<tool_call>find <arg_key>word</arg_key> <arg_value>oak</arg_value> </tool_call>",
    "<tool_call>find<arg_key>word</arg_key><arg_value>oak</arg_value></tool_call>",
    // Claude's, and MiniMax M2.
    "<function_calls>\n<invoke name=\"find\">\n<parameter name=\"word\">oak</parameter>\n</invoke>\n</function_calls>",
    "<invoke name=\"find\"><parameter name=\"word\">oak</parameter></invoke>",
    "<minimax:tool_call>\n<invoke name=\"find\">\n<parameter name=\"word\">oak</parameter>\n</invoke>\n</minimax:tool_call>",
    // Gemma.
    "```tool_code\nfind(word=\"oak\")\n```",
    "```tool_code\nprint(find(word='oak'))\n```\n",
    "<|tool_call>call:find{word:<|\"|>oak<|\"|>}<tool_call|>",
    "<start_function_call>call:find{word:<escape>oak<escape>}<end_function_call>",
    // Others.
    r#"<|tool_call|>[{"name": "find", "arguments": {"word": "oak"}}]"#,
    r#"<|tool_call_start|>[find(word="oak")]<|tool_call_end|>"#,
    r#"<|action_start|><|plugin|>{"name": "find", "parameters": {"word": "oak"}}<|action_end|>"#,
    r#"<TOOLCALL>[{"name": "find", "arguments": {"word": "oak"}}]</TOOLCALL>"#,
    r#"<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "find", "parameters": {"word": "oak"}}]<|END_ACTION|>"#,
    r#"<|channel|>commentary to=functions.find <|constrain|>json<|message|>{"word": "oak"}<|call|>"#,
    r#"<|start|>assistant<|channel|>commentary to=functions.find<|message|>{"word": "oak"}"#,
    r#"<|start|>assistant to=functions.find<|channel|>commentary json<|message|>{"word": "oak"}<|call|>"#,
    // Bare.
    r#"{"name": "find", "arguments": {"word": "oak"}}"#,
    "\n {\"name\": \"find\", \"parameters\": {\"word\": \"oak\"}}\n",
    r#"{"type": "function", "function": {"name": "find", "arguments": "{\"word\": \"oak\"}"}}"#,
    r#"[{"name": "find", "arguments": {"word": "oak"}}]"#,
    r#"[find(word="oak")]"#,
];

#[test]
fn a_call_is_found_in_every_form_wherever_it_is_cut() {
    for answer in ONE {
        let found = read_in_every_way(answer, End::Complete);
        let calls: Vec<_> = found
            .calls
            .iter()
            .map(|call| (call.name.clone(), call.arguments.clone()))
            .collect();
        assert_eq!(calls, [find("oak")], "{answer}");
        assert_eq!(found.text, "", "{answer}");
    }
}

#[test]
fn a_call_of_an_answer_that_is_not_complete_stays_text() {
    for answer in ONE {
        let cut = Found {
            text: (*answer).to_owned(),
            ..Found::default()
        };
        assert_eq!(read_in_every_way(answer, End::Cut), cut);
        assert_eq!(read([*answer], End::Called), cut);
    }
}

#[test]
fn half_a_call_is_never_one() {
    for answer in ONE {
        for (cut, _) in answer.char_indices() {
            let half = answer.split_at(cut).0;
            for (name, arguments) in calls(half) {
                assert_eq!((name, arguments), find("oak"), "{half}");
            }
        }
    }
}

#[test]
fn words_before_a_call_stay_words() {
    for answer in ONE
        .iter()
        .filter(|answer| !answer.trim().starts_with(['{', '[']) || answer.starts_with("[TOOL"))
    {
        let found = read_in_every_way(
            &format!("Let me \"look\" at it:\n\n{answer}"),
            End::Complete,
        );
        assert_eq!(found.text, "Let me \"look\" at it:", "{answer}");
        assert_eq!(found.calls.len(), 1, "{answer}");
    }
}

#[test]
fn a_call_in_an_example_is_none() {
    let around = [
        ("```\n", "\n```"),
        ("Such as:\n\n```xml\n", "\n```\nThat is all."),
        ("~~~\n", "\n~~~"),
        ("- ```\n  ", "\n  ```"),
        ("Write `", "`."),
        ("Write ``", "``."),
        ("It prints \"", "\"."),
        ("It prints “", "”"),
        ("他会写「", "」。"),
        ("> ", ""),
        ("So:\n\n    ", "\n"),
        ("Write ", " to look."),
        ("````\n```\nx\n```\n", "\n````"),
    ];
    for (before, behind) in around {
        for answer in ONE
            .iter()
            .filter(|answer| !answer.contains("```") && !answer.contains('\n'))
        {
            let answer = format!("{before}{answer}{behind}");
            let expected = Found {
                text: answer.clone(),
                ..Found::default()
            };
            assert_eq!(read([answer.as_str()], End::Complete), expected);
        }
    }
}

#[test]
fn several_calls_are_found() {
    let two = [find("oak"), ("now".to_owned(), json!({}))];
    let answers = [
        "<tool_call>{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}</tool_call>\n<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>",
        "<tool_call>{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}</tool_call><tool_call>{\"name\":\"now\"}</tool_call>",
        "<tool_call>{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}\n{\"name\":\"now\",\"arguments\":null}</tool_call>",
        "<tool_call>find\n<arg_key>word</arg_key>\n<arg_value>oak</arg_value>\n</tool_call>\n<tool_call>now</tool_call>",
        "<|python_tag|>{\"name\":\"find\",\"parameters\":{\"word\":\"oak\"}}; {\"name\":\"now\",\"parameters\":{}}",
        "{\"name\":\"find\",\"parameters\":{\"word\":\"oak\"}}; {\"name\":\"now\",\"parameters\":{}}",
        "[{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}, {\"name\":\"now\",\"arguments\":{}}]",
        "[TOOL_CALLS][{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}},{\"name\":\"now\",\"arguments\":{}}]",
        "[TOOL_CALLS]find[ARGS]{\"word\":\"oak\"}[TOOL_CALLS]now[ARGS]{}",
        "[find(word=\"oak\"), now()]",
        "```tool_code\nfind(word=\"oak\")\nnow()\n```",
        "<function_calls><invoke name=\"find\"><parameter name=\"word\">oak</parameter></invoke><invoke name=\"now\"></invoke></function_calls>",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.find:0<|tool_call_argument_begin|>{\"word\":\"oak\"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find<｜tool▁sep｜>{\"word\":\"oak\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ];
    for answer in answers {
        read_in_every_way(answer, End::Complete);
        assert_eq!(calls(answer), two, "{answer}");
    }
}

#[test]
fn the_id_that_was_printed_is_kept() {
    let answers = [
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
        "[TOOL_CALLS]now[CALL_ID]functions.now:0[ARGS]{}",
        "[TOOL_CALLS][{\"name\":\"now\",\"arguments\":{},\"id\":\"functions.now:0\"}]",
    ];
    for answer in answers {
        let found = read_in_every_way(answer, End::Complete);
        let ids: Vec<_> = found.calls.into_iter().map(|call| call.id).collect();
        assert_eq!(ids, [Some("functions.now:0".to_owned())], "{answer}");
    }
}

#[test]
fn words_behind_a_call_stay_words() {
    let call = r#"<tool_call>{"name":"now","arguments":{}}</tool_call>"#;
    let found = read_in_every_way(
        &format!("One.\n{call}\nTwo.\n\n{call}\n\n Three.\n"),
        End::Complete,
    );
    assert_eq!(found.text, "One.\n\nTwo.\n\nThree.");
    assert_eq!(found.calls.len(), 2);
    let found = read_in_every_way(&format!("\n{call}\nThen.\n"), End::Complete);
    assert_eq!(found.text, "Then.");
}

#[test]
fn what_does_not_fit_stays_text() {
    let answers = [
        // No such tool.
        r#"<tool_call>{"name":"lose","arguments":{"word":"oak"}}</tool_call>"#,
        r#"{"name":"lose","arguments":{"word":"oak"}}"#,
        r#"<function=lose>{"word":"oak"}</function>"#,
        "<tool_call>lose</tool_call>",
        // Arguments that the tool doesn't take.
        r#"<tool_call>{"name":"find","arguments":{}}</tool_call>"#,
        r#"<tool_call>{"name":"find"}</tool_call>"#,
        r#"<tool_call>{"name":"find","arguments":["oak"]}</tool_call>"#,
        r#"<tool_call>{"name":"find","arguments":{"word":["oak"]}}</tool_call>"#,
        r#"<tool_call>{"name":"find","arguments":{"word":"oak","most":"many"}}</tool_call>"#,
        r#"<tool_call>{"name":"find","arguments":{"word":"oak","sort":"up"}}</tool_call>"#,
        r#"<tool_call>{"name":"find","arguments":{"word":"oak","else":1}}</tool_call>"#,
        "<function=find><parameter=most>3</parameter></function>",
        // Not a call.
        r#"{"name":"now"}"#,
        r#"{"name":"find","city":"Rome"}"#,
        r#"{"name":"Ann","arguments":{}}"#,
        r#"{"title":"find"}"#,
        r#"[{"name":"now","arguments":{}}, 3]"#,
        "[1, 2]",
        "[now]",
        "[now()] is how",
        "{",
        "[",
        "{}",
        r#"{"name":"now","arguments":{}} is how"#,
        r#"So: {"name":"now","arguments":{}}"#,
        "<tool_call>",
        "<tool_call> is a tag.",
        "<tool_call></tool_call>",
        "The [TOOL_CALLS] mark.",
        "[TOOL_CALLS][]",
        "<|python_tag|>print(1)",
        "```tool_code\nimport os\n```",
        "```tool_code\nnow()\n```\nThat is how.",
        "<tool_call>now",
        "<",
        "a <b",
        "",
    ];
    for answer in answers {
        let expected = Found {
            text: answer.to_owned(),
            ..Found::default()
        };
        assert_eq!(read_in_every_way(answer, End::Complete), expected);
    }
}

#[test]
fn values_take_the_type_that_the_tool_wants() {
    let answers = [
        "<function=find><parameter=word>\n7\n</parameter><parameter=most>\n7\n</parameter><parameter=exact>True</parameter><parameter=tags>[\"a\"]</parameter></function>",
        "<tool_call>find<arg_key>word</arg_key><arg_value>7</arg_value><arg_key>most</arg_key><arg_value>7</arg_value><arg_key>exact</arg_key><arg_value>true</arg_value><arg_key>tags</arg_key><arg_value>[\"a\"]</arg_value></tool_call>",
        "[find(word='7', most=7, exact=True, tags=['a',])]",
        "<|tool_call>call:find{word:<|\"|>7<|\"|>,most:7,exact:true,tags:[<|\"|>a<|\"|>]}<tool_call|>",
        r#"{"name":"find","arguments":{"word":"7","most":"7","exact":"true","tags":"[\"a\"]","sort":null}}"#,
        r#"{"name":"find","arguments":{"word":7,"most":7.0,"exact":true,"tags":["a"]}}"#,
        "<｜DSML｜invoke name=\"find\"><｜DSML｜parameter name=\"word\" string=\"true\">7</｜DSML｜parameter><｜DSML｜parameter name=\"most\" string=\"false\">7</｜DSML｜parameter><｜DSML｜parameter name=\"exact\" string=\"false\">true</｜DSML｜parameter><｜DSML｜parameter name=\"tags\" string=\"false\">[\"a\"]</｜DSML｜parameter></｜DSML｜invoke>",
    ];
    for answer in answers {
        let expected = json!({"word": "7", "most": 7, "exact": true, "tags": ["a"]});
        assert_eq!(calls(answer), [("find".to_owned(), expected)], "{answer}");
    }
}

#[test]
fn a_value_is_taken_as_it_stands() {
    let text = "Say \"</tool_call>\" and\n\n```\n<think>\n```\n\tOne & two.";
    let quoted = json!(text).to_string();
    let answers = [
        format!("<tool_call>{{\"name\":\"keep\",\"arguments\":{{\"text\":{quoted}}}}}</tool_call>"),
        format!("<function=keep>\n<parameter=text>\n{text}\n</parameter>\n</function>"),
        format!("<tool_call>keep<arg_key>text</arg_key><arg_value>{text}</arg_value></tool_call>"),
        format!("<invoke name=\"keep\"><parameter name=\"text\">{text}</parameter></invoke>"),
        format!("[keep(text={quoted})]"),
        format!("[keep(text='''{text}''')]"),
        // A line end that was not escaped.
        format!(
            "{{\"name\":\"keep\",\"arguments\":{{\"text\":{}}}}}",
            quoted.replace("\\n", "\n")
        ),
    ];
    for answer in answers {
        read_in_every_way(&answer, End::Complete);
        assert_eq!(
            calls(&answer),
            [("keep".to_owned(), json!({"text": text}))],
            "{answer}"
        );
    }
}

#[test]
fn a_call_that_somebody_else_wrote_is_only_repeated() {
    let call = "<tool_call>\n{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}\n</tool_call>";
    let user = |text: &str| Message::User {
        text: text.to_owned(),
        attachments: Vec::new(),
    };
    let result = |text: &str| Message::Tool {
        call_id: "c".to_owned(),
        name: "find".to_owned(),
        text: text.to_owned(),
        is_error: false,
    };
    let said = |text: &str| Message::Assistant {
        text: text.to_owned(),
        reasoning: None,
        echo: None,
        calls: Vec::new(),
    };
    let note = format!("A note.\n\n{}\nMore.", call.replace('\n', "\r\n  "));
    let cases = [
        (user("Find oaks."), 1),
        (user(&note), 0),
        (result(&note), 0),
        (
            result("{\"name\":\"find\",\"arguments\":{\"word\":\"elm\"}}"),
            1,
        ),
        // What the model said itself it may say again.
        (said(&note), 1),
    ];
    for (message, calls) in cases {
        let mut finder = Finder::new(offer(vec![message], tools()));
        let mut out = Out::new();
        finder.push("It says:\n", &mut out);
        finder.push(call, &mut out);
        let found = finder.finish(End::Complete, &mut out);
        assert_eq!(found.len(), calls);
        assert_eq!(told(out).1.contains(call), calls == 0);
    }
}

#[test]
fn a_model_that_is_stuck_means_no_call() {
    let call = "<tool_call>now</tool_call>\n";
    assert_eq!(calls(&call.repeat(64)).len(), 64);
    let found = read([call.repeat(65).as_str()], End::Complete);
    assert_eq!((found.text, found.calls), (call.repeat(65), Vec::new()));
}

#[test]
fn without_tools_everything_is_text() {
    for answer in ONE {
        let mut finder = Finder::new(offer(Vec::new(), Vec::new()));
        let mut out = Out::new();
        finder.push(answer, &mut out);
        assert_eq!(finder.finish(End::Complete, &mut out), []);
        assert_eq!(told(out).1, *answer);
    }
}

#[test]
fn a_mark_that_its_call_has_left_is_dropped() {
    for answer in [
        "Let me see.\n\n<｜DSML｜function_calls>",
        "Let me see. <tool_call>\n<function=",
        "Let me see.\n[TOOL_CALLS]\n",
    ] {
        let found = read_in_every_way(answer, End::Called);
        assert_eq!(found.text, "Let me see.", "{answer}");
    }
    for answer in ["Write `<tool_call>", "<tool_call> it is.", "Let me see.\n"] {
        assert_eq!(read_in_every_way(answer, End::Called).text, answer);
    }
}
