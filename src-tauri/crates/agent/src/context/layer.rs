//! What a request takes, layer by layer, of what is really sent.

use std::collections::BTreeMap;

use talaria_domain::{
    Attachment, ContextLayer, ContextReport, Item, ItemContent, LayerKind, ToolSpec,
};

use super::{Context, Place};
use crate::prompt::parts;

/// What a message takes beside its text.
const OVERHEAD: u64 = 4;

impl Context {
    /// Measures the request that these would make.
    pub(crate) fn measure(&self, running: &[Item], tools: &[ToolSpec]) -> ContextReport {
        let marks = self.marks(running);
        let mut layers = BTreeMap::new();
        let mut add = |kind: LayerKind, tokens: u64| *layers.entry(kind).or_insert(0) += tokens;
        let (rules, files) = parts(&self.system);
        add(LayerKind::Rules, self.budget.count_once(rules));
        add(LayerKind::ContextFiles, self.budget.count_once(files));
        add(LayerKind::Tools, self.tools(tools));
        if let Some(summary) = self.summary() {
            add(
                LayerKind::Summary,
                self.budget.count_once(summary) + OVERHEAD,
            );
        }
        for (turn, past) in self.past.iter().enumerate() {
            for item in self.sent_of(turn, &past.items, marks) {
                let kind = match item.content {
                    ItemContent::ToolCall { .. } => LayerKind::EarlierSteps,
                    _ => LayerKind::History,
                };
                add(kind, self.tokens_of(&item, past.is_own));
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
                    cap: None,
                })
                .collect(),
        }
    }

    /// The items from a place on, with what each takes.
    pub(crate) fn sizes(&self, running: &[Item]) -> Vec<(Place, u64)> {
        let turns = self
            .past
            .iter()
            .map(|past| (past.items.as_slice(), past.is_own));
        let mut sizes = Vec::new();
        for (turn, (items, is_own)) in turns.chain([(running, true)]).enumerate() {
            for (item, content) in items.iter().enumerate() {
                let tokens = self.tokens_of(content, is_own);
                sizes.push((Place { turn, item }, self.budget.gauge.scaled(tokens)));
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
                known(arguments.len() + told.len(), &|| {
                    count(&call.name) + count(&arguments) + count(told)
                }) + 2 * OVERHEAD
            }
            ItemContent::Notice { .. } => 0,
        }
    }
}

/// A picture takes about as much as services charge for one of the size that is sent; of a file
/// its text is sent.
fn tokens_of_attachment(attachment: &Attachment) -> u64 {
    const IMAGE: u64 = 1_500;
    if attachment.is_image() {
        IMAGE
    } else {
        attachment.size.div_ceil(4)
    }
}
