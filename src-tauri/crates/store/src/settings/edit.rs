//! Changing the settings file's text without losing a comment or the order of its lines.
//!
//! Only what differs is touched. The result is read back before it is used, so that an edit that
//! would not say what is meant is never written.

use std::str::FromStr;

use serde_yaml::{Mapping as Values, Value};
use yaml_edit::{Document, Mapping, Sequence, YamlNode};

use super::Settings;

/// The text with the settings changed from `old` to `new`; none if it can't be edited safely.
pub(super) fn edited(text: &str, old: &Settings, new: &Settings) -> Option<String> {
    let (old, target) = (values(old)?, values(new)?);
    let means_new = |text: &String| {
        serde_yaml::from_str::<Option<Settings>>(text)
            .is_ok_and(|read| read.unwrap_or_default() == *new)
    };
    let places = [Place::BelowExample, Place::End];
    places
        .into_iter()
        .filter_map(|place| edit(text, &old, &target, place))
        .find(means_new)
}

/// Where a setting that is new to the file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Below the comment that shows it.
    BelowExample,
    /// After everything else.
    End,
}

fn edit(text: &str, old: &Values, new: &Values, place: Place) -> Option<String> {
    let mut additions = Vec::new();
    let mut text = match top_level(text)? {
        Some((document, mapping)) => {
            change_mapping(&mapping, old, new, &mut |key, value| {
                additions.push((key.to_owned(), value.clone()));
            })?;
            // A mapping that lost its last key would be left as an empty one in braces.
            if mapping.is_empty() {
                document.to_string().replace("{}", "")
            } else {
                document.to_string()
            }
        }
        None => {
            let added =
                |(key, value): (&Value, &Value)| Some((key.as_str()?.to_owned(), value.clone()));
            additions.extend(new.iter().filter_map(added));
            text.to_owned()
        }
    };
    for (key, value) in additions {
        text = add(&text, &key, &value, place)?;
    }
    Some(text)
}

/// The file's mapping; an inner none for a file of comments only.
fn top_level(text: &str) -> Option<Option<(Document, Mapping)>> {
    if serde_yaml::from_str::<Value>(text).ok()?.is_null() {
        return Some(None);
    }
    let document = Document::from_str(text).ok()?;
    let mapping = document.as_mapping()?;
    Some(Some((document, mapping)))
}

/// Makes a mapping say `new` where it said `old`; what is new to it is handed to `add`.
fn change_mapping(
    mapping: &Mapping,
    old: &Values,
    new: &Values,
    add: &mut dyn FnMut(&str, &Value),
) -> Option<()> {
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        mapping.remove(key.as_str()?);
    }
    for (key, value) in new {
        let (name, before) = (key.as_str()?, old.get(key));
        if before == Some(value) {
            continue;
        }
        match (mapping.get(name), before, value) {
            (None, _, _) => add(name, value),
            (
                Some(YamlNode::Mapping(inner)),
                Some(Value::Mapping(before)),
                Value::Mapping(value),
            ) => {
                change_mapping(&inner, before, value, &mut |key, value| {
                    if let Some(node) = node(value) {
                        inner.set(key, node);
                    }
                })?;
            }
            (
                Some(YamlNode::Sequence(inner)),
                Some(Value::Sequence(before)),
                Value::Sequence(value),
            ) if change_list(&inner, before, value).is_some() => {}
            _ => mapping.set(name, node(value)?),
        }
    }
    Some(())
}

/// Changes a list whose entries have ids entry by entry; none when the order changed too.
fn change_list(list: &Sequence, old: &[Value], new: &[Value]) -> Option<()> {
    let id = |entry: &Value| entry.get("id").and_then(Value::as_str).map(str::to_owned);
    let kept = |entry: &&Value| new.iter().any(|other| id(other) == id(entry));
    let stay: Vec<&Value> = old.iter().filter(kept).collect();
    let in_order = stay.len() <= new.len()
        && stay
            .iter()
            .zip(new)
            .all(|(before, after)| id(before).is_some() && id(before) == id(after));
    if !in_order || list.len() != old.len() {
        return None;
    }
    for (index, entry) in old.iter().enumerate().rev() {
        if !kept(&entry) {
            list.remove(index);
        }
    }
    for (index, (before, after)) in stay.iter().zip(new).enumerate() {
        let (Value::Mapping(before), Value::Mapping(after)) = (before, after) else {
            return None;
        };
        let Some(YamlNode::Mapping(entry)) = list.get(index) else {
            return None;
        };
        change_mapping(&entry, before, after, &mut |key, value| {
            if let Some(node) = node(value) {
                entry.set(key, node);
            }
        })?;
    }
    for entry in new.iter().skip(stay.len()) {
        list.push(node(entry)?);
    }
    Some(())
}

/// A value as a node that can be put into the file.
fn node(value: &Value) -> Option<YamlNode> {
    let document = Document::from_str(&rendered("value", value)?).ok()?;
    document.as_mapping()?.get("value")
}

fn rendered(key: &str, value: &Value) -> Option<String> {
    let mut mapping = Values::new();
    mapping.insert(Value::from(key), value.clone());
    serde_yaml::to_string(&mapping).ok()
}

