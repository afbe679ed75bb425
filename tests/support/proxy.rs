//! A recording reverse proxy with faults that are switched while it runs.

use std::collections::{BTreeSet, HashMap};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{HeaderMap, Response, Uri};
use rundown::rpc::{HttpSettings, http_client};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Notify;

/// What happens to requests that match.
#[derive(Clone, Debug, Default)]
pub enum Fault {
    #[default]
    None,
    Delay(Duration),
    /// Nothing reaches the upstream before the one who holds it lets go.
    Hold(Arc<Notify>),
    /// The connection is cut before anything reaches the upstream.
    CutBefore,
    /// The upstream answers, and the answer is lost.
    CutAfter,
    /// The upstream answers, and this comes in place of its answer.
    After(u16, Vec<u8>),
    /// The upstream is not asked.
    Replace(u16, Vec<u8>),
    /// The upstream is not asked, and is to be left alone for so long (`Retry-After`).
    Busy(u16, String),
    /// The upstream is not asked, and this is the result.
    Answer(Value),
    /// The upstream answers, and this is the result in place of its own.
    AnswerAfter(Value),
}

impl Fault {
    /// This status in place of an answer.
    pub fn status(status: u16) -> Self {
        Self::Replace(status, b"no".to_vec())
    }

    /// So many milliseconds.
    pub fn delay(milliseconds: u64) -> Self {
        Self::Delay(Duration::from_millis(milliseconds))
    }
}

/// A request that came to the proxy.
#[derive(Clone, Debug)]
pub struct Passed {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// JSON-RPC method, "token", or "GET" of what asks for nothing but an answer.
    pub method: String,
}

impl Passed {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub fn form(&self) -> HashMap<String, String> {
        url::form_urlencoded::parse(&self.body)
            .into_owned()
            .collect()
    }
}

/// A fault that comes later and passes.
struct Planned {
    /// It meets token requests, else calls of the service.
    token: bool,
    /// Requests that are let through before.
    skip: usize,
    /// Requests that it meets.
    times: usize,
    fault: Fault,
}

#[derive(Default)]
struct State {
    fault: Fault,
    /// The fault meets only this method ("token" for token requests); all if `None`.
    only: Option<String>,
    /// They go before it.
    planned: Vec<Planned>,
    passed: Vec<Passed>,
    /// The other ends of the open connections.
    open: BTreeSet<SocketAddr>,
}

pub struct Proxy {
    pub base: String,
    state: Arc<Mutex<State>>,
    upstream: String,
    front: Mutex<Option<Front>>,
    /// Holds the port while nothing listens, so that nobody else gets it.
    held: Mutex<Option<TcpSocket>>,
}

