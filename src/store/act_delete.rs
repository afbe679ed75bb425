//! What actions do in the steps of deleting runs, and which request follows.

use super::delete::{Asked, Doing, MOST_AT_ONCE, Spot};
use super::doomed::{Ask, Doomed, Removal};
use super::effect::Effect;
use super::message::{Action, Motion, RequestId};
use super::{DeleteFlow, Members, Screen, Store};
use crate::domain::{Delete, DocRef, End, RunRow, SuiteChange};
use crate::ops::delete::removal;

impl Store {
    /// Begins with the marked runs, else with the run at hand.
    pub(super) fn open_delete(&mut self) -> Vec<Effect> {
        if !matches!(self.screen, Screen::Runs | Screen::Detail) {
            return Vec::new();
        }
        if self
            .delete
            .as_ref()
            .is_some_and(|flow| flow.writing() && !flow.over)
        {
            self.screen = Screen::Delete;
            return Vec::new();
        }
        if !self.may_write() {
            return Vec::new();
        }
        let marked = if self.screen == Screen::Runs {
            self.runs.marked()
        } else {
            Vec::new()
        };
        let rows: Vec<RunRow> = if marked.is_empty() {
            self.run_at_hand().into_iter().collect()
        } else {
            marked
        };
        if rows.is_empty() {
            self.say("there is no run here yet");
            return Vec::new();
        }
        if rows.len() > MOST_AT_ONCE {
            self.complain(format!(
                "{} runs are marked; at most {MOST_AT_ONCE} are deleted at once",
                rows.len()
            ));
            return Vec::new();
        }
        let notes = self.marks_in_words(&rows).into_iter().collect();
        self.begin_delete(
            rows.into_iter().map(|row| Doomed::new(row, None)).collect(),
            notes,
        )
    }

    /// Which runs the steps are about, where that is not just the run under the cursor.
    fn marks_in_words(&self, rows: &[RunRow]) -> Option<String> {
        let cursor = self.run_at_hand()?;
        let others = |row: &&RunRow| row.doc_ref != cursor.doc_ref;
        if self.screen != Screen::Runs || rows.iter().find(others).is_none() {
            return None;
        }
        let scroll = self.runs.scroll();
        let shown =
            (scroll.top..scroll.top + scroll.height).filter_map(|place| self.runs.row(place));
        let shown: Vec<&DocRef> = shown.map(|row| &row.doc_ref).collect();
        let hidden = rows
            .iter()
            .filter(|row| !shown.contains(&&row.doc_ref))
            .count();
        let names: Vec<String> = rows.iter().map(RunRow::full_name).collect();
        let what = if rows.len() == 1 {
            "the marked run".to_owned()
        } else {
            format!("the {} marked runs", rows.len())
        };
        let cursor = if rows.iter().any(|row| row.doc_ref == cursor.doc_ref) {
            String::new()
        } else {
            format!(", not about {} under the cursor", cursor.name())
        };
        let hidden = match hidden {
            0 => String::new(),
            hidden => format!(" ({hidden} not in view on the list)"),
        };
        Some(format!(
            "This is about {what}{cursor}{hidden}: {}.",
            names.join(", ")
        ))
    }

    /// Begins the steps for these runs.
    pub(super) fn begin_delete(&mut self, runs: Vec<Doomed>, notes: Vec<String>) -> Vec<Effect> {
        let from = match &self.delete {
            Some(flow) if self.screen == Screen::Delete => flow.from,
            _ => self.screen,
        };
        let mut effects = self.drop_delete();
        self.delete = Some(DeleteFlow::new(runs, from, notes));
        self.screen = Screen::Delete;
        effects.extend(self.go_on_deleting());
        effects
    }

    /// The flow ends: nothing further is sent. What changes the service and is under way is still waited for.
    pub(super) fn drop_delete(&mut self) -> Vec<Effect> {
        let Some(flow) = &mut self.delete else {
            return Vec::new();
        };
        let effects = flow.stop();
        flow.over = true;
        if !flow.writing() {
            self.delete = None;
        }
        effects
    }

