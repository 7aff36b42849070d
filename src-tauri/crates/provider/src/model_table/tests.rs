//! The table is sane, and is read as it is meant.

use std::collections::HashSet;

use talaria_domain::{ModelFacts, Price};
use url::Url;

use super::{TABLE, Table, is_same_version, table_date, table_facts};
use crate::presets;

fn at(address: &str, model: &str) -> ModelFacts {
    table_facts(&Url::parse(address).expect("a URL"), model)
}

/// What is known wherever the model is served.
fn hosted(model: &str) -> ModelFacts {
    at("https://models.example/v1", model)
}

#[test]
fn the_file_can_be_read_and_names_its_day() {
    let read: Result<Table, _> = serde_yaml::from_str(include_str!("../models.yaml"));
    assert!(read.is_ok(), "{read:?}");
    assert_eq!(table_date().len(), "2026-12-01".len());
}

#[test]
fn the_table_is_sane() {
    let mut names = HashSet::new();
    for vendor in TABLE.vendors.values() {
        let bills = vendor.usd.iter().chain(&vendor.cny);
        for host in bills {
            assert!(Url::parse(&format!("https://{host}/v1")).is_ok(), "{host}");
        }
        for entry in &vendor.models {
            let name = &entry.name;
            assert!(names.insert(name), "{name} stands twice");
            assert_eq!(*name, name.to_ascii_lowercase());
            assert!(!name.contains('/'), "{name}");
            if let Some(window) = entry.window {
                assert!((4_096..=4_000_000).contains(&window), "{name}");
                assert!(entry.output.is_none_or(|output| output <= window), "{name}");
            }
            assert!(
                entry
                    .can
                    .iter()
                    .all(|ability| !entry.cannot.contains(ability)),
                "{name} can and cannot"
            );
            assert!(entry.usd.is_none() || !vendor.usd.is_empty(), "{name}");
            assert!(entry.cny.is_none() || !vendor.cny.is_empty(), "{name}");
        }
    }
}

#[test]
fn every_price_is_sane() {
    for vendor in TABLE.vendors.values() {
        for entry in &vendor.models {
            let published = [
                (vendor.usd.first(), entry.usd.is_some()),
                (vendor.cny.first(), entry.cny.is_some()),
            ];
            for (host, has_price) in published {
                let (Some(host), true) = (host, has_price) else {
                    continue;
                };
                let price = TABLE.price(vendor, entry, &entry.name, host);
                assert_sane(&entry.name, price.expect("a price that can be read"));
            }
        }
    }
}

fn assert_sane(name: &str, price: Price) {
    let usual = price.usual;
    assert!(usual.output >= usual.input, "{name}: answers cost more");
    assert!(usual.output <= 600_000_000, "{name}");
    assert!(
        usual
            .cached_input
            .is_none_or(|cached| cached <= usual.input),
        "{name}: a cache saves"
    );
    assert!(usual.cache_written != Some(0), "{name}");
    if let Some(long) = price.long {
        assert!((100_000..1_000_000).contains(&long.above), "{name}");
        assert!(long.rates.input > usual.input, "{name}");
        assert_eq!(
            long.rates.cached_input.is_some(),
            usual.cached_input.is_some(),
            "{name}"
        );
    }
}

#[test]
fn what_every_default_model_can_do_is_known() {
    for preset in presets() {
        let facts = at(&preset.base_url, &preset.default_model);
        let model = &preset.default_model;
        assert!(facts.context_window.is_some(), "{model}");
        assert_eq!(facts.tools, Some(true), "{model}");
    }
}

