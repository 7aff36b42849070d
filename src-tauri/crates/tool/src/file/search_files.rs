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
use super::place::{Ground, MOVED, Place, PlaceError};
use super::text::decode;
use crate::argument::{maybe_words, parse};
use crate::output::{either, off_the_runtime};
use crate::{Tool, ToolContext, Withheld};

const NAME: &str = "search_files";
/// Hits that are told.
const HITS: usize = 200;
/// Hits that are told of one file among others.
const HITS_OF_A_FILE: usize = 20;
/// Files left out that are told by their names.
const NAMED: usize = 10;
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
            return found.told();
        }
        // The file was asked for by its name, and judged by it.
        let name = self.root.file_name().map_or(Path::new(""), Path::new);
        let folder = self.root.parent().unwrap_or(&self.root);
        if !self.is_named(name) {
            return found.told();
        }
        match self.look_into(folder, name, HITS, &mut found) {
            Ok(0) => {}
            Ok(more) => found.cut = Some(format!("{more} more lines hold it")),
            Err(unread) => return refused(&self.root.display().to_string(), unread.why()),
        }
        found.told()
    }

    fn walk(&self, withheld: &Withheld, found: &mut Hits) {
        let mut walk = WalkBuilder::new(&self.root);
        walk.hidden(false).follow_links(false).require_git(false);
        walk.filter_entry(|entry| entry.file_name() != ".git");
        let began = Instant::now();
        for (count, entry) in walk.build().flatten().enumerate() {
            found.cut = ended(count, began, found.lines.len());
            if found.cut.is_some() {
                break;
            }
            let path = entry.path();
            let inner = path.strip_prefix(&self.root).unwrap_or(path);
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if !is_file || !self.is_named(inner) {
                continue;
            }
            if self.text.is_some() && withheld(path) {
                found.withheld.add(inner);
                continue;
            }
            match self.look_into(&self.root, inner, HITS_OF_A_FILE, found) {
                Ok(0) | Err(Unread::NoText) => {}
                Ok(more) => found.lines.push(format!(
                    "{}: [{more} more lines; search this file alone to see them]",
                    inner.display()
                )),
                Err(Unread::TooLarge | Unread::Unreadable) => found.unread.add(inner),
            }
        }
    }

    fn is_named(&self, inner: &Path) -> bool {
        self.name.as_ref().is_none_or(|glob| {
            glob.is_match(inner) || inner.file_name().is_some_and(|name| glob.is_match(name))
        })
    }

    /// Adds the hits of one file, at most so many, and tells how many there are beyond them.
    fn look_into(
        &self,
        folder: &Path,
        inner: &Path,
        most: usize,
        found: &mut Hits,
    ) -> Result<usize, Unread> {
        let shown = inner.display();
        let Some(text) = &self.text else {
            found.lines.push(shown.to_string());
            return Ok(0);
        };
        let bytes = match Place::inside(folder, inner).read() {
            Ok(bytes) => bytes.unwrap_or_default(),
            Err(PlaceError::TooLarge(..)) => return Err(Unread::TooLarge),
            Err(_) => return Err(Unread::Unreadable),
        };
        let decoded = decode(&bytes).map_err(|_| Unread::NoText)?;
        let lines = decoded.text.lines().enumerate();
        let mut hits = lines.filter(|(_, line)| text.is_match(line));
        for (at, line) in hits.by_ref().take(most) {
            let line: String = line.trim().chars().take(LONGEST_LINE).collect();
            found.lines.push(format!("{shown}:{}: {line}", at + 1));
        }
        Ok(hits.count())
    }
}

/// Why the lines of a file are not known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unread {
    NoText,
    TooLarge,
    Unreadable,
}

impl Unread {
    fn why(self) -> &'static str {
        match self {
            Self::NoText => "is not a text file",
            Self::TooLarge => "is larger than 5 MB; search it with a command",
            Self::Unreadable => "can't be read",
        }
    }
}

/// Why a search ends before it has seen all.
fn ended(entries: usize, began: Instant, hits: usize) -> Option<String> {
    if hits >= HITS {
        Some(format!("there may be more than these {HITS} hits"))
    } else if entries >= FILES {
        Some(format!("only the first {FILES} files were looked at"))
    } else if began.elapsed() > PATIENCE {
        let seconds = PATIENCE.as_secs();
        Some(format!("the search was ended after {seconds} s"))
    } else {
        None
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
    /// Why these are not all.
    cut: Option<String>,
    withheld: LeftOut,
    unread: LeftOut,
}

impl Hits {
    fn told(mut self) -> ToolResult {
        if self.lines.is_empty() {
            self.lines.push("Nothing was found.".to_owned());
        }
        if let Some(cut) = self.cut {
            let narrower = "search a narrower path, name or text for the rest";
            self.lines.push(format!("[{cut}; {narrower}]"));
        }
        let withheld = "Not searched, as they may hold secrets or a rule keeps them back";
        let unread = "Not searched, as they are too large or can't be read";
        self.lines.extend(self.withheld.told(withheld));
        self.lines.extend(self.unread.told(unread));
        ToolResult::success(self.lines.join("\n"))
    }
}

/// Files that were not looked into: the names of the first, and how many.
#[derive(Default)]
struct LeftOut {
    names: Vec<String>,
    count: usize,
}

impl LeftOut {
    fn add(&mut self, inner: &Path) {
        self.count += 1;
        if self.names.len() < NAMED {
            self.names.push(inner.display().to_string());
        }
    }

    fn told(&self, why: &str) -> Option<String> {
        let more = match self.count - self.names.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (self.count > 0).then(|| format!("[{why}: {}{more}]", self.names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::{FILES, HITS, Hits, LeftOut, NAMED, PATIENCE, ended};

    #[test]
    fn a_search_that_ends_early_says_why() {
        let now = Instant::now();
        let long_ago = now.checked_sub(PATIENCE + Duration::from_secs(1)).unwrap();
        for (entries, began, hits, told) in [
            (0, now, HITS, Some("more than these 200 hits")),
            (FILES, now, 0, Some("the first 50000 files")),
            (0, long_ago, 0, Some("after 15 s")),
            (FILES - 1, now, HITS - 1, None),
        ] {
            let cut = ended(entries, began, hits);
            match told {
                Some(told) => assert!(cut.clone().unwrap().contains(told), "{cut:?}"),
                None => assert_eq!(cut, None),
            }
            let is_cut = cut.is_some();
            let hits = Hits {
                cut,
                ..Hits::default()
            };
            assert_eq!(hits.told().text.contains("for the rest"), is_cut);
        }
    }

    #[test]
    fn files_left_out_are_named_and_many_are_counted() {
        let mut left_out = LeftOut::default();
        assert_eq!(left_out.told("Kept"), None);
        left_out.add(Path::new("a/.env"));
        assert_eq!(left_out.told("Kept").unwrap(), "[Kept: a/.env]");
        for _ in 0..NAMED + 4 {
            left_out.add(Path::new("b"));
        }
        let told = left_out.told("Kept").unwrap();
        assert!(told.ends_with("b, b and 5 more]"), "{told}");
    }
}
