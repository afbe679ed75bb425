//! What a pasted text surely has of a profile.

use std::collections::BTreeMap;

use url::Url;
use url::form_urlencoded::parse;

use crate::config::fits;

/// The texts of a profile that are sure, by key: of `…/realms/NAME/…` identity provider and realm, of an address with `/api`
/// at its end that of the service, and `P_n` and `SP_n` wherever they stand. Of several none is sure, and no host is guessed.
pub fn read(text: &str) -> BTreeMap<&'static str, String> {
    let (mut services, mut providers) = (Vec::new(), Vec::new());
    let between = |c: char| c.is_whitespace() || "\"'<>,;()[]".contains(c);
    for word in text.split(between) {
        let from = word.find("https://").or_else(|| word.find("http://"));
        let Some(Ok(url)) = from.map(|from| Url::parse(&word[from..])) else {
            continue;
        };
        let place = url.origin().ascii_serialization();
        let path = url.path().trim_end_matches('/');
        let base = path.strip_suffix("/v2/rpc").unwrap_or(path);
        if let Some((before, realm)) = path.split_once("/realms/") {
            let before = before.strip_suffix("/admin").unwrap_or(before);
            let realm = realm.split('/').next().unwrap_or_default();
            let realm = realm.replace('+', "%2B");
            let realm = parse(realm.as_bytes()).next().unwrap_or_default().0;
            let idp_url = format!("{place}{before}");
            if fits("idp_url", &idp_url).is_ok() {
                providers.push((idp_url, realm.into_owned()));
            }
        } else if base.ends_with("/api") {
            services.push(format!("{place}{base}"));
        }
    }
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = text.split(|c| !in_name(c)).filter(|word| *word != "_");
    let names: Vec<_> = names.map(str::to_owned).collect();
    let (idp_url, realm) = only_one(providers).unzip();
    let found = [
        ("base_url", services),
        ("idp_url", idp_url.into_iter().collect()),
        ("realm", realm.into_iter().collect()),
        ("project_id", names.clone()),
        ("subproject_id", names),
    ];
    let sure = |(key, mut texts): (_, Vec<String>)| {
        texts.retain(|text| fits(key, text).is_ok());
        Some((key, only_one(texts)?))
    };
    found.into_iter().filter_map(sure).collect()
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
        let found = read(
            "Login: https://login.corp/auth/realms/tenant%201/protocol/openid-connect/auth?client_id=web\n\
             (https://tms.corp/tenant/api/v2/rpc), project P_9 / SP_12",
        );
        let expected = [
            ("base_url", "https://tms.corp/tenant/api"),
            ("idp_url", "https://login.corp/auth"),
            ("project_id", "P_9"),
            ("realm", "tenant 1"),
            ("subproject_id", "SP_12"),
        ];
        assert_eq!(
            found,
            expected.map(|(key, text)| (key, text.to_owned())).into()
        );
        assert_eq!(
            read("https://k.corp/admin/realms/x base_url=https://t.corp/api/")["idp_url"],
            "https://k.corp"
        );
        for unsure in [
            "",
            "tms.corp/api and P_x, SP_, _",
            "https://tms.corp/projects/P_1 P_2",
            "http://login.corp/realms/x http://tms.corp/api",
            "https://a.corp/api https://b.corp/api",
            "https://user:canary@tms.corp/apis",
        ] {
            assert!(read(unsure).is_empty(), "{unsure}");
        }
    }
}