/// What accepts connections: gone when dropped, together with all connections.
struct Front {
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Front {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Proxy {
    /// A proxy in front of `upstream`, such as `http://127.0.0.1:8090`.
    pub async fn start(upstream: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let proxy = Self {
            base,
            state: Arc::default(),
            upstream: upstream.to_owned(),
            front: Mutex::default(),
            held: Mutex::default(),
        };
        proxy.serve(listener);
        proxy
    }

    /// From now on this happens to every request.
    pub fn fault(&self, fault: Fault) {
        let mut state = self.state.lock().unwrap();
        (state.fault, state.only) = (fault, None);
    }

    /// From now on this happens to requests of this JSON-RPC method, or "token".
    pub fn fault_for(&self, method: &str, fault: Fault) {
        let mut state = self.state.lock().unwrap();
        (state.fault, state.only) = (fault, Some(method.to_owned()));
    }

    /// After `skip` further calls of the service, or token requests, this happens to so many.
    pub fn plan(&self, token: bool, skip: usize, times: usize, fault: Fault) {
        let planned = Planned {
            token,
            skip,
            times,
            fault,
        };
        self.state.lock().unwrap().planned.push(planned);
    }

    /// How often what was planned has not happened; there is no plan any more.
    pub fn unplan(&self) -> usize {
        let planned = std::mem::take(&mut self.state.lock().unwrap().planned);
        planned.iter().map(|planned| planned.times).sum()
    }

    /// Connections are refused, those that are open are cut.
    pub async fn go_down(&self) {
        drop(self.front.lock().unwrap().take());
        let address = self.base.strip_prefix("http://").unwrap().parse().unwrap();
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        // The listener is closed when its task has been taken down.
        while socket.bind(address).is_err() {
            tokio::task::yield_now().await;
        }
        *self.held.lock().unwrap() = Some(socket);
    }

    /// Connections are taken again, at the same address.
    pub fn come_back(&self) {
        let socket = self.held.lock().unwrap().take().unwrap();
        self.serve(socket.listen(128).unwrap());
    }

    /// Every request that came, in order.
    pub fn passed(&self) -> Vec<Passed> {
        self.state.lock().unwrap().passed.clone()
    }

    /// Methods of all writes that came, in order.
    pub fn writes(&self) -> Vec<String> {
        let writes = ["ADD_", "DELETE_", "MODIFY_"];
        let methods = self.passed().into_iter().map(|passed| passed.method);
        methods
            .filter(|method| writes.iter().any(|write| method.starts_with(write)))
            .collect()
    }

    /// `params` of every call of a method, in order.
    pub fn params(&self, method: &str) -> Vec<Value> {
        let calls = self.passed().into_iter().filter(|it| it.method == method);
        calls.map(|it| it.json()["params"].clone()).collect()
    }

    /// How many requests of this method, or "token", came.
    pub fn count(&self, method: &str) -> usize {
        self.passed()
            .iter()
            .filter(|passed| passed.method == method)
            .count()
    }

    /// Waits until all that programs had sent before they ended has come and was handed on.
    pub fn has_taken_all(&self) {
        // Connections are accepted in their order: this one after theirs.
        let address = self.base.strip_prefix("http://").unwrap();
        let last = std::net::TcpStream::connect(address).unwrap();
        let only = BTreeSet::from([last.local_addr().unwrap()]);
        let end = Instant::now() + Duration::from_secs(20);
        while self.state.lock().unwrap().open != only {
            assert!(Instant::now() < end, "a connection stays open");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn serve(&self, listener: TcpListener) {
        let (state, upstream) = (Arc::clone(&self.state), self.upstream.clone());
        let http = http_client(
            &HttpSettings {
                connect_timeout: Duration::from_secs(30),
                request_timeout: Duration::from_secs(30),
                ca_certificate: None,
                ca_also: None,
            },
            &"http://127.0.0.1".parse().unwrap(),
        )
        .unwrap();
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, peer)) = listener.accept().await {
                let (state, upstream, http) = (Arc::clone(&state), upstream.clone(), http.clone());
                state.lock().unwrap().open.insert(peer);
                connections.spawn(async move {
                    connection(stream, &state, &upstream, &http).await;
                    state.lock().unwrap().open.remove(&peer);
                });
                while connections.try_join_next().is_some() {}
            }
        });
        *self.front.lock().unwrap() = Some(Front { task });
    }
}

