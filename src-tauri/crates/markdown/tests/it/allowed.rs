//! Whatever the input, the output holds only what the crate says it holds.

use proptest::prelude::*;
use talaria_markdown::render;

const TAGS: &[(&str, &[&str])] = &[
    ("p", &[]),
    ("h1", &[]),
    ("h2", &[]),
    ("h3", &[]),
    ("h4", &[]),
    ("h5", &[]),
    ("h6", &[]),
    ("blockquote", &[]),
    ("ul", &[]),
    ("ol", &["start"]),
    ("li", &[]),
    ("hr", &[]),
    ("br", &[]),
    ("em", &[]),
    ("strong", &[]),
    ("del", &[]),
    ("code", &[]),
    ("a", &["href", "rel"]),
    ("pre", &["data-language"]),
    ("div", &["class", "data-display"]),
    ("table", &[]),
    ("thead", &[]),
    ("tbody", &[]),
    ("tr", &[]),
    ("th", &["data-align"]),
    ("td", &["data-align"]),
    ("span", &["class", "data-display", "data-src", "data-alt"]),
    ("sup", &["class"]),
    ("input", &["type", "disabled", "checked"]),
];

/// The first thing in the HTML that is not allowed.
fn fault(html: &str) -> Option<String> {
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let inside = &rest[start + 1..];
        let end = inside.find('>')?;
        let tag = inside[..end].trim_start_matches('/');
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let Some((_, allowed)) = TAGS.iter().find(|(known, _)| *known == name) else {
            return Some(format!("<{tag}>"));
        };
        if let Some(bad) = bad_attribute(attributes, allowed) {
            return Some(format!("{bad} in <{tag}>"));
        }
        rest = &inside[end..];
    }
    None
}

fn bad_attribute(attributes: &str, allowed: &[&str]) -> Option<String> {
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let name = &rest[..end];
        if !allowed.contains(&name) {
            return Some(name.to_owned());
        }
        rest = rest[end..].trim_start();
        if let Some(value) = rest.strip_prefix("=\"") {
            let close = value.find('"').unwrap_or(value.len());
            let address = value[..close].to_ascii_lowercase();
            let harmful = ["javascript:", "vbscript:", "data:text", "file:"];
            if name == "href" && harmful.iter().any(|start| address.starts_with(start)) {
                return Some(address);
            }
            rest = value.get(close + 1..).unwrap_or_default().trim_start();
        }
    }
    None
}

fn whole(text: &str) -> String {
    render(text).into_iter().map(|block| block.html).collect()
}

#[test]
fn the_checker_finds_what_it_is_there_to_find() {
    for bad in [
        "<script>",
        "<a href=\"javascript:x\">",
        "<p onclick=\"x\">",
        "<img src=\"x\">",
    ] {
        assert!(fault(bad).is_some(), "{bad}");
    }
}

proptest! {
    #[test]
    fn any_text_gives_allowed_html(text in any::<String>()) {
        prop_assert_eq!(fault(&whole(&text)), None);
    }

    #[test]
    fn any_text_made_of_dangerous_parts_gives_allowed_html(
        parts in proptest::collection::vec(prop_oneof![
            Just("<img src=x onerror=alert(1)>"), Just("<script>"), Just("</code>"), Just("\""),
            Just("[a](javascript:alert(1))"), Just("![a](data:text/html,x)"), Just("```\"><b>"),
            Just("\n"), Just("\n\n"), Just("`"), Just("$"), Just("|"), Just("- "), Just("<"),
            Just("&#106;avascript:"), Just("](x \" onerror=\"y"), Just("https://a.example/\""),
            Just("\u{0}"), Just("\u{2028}"), Just("~~"), Just("**"),
        ], 0..24)
    ) {
        prop_assert_eq!(fault(&whole(&parts.concat())), None);
    }
}
