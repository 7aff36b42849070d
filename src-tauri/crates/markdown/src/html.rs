//! Writes the parser's events as HTML, an allow list of tags and nothing else.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use pulldown_cmark::{
    Alignment, BrokenLink, CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd,
};

use crate::chunk::Fence;
use crate::escape::Escaped;
use crate::link::{Run, loadable, openable, runs};
use crate::math;
use crate::reference::{References, footnote_labels, unknown_footnote};

/// One chunk as HTML.
pub(crate) struct Written {
    pub(crate) html: String,
    /// Labels in it that nothing defines yet.
    pub(crate) unknown: Vec<String>,
}

/// The forms of Markdown beside the common ones.
pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_MATH
}

/// The HTML of one chunk; what it does not define itself it finds in `references`.
pub(crate) fn html(chunk: &str, references: &References) -> Written {
    let mut unknown = Vec::new();
    if let Some(formula) = math::display(chunk) {
        let html = format!(
            "<div class=\"math\" data-display=\"true\">{}</div>",
            Escaped(formula)
        );
        return Written { html, unknown };
    }
    let source = math::with_dollars(chunk);
    let length = source.len();
    let source = with_footnotes(source, references, &mut unknown);
    let look_up = |link: BrokenLink<'_>| {
        let found = references.address(&link.reference);
        if found.is_none() {
            unknown.push(link.reference.to_string());
        }
        Some((CowStr::from(found?.to_owned()), CowStr::Borrowed("")))
    };
    let events = Parser::new_with_broken_link_callback(&source, options(), Some(look_up));
    let mut writer = Writer::new(length);
    for (event, range) in events.into_offset_iter() {
        if range.start >= length && length < source.len() {
            break;
        }
        // A dollar before a digit closes a price, not a formula.
        let digit_follows = source
            .as_bytes()
            .get(range.end)
            .is_some_and(u8::is_ascii_digit);
        match event {
            Event::InlineMath(_) if digit_follows => {
                writer.text(source.get(range).unwrap_or_default());
            }
            event => writer.event(event),
        }
    }
    if writer.html.is_empty() {
        // Link definitions alone have no HTML; shown as text, their addresses are not lost.
        writer.html.push_str("<p>");
        writer.text(chunk.trim());
        writer.html.push_str("</p>");
    }
    let html = writer.html;
    Written { html, unknown }
}

/// The source with a definition after it for each footnote it refers to, because the parser knows
/// only references to what the same source defines.
fn with_footnotes<'a>(
    source: Cow<'a, str>,
    references: &References,
    unknown: &mut Vec<String>,
) -> Cow<'a, str> {
    let is_code = Fence::opened_by(&source).is_some();
    if is_code || !source.contains("[^") {
        return source;
    }
    let mut defined = String::new();
    let labels: BTreeSet<&str> = footnote_labels(&source).collect();
    for label in labels {
        if references.is_footnote(label) {
            defined.push_str(&format!("\n\n[^{label}]: -"));
        } else {
            unknown.push(unknown_footnote(label));
        }
    }
    if defined.is_empty() {
        return source;
    }
    Cow::Owned(source.into_owned() + &defined)
}

struct Writer {
    html: String,
    /// How each open link was written.
    links: Vec<bool>,
    /// The words of an open image; its tag is written when they end.
    image: Option<Image>,
    columns: Vec<Alignment>,
    column: usize,
    in_head: bool,
    in_code: bool,
}

struct Image {
    address: String,
    words: String,
    depth: usize,
}

impl Writer {
    fn new(length: usize) -> Self {
        Self {
            html: String::with_capacity(length + length / 4 + 32),
            links: Vec::new(),
            image: None,
            columns: Vec::new(),
            column: 0,
            in_head: false,
            in_code: false,
        }
    }

