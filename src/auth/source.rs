//! Where calls get their token from: one session, renewed by one refresh at a time.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use secrecy::SecretString;
use tokio::sync::watch;

use super::grant::{Grant, Tokens, ask};
use super::token::Lifetime;
use super::{AuthError, Bearer, Identity, Reached, reach};
use crate::domain::lock;

/// After a refresh that failed for a passing reason, a token that is still good is used this long before the next try.
const PAUSE: Duration = Duration::from_secs(5);

/// A token request is sent again at most twice where no answer came: each may have been counted over there.
const SENDS: u32 = 3;
/// After that none is sent for so long, where what is sent is a password.
const LONG_PAUSE: Duration = Duration::from_mins(15);
/// The same for a refresh token: nobody is locked out by one.
const SHORT_PAUSE: Duration = Duration::from_mins(1);

/// What a session that has come to its end is begun anew with, without a person.
pub trait Credentials: Send + Sync {
    /// Whom the password belongs to.
    fn user(&self) -> &str;
    /// The password, or why it cannot be had or is not sent any more.
    fn password(&self) -> Pin<Box<dyn Future<Output = Result<SecretString, String>> + Send + '_>>;
    /// The identity provider refused what [`Credentials::password`] gave.
    fn refused(&self, error: &AuthError);
    /// The identity provider took it.
    fn accepted(&self);
}

/// A sign-in that was begun. Of two, one by hand goes before one from the configuration, else the later before the
/// earlier, whichever answer comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attempt {
    by_hand: bool,
    number: u64,
}

/// Whether somebody is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInState {
    /// Nobody has signed in.
    SignedOut,
    /// A token is there.
    SignedIn {
        /// User name.
        user: String,
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
    configured: Option<Arc<dyn Credentials>>,
    session: Mutex<Option<TokenSession>>,
    /// Held by the one refresh that is under way.
    gate: Arc<tokio::sync::Mutex<()>>,
    /// Number of refreshes that failed, and why the last one did.
    failures: Mutex<(u64, Option<AuthError>)>,
    tokens_made: AtomicU64,
    state: watch::Sender<SignInState>,
}

struct TokenSession {
    user: String,
    /// The sign-in that began it: tells whether a refresh still belongs to this session.
    begun: Attempt,
    bearer: Bearer,
    refresh: Option<Arc<SecretString>>,
    life: Lifetime,
    /// The service refused this token.
    refused: bool,
    /// The service took this token.
    taken: bool,
    /// The session before it, of the same user, was in vain.
    after_one_in_vain: bool,
    /// What it last could not be renewed for: until then nothing is sent, unless the token cannot be used any more.
    paused_until: Option<Instant>,
    /// Requests for the next token that got no answer.
    unanswered: u32,
    /// After too many of them: until then nothing is sent at all.
    quiet: Option<(Instant, AuthError)>,
}

impl TokenSession {
    fn usable(&self) -> bool {
        !self.refused && !self.life.over()
    }

    /// The service took no token of it: another one may fare no better.
    fn in_vain(&self) -> bool {
        self.refused && !self.taken
    }
}

