//! One call over HTTP: token, headers, request, answer.

use std::time::{Duration, Instant};

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use serde_json::{Value, json};
use url::Url;

use super::bounds::{Bounds, Expected, MoreRoom, TooLarge};
use super::envelope::{next_id, open, with_whole_letters, words};
use super::prepared::PreparedCall;
use super::{CallError, CallErrorKind as Kind, MethodCall, Reader};
use crate::auth::{Bearer, HttpAnswer, NetworkFault, Reached, hide, place, reach, requests, send};
use crate::domain::{excerpt, text};

/// Longest `Retry-After` that is respected before another try.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Larger JSON is read on another thread, so as not to delay other calls.
const LARGE: usize = 256 << 10;

/// Returns the pause before another try: what the answer asks for, within bounds, else `pause`.
pub fn asked_or(asked: Option<Duration>, pause: Duration) -> Duration {
    asked.map_or(pause, |asked| asked.min(LONGEST_WAIT))
}

impl Reader {
    /// Sends a call and reads its result with `decode`. A read answered with 401 is sent once more with a renewed
    /// token, and a read that failed for a passing reason is tried again after the configured pauses. Nothing else is
    /// ever sent again.
    pub(super) async fn call<T>(
        &self,
        call: PreparedCall,
        decode: impl FnOnce(Value) -> Result<T, String>,
    ) -> Result<T, CallError> {
        let mut again = (!call.asked.writes)
            .then_some(&self.again)
            .into_iter()
            .flatten();
        loop {
            let (begun, mut wait) = (Instant::now(), None);
            let failed = |kind| CallError {
                asked: call.asked.clone(),
                kind,
            };
            let result = self.result(&call, begun, &mut wait).await;
            self.note(&result);
            let error = match result {
                Ok((status, value, bearer)) => {
                    return decode(value).map_err(|what| {
                        failed(Kind::Odd {
                            status,
                            what: without_token(&what, &bearer),
                            excerpt: String::new(),
                        })
                    });
                }
                Err(kind) => failed(kind).of_project(self.endpoint.project()),
            };
            if let Kind::NotSignedIn(why) = &error.kind {
                wait = why.retry_after();
            }
            match again.next().filter(|_| self.may_try_again(&error)) {
                Some(pause) => {
                    let pause = asked_or(wait, *pause);
                    if let Some(waits) = &self.waits {
                        waits.begin(&error, pause);
                    }
                    tokio::time::sleep(pause).await;
                    if let Some(waits) = &self.waits {
                        waits.end();
                    }
                }
                None => return Err(error),
            }
        }
    }

    /// True if a failed reading may be tried again at once. A sign-in is not repeated, as each may be counted; a renewal
    /// that sends no password is.
    fn may_try_again(&self, error: &CallError) -> bool {
        let renews = || self.tokens.life().is_some_and(|(_, renews)| renews);
        error.may_retry() && (!matches!(error.kind, Kind::NotSignedIn(_)) || renews())
    }

    /// Asks if anything answers at the address of the service, without a token and without a call.
    pub async fn reach(&self) -> Result<Reached, CallError> {
        let begun = Instant::now();
        let reached = reach(&self.http, self.endpoint.rpc_url.clone()).await;
        reached.map_err(|fault| CallError {
            asked: MethodCall {
                method: "GET",
                doing: "reaching the service",
                about: String::new(),
                writes: false,
            },
            kind: no_answer(fault, begun, Expected::Word.bounds(self.max_answer_mb)),
        })
    }

    /// Number of requests that this process has sent, sign-ins included.
    pub fn requests() -> usize {
        requests()
    }

    /// Notes if the service has answered.
    fn note<T>(&self, result: &Result<T, Kind>) {
        let reached = match result {
            Ok(_) => true,
            Err(kind) => match kind.reached() {
                Some(reached) => reached,
                None => return,
            },
        };
        // Each call reports it: a sign-in without an answer is reported elsewhere, and ends with the next call.
        self.reached.send_replace(Some(reached));
    }

    /// Sends the call, a read once more after a 401. `wait` becomes the `Retry-After` of the answer.
    async fn result(
        &self,
        call: &PreparedCall,
        begun: Instant,
        wait: &mut Option<Duration>,
    ) -> Result<(u16, Value, Bearer), Kind> {
        if let Some(why) = odd_reference(&call.params) {
            return Err(Kind::NotSent(why));
        }
        let bearer = self.tokens.bearer().await.map_err(Kind::NotSignedIn)?;
        match self.attempt(call, &bearer, begun, wait).await {
            Err(refused @ Kind::Unauthorized { .. }) if call.asked.writes => {
                // The next attempt must not meet the same refusal.
                self.tokens.distrust(&bearer);
                return Err(refused);
            }
            Err(Kind::Unauthorized { .. }) => {}
            answered => return answered.map(|(status, value)| (status, value, bearer)),
        }
        let bearer = self
            .tokens
            .renew(&bearer)
            .await
            .map_err(Kind::NotSignedIn)?;
        let (status, value) = self.attempt(call, &bearer, begun, wait).await?;
        Ok((status, value, bearer))
    }

