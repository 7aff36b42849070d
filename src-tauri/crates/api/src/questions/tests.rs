//! Which answers a question takes, and what is remembered of them.

use talaria_domain::{
    Act, Answer, AskReason, Choice, Effect, ErrorCode, ItemId, Question, QuestionContent,
    QuestionId, Reach, SessionId, Timestamp, TurnId,
};

use super::Questions;

fn session(number: u8) -> SessionId {
    SessionId::from_parts(Timestamp::from_millis(0), [number; 10])
}

fn effects() -> Vec<Effect> {
    vec![Effect::Fetch {
        url: "https://example.org/".into(),
    }]
}

fn question(number: u8, content: QuestionContent) -> Question {
    let (now, random) = (Timestamp::from_millis(i64::from(number)), [number; 10]);
    Question {
        id: QuestionId::from_parts(now, random),
        session_id: session(number),
        turn_id: TurnId::from_parts(now, random),
        item_id: ItemId::from_parts(now, random),
        asked_at: now,
        expires_at: now,
        content,
    }
}

fn permission(reaches: &[Reach]) -> QuestionContent {
    QuestionContent::Permission {
        tool: "web".into(),
        act: Act {
            effects: effects(),
            digest: "shown".into(),
            ..Act::default()
        },
        reason: AskReason::Mode,
        reaches: reaches.to_vec(),
    }
}

fn choice() -> QuestionContent {
    QuestionContent::Choice {
        choice: Choice {
            text: "哪一个？".into(),
            options: vec!["红".into()],
            several: false,
        },
    }
}

fn allow(digest: &str, reach: Reach) -> Answer {
    Answer::Allow {
        digest: digest.into(),
        reach,
    }
}

fn choose() -> Answer {
    Answer::Choose {
        chosen: vec!["红".into()],
    }
}

#[test]
fn an_answer_that_is_none_leaves_its_question_open() {
    let deny = || Answer::Deny { words: None };
    let cases = [
        (permission(&[]), allow("shown", Reach::Once), None),
        (permission(&[]), deny(), None),
        (
            permission(&[]),
            allow("another", Reach::Once),
            Some(ErrorCode::Conflict),
        ),
        (permission(&[]), choose(), Some(ErrorCode::InvalidInput)),
        (choice(), choose(), None),
        (choice(), deny(), None),
        (
            choice(),
            allow("", Reach::Once),
            Some(ErrorCode::InvalidInput),
        ),
    ];
    for (content, answer, refused) in cases {
        let questions = Questions::default();
        let question = question(1, content);
        let mut waiting = questions.open(question.clone());
        let answered = questions.answer(question.id, answer.clone());
        assert_eq!(
            answered.err().map(|error| error.code),
            refused,
            "{answer:?}"
        );
        let came = waiting.answer.try_recv().ok();
        assert_eq!(came, refused.is_none().then_some(answer));
        assert_eq!(questions.is_waiting(session(1)), refused.is_some());
    }
}

#[test]
fn a_question_is_open_until_it_is_answered_or_withdrawn() {
    let questions = Questions::default();
    let (first, second) = (question(1, choice()), question(2, choice()));
    let later = questions.open(second.clone());
    let earlier = questions.open(first.clone());
    assert_eq!(questions.list(None), [first.clone(), second.clone()]);
    assert_eq!(questions.list(Some(session(2))), [second]);
    questions.answer(first.id, choose()).unwrap();
    let again = questions.answer(first.id, choose()).unwrap_err();
    assert_eq!(again.code, ErrorCode::NotFound);
    drop((earlier, later));
    assert_eq!(questions.list(None), []);
}

#[test]
fn only_a_yes_that_may_reach_so_far_is_remembered_and_for_its_session_alone() {
    let cases = [
        (vec![Reach::Session], Reach::Session, true),
        (vec![Reach::Session], Reach::Once, false),
        (vec![], Reach::Session, false),
        (vec![Reach::Always], Reach::Always, false),
    ];
    for (reaches, reach, lasts) in cases {
        let questions = Questions::default();
        let question = question(1, permission(&reaches));
        let _waiting = questions.open(question.clone());
        questions
            .answer(question.id, allow("shown", reach))
            .unwrap();
        let kept = if lasts { vec![effects()] } else { vec![] };
        assert_eq!(questions.remembered(session(1)), kept, "{reach:?}");
        assert!(questions.remembered(session(2)).is_empty());
    }
}