/// Adds a key to the top level of the text.
fn add(text: &str, key: &str, value: &Value, place: Place) -> Option<String> {
    let block = rendered(key, value)?;
    let at = match place {
        Place::BelowExample => end_of_example(text, key).unwrap_or(text.len()),
        Place::End => text.len(),
    };
    let (before, after) = text.split_at_checked(at)?;
    let line_break = if before.is_empty() || before.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    Some(format!("{before}{line_break}{block}{after}"))
}

/// Where the comment that shows a setting ends: after `# key:` and the comment lines below it.
fn end_of_example(text: &str, key: &str) -> Option<usize> {
    let shows = |line: &str| {
        line.strip_prefix('#')
            .and_then(|rest| rest.trim_start().strip_prefix(key))
            .is_some_and(|rest| rest.starts_with(':'))
    };
    let mut at = 0;
    let mut end = None;
    for line in text.split_inclusive('\n') {
        at += line.len();
        match end {
            None if shows(line) => end = Some(at),
            Some(_) if line.starts_with('#') => end = Some(at),
            Some(_) => break,
            None => {}
        }
    }
    end
}

/// The settings as the file would hold them: differences only.
fn values(settings: &Settings) -> Option<Values> {
    match serde_yaml::to_value(settings).ok()? {
        Value::Mapping(values) => Some(values),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::{Language, ModelName, ModelRef};

    use super::super::{ServiceSettings, Settings, Theme, file::DEFAULT, file::parse};
    use super::edited;

    fn changed(text: &str, change: impl FnOnce(&mut Settings)) -> String {
        let old = parse(text).unwrap();
        let mut new = old.clone();
        change(&mut new);
        let text = edited(text, &old, &new).expect("the text can be edited");
        assert_eq!(parse(&text).unwrap(), new, "{text}");
        text
    }

    fn service(id: &str) -> ServiceSettings {
        ServiceSettings {
            id: id.parse().unwrap(),
            name: format!("服务 {id}: #1"),
            preset: None,
            base_url: "http://127.0.0.1:8000/v1".into(),
            protocol: "openai_chat".into(),
            context_window: None,
            models: Vec::new(),
            has_key: false,
        }
    }

    const BY_HAND: &str = "\
# mine
zoom: 110   # for the big screen
theme: dark
services:
  # the office one
  - id: a
    name: A   # short
    base_url: http://a/v1
    protocol: openai_chat
  - id: b
    name: B
    base_url: http://b/v1
    protocol: openai_chat
# the end
";

    #[test]
    fn a_value_changes_where_it_stands() {
        let text = changed(BY_HAND, |settings| settings.zoom = 120);
        assert_eq!(text, BY_HAND.replace("110", "120"));
    }

    #[test]
    fn a_value_set_back_to_its_default_leaves_the_file() {
        let text = changed(BY_HAND, |settings| settings.theme = Theme::System);
        assert_eq!(text, BY_HAND.replace("theme: dark\n", ""));
    }

    #[test]
    fn a_new_setting_stands_below_the_comment_that_shows_it() {
        let text = changed(DEFAULT, |settings| settings.zoom = 90);
        assert_eq!(
            text,
            DEFAULT.replace("# zoom: 100\n", "# zoom: 100\nzoom: 90\n")
        );
        let text = changed(&text, |settings| settings.services.push(service("x")));
        assert!(
            text.contains("#     context_window: 32768\nservices:\n"),
            "{text}"
        );
    }

    #[test]
    fn one_service_changes_without_touching_the_comments_of_another() {
        let text = changed(BY_HAND, |settings| {
            settings.services[1].base_url = "http://c".into();
        });
        assert_eq!(text, BY_HAND.replace("http://b/v1", "http://c"));
        let text = changed(BY_HAND, |settings| settings.services.push(service("c")));
        assert!(
            text.contains("# the office one") && text.contains("# short"),
            "{text}"
        );
        let text = changed(BY_HAND, |settings| drop(settings.services.remove(1)));
        assert!(
            text.contains("# the office one") && !text.contains("id: b"),
            "{text}"
        );
    }

    #[test]
    fn services_can_be_reordered() {
        changed(BY_HAND, |settings| settings.services.reverse());
    }

    #[test]
    fn everything_can_be_set_and_unset_again() {
        let text = changed(DEFAULT, |settings| {
            settings.language = Some(Language::Chinese);
            settings.model = Some(ModelRef {
                service: "x".parse().unwrap(),
                model: ModelName::new("qwen3:4b").unwrap(),
            });
            settings.services = vec![service("x"), service("y")];
            settings.notes_folder = Some("/home/我/笔记 # 1".into());
            settings.setup_done = true;
        });
        let text = changed(&text, |settings| *settings = Settings::default());
        assert!(text.starts_with("# Talaria's settings."), "{text}");
        assert!(!text.contains("\nservices:"), "{text}");
    }

    #[test]
    fn a_file_in_braces_can_be_edited_too() {
        let text = changed("{zoom: 110}\n", |settings| settings.zoom = 130);
        assert!(text.contains("130"));
    }

    #[test]
    fn unknown_keys_of_a_newer_program_stay() {
        let text = changed("future: [1, 2]\nzoom: 110\n", |settings| {
            settings.zoom = 120;
        });
        assert_eq!(text, "future: [1, 2]\nzoom: 120\n");
    }
}
