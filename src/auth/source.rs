//! Source of the tokens for calls: one session, renewed by one refresh at a time.

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

/// After a refresh that failed for a passing reason, a token that is still valid is used this long before the next try.
const PAUSE: Duration = Duration::from_secs(5);

/// Most times that a token request without an answer is sent: the identity provider may count each.
const SENDS: u32 = 3;
/// Pause after that for requests with a password.
const LONG_PAUSE: Duration = Duration::from_mins(15);
/// Pause after that for a refresh token: these lock no account.
const SHORT_PAUSE: Duration = Duration::from_mins(1);

/// Credentials that start a new session without the user after the old one has ended.
pub trait Credentials: Send + Sync {
    /// User of the password.
    fn user(&self) -> &str;
    /// Returns the password, or why it is missing or no longer sent.
    fn password(&self) -> Pin<Box<dyn Future<Output = Result<SecretString, String>> + Send + '_>>;
    /// Notes that the identity provider refused the [`Credentials::password`].
    fn refused(&self, error: &AuthError);
    /// Notes that the identity provider accepted it.
    fn accepted(&self);
}

/// A sign-in in progress. Manual sign-ins go before configured ones, later ones before earlier ones, whichever answer
/// is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attempt {
    by_hand: bool,
    number: u64,
}

/// State of the sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInState {
    /// No sign-in yet.
    SignedOut,
    /// A token is available.
    SignedIn {
        /// User name.
        user: String,
    },
    /// The user has to sign in again.
    Ended {
        /// Words of the identity provider, or what is missing.
        why: String,
    },
}

/// Provides bearer tokens; clones share one session. Tokens are kept in memory only.
#[derive(Clone)]
pub struct TokenSource {
    inner: Arc<Inner>,
}

struct Inner {
    http: reqwest::Client,
    identity: Identity,
    configured: Option<Arc<dyn Credentials>>,
    session: Mutex<Option<TokenSession>>,
    /// Held by the refresh in progress.
    gate: Arc<tokio::sync::Mutex<()>>,
    /// Number of failed refreshes, and the last error.
    failures: Mutex<(u64, Option<AuthError>)>,
    tokens_made: AtomicU64,
    state: watch::Sender<SignInState>,
    /// True while the configured password is being sent.
    signing_in: watch::Sender<bool>,
}

/// The configured sign-in in progress: calls without a token wait until it is dropped.
pub struct SigningIn {
    source: TokenSource,
}

impl Drop for SigningIn {
    fn drop(&mut self) {
        self.source.inner.signing_in.send_replace(false);
    }
}

struct TokenSession {
    user: String,
    /// The sign-in that started the session: shows whether a refresh still belongs to it.
    begun: Attempt,
    bearer: Bearer,
    refresh: Option<Arc<SecretString>>,
    life: Lifetime,
    /// The service refused this token.
    refused: bool,
    /// The service accepted this token.
    taken: bool,
    /// The previous session of the same user had no token that the service accepted.
    after_one_in_vain: bool,
    /// Until then no refresh is tried, unless the token is no longer usable.
    paused_until: Option<Instant>,
    /// Number of requests for the next token without an answer.
    unanswered: u32,
    /// After too many of them: until then nothing is sent at all.
    quiet: Option<(Instant, AuthError)>,
    /// The same for the password alone.
    password_quiet: Option<(Instant, AuthError)>,
    /// Refresh token that gave way to the password without an answer: it may be good all the same.
    spare: Option<Arc<SecretString>>,
}

impl TokenSession {
    fn new(
        user: String,
        begun: Attempt,
        bearer: Bearer,
        refresh: Option<Arc<SecretString>>,
        life: Lifetime,
    ) -> Self {
        Self {
            user,
            begun,
            bearer,
            refresh,
            life,
            refused: false,
            taken: false,
            after_one_in_vain: false,
            paused_until: None,
            unanswered: 0,
            quiet: None,
            password_quiet: None,
            spare: None,
        }
    }

    fn usable(&self) -> bool {
        !self.refused && !self.life.has_passed()
    }

    /// True if the password was sent too often without an answer to be sent now.
    fn password_waits(&self) -> bool {
        let quiet = self.password_quiet.as_ref();
        quiet.is_some_and(|(until, _)| Instant::now() < *until)
    }

    /// True if the service accepted no token of the session: another token may fail too.
    fn in_vain(&self) -> bool {
        self.refused && !self.taken
    }
}

