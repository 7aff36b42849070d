//! Text that grows, rendered chunk by chunk.

use std::borrow::Cow;

use crate::chunk::{Border, Chunker};
use crate::completion::complete;
use crate::html::{Written, html};
use crate::partial::visible;
use crate::reference::References;
use crate::{Block, BlockPatch};

/// An open chunk up to this many bytes is rendered at each push.
const SHORT: usize = 512;
/// A longer one is rendered again when it has grown by this part of its length, so that the work for
/// a chunk stays in proportion to its length.
const GROWTH: usize = 24;

/// Renders a text as it comes in. The blocks it gave so far, with each patch applied in turn, are
/// those of [`render`] once [`Stream::finish`] was called.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    chunker: Chunker,
    /// The text of the open chunk, and of the line that is not whole yet.
    open: String,
    /// Where that line begins.
    line: usize,
    /// Blocks given as settled.
    settled: usize,
    /// Whether the open chunk has been given as a block, and how long it was then.
    shown: Option<usize>,
    references: References,
    /// Settled chunks from the first on that refers to what nothing has defined so far.
    waiting: Vec<Waiting>,
}

/// A settled chunk that may be rendered once more, when all definitions are known.
#[derive(Clone, Debug)]
struct Waiting {
    chunk: String,
    unknown: Vec<String>,
}

/// The blocks of a whole text.
#[must_use]
pub fn render(text: &str) -> Vec<Block> {
    let mut stream = Stream::default();
    let mut blocks = stream.take(text);
    blocks.extend(stream.close());
    if let Some(patch) = stream.resolved() {
        blocks.truncate(patch.from);
        blocks.extend(patch.blocks);
    }
    blocks
}

impl Stream {
    /// Takes more of the text and says which blocks changed by it.
    pub fn push(&mut self, piece: &str) -> BlockPatch {
        let from = self.settled;
        let mut blocks = self.take(piece);
        let grown = self.open.len() - self.shown.unwrap_or(0);
        let unchanged = blocks.is_empty() && self.shown.is_some();
        if unchanged && self.open.len() > SHORT && grown < self.open.len() / GROWTH {
            return BlockPatch {
                from: from + 1,
                blocks,
            };
        }
        let open = self.open_text();
        if open.trim().is_empty() {
            self.shown = None;
        } else {
            blocks.push(Block {
                html: html(&open, &self.references).html,
                settled: false,
            });
            self.shown = Some(self.open.len());
        }
        BlockPatch { from, blocks }
    }

