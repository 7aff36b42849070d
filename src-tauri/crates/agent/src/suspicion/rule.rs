//! The rules as data: what texts say that want to be obeyed, in English and Chinese.
//!
//! They are matched against the normalised text: small letters, and `,:!?` for their wide forms.

use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexSet};

/// A rule's id and the form of what it finds.
type Row = (&'static str, &'static str);

/// What is suspicious wherever it stands.
const ANYWHERE_ROWS: &[Row] = &[
    (
        "override",
        r"\b(?:ignore|disregard|forget)\s+(?:\w+\s+){0,4}?(?:previous|prior|above|earlier|preceding|foregoing|existing|all|any|your|system)\s+(?:\w+\s+){0,3}?(?:instructions?|prompts?|directives?|directions|guardrails|programming)\b",
    ),
    (
        "override",
        r"\b(?:ignore|disregard|forget)\s+(?:\w+\s+){0,3}?(?:previous|prior|above|earlier|preceding|your|system)\s+(?:\w+\s+){0,2}?(?:rules|guidelines|constraints|restrictions|training)\b",
    ),
    (
        "override",
        r"\b(?:ignore|disregard|forget)\s+(?:everything|all)\s+(?:(?:that\s+)?(?:was|is|has been)\s+|you\s+(?:were|have been)\s+)?(?:above|before|said|told|so far)\b",
    ),
    (
        "override",
        r"\b(?:override|bypass)\s+(?:the\s+|your\s+|all\s+)+(?:\w+\s+)?(?:system prompt|instructions|guardrails|safety)\b",
    ),
    (
        "override",
        r"(?:忽略|无视|忽视|忘记|忘掉|抛开|绕过|不要理会|不用理会|不要遵守|不再遵守)(?:掉|了)?[^。!?\n]{0,12}(?:之前|以上|上述|前面|先前|此前|所有|一切|你的|系统|上面|原来|原有|全部|既有)[^。!?\n]{0,8}(?:指令|指示|提示词|规则|要求|设定|约束|命令|限制)",
    ),
    (
        "override",
        r"\bnew\s+(?:system\s+)?(?:instructions?|directives?)\s*:|(?:新的?(?:系统)?(?:指令|指示)|系统指令)\s*:",
    ),
    (
        "concealment",
        r"\b(?:do not|don't|never|must not)\s+(?:ever\s+)?(?:tell|inform|notify|alert|mention\s+(?:this|it|that)\s+to|reveal\s+(?:this|it|that)\s+to|show\s+(?:this|it|that)\s+to)\s+(?:the\s+|your\s+)?(?:users?|humans?|owner|operator)\b(?:\s+(?:that\s+you|about\s+(?:this|these|it|what\s+you)|what\s+you|of\s+this)\b|\s*(?:[.!;]|$))",
    ),
    (
        "concealment",
        r"\bwithout\s+(?:ever\s+)?(?:telling|informing|notifying|alerting)\s+the\s+(?:user|human|owner|operator)\b",
    ),
    (
        "concealment",
        r"(?:不要|不得|切勿|别|无需|不必)(?:告诉|告知|通知|提醒)(?:用户|使用者|主人)(?:你|这|此|关于|本|已|[。!,;\s]|$)|(?:瞒着|背着|不让)(?:用户|使用者)(?:知道|发现|执行|运行|,|。)|(?:不要|不得|切勿|别)(?:向|对|在)(?:用户|使用者|回复中|回答中)(?:提及|透露|说明|提到)(?:你|这|此|本|以上|该|。)",
    ),
    (
        "role_marks",
        r"<\|(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|end_header_id|eot_id|begin_of_text|channel|message)\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</?(?:system[-_ ]?(?:reminder|message|prompt)|function_calls|tool_call|tool_result)>|<invoke\s+name=",
    ),
    (
        "role_marks",
        r"(?m)^\s*(?:#{1,4}\s*|\*\*|\[|=+\s*)?(?:system|assistant|developer|系统|管理员)\s*(?:message|prompt|override|notice|instructions?|update|消息|提示|通知|指令)(?:\*\*|\]|\s*=+)?\s*:?\s*$|^\s*\[(?:system|assistant|系统)\]|^\s*</?system>\s*$",
    ),
    (
        "persona",
        r"\byou\s+are\s+now\s+(?:in\s+)?(?:dan\b|(?:developer|debug|god|admin|maintenance|unrestricted|jailbreak)\s+mode|an?\s+(?:unrestricted|unfiltered|different|new|evil|jailbroken)\b|no\s+longer\s+(?:bound|restricted|an?\s+ai)|free\s+(?:from|of)|an?\s+(?:\w+\s+){0,3}(?:assistant|ai|agent|chatbot|model)\b)|\bfrom\s+now\s+on,?\s+you\s+(?:are|(?:will|must|should)\s+(?:act|obey|follow|respond|answer|only))\b|\b(?:pretend|act\s+as\s+if)\s+(?:that\s+)?you(?:'re|\s+are|\s+have)\s+(?:no\s+|not\s+|an?\s+)?(?:\w+\s+){0,2}(?:restrictions|rules|limits|guidelines|admin|root|ai)\b",
    ),
    (
        "persona",
        r"你现在是(?:一个|一名|没有|不受|新的|dan)|从现在(?:起|开始)[,:]?\s*你(?:是|必须(?:服从|执行|按照|遵守|听)|将(?:作为|扮演|执行|成为)|只(?:能)?(?:听|执行|回答))|假装你(?:是|没有)|(?:进入|切换到|启用)(?:开发者|管理员|上帝|越狱|无限制|调试)模式",
    ),
    (
        "addressed_to_ai",
        r"\b(?:note|notice|attention|important|instructions?|message|hey|dear|hello)\s*(?:to|for|,|:)?\s*:?\s*(?:all\s+|any\s+|the\s+)?(?:ai|llm|large language|language model|chatbot|claude|chatgpt|gpt|copilot|gemini|talaria)s?\s*(?:assistants?|agents?|models?|systems?|bots?|readers?)?\s*[:,.!]",
    ),
    (
        "addressed_to_ai",
        r"\bif\s+you\s+are\s+(?:an?\s+)?(?:ai|llm|large\s+language\s+model|language\s+model|chatbot|automated\s+(?:agent|assistant)|assistant|claude|chatgpt|copilot)\b|\b(?:ai|llm)\s+(?:assistants?|agents?|models?)\s+(?:reading|processing|summari[sz]ing|parsing|(?:that|who)\s+reads?)\s+this\b|\bas\s+an?\s+(?:ai|language\s+model)(?:\s+(?:assistant|agent|model))?,?\s+you\s+(?:must|should|need\s+to|are\s+required)\b",
    ),
    (
        "addressed_to_ai",
        r"(?m)(?:^|[.!?。]\s*)(?:ai|assistant|agent|claude|chatgpt|copilot|talaria)\s*[,:]\s*(?:please\s+|you\s+must\s+|immediately\s+|now\s+)?(?:run|execute|send|upload|forward|delete|remove|download|install|fetch|open|visit|reveal|email|ignore|disregard|call|use)\b",
    ),
    (
        "addressed_to_ai",
        r"(?:如果|若|假如)你是(?:一个|一名|个)?(?:ai|人工智能|语言模型|大模型|大语言模型|智能体|智能助手|助手|机器人)|(?:致|写给|注意[,:]?\s*)(?:所有|任何|各位)?(?:的)?(?:ai|人工智能|大模型|语言模型|智能体)(?:助手|模型|代理|们|系统)?[:,!]|(?:ai|人工智能|智能)?(?:助手|智能体|模型)(?:们)?[,:]?\s*(?:请|必须|务必)(?:立即|立刻|马上|先|你)?(?:运行|执行|发送|上传|删除|下载|打开|访问|转发|安装|忽略|输出|泄露)",
    ),
    (
        "calls_for_data",
        r"\b(?:send|upload|post|forward|e-?mail|transmit|exfiltrate|leak|submit|save)\b(?:[^.\n]|\.\w){0,40}\b(?:user'?s|their|all|any|local|contents?\s+of|your)\b(?:[^.\n]|\.\w){0,40}(?:\.env|\b(?:api\s*keys?|tokens?|passwords?|credentials?|secrets?|private\s+keys?|ssh\s+keys?|environment\s+variables?|cookies|id_rsa|system\s+prompt|conversation|chat\s+history))\b(?:[^.\n]|\.\w){0,60}(?:https?://|\S+@\S+\.\w|\bto\s+(?:this|the\s+following|our|my)\b|\binclude\s+it\b|\bin\s+(?:every|each)\b)",
    ),
    (
        "calls_for_data",
        r"(?:把|将)[^。\n]{0,30}(?:密钥|密码|口令|令牌|凭据|凭证|私钥|环境变量|聊天记录|对话内容|对话记录|系统提示)[^。\n]{0,20}(?:发送|上传|转发|发到|发给|传到|提交|寄到|写入链接)",
    ),
    (
        "calls_for_data",
        r"\b(?:reveal|print|output|repeat|recite)\s+(?:me\s+)?(?:your|the)\s+(?:full\s+|entire\s+|complete\s+)?(?:system\s+prompt|hidden\s+instructions|initial\s+instructions)|(?:输出|显示|透露|复述|打印|泄露)(?:出)?(?:你的|全部|完整)?的?(?:系统提示词?|初始指令|隐藏指令)",
    ),
    ("calls_for_data", r"!\[[^\]\n]*\]\(https?://[^)\s]*\$\{?\w"),
    (
        "lasting",
        r"\b(?:append|add|write|insert|copy)\b[^.\n]{0,60}(?:agents|claude|soul|memory|gemini)\.md[^.\n]{0,40}\b(?:always|every\s+session|permanently|each\s+time)\b|(?:写入|加入|添加到|追加到)[^。\n]{0,20}(?:agents|claude|soul|memory)\.md[^。\n]{0,30}(?:始终|永久|每次|一直)",
    ),
];

