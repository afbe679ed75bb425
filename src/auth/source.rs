//! Where calls get their token from: one session, renewed by one refresh at a time.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use secrecy::SecretString;
use tokio::sync::watch;

use super::grant::{Grant, Tokens, ask};
use super::token::Lifetime;
use super::{AuthError, Bearer, Identity};

/// After a refresh that failed for a passing reason, a token that is still good is used this long before the next try.
const PAUSE: Duration = Duration::from_secs(5);

/// A sign-in that was begun. Of two, one by hand goes before one from the configuration, else the later before the
/// earlier, whichever answer comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attempt {
    by_hand: bool,
    number: u64,
}

/// Whether somebody is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignIn {
    /// Nobody has signed in.
    SignedOut,
    /// A token is there.
    SignedIn {
        /// User name.
        user: String,
        /// When the token at hand was asked for.
        since: Instant,
        /// How long it lasts from then on.
        expires_in: Duration,
    },
    /// A person has to sign in again.
    Over {
        /// What the identity provider said, or what is missing.
        why: String,
    },
}

/// Hands out bearer tokens; clones share one session. Tokens live in memory only.
#[derive(Clone)]
pub struct TokenSource {
    inner: Arc<Inner>,
}

struct Inner {
    http: reqwest::Client,
    identity: Identity,
    session: Mutex<Option<Session>>,
    /// Held by the one refresh that is under way.
    gate: Arc<tokio::sync::Mutex<()>>,
    /// Number of refreshes that failed, and why the last one did.
    failures: Mutex<(u64, Option<AuthError>)>,
    tokens_made: AtomicU64,
    state: watch::Sender<SignIn>,
}

struct Session {
    user: String,
    /// The sign-in that began it: tells whether a refresh still belongs to this session.
    begun: Attempt,
    bearer: Bearer,
    refresh: Option<Arc<SecretString>>,
    life: Lifetime,
    /// The service answered 401 to this token.
    refused: bool,
    /// No refresh before this, unless the token cannot be used any more.
    paused_until: Option<Instant>,
}

impl Session {
    fn usable(&self) -> bool {
        !self.refused && !self.life.over()
    }
}

enum Next {
    Use(Bearer),
    Refresh,
}

impl TokenSource {
    /// A source that nobody has signed in to yet. `http` must not follow redirects.
    pub fn new(http: reqwest::Client, identity: Identity) -> Self {
        Self {
            inner: Arc::new(Inner {
                http,
                identity,
                session: Mutex::new(None),
                gate: Arc::default(),
                failures: Mutex::new((0, None)),
                tokens_made: AtomicU64::new(0),
                state: watch::Sender::new(SignIn::SignedOut),
            }),
        }
    }

    /// Begins a sign-in, by hand or from the configuration, before anything is asked for.
    pub fn begin(&self, by_hand: bool) -> Attempt {
        Attempt {
            by_hand,
            number: self.inner.next_number(),
        }
    }

    /// Somebody is signed in by a sign-in that goes before this one.
    pub fn is_behind(&self, attempt: Attempt) -> bool {
        self.inner
            .session()
            .as_ref()
            .is_some_and(|session| session.begun > attempt)
    }

    /// Signs in by hand with the password grant (5.1): one request, whatever comes of it. A session that is there is
    /// kept until the new one is.
    pub async fn sign_in(&self, username: &str, password: &SecretString) -> Result<(), AuthError> {
        self.sign_in_as(self.begin(true), username, password).await
    }

    /// Signs in as [`TokenSource::sign_in`] does. A success that comes late leaves the session of a sign-in that goes
    /// before this one as it is.
    pub async fn sign_in_as(
        &self,
        attempt: Attempt,
        username: &str,
        password: &SecretString,
    ) -> Result<(), AuthError> {
        let inner = &self.inner;
        let tokens = ask(
            &inner.http,
            &inner.identity,
            Grant::Password { username, password },
        )
        .await?;
        let mut session = inner.session();
        if session
            .as_ref()
            .is_none_or(|session| session.begun < attempt)
        {
            inner.store(username.to_owned(), attempt, tokens, None, &mut session);
        }
        Ok(())
    }

    /// The token for a call. From 80 % of its time on it is refreshed first (5.3), once for all who wait. While it is
    /// good, a refresh that cannot get through does no harm.
    pub async fn bearer(&self) -> Result<Bearer, AuthError> {
        match self.inner.look()? {
            Next::Use(bearer) => Ok(bearer),
            Next::Refresh => self.refresh().await,
        }
    }

    /// A token other than the one the service has just refused; refreshes unless there is a newer one already.
    pub async fn renew(&self, refused: &Bearer) -> Result<Bearer, AuthError> {
        self.distrust(refused);
        self.bearer().await
    }

    /// Marks a token as refused by the service, so that the next call refreshes before it is sent.
    pub fn distrust(&self, refused: &Bearer) {
        if let Some(session) = self.inner.session().as_mut()
            && session.bearer.generation() == refused.generation()
        {
            session.refused = true;
        }
    }

    /// Follows who is signed in.
    pub fn state(&self) -> watch::Receiver<SignIn> {
        self.inner.state.subscribe()
    }

    async fn refresh(&self) -> Result<Bearer, AuthError> {
        let failed_before = self.inner.failures().0;
        let turn = Arc::clone(&self.inner.gate).lock_owned().await;
        // Whoever had the turn before may have done it for us, or failed for us.
        if let Next::Use(bearer) = self.inner.look()? {
            return Ok(bearer);
        }
        if let (failed, Some(error)) = &*self.inner.failures()
            && *failed != failed_before
        {
            return Err(error.clone());
        }
        // A task of its own: a caller that goes away in the middle must not lose the new refresh token, for the old
        // one may be worth nothing any more.
        let inner = Arc::clone(&self.inner);
        let task = tokio::spawn(async move {
            let outcome = inner.refresh_once().await;
            drop(turn);
            outcome
        });
        task.await.unwrap_or_else(|_| {
            Err(AuthError::NotSent {
                what: "the program is ending".into(),
            })
        })
    }
}

