//! What a service wants to see again with a later request, sealed for whoever made it.
//!
//! Signed thoughts, encrypted reasoning and the like mean something only to the service, mostly
//! only to the model, that made them; any other refuses them. So they are kept unread under a
//! [`Maker`]'s name and opened only for the same one. Readers of all protocols seal, writers of
//! requests open.

mod outline;

use serde_json::{Map, Value, json};

pub(crate) use outline::{Outline, Piece};

/// Who made what is to be echoed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Maker {
    host: String,
    model: Option<String>,
}

impl Maker {
    /// A service, whichever of its models.
    pub(crate) fn service(host: &str) -> Self {
        Self {
            host: host.to_owned(),
            model: None,
        }
    }

    /// One model of a service.
    pub(crate) fn model(host: &str, model: &str) -> Self {
        Self {
            host: host.to_owned(),
            model: Some(model.to_owned()),
        }
    }

    /// Marks what came from this maker.
    pub(crate) fn seal(&self, kept: Value) -> Value {
        let mut sealed = Map::new();
        sealed.insert("host".to_owned(), json!(self.host));
        if let Some(model) = &self.model {
            sealed.insert("model".to_owned(), json!(model));
        }
        sealed.insert("kept".to_owned(), kept);
        Value::Object(sealed)
    }

    /// What was sealed, if this maker made it.
    pub(crate) fn open<'a>(&self, sealed: Option<&'a Value>) -> Option<&'a Value> {
        let sealed = sealed?;
        let text = |member: &str| sealed.get(member).and_then(Value::as_str);
        let is_own =
            text("host") == Some(self.host.as_str()) && text("model") == self.model.as_deref();
        sealed.get("kept").filter(|_| is_own)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Maker;

    #[test]
    fn only_its_maker_gets_it_back() {
        let kept = json!({"signature": "abc"});
        let service = Maker::service("one.example");
        let model = Maker::model("one.example", "m");
        let sealed = service.seal(kept.clone());
        assert_eq!(service.open(Some(&sealed)), Some(&kept));
        let sealed_by_model = model.seal(kept.clone());
        assert_eq!(model.open(Some(&sealed_by_model)), Some(&kept));
        for (other, sealed) in [
            (Maker::service("two.example"), &sealed),
            (Maker::service(""), &sealed),
            (model, &sealed),
            (service, &sealed_by_model),
            (Maker::model("one.example", "n"), &sealed_by_model),
            (Maker::model("two.example", "m"), &sealed_by_model),
        ] {
            assert_eq!(other.open(Some(sealed)), None, "{other:?}");
        }
    }

    #[test]
    fn what_nobody_sealed_is_not_opened() {
        let maker = Maker::service("one.example");
        for odd in [
            json!(null),
            json!("kept"),
            json!({"host": "one.example"}),
            json!({"kept": 1}),
            json!({"host": 1, "kept": 1}),
        ] {
            assert_eq!(maker.open(Some(&odd)), None::<&Value>, "{odd}");
        }
        assert_eq!(maker.open(None), None);
    }
}