    pub(super) fn act_delete(&mut self, action: &Action) -> Vec<Effect> {
        let Some(flow) = &mut self.delete else {
            self.screen = Screen::Runs;
            return Vec::new();
        };
        match action {
            Action::Type(key) if flow.typing => {
                flow.text.key(*key);
            }
            Action::Paste(text) if flow.typing => {
                flow.text.paste(text);
            }
            Action::NextField | Action::Move(Motion::Down) => flow.turn(true),
            Action::PreviousField | Action::Move(Motion::Up) => flow.turn(false),
            Action::Move(motion) => flow.scroll(*motion),
            Action::Back if flow.typing => flow.go_to(Spot::Stop),
            Action::Back => return self.stop_deleting(),
            Action::Open => return self.do_step(),
            Action::Refresh => return self.read_again(),
            Action::Journal | Action::Errors | Action::Palette => return self.act_anywhere(action),
            _ => {}
        }
        Vec::new()
    }

    /// Enter: does what the cursor stands on.
    fn do_step(&mut self) -> Vec<Effect> {
        let Some(flow) = &mut self.delete else {
            return Vec::new();
        };
        match flow.spot.filter(|spot| flow.spots().contains(spot)) {
            None => self.say("under way; Ctrl-c stops before the next request"),
            Some(Spot::Leave | Spot::Stop) => return self.stop_deleting(),
            Some(Spot::Name) => return self.visit_suites(),
            Some(Spot::Copy) => {
                (flow.saving, flow.doing) = (true, Doing::Reading);
                return self.go_on_deleting();
            }
            Some(Spot::Read) => {
                for run in &mut flow.runs {
                    run.known.take_if(|known| known.is_err());
                    run.copy.take_if(|copy| copy.is_err());
                    run.check.take_if(|check| check.is_err());
                }
                flow.doing = Doing::Reading;
                return self.go_on_deleting();
            }
            Some(Spot::Check) => {
                for run in &mut flow.runs {
                    let again = run.end.is_some();
                    run.check
                        .take_if(|check| again || !matches!(check, Ok(true)));
                }
                flow.doing = Doing::Checking;
                return self.go_on_deleting();
            }
            Some(Spot::Id) if flow.armed() => flow.go_to(Spot::Stop),
            Some(Spot::Id | Spot::Delete) if !flow.armed() => {
                let word = flow.word();
                flow.go_to(Spot::Id);
                self.complain(format!("nothing is deleted before {word} is typed here"));
            }
            Some(spot) if self.may_write() => {
                let Some(flow) = &mut self.delete else {
                    return Vec::new();
                };
                flow.doing = if spot == Spot::Delete {
                    Doing::Deleting
                } else {
                    Doing::Emptying
                };
                let vague = flow.left().find(|run| run.is_vague());
                let vague = vague.map(|run| run.row.name().to_owned());
                let effects = self.go_on_deleting();
                if let (true, Some(run)) = (effects.is_empty(), vague) {
                    self.complain(format!(
                        "nothing is removed before it is known what is in {run}"
                    ));
                }
                return effects;
            }
            Some(_) => {}
        }
        Vec::new()
    }

    /// Works out everything once more.
    fn read_again(&mut self) -> Vec<Effect> {
        let Some(flow) = &mut self.delete else {
            return Vec::new();
        };
        if flow.asked.is_some() || flow.over {
            self.say("under way; Ctrl-c stops before the next request");
            return Vec::new();
        }
        for run in flow.runs.iter_mut().filter(|run| !run.gone()) {
            (run.known, run.check) = (None, None);
            run.copy.take_if(|copy| copy.is_err());
        }
        flow.doing = Doing::Reading;
        self.go_on_deleting()
    }

    /// Esc: nothing further is sent, and the screen before comes back.
    fn stop_deleting(&mut self) -> Vec<Effect> {
        let Some(flow) = &mut self.delete else {
            return Vec::new();
        };
        let effects = flow.stop();
        let stopped = stopped(&flow.runs);
        let (writing, over) = (flow.writing(), flow.over);
        let copied = flow.runs.iter().any(|run| matches!(run.copy, Some(Ok(_))));
        self.leave_delete_screen();
        if !writing || over {
            self.delete = None;
        }
        match stopped {
            _ if writing => self
                .say("nothing further is sent; what is under way is told when its answer is here"),
            Some(words) => self.say(words),
            None if copied => {
                self.say("stopped; nothing was changed; the copy stays in the trash folder");
            }
            None => self.say("stopped; nothing was changed"),
        }
        effects
    }

