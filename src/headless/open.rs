//! `rundown open`: a run in the web application.

use super::prelude::*;
use crate::cli::OpenOptions;
use crate::domain::run_text;
use crate::profile::open_in_browser;

/// Opens the run in the web application. For a short id `access` is not begun.
pub async fn open(
    access: impl Future<Output = Ran<Access>>,
    profile: &Profile,
    options: &OpenOptions,
) -> Ran {
    let template = profile.web_url.as_deref().ok_or_else(|| {
        let name = text::toml_key(&profile.name);
        Exit::Usage.because(format!(
            "web_url is not set: web_url = \"https://…/{{id}}\" in [profiles.{name}] of the config"
        ))
    })?;
    let id = match &options.run {
        DocumentName::Ref(run) => RunRow::from_document(&access.await?.document(run).await?).id,
        DocumentName::Id(id) => Some(id.clone()),
    };
    let id = id.ok_or_else(|| Exit::Service.because("this run has no id to open it by"))?;
    let address = run_text::web_address(template, &id);
    let opened = open_in_browser(&profile.children, &address).await;
    opened.map_err(|why| Exit::Service.because(format!("{address} was not opened: {why}")))
}
