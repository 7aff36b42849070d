//! Texts as people and models write them: few words often, many seldom, three tenths Chinese.

/// Stands in about one message of three.
pub(crate) const COMMON: &str = "answer";
/// Stands in about one message of five.
pub(crate) const CHINESE: &str = "会议";
/// Two frequent words that stand together now and then.
pub(crate) const PHRASE: &str = "model-window";
/// Stands in a handful of messages.
pub(crate) const RARE: &str = "kuzopage";

const FREQUENT: &[&str] = &[
    "the", "of", "and", "answer", "model", "window", "note", "a", "keeps", "later", "draft", "in",
    "search", "three", "before", "with", "to", "is", "that", "for",
];
const CHINESE_WORDS: &[&str] = &[
    "会议", "笔记", "总结", "项目", "我们", "可以", "需要", "时间", "问题", "文件", "明天", "数据",
];
const SYLLABLES: &[&str] = &[
    "ka", "zo", "pe", "ge", "lu", "mi", "tor", "ban", "den", "sil", "ku", "pa",
];

/// Makes texts and ids from one fixed sequence.
pub(crate) struct Writer {
    state: u64,
}

impl Writer {
    pub(crate) fn new() -> Self {
        Self {
            state: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// About so many words.
    pub(crate) fn text(&mut self, words: usize) -> String {
        let mut text = String::new();
        for _ in 0..words {
            match self.below(20) {
                // Chinese takes nine bytes where a word takes six: three tenths of the bytes.
                0..=3 => self.chinese(&mut text),
                4..=13 => text.push_str(self.pick(FREQUENT)),
                _ => self.rare(&mut text),
            }
            text.push(' ');
        }
        text
    }

    fn chinese(&mut self, text: &mut String) {
        for _ in 0..2 {
            if self.below(3) == 0 {
                text.push_str(self.pick(CHINESE_WORDS));
            } else {
                let code = 0x4e00 + u32::try_from(self.below(3_000)).unwrap_or_default();
                text.extend(char::from_u32(code));
            }
        }
    }

    fn rare(&mut self, text: &mut String) {
        for _ in 0..=2 + self.below(2) {
            text.push_str(self.pick(SYLLABLES));
        }
    }

    fn pick(&mut self, of: &'static [&'static str]) -> &'static str {
        let at = usize::try_from(self.below(of.len() as u64)).unwrap_or_default();
        of.get(at).copied().unwrap_or_default()
    }

    pub(crate) fn random(&mut self) -> [u8; 10] {
        let mut bytes = [0; 10];
        let random = self.next().to_le_bytes();
        for (byte, random) in bytes.iter_mut().zip(random.iter().cycle()) {
            *byte = *random;
        }
        bytes
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A small generator (SplitMix64), so that every run is the same.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
