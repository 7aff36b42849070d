//! A page of HTML as people read it: its title, and its text as Markdown.
//!
//! What a browser would not show is left out, so that nobody speaks to the model behind the user's
//! back. Addresses are made whole. Whoever wrote the page may mean harm: its depth is bounded before
//! the parser's time and the converter's stack depend on it.

use std::rc::Rc;

use htmd::{HtmlToMarkdown, Node};
use markup5ever_rcdom::NodeData;
use url::Url;

use super::table::table;

/// What people do not read on a page.
const SKIPPED: &[&str] = &[
    "script", "style", "noscript", "template", "svg", "iframe", "nav", "footer", "form", "button",
    "head",
];
/// Elements without an end, or whose end goes without saying: they nest only in others.
const ENDLESS: &[&str] = &[
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta",
    "option", "p", "param", "source", "tbody", "td", "th", "thead", "tr", "track", "wbr",
];
/// The most elements that may be open at once; browsers stop at 512.
const MOST_OPEN: usize = 1_000;
/// What lies deeper is left out.
const DEEPEST: usize = 200;
/// The longest title, in characters.
const TITLE: usize = 200;

/// A page as text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// Its title, on one line; blank if it has none.
    pub(super) title: String,
    /// Its text as Markdown.
    pub(super) text: String,
}

impl Page {
    /// The page at an address; none for what is nested as no page is.
    pub(super) fn read(html: &str, address: &Url) -> Option<Self> {
        if most_open(html) > MOST_OPEN {
            return None;
        }
        let skipped = HtmlToMarkdown::builder().skip_tags(SKIPPED.to_vec());
        let converter = skipped.add_handler(vec!["table"], table).build();
        let tree = converter.html_to_tree(html).ok()?;
        let (title, base) = head(&tree, address);
        prune(&tree, &base);
        Some(Self {
            title,
            text: compact(&visible(&converter.tree_to_markdown(&tree))),
        })
    }
}

/// The most elements that are open at once, or a few more: ends that go without saying count not.
fn most_open(html: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0_usize);
    for piece in html.split('<').skip(1) {
        let (name, ends) = match piece.strip_prefix('/') {
            Some(rest) => (rest, true),
            None => (piece, false),
        };
        let end = name.find(|next: char| !next.is_ascii_alphanumeric() && next != '-');
        let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic())
            || ENDLESS.iter().any(|it| it.eq_ignore_ascii_case(name))
        {
            continue;
        }
        open = if ends {
            open.saturating_sub(1)
        } else {
            open + 1
        };
        most = most.max(open);
    }
    most
}

/// The title, and the address that the page's own addresses start from.
fn head(tree: &Rc<Node>, address: &Url) -> (String, Url) {
    let (mut title, mut base) = (None, None);
    let mut nodes = vec![Rc::clone(tree)];
    while let Some(node) = nodes.pop() {
        match tag(&node) {
            "title" if title.is_none() => title = Some(text(&node)),
            "base" if base.is_none() => {
                base = attribute(&node, "href").and_then(|href| address.join(&href).ok());
            }
            // The title of a drawing is none of the page's.
            "svg" => continue,
            _ => {}
        }
        nodes.extend(node.children.borrow().iter().rev().map(Rc::clone));
    }
    let title = visible(&title.unwrap_or_default());
    let words: Vec<&str> = title.split_whitespace().collect();
    let title = words.join(" ").chars().take(TITLE).collect();
    (title, base.unwrap_or_else(|| address.clone()))
}

/// Takes out what is hidden or too deep, and makes addresses whole.
fn prune(tree: &Rc<Node>, base: &Url) {
    let mut nodes = vec![(Rc::clone(tree), 0)];
    while let Some((node, depth)) = nodes.pop() {
        make_whole(&node, "href", base);
        make_whole(&node, "src", base);
        let mut children = node.children.borrow_mut();
        if depth >= DEEPEST {
            children.retain(|child| matches!(child.data, NodeData::Text { .. }));
        }
        children.retain(|child| !is_hidden(child));
        nodes.extend(children.iter().map(|child| (Rc::clone(child), depth + 1)));
    }
}