impl TokenSource {
    /// Creates a source without a session. `http` must not follow redirects. A session that has ended is started again
    /// with the `configured` credentials.
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
                signing_in: watch::Sender::new(false),
            }),
        }
    }

    /// Starts a sign-in, manual or from the configuration, before the request is sent.
    pub fn begin(&self, by_hand: bool) -> Attempt {
        Attempt {
            by_hand,
            number: self.inner.next_number(),
        }
    }

    /// Starts the configured sign-in: `None` if one is in progress, as each may be counted.
    pub fn signing_in(&self) -> Option<SigningIn> {
        let before = self.inner.signing_in.send_replace(true);
        (!before).then(|| SigningIn {
            source: self.clone(),
        })
    }

    /// True if a sign-in that goes before this one has succeeded.
    pub fn is_behind(&self, attempt: Attempt) -> bool {
        self.inner
            .session()
            .as_ref()
            .is_some_and(|session| session.begun > attempt)
    }

    /// Signs in manually with the password grant (5.1): exactly one request. A current session is kept until the new
    /// one exists.
    pub async fn sign_in(&self, username: &str, password: &SecretString) -> Result<(), AuthError> {
        self.sign_in_as(self.begin(true), username, password).await
    }

    /// Signs in as [`TokenSource::sign_in`] does. If a sign-in that goes before this one has succeeded meanwhile, its
    /// session is kept.
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

    /// Asks if anything answers at the token address, without credentials.
    pub async fn reach(&self) -> Result<Reached, AuthError> {
        let url = self.inner.identity.token_url()?;
        let reached = reach(&self.inner.http, url).await;
        reached.map_err(AuthError::Network)
    }

    /// Lifetime of a token of this session, and whether there is a refresh token for the next one.
    pub fn life(&self) -> Option<(Duration, bool)> {
        let session = self.inner.session();
        let session = session.as_ref()?;
        Some((session.life.lasts, session.refresh.is_some()))
    }

    /// Returns the token for a call. After 80 % of its lifetime it is refreshed first (5.3), once for all waiting
    /// calls; if that is impossible, the configured password of the same user gets a new one. While the token is valid,
    /// a failed refresh does no harm. Before the first one it waits for the configured sign-in in progress, or for one by
    /// hand that is done sooner.
    pub async fn bearer(&self) -> Result<Bearer, AuthError> {
        let mut token = self.inner.valid_token();
        if matches!(token, Err(AuthError::NotSignedIn)) {
            let (mut signing_in, mut state) = (self.inner.signing_in.subscribe(), self.state());
            tokio::select! {
                _ = signing_in.wait_for(|is| !is) => {}
                _ = state.wait_for(|state| *state != SignInState::SignedOut) => {}
            }
            token = self.inner.valid_token();
        }
        match token? {
            Some(bearer) => Ok(bearer),
            None => self.refresh().await,
        }
    }

    /// Returns another token than the one that the service refused; refreshes unless there is a newer one.
    pub async fn renew(&self, refused: &Bearer) -> Result<Bearer, AuthError> {
        self.distrust(refused);
        self.bearer().await
    }

    /// Marks a token as refused by the service, so that the next call refreshes it first.
    pub fn distrust(&self, refused: &Bearer) {
        self.inner.mark(refused, |session| session.refused = true);
    }

    /// Marks a token as accepted by the service.
    pub fn trust(&self, taken: &Bearer) {
        self.inner.mark(taken, |session| session.taken = true);
    }

    /// Returns a receiver of the sign-in state.
    pub fn state(&self) -> watch::Receiver<SignInState> {
        self.inner.state.subscribe()
    }

    async fn refresh(&self) -> Result<Bearer, AuthError> {
        let failed_before = self.inner.failures().0;
        let turn = Arc::clone(&self.inner.gate).lock_owned().await;
        // The holder before may have renewed the token for us, or failed for us.
        if let Some(bearer) = self.inner.valid_token()? {
            return Ok(bearer);
        }
        if let (failed, Some(error)) = &*self.inner.failures()
            && *failed != failed_before
        {
            return Err(error.clone());
        }
        // A task of its own: a cancelled caller must not lose the new refresh token, since the old one may be invalid
        // by then.
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

    /// Changes the session of this token, if it is still current.
    fn mark(&self, bearer: &Bearer, note: impl FnOnce(&mut TokenSession)) {
        let mut session = self.session();
        if let Some(session) = session.as_mut()
            && session.bearer.generation() == bearer.generation()
        {
            note(session);
        }
    }

    /// Returns the token for a call without waiting, `None` if it must be renewed first.
    fn valid_token(&self) -> Result<Option<Bearer>, AuthError> {
        let mut guard = self.session();
        let Some(session) = guard.as_ref() else {
            return Err(match &*self.state.borrow() {
                SignInState::Ended { why } => AuthError::SessionEnded { why: why.clone() },
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
                Some((until, error)) => Err(AuthError::Waits {
                    error: Box::new(error.clone()),
                    left: *until - now,
                }),
                None => Ok(None),
            },
            (false, false) => {
                let why = "the token is no longer good, and the identity provider gave none to renew it with";
                Err(self.end(&mut guard, why.into()))
            }
        }
    }

    /// Returns the configured credentials of this user. A session is never continued as another user.
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
            let outcome = self.renewed(begun, outcome, Some(&token));
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

    /// Signs in with the configured credentials, for a session whose tokens are no longer valid.
    async fn begin_anew(
        &self,
        begun: Attempt,
        user: &str,
        why: String,
    ) -> Result<Bearer, AuthError> {
        let ended = |why: String| match self.of_same(begun) {
            Some(mut guard) => Err(self.end(&mut guard, why)),
            None => self.of_another(),
        };
        let Some(configured) = self.credentials(user) else {
            return ended(why);
        };
        if let Some(session) = self.of_same(begun).as_deref_mut().and_then(Option::as_mut)
            && session.password_waits()
        {
            if session.usable() {
                return Ok(session.bearer.clone());
            }
            session.quiet.clone_from(&session.password_quiet);
            if let Some((until, error)) = &session.quiet {
                return Err(AuthError::Waits {
                    error: Box::new(error.clone()),
                    left: until.saturating_duration_since(Instant::now()),
                });
            }
        }
        let of_both = |session: &TokenSession| (session.in_vain(), session.after_one_in_vain);
        let (in_vain, also_before) = self.session().as_ref().map(of_both).unwrap_or_default();
        if in_vain && also_before {
            return ended("the service takes no token of this account".into());
        }
        let password = match configured.password().await {
            Ok(password) => password,
            Err(lacks) => return ended(format!("{why}; {lacks}")),
        };
        let grant = Grant::Password {
            username: user,
            password: &password,
        };
        let outcome = ask(&self.http, &self.identity, grant).await;
        match self.renewed(begun, outcome, None) {
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
                ended(format!(
                    "{why}; then the configured password: {error}. {}",
                    error.remedy()
                ))
            }
        }
    }

    /// Applies the outcome of a request for the next token.
    fn renewed(
        &self,
        begun: Attempt,
        outcome: Result<Tokens, AuthError>,
        kept: Option<&Arc<SecretString>>,
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
                // A refresh token says nothing of the password.
                let password_quiet = session.password_quiet.take().filter(|_| kept.is_some());
                // A provider that does not rotate refresh tokens may leave it out (RFC 6749, 6).
                let bearer = self.store(user, begun, tokens, kept.cloned(), &mut guard);
                if let Some(session) = guard.as_mut() {
                    session.password_quiet = password_quiet;
                }
                return Ok(bearer);
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
            let has_password = self.credentials(&session.user).is_some();
            if kept.is_some() && has_password && !session.password_waits() {
                // One of these requests may have used it up.
                session.spare = session.refresh.take();
                return Err(Renewal::Refused(error));
            }
            let quiet = |pause| Some((Instant::now() + pause, error.clone()));
            if kept.is_none() {
                session.password_quiet = quiet(LONG_PAUSE);
                // This one locks no account.
                session.refresh = session.spare.take();
            }
            session.quiet = quiet(match session.refresh {
                Some(_) => SHORT_PAUSE,
                None => LONG_PAUSE,
            });
        }
        if session.usable() {
            return Ok(session.bearer.clone());
        }
        let mut failures = self.failures();
        *failures = (failures.0 + 1, Some(error.clone()));
        Err(Renewal::Failed(error))
    }

    /// Returns the session, if it is still the one that this sign-in started.
    fn of_same(&self, begun: Attempt) -> Option<MutexGuard<'_, Option<TokenSession>>> {
        let guard = self.session();
        let same = guard.as_ref().is_some_and(|session| session.begun == begun);
        same.then_some(guard)
    }

    /// Returns the token of a session started meanwhile: the outcome is dropped.
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
        let refresh = tokens.refresh.map(Arc::new).or(kept);
        let session = TokenSession::new(user.clone(), begun, bearer.clone(), refresh, tokens.life);
        *slot = Some(session);
        self.state.send_replace(SignInState::SignedIn { user });
        bearer
    }

    fn end(&self, slot: &mut Option<TokenSession>, why: String) -> AuthError {
        *slot = None;
        self.state
            .send_replace(SignInState::Ended { why: why.clone() });
        AuthError::SessionEnded { why }
    }
}