impl Inner {
    fn session(&self) -> MutexGuard<'_, Option<Session>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failures(&self) -> MutexGuard<'_, (u64, Option<AuthError>)> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_number(&self) -> u64 {
        self.tokens_made.fetch_add(1, Ordering::Relaxed)
    }

    /// What to do for a token, without any waiting.
    fn look(&self) -> Result<Next, AuthError> {
        let mut guard = self.session();
        let Some(session) = guard.as_ref() else {
            return Err(match &*self.state.borrow() {
                SignIn::Over { why } => AuthError::SessionOver { why: why.clone() },
                SignIn::SignedOut | SignIn::SignedIn { .. } => AuthError::NotSignedIn,
            });
        };
        let paused = session
            .paused_until
            .is_some_and(|until| Instant::now() < until);
        match (session.usable(), session.refresh.is_some()) {
            (true, true) if session.life.due() && !paused => Ok(Next::Refresh),
            (true, _) => Ok(Next::Use(session.bearer.clone())),
            (false, true) => Ok(Next::Refresh),
            (false, false) => {
                let why = "the token is no longer good, and the identity provider gave none to renew it with";
                Err(self.end(&mut guard, why.into()))
            }
        }
    }

    async fn refresh_once(&self) -> Result<Bearer, AuthError> {
        let (token, begun) = match &*self.session() {
            Some(Session {
                refresh: Some(token),
                begun,
                ..
            }) => (Arc::clone(token), *begun),
            _ => return Err(AuthError::NotSignedIn),
        };
        let outcome = ask(&self.http, &self.identity, Grant::Refresh { token: &token }).await;
        let mut guard = self.session();
        match guard.as_mut() {
            Some(session) if session.begun == begun => match outcome {
                Ok(tokens) => {
                    let user = session.user.clone();
                    // A provider that does not rotate refresh tokens may leave it out (RFC 6749, 6).
                    Ok(self.store(user, begun, tokens, Some(token), &mut guard))
                }
                Err(AuthError::Refused {
                    status,
                    error,
                    description,
                }) if ends_the_session(status, &error) => {
                    let why = if description.is_empty() {
                        error
                    } else {
                        format!("{description} ({error})")
                    };
                    Err(self.end(&mut guard, why))
                }
                Err(error) => {
                    session.paused_until = Some(Instant::now() + PAUSE);
                    tracing::warn!(%error, "the token was not refreshed");
                    if session.usable() {
                        return Ok(session.bearer.clone());
                    }
                    let mut failures = self.failures();
                    *failures = (failures.0 + 1, Some(error.clone()));
                    Err(error)
                }
            },
            // Somebody signed in meanwhile: what came belongs to nobody.
            Some(session) if session.usable() => Ok(session.bearer.clone()),
            _ => Err(AuthError::NotSignedIn),
        }
    }

    fn store(
        &self,
        user: String,
        begun: Attempt,
        tokens: Tokens,
        kept: Option<Arc<SecretString>>,
        slot: &mut Option<Session>,
    ) -> Bearer {
        let bearer = Bearer::new(tokens.access, self.next_number());
        let (since, expires_in) = (tokens.life.since, tokens.life.lasts);
        *slot = Some(Session {
            user: user.clone(),
            begun,
            bearer: bearer.clone(),
            refresh: tokens.refresh.map(Arc::new).or(kept),
            life: tokens.life,
            refused: false,
            paused_until: None,
        });
        self.state.send_replace(SignIn::SignedIn {
            user,
            since,
            expires_in,
        });
        bearer
    }

    fn end(&self, slot: &mut Option<Session>, why: String) -> AuthError {
        *slot = None;
        self.state.send_replace(SignIn::Over { why: why.clone() });
        AuthError::SessionOver { why }
    }
}

/// Whether a refused refresh means that only a person can go on: a refusal, but not one that speaks of a passing state.
fn ends_the_session(status: u16, error: &str) -> bool {
    let passing = ["temporarily_unavailable", "server_error", "slow_down"];
    status < 500 && status != 429 && !passing.contains(&error)
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSource")
            .field("state", &*self.inner.state.borrow())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    /// Over HTTP this would take a token of half a minute, and most of that to wait.
    #[test]
    fn after_the_pause_a_token_that_is_due_is_refreshed_again() {
        let identity = Identity {
            idp_url: url::Url::parse("http://127.0.0.1:9").unwrap(),
            realm: "tests".into(),
            client_id: "rundown-tests".into(),
            client_secret: None,
        };
        let _ = rustls::crypto::ring::default_provider().install_default();
        let source = TokenSource::new(reqwest::Client::new(), identity);
        let now = Instant::now();
        for (paused_until, refreshes) in [
            (None, true),
            (Some(now + Duration::from_mins(1)), false),
            (Some(now), true),
        ] {
            *source.inner.session() = Some(Session {
                user: "ada".into(),
                begun: source.begin(true),
                bearer: Bearer::new("canary".to_owned().into(), 1),
                refresh: Some(Arc::new("canary".to_owned().into())),
                life: Lifetime {
                    since: now,
                    wall: SystemTime::now() - Duration::from_secs(90),
                    lasts: Duration::from_secs(100),
                },
                refused: false,
                paused_until,
            });
            let next = source.inner.look().unwrap();
            assert_eq!(matches!(next, Next::Refresh), refreshes, "{paused_until:?}");
        }
    }
}
