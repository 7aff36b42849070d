//! Histories in the form that a dialect asks for.

use talaria_domain::Message;

use super::{model, result, said, settle, spoke, system, user};
use crate::dialect::{Dialect, Quirk};
use crate::history::Turn;

fn adapted(quirk: Quirk, messages: Vec<Message>) -> Vec<Turn> {
    settle(messages)
        .adapted(&Dialect::default().with(quirk))
        .turns
}

fn two_calls() -> Vec<Message> {
    vec![
        system("s"),
        user("a"),
        model("b", &["1", "2"]),
        result("1", "r"),
        result("2", "t"),
        user("c"),
    ]
}

#[test]
fn a_history_takes_the_form_that_a_dialect_asks_for() {
    let called = || spoke("b", &[("1", "r"), ("2", "t")]);
    let told = [
        said("a"),
        spoke(
            "b\n\n(I used the tool now with {}.)\n\n(I used the tool now with {}.)",
            &[],
        ),
        said("(The tool now answered:)\nr\n\n(The tool now answered:)\nt\n\nc"),
    ];
    assert_eq!(adapted(Quirk::NoTools, two_calls()), told);
    assert_eq!(adapted(Quirk::CallsInWords, two_calls()), told);
    assert_eq!(
        adapted(Quirk::SingleCalls, two_calls()),
        [
            said("a"),
            spoke("b", &[("1", "r")]),
            spoke("", &[("2", "t")]),
            said("c"),
        ]
    );
    assert_eq!(
        adapted(Quirk::SpokenBridge, two_calls()),
        [
            said("a"),
            called(),
            spoke("(I was stopped here.)", &[]),
            said("c")
        ]
    );
    assert_eq!(
        adapted(Quirk::SystemInUser, two_calls()),
        [said("s\n\na"), called(), said("c")]
    );
    let unchanged = adapted(Quirk::NoStreamOptions, two_calls());
    assert_eq!(unchanged, [said("a"), called(), said("c")]);
}
