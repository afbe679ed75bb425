//! What a pasted text surely has of a profile.

use url::Url;
use url::form_urlencoded::parse;

use crate::config::fits;

/// What was found, each where there is one value for it and no other.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pasted {
    pub base_url: Option<String>,
    pub idp_url: Option<String>,
    pub realm: Option<String>,
    pub project_id: Option<String>,
    pub subproject_id: Option<String>,
}

impl Pasted {
    /// Of `…/realms/NAME/…` identity provider and realm, of an address with `/api` at its end that of the service, and
    /// `P_n` and `SP_n` wherever they stand. No host is guessed.
    pub fn of(text: &str) -> Self {
        let (mut services, mut providers) = (Vec::new(), Vec::new());
        let between = |c: char| c.is_whitespace() || "\"'<>,;()[]".contains(c);
        for word in text.split(between) {
            let from = word.find("https://").or_else(|| word.find("http://"));
            let Some(Ok(url)) = from.map(|from| Url::parse(&word[from..])) else {
                continue;
            };
            let place = url.origin().ascii_serialization();
            let path = url.path().trim_end_matches('/');
            if let Some((before, realm)) = path.split_once("/realms/") {
                let before = before.strip_suffix("/admin").unwrap_or(before);
                let realm = realm.split('/').next().unwrap_or_default();
                let realm = realm.replace('+', "%2B");
                let realm = parse(realm.as_bytes()).next().map(|(name, _)| name);
                let realm = realm.unwrap_or_default().into_owned();
                providers.push((format!("{place}{before}"), realm));
            } else if let Some(base) = path.strip_suffix("/v2/rpc").or(Some(path))
                && base.ends_with("/api")
            {
                services.push(format!("{place}{base}"));
            }
        }
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let names = |key: &str| {
            let words = text.split(|c| !in_name(c)).filter(|word| *word != "_");
            only(key, words.map(str::to_owned))
        };
        let (idp_url, realm) = match only_one(providers) {
            Some((idp_url, realm)) if fits("idp_url", &idp_url).is_ok() => {
                (Some(idp_url), only("realm", [realm]))
            }
            _ => (None, None),
        };
        Self {
            base_url: only("base_url", services),
            idp_url,
            realm,
            project_id: names("project_id"),
            subproject_id: names("subproject_id"),
        }
    }
}

/// The one text among these that can be the value of this key.
fn only(key: &str, texts: impl IntoIterator<Item = String>) -> Option<String> {
    let fitting = texts.into_iter().filter(|text| fits(key, text).is_ok());
    only_one(fitting.collect())
}

fn only_one<T: PartialEq>(mut values: Vec<T>) -> Option<T> {
    let last = values.pop()?;
    values.iter().all(|value| *value == last).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sure_is_taken_and_nothing_else() {
        let read = Pasted::of(
            "Login: https://login.corp/auth/realms/tenant%201/protocol/openid-connect/auth?client_id=web\n\
             (https://tms.corp/tenant/api/v2/rpc), project P_9 / SP_12",
        );
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            read,
            Pasted {
                base_url: text("https://tms.corp/tenant/api"),
                idp_url: text("https://login.corp/auth"),
                realm: text("tenant 1"),
                project_id: text("P_9"),
                subproject_id: text("SP_12"),
            }
        );
        assert_eq!(
            Pasted::of("https://k.corp/admin/realms/x base_url=https://t.corp/api/").idp_url,
            text("https://k.corp")
        );
        for unsure in [
            "",
            "tms.corp/api and P_x, SP_, _",
            "https://tms.corp/projects/P_1 P_2",
            "http://login.corp/realms/x http://tms.corp/api",
            "https://a.corp/api https://b.corp/api",
            "https://user:canary@tms.corp/apis",
        ] {
            assert_eq!(Pasted::of(unsure), Pasted::default(), "{unsure}");
        }
    }
}
