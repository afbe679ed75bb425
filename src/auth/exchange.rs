//! One HTTP request and its whole answer, bounded in size.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use futures_util::StreamExt;
use reqwest::header::RETRY_AFTER;
use url::Url;

use super::proxy;
use crate::domain::excerpt;

/// Why no whole answer came.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFault {
    /// No connection: nothing was sent. Says which address and why.
    #[error("no connection to {0}")]
    Connect(String),
    /// No connection, for a reason that has a remedy of its own: nothing was sent.
    #[error("no connection to {why}")]
    Barred {
        /// Which address and why.
        why: String,
        /// What helps.
        remedy: String,
    },
    /// The answer took longer than the limit for a whole call.
    #[error("no answer in time")]
    Timeout,
    /// The connection broke after the request had gone out: it may have been received.
    #[error("the connection broke: {0}")]
    CutOff(String),
    /// The body is larger than is read.
    #[error("the answer is too large")]
    TooLarge,
    /// The request could not be made: nothing was sent.
    #[error("could not be sent: {0}")]
    Unsendable(String),
}

/// A whole answer.
pub(crate) struct HttpAnswer {
    pub status: u16,
    /// Scheme, host and path of a `Location` header: where a redirect leads. It is not followed.
    pub leads_to: Option<String>,
    /// How long the other side wants to be left alone (`Retry-After`).
    pub retry_after: Option<Duration>,
    pub body: Vec<u8>,
}

/// Sends one request and reads the answer, at most `limit` bytes of it after unpacking.
pub(crate) async fn send(
    http: &reqwest::Client,
    request: reqwest::Request,
    limit: usize,
) -> Result<HttpAnswer, NetworkFault> {
    let url = request.url().clone();
    let response = http
        .execute(request)
        .await
        .map_err(|error| fault(&error, &url))?;
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

/// Replaces every secret that an answer echoes, so that it reaches no message. To be done before a text is cut: half a
/// secret is not found.
pub(crate) fn hide(text: &str, secrets: &[&str]) -> String {
    long_enough(secrets).fold(text.to_owned(), |text, secret| {
        text.replace(secret, "(hidden)")
    })
}

/// Whether a text holds a secret as a URL, a form, JSON, HTML or base64 spell it, or one of them inside another. For
/// short texts: all ways to read it are tried.
pub(crate) fn spells(text: &str, secrets: &[&str]) -> bool {
    let standard = text.replace('-', "+").replace('_', "/");
    long_enough(secrets).any(|secret| {
        // What packs a request whole has the secret as the form was sent.
        let sent: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        holds_escaped(text, secret, 3)
            || [secret, &sent]
                .into_iter()
                .flat_map(|spelt| base64_pieces(spelt.as_bytes()))
                .any(|piece| standard.contains(&piece))
    })
}

/// Shorter ones would blank out parts of ordinary words.
fn long_enough<'a>(secrets: &'a [&str]) -> impl Iterator<Item = &'a str> {
    secrets.iter().copied().filter(|secret| secret.len() >= 4)
}

/// Reads the character that an escape at the beginning of a text stands for, and how long the escape is.
type Way = fn(&str) -> Option<(char, usize)>;

fn holds_escaped(text: &str, secret: &str, depth: u32) -> bool {
    const WAYS: [Way; 4] = [percent, plus, of_json, of_html];
    text.contains(secret)
        || depth > 0
            && WAYS.iter().any(|way| {
                let read = unescaped(text, *way);
                read != text && holds_escaped(&read, secret, depth - 1)
            })
}

/// The text with one way to escape taken back.
fn unescaped(text: &str, way: Way) -> String {
    let mut read = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (character, length) = way(rest).unwrap_or((first, first.len_utf8()));
        if first == '%' && length == 3 {
            // A byte of a longer character joins its neighbours.
            read.push(character as u8);
        } else {
            read.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        rest = &rest[length..];
    }
    String::from_utf8_lossy(&read).into_owned()
}

fn code(digits: &str, radix: u32) -> Option<char> {
    char::from_u32(u32::from_str_radix(digits, radix).ok()?)
}

fn percent(text: &str) -> Option<(char, usize)> {
    Some((code(text.strip_prefix('%')?.get(..2)?, 16)?, 3))
}

fn plus(text: &str) -> Option<(char, usize)> {
    text.starts_with('+').then_some((' ', 1))
}

fn of_json(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('\\')?;
    let character = match rest.chars().next()? {
        'u' => return Some((code(rest.get(1..5)?, 16)?, 6)),
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        other if other.is_ascii() => other,
        _ => return None,
    };
    Some((character, 2))
}

fn of_html(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] = [
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&apos;", '\''),
    ];
    if let Some(number) = text.strip_prefix("&#") {
        let end = number.find(';').filter(|end| *end < 9)?;
        let character = match number[..end].strip_prefix(['x', 'X']) {
            Some(digits) => code(digits, 16)?,
            None => code(&number[..end], 10)?,
        };
        return Some((character, end + 3));
    }
    let (name, character) = NAMED.iter().find(|(name, _)| text.starts_with(name))?;
    Some((*character, name.len()))
}

/// What base64 makes of the secret wherever it stands in what is encoded.
fn base64_pieces(secret: &[u8]) -> impl Iterator<Item = String> {
    (0..3).map(move |before| {
        let all = [&[0; 2][..before], secret].concat();
        let encoded = STANDARD_NO_PAD.encode(&all);
        // Characters that hold bits of a neighbour are not known.
        encoded[(before * 8).div_ceil(6)..all.len() * 8 / 6].to_owned()
    })
}

