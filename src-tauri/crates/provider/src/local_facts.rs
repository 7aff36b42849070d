//! What the servers that people run themselves tell beside the list that every service has.
//!
//! Pure reading; `client/listing.rs` asks. How much a model could take is not what its server has
//! made room for: only the latter is a window.

use serde_json::Value;
use talaria_domain::ModelFacts;

use crate::model_list;

/// A server that tells more in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LocalServer {
    Ollama,
    LmStudio,
    LlamaCpp,
}

/// Which server gives such a list, by the owner it names for its models.
pub(crate) fn server_of(list: &Value) -> Option<LocalServer> {
    let models = list.get("data")?.as_array()?;
    models
        .iter()
        .find_map(|model| match model.get("owned_by")?.as_str()? {
            "library" => Some(LocalServer::Ollama),
            "organization_owner" => Some(LocalServer::LmStudio),
            "llamacpp" => Some(LocalServer::LlamaCpp),
            _ => None,
        })
}

/// What Ollama shows of a model, and of those that run now.
pub(crate) fn of_ollama(shown: &Value, running: &Value, name: &str) -> ModelFacts {
    ModelFacts {
        context_window: running_window(running, name)
            .or_else(|| set_window(shown))
            .or_else(|| cloud_window(shown)),
        ..model_list::facts_of(shown)
    }
}

/// The window of a model that is loaded.
fn running_window(running: &Value, name: &str) -> Option<u64> {
    let models = running.get("models")?.as_array()?;
    let model = models.iter().find(|model| {
        let is = |member| model.get(member).is_some_and(|known| known == name);
        is("model") || is("name")
    })?;
    positive(model.get("context_length")?)
}

/// The window that the model's own file sets, among its parameters: one a line, `num_ctx  8192`.
fn set_window(shown: &Value) -> Option<u64> {
    let parameters = shown.get("parameters")?.as_str()?;
    parameters.lines().find_map(|line| {
        let (name, value) = line.trim().split_once(char::is_whitespace)?;
        (name == "num_ctx").then(|| value.trim().parse().ok())?
    })
}

/// A model that only passes through here runs elsewhere, with all the room it can use.
fn cloud_window(shown: &Value) -> Option<u64> {
    shown.get("remote_host")?.as_str()?;
    let described = shown.get("model_info")?.as_object()?;
    described
        .iter()
        .find(|(name, _)| name.ends_with(".context_length"))
        .and_then(|(_, length)| positive(length))
}

/// What llama.cpp's server says of itself.
pub(crate) fn of_llama_cpp(properties: &Value) -> ModelFacts {
    let flag = |place| properties.pointer(place).and_then(Value::as_bool);
    ModelFacts {
        context_window: properties
            .pointer("/default_generation_settings/n_ctx")
            .and_then(positive),
        tools: flag("/chat_template_caps/supports_tools"),
        images: flag("/modalities/vision"),
        ..ModelFacts::default()
    }
}

fn positive(number: &Value) -> Option<u64> {
    number.as_u64().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use talaria_domain::ModelFacts;

    use super::{LocalServer, of_llama_cpp, of_ollama, server_of};

    #[test]
    fn a_server_is_known_by_the_owner_of_its_models() {
        for (owner, server) in [
            ("library", Some(LocalServer::Ollama)),
            ("organization_owner", Some(LocalServer::LmStudio)),
            ("llamacpp", Some(LocalServer::LlamaCpp)),
            ("vllm", None),
            ("openai", None),
        ] {
            let list = json!({"data": [{"id": "a"}, {"id": "b", "owned_by": owner}]});
            assert_eq!(server_of(&list), server, "{owner}");
        }
        for list in [json!([]), json!({"data": null}), json!({"data": []})] {
            assert_eq!(server_of(&list), None, "{list}");
        }
    }

    #[test]
    fn ollamas_window_is_the_one_it_has_made_room_for() {
        let info = json!({"qwen3.context_length": 40_960});
        let set = json!({"parameters": "stop x\nnum_ctx      16384"});
        let running =
            json!({"models": [{"name": "q:8b", "model": "q:8b", "context_length": 4_096}]});
        let idle = json!({"models": []});
        for (shown, running, window) in [
            (json!({"model_info": info}), &running, Some(4_096)),
            (set.clone(), &running, Some(4_096)),
            (set, &idle, Some(16_384)),
            (json!({"parameters": "num_ctx many"}), &idle, None),
            (json!({"model_info": info}), &idle, None),
            (
                json!({"model_info": info, "remote_host": "https://models.example"}),
                &idle,
                Some(40_960),
            ),
            (json!({}), &Value::Null, None),
        ] {
            let facts = of_ollama(&shown, running, "q:8b");
            assert_eq!(facts.context_window, window, "{shown} {running}");
        }
    }

    #[test]
    fn ollama_names_what_a_model_can_do() {
        let shown = json!({"capabilities": ["completion", "tools"]});
        let facts = of_ollama(&shown, &Value::Null, "q");
        assert_eq!(facts.tools, Some(true));
        assert_eq!(facts.reasoning, Some(false));
        // An older one names nothing.
        let facts = of_ollama(&json!({"details": {}}), &Value::Null, "q");
        assert_eq!(facts.tools, None);
    }

    #[test]
    fn llama_cpp_tells_the_room_of_one_conversation() {
        let facts = of_llama_cpp(&json!({
            "default_generation_settings": {"n_ctx": 8_192},
            "modalities": {"vision": false, "audio": false},
            "chat_template_caps": {"supports_tools": true},
        }));
        assert_eq!(facts.context_window, Some(8_192));
        assert_eq!((facts.tools, facts.images), (Some(true), Some(false)));
        assert_eq!(of_llama_cpp(&json!({"error": 1})), ModelFacts::default());
    }
}
