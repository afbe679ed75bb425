//! The client that asks for tokens, and the address (interface section 5).

use secrecy::SecretString;
use url::Url;

use super::AuthError;

/// Address of the identity provider and the client registered there.
#[derive(Clone, Debug)]
pub struct Identity {
    /// `{idp_url}`.
    pub idp_url: Url,
    /// Realm name.
    pub realm: String,
    /// `client_id`.
    pub client_id: String,
    /// `client_secret`; a public client has none and sends none.
    pub client_secret: Option<SecretString>,
}

impl Identity {
    /// `{idp_url}/realms/<realm>/protocol/openid-connect/token` (5.1).
    pub fn token_url(&self) -> Result<Url, AuthError> {
        let mut url = self.idp_url.clone();
        url.set_query(None);
        url.set_fragment(None);
        let no_path = |()| AuthError::NotSent {
            what: "idp_url is no address that a path can be added to".into(),
        };
        let token = ["realms", &self.realm, "protocol", "openid-connect", "token"];
        let mut path = url.path_segments_mut().map_err(no_path)?;
        path.pop_if_empty().extend(token);
        drop(path);
        Ok(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_address_is_the_documented_one() {
        let address = |idp: &str| {
            let idp_url = Url::parse(idp).unwrap();
            Identity {
                idp_url,
                realm: "t 9/x".into(),
                client_id: "c".into(),
                client_secret: None,
            }
            .token_url()
        };
        let expected = "https://idp.example/auth/realms/t%209%2Fx/protocol/openid-connect/token";
        assert_eq!(
            address("https://idp.example/auth").unwrap().as_str(),
            expected
        );
        assert_eq!(
            address("https://idp.example/auth/?a=b#c").unwrap().as_str(),
            expected
        );
        assert!(address("mailto:someone@example").is_err());
    }
}