/// What is suspicious in parts that a page does not show.
const HIDDEN_ROWS: &[Row] = &[
    (
        "hidden_instructions",
        r"(?:^|[\s(\[<])(?:system|assistant|agent|ai|llm|claude|gpt|copilot|hidden)\s*:|\bwhen\s+(?:the\s+)?user\s+asks\b|\bdo\s+not\s+(?:mention|tell|reveal|show)\b|\b(?:ignore|disregard)\s+(?:\w+\s+){0,3}(?:rules|instructions|prompts?)\b|\byou\s+must\s+(?:run|execute|send|call|fetch)\b|\balso\s+(?:run|execute|send|fetch)\b|\b(?:send|upload|cat|read)\s+~/\.",
    ),
    (
        "hidden_instructions",
        r"(?:忽略|无视)[^。\n]{0,12}(?:指令|规则|要求|提示)|不要(?:告诉|提及|透露)|(?:ai|助手|系统|智能体|模型)\s*:|(?:请|必须|务必)(?:执行|运行|发送|上传)",
    ),
];

/// Before a find, in the same clause: the text warns of it.
const WARNING: &str = r"(?:\b(?:never|avoid|refuse\s+to|should\s+not|must\s+not|cannot|can't|won't|do\s+not|don't|not\s+to|beware\s+of)\s+(?:\w+\s+){0,3}|(?:不要|切勿|请勿|严禁|禁止|不得|不应|不会|拒绝|防止|避免)[^,。!?\n]{0,4})$";