    /// What to show of the open chunk.
    fn open_text(&self) -> Cow<'_, str> {
        let in_code = self.chunker.is_in_code();
        let visible = visible(&self.open, self.line, in_code);
        if in_code {
            Cow::Borrowed(visible)
        } else {
            complete(visible)
        }
    }

    /// Ends the text and says which blocks changed by it. The stream is then empty, for the blocks
    /// of the next text.
    pub fn finish(&mut self) -> BlockPatch {
        let from = self.settled;
        let blocks = self.close();
        let patch = self.resolved().unwrap_or(BlockPatch { from, blocks });
        *self = Self::default();
        patch
    }

    /// Takes more text and gives the chunks that ended in it.
    fn take(&mut self, piece: &str) -> Vec<Block> {
        let mut blocks = Vec::new();
        for part in piece.split_inclusive('\n') {
            self.open.push_str(part);
            if part.ends_with('\n') {
                self.take_line(&mut blocks);
            }
        }
        let part = self.open.get(self.line..).unwrap_or_default();
        if self.chunker.ends_before_part(part) {
            self.cut(self.line, &mut blocks);
            self.chunker.close();
        }
        blocks
    }

    fn take_line(&mut self, blocks: &mut Vec<Block>) {
        let line = self.open.get(self.line..).unwrap_or_default();
        let border = self.chunker.take(line.trim_end_matches(['\n', '\r']));
        if matches!(border, Border::Before | Border::Around) {
            self.cut(self.line, blocks);
        }
        self.line = self.open.len();
        if matches!(border, Border::After | Border::Around) {
            self.cut(self.line, blocks);
        }
    }

    /// Settles the open text up to `at`; the rest is the open chunk.
    fn cut(&mut self, at: usize, blocks: &mut Vec<Block>) {
        let rest = self.open.split_off(at);
        let chunk = std::mem::replace(&mut self.open, rest);
        self.line -= at;
        self.shown = None;
        if !chunk.trim().is_empty() {
            let Written { html, unknown } = html(&chunk, &self.references);
            blocks.push(Block {
                html,
                settled: true,
            });
            self.settled += 1;
            self.references.learn(&chunk);
            if !unknown.is_empty() || !self.waiting.is_empty() {
                self.waiting.push(Waiting { chunk, unknown });
            }
        }
    }

    /// Once all is settled: the blocks that definitions after them complete, and what follows those.
    fn resolved(&self) -> Option<BlockPatch> {
        let is_completed = |waiting: &Waiting| {
            let mut labels = waiting.unknown.iter();
            labels.any(|label| self.references.knows(label))
        };
        let first = self.waiting.iter().position(is_completed)?;
        let changed = self.waiting.get(first..)?;
        let blocks = changed.iter().map(|waiting| Block {
            html: html(&waiting.chunk, &self.references).html,
            settled: true,
        });
        Some(BlockPatch {
            from: self.settled - changed.len(),
            blocks: blocks.collect(),
        })
    }

    /// Ends the text: its last line counts as whole, and what is open is settled.
    fn close(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if self.line < self.open.len() {
            self.take_line(&mut blocks);
        }
        self.cut(self.open.len(), &mut blocks);
        blocks
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Stream, render};
    use crate::{Block, BlockPatch};

    /// A text with each form that a cut can hit.
    const RICH: &str = "# 标题 one\n\nA *paragraph* with `code`, https://a.example/x and $x^2$.\nIts second line.\n\n\
        - item\n\n  more\n- [x] done\n\n1. a\n   ```sh\n   ls\n\n   pwd\n   ```\n2. b\n\nText:\n- tight\n- list\n## Sub\n\
        ```rust\nfn main() {\n\n}\n```\nafter\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n> quote\n> more\n\n\
        $$\na\n\nb\n$$\n\\[ y \\]\n\n---\n<b>raw</b>\n\n![i](https://a.example/i.png)\r\n\r\nend";

    fn apply(blocks: &mut Vec<Block>, patch: BlockPatch) {
        assert!(
            patch.from <= blocks.len(),
            "a patch begins within the blocks"
        );
        let settled = blocks.iter().take(patch.from).all(|block| block.settled);
        assert!(
            settled || patch.blocks.is_empty(),
            "nothing unsettled is left behind"
        );
        blocks.truncate(patch.from);
        blocks.extend(patch.blocks);
    }

    fn streamed<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Vec<Block> {
        let (mut stream, mut blocks) = (Stream::default(), Vec::new());
        for piece in pieces {
            let patch = stream.push(piece);
            let kept = blocks
                .iter()
                .skip(patch.from)
                .all(|block: &Block| !block.settled);
            assert!(kept, "a settled block is not replaced while text comes");
            apply(&mut blocks, patch);
        }
        apply(&mut blocks, stream.finish());
        blocks
    }

    #[test]
    fn a_stream_cut_anywhere_gives_the_blocks_of_the_whole() {
        let whole = render(RICH);
        for (at, _) in RICH.char_indices() {
            let (start, end) = RICH.split_at(at);
            assert_eq!(streamed([start, end]), whole, "cut at {at}");
        }
        let mut buffer = [0; 4];
        let mut stream = Stream::default();
        let mut blocks = Vec::new();
        for character in RICH.chars() {
            apply(&mut blocks, stream.push(character.encode_utf8(&mut buffer)));
        }
        apply(&mut blocks, stream.finish());
        assert_eq!(blocks, whole);
    }

    #[test]
    fn an_open_fence_is_code_at_once_and_stays_one_block() {
        let (mut stream, mut blocks) = (Stream::default(), Vec::new());
        for piece in ["```py", "thon\nprint(1)\n", "\nprint(2)\n``"] {
            apply(&mut blocks, stream.push(piece));
            assert_eq!(blocks.len(), 1);
            assert!(
                blocks[0].html.starts_with("<pre data-language=\"py"),
                "{blocks:?}"
            );
        }
        apply(&mut blocks, stream.push("`\n"));
        assert!(blocks[0].settled);
    }

    #[test]
    fn what_is_shown_never_turns_into_something_else() {
        let text = "Steps:\n- one\n- two\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n```py\nx = 1\n```\n\
            ## Head\n\n> quote\n\n---\n\nSo:\n1. first\n2. second\n\n***bold***\n";
        let (mut stream, mut blocks) = (Stream::default(), Vec::new());
        let mut elements: Vec<String> = Vec::new();
        for character in text.chars() {
            apply(&mut blocks, stream.push(&character.to_string()));
            for (index, block) in blocks.iter().enumerate() {
                let element = block.html.split(['>', ' ']).next().unwrap().to_owned();
                match elements.get(index) {
                    Some(before) => assert_eq!(*before, element, "{blocks:?}"),
                    None => elements.push(element),
                }
                assert!(
                    !block.html.contains('|') && !block.html.contains('`'),
                    "{block:?}"
                );
            }
        }
        assert_eq!(elements.len(), 10, "{elements:?}");
    }

    #[test]
    fn what_is_open_looks_at_once_as_it_will() {
        let (mut stream, mut blocks) = (Stream::default(), Vec::new());
        for (piece, last) in [
            ("It is **ve", "<p>It is <strong>ve</strong></p>"),
            ("ry*", "<p>It is <strong>very</strong></p>"),
            ("* [we", "<p>It is <strong>very</strong> we</p>"),
            (
                "ll](https://a.ex",
                "<p>It is <strong>very</strong> well</p>",
            ),
            (
                "ample)",
                "<p>It is <strong>very</strong> <a href=\"https://a.example\" rel=\"noreferrer\">well</a></p>",
            ),
            ("\n\nuse `co", "<p>use <code>co</code></p>"),
            ("de`\n", "<p>use <code>code</code></p>"),
            ("\n$$", "<p>use <code>code</code></p>"),
            ("x^", "<div class=\"math\" data-display=\"true\">x^</div>"),
        ] {
            apply(&mut blocks, stream.push(piece));
            assert_eq!(blocks.last().unwrap().html, last, "{piece}");
        }
    }

    #[test]
    fn a_definition_at_the_end_completes_what_refers_to_it() {
        let text = "See [the *page*][1] and [two].\n\nNo [three].\n\nA note[^n].\n\n\
            [1]: https://a.example/1\n[TWO]: https://a.example/2\n\n[^n]: Text.\n";
        let html: Vec<String> = render(text).into_iter().map(|block| block.html).collect();
        assert_eq!(
            html[0],
            "<p>See <a href=\"https://a.example/1\" rel=\"noreferrer\">the <em>page</em></a> and \
             <a href=\"https://a.example/2\" rel=\"noreferrer\">two</a>.</p>"
        );
        assert_eq!(html[1], "<p>No [three].</p>");
        assert_eq!(
            html[2],
            "<p>A note<sup class=\"footnote-reference\">n</sup>.</p>"
        );
        for (at, _) in text.char_indices() {
            let (start, end) = text.split_at(at);
            assert_eq!(streamed([start, end]), render(text), "cut at {at}");
        }
    }

    #[test]
    fn a_text_of_spaces_has_no_blocks() {
        assert_eq!(render(" \n\n \n"), []);
        assert_eq!(streamed(["\n", " "]), []);
    }

    #[test]
    fn text_made_to_be_slow_is_not() {
        for part in [
            "[a](", "**a ", "` `` ", "[^1] ", "\\( ", "[", "*a _b ", "](\n",
        ] {
            let text = part.repeat(40_000 / part.len());
            let begun = std::time::Instant::now();
            streamed([text.as_str(), "x", &text]);
            assert!(begun.elapsed().as_secs() < 5, "{part:?}");
        }
    }

    #[test]
    fn a_long_open_block_is_not_rendered_at_each_push() {
        let mut stream = Stream::default();
        stream.push("```\n");
        let pushes = 5_000;
        let rendered =
            (0..pushes).filter(|_| !stream.push("0123456789 abcdefgh\n").blocks.is_empty());
        assert!(rendered.count() < pushes / 10);
    }

    /// Lines that look like Markdown, joined at random.
    fn markdownish() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            Just("# h"),
            Just("text *em"),
            Just("- a"),
            Just("  b"),
            Just("1. c"),
            Just("```"),
            Just("~~~ x"),
            Just(""),
            Just("> q"),
            Just("| a | b |"),
            Just("|--|--|"),
            Just("$$"),
            Just("\\["),
            Just("\\]"),
            Just("中文。"),
            Just("    code"),
            Just("---"),
            Just("<b>"),
            Just("[x]: https://y.example"),
            Just("[x] and [^1] [^n]"),
            Just("[^n]: note"),
            Just("`"),
            Just("\t- d"),
        ];
        proptest::collection::vec(line, 0..24).prop_map(|lines| lines.join("\n"))
    }

    proptest! {
        #[test]
        fn any_cuts_of_any_text_give_the_blocks_of_the_whole(
            text in markdownish(),
            cuts in proptest::collection::vec(0.0..1.0_f64, 0..6),
        ) {
            let mut at: Vec<usize> = cuts
                .iter()
                .map(|cut| {
                    let mut at = (cut * text.len() as f64) as usize;
                    while !text.is_char_boundary(at) { at -= 1; }
                    at
                })
                .collect();
            at.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for at in at {
                pieces.push(&text[from..at]);
                from = at;
            }
            pieces.push(&text[from..]);
            prop_assert_eq!(streamed(pieces), render(&text));
        }
    }
}