/// Seconds, or a time from which on it may be asked again; what is neither says nothing.
fn retry_after(response: &reqwest::Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let from = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    let wait = from.duration_since(jiff::Timestamp::now());
    Some(wait.try_into().unwrap_or_default())
}

fn leads_to(response: &reqwest::Response) -> Option<String> {
    if !response.status().is_redirection() {
        return None;
    }
    let location = response
        .headers()
        .get(reqwest::header::LOCATION)?
        .to_str()
        .ok()?;
    let url = response.url().join(location).ok()?;
    Some(excerpt(&format!("{}{}", place(&url), url.path()), 200))
}

/// `scheme://host:port`, without anything that may be secret in an address.
pub(crate) fn place(url: &Url) -> String {
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    format!(
        "{}://{}{port}",
        url.scheme(),
        url.host_str().unwrap_or_default()
    )
}

fn fault(error: &reqwest::Error, url: &Url) -> NetworkFault {
    let place = place(url);
    // The order matters: a connect that took too long is both, and then nothing was sent.
    if error.is_connect() {
        let cause = if error.is_timeout() {
            "it does not answer in time".to_owned()
        } else {
            innermost(error)
        };
        if let Some((what, remedy)) = causes(error).find_map(|cause| of_tls(cause.downcast_ref()?))
        {
            return NetworkFault::Barred {
                why: format!("{place}: {what} ({cause})"),
                remedy: remedy.into(),
            };
        }
        match proxy::used_for(url) {
            Some(proxy) => NetworkFault::Barred {
                why: format!("{place} through the proxy {}: {cause}", proxy.host),
                remedy: format!(
                    "Nothing was sent. Check the proxy that ${} names, or put the host into NO_PROXY. {}",
                    proxy.variable,
                    proxy.password_remedy(),
                ),
            },
            None => NetworkFault::Connect(format!("{place}: {cause}")),
        }
    } else if error.is_timeout() {
        NetworkFault::Timeout
    } else if error.is_builder() {
        NetworkFault::Unsendable(innermost(error))
    } else if let Some((what, _)) = causes(error).find_map(|cause| of_tls(cause.downcast_ref()?)) {
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

/// What a fault of TLS comes from, and what helps.
fn of_tls(error: &rustls::Error) -> Option<(&'static str, &'static str)> {
    use rustls::{AlertDescription as Alert, CertificateError as Bad, Error};
    match error {
        Error::InvalidCertificate(Bad::UnknownIssuer | Bad::BadSignature) => Some((
            "its certificate comes from an authority that is not trusted here",
            "Name the PEM file of that authority as ca_certificate; whoever runs the address, or the network in between, has it.",
        )),
        Error::InvalidCertificate(Bad::NotValidForName | Bad::NotValidForNameContext { .. }) => {
            Some((
                "its certificate is for another name",
                "Correct the host name in the address, or ask whoever runs it for a certificate of that name.",
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
        )),
        Error::InvalidMessage(_) => Some((
            "what answers speaks no TLS",
            "That port takes no https://: correct the port, or write http:// if the way there is safe.",
        )),
        Error::AlertReceived(Alert::CertificateRequired | Alert::HandshakeFailure) => Some((
            "it demands a client certificate or other terms of TLS that rundown does not offer",
            "Ask whoever runs the address for one without client certificates.",
        )),
        _ => None,
    }
}

/// The error and what is behind it. What an input or output error carries is no source of its own: it is taken out.
fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |cause| {
        match cause
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref)
        {
            Some(carried) => Some(carried),
            None => cause.source(),
        }
    })
}

/// The last cause in the chain: the ones around it only repeat that something failed.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    // The outermost error prints the whole address, which may carry a password.
    let text = if std::error::Error::source(error).is_none() {
        "no cause given".into()
    } else {
        cause.to_string()
    };
    excerpt(&text, 200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn echoed_secrets_are_hidden() {
        assert_eq!(
            hide("you sent canary-1!", &["canary-1", ""]),
            "you sent (hidden)!"
        );
    }

    /// Each spelling alone, one inside another, and base64 wherever the secret stands in what is encoded.
    #[test]
    fn an_echoed_secret_is_hidden_in_every_spelling() {
        let secret = "cän/ary+\"pw\" <91&bd>%25'x";
        let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let json = serde_json::to_string(secret).unwrap();
        let html = secret
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&#34;")
            .replace('\'', "&#x27;");
        let encoded = |before: &str| STANDARD_NO_PAD.encode(format!("{before}{secret}:after"));
        let spelled = [
            format!("password={form}&x"),
            format!("password={}&x", form.replace('+', "%20").to_lowercase()),
            json.clone(),
            json.replace('/', "\\/").replace('ä', "\\u00e4"),
            html.clone(),
            serde_json::to_string(&html).unwrap(),
            form.replace('%', "&#37;"),
            encoded(""),
            encoded("a"),
            encoded("ab"),
            encoded("ab").replace('+', "-").replace('/', "_"),
            STANDARD_NO_PAD.encode(format!("username=me&password={form}&client_id=x")),
        ];
        for text in spelled {
            assert!(
                spells(&format!("you sent {text}"), &["other", secret]),
                "{text}"
            );
        }
        assert!(!spells("100 % of a+b &amp; c", &[secret]));
    }

    #[test]
    fn a_place_has_no_password() {
        let url = Url::parse("http://user:canary@host.example:81/a?b=canary").unwrap();
        assert_eq!(place(&url), "http://host.example:81");
    }
}
