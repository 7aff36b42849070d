//! Where one top-level block ends and the next begins, decided line by line.
//!
//! The rules look at whole lines and never ahead of the line that decides, so that a stream and a
//! whole text are cut in the same places. They follow CommonMark where it matters to a reader, and
//! differ in two ways: a blank line ends raw HTML and indented code.

/// What the open chunk is, which says what may end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing but blank lines so far.
    Empty,
    /// A paragraph, table, quote or anything else that a blank line ends.
    Plain,
    /// A heading, or what else one line is.
    Line,
    /// A list; blank lines belong to it until a line at the margin ends it.
    List {
        /// The last line was blank.
        blank: bool,
        /// A fence is open inside an item.
        fence: Option<Fence>,
    },
    /// Code between fences.
    Code(Fence),
    /// A formula between `$$` or `\[` and its end.
    Math {
        /// What ends it.
        close: &'static str,
    },
}

/// An open fence: its character and how many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    mark: u8,
    length: usize,
}

/// Where a line puts the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Border {
    /// The line belongs to the open chunk, which goes on.
    None,
    /// The open chunk ended before this line, which begins the next.
    Before,
    /// The line is the last of the open chunk.
    After,
    /// The open chunk ended before this line, which is a whole chunk by itself.
    Around,
}

/// Follows a text line by line.
#[derive(Clone, Debug)]
pub(crate) struct Chunker {
    kind: Kind,
}

impl Default for Chunker {
    fn default() -> Self {
        Self { kind: Kind::Empty }
    }
}

impl Chunker {
    /// Takes the next whole line, without its line end.
    pub(crate) fn take(&mut self, line: &str) -> Border {
        match self.kind {
            Kind::Code(fence) => {
                if fence.is_closed_by(line) {
                    self.kind = Kind::Empty;
                    return Border::After;
                }
                Border::None
            }
            Kind::Math { close } => {
                if line.trim_end().ends_with(close) {
                    self.kind = Kind::Empty;
                    return Border::After;
                }
                Border::None
            }
            Kind::List { blank, fence } => self.take_in_list(line, blank, fence),
            Kind::Empty | Kind::Line => self.begin(line, false),
            Kind::Plain if line.trim().is_empty() => {
                self.kind = Kind::Empty;
                Border::After
            }
            Kind::Plain if begins_inside_paragraph(line) => self.begin(line, true),
            Kind::Plain => Border::None,
        }
    }

    /// Whether the open chunk has ended for certain though the next line is not whole yet.
    pub(crate) fn ends_before_part(&self, part: &str) -> bool {
        let Kind::List {
            blank: true,
            fence: None,
        } = self.kind
        else {
            return false;
        };
        part.bytes().next().is_some_and(|first| {
            !first.is_ascii_whitespace() && !first.is_ascii_digit() && !b"-+*".contains(&first)
        })
    }

    /// Whether a fence is open, at the margin or inside a list.
    pub(crate) fn is_in_code(&self) -> bool {
        matches!(self.kind, Kind::Code(_) | Kind::List { fence: Some(_), .. })
    }

    /// The chunk has been closed from outside.
    pub(crate) fn close(&mut self) {
        self.kind = Kind::Empty;
    }

    fn begin(&mut self, line: &str, something_open: bool) -> Border {
        let (kind, whole) = kind_of(line);
        self.kind = if whole { Kind::Empty } else { kind };
        match (something_open, whole) {
            (true, true) => Border::Around,
            (true, false) => Border::Before,
            (false, true) => Border::After,
            (false, false) => Border::None,
        }
    }

    fn take_in_list(&mut self, line: &str, blank: bool, fence: Option<Fence>) -> Border {
        if let Some(open) = fence {
            let fence = (!open.is_closed_by(line.trim_start())).then_some(open);
            self.kind = Kind::List {
                blank: false,
                fence,
            };
            return Border::None;
        }
        if line.trim().is_empty() {
            self.kind = Kind::List {
                blank: true,
                fence: None,
            };
            return Border::None;
        }
        let at_margin = !line.starts_with([' ', '\t']);
        let ends = at_margin
            && !is_list_item(line)
            && (blank || is_heading(line) || Fence::opened_by(line).is_some());
        if ends {
            return self.begin(line, true);
        }
        let fence = Fence::opened_by(after_marker(line));
        self.kind = Kind::List {
            blank: false,
            fence,
        };
        Border::None
    }
}

impl Fence {
    /// The fence that a line opens.
    pub(crate) fn opened_by(line: &str) -> Option<Self> {
        let text = line.trim_start();
        let mark = *text
            .as_bytes()
            .first()
            .filter(|mark| matches!(mark, b'`' | b'~'))?;
        let length = text.bytes().take_while(|byte| *byte == mark).count();
        let info = text.get(length..).unwrap_or_default();
        let plain = mark == b'~' || !info.contains('`');
        (length >= 3 && plain && indent(line) < 4).then_some(Self { mark, length })
    }

    /// Whether a line is its end.
    pub(crate) fn is_closed_by(self, line: &str) -> bool {
        let text = line.trim();
        indent(line) < 4 && text.len() >= self.length && text.bytes().all(|byte| byte == self.mark)
    }
}

