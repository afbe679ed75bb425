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
use crate::flows::{Scene, scene_with};
use crate::support::prelude::*;
use rundown::config::Profile;
use support::desk::Desk;

async fn scene(options: Options, change: impl FnOnce(&mut Profile)) -> Scene {
    // The start of a service is a large future.
    let mut scene = Box::pin(scene_with(options, change)).await;
    scene.until("\nrun 1 of").await;
    scene
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