pub(super) static ANYWHERE: LazyLock<Rules> = LazyLock::new(|| Rules::of(ANYWHERE_ROWS));
pub(super) static HIDDEN: LazyLock<Rules> = LazyLock::new(|| Rules::of(HIDDEN_ROWS));
static WARNS: LazyLock<Regex> = LazyLock::new(|| form(WARNING));
static MARKS: LazyLock<Regex> = LazyLock::new(|| form(r"(?i)<(\s*/?\s*)data\b"));
static UNSEEN: LazyLock<Regex> = LazyLock::new(|| {
    form(concat!(
        r"(?s)<!--(.*?)-->",
        r#"|<[a-z][^>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0\b|\bhidden\b)[^>]*>([^<]*)"#,
        r"|\[//\]:\s*#\s*[\(\x22']([^\n]*)",
    ))
});

/// Rules that are looked for together.
pub(super) struct Rules {
    all: RegexSet,
    /// The form of each by itself, made once a text has what it looks for.
    each: Vec<(Row, OnceLock<Regex>)>,
}

impl Rules {
    fn of(rows: &'static [Row]) -> Self {
        let forms = rows.iter().map(|(_, form)| form);
        Self {
            all: RegexSet::new(forms).unwrap_or_else(|_| RegexSet::empty()),
            each: rows.iter().map(|row| (*row, OnceLock::new())).collect(),
        }
    }

    /// What the rules find, by rule. What the text itself warns of is none.
    pub(super) fn finds<'t>(&self, text: &'t str) -> Vec<(&'static str, &'t str)> {
        let matching = self.all.matches(text);
        let hits = matching.iter().filter_map(|at| self.each.get(at));
        hits.filter_map(|((rule, written), made)| {
            let form = made.get_or_init(|| form(written));
            let found = form
                .find_iter(text)
                .find(|found| !is_warned_of(text, found.start()))?;
            Some((*rule, found.as_str()))
        })
        .collect()
    }
}

/// Whether the clause before a place says not to do what follows.
fn is_warned_of(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let from = before.char_indices().rev().nth(40).map_or(0, |(at, _)| at);
    let near = before.get(from..).unwrap_or_default();
    WARNS.is_match(near)
}

/// The parts of a page that it does not show.
pub(super) fn hidden_parts(text: &str) -> impl Iterator<Item = &str> {
    UNSEEN.captures_iter(text).filter_map(|found| {
        let part = (1..=3).find_map(|at| found.get(at))?;
        Some(part.as_str())
    })
}

/// What reads like the marks around data.
pub(super) fn marks() -> &'static Regex {
    &MARKS
}

#[expect(clippy::expect_used, reason = "the forms are fixed and tested")]
fn form(written: &str) -> Regex {
    Regex::new(written).expect("a form of this file")
}

#[cfg(test)]
mod tests {
    use super::{ANYWHERE, ANYWHERE_ROWS, HIDDEN, HIDDEN_ROWS};

    #[test]
    fn every_form_can_be_read() {
        assert_eq!(ANYWHERE.all.len(), ANYWHERE_ROWS.len());
        assert_eq!(HIDDEN.all.len(), HIDDEN_ROWS.len());
        for (_, written) in ANYWHERE_ROWS.iter().chain(HIDDEN_ROWS) {
            super::form(written);
        }
    }
}
