//! State that outlives a screen and is read by several.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use jiff::tz::TimeZone;

use super::tour::Tour;
use super::typed::Typed;
use super::{Action, Command, CopyWhat, Feed, KeyTable, KnownProfile, Layer, Session, What};
use crate::domain::diff::News;
use crate::domain::fields::VERSION;
use crate::domain::query_language::{self, Condition, QueryContext, Range, Subject};
use crate::domain::{
    Changing, Days, DocRef, Draft, DueDates, Narrowing, ResultCode, RunRow, Status, SuiteRow,
    Unfinished, View, is_within, text,
};
use crate::mirror::{self, EarlierReadings, RunsQuery};

/// Names of suites that deletions removed from runs which then were not deleted, by run; a later copy has these names,
/// too.
type TakenOut = BTreeMap<DocRef, BTreeMap<DocRef, String>>;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared {
    /// Key tables, one for each place.
    pub keys: Vec<KeyTable>,
    /// The profile in use.
    pub session: Option<Session>,
    pub signed_in: bool,
    /// The list of runs has an answer with rows, or is known to have none.
    pub has_runs: bool,
    /// Time since which the service does not answer, epoch milliseconds.
    pub away_since: Option<i64>,
    /// The configured sign-in has had no answer so often that it is not tried again by itself.
    pub sign_in_paused: bool,
    /// Profiles that can be switched to.
    pub profiles: Vec<KnownProfile>,
    /// Projects and sub projects that were used with this profile.
    pub projects: BTreeSet<(String, Option<String>)>,
    /// Name of the chosen theme.
    pub theme: Option<&'static str>,
    /// Changes between two readings.
    pub feed: Feed,
    /// Counts of the runs before today.
    pub earlier: Arc<EarlierReadings>,
    /// Expected ends of runs with a due date, epoch milliseconds.
    pub ends: Arc<HashMap<DocRef, i64>>,
    /// Due dates of runs and releases, typed on this machine.
    pub due: DueDates,
    /// Suites in no open run, by version.
    pub in_no_run: BTreeMap<String, InNoRunSuites>,
    /// Last recorded use by the user, epoch milliseconds.
    pub used: Option<i64>,
    /// Views of the profile that were kept from the list.
    pub kept_views: Vec<View>,
    /// The last key has asked for the drafts.
    pub seeks_drafts: bool,
    /// Drafts of the profile that no form has open.
    pub drafts: Vec<Draft>,
    /// Other profiles that have drafts.
    pub drafts_in: BTreeSet<String>,
    /// The message about kept drafts was shown.
    pub drafts_announced: bool,
    /// Changes of this profile with unknown end, oldest first.
    pub unfinished: Vec<Unfinished>,
    pub taken_out: TakenOut,
    /// A change of suites that is under way.
    pub changing: Option<Changing>,
    /// Kind of the last copy.
    pub last_copied: CopyWhat,
    /// Folder of the program's files that is removed at its end; `None` if they stay.
    pub temporary: Option<PathBuf>,
    /// Path of the file that was written last.
    pub last_path: Option<String>,
    /// The help was never opened on this machine.
    pub newcomer: bool,
    /// Hints of the demo.
    pub tour: Option<Tour>,
    /// Typed searches of all screens.
    pub found: Typed,
    /// Typed commands.
    pub commands: Typed,
}

/// Suites in no open run of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct InNoRunSuites {
    /// Those that were found.
    pub suites: Arc<[SuiteRow]>,
    /// Bounds of their true number.
    pub range: Range,
    /// Time of the reading, epoch milliseconds.
    pub at: i64,
}

impl Shared {
    /// Returns the suites in no open run of a version if they were read today.
    pub fn in_no_run_today(&self, version: &str, now: i64) -> Option<&InNoRunSuites> {
        let days = Days::at(now, self.zone())?;
        let read = self.in_no_run.get(version);
        read.filter(|read| days.is_today(read.at))
    }

    /// Returns the key table of a place.
    pub fn key_table(&self, layer: Layer) -> Option<&KeyTable> {
        self.keys.iter().find(|table| table.layer == layer)
    }

    /// Returns the commands of a place.
    pub fn commands(&self, layer: Layer) -> &[Command] {
        self.key_table(layer).map_or(&[], |table| &table.commands)
    }

    /// Returns the key to name for an action at a place; `None` if the user unbound it.
    pub fn key(&self, layer: Layer, action: &Action) -> Option<&str> {
        self.key_table(layer)?.key(action)
    }

    /// Returns the key of an action at a place, with its effect: `r reads again`. Empty if the user unbound it.
    pub fn key_does(&self, layer: Layer, action: &Action, does: &str) -> String {
        let key = self.key(layer, action);
        key.map_or_else(String::new, |key| format!("{key} {does}"))
    }

    /// Returns the same behind a separator: `; r reads again`.
    pub fn then_key(&self, sign: &str, layer: Layer, action: &Action, does: &str) -> String {
        match self.key_does(layer, action, does) {
            step if step.is_empty() => step,
            step => format!("{sign}{step}"),
        }
    }

