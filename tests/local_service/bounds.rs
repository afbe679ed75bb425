//! What one caller can make large or keep open.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use super::client::options;
use rundown::local_service::{Given, LocalService, Options};
use secrecy::ExposeSecret;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::client::{Client, default_client, http};

#[tokio::test]
async fn a_body_may_be_as_large_as_its_request_needs() {
    let client = default_client().await;
    let origin = &client.profile.idp_url;
    let realm = &client.profile.realm;
    let sign_in = format!("{origin}/realms/{realm}/protocol/openid-connect/token");
    let call = format!("{}/v2/rpc", client.profile.base_url);
    for (url, kind, most) in [
        (&sign_in, "application/x-www-form-urlencoded", 64 << 10),
        (&call, "application/json", 1 << 20),
    ] {
        let status = async |size: usize| {
            let request = client.http.post(url).header("content-type", kind);
            let request = request.bearer_auth(&client.token).body(vec![b' '; size]);
            request.send().await.unwrap().status().as_u16()
        };
        assert_ne!(status(most).await, 413, "{url}");
        assert_eq!(status(most + 1).await, 413, "{url}");
    }
}

#[tokio::test]
async fn who_does_not_finish_a_request_is_let_go() {
    let options = options(|it| it.request_timeout = Duration::from_millis(100));
    let service = LocalService::start(options, |_, _| ()).await.unwrap();
    let realm = &service.profile().realm;
    let sign_in = format!("/realms/{realm}/protocol/openid-connect/token");
    for path in ["/api/v2/rpc", &sign_in] {
        for begun in ["Host: ", "Host: here\r\nContent-Length: 2\r\n\r\n{"] {
            let mut stream = TcpStream::connect(service.address()).await.unwrap();
            let request = format!("POST {path} HTTP/1.1\r\n{begun}");
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut rest = Vec::new();
            let ended = stream.read_to_end(&mut rest);
            let ended = tokio::time::timeout(Duration::from_secs(20), ended).await;
            assert!(ended.is_ok(), "the service closes it: {request}");
        }
    }
}

#[tokio::test]
async fn more_connections_than_are_served_wait_for_others_to_end() {
    let service = LocalService::start(Options::default(), |_, _| ())
        .await
        .unwrap();
    let mut idle = Vec::new();
    for _ in 0..256 {
        idle.push(TcpStream::connect(service.address()).await.unwrap());
    }
    let url = format!("http://{}/", service.address());
    let mut answer = Box::pin(http().get(url).send());
    let soon = tokio::time::timeout(Duration::from_millis(300), &mut answer).await;
    assert!(soon.is_err(), "nobody takes it");
    drop(idle);
    assert_eq!(answer.await.unwrap().status().as_u16(), 404);
}

#[tokio::test]
async fn folders_with_secrets_are_for_their_owner_alone() {
    let mode = |folder: &Path| std::fs::metadata(folder).unwrap().permissions().mode() & 0o777;
    let thrown_away = default_client().await;
    let folder = thrown_away.service.database().parent().unwrap().to_owned();
    assert_eq!(mode(&folder), 0o700);

    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let made = place.path().join("above/service");
    let options = options(|it| it.database = Some(made.join("service.db")));
    let _kept = Client::start(options).await;
    assert_eq!(mode(&made), 0o700);
    assert_eq!(mode(&place.path().join("above")), 0o700);
    assert_eq!(mode(place.path()), 0o755, "what was there is left alone");
}

#[tokio::test]
async fn who_gave_the_secrets_is_not_told_them() {
    let client = default_client().await;
    let profile = &client.profile;
    let given = Given {
        client_secret: Some("HOLDS_IT"),
        password: true,
    };
    let text = profile.toml("local", given);
    assert!(!text.contains(profile.client_secret.expose_secret()));
    assert!(!text.contains(profile.password.expose_secret()));
    let named: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("password"))
        .collect();
    let [named] = named[..] else {
        panic!("{text}");
    };
    assert!(
        named.starts_with("# password_env = \"RUNDOWN_SERVE_PASSWORD\""),
        "{text}"
    );
    let file: toml::Table = text.parse().unwrap();
    assert_eq!(
        file["profiles"]["local"]["client_secret_env"].as_str(),
        Some("HOLDS_IT")
    );
}
