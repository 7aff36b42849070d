//! Texts as people and models write them: a few words often, many seldom, three tenths Chinese.
//!
//! The words are made up; how often each comes follows Zipf's law, as in any language.

/// A frequent word: stands in most messages.
pub(crate) const COMMON: &str = "cac";
/// A frequent Chinese word.
pub(crate) const CHINESE: &str = "会议";
/// Two frequent words that now and then stand together.
pub(crate) const PHRASE: &str = "cac-dad";
/// Stands in a few messages.
pub(crate) const RARE: &str = "cefacid";

/// How many different words there are.
const WORDS: f64 = 30_000.0;
const CHINESE_WORDS: f64 = 20_000.0;
const FREQUENT_CHINESE: &[&str] = &[
    "我们", "可以", "会议", "笔记", "总结", "项目", "需要", "时间", "问题", "文件", "明天", "数据",
];
const CONSONANTS: &[u8] = b"bcdfghjklmnpqrstvwxz";
const VOWELS: &[u8] = b"aeiou";

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
            // A run of Chinese takes 18 bytes where a word takes six: three tenths of the bytes.
            if self.below(8) == 0 {
                (0..3).for_each(|_| self.chinese(&mut text));
            } else {
                spell(self.rank(WORDS), &mut text);
            }
            text.push(' ');
        }
        text
    }

    fn chinese(&mut self, text: &mut String) {
        let rank = self.rank(CHINESE_WORDS);
        let frequent = usize::try_from(rank).ok();
        if let Some(word) = frequent.and_then(|at| FREQUENT_CHINESE.get(at)) {
            return text.push_str(word);
        }
        // Two characters that always belong together.
        for part in [rank.wrapping_mul(7_919), rank.wrapping_mul(104_729)] {
            let code = 0x4e00 + u32::try_from(part % 3_000).unwrap_or_default();
            text.extend(char::from_u32(code));
        }
    }

    /// From 0, each rank as much rarer as it is higher.
    fn rank(&mut self, ranks: f64) -> u64 {
        let share = self.below(1 << 24) as f64 / f64::from(1 << 24);
        ranks.powf(share) as u64 - 1
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

/// The word of a rank: three letters for the most frequent, then five, then seven, which makes
/// words as long as English ones are.
fn spell(rank: u64, text: &mut String) {
    let mut rest = rank;
    loop {
        text.extend(letter(CONSONANTS, rest % 20));
        text.extend(letter(VOWELS, rest / 20 % 5));
        rest /= 100;
        if rest == 0 {
            text.extend(letter(CONSONANTS, rank % 7));
            return;
        }
    }
}

fn letter(letters: &[u8], at: u64) -> Option<char> {
    let at = usize::try_from(at).ok()?;
    letters.get(at).copied().map(char::from)
}
