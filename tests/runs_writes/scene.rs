//! The background task at a service that answers by a script.

use crate::support::prelude::*;
use rundown::disk::WriteRecord;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use url::Url;

use super::bench::{LIMIT, start};

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
        // The profile of a real one, led elsewhere.
        let local = LocalService::start(options(|it| (it.runs, it.suites) = (1, 1)), |_, _| {})
            .await
            .unwrap();
        let mut profile = rundown::demo::profile(&local.profile()).unwrap();
        profile.base_url = Url::parse(&format!("{}/api", service.base)).unwrap();
        profile.idp_url = Url::parse(&service.base).unwrap();
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
            .read(100, None)
            .unwrap()
            .writes
    }
}
