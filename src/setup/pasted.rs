//! Reads the certain parts of a profile from a pasted text: addresses and names anywhere, and `key = "value"` lines of
//! a config file.

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use super::answers::{CLIENT_SECRET, PASSWORD, provider, service};
use crate::config::fits;

/// Keys read from lines of a profile.
const LINES: [&str; 7] = [
    "base_url",
    "idp_url",
    "realm",
    "client_id",
    "username",
    "project_id",
    "subproject_id",
];

/// Keys of the secrets, each with the key that names its environment variable.
const SECRETS: [(&str, &str); 2] = [
    (CLIENT_SECRET, "client_secret_env"),
    (PASSWORD, "password_env"),
];

/// The result of reading a pasted text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pasted {
    /// Texts by key of the config file.
    pub texts: BTreeMap<&'static str, String>,
    /// Name of the profile, if the text has the lines of one.
    pub profile: Option<String>,
    /// Keys of the secrets in the text, which are not used.
    pub secrets: BTreeSet<&'static str>,
    /// Environment variables by key of the secret that each has.
    pub variables: BTreeMap<&'static str, String>,
}

/// Returns the certain texts of a profile by key: identity provider and realm from `…/realms/NAME/…`, the service from
/// an address that ends in `/api`, and `P_n` and `SP_n` from anywhere. Lines of a profile go before these. If values
/// differ, none is certain, and no host is guessed.
pub fn read(text: &str) -> Pasted {
    let secrets = text.lines().filter_map(secret).collect();
    let lines: Vec<_> = text.lines().filter(|line| secret(line).is_none()).collect();
    let named = lines.iter().filter_map(|line| {
        let name = line.trim().strip_prefix("[profiles.")?;
        name.strip_suffix(']')
    });
    let profile = only_one(named.collect()).map(str::to_owned);
    let mut texts = anywhere(&lines.join("\n"));
    let lines: Vec<toml::Table> = lines.iter().filter_map(|line| line.parse().ok()).collect();
    let values_of = |key: &str| {
        let values = lines.iter().filter_map(|line| line.get(key)?.as_str());
        values
            .filter(|text| fits(key, text).is_ok())
            .collect::<Vec<_>>()
    };
    for key in LINES {
        let values = values_of(key);
        if values.is_empty() {
            continue;
        }
        match only_one(values) {
            Some(text) => texts.insert(key, text.to_owned()),
            None => texts.remove(key),
        };
    }
    let variables = SECRETS.into_iter().filter_map(|(key, variable)| {
        let named = only_one(values_of(variable)).filter(|name| is_surely_a_name(name))?;
        Some((key, named.to_owned()))
    });
    Pasted {
        texts,
        profile,
        secrets,
        variables: variables.collect(),
    }
}

/// Key of the secret that a line has behind its name: `client_secret = …`, `Password: …`, also in a comment.
fn secret(line: &str) -> Option<&'static str> {
    let (name, _) = line.split_once(['=', ':'])?;
    let name = name.trim_end().to_lowercase();
    let called = |words: &[&str]| words.iter().any(|word| name.ends_with(word));
    if called(&[
        "password",
        "passwd",
        "passphrase",
        "passwort",
        "kennwort",
        "pwd",
    ]) {
        Some(PASSWORD)
    } else {
        called(&["secret", "geheimnis"]).then_some(CLIENT_SECRET)
    }
}

/// True for a name that cannot be a secret which was put in its place.
fn is_surely_a_name(variable: &str) -> bool {
    !variable.contains(|c: char| c.is_lowercase())
}

/// Returns the addresses in a text, without what stands around them in a sentence, a table or Markdown.
fn addresses(text: &str) -> Vec<Url> {
    let between = |c: char| c.is_whitespace() || "\"'`<>,;(){}|*„“”‚‘’«»".contains(c);
    let mut found = Vec::new();
    for word in text.split(between) {
        let mut rest = word;
        while let Some((before, behind)) = rest.split_once("://") {
            rest = behind;
            let before = before.to_ascii_lowercase();
            let mut schemes = ["https", "http"].into_iter();
            let Some(scheme) = schemes.find(|scheme| before.ends_with(scheme)) else {
                continue;
            };
            // Only around the number of a host brackets are part of an address.
            let host = behind.strip_prefix('[').and_then(|host| host.find(']'));
            let host = host.map_or(0, |end| end + 2);
            let end = behind[host..].find(['[', ']']);
            let (address, after) = behind.split_at(end.map_or(behind.len(), |end| host + end));
            rest = after;
            let address = address.trim_end_matches(['.', '!', '?', ':', '…']);
            found.extend(Url::parse(&format!("{scheme}://{address}")));
        }
    }
    found
}

