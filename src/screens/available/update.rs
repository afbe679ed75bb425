//! What keys and answers do to the available suites.

use super::{AvailableSuites, FreeSuites, view};
use crate::domain::SuiteChange;
use crate::screens::prelude::*;
use crate::screens::{find_named, give_up_suites, suite_action, suites_title};
use crate::store::{Entry, PickerKind, Plan, Preview, SampleRequest, SuiteOrder};
use crate::ui::Field;

impl AvailableSuites {
    /// Asks whether the marked suites are added, else the one under the cursor.
    fn add_marked(&self, cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        if self.list.marks.is_empty() {
            return match self.current() {
                Some(suite) => self.add(&[suite], Vec::new(), cx),
                None => cx.say("There is no suite here"),
            };
        }
        let (suites, gone) = self.marked();
        if suites.is_empty() {
            let reads = &Action::Refresh;
            let does = "reads the list again";
            let reads = cx.shared.then_key(": ", Layer::Available, reads, does);
            let words = "None of the marked suites can be added any more";
            return cx.complain(words.to_owned() + &reads);
        }
        self.add(&suites, gone, cx);
    }

    /// Asks whether the suites that were named are added, now that the list is here. Marks stay as they are.
    fn add_named(&mut self, cx: &mut Cx) {
        let names = std::mem::take(&mut self.named);
        let Some(list) = self.suites.newest() else {
            // Why it is not here is said in its place.
            return;
        };
        let fits = |name: &DocumentName, suite: &SuiteRow| name.is_of(&suite.doc_ref, Some(suite));
        let (suites, missing) = find_named(names, list, fits, |_| true);
        if missing.is_empty() {
            return self.add(&suites, Vec::new(), cx);
        }
        let run = self.run.name();
        cx.complain(format!(
            "{} cannot be added to {run}: in it already, or not there",
            missing.join(", ")
        ));
    }

    /// Asks whether these suites are added.
    fn add(&self, suites: &[&SuiteRow], gone: Vec<&SuiteRow>, cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        let mut notes = Vec::new();
        if !gone.is_empty() {
            let names: Vec<&str> = gone.into_iter().map(SuiteRow::name).collect();
            notes.push(format!(
                "Left out, because they cannot be added any more: {}.",
                names.join(", ")
            ));
        }
        let done = cx.shared.done_codes();
        notes.push(format!("Up to {}.", view::more(self, suites, done)));
        let named = |suite: &&SuiteRow| (suite.doc_ref.clone(), suite.full_name());
        let cases = suites.iter().map(|suite| suite.total_cases).collect();
        let change = SuiteChange::of(&self.run, true, suites.iter().map(named).collect());
        cx.confirm(Preview {
            cases,
            ..Preview::new(Plan::Suites(Box::new(change)), notes)
        });
    }

    /// The orders, the one in force first: chosen again it is reversed.
    fn orders(&self) -> impl Iterator<Item = Entry> {
        let arrow = if self.descending { "↓" } else { "↑" };
        let mut orders = SuiteOrder::ALL;
        orders.sort_by_key(|(order, _)| *order != self.order);
        orders
            .into_iter()
            .enumerate()
            .map(move |(place, (order, heading))| Entry {
                label: heading.to_owned(),
                detail: match place {
                    0 => format!("{arrow}  again reverses"),
                    _ => String::new(),
                },
                ticked: None,
                choice: Choice::SuiteSort(order),
            })
    }

    fn came(&mut self, result: Result<Vec<SuiteRow>, Failure>, cx: &mut Cx) {
        let here = self.current().map(|suite| suite.doc_ref.clone());
        cx.accept(&mut self.suites, result);
        self.arrange_around(here.as_ref());
    }
}

