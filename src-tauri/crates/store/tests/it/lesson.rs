//! What services have taught about their models.

use crate::fixture::{NOW, Root};

#[test]
fn a_lesson_is_known_after_a_restart_for_its_own_model_alone() {
    let root = Root::new();
    let keep = |subject: &str, content: &str| {
        root.store
            .keep_lesson("http://a.example/v1", "m", subject, content, NOW)
            .unwrap();
    };
    keep("window", "8192");
    keep("window", "4096");
    keep("dialect", "{}");
    let (root, _) = root.reopen(NOW);
    let known = |address: &str, model: &str, subject: &str| {
        root.store.lesson(address, model, subject).unwrap()
    };
    assert_eq!(
        known("http://a.example/v1", "m", "window").as_deref(),
        Some("4096")
    );
    assert_eq!(
        known("http://a.example/v1", "m", "dialect").as_deref(),
        Some("{}")
    );
    assert_eq!(known("http://a.example/v1", "n", "window"), None);
    assert_eq!(known("http://b.example/v1", "m", "window"), None);
}

#[test]
fn a_forgotten_lesson_is_gone() {
    let root = Root::new();
    root.store
        .keep_lesson("a", "m", "window", "1", NOW)
        .unwrap();
    root.store.forget_lesson("a", "m", "window").unwrap();
    assert_eq!(root.store.lesson("a", "m", "window").unwrap(), None);
}
