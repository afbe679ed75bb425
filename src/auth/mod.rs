//! OAuth 2.0 sign-in (interface section 5): the password grant, the refresh token grant, and the life of a token.
//!
//! ```text
//!  sign_in ──► grant ──► exchange ──► the identity provider
//!                 ▲
//!  bearer ──► source: due at 80 %, one refresh however many wait
//! ```

mod error;
mod exchange;
mod grant;
mod identity;
pub(crate) mod proxy;
mod source;
mod token;

pub use error::AuthError;
pub(crate) use error::redirect_remedy;
pub(crate) use exchange::{HttpAnswer, hide, innermost, place, reach, requests, send};
pub use exchange::{NetworkFault, NoConnection, Reached, Unconnected};
pub use identity::Identity;
pub use source::{Attempt, Credentials, SignInState, SigningIn, TokenSource};
pub use token::Bearer;