    fn event(&mut self, event: Event<'_>) {
        if self.image.is_some() {
            return self.in_image(event);
        }
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.around("code", &code),
            // Raw HTML is shown, not done.
            Event::Html(raw) | Event::InlineHtml(raw) => self.escaped(&raw),
            Event::InlineMath(formula) => self.formula("false", &formula),
            Event::DisplayMath(formula) => self.formula("true", &formula),
            Event::SoftBreak => self.html.push('\n'),
            Event::HardBreak => self.html.push_str("<br>"),
            Event::Rule => self.html.push_str("<hr>"),
            Event::TaskListMarker(done) => self.html.push_str(if done {
                "<input type=\"checkbox\" disabled checked> "
            } else {
                "<input type=\"checkbox\" disabled> "
            }),
            Event::FootnoteReference(name) => {
                self.html.push_str("<sup class=\"footnote-reference\">");
                self.escaped(&name);
                self.html.push_str("</sup>");
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.html.push_str("<p>"),
            Tag::Heading { level, .. } => self.html.push_str(&format!("<{level}>")),
            Tag::BlockQuote(_) => self.html.push_str("<blockquote>"),
            Tag::CodeBlock(kind) => self.start_code(&kind),
            Tag::List(None) => self.html.push_str("<ul>"),
            Tag::List(Some(1)) => self.html.push_str("<ol>"),
            Tag::List(Some(first)) => self.html.push_str(&format!("<ol start=\"{first}\">")),
            Tag::Item => self.html.push_str("<li>"),
            Tag::Emphasis => self.html.push_str("<em>"),
            Tag::Strong => self.html.push_str("<strong>"),
            Tag::Strikethrough => self.html.push_str("<del>"),
            Tag::Link { dest_url, .. } => self.start_link(&dest_url),
            Tag::Image { dest_url, .. } => {
                let address = dest_url.into_string();
                self.image = Some(Image {
                    address,
                    words: String::new(),
                    depth: 0,
                });
            }
            Tag::Table(columns) => {
                self.columns = columns;
                self.html.push_str("<div class=\"table\"><table>");
            }
            Tag::TableHead => {
                self.in_head = true;
                self.column = 0;
                self.html.push_str("<thead><tr>");
            }
            Tag::TableRow => {
                self.column = 0;
                self.html.push_str("<tr>");
            }
            Tag::TableCell => self.start_cell(),
            Tag::FootnoteDefinition(name) => {
                self.html.push_str("<div class=\"footnote\"><sup>");
                self.escaped(&name);
                self.html.push_str("</sup>");
            }
            // Not asked for in the options.
            Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.html.push_str("</p>"),
            TagEnd::Heading(level) => self.html.push_str(&format!("</{level}>")),
            TagEnd::BlockQuote(_) => self.html.push_str("</blockquote>"),
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.html.push_str("</code></pre>");
            }
            TagEnd::List(true) => self.html.push_str("</ol>"),
            TagEnd::List(false) => self.html.push_str("</ul>"),
            TagEnd::Item => self.html.push_str("</li>"),
            TagEnd::Emphasis => self.html.push_str("</em>"),
            TagEnd::Strong => self.html.push_str("</strong>"),
            TagEnd::Strikethrough => self.html.push_str("</del>"),
            TagEnd::Link => {
                if self.links.pop() == Some(true) {
                    self.html.push_str("</a>");
                }
            }
            TagEnd::Table => self.html.push_str("</tbody></table></div>"),
            TagEnd::TableHead => {
                self.in_head = false;
                self.html.push_str("</tr></thead><tbody>");
            }
            TagEnd::TableRow => self.html.push_str("</tr>"),
            TagEnd::TableCell => {
                self.html
                    .push_str(if self.in_head { "</th>" } else { "</td>" });
                self.column += 1;
            }
            TagEnd::FootnoteDefinition => self.html.push_str("</div>"),
            TagEnd::Image
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn start_code(&mut self, kind: &CodeBlockKind<'_>) {
        self.in_code = true;
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or_default(),
            CodeBlockKind::Indented => "",
        };
        self.html.push_str("<pre data-language=\"");
        self.escaped(info);
        self.html.push_str("\"><code>");
    }

    fn start_link(&mut self, address: &str) {
        let openable = openable(address);
        self.links.push(openable.is_some());
        if let Some(address) = openable {
            self.html.push_str("<a href=\"");
            self.escaped(address);
            self.html.push_str("\" rel=\"noreferrer\">");
        }
    }

    fn start_cell(&mut self) {
        self.html.push_str(if self.in_head { "<th" } else { "<td" });
        self.html.push_str(match self.columns.get(self.column) {
            Some(Alignment::Left) => " data-align=\"left\">",
            Some(Alignment::Center) => " data-align=\"center\">",
            Some(Alignment::Right) => " data-align=\"right\">",
            Some(Alignment::None) | None => ">",
        });
    }

    /// Inside an image only the words count, whatever they are marked as.
    fn in_image(&mut self, event: Event<'_>) {
        let Some(image) = &mut self.image else { return };
        match event {
            Event::Start(_) => image.depth += 1,
            Event::End(_) if image.depth > 0 => image.depth -= 1,
            Event::End(_) => self.end_image(),
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) => {
                image.words.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => image.words.push(' '),
            _ => {}
        }
    }

