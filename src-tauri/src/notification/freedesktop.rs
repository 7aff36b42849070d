//! Notifications as freedesktop.org specifies them, over the session's message bus.

use std::collections::HashMap;
use std::future::Future;

use futures_util::StreamExt;
use zbus::Connection;
use zbus::zvariant::Value;

use super::Told;

/// The keys of the actions, as the server gives them back.
const SHOW: &str = "default";
const DENY: &str = "deny";
const ALLOW: &str = "allow";

/// It stays until the question ends: nobody else knows when that is.
const NEVER: i32 = 0;

/// What the user did with a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// They said yes.
    Allowed,
    /// They said no.
    Denied,
    /// They want to see the window.
    Show,
    /// Nothing: it passed, was closed, or the question ended elsewhere.
    Nothing,
}

#[zbus::proxy(
    interface = "org.freedesktop.Notifications",
    default_service = "org.freedesktop.Notifications",
    default_path = "/org/freedesktop/Notifications"
)]
trait Notifications {
    fn get_capabilities(&self) -> zbus::Result<Vec<String>>;

    #[expect(clippy::too_many_arguments, reason = "the interface has so many")]
    fn notify(
        &self,
        app_name: &str,
        replaces_id: u32,
        app_icon: &str,
        summary: &str,
        body: &str,
        actions: &[&str],
        hints: HashMap<&str, &Value<'_>>,
        expire_timeout: i32,
    ) -> zbus::Result<u32>;

    fn close_notification(&self, id: u32) -> zbus::Result<()>;

    #[zbus(signal)]
    fn action_invoked(&self, id: u32, action_key: &str) -> zbus::Result<()>;

    #[zbus(signal)]
    fn notification_closed(&self, id: u32, reason: u32) -> zbus::Result<()>;
}

/// The desktop's notification service.
pub(crate) struct Service(NotificationsProxy<'static>);

impl Service {
    /// The one on the session's bus.
    ///
    /// # Errors
    /// When there is no bus.
    pub(crate) async fn of_session() -> zbus::Result<Self> {
        Self::over(&Connection::session().await?).await
    }

    async fn over(connection: &Connection) -> zbus::Result<Self> {
        Ok(Self(NotificationsProxy::new(connection).await?))
    }

    /// Shows a notification until the user acts on it, closes it, or `ended` comes; it is taken away
    /// then.
    ///
    /// # Errors
    /// When there is no service, or it does not answer.
    pub(crate) async fn ask(
        &self,
        told: &Told,
        ended: impl Future<Output = ()>,
    ) -> zbus::Result<Outcome> {
        let capabilities = self.0.get_capabilities().await?;
        let can = |what: &str| capabilities.iter().any(|known| known == what);
        // Listened to before it is shown, so that no answer is missed.
        let mut invoked = self.0.receive_action_invoked().await?;
        let mut closed = self.0.receive_notification_closed().await?;
        let actions = actions(told, can("actions"));
        let body = match can("body-markup") {
            true => escaped(&told.body),
            false => told.body.clone(),
        };
        let id = self.show(told, &body, &actions).await?;
        let mut ended = std::pin::pin!(ended);
        loop {
            tokio::select! {
                () = &mut ended => {
                    self.0.close_notification(id).await?;
                    return Ok(Outcome::Nothing);
                }
                Some(signal) = invoked.next() => {
                    let signal = signal.args()?;
                    if signal.id == id {
                        return Ok(outcome(signal.action_key, &actions));
                    }
                }
                Some(signal) = closed.next() => {
                    if signal.args()?.id == id {
                        return Ok(Outcome::Nothing);
                    }
                }
                else => return Ok(Outcome::Nothing),
            }
        }
    }

    async fn show(&self, told: &Told, body: &str, actions: &[&str]) -> zbus::Result<u32> {
        let entry = Value::from("talaria");
        let hints = HashMap::from([("desktop-entry", &entry)]);
        let title = &told.title;
        self.0
            .notify("Talaria", 0, "talaria", title, body, actions, hints, NEVER)
            .await
    }
}

/// Keys and words of the actions, in turns. A yes is never the default one.
fn actions(told: &Told, can_act: bool) -> Vec<&str> {
    let mut actions = Vec::new();
    if can_act {
        actions.extend([SHOW, told.show.as_str()]);
        if let Some(answers) = &told.answers {
            actions.extend([DENY, answers.deny.as_str(), ALLOW, answers.allow.as_str()]);
        }
    }
    actions
}

/// What a key stands for; one that was not offered is nothing.
fn outcome(key: &str, offered: &[&str]) -> Outcome {
    match key {
        _ if !offered.iter().step_by(2).any(|known| *known == key) => Outcome::Nothing,
        ALLOW => Outcome::Allowed,
        DENY => Outcome::Denied,
        _ => Outcome::Show,
    }
}

/// The text where the server reads marks in it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
