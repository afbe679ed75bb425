//! One HTTP request and its whole answer, bounded in size.

use std::fmt;

use futures_util::StreamExt;

use crate::domain::excerpt;

/// Why no whole answer came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkFault {
    /// No connection: nothing was sent. Says which address and why.
    Connect(String),
    /// The answer took longer than the limit for a whole call.
    Timeout,
    /// The connection broke after the request had gone out: it may have been received.
    CutOff(String),
    /// The body is larger than is read.
    TooLarge,
    /// The request could not be made: nothing was sent.
    Unsendable(String),
}

impl fmt::Display for NetworkFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect(why) => write!(f, "no connection to {why}"),
            Self::Timeout => f.write_str("no answer in time"),
            Self::CutOff(why) => write!(f, "the connection broke: {why}"),
            Self::TooLarge => f.write_str("the answer is too large"),
            Self::Unsendable(why) => write!(f, "could not be sent: {why}"),
        }
    }
}

impl std::error::Error for NetworkFault {}

/// A whole answer.
pub(crate) struct Answer {
    pub status: u16,
    /// Scheme, host and path of a `Location` header: where a redirect leads. It is not followed.
    pub leads_to: Option<String>,
    pub body: Vec<u8>,
}

/// Sends one request and reads the answer, at most `limit` bytes of it after unpacking.
pub(crate) async fn send(
    http: &reqwest::Client,
    request: reqwest::Request,
    limit: usize,
) -> Result<Answer, NetworkFault> {
    let place = place(request.url());
    let response = http
        .execute(request)
        .await
        .map_err(|error| fault(&error, &place))?;
    let status = response.status().as_u16();
    let leads_to = leads_to(&response);
    if response
        .content_length()
        .is_some_and(|length| length > limit as u64)
    {
        return Err(NetworkFault::TooLarge);
    }
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| fault(&error, &place))?;
        if body.len() + chunk.len() > limit {
            return Err(NetworkFault::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer {
        status,
        leads_to,
        body,
    })
}

/// Replaces every secret that an answer echoes, so that it reaches no message. To be done before a text is cut: half a
/// secret is not found.
pub(crate) fn hide(text: &str, secrets: &[&str]) -> String {
    // Shorter ones would blank out parts of ordinary words.
    let long_enough = secrets.iter().filter(|secret| secret.len() >= 4);
    long_enough.fold(text.to_owned(), |text, secret| {
        text.replace(secret, "(hidden)")
    })
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
fn place(url: &url::Url) -> String {
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

fn fault(error: &reqwest::Error, place: &str) -> NetworkFault {
    // The order matters: a connect that took too long is both, and then nothing was sent.
    if error.is_connect() && error.is_timeout() {
        NetworkFault::Connect(format!("{place}: it does not answer in time"))
    } else if error.is_connect() {
        NetworkFault::Connect(format!("{place}: {}", innermost(error)))
    } else if error.is_timeout() {
        NetworkFault::Timeout
    } else if error.is_builder() {
        NetworkFault::Unsendable(innermost(error))
    } else {
        NetworkFault::CutOff(innermost(error))
    }
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

    #[test]
    fn a_place_has_no_password() {
        let url = url::Url::parse("http://user:canary@host.example:81/a?b=canary").unwrap();
        assert_eq!(place(&url), "http://host.example:81");
    }
}
