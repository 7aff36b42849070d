//! A model on one line: its name, its window, what it can do, what it costs.

use talaria_api::ListedModel;
use talaria_domain::{ModelFacts, Price};

use crate::output::Output;

/// Names longer than this do not widen the column for all.
const WIDEST_NAME: usize = 48;

/// How wide the columns are.
#[derive(Clone, Copy)]
pub(crate) struct Widths {
    name: usize,
}

impl Widths {
    pub(crate) fn of(models: &[ListedModel]) -> Self {
        let longest = models
            .iter()
            .map(|model| model.name.as_str().chars().count())
            .max();
        Self {
            name: longest.unwrap_or_default().min(WIDEST_NAME),
        }
    }
}

/// The line. What is not known is left out, so that it does not read as a "no".
pub(crate) fn model_line(output: Output, model: &ListedModel, widths: Widths) -> String {
    let facts = &model.facts;
    let window = facts.context_window.map_or_else(String::new, tokens);
    let line = format!(
        "{:<name$}  {window:>6}  {}  {}",
        model.name.as_str(),
        abilities(output, facts),
        facts
            .price
            .map_or_else(String::new, |each| price(output, each)),
        name = widths.name
    );
    line.trim_end().to_owned()
}

fn abilities(output: Output, facts: &ModelFacts) -> String {
    let known = [
        (facts.tools, output.words("tools", "工具")),
        (facts.images, output.words("images", "图片")),
        (facts.documents, "PDF"),
        (facts.reasoning, output.words("reasoning", "思考")),
    ];
    let can: Vec<_> = known
        .into_iter()
        .filter_map(|(able, word)| (able == Some(true)).then_some(word))
        .collect();
    can.join(output.words(", ", "、"))
}

/// Tokens in thousands or millions, as people speak of windows.
fn tokens(count: u64) -> String {
    match count {
        1_000_000.. => format!("{}M", tenths(count, 1_000_000)),
        1_000.. => format!("{}K", count / 1_000),
        _ => count.to_string(),
    }
}

fn tenths(count: u64, unit: u64) -> String {
    let tenths = count.saturating_mul(10) / unit;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        (whole, part) => format!("{whole}.{part}"),
    }
}

/// Dollars for a million tokens, sent and received.
fn price(output: Output, price: Price) -> String {
    let rates = price.usual;
    if rates.input == 0 && rates.output == 0 {
        return output.words("free", "免费").to_owned();
    }
    format!("${} / ${}", dollars(rates.input), dollars(rates.output))
}

fn dollars(millionths: u64) -> String {
    let text = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
    let text = text.trim_end_matches('0');
    text.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use talaria_api::ListedModel;
    use talaria_domain::{Language, ModelFacts, ModelName, Price, Rates};

    use super::{Widths, dollars, model_line, tokens};
    use crate::output::Output;

    fn model(name: &str, facts: ModelFacts) -> ListedModel {
        let name = ModelName::new(name).expect("a name");
        ListedModel { name, facts }
    }

    fn known() -> ModelFacts {
        let usual = Rates {
            input: 750_000,
            output: 4_500_000,
            ..Rates::default()
        };
        ModelFacts {
            context_window: Some(400_000),
            tools: Some(true),
            images: Some(false),
            documents: Some(true),
            reasoning: Some(true),
            price: Some(Price { usual, long: None }),
            ..ModelFacts::default()
        }
    }

    #[test]
    fn a_line_says_what_is_known() {
        let models = [
            model("mini", known()),
            model("unknown-one", ModelFacts::default()),
        ];
        let widths = Widths::of(&models);
        let english = Output::new(false, Language::English);
        assert_eq!(
            model_line(english, &models[0], widths),
            "mini           400K  tools, PDF, reasoning  $0.75 / $4.5"
        );
        assert_eq!(model_line(english, &models[1], widths), "unknown-one");
        let chinese = Output::new(false, Language::Chinese);
        assert!(model_line(chinese, &models[0], widths).contains("工具、PDF、思考"));
    }

    #[test]
    fn a_model_of_this_computer_is_free() {
        let facts = ModelFacts {
            price: Some(Price::FREE),
            ..ModelFacts::default()
        };
        let models = [model("local", facts)];
        let output = Output::new(false, Language::English);
        let line = model_line(output, &models[0], Widths::of(&models));
        assert!(line.ends_with("free"), "{line}");
    }

    #[test]
    fn numbers_are_short_and_true() {
        for (count, text) in [
            (512, "512"),
            (8_192, "8K"),
            (131_072, "131K"),
            (1_000_000, "1M"),
            (1_048_576, "1M"),
            (1_250_000, "1.2M"),
        ] {
            assert_eq!(tokens(count), text);
        }
        for (millionths, text) in [
            (0, "0"),
            (2_800, "0.0028"),
            (750_000, "0.75"),
            (10_000_000, "10"),
        ] {
            assert_eq!(dollars(millionths), text);
        }
    }
}
