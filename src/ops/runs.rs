//! The runs of a filter, read whole.

use super::{Client, Progress, Tell, survey};
use crate::domain::{
    Extent, Failure, Filter, ListPage, Page, Pages, ReadList, ReadOptions, RunRow, Sort, read_all,
};
use crate::rpc::CallError;

/// Most bytes of one list that are kept.
const MOST_BYTES: usize = 256 << 20;

impl Client {
    /// All runs that a filter finds, if they are no more than that; in the service's own order where it refuses this one.
    pub async fn read_runs(
        &self,
        filter: &Filter,
        sort: Vec<Sort>,
        at_most: u64,
        tell: &Tell,
    ) -> Result<Box<ReadList<RunRow>>, Failure> {
        let options = ReadOptions {
            page_size: self.settings.page_size,
            sort,
            may_leave_sort: true,
            extent: Extent::All { at_most },
        };
        let mut list = AllRuns {
            client: self,
            filter,
            tell,
            bytes: 0,
        };
        let read = read_all(&mut list, &options).await;
        read.map(Box::new)
            .map_err(|fault| survey::not_whole("all runs of the view", fault))
    }
}

struct AllRuns<'a> {
    client: &'a Client,
    filter: &'a Filter,
    tell: &'a Tell,
    /// Bytes of what was read so far.
    bytes: usize,
}

impl Pages for AllRuns<'_> {
    type Entry = RunRow;
    type Error = CallError;

    async fn page(&mut self, page: Page, sort: &[Sort]) -> Result<ListPage<RunRow>, CallError> {
        Ok(self
            .client
            .reader
            .list_runs(page, sort, self.filter)
            .await?
            .into())
    }

    fn is_too_large(&mut self, at: u64, page: &[RunRow]) -> bool {
        if at == 0 {
            self.bytes = 0;
        }
        self.bytes += page.iter().map(RunRow::bytes).sum::<usize>();
        self.bytes > MOST_BYTES
    }

    fn progress(&mut self, received: u64, full_size: u64) {
        (self.tell)(Progress::Received {
            received,
            full_size,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{Identity, TokenSource};
    use crate::domain::DocRef;
    use crate::ops::client::ClientSettings;
    use crate::rpc::{Endpoint, Reader};

    /// A client that nobody has signed in with.
    fn client() -> Client {
        let url = url::Url::parse("http://127.0.0.1:9").unwrap();
        let identity = Identity {
            idp_url: url.clone(),
            realm: "tests".into(),
            client_id: "rundown-tests".into(),
            client_secret: None,
        };
        let _ = rustls::crypto::ring::default_provider().install_default();
        let tokens = TokenSource::new(reqwest::Client::new(), identity, None);
        let endpoint = Endpoint {
            rpc_url: url,
            project_id: "P_9".into(),
            subproject_id: None,
        };
        let reader = Reader::new(reqwest::Client::new(), tokens.clone(), endpoint);
        let settings = ClientSettings {
            profile: "tests".into(),
            user: String::new(),
            locale: "en".into(),
            page_size: 1,
            pauses: Vec::new(),
        };
        Client::new(reader, tokens, settings)
    }

    /// Over HTTP so many bytes would have to be sent.
    #[test]
    fn a_list_may_not_be_too_large_and_one_that_is_begun_anew_is_counted_anew() {
        let half = String::from_utf8(vec![0; MOST_BYTES / 2]).unwrap();
        let page = [RunRow {
            title: Some(half),
            ..RunRow::unknown(DocRef::parse("TestRun-dm/1").unwrap())
        }];
        let mut list = AllRuns {
            client: &client(),
            filter: &Filter::default(),
            tell: &(std::sync::Arc::new(|_| {}) as Tell),
            bytes: 0,
        };
        let too_large = [0, 1, 0, 1].map(|at| list.is_too_large(at, &page));
        assert_eq!(too_large, [false, true, false, true]);
    }
}