impl TokenSource {
    /// A source that nobody has signed in to yet. `http` must not follow redirects. A session that has come to its end is
    /// begun anew with what is configured.
    pub fn new(
        http: reqwest::Client,
        identity: Identity,
        configured: Option<Arc<dyn Credentials>>,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                http,
                identity,
                configured,
                session: Mutex::new(None),
                gate: Arc::default(),
                failures: Mutex::new((0, None)),
                tokens_made: AtomicU64::new(0),
                state: watch::Sender::new(SignInState::SignedOut),
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

    /// Asks whether anything answers at the address of tokens; nothing is handed in.
    pub async fn reach(&self) -> Result<Reached, AuthError> {
        let url = self.inner.identity.token_url()?;
        let reached = reach(&self.inner.http, url).await;
        reached.map_err(AuthError::Network)
    }

    /// How long a token of this session is good for, and whether there is a refresh token for the next one.
    pub fn life(&self) -> Option<(Duration, bool)> {
        let session = self.inner.session();
        let session = session.as_ref()?;
        Some((session.life.lasts, session.refresh.is_some()))
    }

    /// The token for a call. From 80 % of its time on it is refreshed first (5.3), once for all who wait; where it cannot be
    /// refreshed any more, the configured password of the same user gets a new one. While it is good, a request that
    /// cannot get through does no harm.
    pub async fn bearer(&self) -> Result<Bearer, AuthError> {
        match self.inner.look()? {
            Some(bearer) => Ok(bearer),
            None => self.refresh().await,
        }
    }

    /// A token other than the one the service has just refused; refreshes unless there is a newer one already.
    pub async fn renew(&self, refused: &Bearer) -> Result<Bearer, AuthError> {
        self.distrust(refused);
        self.bearer().await
    }

    /// Marks a token as refused by the service, so that the next call refreshes before it is sent.
    pub fn distrust(&self, refused: &Bearer) {
        self.inner.mark(refused, |session| session.refused = true);
    }

    /// The service took the token.
    pub fn trust(&self, taken: &Bearer) {
        self.inner.mark(taken, |session| session.taken = true);
    }

    /// Follows who is signed in.
    pub fn state(&self) -> watch::Receiver<SignInState> {
        self.inner.state.subscribe()
    }

    async fn refresh(&self) -> Result<Bearer, AuthError> {
        let failed_before = self.inner.failures().0;
        let turn = Arc::clone(&self.inner.gate).lock_owned().await;
        // Whoever had the turn before may have done it for us, or failed for us.
        if let Some(bearer) = self.inner.look()? {
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
            let outcome = inner.renew_once().await;
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
    fn session(&self) -> MutexGuard<'_, Option<TokenSession>> {
        lock(&self.session)
    }

    fn failures(&self) -> MutexGuard<'_, (u64, Option<AuthError>)> {
        lock(&self.failures)
    }

    fn next_number(&self) -> u64 {
        self.tokens_made.fetch_add(1, Ordering::Relaxed)
    }

    /// Notes something of the session that has this token.
    fn mark(&self, bearer: &Bearer, note: impl FnOnce(&mut TokenSession)) {
        let mut session = self.session();
        if let Some(session) = session.as_mut()
            && session.bearer.generation() == bearer.generation()
        {
            note(session);
        }
    }

    /// The token for a call, without any waiting; `None` if it has to be renewed first.
    fn look(&self) -> Result<Option<Bearer>, AuthError> {
        let mut guard = self.session();
        let Some(session) = guard.as_ref() else {
            return Err(match &*self.state.borrow() {
                SignInState::Over { why } => AuthError::SessionOver { why: why.clone() },
                SignInState::SignedOut | SignInState::SignedIn { .. } => AuthError::NotSignedIn,
            });
        };
        let now = Instant::now();
        let quiet = session.quiet.as_ref().filter(|(until, _)| now < *until);
        let paused = quiet.is_some() || session.paused_until.is_some_and(|until| now < until);
        let renewable = session.refresh.is_some() || self.credentials(&session.user).is_some();
        match (session.usable(), renewable) {
            (true, true) if session.life.due() && !paused => Ok(None),
            (true, _) => Ok(Some(session.bearer.clone())),
            (false, true) => match quiet {
                Some((_, error)) => Err(error.clone()),
                None => Ok(None),
            },
            (false, false) => {
                let why = "the token is no longer good, and the identity provider gave none to renew it with";
                Err(self.end(&mut guard, why.into()))
            }
        }
    }

    /// What is configured for this user. Who has signed in as somebody else is not made another one behind their back.
    fn credentials(&self, user: &str) -> Option<&Arc<dyn Credentials>> {
        self.configured
            .as_ref()
            .filter(|configured| configured.user() == user)
    }

    async fn renew_once(&self) -> Result<Bearer, AuthError> {
        let (token, begun, user) = match &*self.session() {
            Some(session) => (session.refresh.clone(), session.begun, session.user.clone()),
            None => return Err(AuthError::NotSignedIn),
        };
        let mut why = String::from("the token could not be renewed");
        if let Some(token) = token {
            let grant = Grant::Refresh { token: &token };
            let outcome = ask(&self.http, &self.identity, grant).await;
            let outcome = self.renewed(begun, outcome, Some(&token), SHORT_PAUSE);
            why = match outcome {
                Err(Renewal::Refused(error)) => match error {
                    AuthError::Refused {
                        error, description, ..
                    } if description.is_empty() => error,
                    AuthError::Refused {
                        error, description, ..
                    } => format!("{description} ({error})"),
                    other => other.to_string(),
                },
                Err(Renewal::Failed(error)) => return Err(error),
                Ok(bearer) => return Ok(bearer),
            };
        }
        self.begin_anew(begun, &user, why).await
    }

    /// Signs in once more with what is configured, for a session whose tokens are worth nothing any more.
    async fn begin_anew(
        &self,
        begun: Attempt,
        user: &str,
        why: String,
    ) -> Result<Bearer, AuthError> {
        let over = |why: String| match self.of_same(begun) {
            Some(mut guard) => Err(self.end(&mut guard, why)),
            None => self.of_another(),
        };
        let Some(configured) = self.credentials(user) else {
            return over(why);
        };
        let of_both = |session: &TokenSession| (session.in_vain(), session.after_one_in_vain);
        let (in_vain, also_before) = self.session().as_ref().map(of_both).unwrap_or_default();
        if in_vain && also_before {
            return over("the service takes no token of this account".into());
        }
        let password = match configured.password().await {
            Ok(password) => password,
            Err(lacks) => return over(format!("{why}; {lacks}")),
        };
        let grant = Grant::Password {
            username: user,
            password: &password,
        };
        let outcome = ask(&self.http, &self.identity, grant).await;
        match self.renewed(begun, outcome, None, LONG_PAUSE) {
            Ok(bearer) => {
                configured.accepted();
                if let Some(session) = self.of_same(begun).as_deref_mut().and_then(Option::as_mut) {
                    session.after_one_in_vain = in_vain;
                }
                Ok(bearer)
            }
            Err(Renewal::Failed(error)) => Err(error),
            Err(Renewal::Refused(error)) => {
                configured.refused(&error);
                over(format!(
                    "{why}; then the configured password: {error}. {}",
                    error.remedy()
                ))
            }
        }
    }

    /// Takes in what a request for the next token brought.
    fn renewed(
        &self,
        begun: Attempt,
        outcome: Result<Tokens, AuthError>,
        kept: Option<&Arc<SecretString>>,
        pause: Duration,
    ) -> Result<Bearer, Renewal> {
        let Some(mut guard) = self.of_same(begun) else {
            return self.of_another().map_err(Renewal::Failed);
        };
        let Some(session) = guard.as_mut() else {
            return Err(Renewal::Failed(AuthError::NotSignedIn));
        };
        let error = match outcome {
            Ok(tokens) => {
                let user = session.user.clone();
                // A provider that does not rotate refresh tokens may leave it out (RFC 6749, 6).
                return Ok(self.store(user, begun, tokens, kept.cloned(), &mut guard));
            }
            Err(error) => error,
        };
        if matches!(error, AuthError::Refused { .. }) {
            session.refresh = None;
            session.unanswered = 0;
            return Err(Renewal::Refused(error));
        }
        session.paused_until = Some(Instant::now() + PAUSE);
        tracing::warn!(%error, "no new token");
        session.unanswered = if error.may_have_counted() {
            session.unanswered + 1
        } else {
            0
        };
        if session.unanswered >= SENDS {
            session.unanswered = 0;
            if kept.is_some() && self.credentials(&session.user).is_some() {
                // It may have been used up by one of them.
                session.refresh = None;
                return Err(Renewal::Refused(error));
            }
            session.quiet = Some((Instant::now() + pause, error.clone()));
        }
        if session.usable() {
            return Ok(session.bearer.clone());
        }
        let mut failures = self.failures();
        *failures = (failures.0 + 1, Some(error.clone()));
        Err(Renewal::Failed(error))
    }

    /// The session that a sign-in began, if it is still that one.
    fn of_same(&self, begun: Attempt) -> Option<MutexGuard<'_, Option<TokenSession>>> {
        let guard = self.session();
        let same = guard.as_ref().is_some_and(|session| session.begun == begun);
        same.then_some(guard)
    }

