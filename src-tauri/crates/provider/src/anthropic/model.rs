//! What the name of a model tells about it.

/// The longest answer of the first models, of those after them, and of those since version 3.7.
const OUTPUT: [u32; 3] = [4096, 8192, 32_000];

/// A Claude by its version. Services write the name in many ways: `claude-3-5-haiku-latest`,
/// `anthropic/claude-opus-4.5`, `us.anthropic.claude-sonnet-4-20250514-v1:0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Model {
    /// None if the name holds none, or is not a Claude's.
    version: Option<(u32, u32)>,
}

impl Model {
    /// The model of that name.
    pub(super) fn named(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let version = name
            .split_once("claude")
            .and_then(|(_, rest)| version(rest));
        Self { version }
    }

    /// How many tokens of answer to ask for: the protocol demands a number, and the service
    /// refuses one beyond the model's own. Models of others mostly take what newer Claudes take.
    pub(super) fn longest_output(self) -> u32 {
        let [first, second, later] = OUTPUT;
        match self.version {
            Some((0..3, _) | (3, 0..5)) => first,
            Some((3, 5 | 6)) => second,
            Some(_) | None => later,
        }
    }

    /// Whether it thinks unless told not to, but keeps its thoughts to itself unless asked.
    pub(super) fn thinks_unseen(self) -> bool {
        self.version.is_some_and(|(major, _)| major >= 5)
    }
}

/// The first number, and the one directly behind it; a date is neither.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut words = text
        .split(['-', '.', '_', '@', ':', '/'])
        .skip_while(|word| number(word).is_none());
    let major = words.next().and_then(number)?;
    Some((major, words.next().and_then(number).unwrap_or(0)))
}

fn number(word: &str) -> Option<u32> {
    if word.len() > 2 {
        return None;
    }
    word.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::Model;

    #[test]
    fn each_family_gets_the_limit_it_takes() {
        for (name, longest, unseen) in [
            ("claude-2.1", 4096, false),
            ("claude-3-opus-20240229", 4096, false),
            ("claude-3-haiku@20240307", 4096, false),
            ("claude-3-5-sonnet-20241022", 8192, false),
            ("anthropic/claude-3.5-haiku", 8192, false),
            ("claude-3-7-sonnet-latest", 32_000, false),
            ("claude-sonnet-4-20250514", 32_000, false),
            ("us.anthropic.claude-opus-4-1-20250805-v1:0", 32_000, false),
            ("Claude-Haiku-4-5", 32_000, false),
            ("claude-opus-5", 32_000, true),
            ("claude-sonnet-5-5", 32_000, true),
            ("claude-next", 32_000, false),
            ("kimi-k2-5", 32_000, false),
        ] {
            let model = Model::named(name);
            assert_eq!(model.longest_output(), longest, "{name}");
            assert_eq!(model.thinks_unseen(), unseen, "{name}");
        }
    }
}
