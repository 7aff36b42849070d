//! Writes the parser's events as HTML, an allow list of tags and nothing else.

use std::fmt::Write;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::link::{Run, loadable, openable, runs};
use crate::math;

/// The HTML of one chunk.
pub(crate) fn html(chunk: &str) -> String {
    if let Some(formula) = math::display(chunk) {
        return format!(
            "<div class=\"math\" data-display=\"true\">{}</div>",
            Escaped(formula)
        );
    }
    let source = math::with_dollars(chunk);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH;
    let mut writer = Writer::new(source.len());
    for (event, range) in Parser::new_ext(&source, options).into_offset_iter() {
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
    writer.html
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
            Event::FootnoteReference(name) => self.escaped(&name),
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
            // Not asked for in the options.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
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
            TagEnd::Image
            | TagEnd::FootnoteDefinition
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

/// A text that can stand between tags and in a quoted attribute.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest
            .bytes()
            .position(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'' | 0))
        {
            let (before, from) = rest.split_at(at);
            formatter.write_str(before)?;
            formatter.write_str(match from.as_bytes().first() {
                Some(b'&') => "&amp;",
                Some(b'<') => "&lt;",
                Some(b'>') => "&gt;",
                Some(b'"') => "&quot;",
                Some(b'\'') => "&#39;",
                _ => "\u{fffd}",
            })?;
            rest = from.get(1..).unwrap_or_default();
        }
        formatter.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::html;

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
