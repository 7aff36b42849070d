//! The window's size, found in the words of an overflow.

/// Where the number stands, seen from words that come with it.
enum Side {
    Behind,
    Before,
}

/// Tried in order; all lower case.
const PLACES: &[(&str, Side)] = &[
    ("maximum context length is", Side::Behind),
    ("maximum context length of", Side::Behind),
    ("maximum context length:", Side::Behind),
    ("maximum prompt length is", Side::Behind),
    ("maximum number of tokens allowed", Side::Behind),
    ("model only supports up to", Side::Behind),
    ("maximum model length of", Side::Behind),
    ("range of input length should be [1,", Side::Behind),
    ("maximum allowed input length of", Side::Behind),
    ("maximum allowed length", Side::Behind),
    ("exceeds the maximum length", Side::Behind),
    ("exceeds the limit of", Side::Behind),
    ("configured limit of", Side::Behind),
    ("model token limit", Side::Behind),
    ("maximum context length", Side::Before),
    ("maximum context length (", Side::Behind),
    ("model's context length", Side::Behind),
    ("-token context window", Side::Before),
    ("available context size", Side::Behind),
    ("context window of", Side::Behind),
    ("context length of", Side::Behind),
    ("context limit:", Side::Behind),
    ("max_seq_len", Side::Behind),
    ("n_ctx:", Side::Behind),
    ("max input tokens:", Side::Behind),
    ("max size:", Side::Behind),
    ("must have less than", Side::Behind),
    ("must be <=", Side::Behind),
    ("cannot exceed", Side::Behind),
    ("while limit is", Side::Behind),
    ("tokens >", Side::Behind),
    ("最大上下文长度", Side::Behind),
    ("最大输入长度", Side::Behind),
    ("最大长度", Side::Behind),
    ("不能超过", Side::Behind),
];

/// The window in tokens, if the text tells it.
pub(super) fn find(text: &str) -> Option<u64> {
    PLACES.iter().find_map(|(words, side)| {
        let (before, behind) = text.split_once(words)?;
        match side {
            // "limit: 1000 + 50 > 900": what stands behind the sign is the limit.
            Side::Behind => behind
                .split_once('>')
                .filter(|_| *words == "context limit:")
                .map_or_else(|| first_number(behind), |(_, limit)| first_number(limit)),
            Side::Before => last_number(before),
        }
    })
}

/// Whether a refusal for haste says that the request is larger than a whole minute's allowance.
pub(super) fn is_beyond_minute(text: &str) -> bool {
    let Some((before, behind)) = text.split_once("requested ") else {
        return false;
    };
    let limit = before
        .rsplit_once("limit ")
        .and_then(|(_, behind)| first_number(behind));
    matches!((limit, first_number(behind)), (Some(limit), Some(asked)) if asked > limit)
}

/// The number that begins within a few characters.
fn first_number(text: &str) -> Option<u64> {
    let start = text
        .char_indices()
        .take(24)
        .find(|(_, found)| found.is_ascii_digit())?
        .0;
    number(
        text.get(start..)?
            .chars()
            .take_while(|found| is_part(*found)),
    )
}

/// The number right at the end.
fn last_number(text: &str) -> Option<u64> {
    let digits: Vec<char> = text
        .trim_end()
        .chars()
        .rev()
        .take_while(|found| is_part(*found))
        .collect();
    number(digits.into_iter().rev())
}

fn is_part(character: char) -> bool {
    character.is_ascii_digit() || matches!(character, ',' | '_')
}

fn number(digits: impl Iterator<Item = char>) -> Option<u64> {
    let plain: String = digits.filter(char::is_ascii_digit).collect();
    plain.parse().ok().filter(|size| *size > 0)
}
