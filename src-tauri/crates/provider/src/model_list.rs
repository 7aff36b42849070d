//! Reads what services list as their models.

mod facts;

pub(crate) use facts::of as facts_of;

use serde_json::Value;
use talaria_domain::ModelName;

use crate::ListedModel;

/// Where services put a model's name.
const NAMES: [&str; 3] = ["id", "name", "model"];

/// The models of a list in the service's order; none if it is no list of models.
pub(crate) fn read(list: &Value) -> Option<Vec<ListedModel>> {
    let models = match list {
        Value::Array(models) => models,
        // Ollama without a model lists nothing rather than an empty list.
        _ if is_empty(list) => return Some(Vec::new()),
        _ => ["data", "models"]
            .iter()
            .find_map(|member| list.get(*member)?.as_array())?,
    };
    Some(models.iter().filter_map(model).collect())
}

fn is_empty(list: &Value) -> bool {
    list.get("object").is_some_and(|object| object == "list")
        && list.get("data").is_some_and(Value::is_null)
}

fn model(value: &Value) -> Option<ListedModel> {
    let name = match value {
        Value::String(name) => name,
        _ => NAMES
            .iter()
            .find_map(|member| value.get(*member)?.as_str())?,
    };
    // Gemini lists resource names, but is asked by the bare ones like everybody else.
    let name = ModelName::new(name.strip_prefix("models/").unwrap_or(name))?;
    let facts = facts::of(value);
    Some(ListedModel { name, facts })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;

    #[test]
    fn each_fashion_of_list_is_read() {
        let cases = [
            (
                json!({"object": "list", "data": [{"id": "a", "object": "model"}]}),
                vec![("a", None)],
            ),
            (
                json!({"data": [{"id": "a", "context_length": 8192}]}),
                vec![("a", Some(8192))],
            ),
            (
                json!({"data": [{"id": "a", "max_model_len": 4096}]}),
                vec![("a", Some(4096))],
            ),
            (
                json!({"data": [{"id": "a", "meta": {"n_ctx_train": 2048}}]}),
                vec![("a", Some(2048))],
            ),
            (
                json!({"data": [{"id": "a", "context_window": 0}]}),
                vec![("a", None)],
            ),
            (json!({"models": [{"name": "b:4b"}]}), vec![("b:4b", None)]),
            (
                json!([{"id": "a"}, {"id": "c"}]),
                vec![("a", None), ("c", None)],
            ),
            (
                json!({"data": [{"id": "models/gem"}, {"id": " "}, {}, "d"]}),
                vec![("gem", None), ("d", None)],
            ),
            (json!({"data": []}), vec![]),
            (json!({"object": "list", "data": null}), vec![]),
        ];
        for (list, expected) in cases {
            let found = read(&list).expect("a list");
            let found: Vec<_> = found
                .iter()
                .map(|model| (model.name.as_str(), model.facts.context_window))
                .collect();
            assert_eq!(found, expected, "{list}");
        }
    }

    #[test]
    fn what_is_no_list_is_none() {
        for value in [
            json!({"status": "ok"}),
            json!("hello"),
            json!({"data": 3}),
            json!({"data": null}),
            json!(null),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }
}
