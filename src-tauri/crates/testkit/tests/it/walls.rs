//! Who may use whom. A crate that reaches past its wall fails here, with the names of both.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

/// Every crate of the workspace and the crates of ours that it may use.
const WALLS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("note", &["domain"]),
    ("markdown", &["domain"]),
    ("store", &["domain"]),
    ("secret", &["domain"]),
    ("provider", &["domain", "secret"]),
    ("tool", &["domain", "note", "secret"]),
    ("agent", &["domain"]),
    (
        "api",
        &[
            "domain", "store", "note", "secret", "markdown", "provider", "tool", "agent",
        ],
    ),
    ("cli", &["api", "domain"]),
    ("desktop", &["api", "domain"]),
    ("testkit", &["domain"]),
];

/// All that the pure crate may use from outside.
const DOMAIN_MAY_USE: &[&str] = &["serde", "serde_json", "thiserror", "time", "ts-rs", "uuid"];

/// A lean program of this kind has fewer packages than this.
const MOST_PACKAGES: usize = 700;

const LOCK: &str = include_str!("../../../../../Cargo.lock");

fn workspace() -> Metadata {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../Cargo.toml");
    MetadataCommand::new()
        .manifest_path(manifest)
        .no_deps()
        .exec()
        .unwrap()
}

fn short(name: &str) -> Option<&str> {
    name.strip_prefix("talaria-")
}

/// What a package needs to be built, without what only its tests need.
fn uses(package: &Package) -> BTreeSet<&str> {
    let needed = |kind| matches!(kind, DependencyKind::Normal | DependencyKind::Build);
    let dependencies = package.dependencies.iter().filter(|it| needed(it.kind));
    dependencies.map(|it| it.name.as_str()).collect()
}

#[test]
fn each_crate_uses_only_what_its_wall_lets_through() {
    let metadata = workspace();
    let walls: BTreeMap<_, _> = WALLS.iter().copied().collect();
    let mut faults = Vec::new();
    for package in metadata.workspace_packages() {
        let name = short(&package.name).unwrap();
        let Some(allowed) = walls.get(name) else {
            faults.push(format!("{name} is not in the table of walls"));
            continue;
        };
        for used in uses(package).into_iter().filter_map(short) {
            if !allowed.contains(&used) {
                faults.push(format!("{name} may not use {used}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_table_of_walls_names_only_crates_that_exist() {
    let metadata = workspace();
    let packages = metadata.workspace_packages();
    let existing: BTreeSet<_> = packages.iter().filter_map(|it| short(&it.name)).collect();
    for (name, allowed) in WALLS {
        for crate_name in allowed.iter().chain([name]) {
            assert!(
                existing.contains(crate_name),
                "there is no crate {crate_name}"
            );
        }
    }
}

#[test]
fn only_the_shell_knows_the_window() {
    for package in workspace().workspace_packages() {
        let window = uses(package).into_iter().find(|it| it.starts_with("tauri"));
        if package.name.as_str() != "talaria-desktop" {
            assert_eq!(window, None, "{} uses it", package.name);
        }
    }
}

#[test]
fn the_domain_is_pure() {
    let metadata = workspace();
    let packages = metadata.workspace_packages();
    let domain = packages
        .iter()
        .find(|it| it.name.as_str() == "talaria-domain")
        .unwrap();
    let beyond: Vec<_> = uses(domain)
        .into_iter()
        .filter(|used| !DOMAIN_MAY_USE.contains(used))
        .collect();
    assert!(beyond.is_empty(), "the domain uses {beyond:?}");
}

#[test]
fn the_test_kit_is_for_tests_only() {
    for package in workspace().workspace_packages() {
        assert!(
            !uses(package).contains("talaria-testkit"),
            "{} ships it",
            package.name
        );
    }
}

#[test]
fn the_lock_file_stays_lean() {
    let locked = LOCK.lines().filter(|line| *line == "[[package]]").count();
    assert!(
        locked <= MOST_PACKAGES,
        "{locked} packages are locked, at most {MOST_PACKAGES} may be"
    );
}
