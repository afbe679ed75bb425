//! One HTTP request and its answer, bounded in size.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use jiff::Timestamp;
use reqwest::Method;
use reqwest::header::{DATE, HeaderValue, RETRY_AFTER};
use url::Url;

use super::proxy::{self, ProxyFault};
use crate::domain::excerpt;

/// Reason why there is no complete answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFault {
    /// No connection: nothing was sent.
    #[error("no connection to {}", .0.why)]
    Connect(NoConnection),
    /// The answer took longer than the limit for a whole call.
    #[error("no answer in time")]
    Timeout,
    /// The connection broke after the request was sent: it may have been received.
    #[error("the connection broke: {0}")]
    CutOff(String),
    /// The body exceeds the limit.
    #[error("the answer is too large")]
    TooLarge,
    /// The request could not be created: nothing was sent.
    #[error("could not be sent: {0}")]
    Unsendable(String),
}

/// A failed connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoConnection {
    /// Address and reason.
    pub why: String,
    /// Remedy, if the reason has one of its own.
    pub remedy: Option<String>,
    pub cause: Unconnected,
}

/// Cause of a failed connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unconnected {
    /// Nothing listens there, or something in between refuses.
    Refused,
    /// The authority of the certificate is not trusted here.
    Untrusted,
    /// The other side speaks no TLS.
    Plain,
    Other,
}

impl NoConnection {
    pub fn other(why: String) -> Self {
        Self {
            why,
            remedy: None,
            cause: Unconnected::Other,
        }
    }

    pub fn is_untrusted(&self) -> bool {
        self.cause == Unconnected::Untrusted
    }

    /// Returns the remedy; without one of its own: check `key`, the source of the address in the config, and `wrong`.
    pub fn remedy(&self, key: &str, wrong: &str) -> String {
        match (&self.remedy, self.cause) {
            (Some(remedy), _) => remedy.clone(),
            (None, Unconnected::Refused) => format!(
                "Nothing was sent. Check {key} and its port: nothing listens there, or something in between refuses."
            ),
            (None, _) => format!("Nothing was sent. Check {key}{wrong}, then try again."),
        }
    }
}

/// A complete answer.
pub(crate) struct HttpAnswer {
    pub status: u16,
    /// Target of a redirect (`Location`), which is not followed. It may hold secrets.
    pub leads_to: Option<Url>,
    /// Time to wait before the next request (`Retry-After`).
    pub retry_after: Option<Duration>,
    pub body: Vec<u8>,
}

/// An address that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// HTTP status.
    pub status: u16,
    /// Scheme, host and port of the target of a redirect.
    pub leads_to: Option<String>,
    /// Lead of its clock over this one in milliseconds, to the second; `None` if the answer has no `Date`.
    pub ahead: Option<i64>,
}

/// Number of requests that this process has sent.
static SENT: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn requests() -> usize {
    SENT.load(Ordering::Relaxed)
}

/// Asks if anything answers at an address, with an empty request without a token.
pub(crate) async fn reach(http: &reqwest::Client, url: Url) -> Result<Reached, NetworkFault> {
    let begun = Timestamp::now();
    let response = execute(http, reqwest::Request::new(Method::GET, url)).await?;
    let sent_at = response.headers().get(DATE).and_then(time);
    // The header was written between request and answer.
    let ahead = sent_at.map(|sent_at| {
        let (begun, ended) = (begun.as_millisecond(), Timestamp::now().as_millisecond());
        sent_at.as_millisecond() - begun.midpoint(ended)
    });
    Ok(Reached {
        status: response.status().as_u16(),
        leads_to: leads_to(&response).as_ref().map(place),
        ahead,
    })
}

async fn execute(
    http: &reqwest::Client,
    request: reqwest::Request,
) -> Result<reqwest::Response, NetworkFault> {
    SENT.fetch_add(1, Ordering::Relaxed);
    let url = request.url().clone();
    let answered = http.execute(request).await;
    answered.map_err(|error| fault(&error, &url))
}