/// What a line begins, and whether it is the whole of it.
fn kind_of(line: &str) -> (Kind, bool) {
    let text = line.trim();
    if text.is_empty() {
        return (Kind::Empty, false);
    }
    if let Some(fence) = Fence::opened_by(line) {
        return (Kind::Code(fence), false);
    }
    if let Some((close, rest)) = math_opened_by(text) {
        return (Kind::Math { close }, rest.ends_with(close));
    }
    if is_heading(line) {
        return (Kind::Line, true);
    }
    if is_list_item(line) {
        let fence = Fence::opened_by(after_marker(line));
        return (
            Kind::List {
                blank: false,
                fence,
            },
            false,
        );
    }
    (Kind::Plain, false)
}

/// What ends a display formula that a line opens, and the rest of that line.
pub(crate) fn math_opened_by(text: &str) -> Option<(&'static str, &str)> {
    [("$$", "$$"), ("\\[", "\\]")]
        .into_iter()
        .find_map(|(open, close)| Some((close, text.strip_prefix(open)?)))
}

/// Whether a line begins something new though no blank line is before it.
fn begins_inside_paragraph(line: &str) -> bool {
    Fence::opened_by(line).is_some()
        || is_heading(line)
        || (math_opened_by(line.trim_start()).is_some() && indent(line) < 4)
        || interrupts_as_list(line)
}

fn is_heading(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    let after = line.as_bytes().get(marks);
    (1..=6).contains(&marks) && after.is_none_or(|byte| matches!(byte, b' ' | b'\t'))
}

/// Where the marker of a list item ends, if the line is one.
fn marker_end(line: &str) -> Option<usize> {
    let start = indent(line);
    let text = line.get(start..).filter(|_| start < 4)?;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mark = text.as_bytes().get(digits)?;
    let fits = if digits == 0 {
        b"-+*".contains(mark)
    } else {
        digits < 10 && b".)".contains(mark)
    };
    let after = text.as_bytes().get(digits + 1);
    (fits && after.is_none_or(|byte| matches!(byte, b' ' | b'\t'))).then_some(start + digits + 1)
}

fn is_list_item(line: &str) -> bool {
    marker_end(line).is_some()
}

/// What follows the marker of a list item; the line without its indent if it has none.
pub(crate) fn after_marker(line: &str) -> &str {
    marker_end(line)
        .and_then(|end| line.get(end..))
        .unwrap_or(line)
        .trim_start()
}

/// In a paragraph only a bullet with text, or a number one, begins a list.
fn interrupts_as_list(line: &str) -> bool {
    let text = line.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    is_list_item(line) && !after_marker(line).is_empty() && (digits == 0 || text.starts_with("1."))
}

fn indent(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

#[cfg(test)]
mod tests {
    use super::{Border, Chunker};

    fn chunks(text: &str) -> Vec<String> {
        let (mut chunker, mut chunks, mut open) = (Chunker::default(), Vec::new(), String::new());
        for line in text.split_inclusive('\n') {
            let border = chunker.take(line.trim_end_matches('\n'));
            if matches!(border, Border::Before | Border::Around) {
                chunks.push(std::mem::take(&mut open));
            }
            open.push_str(line);
            if matches!(border, Border::After | Border::Around) {
                chunks.push(std::mem::take(&mut open));
            }
        }
        chunks.push(open);
        chunks.retain(|chunk| !chunk.trim().is_empty());
        chunks.iter().map(|chunk| chunk.trim().to_owned()).collect()
    }

    #[test]
    fn a_text_is_cut_where_a_reader_sees_a_new_block() {
        let cases: [(&str, &[&str]); 12] = [
            ("a\nb\n\nc", &["a\nb", "c"]),
            ("# h\ntext", &["# h", "text"]),
            ("text\n# h\ntext", &["text", "# h", "text"]),
            (
                "a\n```rs\nx\n\ny\n```\nb",
                &["a", "```rs\nx\n\ny\n```", "b"],
            ),
            ("```\n~~~\n``\n```", &["```\n~~~\n``\n```"]),
            ("- a\n\n- b\n\n  more\n\nc", &["- a\n\n- b\n\n  more", "c"]),
            (
                "Steps:\n1. a\n\n   x\n\n2. b",
                &["Steps:", "1. a\n\n   x\n\n2. b"],
            ),
            (
                "1. a\n\n   ```\n   x\n\n   y\n   ```\n\nb",
                &["1. a\n\n   ```\n   x\n\n   y\n   ```", "b"],
            ),
            ("| a |\n|---|\n| 1 |\n\nb", &["| a |\n|---|\n| 1 |", "b"]),
            ("$$\na\n\nb\n$$\nc", &["$$\na\n\nb\n$$", "c"]),
            ("\\[ x \\]\nc", &["\\[ x \\]", "c"]),
            (
                "#tag is no heading\n1986. was a year",
                &["#tag is no heading\n1986. was a year"],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(chunks(text), expected, "{text:?}");
        }
    }
}
