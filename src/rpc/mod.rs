//! JSON-RPC over HTTP: the client of the interface (sections 2 to 4, 7).
//!
//! ```text
//!  Reader ──┐                     ┌─ envelope: one request, its answer opened
//!           ├─► channel ──────────┤
//!  Writer ──┘  token, one try,    └─ decode: the result into domain values
//!              a read once more after a 401
//! ```

mod bounds;
mod channel;
mod decode;
mod envelope;
mod error;
mod http;
mod prepared;
mod reader;
mod runs;
mod wording;
mod writer;

pub use channel::asked_or;
pub use error::{Acted, CallError, CallErrorKind, MethodCall, ServiceError};
pub use http::{HttpSettings, http_client, resolve};
pub use prepared::Endpoint;
pub use reader::{Reader, Waits};
pub use wording::CHECK_PROJECT;
pub use writer::Writer;

pub(crate) use crate::auth::proxy::broken_for as broken_proxy;