#[test]
fn the_longest_matching_name_decides() {
    for (model, expected) in [
        ("gpt-4o-2024-11-20", Some(128_000)),
        ("gpt-5.4-mini", Some(400_000)),
        ("gpt-5.4", Some(1_050_000)),
        ("claude-sonnet-4-5", Some(200_000)),
        ("claude-sonnet-5-5", Some(1_000_000)),
        ("deepseek-ai/DeepSeek-V3.2", Some(131_072)),
        ("openai/gpt-oss-120b", Some(131_072)),
        ("models/gemini-3.6-flash", Some(1_048_576)),
        ("GLM-5.2", Some(1_000_000)),
        ("glm-5.1", Some(200_000)),
        ("a-model-nobody-knows", None),
        ("", None),
    ] {
        assert_eq!(hosted(model).context_window, expected, "{model}");
    }
}

#[test]
fn what_a_model_can_do_is_yes_no_or_unknown() {
    let pro = hosted("deepseek-v4-pro");
    assert_eq!((pro.tools, pro.images), (Some(true), Some(false)));
    assert_eq!(hosted("claude-unheard-of").reasoning, None);
    assert_eq!(hosted("a-model-nobody-knows"), ModelFacts::default());
}

#[test]
fn a_price_belongs_to_its_vendors_hosts() {
    let own = at("https://api.openai.com/v1", "gpt-5.4-mini");
    assert_eq!(own.price.map(|price| price.usual.input), Some(750_000));
    for elsewhere in [
        "https://gateway.example/v1",
        "https://api.openai.com.example/v1",
        "https://openrouter.ai/api/v1",
    ] {
        assert_eq!(at(elsewhere, "gpt-5.4-mini").price, None, "{elsewhere}");
    }
}

#[test]
fn a_price_in_yuan_is_turned_into_dollars() {
    let price = at("https://api.moonshot.cn/v1", "kimi-k2.6")
        .price
        .expect("a price");
    // 6.5 yuan at 6.69 for a dollar.
    assert_eq!(price.usual.input, 971_599);
    let price = at("https://api.moonshot.ai/v1", "kimi-k2.6")
        .price
        .expect("a price");
    assert_eq!(price.usual.input, 950_000);
}

#[test]
fn a_long_request_has_rates_of_its_own() {
    let price = at("https://api.openai.com/v1", "gpt-5.6-terra")
        .price
        .expect("a price");
    let long = price.long.expect("rates");
    assert_eq!(long.above, 272_000);
    assert_eq!(
        (price.usual.output, long.rates.output),
        (12_000_000, 18_000_000)
    );
}

#[test]
fn a_later_version_has_its_familys_window_but_no_price() {
    for (model, known) in [
        ("gpt-5.4-mini-2026-03-17", true),
        ("gpt-5.4-mini-latest", true),
        ("gpt-5.4-mini-next", false),
        ("gpt-5.45", false),
        ("gpt-5.9", false),
    ] {
        let facts = at("https://api.openai.com/v1", model);
        assert!(facts.context_window.is_some(), "{model}");
        assert_eq!(facts.price.is_some(), known, "{model}");
    }
}

#[test]
fn a_date_behind_a_name_is_told_from_a_version() {
    for (rest, same) in [
        ("", true),
        ("-latest", true),
        ("-preview", true),
        ("-20251001", true),
        ("-2026-03-17", true),
        ("@20250929", true),
        ("-0309", true),
        ("-260628", true),
        ("-1", false),
        (".7", false),
        ("-mini", false),
        ("-8k", false),
        ("-2026-mini", false),
        ("0", false),
    ] {
        assert_eq!(is_same_version(rest), same, "{rest}");
    }
}

#[test]
fn a_model_of_this_computer_costs_nothing_and_its_server_sets_the_limits() {
    let facts = at("http://127.0.0.1:11434/v1", "gpt-oss:20b");
    assert_eq!(facts.price, Some(Price::FREE));
    assert_eq!(
        (facts.context_window, facts.max_output_tokens),
        (None, None)
    );
    assert_eq!(facts.tools, Some(true));
    let next_door = at("http://192.168.1.20:11434/v1", "gpt-oss:20b");
    assert_eq!((next_door.context_window, next_door.price), (None, None));
    let unknown = at("http://localhost:8080/v1", "something");
    assert_eq!(unknown.price, Some(Price::FREE));
}