fn anywhere(text: &str) -> BTreeMap<&'static str, String> {
    let (mut services, mut providers) = (Vec::new(), Vec::new());
    for url in addresses(text) {
        let place = url.origin().ascii_serialization();
        let (path, base) = (url.path(), service(url.path()));
        if path.contains("/realms/") {
            let found = provider(&url).filter(|(idp_url, _)| fits("idp_url", idp_url).is_ok());
            providers.extend(found);
        } else if base.ends_with("/api") {
            services.push(format!("{place}{base}"));
        }
    }
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names: Vec<_> = text
        .split(|c| !in_name(c))
        .filter(|word| *word != "_")
        .map(str::to_owned)
        .collect();
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
            found.texts,
            expected.map(|(key, text)| (key, text.to_owned())).into()
        );
        assert_eq!(
            read("https://k.corp/admin/realms/x base_url=https://t.corp/api/").texts["idp_url"],
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
            assert_eq!(read(unsure), Pasted::default(), "{unsure}");
        }
    }

    #[test]
    fn what_stands_around_an_address_is_no_part_of_it() {
        let corp = [
            ("base_url", "https://tms.corp/api"),
            ("idp_url", "https://login.corp"),
            ("realm", "x"),
        ];
        for text in [
            "Sign in at https://login.corp/realms/x. The API is https://tms.corp/api.",
            "[API](https://tms.corp/api), **realm**: `https://login.corp/realms/x`.",
            "[https://tms.corp/api][https://login.corp/realms/x]",
            "API **https://tms.corp/api** and https://login.corp/realms/x!",
            "|https://tms.corp/api|https://login.corp/realms/x|",
            "API: HTTPS://TMS.corp/api? Realm: Https://login.corp/realms/x:",
            "{\u{201e}https://tms.corp/api\u{201c}}, \u{ab}https://login.corp/realms/x\u{bb}...",
        ] {
            assert_eq!(
                read(text).texts,
                corp.map(|(key, text)| (key, text.to_owned())).into(),
                "{text}"
            );
        }
        for text in [
            "https://[2001:db8::1]:8443/api",
            "(API: [https://[2001:db8::1]:8443/api].)",
        ] {
            assert_eq!(
                read(text).texts["base_url"],
                "https://[2001:db8::1]:8443/api"
            );
        }
        // Two in brackets are two.
        let two = read("[https://a.corp/api][https://b.corp/api]");
        assert_eq!(two, Pasted::default());
    }

    #[test]
    fn lines_of_a_profile_are_taken_and_secrets_are_not() {
        let lines = "[profiles.local]\nbase_url = \"http://127.0.0.1:4010/api\"\nidp_url = \"http://127.0.0.1:4010\"\n\
                     realm = \"demo\"\nclient_id = \"rundown\" # the client\nusername = \"qa\"\nproject_id = \"P_9\"\n\
                     subproject_id = \"_\"\n";
        let expected = [
            ("base_url", "http://127.0.0.1:4010/api"),
            ("client_id", "rundown"),
            ("idp_url", "http://127.0.0.1:4010"),
            ("project_id", "P_9"),
            ("realm", "demo"),
            ("subproject_id", "_"),
            ("username", "qa"),
        ];
        let texts = expected.map(|(key, text)| (key, text.to_owned()));
        let expected = |secret: Option<&'static str>| Pasted {
            texts: texts.clone().into(),
            profile: Some("local".into()),
            secrets: secret.into_iter().collect(),
            variables: BTreeMap::new(),
        };
        assert_eq!(read(lines), expected(None));
        for (key, secret) in [
            (CLIENT_SECRET, "client_secret = \"P_7\""),
            (PASSWORD, "# password: P_7, typed at sign-in"),
            (PASSWORD, "password=\"https://t.corp/api\""),
            (PASSWORD, "Your Password : P_7"),
            (CLIENT_SECRET, "- Client-Secret: https://t.corp/api"),
        ] {
            assert_eq!(read(&format!("{secret}\n{lines}")), expected(Some(key)));
        }
        // The name of a variable is none; a command of others is not run, and two names are not sure.
        let sources = "client_secret_env = \"S\"\npassword_command = \"pass x\"\n";
        let mut named = expected(None);
        named.variables.insert(CLIENT_SECRET, "S".into());
        assert_eq!(read(&format!("{sources}{lines}")), named);
        let sources =
            "password_env = \"a b\"\nclient_secret_env = \"S\"\nclient_secret_env = \"T\"\n";
        assert_eq!(read(&format!("{sources}{lines}")), expected(None));
        // What stands there instead of a name is not shown.
        let misplaced = "client_secret_env = \"Zq3canary\"\n";
        assert_eq!(read(&format!("{misplaced}{lines}")), expected(None));
        // Of two profiles only the values they share are certain.
        let found = read(&format!("{lines}{}", lines.replace("qa", "ada")));
        assert!(!found.texts.contains_key("username") && found.texts["realm"] == "demo");
    }
}
