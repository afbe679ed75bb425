//! Deleting runs, in steps: what is known of each run, and what can be done next. Nothing here sends anything.

use super::Screen;
use super::doomed::{Ask, Doomed, Stand, Turn};
use super::effect::Effect;
use super::input::Input;
use super::message::{Motion, RequestId};
use crate::attached::Attached;

/// Runs that one flow deletes, at most: all of what is known of each is kept until the end.
pub const MOST_AT_ONCE: usize = 100;

/// What goes on by itself from answer to answer, run after run. The first failure ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Doing {
    /// Nothing: the person is asked.
    #[default]
    Nothing,
    /// The suites of each run are worked out; once a person has done step 1, a copy is saved, and what may be empty is
    /// checked.
    Reading,
    /// The sure suites are removed, then each run is checked.
    Emptying,
    /// Each run is checked.
    Checking,
    /// Each run is deleted.
    Deleting,
}

/// The request under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub id: RequestId,
    /// Place of the run it is about.
    pub place: usize,
    pub ask: Ask,
}

/// What the cursor can stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spot {
    /// Step 1: save a copy of each run.
    Copy,
    /// Step 1: read on, or once more what failed.
    Read,
    /// Step 2: remove the sure suites, then check.
    Remove,
    /// Step 2: the screen of suites, to name the others.
    Name,
    /// Step 2: leave the run as it is.
    Leave,
    /// Step 3: ask once more.
    Check,
    /// Step 4: the field for the id.
    Id,
    /// Step 5: the button that deletes.
    Delete,
    /// The button that ends the flow.
    Stop,
}

/// Runs that are being deleted, step by step.
#[derive(Clone, Debug, PartialEq)]
pub struct DeleteFlow {
    pub runs: Vec<Doomed>,
    /// A person has done step 1: copies are saved, and again where more becomes known.
    pub saving: bool,
    /// The request under way; there is never more than one.
    pub asked: Option<Asked>,
    /// How far the survey under way is, in words.
    pub progress: Option<String>,
    /// What goes on by itself.
    pub doing: Doing,
    /// Where the cursor stands; nowhere while something is under way.
    pub spot: Option<Spot>,
    /// The field for the id has the focus.
    pub typing: bool,
    /// What was typed there.
    pub text: Input,
    /// What is to be said before: of an undo.
    pub notes: Vec<String>,
    /// When the newest answer came, epoch milliseconds.
    pub read_at: Option<i64>,
    /// The person has scrolled: first line shown. Else the lines follow the cursor.
    pub top: Option<u16>,
    /// First line shown and last possible one, as laid out last.
    pub laid: (u16, u16),
    /// The screen to go back to.
    pub from: Screen,
    /// Another profile is in use by now: nothing is sent any more.
    pub over: bool,
    /// Run on the screen of suites, and what was known of it before.
    pub visited: Option<(usize, Option<Box<Attached>>)>,
}

impl DeleteFlow {
    /// A flow that has read nothing.
    pub fn new(runs: Vec<Doomed>, from: Screen, notes: Vec<String>) -> Self {
        Self {
            runs,
            saving: false,
            asked: None,
            progress: None,
            doing: Doing::Reading,
            spot: None,
            typing: false,
            text: Input::default(),
            notes,
            read_at: None,
            top: None,
            laid: (0, 0),
            from,
            over: false,
            visited: None,
        }
    }

    /// Something that changes the service is under way.
    pub fn writing(&self) -> bool {
        self.asked.is_some_and(|asked| asked.ask.writes())
    }

    /// A request of this sort is under way.
    pub fn under_way(&self, ask: Ask) -> bool {
        self.asked.is_some_and(|asked| asked.ask == ask)
    }

    /// The runs that are not deleted yet.
    pub fn left(&self) -> impl Iterator<Item = &Doomed> {
        self.runs.iter().filter(|run| !run.gone())
    }

    /// All that is left is copied and checked.
    pub fn ready(&self) -> bool {
        self.left().next().is_some() && self.left().all(Doomed::is_ready)
    }

    /// What must be typed to arm step 5: the id of the run, the number of several.
    pub fn word(&self) -> String {
        let mut left = self.left();
        match (left.next(), left.count()) {
            (Some(only), 0) => only.row.name().to_owned(),
            (_, more) => (more + 1).to_string(),
        }
    }

    /// The right word is typed, and nothing else is in the way.
    pub fn armed(&self) -> bool {
        self.ready() && self.text.text().trim() == self.word().trim()
    }

    /// The step that comes next, from 1 to 5.
    pub fn step(&self) -> usize {
        let any = |of: &dyn Fn(&Doomed) -> bool| self.left().any(of);
        match self.doing {
            Doing::Deleting => 5,
            _ if self.under_way(Ask::Remove) => 2,
            _ if any(&|run| run.attached().is_none()) => 1,
            _ if any(&|run| run.stand() == Stand::ClosedHolds) => 2,
            _ if any(&|run| !run.is_read()) => 1,
            _ if any(&|run| run.stand() == Stand::Holds) => 2,
            _ if any(&|run| !run.is_ready()) => 3,
            _ if self.ready() && !self.armed() => 4,
            _ => 5,
        }
    }