    /// Somebody signed in meanwhile: what came belongs to nobody.
    fn of_another(&self) -> Result<Bearer, AuthError> {
        match &*self.session() {
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
        slot: &mut Option<TokenSession>,
    ) -> Bearer {
        let bearer = Bearer::new(tokens.access, self.next_number());
        *slot = Some(TokenSession {
            user: user.clone(),
            begun,
            bearer: bearer.clone(),
            refresh: tokens.refresh.map(Arc::new).or(kept),
            life: tokens.life,
            refused: false,
            taken: false,
            after_one_in_vain: false,
            paused_until: None,
            unanswered: 0,
            quiet: None,
        });
        self.state.send_replace(SignInState::SignedIn { user });
        bearer
    }

    fn end(&self, slot: &mut Option<TokenSession>, why: String) -> AuthError {
        *slot = None;
        self.state
            .send_replace(SignInState::Over { why: why.clone() });
        AuthError::SessionOver { why }
    }
}

/// Why there is no next token.
enum Renewal {
    /// What was handed in is worth nothing any more.
    Refused(AuthError),
    Failed(AuthError),
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
        let source = TokenSource::new(reqwest::Client::new(), identity, None);
        let now = Instant::now();
        for (until, is_over) in [
            (None, true),
            (Some(now + Duration::from_mins(1)), false),
            (Some(now), true),
        ] {
            let quiet = || until.map(|until| (until, AuthError::NotSignedIn));
            for (paused_until, quiet, refused) in [
                (until, None, false),
                (None, quiet(), false),
                (None, quiet(), true),
            ] {
                *source.inner.session() = Some(TokenSession {
                    user: "ada".into(),
                    begun: source.begin(true),
                    bearer: Bearer::new("canary".to_owned().into(), 1),
                    refresh: Some(Arc::new("canary".to_owned().into())),
                    life: Lifetime {
                        since: now,
                        wall: SystemTime::now() - Duration::from_secs(90),
                        lasts: Duration::from_secs(100),
                    },
                    refused,
                    taken: false,
                    after_one_in_vain: false,
                    paused_until,
                    unanswered: 0,
                    quiet,
                });
                let next = source.inner.look();
                assert_eq!(matches!(next, Ok(None)), is_over, "{until:?} {refused}");
            }
        }
    }
}
