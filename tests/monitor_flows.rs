//! Watching over HTTP: keys on one side, a local service with others at work on the other.

#[path = "monitor/demo.rs"]
mod demo;
#[path = "monitor/export.rs"]
mod export;
#[path = "monitor/over_http.rs"]
mod over_http;
#[path = "monitor/views_over_http.rs"]
mod views_over_http;
#[path = "monitor/walk.rs"]
mod walk;

use super::support;
use crate::support::prelude::*;
use rundown::config::Profile;
use support::desk::Desk;
use support::served::{behind_a_proxy, profile_through};

/// A local service behind a recording proxy, and the interface at a profile that leads there.
struct Scene {
    desk: Desk,
    proxy: Proxy,
    service: LocalService,
    profile: Profile,
}

async fn scene(options: Options, change: impl FnOnce(&mut Profile)) -> Scene {
    // The start of a service is a large future.
    Box::pin(opened(options, change)).await
}

async fn opened(options: Options, change: impl FnOnce(&mut Profile)) -> Scene {
    let (service, proxy) = behind_a_proxy(options).await;
    let mut profile = profile_through(&proxy, &service);
    change(&mut profile);
    let mut desk = Desk::open(profile.clone());
    desk.until("\nrun 1 of").await;
    Scene {
        desk,
        proxy,
        service,
        profile,
    }
}

impl Scene {
    /// The filters of all calls for runs by an id.
    fn asked_by_id(&self) -> Vec<String> {
        let calls = self.proxy.params("LIST_TEST_RUNS").into_iter();
        let filters = calls.filter_map(|params| {
            let filter = params["filter"]["filters"][0].as_str()?;
            filter
                .starts_with("Root.General.Id:")
                .then(|| filter.into())
        });
        filters.collect()
    }
}
