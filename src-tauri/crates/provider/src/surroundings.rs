//! Where a place in streamed Markdown stands: in plain prose, inside code, or inside a quotation.
//!
//! What a model shows as an example must not be taken for what it does, so the readers of printed
//! calls and of reasoning tags ask here first. It reads each character once and only remembers the
//! line it is in. Where Markdown would need the rest of the document to tell, as for a backquote
//! that may never be closed, it says "code": to overlook a call is harmless, to run an example is
//! not.

/// Marks that open a quotation when they stand directly before a thing.
const QUOTES: [char; 9] = ['"', '\'', '“', '‘', '«', '「', '『', '‹', '`'];

/// What is known of the place behind the last character.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    /// The character and length of the fence that opened the code block.
    fence: Option<(char, usize)>,
    /// How many backquotes opened the code span.
    span: Option<usize>,
    /// Backquotes directly before this place, which may go on.
    run: usize,
    line: Line,
    last: Option<char>,
    /// This is not the first line.
    below: bool,
}

#[derive(Debug, Default)]
struct Line {
    indent: usize,
    /// The character that the line begins with, and how often it stands there.
    lead: Option<(char, usize)>,
    /// Something else came behind the lead.
    rest: bool,
    /// Backquotes behind the lead: it opens no fence.
    backquotes: bool,
    /// A quotation was opened and not closed.
    speech: bool,
}

impl Surroundings {
    /// Goes on by one character.
    pub(crate) fn feed(&mut self, character: char) {
        match character {
            '`' if self.run == 0 && self.span.is_none() && self.last == Some('\\') => {}
            '`' => self.run += 1,
            _ => self.settle(),
        }
        if character == '\n' {
            self.end_line();
        } else {
            self.line.feed(character);
        }
        self.last = Some(character);
    }

    /// Goes on by a text.
    pub(crate) fn feed_all(&mut self, text: &str) {
        for character in text.chars() {
            self.feed(character);
        }
    }

    /// Whether it is inside a code block, or on the line that opens one.
    pub(crate) fn in_block(&self) -> bool {
        self.fence.is_some() || self.line.opens_fence().is_some()
    }

    /// Whether it is inside code of any kind.
    pub(crate) fn in_code(&self) -> bool {
        let span = match (self.run, self.span) {
            (0, span) => span.is_some(),
            (run, Some(opened)) => run != opened,
            (_, None) => true,
        };
        span || self.in_block() || (self.below && self.line.indent >= 4)
    }

    /// Whether it is inside words that are quoted.
    pub(crate) fn in_quotation(&self) -> bool {
        self.line.speech
            || matches!(self.line.lead, Some(('>', _)))
            || self.last.is_some_and(|last| QUOTES.contains(&last))
    }

    /// Whether nothing but white space stands before it on its line.
    pub(crate) fn at_line_start(&self) -> bool {
        self.line.lead.is_none()
    }

    /// The character before it.
    pub(crate) fn last(&self) -> Option<char> {
        self.last
    }

    fn settle(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run == 0 || self.fence.is_some() {
            return;
        }
        self.span = match self.span {
            None => Some(run),
            Some(opened) if opened == run => None,
            longer => longer,
        };
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.below = true;
        match self.fence {
            Some(fence) => {
                if line.closes(fence) {
                    self.fence = None;
                }
            }
            None => {
                self.fence = line.opens_fence();
                // A code span ends with its paragraph, closed or not.
                if self.fence.is_some() || line.lead.is_none() {
                    self.span = None;
                }
            }
        }
    }
}

impl Line {
    fn feed(&mut self, character: char) {
        match self.lead {
            None if character == ' ' => self.indent += 1,
            None if character == '\t' => self.indent += 4,
            None if character.is_whitespace() => {}
            None => self.lead = Some((character, 1)),
            Some((lead, count)) if lead == character && !self.rest => {
                self.lead = Some((lead, count + 1));
            }
            Some(_) => {
                self.rest |= !character.is_whitespace();
                self.backquotes |= character == '`';
            }
        }
        match character {
            '"' => self.speech = !self.speech,
            '“' | '「' | '『' | '«' => self.speech = true,
            '”' | '」' | '』' | '»' => self.speech = false,
            _ => {}
        }
    }

    fn opens_fence(&self) -> Option<(char, usize)> {
        self.lead.filter(|(character, count)| {
            *count >= 3 && (*character == '~' || (*character == '`' && !self.backquotes))
        })
    }

    fn closes(&self, (character, count): (char, usize)) -> bool {
        !self.rest
            && self
                .lead
                .is_some_and(|(lead, length)| lead == character && length >= count)
    }
}

#[cfg(test)]
mod tests {
    use super::Surroundings;

    fn behind(text: &str) -> Surroundings {
        let mut place = Surroundings::default();
        place.feed_all(text);
        place
    }

    #[test]
    fn code_is_told_from_prose() {
        let cases = [
            ("", false),
            ("Some words, ", false),
            ("`", true),
            ("a `b", true),
            ("a `b` ", false),
            ("``a ` b", true),
            ("``a ` b`` ", false),
            ("a \\`b ", false),
            ("`a\nb", true),
            ("`a\n\nb", false),
            ("```", true),
            ("```json", true),
            ("```json\n{", true),
            ("```json\n{}\n```\n", false),
            ("````\n```\n", true),
            ("````\n```\n````\n", false),
            ("```\n``` not the end\n", true),
            ("~~~\n```\n", true),
            ("~~~\n~~~~\n", false),
            ("~~ struck ~~ ", false),
            ("```one line``` ", false),
            ("```one line```\nprose ", false),
            ("  ```\n", true),
            ("- ```\n  ", true),
            ("words\n    ", true),
            ("words\n\t", true),
            ("    ", false),
            ("words\n    code ", true),
            ("words\n    code\n", false),
        ];
        for (text, code) in cases {
            assert_eq!(behind(text).in_code(), code, "{text:?}");
        }
    }

    #[test]
    fn quotations_are_told_from_prose() {
        let cases = [
            ("", false),
            ("> ", true),
            ("> a\n", false),
            ("so: \"", true),
            ("so: \"the ", true),
            ("the \"a.md\" ", false),
            ("it's ", false),
            ("as '", true),
            ("“ein ", true),
            ("“ein” ", false),
            ("写「", true),
            ("写「好」", false),
            ("a \"b\nc ", false),
        ];
        for (text, quoted) in cases {
            assert_eq!(behind(text).in_quotation(), quoted, "{text:?}");
        }
    }

    #[test]
    fn the_start_of_a_line_may_be_indented() {
        assert!(behind("").at_line_start());
        assert!(behind("a\n  ").at_line_start());
        assert!(!behind("a ").at_line_start());
        assert_eq!(behind("ab").last(), Some('b'));
    }
}
