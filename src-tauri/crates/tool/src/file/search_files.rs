//! `search_files`: files by name, and lines by what they say. What a `.gitignore` leaves out is left
//! out, links are not followed, and the search ends by itself.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use globset::Glob;
use ignore::WalkBuilder;
use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, Effect, ToolResult, ToolSpec};

use super::place::Place;
use super::text::decode;
use crate::argument::{maybe_words, parse};
use crate::output::off_the_runtime;
use crate::{Tool, ToolContext};

const NAME: &str = "search_files";
/// Hits that are told.
const HITS: usize = 200;
/// Hits of one file that are told.
const HITS_OF_A_FILE: usize = 20;
/// A line is told with so many characters.
const LONGEST_LINE: usize = 300;
/// A search that takes longer tells what it has found so far.
const PATIENCE: Duration = Duration::from_secs(15);
/// Files that are looked at.
const FILES: usize = 50_000;
/// The most memory that a pattern may take, in bytes.
const PATTERN: usize = 1 << 20;

pub(super) struct SearchFiles;

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(default, deserialize_with = "maybe_words")]
    text: Option<String>,
    #[serde(default, deserialize_with = "maybe_words")]
    name: Option<String>,
    #[serde(default, deserialize_with = "maybe_words")]
    path: Option<String>,
    #[serde(default)]
    regex: bool,
}

#[async_trait]
impl Tool for SearchFiles {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Find files by name, or the lines of files that hold a text.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "text": {"type": "string", "description": "What a line must hold."},
                    "name": {"type": "string", "description": "A glob such as *.rs."},
                    "path": {"type": "string", "description": "The folder; the working one unless given."},
                    "regex": {"type": "boolean", "description": "Whether text is a regular expression."},
                },
                "required": [],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let search = Search::of(parse(NAME, arguments.clone())?, context)?;
        let path = search.folder.display().to_string();
        Ok(Act {
            digest: path.clone(),
            effects: vec![Effect::Read { path }],
            ..Act::default()
        })
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let search = parse(NAME, arguments).and_then(|arguments| Search::of(arguments, context));
        match search {
            Ok(search) if search.folder.display().to_string() == context.digest => {
                off_the_runtime(move || search.results()).await
            }
            Ok(_) => ToolResult::failure("Not done: the path leads elsewhere now. Call it again."),
            Err(refused) => refused,
        }
    }
}

/// A search whose parts are understood.
struct Search {
    folder: PathBuf,
    name: Option<String>,
    text: Option<Regex>,
}

impl Search {
    fn of(arguments: Arguments, context: &ToolContext<'_>) -> Result<Self, ToolResult> {
        let Arguments {
            text,
            name,
            path,
            regex,
        } = arguments;
        if text.is_none() && name.is_none() {
            return Err(ToolResult::failure("Not done: give text, name, or both."));
        }
        let pattern = text.map(|text| match regex {
            true => text,
            false => regex::escape(&text),
        });
        let pattern = pattern.map(|pattern| {
            RegexBuilder::new(&pattern)
                .case_insensitive(!pattern.chars().any(char::is_uppercase))
                .size_limit(PATTERN)
                .build()
        });
        let text = pattern.transpose().map_err(|error| {
            ToolResult::failure(format!(
                "Not done: the regular expression is wrong: {error}."
            ))
        })?;
        let place = Place::find(path.as_deref().unwrap_or("."), context)?;
        if !place.is_folder() {
            return Err(ToolResult::failure(format!(
                "Not done: {} is no folder; read_file shows a file.",
                place.display()
            )));
        }
        let folder = place.path();
        Ok(Self { folder, name, text })
    }

    fn results(&self) -> ToolResult {
        let mut walk = WalkBuilder::new(&self.folder);
        walk.hidden(false).follow_links(false).require_git(false);
        walk.filter_entry(|entry| entry.file_name() != ".git");
        let glob = self.name.as_deref().map(Glob::new).transpose();
        let glob = match glob {
            Ok(glob) => glob.map(|glob| glob.compile_matcher()),
            Err(error) => {
                return ToolResult::failure(format!("Not done: the glob is wrong: {error}."));
            }
        };
        let began = Instant::now();
        let mut found = Hits::default();
        for (count, entry) in walk.build().flatten().enumerate() {
            if count >= FILES || began.elapsed() > PATIENCE || found.lines.len() >= HITS {
                found.is_cut = true;
                break;
            }
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let inner = entry
                .path()
                .strip_prefix(&self.folder)
                .unwrap_or(entry.path());
            let is_named = glob.as_ref().is_none_or(|glob| {
                glob.is_match(inner) || glob.is_match(Path::new(entry.file_name()))
            });
            if is_file && is_named {
                self.look_into(inner, &mut found);
            }
        }
        found.told()
    }

    fn look_into(&self, inner: &Path, found: &mut Hits) {
        let shown = inner.display();
        let Some(text) = &self.text else {
            return found.lines.push(shown.to_string());
        };
        // What can't be read, is no text or is too large has no lines to be found in.
        let Ok(Some(bytes)) = Place::inside(&self.folder, inner).read() else {
            return;
        };
        let Ok(decoded) = decode(&bytes) else {
            return;
        };
        let hits = decoded
            .text
            .lines()
            .enumerate()
            .filter(|(_, line)| text.is_match(line));
        for (at, line) in hits.take(HITS_OF_A_FILE) {
            let line: String = line.trim().chars().take(LONGEST_LINE).collect();
            found.lines.push(format!("{shown}:{}: {line}", at + 1));
        }
    }
}

#[derive(Default)]
struct Hits {
    lines: Vec<String>,
    is_cut: bool,
}

impl Hits {
    fn told(mut self) -> ToolResult {
        if self.lines.is_empty() {
            return ToolResult::success("Nothing was found.");
        }
        if self.is_cut {
            self.lines
                .push("[there is more; search for something narrower]".to_owned());
        }
        ToolResult::success(self.lines.join("\n"))
    }
}
