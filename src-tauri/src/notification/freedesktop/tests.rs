//! Notifications on a message bus of the test's own, with a service that plays the user.

use std::collections::HashMap;
use std::future::pending;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use zbus::connection::Builder;
use zbus::object_server::SignalEmitter;
use zbus::zvariant::OwnedValue;

use super::super::{Answers, Told};
use super::{Outcome, Service};

/// A bus that ends with the test.
struct Bus {
    address: String,
    _daemon: Child,
}

impl Bus {
    async fn start() -> Self {
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address=1"])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("dbus-daemon is installed");
        let stdout = daemon.stdout.take().expect("it is piped");
        let address = BufReader::new(stdout).lines().next_line().await;
        Self {
            address: address.expect("it can be read").expect("it has an address"),
            _daemon: daemon,
        }
    }

    fn builder(&self) -> Builder<'_> {
        Builder::address(self.address.as_str()).expect("it is an address")
    }
}

/// What was shown, and what the user is to do with it.
struct Desktop {
    shown: Arc<Mutex<Vec<String>>>,
    capabilities: Vec<String>,
    /// The keys that are given back, one after the other; blank closes the notification.
    does: Vec<(u32, &'static str)>,
}

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Desktop {
    fn get_capabilities(&self) -> Vec<String> {
        self.capabilities.clone()
    }

    #[expect(clippy::too_many_arguments, reason = "the interface has so many")]
    async fn notify(
        &self,
        _app_name: String,
        _replaces_id: u32,
        _app_icon: String,
        summary: String,
        body: String,
        actions: Vec<String>,
        _hints: HashMap<String, OwnedValue>,
        expire_timeout: i32,
        #[zbus(signal_emitter)] emitter: SignalEmitter<'_>,
    ) -> u32 {
        let shown = format!("{summary}|{body}|{}|{expire_timeout}", actions.join(","));
        self.shown.lock().expect("nobody panicked").push(shown);
        for (id, key) in &self.does {
            let told = match *key {
                "" => Self::notification_closed(&emitter, *id, 2).await,
                key => Self::action_invoked(&emitter, *id, key).await,
            };
            told.expect("it is sent");
        }
        7
    }

    fn close_notification(&self, id: u32) {
        let closed = format!("closed {id}");
        self.shown.lock().expect("nobody panicked").push(closed);
    }

    #[zbus(signal)]
    async fn action_invoked(
        emitter: &SignalEmitter<'_>,
        id: u32,
        action_key: &str,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn notification_closed(
        emitter: &SignalEmitter<'_>,
        id: u32,
        reason: u32,
    ) -> zbus::Result<()>;
}

fn told(answers: bool) -> Told {
    Told {
        title: "May Talaria do this?".into(),
        body: "Run: cat a < b & c".into(),
        answers: answers.then(|| Answers {
            deny: "Deny".into(),
            allow: "Allow once".into(),
            digest: "d".into(),
        }),
        show: "Show".into(),
    }
}

/// Shows a notification to a user who does these things, and tells what was shown.
async fn asked(
    capabilities: &[&str],
    told: &Told,
    does: Vec<(u32, &'static str)>,
    ended: impl Future<Output = ()>,
) -> (Outcome, Vec<String>) {
    let bus = Bus::start().await;
    let shown = Arc::<Mutex<Vec<String>>>::default();
    let desktop = Desktop {
        shown: Arc::clone(&shown),
        capabilities: capabilities.iter().map(|it| (*it).to_owned()).collect(),
        does,
    };
    let _serving = bus
        .builder()
        .name("org.freedesktop.Notifications")
        .and_then(|it| it.serve_at("/org/freedesktop/Notifications", desktop))
        .expect("it can be served")
        .build()
        .await
        .expect("it is served");
    let connection = bus.builder().build().await.expect("it connects");
    let service = Service::over(&connection).await.expect("it is there");
    let outcome = service.ask(told, ended).await.expect("it answers");
    let shown = shown.lock().expect("nobody panicked").clone();
    (outcome, shown)
}

#[tokio::test]
async fn the_users_answer_is_handed_on() {
    for (does, outcome) in [
        (vec![(7, "allow")], Outcome::Allowed),
        (vec![(7, "deny")], Outcome::Denied),
        (vec![(7, "default")], Outcome::Show),
        (vec![(7, "")], Outcome::Nothing),
        // What others do with other notifications is nothing to this one.
        (vec![(6, "allow"), (6, ""), (7, "deny")], Outcome::Denied),
        (vec![(7, "format-disk")], Outcome::Nothing),
    ] {
        let told = told(true);
        let (done, shown) = asked(&["actions"], &told, does.clone(), pending()).await;
        assert_eq!(done, outcome, "{does:?}");
        assert_eq!(
            shown,
            ["May Talaria do this?|Run: cat a < b & c|default,Show,deny,Deny,allow,Allow once|0"]
        );
    }
}

#[tokio::test]
async fn a_yes_that_was_not_offered_is_none() {
    let (done, shown) = asked(&["actions"], &told(false), vec![(7, "allow")], pending()).await;
    assert_eq!(done, Outcome::Nothing);
    assert!(shown.concat().ends_with("|default,Show|0"), "{shown:?}");
    let (done, shown) = asked(&[], &told(true), vec![(7, "allow")], pending()).await;
    assert_eq!(done, Outcome::Nothing);
    assert!(shown.concat().ends_with("||0"), "{shown:?}");
}

#[tokio::test]
async fn a_text_is_no_marks_where_the_server_reads_them() {
    let capabilities = ["actions", "body-markup"];
    let (_, shown) = asked(&capabilities, &told(true), vec![(7, "")], pending()).await;
    assert!(shown.concat().contains("cat a &lt; b &amp; c"), "{shown:?}");
}

#[tokio::test]
async fn a_question_that_ends_elsewhere_takes_its_notification_away() {
    let (done, shown) = asked(&["actions"], &told(true), Vec::new(), async {}).await;
    assert_eq!(done, Outcome::Nothing);
    assert_eq!(shown.last().map(String::as_str), Some("closed 7"));
}
