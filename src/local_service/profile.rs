//! Connection data of a started service.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::data::{FIRST_PROJECT, FIRST_SUBPROJECT};
use super::prelude::*;

/// Addresses and credentials of a started service, for a client's profile (5).
#[derive(Debug, Clone)]
pub struct ServedProfile {
    /// `{base_url}` of the interface; ends with `/api`.
    pub base_url: String,
    /// `{idp_url}` of the interface.
    pub idp_url: String,
    pub realm: String,
    pub client_id: String,
    pub client_secret: SecretString,
    pub username: String,
    /// Password, for the sign-in only; a config file has no key for it.
    pub password: SecretString,
    /// Project with most of the generated runs.
    pub project_id: String,
    /// Sub project with most of the generated runs.
    pub subproject_id: String,
}

/// Secrets given by the user, which are not printed: standard output may go to a log.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// Environment variable of the client secret.
    pub client_secret: Option<&'static str>,
    pub password: bool,
}

impl ServedProfile {
    /// Profile of a service that listens on `address`.
    pub(super) fn new(
        address: SocketAddr,
        (realm, client_id, username): (String, String, String),
        client_secret: SecretString,
        password: SecretString,
    ) -> Self {
        let origin = format!("http://{}", reachable(address));
        Self {
            base_url: format!("{origin}/api"),
            idp_url: origin,
            realm,
            client_id,
            client_secret,
            username,
            password,
            project_id: FIRST_PROJECT.to_owned(),
            subproject_id: FIRST_SUBPROJECT.to_owned(),
        }
    }

    /// Section `[profiles.NAME]` for a config file; the password is in a comment, as the file has no key for it.
    ///
    /// The text has the secrets that are not `given`: print it only for the user who started the service.
    pub fn toml(&self, name: &str, given: Given) -> String {
        let password = if given.password {
            String::new()
        } else {
            format!(
                "# password: {}, typed at sign-in\n",
                self.password.expose_secret()
            )
        };
        let secret = match given.client_secret {
            Some(variable) => ("client_secret_env", variable),
            None => self.secret(),
        };
        let typed = if given.password {
            "# password_env = \"RUNDOWN_SERVE_PASSWORD\"   # else it is typed at sign-in\n"
        } else {
            ""
        };
        let lines = self.lines(secret);
        format!("{password}{}{lines}{typed}", format_header(name))
    }

    /// Lines `key = value` of the section. They contain the client secret.
    pub fn keys(&self) -> String {
        self.lines(self.secret())
    }

    fn secret(&self) -> (&'static str, &str) {
        ("client_secret", self.client_secret.expose_secret())
    }

    fn lines(&self, secret: (&str, &str)) -> String {
        let lines = [
            ("base_url", self.base_url.as_str()),
            ("idp_url", &self.idp_url),
            ("realm", &self.realm),
            ("client_id", &self.client_id),
            secret,
            ("username", &self.username),
            ("project_id", &self.project_id),
            ("subproject_id", &self.subproject_id),
        ];
        let line = |(key, value): (&str, &str)| format!("{key} = {}\n", quoted(value));
        lines.into_iter().map(line).collect()
    }
}

/// `[profiles.name]`, with the name quoted if TOML requires it.
fn format_header(name: &str) -> String {
    let bare = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if bare {
        format!("[profiles.{name}]\n")
    } else {
        format!("[profiles.{}]\n", quoted(name))
    }
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Address that a client on this machine can call; an unspecified one becomes localhost.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
