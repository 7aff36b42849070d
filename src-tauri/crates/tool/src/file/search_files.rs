//! `search_files`: files by name, and lines by what they say. What a `.gitignore` leaves out is left
//! out, links are not followed, files that could not be read without a question are not looked into,
//! and the search ends by itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use globset::{Glob, GlobMatcher};
use ignore::WalkBuilder;
use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Act, Effect, ToolResult, ToolSpec};

use super::change::refused;
use super::place::{Ground, MOVED, Place};
use super::text::decode;
use crate::argument::{maybe_words, parse};
use crate::output::{either, off_the_runtime};
use crate::{Tool, ToolContext, Withheld};

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
                    "path": {"type": "string", "description": "The folder or file; the working folder unless given."},
                    "regex": {"type": "boolean", "description": "Whether text is a regular expression."},
                },
                "required": [],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let (arguments, ground) = (parse(NAME, arguments.clone())?, Ground::of(context));
        let search = off_the_runtime(move || Search::of(arguments, &ground));
        let path = search.await?.root.display().to_string();
        Ok(Act {
            digest: path.clone(),
            effects: vec![Effect::Read { path }],
            ..Act::default()
        })
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let (ground, digest) = (Ground::of(context), context.digest.clone());
        let withheld = Arc::clone(&context.withheld);
        let searched = off_the_runtime(move || {
            let search = Search::of(parse(NAME, arguments)?, &ground)?;
            if search.root.display().to_string() != digest {
                return Err(ToolResult::failure(MOVED));
            }
            Ok(search.results(&withheld))
        });
        either(searched.await)
    }
}

/// A search whose parts are understood.
struct Search {
    /// The folder that is searched, or the one file.
    root: PathBuf,
    is_folder: bool,
    name: Option<GlobMatcher>,
    text: Option<Regex>,
}

impl Search {
    fn of(arguments: Arguments, ground: &Ground) -> Result<Self, ToolResult> {
        let Arguments {
            text,
            name,
            path,
            regex,
        } = arguments;
        if text.is_none() && name.is_none() {
            return Err(ToolResult::failure("Not done: give text, name, or both."));
        }
        let text = text.map(|text| pattern(&text, regex)).transpose();
        let text = text.map_err(|error| {
            ToolResult::failure(format!(
                "Not done: the regular expression is wrong: {error}."
            ))
        })?;
        let name = name.map(|name| Glob::new(&name)).transpose();
        let name = name.map_err(|error| {
            ToolResult::failure(format!("Not done: the glob is wrong: {error}."))
        })?;
        let place = Place::find(path.as_deref().unwrap_or("."), ground)?;
        if !place.exists() {
            return Err(refused(&place.display(), "does not exist"));
        }
        Ok(Self {
            is_folder: place.is_folder(),
            root: place.path(),
            name: name.map(|glob| glob.compile_matcher()),
            text,
        })
    }

    fn results(&self, withheld: &Withheld) -> ToolResult {
        let mut found = Hits::default();
        if self.is_folder {
            self.walk(withheld, &mut found);
        } else {
            // The file was asked for by its name, and judged by it.
            self.look_into(Path::new(""), &mut found);
        }
        found.told()
    }

    fn walk(&self, withheld: &Withheld, found: &mut Hits) {
        let mut walk = WalkBuilder::new(&self.root);
        walk.hidden(false).follow_links(false).require_git(false);
        walk.filter_entry(|entry| entry.file_name() != ".git");
        let began = Instant::now();
        for (count, entry) in walk.build().flatten().enumerate() {
            if count >= FILES || began.elapsed() > PATIENCE || found.lines.len() >= HITS {
                found.is_cut = true;
                break;
            }
            let path = entry.path();
            let inner = path.strip_prefix(&self.root).unwrap_or(path);
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if !is_file || !self.is_named(inner) {
                continue;
            }
            if self.text.is_some() && withheld(path) {
                found.withheld += 1;
            } else {
                self.look_into(inner, found);
            }
        }
    }

    fn is_named(&self, inner: &Path) -> bool {
        self.name.as_ref().is_none_or(|glob| {
            glob.is_match(inner) || inner.file_name().is_some_and(|name| glob.is_match(name))
        })
    }

    fn look_into(&self, inner: &Path, found: &mut Hits) {
        let (folder, inner, shown) = if self.is_folder {
            (self.root.as_path(), inner, inner.display())
        } else {
            let name = self.root.file_name().map_or(Path::new(""), Path::new);
            let folder = self.root.parent().unwrap_or(&self.root);
            (folder, name, name.display())
        };
        let Some(text) = &self.text else {
            return found.lines.push(shown.to_string());
        };
        // What can't be read, is no text or is too large has no lines to be found in.
        let Ok(Some(bytes)) = Place::inside(folder, inner).read() else {
            return;
        };
        let Ok(decoded) = decode(&bytes) else {
            return;
        };
        let lines = decoded.text.lines().enumerate();
        let mut hits = lines.filter(|(_, line)| text.is_match(line));
        let most = if self.is_folder { HITS_OF_A_FILE } else { HITS };
        for (at, line) in hits.by_ref().take(most) {
            let line: String = line.trim().chars().take(LONGEST_LINE).collect();
            found.lines.push(format!("{shown}:{}: {line}", at + 1));
        }
        let more = hits.count();
        if more > 0 {
            let more = format!("{shown}: [{more} more lines; search this file alone to see them]");
            found.lines.push(more);
        }
    }
}

fn pattern(text: &str, is_regex: bool) -> Result<Regex, regex::Error> {
    let pattern = match is_regex {
        true => text.to_owned(),
        false => regex::escape(text),
    };
    RegexBuilder::new(&pattern)
        .case_insensitive(!pattern.chars().any(char::is_uppercase))
        .size_limit(PATTERN)
        .build()
}

#[derive(Default)]
struct Hits {
    lines: Vec<String>,
    is_cut: bool,
    withheld: usize,
}

impl Hits {
    fn told(mut self) -> ToolResult {
        if self.lines.is_empty() {
            self.lines.push("Nothing was found.".to_owned());
        }
        if self.is_cut {
            self.lines
                .push("[there is more; search for something narrower]".to_owned());
        }
        if self.withheld > 0 {
            self.lines.push(format!(
                "[{} files that may hold secrets, or that a rule keeps back, were not searched]",
                self.withheld
            ));
        }
        ToolResult::success(self.lines.join("\n"))
    }
}
