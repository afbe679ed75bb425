//! Whole flows: keys on one side, a real service over HTTP on the other.

mod browse;
mod delete;
mod envelopes;
mod fault_walk;
mod faults;
mod forms;
mod kept;
mod list_export;
mod narrowed;
mod probe;
mod run;
mod sign_in;
mod suites;
mod undo;

use super::support;
use crate::support::prelude::*;
use rundown::config::Profile;
use support::desk::Desk;
use support::served::{behind_a_proxy, key, profile_through};

/// A local service with a recording proxy before it, and the interface at a profile that leads to the proxy.
pub struct Scene {
    pub desk: Desk,
    pub proxy: Proxy,
    pub service: LocalService,
    pub profile: Profile,
}

async fn scene(options: Options) -> Scene {
    scene_with(options, |_| {}).await
}

pub async fn scene_with(options: Options, change: impl FnOnce(&mut Profile)) -> Scene {
    let (service, proxy) = behind_a_proxy(options).await;
    let mut profile = profile_through(&proxy, &service);
    change(&mut profile);
    Scene {
        desk: Desk::open(profile.clone()),
        proxy,
        service,
        profile,
    }
}

impl std::ops::Deref for Scene {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

impl std::ops::DerefMut for Scene {
    fn deref_mut(&mut self) -> &mut Desk {
        &mut self.desk
    }
}

impl Scene {
    /// Waits until the screen says of a run what was done to it, such as `R_4 saved`.
    async fn told(&mut self, done: &str) {
        let says = |desk: &Desk| {
            let screen = desk.screen();
            let mut runs = screen.split("R_").skip(1);
            runs.any(|run| {
                run.trim_start_matches(|c: char| c.is_ascii_digit())
                    .strip_prefix(' ')
                    .is_some_and(|words| words.starts_with(done))
            })
        };
        self.desk.until_that(done, says).await;
    }

    /// Somebody else at the service.
    pub async fn other(&self) -> Other {
        desk_client(&self.service).await
    }

    /// What the start reads is here.
    async fn first_reading(&mut self) {
        let read = |desk: &Desk| {
            let runs = &desk.store.runs();
            runs.read_at().is_some() && !runs.reader.busy()
        };
        self.desk.until_that("the first reading", read).await;
    }

    /// The row under the cursor has been read.
    async fn until_row(&mut self) {
        let here = |desk: &Desk| desk.store.runs().current().is_some();
        self.desk.until_that("the row under the cursor", here).await;
    }

    /// The short id of the run under the cursor of the list.
    fn current_id(&self) -> String {
        let run = self.desk.store.here();
        run.id.clone().unwrap()
    }

    fn is_there(&self, run: &DocRef) -> bool {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let count = "SELECT count(*) FROM runs WHERE ref = ?1";
        let count = database.query_row(count, [key(run)], |row| row.get::<_, i64>(0));
        count.unwrap() > 0
    }

    fn params(&self, method: &str) -> Vec<Value> {
        self.proxy.params(method)
    }
}