    /// Goes back to the screen that the flow was begun on, or to the list where that has nothing to show any more.
    pub(super) fn leave_delete_screen(&mut self) {
        let from = self.delete.as_ref().map_or(Screen::Runs, |flow| flow.from);
        let there = match from {
            Screen::Detail | Screen::Json => self.detail.is_some(),
            Screen::Available => self.available.is_some(),
            Screen::Members => self.members.is_some(),
            Screen::Runs | Screen::Form | Screen::Review => true,
            Screen::Delete | Screen::Monitor => false,
        };
        self.screen = if there { from } else { Screen::Runs };
    }

    /// Opens the screen of suites for the run whose suites are not all sure; the flow stands until it comes back.
    fn visit_suites(&mut self) -> Vec<Effect> {
        let id = self.number();
        let Some(flow) = &mut self.delete else {
            return Vec::new();
        };
        let mut runs = flow.runs.iter().enumerate();
        let Some((place, run)) = runs.find(|(_, run)| run.is_vague()) else {
            return Vec::new();
        };
        let known = run.attached().cloned().map(Box::new);
        let mut members = Members::new(run.row.clone());
        members.typed.clone_from(&run.typed);
        if let Some(known) = &known {
            members.verdict.ask(id);
            members.verdict.accept(id, Ok(known.clone()), self.now);
        }
        members.arrange();
        flow.visited = Some((place, known));
        if !matches!(flow.from, Screen::Available | Screen::Members) {
            self.before_suites = flow.from;
        }
        let effects = self.drop_members().into_iter().collect();
        self.members = Some(members);
        self.screen = Screen::Members;
        effects
    }

    /// Back from the screen of suites: what is in the run is worked out again, unless that was done there just now.
    pub(super) fn leave_suites(&mut self) -> Vec<Effect> {
        let visited = self
            .delete
            .as_mut()
            .filter(|flow| !flow.over)
            .and_then(|flow| Some((flow.visited.take()?, flow)));
        let Some(((place, before), flow)) = visited else {
            self.screen = self.before_suites;
            return Vec::new();
        };
        self.screen = Screen::Delete;
        let Some(run) = flow.runs.get_mut(place) else {
            return Vec::new();
        };
        let members = self
            .members
            .as_ref()
            .filter(|members| members.run.doc_ref == run.row.doc_ref);
        // A probe run is deleted when it has told what is in the run: a new survey would know less.
        let newer = members.filter(|members| {
            members.verdict.asked().is_none() && members.verdict.failure().is_none()
        });
        let newer = newer
            .and_then(|members| members.verdict.value())
            .filter(|known| Some(*known) != before.as_ref());
        let newer = newer.filter(|known| known.is_complete()).cloned();
        if let Some(members) = members {
            run.typed.clone_from(&members.typed);
        }
        (run.known, run.check, run.touched) = (newer.map(Ok), None, false);
        flow.doing = Doing::Reading;
        self.go_on_deleting()
    }

    /// Sends the next request of the flow, if nothing is under way and nobody is to be asked before.
    pub(super) fn go_on_deleting(&mut self) -> Vec<Effect> {
        let id = RequestId(self.last_id + 1);
        let Some(flow) = &mut self.delete else {
            return Vec::new();
        };
        let next = flow.wants();
        let effect = next.and_then(|(place, ask)| {
            let run = flow.runs.get_mut(place)?;
            flow.asked = Some(Asked { id, place, ask });
            flow.progress = None;
            Some(effect(id, ask, run, &mut self.taken_out))
        });
        if effect.is_some() {
            self.last_id = id.0;
        }
        flow.settle();
        effect.into_iter().collect()
    }

    /// Suites that the person has removed from a run while its deletion stands: its copy names them too.
    pub(super) fn note_taken_out(&mut self, change: &SuiteChange, done: &[DocRef]) {
        let runs = self
            .delete
            .as_mut()
            .into_iter()
            .flat_map(|flow| &mut flow.runs);
        if let Some(run) = runs
            .into_iter()
            .find(|run| !change.adds && run.row.doc_ref == change.run)
        {
            run.out.extend(done.iter().cloned());
            let taken = self.taken_out.entry(change.run.clone()).or_default();
            taken.extend(
                change
                    .suites
                    .iter()
                    .filter(|(suite, _)| done.contains(suite))
                    .cloned(),
            );
        }
    }
}

