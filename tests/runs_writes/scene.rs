//! The background task at a service that answers by a script.

use crate::support::prelude::*;
use rundown::disk::WriteRecord;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::bench::{LIMIT, start};
use super::support::served::profile_of_script;

/// Signed in at such a service.
pub struct Scene {
    pub service: Scripted,
    pub folder: tempfile::TempDir,
    effects: UnboundedSender<Effect>,
    events: UnboundedReceiver<Event>,
}

impl Scene {
    pub async fn new(script: impl Fn(&Seen, usize) -> Say + Send + Sync + 'static) -> Self {
        let service = Scripted::service(script).await;
        let mut profile = profile_of_script(&service).await;
        profile.read_again = [20, 50, 100].map(Duration::from_millis).into();
        let folder = new_folder();
        let (effects, mut events) = start(vec![profile], folder.path());
        while !matches!(events.recv().await.unwrap(), Event::SignedIn { .. }) {}
        Self {
            service,
            folder,
            effects,
            events,
        }
    }

    /// The first event that `take` takes after an effect.
    pub async fn after<T>(&mut self, effect: Effect, take: impl Fn(Event) -> Option<T>) -> T {
        self.effects.send(effect).unwrap();
        loop {
            let event = tokio::time::timeout(LIMIT, self.events.recv())
                .await
                .unwrap()
                .unwrap();
            if let Some(taken) = take(event) {
                return taken;
            }
        }
    }

    pub fn journal(&self) -> Vec<WriteRecord> {
        Journal::open(self.folder.path())
            .unwrap()
            .newest(None)
            .unwrap()
            .writes
    }
}
