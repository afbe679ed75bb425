//! Times of the local service over HTTP, whole answers of 50 runs included.
//!
//! `RUNDOWN_BENCH_RUNS=1000000 cargo bench --bench local_service` measures a large data set; 20,000 runs otherwise.
//! `RUNDOWN_BENCH_DATABASE=FILE` keeps it for the next time.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rundown::local_service::{LocalService, Options, ServedProfile};
use rundown::rpc::{HttpSettings, http_client};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

/// A signed-in caller.
struct Caller {
    http: reqwest::Client,
    url: String,
    bearer: String,
}

impl Caller {
    async fn sign_in(profile: &ServedProfile) -> Result<Self, Box<dyn std::error::Error>> {
        let http = http_client(
            &HttpSettings {
                connect_timeout: Duration::from_mins(5),
                request_timeout: Duration::from_mins(5),
                ca_certificate: None,
                ca_also: None,
            },
            &"http://127.0.0.1".parse()?,
        )?;
        let form = [
            ("grant_type", "password"),
            ("client_id", &profile.client_id),
            ("client_secret", profile.client_secret.expose_secret()),
            ("username", &profile.username),
            ("password", profile.password.expose_secret()),
        ];
        let url = format!(
            "{}/realms/{}/protocol/openid-connect/token",
            profile.idp_url, profile.realm
        );
        let tokens: Value =
            serde_json::from_slice(&http.post(url).form(&form).send().await?.bytes().await?)?;
        let bearer = format!(
            "Bearer {}",
            tokens["access_token"].as_str().unwrap_or_default()
        );
        Ok(Self {
            http,
            url: format!("{}/v2/rpc", profile.base_url),
            bearer,
        })
    }

    /// The bytes of one answer, which must be a result.
    async fn list(&self, params: &Value) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        let body =
            json!({ "jsonrpc": "2.0", "id": "1", "method": "LIST_TEST_RUNS", "params": params });
        let request = self
            .http
            .post(&self.url)
            .header("authorization", &self.bearer)
            .header("content-type", "application/json")
            .header("project-id", "P_9")
            .header("subproject-id", "SP_1")
            .body(body.to_string());
        let answer = request.send().await?.bytes().await?.to_vec();
        if answer.starts_with(br#"{"jsonrpc":"2.0","id":"1","result""#) {
            Ok(answer)
        } else {
            Err(String::from_utf8_lossy(&answer).into_owned().into())
        }
    }
}

fn page(offset: u64, order: &str, filter: &Value) -> Value {
    json!({ "page": { "offset": offset, "limit": 50 }, "sort": [{ "order": order }], "filter": filter })
}

fn pages(criterion: &mut Criterion) {
    measure(criterion).unwrap_or_else(|error| panic!("{error}"));
}

fn measure(criterion: &mut Criterion) -> Result<(), Box<dyn std::error::Error>> {
    let runs = std::env::var("RUNDOWN_BENCH_RUNS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20_000);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let started = Instant::now();
    let database = std::env::var_os("RUNDOWN_BENCH_DATABASE").map(Into::into);
    let options = Options {
        runs,
        database,
        token_seconds: 86_400,
        ..Options::default()
    };
    let service = runtime.block_on(LocalService::start(options, |_, _| ()))?;
    let size = std::fs::metadata(service.database())?.len() / 1_000_000;
    eprintln!("making {runs} runs: {:?}, {size} MB", started.elapsed());
    let caller = runtime.block_on(Caller::sign_in(&service.profile()))?;
    let all: Value = serde_json::from_slice(&runtime.block_on(caller.list(&json!({})))?)?;
    let size = all["result"]["result"]["fullSize"]
        .as_u64()
        .unwrap_or_default();
    let nothing = json!({});
    let cases = [
        (
            "page near the start",
            page(100, "Root.General.Title ASC", &nothing),
        ),
        (
            "page in the middle",
            page(size / 2, "Root.General.Title ASC", &nothing),
        ),
        (
            "page at the far end",
            page(size - 50, "Root.General.Title ASC", &nothing),
        ),
        (
            "active ones, middle",
            page(
                size / 8,
                "Root.Metadata.EditedOn DESC",
                &json!({ "filters": ["Root.General.Status:active"] }),
            ),
        ),
        (
            "one editor",
            page(
                0,
                "Root.General.Title ASC",
                &json!({ "filters": ["Root.Metadata.EditedBy:qa"] }),
            ),
        ),
        (
            "fulltext",
            page(
                0,
                "Root.Metadata.EditedOn DESC",
                &json!({ "fulltext": "überweis rück" }),
            ),
        ),
        (
            "unusual path",
            page(0, "Root.General.TechnicalId ASC", &nothing),
        ),
    ];
    let mut group = criterion.benchmark_group(format!("{runs} runs"));
    group.sample_size(20);
    for (name, params) in cases {
        let first = Instant::now();
        runtime.block_on(caller.list(&params))?;
        eprintln!("{name}, first time: {:?}", first.elapsed());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                runtime
                    .block_on(caller.list(&params))
                    .unwrap_or_else(|error| panic!("{error}"))
            });
        });
    }
    group.finish();
    runtime.block_on(service.stop());
    Ok(())
}

criterion_group!(benches, pages);
criterion_main!(benches);