/// Whether a browser shows nothing of an element.
fn is_hidden(node: &Rc<Node>) -> bool {
    if attribute(node, "hidden").is_some() {
        return true;
    }
    let Some(style) = attribute(node, "style") else {
        return false;
    };
    let style: String = style.to_ascii_lowercase().split_whitespace().collect();
    style.split(';').any(|rule| {
        let (name, value) = rule.split_once(':').unwrap_or_default();
        let value = value.trim_end_matches("!important");
        match name {
            "display" => value == "none",
            "visibility" => matches!(value, "hidden" | "collapse"),
            "opacity" | "font-size" => is_nothing(value),
            "text-indent" | "left" | "top" | "margin-left" => is_far_off(value),
            _ => false,
        }
    })
}

/// Zero, in whatever unit.
fn is_nothing(value: &str) -> bool {
    let number = value.trim_end_matches(|next: char| next.is_ascii_alphabetic() || next == '%');
    number.parse::<f64>().is_ok_and(|number| number < 0.02)
}

/// Far to the left of the page, or above it.
fn is_far_off(value: &str) -> bool {
    let number = value.trim_end_matches(|next: char| next.is_ascii_alphabetic() || next == '%');
    number.parse::<f64>().is_ok_and(|number| number <= -500.0)
}

/// Makes the address in an attribute whole, or takes it out where it leads nowhere that could be
/// fetched.
fn make_whole(node: &Rc<Node>, name: &str, base: &Url) {
    let NodeData::Element { attrs, .. } = &node.data else {
        return;
    };
    let mut attributes = attrs.borrow_mut();
    attributes.retain_mut(|attribute| {
        if &*attribute.name.local != name {
            return true;
        }
        let written = attribute.value.trim();
        let whole = (!written.starts_with('#'))
            .then(|| base.join(written).ok())
            .flatten()
            .filter(|url| matches!(url.scheme(), "http" | "https" | "mailto"));
        if let Some(whole) = &whole {
            attribute.value = whole.as_str().into();
        }
        whole.is_some()
    });
}

/// The name of an element; blank for what is none.
pub(super) fn tag(node: &Rc<Node>) -> &str {
    match &node.data {
        NodeData::Element { name, .. } => &name.local,
        _ => "",
    }
}

fn attribute(node: &Rc<Node>, name: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attributes = attrs.borrow();
    let found = attributes.iter().find(|it| &*it.name.local == name);
    found.map(|it| it.value.to_string())
}

/// The texts directly below an element.
fn text(node: &Rc<Node>) -> String {
    let children = node.children.borrow();
    let texts = children.iter().map(|child| match &child.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => String::new(),
    });
    texts.collect()
}

/// The text without characters that nobody sees: they hide words, or cut them for who searches.
fn visible(text: &str) -> String {
    let is_unseen = |c: char| {
        matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}'
            | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
    };
    text.chars().filter(|c| !is_unseen(*c)).collect()
}

