//! The HTTP client for calls and token requests.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::lookup_host;
use tokio::time::timeout;
use url::{Host, Url};

use crate::auth::{innermost, proxy};

/// Settings of the connection to a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpSettings {
    /// Limit for connecting.
    pub connect_timeout: Duration,
    /// Limit for a complete call, including the connection.
    pub request_timeout: Duration,
    /// PEM file; if set, only certificates signed by those in the file are trusted.
    pub ca_certificate: Option<PathBuf>,
    /// PEM file with certificates that are trusted in addition.
    pub ca_also: Option<PathBuf>,
}

/// Returns a client for the service or the identity provider at `base`; each has its own, since they may differ in
/// scheme and host. The client follows no redirect and repeats nothing. An error is in words.
pub fn http_client(settings: &HttpSettings, base: &Url) -> Result<reqwest::Client, String> {
    // Once per process; later calls return the installed one as an error.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("rundown/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(settings.connect_timeout)
        .timeout(settings.request_timeout)
        .tcp_nodelay(true)
        .tcp_keepalive(Duration::from_secs(30))
        // Shorter than the minute or more that servers keep a connection: few calls meet one that has just been closed.
        .pool_idle_timeout(Duration::from_secs(50))
        .gzip(true)
        // A redirect would send a token or a password to an address that is not configured.
        .redirect(reqwest::redirect::Policy::none())
        // reqwest repeats requests on some HTTP/2 faults by default; a write is sent once. What remains is hyper's own
        // repetition: it takes back only requests that were still queued, of which not one byte was written (the
        // dispatcher returns the message from the channel, never one it has taken out).
        .retry(reqwest::retry::never());
    if let Some(words) = proxy::broken_for(base) {
        return Err(words);
    }
    if proxy::is_loopback(base) {
        builder = builder.no_proxy();
    }
    if base.scheme() == "http" {
        // No TLS, so no certificates: asking the platform for them takes tens of milliseconds.
        builder = builder.tls_certs_only([]);
    } else {
        if let Some(path) = &settings.ca_certificate {
            builder = builder.tls_certs_only(certificates("ca_certificate", path)?);
        }
        if let Some(path) = &settings.ca_also {
            builder = builder.tls_certs_merge(certificates("ca_also", path)?);
        }
    }
    builder.build().map_err(|error| {
        format!(
            "no HTTP client: {}; if this machine has no certificates of its own, name a PEM file as ca_also",
            innermost(&error)
        )
    })
}

/// Returns the number of addresses of the host, `None` if a proxy looks it up. An error is in words.
pub async fn resolve(url: &Url, limit: Duration) -> Result<Option<usize>, String> {
    if proxy::used_for(url).is_some() {
        return Ok(None);
    }
    let (Some(Host::Domain(name)), Some(port)) = (url.host(), url.port_or_known_default()) else {
        return Ok(Some(1));
    };
    match timeout(limit, lookup_host((name, port))).await {
        Ok(Ok(found)) => Ok(Some(found.count())),
        Ok(Err(error)) => Err(format!("{name}: {error}")),
        Err(_) => Err(format!("{name}: no answer within {} s", limit.as_secs())),
    }
}

fn certificates(key: &str, path: &Path) -> Result<Vec<reqwest::Certificate>, String> {
    let refused = |why: String| {
        format!(
            "{key} {}: {why}; it has to be a readable PEM file with at least one certificate",
            path.display()
        )
    };
    let pem = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
    let certificates =
        reqwest::Certificate::from_pem_bundle(&pem).map_err(|error| refused(innermost(&error)))?;
    if certificates.is_empty() {
        return Err(refused("holds no certificate".into()));
    }
    Ok(certificates)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_ca(path: PathBuf) -> Result<reqwest::Client, String> {
        let second = Duration::from_secs(1);
        let settings = HttpSettings {
            connect_timeout: second,
            request_timeout: second,
            ca_certificate: Some(path),
            ca_also: None,
        };
        http_client(
            &settings,
            &Url::parse("https://tenant.example/api").unwrap(),
        )
    }

    #[test]
    fn a_bad_certificate_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("ca.pem");
        std::fs::write(&text, "no certificate").unwrap();
        for path in [folder.path().join("missing.pem"), text] {
            let sentence = with_ca(path.clone()).unwrap_err();
            assert!(
                sentence.contains(&path.display().to_string()) && sentence.contains("PEM"),
                "{sentence}"
            );
        }
    }

    #[test]
    fn a_certificate_file_of_ones_own_is_taken() {
        with_ca(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ca.pem")).unwrap();
    }
}