/// What is done and what is not, where something was sent.
fn stopped(runs: &[Doomed]) -> Option<String> {
    if !runs
        .iter()
        .any(|run| run.removal.is_some() || run.end.is_some())
    {
        return None;
    }
    let gone = runs.iter().filter(|run| run.gone()).count();
    let out: usize = runs
        .iter()
        .filter(|run| !run.gone())
        .map(|run| run.out.len())
        .sum();
    let unread = runs.iter().any(|run| {
        let removal = run.removal.as_ref();
        let outcome = removal.and_then(|removal| removal.outcome.as_ref());
        outcome.is_some_and(|outcome| outcome.end == End::Unknown)
    });
    let deleted = match runs {
        [run] => format!("{} is not deleted", run.row.name()),
        runs => format!("{gone} of {} runs are deleted", runs.len()),
    };
    let removed = match (runs, out) {
        (_, 0) => String::new(),
        ([_], 1) => "; its 1 suite is removed".into(),
        ([_], out) => format!("; its {out} suites are removed"),
        (_, out) => format!("; {out} suites of the others are removed"),
    };
    let doubt = if unread {
        "; whether suites were removed is not known (@ shows it)"
    } else {
        ""
    };
    Some(format!("Stopped. {deleted}{removed}{doubt}"))
}

/// Suites that were taken out of runs before their deletion, by run.
pub(super) type TakenOut =
    std::collections::BTreeMap<DocRef, std::collections::BTreeMap<DocRef, String>>;

/// The suites that the copy of a run names: those that are sure, and those that were taken out of it before.
pub(super) fn to_copy(
    run: &Doomed,
    taken_out: &TakenOut,
) -> std::collections::BTreeMap<DocRef, String> {
    let mut suites = taken_out.get(&run.row.doc_ref).cloned().unwrap_or_default();
    let sure = run
        .attached()
        .into_iter()
        .flat_map(crate::attached::Attached::sure);
    suites.extend(sure.map(|named| (named.suite.clone(), named.full_name())));
    suites
}

fn effect(id: RequestId, ask: Ask, run: &mut Doomed, taken_out: &mut TakenOut) -> Effect {
    let doc_ref = run.row.doc_ref.clone();
    match ask {
        Ask::Survey => Effect::Survey {
            id,
            run: doc_ref,
            typed: run.typed.clone(),
        },
        Ask::Copy => {
            let known = run
                .attached()
                .map_or_else(String::new, crate::attached::Attached::short);
            let taken = taken_out
                .get(&doc_ref)
                .map_or(0, std::collections::BTreeMap::len);
            let known = if taken == 0 {
                known
            } else {
                format!("{known}, and {taken} removed before the deletion")
            };
            let suites = to_copy(run, taken_out).into_iter().collect();
            Effect::SaveCopy {
                id,
                run: Box::new(run.row.clone()),
                suites,
                known,
            }
        }
        Ask::Remove => {
            let change = match run.attached() {
                Some(attached) => removal(&run.row, attached),
                None => SuiteChange::of(&run.row, false, Vec::new()),
            };
            taken_out
                .entry(doc_ref)
                .or_default()
                .extend(change.suites.iter().cloned());
            run.removal = Some(Removal {
                change: change.clone(),
                steps: Vec::new(),
                outcome: None,
            });
            (run.touched, run.check) = (true, None);
            Effect::ChangeSuites {
                id,
                change: Box::new(change),
            }
        }
        Ask::Check => Effect::CheckEmpty { id, run: doc_ref },
        Ask::Delete => {
            let delete = Delete {
                run: doc_ref,
                run_name: run.row.full_name(),
                copy: run
                    .copy
                    .as_ref()
                    .and_then(|copy| copy.as_ref().ok())
                    .cloned(),
                is_probe: false,
                undo_of: run.undo_of.clone(),
            };
            Effect::Delete {
                id,
                delete: Box::new(delete),
            }
        }
    }
}
