//! What the command line prints: JSON for programs, words in the user's language for people.

use std::io::Write;

use serde::Serialize;
use serde_json::{Value, json};
use talaria_api::{ApiError, Check};
use talaria_domain::Language;

/// Where and how results are printed.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    json: bool,
    language: Language,
}

impl Output {
    pub(crate) fn new(json: bool, language: Language) -> Self {
        Self { json, language }
    }

    pub(crate) fn in_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    pub(crate) fn language(self) -> Language {
        self.language
    }

    /// The words for the user's language.
    pub(crate) fn words<'text>(self, english: &'text str, chinese: &'text str) -> &'text str {
        match self.language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// Prints a list: as one JSON array, or a line for each entry.
    pub(crate) fn show<T: Serialize>(self, entries: &[T], line: impl Fn(&T) -> String) {
        if self.json {
            self.json(&entries);
            return;
        }
        for entry in entries {
            self.line(&line(entry));
        }
        if entries.is_empty() {
            self.line(self.words("Nothing there.", "没有内容。"));
        }
    }

    /// Prints one result.
    pub(crate) fn show_one(self, result: &impl Serialize, text: impl FnOnce() -> String) {
        if self.json {
            self.json(result);
        } else {
            self.line(&text());
        }
    }

    /// Prints one JSON document on a line of its own.
    pub(crate) fn json(self, value: &impl Serialize) {
        match serde_json::to_string(value) {
            Ok(text) => self.line(&text),
            Err(error) => tracing::error!(%error, "a result could not be written"),
        }
    }

    /// Prints a line. A reader that is gone (`talaria … | head`) is no failure.
    pub(crate) fn line(self, text: &str) {
        let _ = writeln!(std::io::stdout(), "{text}");
    }

    /// Prints text without ending the line.
    pub(crate) fn piece(self, text: &str) {
        let mut stdout = std::io::stdout();
        let _ = stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush());
    }

    /// Says something beside the result, on standard error.
    pub(crate) fn aside(self, text: &str) {
        let _ = writeln!(std::io::stderr(), "{text}");
    }

    /// Prints a failure.
    pub(crate) fn error(self, error: ApiError) {
        let error = error.in_language(self.language);
        if self.json {
            self.json(&error_object(&error));
        } else {
            self.aside(&format!(
                "{}{}\n→ {}",
                self.words("Error: ", "错误："),
                error.message,
                error.hint
            ));
        }
    }

    /// What a check of the doctor is called.
    pub(crate) fn check(self, check: Check) -> &'static str {
        let (english, chinese) = match check {
            Check::Connection => ("Connection", "连接"),
            Check::Tools => ("Tools", "工具"),
            Check::CallRoundTrip => ("Tool call round trip", "工具调用往返"),
            Check::SessionWrite => ("Session write", "会话写入"),
            Check::NotesFolder => ("Notes folder", "笔记文件夹"),
            Check::Keyring => ("Key storage", "密钥存放"),
            Check::ContextLimit => ("Context limit", "上下文上限"),
        };
        match self.language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}

/// A failure as an event: the error with its type.
pub(crate) fn error_object(error: &ApiError) -> Value {
    let mut object = serde_json::to_value(error).unwrap_or_else(|_| json!({}));
    if let Some(fields) = object.as_object_mut() {
        fields.insert("type".to_owned(), json!("error"));
    }
    object
}

#[cfg(test)]
mod tests {
    use talaria_api::ApiError;

    use super::error_object;

    #[test]
    fn a_failure_is_an_object_with_type_code_message_and_hint() {
        let error = ApiError::startup(&std::io::Error::other("no threads"));
        let object = error_object(&error);
        assert_eq!(object["type"], "error");
        assert_eq!(object["code"], "internal");
        assert_eq!(object["message"], "no threads");
        assert!(object["hint"].as_str().is_some_and(|hint| !hint.is_empty()));
    }
}