    /// Where the cursor can stand now, from top to bottom; the two buttons from left to right.
    pub fn spots(&self) -> Vec<Spot> {
        let any = |of: &dyn Fn(&Doomed) -> bool| self.left().any(of);
        let closed = any(&|run| run.stand() == Stand::ClosedHolds);
        let read = !any(&|run| !run.is_read());
        let to_copy = !self.saving && !any(&|run| run.attached().is_none());
        let holds = any(&|run| run.stand() == Stand::Holds);
        let check = |run: &Doomed| {
            run.attached().is_some() && (run.end.is_some() || run.stand() != Stand::Empty)
        };
        let idle = self.asked.is_none() && !self.over;
        let spots = [
            (Spot::Copy, idle && !read && !closed && to_copy),
            (Spot::Read, idle && !read && !closed && !to_copy),
            (
                Spot::Remove,
                idle && read && !closed && any(&|run| !run.removable().is_empty()),
            ),
            (Spot::Name, idle && read && any(&Doomed::is_vague)),
            (Spot::Leave, idle && (holds || closed)),
            (Spot::Check, idle && any(&check)),
            (Spot::Id, idle && self.ready()),
            (Spot::Stop, true),
            (Spot::Delete, idle && self.ready()),
        ];
        spots
            .into_iter()
            .filter(|(_, here)| *here)
            .map(|(spot, _)| spot)
            .collect()
    }

    /// Puts the cursor on a spot.
    pub fn go_to(&mut self, spot: Spot) {
        self.spot = Some(spot);
        self.typing = spot == Spot::Id;
        self.top = None;
    }

    /// Moves the cursor to the next spot, or to the one before.
    pub fn turn(&mut self, forward: bool) {
        let spots = self.spots();
        let here = self
            .spot
            .and_then(|spot| spots.iter().position(|other| *other == spot));
        let to = match (here, forward) {
            (Some(here), true) => (here + 1) % spots.len(),
            (Some(here), false) => (here + spots.len() - 1) % spots.len(),
            (None, _) => 0,
        };
        if let Some(spot) = spots.get(to) {
            self.go_to(*spot);
        }
    }

    /// Scrolls the lines; the cursor stays.
    pub fn scroll(&mut self, motion: Motion) {
        let (top, last) = self.laid;
        let to = match motion {
            Motion::PageUp | Motion::HalfPageUp => top.saturating_sub(10),
            Motion::PageDown | Motion::HalfPageDown => top.saturating_add(10),
            Motion::First | Motion::Up => 0,
            Motion::Last | Motion::Down => last,
        };
        self.top = Some(to.min(last));
    }

    /// Nothing further is sent. Reading that is under way is given up; what changes the service is stopped before its
    /// next request, and still waited for.
    pub fn stop(&mut self) -> Vec<Effect> {
        self.doing = Doing::Nothing;
        let Some(asked) = self.asked else {
            return Vec::new();
        };
        if !asked.ask.writes() {
            (self.asked, self.progress) = (None, None);
            self.settle();
        }
        vec![Effect::Cancel(asked.id)]
    }

    /// After an answer: the cursor stays where it is if it can, else it goes where Enter changes nothing at the service.
    pub fn settle(&mut self) {
        let spots = self.spots();
        if self.asked.is_some() && self.spot != Some(Spot::Stop) {
            (self.spot, self.typing) = (None, false);
        } else if self.spot.is_none_or(|spot| !spots.contains(&spot)) {
            let safe = [
                Spot::Copy,
                Spot::Id,
                Spot::Leave,
                Spot::Read,
                Spot::Check,
                Spot::Stop,
            ];
            if let Some(spot) = safe.into_iter().find(|spot| spots.contains(spot)) {
                self.go_to(spot);
            }
        }
    }

    /// What is to be asked next, and of which run; where nothing is, the flow comes to rest.
    pub fn wants(&mut self) -> Option<(usize, Ask)> {
        if self.asked.is_some() || self.over {
            return None;
        }
        let (doing, saving) = (self.doing, self.saving);
        let turn = |run: &Doomed| match doing {
            Doing::Nothing => Turn::Halt,
            Doing::Reading => run.to_read(saving),
            Doing::Emptying => run.to_empty(),
            Doing::Checking => run.to_check(),
            Doing::Deleting => run.to_delete(),
        };
        let stop = self
            .runs
            .iter()
            .map(turn)
            .enumerate()
            .find(|(_, turn)| !matches!(turn, Turn::Pass));
        if let Some((place, Turn::Ask(ask))) = stop {
            return Some((place, ask));
        }
        let went_through = stop.is_none();
        self.doing = Doing::Nothing;
        if doing == Doing::Checking && went_through && self.left().any(|run| !run.is_read()) {
            self.doing = Doing::Reading;
            return self.wants();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{Document, RunRow};

    /// Keys reach a step only while nothing is under way, so only here can this guard be seen alone.
    #[test]
    fn a_request_under_way_and_another_profile_each_keep_the_next_request_away() {
        let document = json!({
            "docRef": "TestRun-dm/3b53beea-a611-462c-9553-000000000002",
            "document": {"Root": {"General": {"Id": "R_2"}}},
        });
        let row = RunRow::from_document(&Document::from_value(document).unwrap());
        let begun = DeleteFlow::new(vec![Doomed::new(row, None)], Screen::Runs, Vec::new());
        assert_eq!(begun.clone().wants(), Some((0, Ask::Survey)));
        let asked = Some(Asked {
            id: RequestId(7),
            place: 0,
            ask: Ask::Survey,
        });
        let under_way = DeleteFlow {
            asked,
            ..begun.clone()
        };
        let over = DeleteFlow {
            over: true,
            ..begun
        };
        for mut flow in [under_way, over] {
            assert_eq!(flow.wants(), None);
        }
    }
}