/// Reason why there is no next token.
enum Renewal {
    /// The credentials are no longer valid.
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
    use crate::auth::NetworkFault;
    use std::time::SystemTime;

    struct Never;

    impl Credentials for Never {
        fn user(&self) -> &'static str {
            "ada"
        }

        fn password(
            &self,
        ) -> Pin<Box<dyn Future<Output = Result<SecretString, String>> + Send + '_>> {
            panic!("the password was asked for");
        }

        fn refused(&self, _: &AuthError) {}

        fn accepted(&self) {}
    }

    fn source(configured: Option<Arc<dyn Credentials>>) -> TokenSource {
        let identity = Identity {
            idp_url: url::Url::parse("http://127.0.0.1:9").unwrap(),
            realm: "tests".into(),
            client_id: "rundown-tests".into(),
            client_secret: None,
        };
        let _ = rustls::crypto::ring::default_provider().install_default();
        TokenSource::new(reqwest::Client::new(), identity, configured)
    }

    fn session(source: &TokenSource) -> TokenSession {
        let now = Instant::now();
        let life = Lifetime {
            since: now,
            wall: SystemTime::now() - Duration::from_secs(90),
            lasts: Duration::from_secs(100),
        };
        let bearer = Bearer::new("canary".to_owned().into(), 1);
        let refresh = Arc::new("canary".to_owned().into());
        TokenSession::new(
            "ada".into(),
            source.begin(true),
            bearer,
            Some(refresh),
            life,
        )
    }

    /// Over HTTP this test would last for a minute.
    #[tokio::test]
    async fn while_a_password_waits_the_refresh_token_is_tried() {
        let source = source(Some(Arc::new(Never)));
        let inner = &source.inner;
        let session = TokenSession {
            refused: true,
            refresh: None,
            spare: Some(Arc::new("canary".to_owned().into())),
            unanswered: SENDS - 1,
            ..session(&source)
        };
        let begun = session.begun;
        *inner.session() = Some(session);
        let lost = || AuthError::Network(NetworkFault::Timeout);
        assert!(inner.renewed(begun, Err(lost()), None).is_err());
        let of = |read: fn(&TokenSession) -> bool| inner.session().as_ref().is_some_and(read);
        assert!(of(|it| it.password_waits() && it.refresh.is_some()));
        let quiet = |session: &TokenSession| {
            let (until, _) = session.quiet.as_ref().unwrap();
            *until - Instant::now() <= SHORT_PAUSE
        };
        assert!(of(quiet));
        // Without an answer it is kept, and without it the password goes on waiting.
        for (refresh, waits) in [(true, false), (false, true)] {
            if let Some(session) = inner.session().as_mut() {
                session.unanswered = SENDS - 1;
                if !refresh {
                    session.refresh = None;
                }
            }
            let next = if refresh {
                let kept = Arc::new("canary".to_owned().into());
                let Err(Renewal::Failed(error)) = inner.renewed(begun, Err(lost()), Some(&kept))
                else {
                    panic!("the password would be sent");
                };
                error
            } else {
                inner.renew_once().await.unwrap_err()
            };
            assert_eq!(matches!(next, AuthError::Waits { .. }), waits, "{next:?}");
            assert_eq!(of(|it| it.refresh.is_some()), refresh);
        }
        // A token that is still good is used meanwhile.
        if let Some(session) = inner.session().as_mut() {
            session.refused = false;
        }
        inner.renew_once().await.unwrap();
        // A refresh token that is taken says nothing of the password.
        let tokens = Tokens {
            access: "canary".to_owned().into(),
            refresh: None,
            life: self::session(&source).life,
        };
        let kept = Arc::new("canary".to_owned().into());
        inner.renewed(begun, Ok(tokens), Some(&kept)).ok().unwrap();
        assert!(of(TokenSession::password_waits));
    }

    /// Over HTTP this test would need a token of half a minute, and wait for most of that time.
    #[test]
    fn after_the_pause_a_token_that_is_due_is_refreshed_again() {
        let source = source(None);
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
                    refused,
                    paused_until,
                    quiet,
                    ..session(&source)
                });
                let next = source.inner.valid_token();
                assert_eq!(matches!(next, Ok(None)), is_over, "{until:?} {refused}");
            }
        }
    }
}
