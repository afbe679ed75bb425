//! The proxy that the environment sets for an address, as the HTTP client uses it.

use std::error::Error;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use oauth2::http::Uri;
use tower_service::Service;
use url::{Host, Url};

/// A proxy and its source.
pub(crate) struct Proxy {
    /// Host and port, without the password of its address.
    pub host: String,
    /// Environment variable that names it.
    pub variable: &'static str,
}

impl Proxy {
    pub fn password_remedy(&self) -> String {
        format!(
            "If the proxy {} wants a name and a password, put them into ${} as http://name:password@host:port.",
            self.host, self.variable
        )
    }
}

/// A fault of the way through a proxy.
type TunnelFault = <Tunnel<HttpConnector> as Service<Uri>>::Error;

/// Fault at a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProxyFault {
    /// There is no connection to the proxy itself.
    Unconnected,
    /// It wants a name and a password, or others.
    WantsPassword,
    /// Its answer is another one than that the way is open.
    Bars,
}

impl ProxyFault {
    /// Returns the fault if the cause of an error is one.
    pub fn of(cause: &(dyn Error + 'static)) -> Option<Self> {
        match cause.downcast_ref::<TunnelFault>()? {
            TunnelFault::ConnectFailed(_) => Some(Self::Unconnected),
            TunnelFault::ProxyAuthRequired => Some(Self::WantsPassword),
            TunnelFault::TunnelUnsuccessful => Some(Self::Bars),
            _ => None,
        }
    }
}

/// Returns the proxy for an address, `None` for this machine itself.
pub(crate) fn used_for(url: &Url) -> Option<Proxy> {
    if is_loopback(url) {
        return None;
    }
    let target = url.as_str().parse().ok()?;
    let taken = Matcher::from_env().intercept(&target)?;
    Some(Proxy {
        host: taken
            .uri()
            .authority()?
            .as_str()
            .rsplit('@')
            .next()?
            .to_owned(),
        variable: named(url).find(|(_, value)| is_proxy(value))?.0,
    })
}

/// Names the variable that should hold a proxy for this address but holds no valid one. The HTTP client would ignore it
/// and connect directly.
pub(crate) fn broken_for(url: &Url) -> Option<String> {
    if is_loopback(url) {
        return None;
    }
    let bypassed = url.as_str().parse().is_ok_and(|target| {
        let no_proxy = ["NO_PROXY", "no_proxy"]
            .iter()
            .find_map(|name| std::env::var(name).ok());
        let all = Matcher::builder()
            .all("http://proxy.invalid")
            .no(no_proxy.unwrap_or_default())
            .build();
        all.intercept(&target).is_none()
    });
    // That with precedence decides: one of SOCKS for all that has none of its own may stand beside it.
    named(url)
        .next()
        .filter(|(_, value)| !bypassed && !is_proxy(value))
        .map(|(variable, _)| {
            format!(
                "${variable} is no address of an HTTP proxy: write it as http://host:port, or unset it to go without a proxy"
            )
        })
}

/// Returns the variables for this scheme, the one with precedence first.
fn named(url: &Url) -> impl Iterator<Item = (&'static str, String)> {
    let own = if url.scheme() == "https" {
        ["HTTPS_PROXY", "https_proxy"]
    } else {
        ["HTTP_PROXY", "http_proxy"]
    };
    let set = |names: [&'static str; 2]| {
        names
            .into_iter()
            .find_map(|name| Some((name, std::env::var_os(name)?.to_string_lossy().into_owned())))
    };
    [set(own), set(["ALL_PROXY", "all_proxy"])]
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_empty())
}

fn is_proxy(value: &str) -> bool {
    let matcher = Matcher::builder().all(value.to_owned()).build();
    let taken = matcher.intercept(&Uri::from_static("http://any.invalid"));
    taken.is_some_and(|taken| matches!(taken.uri().scheme_str(), Some("http" | "https")))
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_told_apart() {
        for (text, expected) in [
            ("http://127.0.0.1:1/api", true),
            ("http://[::1]:1/api", true),
            ("http://localhost/api", true),
            ("https://localhost.example/api", false),
            ("https://10.0.0.1/api", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn what_names_a_proxy_is_told_apart() {
        for (value, expected) in [
            ("http://proxy.example:3128", true),
            ("proxy.example:3128", true),
            ("http://u:p@[bad", false),
            ("http://", false),
            ("socks5://proxy.example:1080", false),
        ] {
            assert_eq!(is_proxy(value), expected, "{value}");
        }
    }
}