/// Sends one request and reads the answer, at most `limit` bytes of it after unpacking.
pub(crate) async fn send(
    http: &reqwest::Client,
    request: reqwest::Request,
    limit: usize,
) -> Result<HttpAnswer, NetworkFault> {
    let url = request.url().clone();
    let response = execute(http, request).await?;
    let status = response.status().as_u16();
    let leads_to = leads_to(&response);
    let retry_after = retry_after(&response);
    if response
        .content_length()
        .is_some_and(|length| length > limit as u64)
    {
        return Err(NetworkFault::TooLarge);
    }
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| fault(&error, &url))?;
        if body.len() + chunk.len() > limit {
            return Err(NetworkFault::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(HttpAnswer {
        status,
        leads_to,
        retry_after,
        body,
    })
}

/// Replaces every secret that an answer echoes, so that no message shows it. Must run before a text is shortened: half
/// a secret is not found.
pub(crate) fn hide(text: &str, secrets: &[&str]) -> String {
    // Shorter ones would blank out parts of ordinary words.
    let secrets = secrets.iter().filter(|secret| secret.len() >= 4);
    secrets.fold(text.to_owned(), |text, secret| {
        text.replace(secret, "(hidden)")
    })
}

/// Reads seconds, or the time of the next allowed request; ignores anything else.
fn retry_after(response: &reqwest::Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?;
    if let Ok(seconds) = value.to_str().ok()?.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let wait = time(value)?.duration_since(Timestamp::now());
    Some(wait.try_into().unwrap_or_default())
}

/// Reads the time of a header.
fn time(value: &HeaderValue) -> Option<Timestamp> {
    let time = jiff::fmt::rfc2822::parse(value.to_str().ok()?).ok()?;
    Some(time.timestamp())
}

fn leads_to(response: &reqwest::Response) -> Option<Url> {
    if !response.status().is_redirection() {
        return None;
    }
    let location = response
        .headers()
        .get(reqwest::header::LOCATION)?
        .to_str()
        .ok()?;
    response.url().join(location).ok()
}

/// Returns `scheme://host:port`: the rest of an address may hold secrets.
pub(crate) fn place(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn fault(error: &reqwest::Error, url: &Url) -> NetworkFault {
    let place = place(url);
    let tls = causes(error).find_map(|cause| of_tls(cause.downcast_ref()?, url));
    // The order matters: a connect that took too long is both, and then nothing was sent.
    if error.is_connect() {
        let cause = if error.is_timeout() {
            "it does not answer in time".to_owned()
        } else {
            innermost(error)
        };
        let proxy = proxy::used_for(url);
        let at_proxy = causes(error).find_map(ProxyFault::of);
        let through = proxy
            .as_ref()
            .map(|it| format!("{place} through the proxy {}", it.host));
        if let Some((what, remedy, of_what)) = tls {
            let mut none = NoConnection {
                why: format!("{place}: {what} ({cause})"),
                remedy: Some(remedy.into()),
                cause: of_what,
            };
            // Else it is the service that answers, at the end of the way through the proxy.
            if let (Some(ProxyFault::Unconnected), Some(proxy), Some(through)) =
                (at_proxy, proxy, through)
            {
                none.why = format!("{through}: {what} ({cause})");
                if of_what == Unconnected::Plain {
                    none.remedy = Some(format!("Write http:// in ${}.", proxy.variable));
                }
            }
            return NetworkFault::Connect(none);
        }
        if let (Some(proxy), Some(through)) = (proxy, through) {
            let cause = match at_proxy {
                Some(ProxyFault::Bars) => "it opens no way there",
                _ => &cause,
            };
            let mut remedy = format!(
                "Nothing was sent. Check the proxy that ${} names, or put the host into NO_PROXY.",
                proxy.variable
            );
            if at_proxy == Some(ProxyFault::WantsPassword) {
                remedy = format!("{remedy} {}", proxy.password_remedy());
            }
            return NetworkFault::Connect(NoConnection {
                remedy: Some(remedy),
                ..NoConnection::other(format!("{through}: {cause}"))
            });
        }
        let mut none = NoConnection::other(format!("{place}: {cause}"));
        let mut refused = causes(error).filter_map(|it| it.downcast_ref::<io::Error>());
        if refused.any(|it| it.kind() == io::ErrorKind::ConnectionRefused) {
            none.cause = Unconnected::Refused;
        }
        NetworkFault::Connect(none)
    } else if error.is_timeout() {
        NetworkFault::Timeout
    } else if error.is_builder() {
        NetworkFault::Unsendable(innermost(error))
    } else if let Some((what, ..)) = tls {
        NetworkFault::CutOff(format!("{place}: {what}"))
    } else if url.scheme() == "http" && causes(error).any(is_no_http) {
        NetworkFault::CutOff(format!(
            "what answers at {place} speaks no HTTP; if that port speaks TLS, the address has to begin with https://"
        ))
    } else {
        NetworkFault::CutOff(innermost(error))
    }
}

fn is_no_http(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause
        .downcast_ref::<hyper::Error>()
        .is_some_and(hyper::Error::is_parse)
}

/// Returns the cause, remedy and kind of a TLS fault at an address.
fn of_tls(error: &rustls::Error, url: &Url) -> Option<(&'static str, &'static str, Unconnected)> {
    use rustls::{AlertDescription as Alert, CertificateError as Bad, Error};
    match error {
        Error::InvalidCertificate(Bad::UnknownIssuer | Bad::BadSignature) => Some((
            "its certificate comes from an authority that is not trusted here",
            "Name the PEM file of that authority as ca_also (as ca_certificate, if no other is to be trusted); whoever runs the \
             address, or the network in between, has it.",
            Unconnected::Untrusted,
        )),
        Error::InvalidCertificate(Bad::NotValidForName | Bad::NotValidForNameContext { .. }) => {
            Some((
                "its certificate is for another name",
                "Correct the host name in the address, or ask whoever runs it for a certificate of that name.",
                Unconnected::Other,
            ))
        }
        Error::InvalidCertificate(
            Bad::Expired
            | Bad::ExpiredContext { .. }
            | Bad::NotValidYet
            | Bad::NotValidYetContext { .. },
        ) => Some((
            "its certificate is not valid at this time",
            "Check the clock of this machine; if it is right, ask whoever runs the address for a new certificate.",
            Unconnected::Other,
        )),
        Error::InvalidCertificate(Bad::InvalidPurpose | Bad::Other(_)) => Some((
            "its certificate is not that of a server, but of an authority, for example",
            "Ask whoever runs the address for a certificate of a server that an authority has signed; name the PEM file of that \
             one as ca_also if it is not known here.",
            Unconnected::Other,
        )),
        Error::InvalidMessage(_) => Some((
            "what answers speaks no TLS",
            if proxy::is_loopback(url) {
                "That port takes no https://: correct the port, or write http:// if the way there is safe."
            } else {
                "That port takes no https://: correct the port, or ask whoever runs the address for one that does."
            },
            Unconnected::Plain,
        )),
        Error::AlertReceived(Alert::CertificateRequired | Alert::HandshakeFailure) => Some((
            "it demands a client certificate or other terms of TLS that rundown does not offer",
            "Ask whoever runs the address for one without client certificates.",
            Unconnected::Other,
        )),
        _ => None,
    }
}

/// Returns the error and its causes. The inner error of an I/O error is not its `source`: it is added.
fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |cause| {
        match cause
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
        {
            Some(carried) => Some(carried),
            None => cause.source(),
        }
    })
}

/// Returns the last cause in the chain: those around it only repeat that something failed.
pub(crate) fn innermost(error: &reqwest::Error) -> String {
    // The outermost error prints the full address, which may hold a password.
    let cause = causes(error).skip(1).last();
    excerpt(
        &cause.map_or("no cause given".into(), ToString::to_string),
        200,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn echoed_secrets_are_hidden() {
        assert_eq!(
            hide(
                "you sent canary-1, four, and",
                &["canary-1", "", "four", "and"]
            ),
            "you sent (hidden), (hidden), and"
        );
    }

    #[test]
    fn a_place_has_no_password() {
        let url = Url::parse("http://user:canary@host.example:81/a?b=canary").unwrap();
        assert_eq!(place(&url), "http://host.example:81");
    }
}