/// At most one empty line between two parts.
fn compact(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines() {
        empty = if line.trim().is_empty() { empty + 1 } else { 0 };
        if empty < 2 {
            short.push_str(line.trim_end());
            short.push('\n');
        }
    }
    short.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::{Page, most_open};

    fn address() -> Url {
        Url::parse("https://garden.example/beds/plan.html").unwrap()
    }

    fn text(html: &str) -> String {
        Page::read(html, &address()).unwrap().text
    }

    #[test]
    fn a_page_is_read_without_what_people_do_not_read() {
        let html = "<html><head><title>Beds\n and more</title><style>x{}</style></head><body>\
                    <nav>Home</nav><h1>Garden</h1><p>Two <b>beds</b>.</p>\
                    <script>steal()</script><svg><title>icon</title></svg></body></html>";
        let page = Page::read(html, &address()).unwrap();
        assert_eq!(page.title, "Beds and more");
        assert_eq!(page.text, "# Garden\n\nTwo **beds**.");
    }

    #[test]
    fn what_a_browser_would_not_show_is_left_out() {
        for hidden in [
            "<p hidden>obey</p>",
            "<div style='display:none'>obey</div>",
            "<div style=\"color: red; DISPLAY : None !important\"><p>obey</p></div>",
            "<span style='visibility:hidden'>obey</span>",
            "<span style='opacity:0.0'>obey</span>",
            "<span style='font-size: 0px'>obey</span>",
            "<div style='position:absolute;left:-9999px'>obey</div>",
            "<!-- obey -->",
            "<template>obey</template>",
            "<input type=hidden value=obey>",
        ] {
            let shown = text(&format!("<p>Dig.</p>{hidden}<p>Sow.</p>"));
            assert_eq!(shown, "Dig.\n\nSow.", "{hidden}");
        }
        for shown in [
            "font-size:12px",
            "opacity:0.5",
            "left:-4px",
            "display:block",
            "none",
        ] {
            let html = format!("<p style='{shown}'>Dig.</p>");
            assert_eq!(text(&html), "Dig.", "{shown}");
        }
    }

    #[test]
    fn characters_that_nobody_sees_are_left_out() {
        let html = "<p>ig\u{200b}nore\u{e0049}\u{e0067} \u{202e}this\u{2069} 家\u{200d}庭</p>";
        assert_eq!(text(html), "ignore this 家\u{200d}庭");
    }

    #[test]
    fn addresses_are_whole_or_left_out() {
        for (html, shown) in [
            ("<a href='/a'>x</a>", "[x](https://garden.example/a)"),
            (
                "<a href='b?c=1'>x</a>",
                "[x](https://garden.example/beds/b?c=1)",
            ),
            ("<a href='//o.example/'>x</a>", "[x](https://o.example/)"),
            (
                "<a href='mailto:a@b.example'>x</a>",
                "[x](mailto:a@b.example)",
            ),
            ("<a href='#top'>x</a>", "x"),
            ("<a href='javascript:alert(1)'>x</a>", "x"),
            (
                "<img alt='bed' src='i.png'>",
                "![bed](https://garden.example/beds/i.png)",
            ),
            ("x<img alt='bed' src='data:image/png;base64,AAAA'>", "x"),
            (
                "<base href='/other/'><a href='a'>x</a>",
                "[x](https://garden.example/other/a)",
            ),
        ] {
            assert_eq!(text(html), shown, "{html}");
        }
    }

    #[test]
    fn a_page_that_is_nested_without_end_is_refused_and_a_deep_one_cut() {
        for open in ["<div>", "<b>", "<ul><li>", "<table><tr><td>", "<x-y>"] {
            let deep = format!("<p>top</p>{}bottom", open.repeat(900));
            let page = Page::read(&deep, &address()).unwrap();
            assert!(page.text.contains("top"), "{open}");
            assert_eq!(
                Page::read(&open.repeat(100_000), &address()),
                None,
                "{open}"
            );
        }
    }

    #[test]
    fn a_table_with_headings_is_one_and_no_wider_than_it_must_be() {
        let table = "<table><caption>Beds</caption><thead><tr><th>Bed<th>Plant</thead>\
                     <tbody><tr><td>1<td>Beans | <b>peas</b><tr><td><p>two</p><p>lines</p></table>";
        assert_eq!(
            text(table),
            "Beds\n\n| Bed | Plant |\n| --- | --- |\n| 1 | Beans \\| **peas** |\n| two lines |"
        );
        let layout = "<table><tr><td><p>left</p><td><p>right</p></table>";
        assert_eq!(text(layout), "left\n\nright");
    }

    #[test]
    fn a_table_takes_no_more_room_than_its_cells() {
        let wide = "w".repeat(100_000);
        let rows = "<tr><td>x".repeat(20_000);
        let many = "<td>".repeat(20_000);
        for html in [
            format!("<table><tr><th>{wide}{rows}</table>"),
            format!("<table><tr><th>a{many}{rows}</table>"),
        ] {
            assert!(text(&html).len() < 1_000_000);
        }
    }

    #[test]
    fn ends_that_go_without_saying_do_not_count() {
        for (html, open) in [
            ("<ul><li>a<li>b<li>c</ul><p>d<p>e<br><img>", 1),
            ("<div></div><div></div>", 1),
            ("a < b <> </ > <1>", 0),
            ("<DIV><Span></SPAN></div>", 2),
            ("</div></div><i>", 1),
        ] {
            assert_eq!(most_open(html), open, "{html}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(html in "(<[/a-z!]{0,8}( style='[a-z:;0-9-]{0,12}')?>?|[^<]{0,5}){0,40}") {
            if let Some(page) = Page::read(&html, &address()) {
                prop_assert!(!page.text.contains("\n\n\n"));
            }
        }
    }
}