impl Screen for AvailableSuites {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        // What asks for the marks ends an open range.
        let asks = matches!(action, Action::Open | Action::Show(Layer::CopyMenu));
        let rows = FreeSuites::of(&self.suites, &self.shown);
        if asks && !self.list.search.typing && !self.list.end_range(&rows, cx) {
            return;
        }
        let words = self.list.search.text().to_owned();
        let Some(action) = self.list.update(action, &rows, cx) else {
            if self.list.search.text() != words {
                self.arrange();
            }
            return;
        };
        match action {
            Action::Preview if self.current().is_none() => cx.say("There is no suite here"),
            Action::Preview => self.preview = !self.preview,
            Action::Sort => cx.choose("Sort by", PickerKind::Rows, self.orders()),
            Action::Chosen(choice) => {
                if let Choice::SuiteSort(order) = *choice {
                    self.descending = self.order == order && !self.descending;
                    self.order = order;
                    self.arrange();
                }
            }
            Action::Open => self.add_marked(cx),
            Action::Back | Action::LastScreen => cx.back(),
            Action::NextPart | Action::PreviousPart | Action::Part(1) => {
                cx.anywhere(Action::Show(Layer::Attached));
            }
            Action::Part(_) => cx.say("this is that list"),
            other => {
                let marked = self.list.marks.rows().to_vec();
                suite_action(other, self.current().cloned(), marked, cx);
            }
        }
    }

    fn offers(&self, action: &Action, shared: &Shared) -> bool {
        let any = self.current().is_some();
        match action {
            Action::Open => any && !shared.is_read_only(),
            Action::Mark | Action::MarkRange | Action::MarkAll | Action::Raw => any,
            Action::Filter | Action::Sort => self.suites.value().is_some(),
            _ => true,
        }
    }

    fn reply(&mut self, _slot: Slot, answer: Answer, cx: &mut Cx) {
        match answer {
            Answer::Received {
                received,
                full_size,
            } => self.progress = Some((received, full_size)),
            Answer::Available(result) => self.came(result, cx),
            // A failure stands where the forecast would be.
            Answer::WhatIf(result) => self.what_if.accept(result, cx.now),
            _ => {}
        }
    }

    /// What is in effect loses its mark.
    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        match fact {
            Fact::Row(row) if row.doc_ref == self.run.doc_ref => self.run = (**row).clone(),
            Fact::WroteSuites {
                run, adds, done, ..
            } if *run == self.run.doc_ref => {
                if *adds {
                    self.list.marks.remove(done);
                }
                self.read_list(cx);
            }
            _ => {}
        }
    }

    /// Asks for the forecast with the marked suites, where all of them say how many cases they have and that was not asked
    /// yet.
    fn settle(&mut self, on_top: bool, cx: &mut Cx) {
        self.read_document();
        if on_top && !self.named.is_empty() && !self.suites.is_reading() {
            self.add_named(cx);
        }
        let new = |extra: &u64| self.asked_for != Some(*extra);
        if let Some(extra) = self.extra(&self.marked().0).filter(new) {
            self.asked_for = Some(extra);
            self.what_if.ask();
            let run = self.run.doc_ref.clone();
            cx.request(Slot::WhatIf, |id| {
                Effect::Samples(SampleRequest::WhatIf { id, run, extra })
            });
        }
    }

    fn closing(&mut self, _cx: &mut Cx) {
        self.named.clear();
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        give_up_suites(Layer::Available, &Slot::Available, &mut self.suites, cx)
    }

    fn run(&self) -> Option<RunRow> {
        Some(self.run.clone())
    }

    fn read(&mut self, cx: &mut Cx) {
        self.read_list(cx);
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        self.list.laid_out(layout, self.shown.len())
    }

    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        view::draw(self, on, area);
    }

    fn title(&self, project: &str) -> String {
        suites_title(project, &self.run, "add suites")
    }

    fn status(&self, context: Context<'_>) -> String {
        view::status(context, self)
    }

    fn field(&self, _cx: &Cx) -> Option<Field<'_>> {
        let all = self.suites.value().map_or(0, Vec::len);
        self.list.field(self.shown.len(), all)
    }

    fn read_at(&self) -> Option<i64> {
        self.suites.read_at()
    }
}
