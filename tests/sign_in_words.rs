//! What a person reads about a sign-in that failed: the cause, who answered, and what helps.

use crate::support::prelude::*;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use rundown::auth::{AuthError, NetworkFault, TokenSource};
use rundown::rpc::{HttpSettings, http_client};

use super::headless::scene::{Ran, Scene};
use super::support::{self, PASSWORD, identity, tls};

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

async fn sign_in(base: &str, ca: Option<&str>) -> AuthError {
    sign_in_within(Duration::from_secs(10), base, ca).await
}

async fn sign_in_within(limit: Duration, base: &str, ca: Option<&str>) -> AuthError {
    let settings = support::settings(limit).with(|it| it.ca_certificate = ca.map(fixture));
    let http = http_client(&settings, &base.parse().unwrap()).unwrap();
    let source = TokenSource::new(http, identity(base), None);
    let outcome = source.sign_in("ada", &PASSWORD.to_owned().into()).await;
    outcome.unwrap_err()
}

#[tokio::test]
async fn an_answer_that_does_not_come_in_time_names_the_setting() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", silent.local_addr().unwrap());
    let error = sign_in_within(Duration::from_millis(300), &base, None).await;
    says(&error.to_string(), "no answer in time");
    says(&error.remedy(), "Check idp_url and the network");
    says(&error.remedy(), "raise request_timeout_seconds");
}

#[tokio::test]
async fn each_answer_has_its_own_remedy() {
    for (status, body, cause, remedy) in [
        (
            400,
            r#"{"error":"invalid_grant","error_description":"Account disabled"}"#,
            "Account disabled",
            "enable the account",
        ),
        (
            400,
            r#"{"error":"invalid_grant","error_description":"Account is not fully set up"}"#,
            "not fully set up",
            "in a browser once",
        ),
        (
            401,
            r#"{"error":"invalid_grant","error_description":"Invalid user credentials"}"#,
            "Invalid user credentials",
            "Username and password do not fit, or the account is locked",
        ),
        (
            400,
            r#"{"error":"unauthorized_client","error_description":"Client not allowed for direct access grants"}"#,
            "direct access grants",
            "turn on direct access grants for client_id",
        ),
        (
            401,
            r#"{"error":"invalid_client","error_description":"Invalid client or Invalid client credentials"}"#,
            "invalid_client",
            "check client_id and client_secret",
        ),
        (
            401,
            r#"{"error":"unauthorized_client","error_description":"Invalid client or Invalid client credentials"}"#,
            "unauthorized_client",
            "check client_id and client_secret",
        ),
        (
            403,
            r#"{"error":"access_denied","error_description":"Realm not enabled"}"#,
            "the realm is turned off",
            "The password was not judged",
        ),
        (
            404,
            r#"{"error":"Realm does not exist"}"#,
            "no such realm",
            "whether the realm is gone",
        ),
        (
            401,
            "<html><title>401 Authorization Required</title></html>",
            "wants a sign-in of its own",
            "The password was not judged",
        ),
        (
            400,
            "<html><title>400 The plain HTTP request was sent to HTTPS port</title></html>",
            "odd answer, no JSON",
            "has to begin with https://",
        ),
        (
            502,
            "<html><title>502 Bad Gateway</title></html>",
            "not available",
            "Try again in a while",
        ),
    ] {
        let server = Scripted::start(move |_, _| Say::bytes(status, body)).await;
        let error = sign_in(&server.base, None).await;
        let words = format!("{error}. {}", error.remedy());
        says(&words, cause);
        says(&words, remedy);
        if status == 404 {
            says(&words, "no such realm: tests,");
        }
        if let AuthError::Odd { .. } = error {
            // The cause comes first, and behind it who answered.
            let answered = format!(" ({}, status {status})", server.base);
            assert!(words.find(cause) < words.find(&answered), "{words}");
        }
    }
    let over_tls = AuthError::Odd {
        place: "https://idp.example".into(),
        status: 400,
        what: String::new(),
        retry_after: None,
    };
    let remedy = over_tls.remedy();
    says(&remedy, "client certificate");
}

/// Speaks to one connection after the other.
fn serve(speak: impl Fn(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            speak(stream.unwrap());
        }
    });
    place
}