    /// Returns the key that completes what is typed at the foot, behind a separator.
    pub fn completes(&self) -> String {
        self.then_key("; ", Layer::Typing, &Action::NextField, "completes")
    }

    /// Returns the keys that redo what was undone last, behind a separator.
    pub fn redoes(&self, sign: &str, layer: Layer) -> String {
        let Some(redoes) = self.key(Layer::Journal, &Action::Undo) else {
            return String::new();
        };
        let does = format!("then {redoes} redoes it");
        self.then_key(sign, layer, &Action::Show(Layer::Journal), &does)
    }

    /// Returns the suites that an unfinished deletion removed from a run.
    pub fn taken_out_of(&self, run: &DocRef) -> BTreeMap<DocRef, String> {
        self.taken_out.get(run).cloned().unwrap_or_default()
    }

    /// Stops asking about a change.
    pub fn forget_unfinished(&mut self, job: &str) {
        self.unfinished.retain(|change| change.job != job);
    }

    /// Returns the session in use, else an empty one.
    pub fn in_use(&self) -> &Session {
        static NONE: LazyLock<Session> = LazyLock::new(Session::default);
        self.session.as_ref().unwrap_or(&NONE)
    }

    /// Returns the name of the profile in use; empty before there is one.
    pub fn profile(&self) -> String {
        self.in_use().profile.clone()
    }

    /// Returns the profile and the project in use.
    pub fn place(&self) -> (String, String) {
        (self.profile(), self.in_use().scope_name())
    }

    /// Returns true if that profile and project are in use.
    pub fn is_here(&self, (profile, project): &(String, String)) -> bool {
        *profile == self.in_use().profile && is_within(project, &self.in_use().scope_name())
    }

    /// Returns true if nothing can be written, also without a profile.
    pub fn is_read_only(&self) -> bool {
        let session = self.session.as_ref();
        session.is_none_or(|session| session.read_only)
    }

    /// Returns the zone of this machine; UTC before a profile is in use.
    pub fn zone(&self) -> &TimeZone {
        static UTC: TimeZone = TimeZone::UTC;
        self.in_use().zone.as_ref().unwrap_or(&UTC)
    }

