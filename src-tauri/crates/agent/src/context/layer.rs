//! What a request takes, layer by layer, of what is really sent.

use std::collections::BTreeMap;

use talaria_domain::{
    Attachment, ContextLayer, ContextReport, Item, ItemContent, LayerKind, ToolResult, ToolSpec,
};

use super::{Context, Place, cap};
use crate::prompt::parts;

/// What a message takes beside its text.
const OVERHEAD: u64 = 4;

impl Context {
    /// Measures the request that these would make.
    #[must_use]
    pub fn measure(&self, running: &[Item], tools: &[ToolSpec]) -> ContextReport {
        let marks = self.marks(running);
        let mut layers = BTreeMap::new();
        let mut add = |kind: LayerKind, tokens: u64| *layers.entry(kind).or_insert(0) += tokens;
        let (rules, files) = parts(&self.system);
        add(LayerKind::Rules, self.budget.count_once(rules));
        add(LayerKind::ContextFiles, self.budget.count_once(files));
        add(LayerKind::Tools, self.tools(tools));
        if let Some(opening) = self.opening() {
            add(
                LayerKind::Summary,
                self.budget.count_once(&opening) + OVERHEAD,
            );
        }
        for (turn, past) in self.past.iter().enumerate() {
            for item in self.sent_of(turn, &past.items, marks) {
                let kind = match item.content {
                    ItemContent::ToolCall { .. } => LayerKind::EarlierSteps,
                    _ => LayerKind::History,
                };
                add(kind, self.tokens_of(&item, self.may_recall(past)));
            }
        }
        for item in self.sent_of(self.past.len(), running, marks) {
            let kind = match item.content {
                ItemContent::UserText { .. } => LayerKind::Input,
                _ => LayerKind::Steps,
            };
            add(kind, self.tokens_of(&item, true));
        }
        ContextReport {
            window: self.budget.window(),
            reserved: self.budget.reserve(),
            layers: layers
                .into_iter()
                .filter(|(_, tokens)| *tokens > 0)
                .map(|(kind, tokens)| ContextLayer {
                    kind,
                    tokens: self.budget.gauge.scaled(tokens),
                    cap: cap(kind, self.budget.window()),
                })
                .collect(),
        }
    }

    /// All items, with what each takes as it is sent.
    pub(crate) fn sizes(&self, running: &[Item]) -> Vec<(Place, u64)> {
        let marks = self.marks(running);
        let turns = self
            .past
            .iter()
            .map(|past| (past.items.as_slice(), self.may_recall(past)));
        let mut sizes = Vec::new();
        for (turn, (items, may_recall)) in turns.chain([(running, true)]).enumerate() {
            for (place, sent) in self.placed(turn, items, marks) {
                let tokens = sent.map_or(0, |item| self.tokens_of(&item, may_recall));
                sizes.push((place, self.budget.gauge.scaled(tokens)));
            }
        }
        sizes
    }

    fn tools(&self, tools: &[ToolSpec]) -> u64 {
        tools
            .iter()
            .map(|tool| {
                let schema = tool.parameters.to_string();
                let told = [tool.name.as_str(), &tool.description, &schema];
                told.map(|text| self.budget.count_once(text))
                    .iter()
                    .sum::<u64>()
                    + OVERHEAD
            })
            .sum()
    }

    fn tokens_of(&self, item: &Item, may_recall: bool) -> u64 {
        let count = |text: &str| self.budget.count(text);
        let known =
            |bytes: usize, counted: &dyn Fn() -> u64| self.budget.gauge.of(item.id, bytes, counted);
        match &item.content {
            ItemContent::UserText { text, attachments } => {
                let files: u64 = attachments.iter().map(tokens_of_attachment).sum();
                known(text.len(), &|| count(text)) + files + OVERHEAD
            }
            ItemContent::ModelText { text } => known(text.len(), &|| count(text)) + OVERHEAD,
            ItemContent::Reasoning { .. } if !may_recall => 0,
            // What a service seals for itself is about as long as what it stands for.
            ItemContent::Reasoning { text, echo } => {
                let sealed = echo.as_ref().map(|echo| echo.to_string().len() / 4);
                let sealed = u64::try_from(sealed.unwrap_or(0)).unwrap_or(u64::MAX);
                known(text.len(), &|| count(text)).max(sealed)
            }
            ItemContent::ToolCall { call, result, .. } => {
                let arguments = call.arguments.to_string();
                let told = result.as_ref().map_or("", |result| result.text.as_str());
                let beside = result.as_ref().map_or(0, beside);
                known(arguments.len() + told.len(), &|| {
                    count(&call.name) + count(&arguments) + count(told)
                }) + beside
                    + 2 * OVERHEAD
            }
            ItemContent::Notice { .. } => 0,
        }
    }
}

/// What is sent beside a result's own text: the marks of data with its source, and our advice.
fn beside(result: &ToolResult) -> u64 {
    const MARKS: usize = 40;
    const WARNING: usize = 90;
    let marks = result.source.as_ref().map_or(0, |it| it.len() + MARKS);
    let warning = if result.suspicions.is_empty() {
        0
    } else {
        WARNING
    };
    let advice = result.advice.as_ref().map_or(0, String::len);
    u64::try_from((marks + warning + advice).div_ceil(3)).unwrap_or(u64::MAX)
}

/// A picture takes about as much as services charge for one of the size that is sent; of a file
/// its text is sent.
fn tokens_of_attachment(attachment: &Attachment) -> u64 {
    const IMAGE: u64 = 1_500;
    if attachment.is_image() {
        IMAGE
    } else {
        // Three bytes are a Chinese character, and a token; English takes somewhat less.
        attachment.size.div_ceil(3)
    }
}