    fn end_image(&mut self) {
        let Some(Image { address, words, .. }) = self.image.take() else {
            return;
        };
        match loadable(&address) {
            Some(address) => {
                self.html
                    .push_str("<span class=\"remote-image\" data-src=\"");
                self.escaped(address);
                self.html.push_str("\" data-alt=\"");
                self.escaped(&words);
                self.html.push_str("\"></span>");
            }
            None => self.escaped(&words),
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_code || !self.links.is_empty() || !text.contains("://") {
            return self.escaped(text);
        }
        for run in runs(text) {
            match run {
                Run::Plain(text) => self.escaped(text),
                Run::Address(address) => {
                    self.start_link(address);
                    self.escaped(address);
                    self.end(TagEnd::Link);
                }
            }
        }
    }

    fn formula(&mut self, display: &str, formula: &str) {
        self.html.push_str("<span class=\"math\" data-display=\"");
        self.html.push_str(display);
        self.html.push_str("\">");
        self.escaped(formula.trim());
        self.html.push_str("</span>");
    }

    fn around(&mut self, tag: &str, text: &str) {
        self.html.push_str(&format!("<{tag}>"));
        self.escaped(text);
        self.html.push_str(&format!("</{tag}>"));
    }

    fn escaped(&mut self, text: &str) {
        // Writing to a String can't fail.
        let _ = write!(self.html, "{}", Escaped(text));
    }
}

#[cfg(test)]
mod tests {
    use crate::reference::References;

    fn html(chunk: &str) -> String {
        super::html(chunk, &References::default()).html
    }

    #[test]
    fn each_form_has_its_html() {
        let cases = [
            (
                "a **b** *c* ~~d~~ `e<f>`",
                "<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e&lt;f&gt;</code></p>",
            ),
            ("## Title", "<h2>Title</h2>"),
            (
                "```rust ignore\nlet x = 1 < 2;\n```",
                "<pre data-language=\"rust\"><code>let x = 1 &lt; 2;\n</code></pre>",
            ),
            (
                "- [x] done\n- [ ] open",
                "<ul><li><input type=\"checkbox\" disabled checked> done</li><li><input type=\"checkbox\" disabled> open</li></ul>",
            ),
            ("3. c\n4. d", "<ol start=\"3\"><li>c</li><li>d</li></ol>"),
            (
                "|a|b|\n|:-|-:|\n|1|2|",
                "<div class=\"table\"><table><thead><tr><th data-align=\"left\">a</th><th data-align=\"right\">b</th></tr></thead><tbody><tr><td data-align=\"left\">1</td><td data-align=\"right\">2</td></tr></tbody></table></div>",
            ),
            (
                "[x](https://a.example/?a=1&b=2)",
                "<p><a href=\"https://a.example/?a=1&amp;b=2\" rel=\"noreferrer\">x</a></p>",
            ),
            (
                "https://a.example/x",
                "<p><a href=\"https://a.example/x\" rel=\"noreferrer\">https://a.example/x</a></p>",
            ),
            (
                "![a *b*](https://a.example/i.png)",
                "<p><span class=\"remote-image\" data-src=\"https://a.example/i.png\" data-alt=\"a b\"></span></p>",
            ),
            (
                "$x^2$ and \\(y\\)",
                "<p><span class=\"math\" data-display=\"false\">x^2</span> and <span class=\"math\" data-display=\"false\">y</span></p>",
            ),
            (
                "[b]: https://b.example/x",
                "<p>[b]: <a href=\"https://b.example/x\" rel=\"noreferrer\">https://b.example/x</a></p>",
            ),
            (
                "$$\nx\n$$",
                "<div class=\"math\" data-display=\"true\">x</div>",
            ),
            (
                "a[^1] and [^no]\n\n[^1]: Note.",
                "<p>a<sup class=\"footnote-reference\">1</sup> and [^no]</p><div class=\"footnote\"><sup>1</sup><p>Note.</p></div>",
            ),
            (
                "It costs $5 and $6, or $7/$8.",
                "<p>It costs $5 and $6, or $7/$8.</p>",
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(html(source), expected, "{source}");
        }
    }

    #[test]
    fn what_could_do_harm_is_shown_as_text() {
        for source in [
            "<img src=x onerror=alert(1)>",
            "<svg onload=alert(1)>",
            "<iframe src=javascript:alert(1)></iframe>",
            "<details open ontoggle=alert(1)>",
            "<style>@import 'https://a.example/?d=1'</style>",
            "[x](javascript:alert(1))",
            "[x](JaVaScRiPt:alert(1))",
            "[x](data:text/html,<script>alert(1)</script>)",
            "<a href=\"&#106;avascript:alert(1)\">x</a>",
            "![a](x\" onerror=\"alert(1))",
            "![r][1]\n\n[1]: file:///etc/passwd",
            "```\"><script>alert(1)</script>\nx\n```",
            "<javascript:alert(1)>",
        ] {
            let written = html(source);
            let tags: Vec<&str> = written
                .split('<')
                .skip(1)
                .filter_map(|tag| tag.split(['>', ' ']).next())
                .collect();
            assert!(
                tags.iter()
                    .all(|tag| ["p", "/p", "pre", "code", "/code", "/pre"].contains(tag)),
                "{source}: {written}"
            );
        }
    }
}