    /// True if what is kept goes away with the program.
    pub fn is_demo(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.is_demo)
    }

    /// Returns the address of runs in the web application; the error names the key of the config.
    pub fn web_url(&self) -> Result<&str, String> {
        self.in_use().web_url.as_deref().ok_or_else(|| {
            let profile = self.profile();
            if self.is_demo() {
                return "the demo has no web application".to_owned();
            }
            let profile = text::toml_key(&profile);
            format!(
                "web_url is not set: web_url = \"https://…/{{id}}\" in [profiles.{profile}] of the config"
            )
        })
    }

    /// Returns the due time of a release, epoch milliseconds; true if it was typed here, false if the config has it.
    pub fn release_due(&self, version: &str) -> Option<(i64, bool)> {
        let typed = self.due.releases.get(version).map(|at| (*at, true));
        let release = &self.in_use().watch.release;
        let said = || Some((release.due(version, self.zone())?, false));
        typed.or_else(said)
    }

    /// Returns the due time of a run, epoch milliseconds: its own, else that of its release.
    pub fn due_of(&self, run: &RunRow) -> Option<i64> {
        let release = || Some(self.release_due(run.version.as_deref()?)?.0);
        self.due.of(run).or_else(release)
    }

    /// Result codes of cases that are finished.
    pub fn done_codes(&self) -> &[ResultCode] {
        &self.in_use().watch.done
    }

    /// Returns the limit of the profile.
    pub fn limit(&self) -> Option<Condition> {
        query_language::condition(self.in_use().watch.limit.as_deref()?).ok()
    }

    /// Returns true if an open run is over this limit, or late with cases left.
    pub fn is_bad(&self, run: &RunRow, limit: Option<&Condition>, now: i64) -> bool {
        let done = self.done_codes();
        let context = QueryContext::of_counts(done, false);
        let exceeds = |limit: &Condition| limit.holds(Subject::Run(run, &context)) == Some(false);
        let end = self.ends.get(&run.doc_ref).copied();
        let is_late = || run.is_late(self.due_of(run), end, done, now) == Some(true);
        run.status == Status::Active && (is_late() || limit.is_some_and(exceeds))
    }

    /// Returns the query for all runs on this machine at a time (epoch milliseconds); `None` before a profile is in
    /// use.
    pub fn all_runs(&self, now: i64) -> Option<RunsQuery> {
        let session = self.session.as_ref()?;
        let said = session.watch.release.due_dates(self.zone());
        let mut due = self.due.clone();
        due.releases = said.chain(due.releases).collect();
        Some(RunsQuery {
            me: self.me(),
            days: Days::at(now, self.zone())?,
            now,
            limit: self.limit(),
            due,
            ..RunsQuery::default()
        })
    }

    /// Returns the days without a change of quiet runs at a time (epoch milliseconds).
    pub fn quiet_days(&self, now: i64) -> Vec<(i64, i64)> {
        let watch = &self.in_use().watch;
        watch.hours.days_before(now, self.zone(), watch.quiet_days)
    }

    /// Returns the name of the user, if known.
    pub fn user(&self) -> &str {
        &self.in_use().user
    }

    /// Returns the known names of the user.
    pub fn me(&self) -> Vec<String> {
        let session = self.in_use();
        let known = std::iter::once(&session.user).chain(&session.me);
        known.filter(|name| !name.is_empty()).cloned().collect()
    }

    /// Returns true if the user has this name, in any case.
    pub fn is_me(&self, name: &str) -> bool {
        mirror::is_me(name, &self.me())
    }

    /// Returns the name, or "you".
    pub fn person<'a>(&self, name: &'a str) -> &'a str {
        if self.is_me(name) { "you" } else { name }
    }

    /// Returns a change in words; the user who edited the run as "you".
    pub fn change_words(&self, what: &What) -> String {
        let mut what = what.clone();
        if let What::News(News::Appeared { by: Some(by) } | News::Changed { by: Some(by), .. }) =
            &mut what
        {
            *by = self.person(by).to_owned();
        }
        what.to_string()
    }

    /// Returns all views: built-in ones and those of the config, then those that were kept from the list.
    pub fn views(&self) -> Vec<View> {
        let mut views = View::all(&self.in_use().watch.views);
        let kept = self.kept_views.iter();
        let is_other = |kept: &&View| !views.iter().any(|view| view.is(&kept.name));
        let kept: Vec<View> = kept.filter(is_other).cloned().collect();
        views.extend(kept);
        views
    }

    /// Adds kept views that were read; true if any is new or different. A view that is not on the disk stays until the
    /// program ends: there may have been no room to save it.
    pub fn take_kept_views(&mut self, found: Vec<View>) -> bool {
        let before = self.kept_views.clone();
        for view in found {
            match self.kept_views.iter_mut().find(|it| it.is(&view.name)) {
                Some(known) => *known = view,
                None => self.kept_views.push(view),
            }
        }
        self.kept_views != before
    }

    /// Returns the views that are tabs of the runs list.
    pub fn tabs(&self) -> Vec<View> {
        let mut views = self.views();
        views.retain(View::is_tab);
        views
    }

    /// Returns a view by its name; the error lists all names.
    pub fn view(&self, name: &str) -> Result<View, String> {
        let mut views = self.views();
        match views.iter().position(|view| view.is(name)) {
            Some(place) => Ok(views.swap_remove(place)),
            None => Err(format!(
                "there is no view \"{name}\"; there are: {}",
                text::join(views.iter().map(|view| view.name.as_str()), ", ")
            )),
        }
    }

    /// Returns a view that is a tab of the runs list.
    pub fn tab(&self, name: &str) -> Result<View, String> {
        let view = self.view(name)?;
        if view.is_tab() {
            return Ok(view);
        }
        Err(format!(
            "\":monitor {name}\" watches it: it names runs, and nothing for the list"
        ))
    }

    /// Returns an error with all names unless there is a profile of this name.
    pub fn knows_profile(&self, name: &str) -> Result<(), String> {
        let names = || self.profiles.iter().map(|profile| profile.name.as_str());
        if names().any(|known| known == name) {
            return Ok(());
        }
        Err(match text::join(names(), ", ") {
            known if known.is_empty() => {
                format!("there is no profile \"{name}\", and no other one")
            }
            known => format!("there is no profile \"{name}\"; there are: {known}"),
        })
    }

    /// Returns an error if the list cannot be kept as a tab of this name.
    pub fn may_keep_view(&self, name: &str) -> Result<(), String> {
        let of_config = View::all(&self.in_use().watch.views);
        if of_config.iter().any(|view| view.is(name)) {
            return Err(format!(
                "{name} is a tab that stays as it is: choose another name"
            ));
        }
        Ok(())
    }

    /// Returns an error if there is no tab of this name that was kept.
    pub fn may_drop_view(&self, name: &str) -> Result<(), String> {
        if self.kept_views.iter().any(|view| view.is(name)) {
            return Ok(());
        }
        let why = match self.may_keep_view(name) {
            Ok(()) => format!("there is no tab {name}"),
            Err(_) => format!("{name} is a tab of the program or of the config"),
        };
        Err(format!("{why}: only what save-view kept is taken away"))
    }

    /// Returns the filter beside a view: the version of the profile, unless the view filters by versions itself.
    pub fn chosen_beside(&self, view: &View) -> Narrowing {
        let mut chosen = Narrowing::default();
        let version = self.in_use().project_version.as_ref();
        if let Some(version) = version.filter(|_| !view.filters_by(VERSION.path)) {
            chosen.add(VERSION.path, version);
        }
        chosen
    }
}