/// A port that speaks TLS with a certificate of a private authority.
pub fn private_tls() -> String {
    tls_of(tls::server())
}

fn tls_of(config: Arc<rustls::ServerConfig>) -> String {
    serve(move |mut stream| {
        let mut tls = rustls::ServerConnection::new(config.clone()).unwrap();
        let mut stream = rustls::Stream::new(&mut tls, &mut stream);
        let mut request = [0; 4096];
        // A client that trusts nobody here ends the handshake.
        if stream.read(&mut request).is_ok() {
            let body = r#"{"error":"invalid_client"}"#;
            let length = body.len();
            write!(
                stream,
                "HTTP/1.1 401 No\r\ncontent-length: {length}\r\n\r\n{body}"
            )
            .unwrap();
        }
    })
}

fn barred(error: &AuthError) -> (&str, &str) {
    match error {
        AuthError::Network(NetworkFault::Connect(none)) => {
            (&none.why, none.remedy.as_ref().unwrap())
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_of_an_unknown_authority_leads_to_ca_certificate() {
    let place = private_tls();
    let error = sign_in(&format!("https://{place}"), Some("ca.pem")).await;
    let (why, remedy) = barred(&error);
    says(why, &place);
    says(why, "not trusted here");
    says(remedy, "ca_also (as ca_certificate, if");
    assert!(!error.may_have_counted());
    let trusted = sign_in(&format!("https://{place}"), Some("tls/ca.pem")).await;
    assert!(matches!(trusted, AuthError::Refused { .. }), "{trusted:?}");

    // What is trusted also adds to the authorities of the system, and to those in their place.
    for ca in [None, Some(fixture("ca.pem"))] {
        let settings = HttpSettings {
            ca_certificate: ca,
            ca_also: Some(tls::fixture("ca.pem")),
            ..support::settings(Duration::from_secs(10))
        };
        let base = format!("https://{place}");
        let http = http_client(&settings, &base.parse().unwrap()).unwrap();
        let source = TokenSource::new(http, identity(&base), None);
        let also = source.sign_in("ada", &PASSWORD.to_owned().into()).await;
        assert!(matches!(also, Err(AuthError::Refused { .. })), "{also:?}");
    }
}

/// The certificate that openssl makes by itself is one of an authority; to trust it does not help.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_is_not_that_of_a_server_is_told() {
    let place = tls_of(tls::server_of("self-signed"));
    for trusted in ["ca.pem", "tls/self-signed.pem"] {
        let error = sign_in(&format!("https://{place}"), Some(trusted)).await;
        let (why, remedy) = barred(&error);
        says(why, "its certificate is not that of a server");
        says(remedy, "Ask whoever runs the address");
        assert!(!error.may_have_counted());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_speaks_the_other_protocol_is_told() {
    let plain = Scripted::start(|_, _| Say::bytes(200, "")).await;
    let error = sign_in(&plain.base.replace("http://", "https://"), Some("ca.pem")).await;
    let (why, remedy) = barred(&error);
    says(why, "speaks no TLS");
    says(remedy, "takes no https://");
    // On this machine the way is safe, and it can be written.
    says(remedy, "or write http:// if");
    assert!(plain.seen().is_empty());

    // What a TLS port says to plain HTTP: an alert.
    let tls = serve(|mut stream| {
        let mut request = [0; 4096];
        assert!(stream.read(&mut request).unwrap() > 0);
        stream.write_all(b"\x15\x03\x01\x00\x02\x02\x46").unwrap();
    });
    let error = sign_in(&format!("http://{tls}"), None).await.to_string();
    says(&error, &tls);
    says(&error, "begin with https://");

    let demanding = serve(|mut stream| {
        let mut hello = [0; 4096];
        assert!(stream.read(&mut hello).unwrap() > 0);
        stream.write_all(b"\x15\x03\x03\x00\x02\x02\x28").unwrap();
    });
    let error = sign_in(&format!("https://{demanding}"), Some("ca.pem")).await;
    let (why, remedy) = barred(&error);
    says(why, "client certificate");
    says(remedy, "without client certificates");
}

/// The program with addresses that are not on this machine and these variables.
async fn through(variables: &[(&str, &str)]) -> Ran {
    asked("runs list", variables).await
}

async fn asked(line: &str, variables: &[(&str, &str)]) -> Ran {
    let scene = Scene::new(Options::default()).await;
    let config = scene
        .config()
        .replace(&scene.proxy.base, "https://tenant.invalid")
        + &format!(
            "ca_certificate = '{}'\nrequest_timeout_seconds = 5\n",
            fixture("ca.pem").display()
        );
    scene.write_config(&config);
    let mut command = scene.command(line);
    command.envs(variables.iter().copied());
    Ran::of(command).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_wants_a_password_or_is_not_there_is_named_with_its_variable() {
    let wanting = serve(|mut stream| {
        let mut connect = [0; 4096];
        assert!(stream.read(&mut connect).unwrap() > 0);
        let answer = b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(answer).unwrap();
    });
    let address = format!("http://ada:canary@{wanting}");
    let ran = through(&[("HTTPS_PROXY", &address)]).await;
    ran.refused(
        4,
        &[
            "tenant.invalid",
            &wanting,
            "$HTTPS_PROXY",
            "name:password@host",
            "authorization required",
        ],
    );
    lacks(&ran.err, "canary");

    let (_held, gone) = support::nobody_listens();
    let gone = gone.to_string();
    let ran = through(&[("all_proxy", &gone)]).await;
    ran.refused(4, &["tenant.invalid", &gone, "$all_proxy", "refused"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_variable_that_is_no_address_is_named_and_nothing_goes_out_directly() {
    let ran = through(&[("HTTPS_PROXY", "http://u:canary@[bad")]).await;
    ran.refused(2, &["$HTTPS_PROXY", "no address of an HTTP proxy"]);
    lacks(&ran.err, "canary");
    let ran = asked("doctor", &[("HTTPS_PROXY", "http://")]).await;
    says(&ran.out, "$HTTPS_PROXY is no address of an HTTP proxy");
    lacks(&ran.out, "VPN");
    let ran = through(&[
        ("HTTPS_PROXY", "http://u:canary@[bad"),
        ("NO_PROXY", ".invalid"),
    ])
    .await;
    ran.refused(4, &["tenant.invalid"]);
    lacks(&ran.err, "HTTPS_PROXY");
}

/// Says this to whoever connects and asks for something.
fn saying(words: &'static [u8]) -> String {
    serve(move |mut stream| {
        let mut connect = [0; 4096];
        if stream.read(&mut connect).unwrap_or(0) > 0 {
            let _ = stream.write_all(words);
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_without_tls_on_another_machine_is_not_to_be_written_with_http() {
    // A proxy that lets everybody through, and a port behind it that speaks plain HTTP.
    let proxy = serve(|mut stream| {
        let mut asked = [0; 4096];
        assert!(stream.read(&mut asked).unwrap() > 0);
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        if stream.read(&mut asked).unwrap_or(0) > 0 {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let ran = through(&[("HTTPS_PROXY", &format!("http://{proxy}"))]).await;
    ran.refused(4, &["tenant.invalid", "speaks no TLS", "correct the port"]);
    lacks(&ran.err, "write http://");
    lacks(&ran.err, &proxy);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_without_tls_that_is_written_with_https_is_named() {
    let plain = saying(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    let address = format!("https://ada:canary@{plain}");
    let ran = through(&[("HTTPS_PROXY", &address)]).await;
    let words = format!("tenant.invalid through the proxy {plain}: what answers speaks no TLS");
    ran.refused(4, &[&words, "Write http:// in $HTTPS_PROXY"]);
    lacks(&ran.err, "That port takes no https://");
    lacks(&ran.err, "canary");

    // So is one whose certificate is not trusted.
    let ran = through(&[("HTTPS_PROXY", &format!("https://{}", private_tls()))]).await;
    ran.refused(4, &["through the proxy", "not trusted here", "ca_also"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_proxy_that_asks_for_a_password_is_to_be_given_one() {
    let (_held, gone) = support::nobody_listens();
    let barring = saying(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    for proxy in [gone.to_string(), barring] {
        let ran = through(&[("HTTPS_PROXY", &format!("http://{proxy}"))]).await;
        let words = format!("through the proxy {proxy}");
        ran.refused(4, &[&words, "Check the proxy that $HTTPS_PROXY names"]);
        lacks(&ran.err, "a name and a password");
    }
}