    /// Sends the call once. A 401 is returned with the first words of its body.
    async fn attempt(
        &self,
        call: &PreparedCall,
        bearer: &Bearer,
        begun: Instant,
        wait: &mut Option<Duration>,
    ) -> Result<(u16, Value), Kind> {
        let id = next_id();
        let request = self.request(call, &id, bearer)?;
        let bounds = call.expected.bounds(self.max_answer_mb);
        let answer = send(&self.http, request, bounds.bytes).await;
        let method = call.asked.method;
        let answer = answer.map_err(|fault| {
            let ms = begun.elapsed().as_millis();
            tracing::debug!(method, id, ms, "no answer");
            no_answer(fault, begun, bounds)
        });
        let HttpAnswer {
            status,
            leads_to,
            retry_after,
            body,
        } = answer?;
        *wait = retry_after;
        let (bytes, ms) = (body.len(), begun.elapsed().as_millis());
        tracing::debug!(method, id, status, ms, bytes, "answer");
        if status == 401 {
            let body = without_echo(&body, bearer).unwrap_or(body);
            let excerpt = words(&body);
            return Err(Kind::Unauthorized { excerpt });
        }
        self.tokens.trust(bearer);
        if (300..400).contains(&status) {
            let to = |url: Url| {
                let to = format!("{}{}", place(&url), url.path());
                format!("leads to {}", excerpt(&hide(&to, &[bearer.expose()]), 200))
            };
            let excerpt = leads_to.map(to).unwrap_or_default();
            return Err(Kind::Http { status, excerpt });
        }
        let opened = if bytes > LARGE {
            let bearer = bearer.clone();
            tokio::task::spawn_blocking(move || open_hiding(status, &body, &id, &bearer, bounds))
                .await
                .unwrap_or_else(|_| Err(Kind::CutOff("the program is ending".into())))
        } else {
            open_hiding(status, &body, &id, bearer, bounds)
        };
        opened.map(|value| (status, value))
    }

    fn request(
        &self,
        call: &PreparedCall,
        id: &str,
        bearer: &Bearer,
    ) -> Result<reqwest::Request, Kind> {
        let (method, params) = (call.asked.method, &call.params);
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let mut made = reqwest::Request::new(reqwest::Method::POST, self.endpoint.rpc_url.clone());
        *made.body_mut() = Some(body.to_string().into());
        let headers = made.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let token = bearer
            .header()
            .ok_or_else(|| Kind::NotSent("the token fits no header".into()))?;
        headers.insert(AUTHORIZATION, token);
        let project = header("project_id", &self.endpoint.project_id)?;
        headers.insert("project-id", project);
        let subproject = self.endpoint.subproject_id.as_deref();
        if let Some(subproject) = subproject.filter(|id| !["", "_"].contains(id)) {
            headers.insert("subproject-id", header("subproject_id", subproject)?);
        }
        Ok(made)
    }
}

/// Converts a network fault of a call that started at `begun`, of whose answer so much is read.
fn no_answer(fault: NetworkFault, begun: Instant, bounds: Bounds) -> Kind {
    match fault {
        NetworkFault::Connect(none) => Kind::Connect(none),
        NetworkFault::Timeout => Kind::Timeout {
            after: begun.elapsed(),
        },
        NetworkFault::CutOff(why) => Kind::CutOff(why),
        NetworkFault::TooLarge => Kind::TooLarge(bounds.too_many_bytes()),
        NetworkFault::Unsendable(why) => Kind::NotSent(why),
    }
}

fn header(name: &str, value: &str) -> Result<HeaderValue, Kind> {
    HeaderValue::from_str(value)
        .map_err(|_| Kind::NotSent(format!("{name} holds characters that fit no header")))
}

/// Opens an answer. Some services echo the request that failed: errors are worded from a body without the token.
fn open_hiding(
    status: u16,
    body: &[u8],
    id: &str,
    bearer: &Bearer,
    bounds: Bounds,
) -> Result<Value, Kind> {
    bounds.check(body).map_err(Kind::TooLarge)?;
    let opened = open(status, body, id);
    if matches!(opened, Err(Kind::Odd { .. }))
        && let Some(whole) = with_whole_letters(body)
    {
        // A list is shown and never sent back: one text that is cut inside a character takes no other run away.
        if bounds.is_of_list() {
            return open_hiding(status, &whole, id, bearer, bounds);
        }
        return Err(Kind::TooLarge(TooLarge {
            what:
                "faulty JSON: a text in it is cut inside a character, which cannot be kept as it is"
                    .into(),
            remedy: MoreRoom::Nothing,
        }));
    }
    opened.or_else(|kind| match without_echo(body, bearer) {
        Some(body) => open(status, &body, id),
        None => Err(kind),
    })
}

/// Returns the body without the token if it contains the token. JSON is written again, since slashes and pluses may be
/// escaped.
fn without_echo(body: &[u8], bearer: &Bearer) -> Option<Vec<u8>> {
    let text = match serde_json::from_slice::<Value>(body) {
        Ok(json) => json.to_string(),
        Err(_) => String::from_utf8_lossy(body).into_owned(),
    };
    let hidden = hide(&text, &[bearer.expose()]);
    (hidden != text).then(|| hidden.into_bytes())
}

/// Hides the token, or its beginning, in an error of a decoder.
fn without_token(what: &str, bearer: &Bearer) -> String {
    let token = bearer.expose();
    let beginning = &token[..token.floor_char_boundary(12)];
    match what.find(beginning) {
        Some(at) => format!("{}(hidden)", &what[..at]),
        None => what.to_owned(),
    }
}

/// Returns why a call with such a reference is not sent: invisible or acting characters in a reference are an attack on
/// other programs.
fn odd_reference(params: &Value) -> Option<String> {
    let texts = params
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| name.to_lowercase().contains("docref"))
        .flat_map(|(_, value)| match value {
            Value::Array(list) => list.as_slice(),
            one => std::slice::from_ref(one),
        });
    texts.filter_map(Value::as_str).find_map(|text| {
        let c = text.chars().find(|c| text::acts(*c))?;
        Some(format!(
            "the service's reference {} holds U+{:04X}, which is handed to no program",
            excerpt(text, 80),
            u32::from(c)
        ))
    })
}