/// Serves one connection until it is closed or cut.
async fn connection(
    mut stream: TcpStream,
    state: &Mutex<State>,
    upstream: &str,
    http: &reqwest::Client,
) {
    let mut ahead = Vec::new();
    while let Some((verb, uri, headers, body)) = request(&mut stream, &mut ahead).await {
        let token = uri.path().ends_with("/protocol/openid-connect/token");
        let mut passed = Passed {
            path: uri.path().to_owned(),
            headers,
            body: body.to_vec(),
            method: String::new(),
        };
        let method = passed.json()["method"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        passed.method = match token {
            _ if verb == "GET" => verb,
            true => "token".into(),
            false => method,
        };
        let fault = {
            let mut state = state.lock().unwrap();
            state.passed.push(passed.clone());
            let meant = state
                .only
                .as_ref()
                .is_none_or(|only| *only == passed.method);
            let planned = state.planned.iter_mut();
            let mut planned = planned.filter(|it| it.token == token && it.times > 0);
            match planned.next() {
                Some(planned) if planned.skip > 0 => {
                    planned.skip -= 1;
                    Fault::None
                }
                Some(planned) => {
                    planned.times -= 1;
                    planned.fault.clone()
                }
                None if meant => state.fault.clone(),
                None => Fault::None,
            }
        };
        let answer = match &fault {
            Fault::CutBefore => return,
            Fault::Replace(status, body) => Response::builder()
                .status(*status)
                .body(Bytes::from(body.clone()))
                .unwrap(),
            Fault::Busy(status, retry_after) => Response::builder()
                .status(*status)
                .header("retry-after", retry_after)
                .body(Bytes::new())
                .unwrap(),
            Fault::Answer(result) | Fault::AnswerAfter(result) => {
                let id = passed.json()["id"].clone();
                if matches!(fault, Fault::AnswerAfter(_)) {
                    forward(http, upstream, passed).await;
                }
                let answer = serde_json::json!({"jsonrpc": "2.0", "id": id, "result": result});
                Response::builder()
                    .status(200)
                    .body(Bytes::from(answer.to_string()))
                    .unwrap()
            }
            Fault::After(status, body) => {
                forward(http, upstream, passed).await;
                Response::builder()
                    .status(*status)
                    .body(Bytes::from(body.clone()))
                    .unwrap()
            }
            Fault::None | Fault::Delay(_) | Fault::Hold(_) | Fault::CutAfter => {
                match &fault {
                    Fault::Delay(delay) => tokio::time::sleep(*delay).await,
                    Fault::Hold(let_go) => let_go.notified().await,
                    _ => {}
                }
                forward(http, upstream, passed).await
            }
        };
        if matches!(fault, Fault::CutAfter) {
            return;
        }
        let (head, body) = answer.into_parts();
        let kind = head
            .headers
            .get("content-type")
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or("text/plain");
        let kept = ["retry-after", "date"].into_iter().filter_map(|name| {
            let value = head.headers.get(name)?.to_str().unwrap();
            Some(format!("{name}: {value}\r\n"))
        });
        let kept: String = kept.collect();
        let start = format!(
            "HTTP/1.1 {}\r\ncontent-type: {kind}\r\n{kept}content-length: {}\r\n\r\n",
            head.status.as_u16(),
            body.len()
        );
        if stream
            .write_all(&[start.as_bytes(), &body].concat())
            .await
            .is_err()
        {
            return;
        }
    }
}

async fn forward(http: &reqwest::Client, upstream: &str, mut passed: Passed) -> Response<Bytes> {
    for name in ["host", "content-length", "connection", "accept-encoding"] {
        passed.headers.remove(name);
    }
    let verb = match &*passed.method {
        "GET" => reqwest::Method::GET,
        _ => reqwest::Method::POST,
    };
    let request = http
        .request(verb, format!("{upstream}{}", passed.path))
        .headers(passed.headers)
        .body(passed.body);
    match request.send().await {
        Ok(answer) => {
            let mut response = Response::builder().status(answer.status());
            for name in ["content-type", "date"] {
                if let Some(value) = answer.headers().get(name) {
                    response = response.header(name, value);
                }
            }
            response
                .body(answer.bytes().await.unwrap_or_default())
                .unwrap()
        }
        Err(error) => Response::builder()
            .status(502)
            .body(Bytes::from(error.to_string()))
            .unwrap(),
    }
}

/// Reads one HTTP/1.1 request with a Content-Length, or without a body.
async fn request(
    stream: &mut (impl AsyncRead + Unpin),
    ahead: &mut Vec<u8>,
) -> Option<(String, Uri, HeaderMap, Bytes)> {
    let end = loop {
        if let Some(at) = ahead.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(ahead).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8(ahead.drain(..end).collect()).ok()?;
    let mut lines = text.lines();
    let mut words = lines.next()?.split(' ');
    let (verb, uri) = (words.next()?.to_owned(), words.next()?.parse().ok()?);
    let mut headers = HeaderMap::new();
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        let name: axum::http::HeaderName = name.parse().ok()?;
        headers.insert(name, value.parse().ok()?);
    }
    let length = headers.get("content-length");
    let length: usize = length.map_or(Some(0), |length| length.to_str().ok()?.parse().ok())?;
    while ahead.len() < length {
        if stream.read_buf(ahead).await.ok()? == 0 {
            return None;
        }
    }
    Some((
        verb,
        uri,
        headers,
        Bytes::from(ahead.drain(..length).collect::<Vec<u8>>()),
    ))
}
