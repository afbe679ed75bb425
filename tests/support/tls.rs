//! A server with a certificate of a private authority.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A file of `tests/fixtures/tls`.
pub fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.join("tests/fixtures/tls").join(name)
}

pub fn server() -> Arc<ServerConfig> {
    server_of("server")
}

/// A server with this certificate and key.
pub fn server_of(name: &str) -> Arc<ServerConfig> {
    let chain = CertificateDer::pem_file_iter(fixture(&format!("{name}.pem"))).unwrap();
    let key = PrivateKeyDer::from_pem_file(fixture(&format!("{name}.key"))).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain.map(Result::unwrap).collect(), key);
    Arc::new(config.unwrap())
}
