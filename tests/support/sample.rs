//! A store at a made-up moment, without terminal, clock or network.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use rundown::app::PLACES;
use rundown::app::draw::draw;
use rundown::config::{MonitorSettings, ProjectSettings};
use rundown::domain::diff::OwnWrite;
use rundown::domain::{
    DocRef, Document, Draft, DraftTaken, Failure, FailureKind, Filter, Page, RunRow, RunsOperation,
    RunsPage, SignInReason, Sort, View,
};
use rundown::keymap::{Keymap, OwnKeys};
use rundown::mirror::{Depth, EarlierReadings, OwnRecord, RunsReading};
use rundown::store::cx::HELD;
use rundown::store::{
    Action, Answer, Effect, Event, JournalLine, KnownProfile, Layer, Message, Opened, Request,
    RequestId, RunsRequest, SampleRequest, Session, Slot, Store,
};
use rundown::ui::layout::Layout;
use rundown::ui::theme::{BuiltIn, Theme};
use rundown::ui::time::Now;
use serde_json::json;

use super::mirrored::{Mirrored, Service};
use super::texts::{lacks, line, says};

/// The first page, as it is asked for.
pub const FIRST: Page = Page {
    offset: 0,
    limit: 50,
};

/// 2026-11-20T09:41:12Z.
pub const NOW: i64 = 1_795_167_672_000;

/// The cells of a frame, and what was found out by drawing.
pub fn drawn(store: &Store, theme: BuiltIn, now: &Now, size: (u16, u16)) -> (Buffer, Layout) {
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buffer = Buffer::empty(area);
    let layout = draw(store, Theme::from(theme), now, area, &mut buffer);
    (buffer, layout)
}

/// Draws as the loop does, again while the layout moves something; one more frame would show nothing else.
pub fn lay_out(store: &mut Store, draw: impl Fn(&Store) -> (Buffer, Layout)) {
    for _ in 0..3 {
        let (frame, layout) = draw(store);
        if !store.laid_out(&layout) {
            let again = draw(store).0;
            let texts = || [&frame, &again].map(screen_text).join("\nonce more:\n");
            assert!(frame == again, "{}", texts());
            return;
        }
    }
}

/// The line of a write that is done.
pub fn journal_line(write: &str, run: &str, what: &str) -> JournalLine {
    JournalLine {
        write: write.into(),
        at: NOW,
        run: run.into(),
        what: what.into(),
        by: String::new(),
        place: None,
        state: "done".into(),
        good: true,
        in_effect: true,
        detail: Vec::new(),
        request: Vec::new(),
    }
}

pub fn session() -> Session {
    Session {
        profile: "demo".into(),
        service: "https://demo.example/api".into(),
        identity: "https://idp.example/".into(),
        realm: "acme".into(),
        user: "qa".into(),
        me: Vec::new(),
        project: "P_9".into(),
        subproject: Some("SP_1".into()),
        read_only: false,
        is_demo: false,
        page_size: 50,
        project_version: None,
        locale: "en".into(),
        web_url: None,
        refresh_seconds: 0,
        watch: ProjectSettings::default(),
        monitor: MonitorSettings::default(),
        zone: None,
    }
}

/// Run number `number` of the sample, as `LIST_TEST_RUNS` brings it.
pub fn document(number: u64) -> Document {
    let titles = [
        "Performance test",
        "Regression payment",
        "Smoke nightly",
        "UAT wave 1",
        "Browser matrix: firefox",
        "Migration rehearsal",
        "Übergabe 日本語 العربية",
        "A title that goes on and on until no column of any terminal can hold it",
    ];
    let mut general = json!({
        "ProjectId": "P_9", "ProjectVersionNumber": "1.2.0", "SubprojectId": "SP_1",
        "Status": "active",
        "Title": titles[(number as usize) % titles.len()], "Configuration": "qftest,chrome",
        "Description": "Test the app performance around the order's actions.\n\nSecond paragraph: peak hour, 40 users.",
        "TenantId": "T_1", "TechnicalId": format!("19612ea0-bd5d-49da-9004-{number:012}"), "Id": format!("R_{number}"),
        "TestSuiteCount": number % 13, "Progress": number * 7 % 101
    });
    if number == 4 {
        general["Mood"] = json!("unknown to this program");
    }
    let result = |code: &str, count: u64| json!({"result": code, "count": count, "label": "x"});
    let value = json!({
        "docRef": format!("TestRun-dm/3b53beea-a611-462c-9553-{number:012}"),
        "documentModelName": "TestRun-dm",
        "document": {"Root": {
            "General": general,
            "Metadata": {
                "CreatedBy": "trung", "DisplayCreatedOn": "2026-11-13T02:09:50", "CreatedOn": 1_794_535_790_000_i64,
                "EditedBy": "mai", "DisplayEditedOn": "2026-11-19T18:02:00", "EditedOn": 1_795_111_320_000_i64
            },
            "Attachments": [{
                "FileName": "metrics.png", "OriginalFileName": "metrics-original.png", "CreatedAt": "2026-11-13T02:09:50",
                "UploadOn": "2026-11-13", "UploadBy": "trung", "Referenced": true, "CopyNumber": 0,
                "ThumbnailId": "0f9c", "File": {"content": null, "attachment_id": "7", "size": 482_133, "mime_type": "image/png"}
            }],
            "DisplayFields": {
                "Result": [result("1", 36), result("2", 57), result("5", 9), result("6", 4), result("3", 5), result("7", 5)],
                "TestCasesWithTester": "80", "TestersOfTestCases": ["trung", "mai", "lan"]
            }
        }},
        "__meta": {
            "creator": "trung", "modifier": "SYSTEM", "createdAt": "2026-11-13T02:09:50", "modifiedAt": "2026-11-19T18:02:00",
            "modelReference": "TestRun-dm", "docRef": "x", "modelVersion": null
        }
    });
    Document::from_value(value).unwrap()
}

/// The same run, closed.
pub fn closed_document(number: u64) -> Document {
    let mut value = document(number).raw().clone();
    value["document"]["Root"]["General"]["Status"] = json!("inactive");
    Document::from_value(value).unwrap()
}

pub fn row(number: u64) -> RunRow {
    RunRow::from_document(&document(number))
}

pub fn page(page: Page, size: u64) -> RunsPage {
    let end = (page.offset + u64::from(page.limit)).min(size);
    RunsPage {
        full_size: size,
        rows: (page.offset..end).map(row).collect(),
        facets: Some(vec![(
            "Root.General.Configuration".into(),
            vec!["qftest".into(), "chrome".into()],
        )]),
        operation: Some(RunsOperation::ListTestRuns),
    }
}

/// The same of a list that is filtered; words are found in titles.
pub fn page_of(asked: Page, filter: &Filter, size: u64) -> RunsPage {
    let words = filter.fulltext.to_lowercase();
    let has_words = |row: &RunRow| {
        let title = row.title.as_deref().unwrap_or_default().to_lowercase();
        words.split_whitespace().all(|word| title.contains(word))
    };
    // All of them are open: none needs to be made to be told apart.
    if filter.is_empty() || *filter == RunsReading::open_runs() {
        return page(asked, size);
    }
    let rows = (0..size).map(row);
    let rows: Vec<RunRow> = rows
        .filter(|row| !filter.rules_out(row) && has_words(row))
        .collect();
    RunsPage {
        full_size: rows.len() as u64,
        rows: rows
            .into_iter()
            .skip(asked.offset as usize)
            .take(asked.limit as usize)
            .collect(),
        ..page(asked, 0)
    }
}

pub fn opened(number: u64) -> Opened {
    let document = document(number);
    let json = serde_json::to_string_pretty(document.raw())
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    Opened { document, json }
}

pub fn failure() -> Failure {
    Failure {
        kind: FailureKind::Network,
        asked: "loading the runs".into(),
        cause: "no connection to demo.example: connection refused".into(),
        remedy: "Check the network and base_url, then try again.".into(),
        may_retry: true,
        waits: None,
        log: None,
    }
}

/// A screen with its store, at a size.
#[derive(Clone)]
pub struct Sample {
    pub store: Store,
    pub size: (u16, u16),
    /// What time it is, epoch milliseconds, and where.
    pub now: i64,
    pub zone: TimeZone,
    keymap: Keymap,
    /// The runs of the profile in use.
    pub mirrored: Mirrored,
    /// Effects that nobody has answered yet.
    pub open: Vec<Effect>,
}

impl Sample {
    pub fn new(size: (u16, u16)) -> Self {
        Self::with_keys(size, &[])
    }

    /// With keys of a person's own.
    pub fn with_keys(size: (u16, u16), own: &[OwnKeys]) -> Self {
        let keymap = Keymap::built_in(PLACES).unwrap().with(own).unwrap();
        let profiles = vec![
            KnownProfile {
                name: "demo".into(),
                project: "P_9".into(),
                subproject: Some("SP_1".into()),
                read_only: false,
            },
            KnownProfile {
                name: "prod".into(),
                project: "P_12".into(),
                subproject: None,
                read_only: true,
            },
        ];
        let store = Store::new(keymap.tables(), profiles, false);
        Self {
            store,
            size,
            now: NOW,
            zone: TimeZone::UTC,
            keymap,
            mirrored: Mirrored::new(&session()),
            open: Vec::new(),
        }
    }

    /// Connected and signed in; the first page has been asked for.
    pub fn signed_in(size: (u16, u16)) -> Self {
        let mut sample = Self::new(size);
        sample.sign_in();
        sample
    }

    pub fn sign_in(&mut self) {
        self.connect(|_| {});
        self.let_in();
        // As after a first key.
        self.store.cx.shared.used = Some(self.now);
    }

    /// Connected with a session that differs so.
    pub fn connect(&mut self, differs: impl FnOnce(&mut Session)) {
        let mut session = session();
        differs(&mut session);
        self.event(Event::Connected(Box::new(session)));
    }

    /// `qa` is signed in.
    pub fn let_in(&mut self) {
        self.event(Event::SignedIn { user: "qa".into() });
    }

    /// The views that were kept from the list come, as they were asked for.
    pub fn kept_views(&mut self, views: Vec<View>) {
        assert!(self.store.cx.under_way(&Slot::Views), "not asked for");
        let mut asked = self.open.iter().filter_map(|effect| match effect {
            Effect::Request(id, Request::Samples(SampleRequest::Views)) => Some(*id),
            _ => None,
        });
        let asked = asked.next_back().unwrap();
        self.event(Event::Answer(asked, Answer::Views(Some(views))));
    }

    /// `qa` has to sign in.
    pub fn sign_in_needed(&mut self, why: SignInReason) {
        let user = "qa".into();
        self.event(Event::SignInNeeded { user, why });
    }

    /// The list of `runs` runs, with all that was asked for answered.
    pub fn list(size: (u16, u16), runs: u64) -> Self {
        let mut sample = Self::signed_in(size);
        sample.answer(runs);
        sample
    }

    /// All of 30 runs, of which `R_5` is closed; the cursor is on it.
    pub fn on_closed(size: (u16, u16)) -> Self {
        let mut sample = Self::list(size, 30);
        let rows = vec![RunRow::from_document(&closed_document(5))];
        sample.reads_again(RunsPage {
            rows,
            ..page(FIRST, 30)
        });
        let mut sample = sample.pressed("6jjjjj");
        sample.open.clear();
        sample
    }

    /// The same in a profile that may not write.
    pub fn read_only_list(size: (u16, u16), runs: u64) -> Self {
        let mut sample = Self::new(size);
        sample.connect(|it| it.read_only = true);
        sample.let_in();
        sample.answer(runs);
        sample
    }

    /// Another profile, or the same once more, is in use; nobody is signed in to it.
    pub fn uses(&mut self, profile: &str) {
        self.connect(|it| it.profile = profile.into());
    }

    /// What `qa` was signed in to is over.
    pub fn session_over(&mut self) {
        self.sign_in_needed(SignInReason::SessionEnded("expired".into()));
    }

    pub fn event(&mut self, event: Event) {
        match &event {
            Event::Connected(session) => self.mirrored = Mirrored::new(session),
            Event::Answer(_, Answer::Created(created)) => {
                if let Some(made) = &created.run.document {
                    let run = RunRow::from_document(made).doc_ref;
                    self.wrote(run, None);
                }
            }
            _ => {}
        }
        self.message(Message::Event(event));
    }

    pub fn reply(&mut self, id: RequestId, answer: Answer) {
        self.event(Event::Answer(id, answer));
    }

    fn wrote(&mut self, run: DocRef, write: Option<OwnWrite>) {
        let at = self.now;
        self.mirrored.wrote(OwnRecord {
            run,
            at,
            write,
            is_done: true,
            was_open: None,
        });
    }

    /// What concerns the runs on this machine is done at once; all else stays open.
    fn take(&mut self, effects: Vec<Effect>) {
        let mut events = Vec::new();
        for effect in effects {
            match &effect {
                Effect::Request(_, Request::ChangeSuites(change)) => {
                    let run = change.run.clone();
                    self.wrote(run, Some(OwnWrite::Suites));
                }
                Effect::Request(_, Request::Modify(modify)) => {
                    let fields = modify.texts.keys().copied().collect();
                    self.wrote(modify.run.clone(), Some(OwnWrite::Fields(fields)));
                }
                Effect::Request(_, Request::Delete(deleting)) => {
                    let run = deleting.run.doc_ref.clone();
                    self.wrote(run.clone(), Some(OwnWrite::Suites));
                    self.wrote(run, Some(OwnWrite::Deletion));
                }
                _ => {}
            }
            match effect {
                Effect::Runs(request) => events.extend(self.mirrored.take(request, self.now)),
                effect => self.open.push(effect),
            }
        }
        for event in events {
            self.event(event);
        }
    }

    pub fn act(&mut self, action: Action) {
        self.message(Message::Action(action));
    }

    pub fn message(&mut self, message: Message) {
        if matches!(&message, Message::Action(action) if action.answers() || *action == Action::Back)
        {
            // No key is held down.
            self.now += HELD;
        }
        let effects = self.store.update(message, self.now);
        self.take(effects);
        self.settle();
    }

    pub fn press(&mut self, keys: &str) {
        for c in keys.chars() {
            let code = match c {
                '\u{15}' => {
                    self.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
                    continue;
                }
                '\n' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                '\t' => KeyCode::Tab,
                c => KeyCode::Char(c),
            };
            self.key(KeyEvent::from(code));
        }
    }

    /// The terminal has another size.
    pub fn resize(&mut self, size: (u16, u16)) {
        self.size = size;
        self.settle();
    }

    /// The same after these keys.
    pub fn pressed(mut self, keys: &str) -> Self {
        self.press(keys);
        self
    }

    /// One key, as the key table has it.
    pub fn key(&mut self, key: KeyEvent) {
        self.act(self.keymap.action(self.store.layer(), key));
    }

    /// What came of a request for runs: a page, or the first page of a reading, which is all of it then.
    pub fn runs(&mut self, id: RequestId, result: Result<RunsPage, Failure>) {
        if !self.reads(id) {
            return self.event(Event::Answer(id, Answer::Runs(result)));
        }
        let list = self
            .store
            .screens
            .runs
            .this_tab(&self.store.cx)
            .lists
            .remove(0);
        let read = result.map(|page| {
            let told = RunsRequest::Took(Box::new(page), Some(list.clone()), 0);
            let wanted = Depth::Start.wanted(std::slice::from_ref(&list));
            self.mirrored.was_read(&wanted, self.now);
            for event in self.mirrored.take(told, self.now) {
                self.event(event);
            }
            true
        });
        self.event(Event::Answer(id, Answer::RunsRead(read)));
    }

    /// The request is for a reading by the mirror.
    fn reads(&self, id: RequestId) -> bool {
        let slot = self.store.cx.in_flight.slot(id);
        matches!(
            slot,
            Some(Slot::Runs | Slot::AllRuns | Slot::ReadRuns(Layer::Monitor))
        )
    }

    /// A reading ends that found all runs as they were, here or by another program.
    pub fn found_nothing_new(&mut self, id: RequestId, (depth, lists): (Depth, Vec<Filter>)) {
        self.now += 1;
        self.mirrored.was_read(&depth.wanted(&lists), self.now);
        for event in self.mirrored.compare_by(EarlierReadings::default()) {
            self.event(event);
        }
        self.event(Event::Answer(id, Answer::RunsRead(Ok(true))));
    }

    /// Reads as the mirror wants it, of this service.
    pub fn read_runs(
        &mut self,
        id: RequestId,
        (depth, lists): (Depth, Vec<Filter>),
        service: &mut Service<'_>,
    ) {
        let page_size = self.store.cx.shared.in_use().page_size;
        // What was read before was read earlier, and what is asked from now on is asked later.
        self.now += 1;
        let (events, read) = self
            .mirrored
            .read((depth, lists), page_size, self.now, service);
        self.now += 1;
        for event in events {
            self.event(event);
        }
        self.event(Event::Answer(id, Answer::RunsRead(read)));
    }

    /// A page was read, whoever has asked for it.
    pub fn reads_again(&mut self, page: RunsPage) {
        let told = RunsRequest::Took(Box::new(page), None, 0);
        for event in self.mirrored.take(told, self.now) {
            self.event(event);
        }
    }

    /// How the runs stood before today.
    pub fn compare_by(&mut self, earlier: EarlierReadings) {
        for event in self.mirrored.compare_by(earlier) {
            self.event(event);
        }
    }

    /// Takes the effects that nobody has looked at.
    pub fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.open)
    }

    /// What went to the clipboard, as it is called and the text, the newest last.
    pub fn clipboard(&self) -> Vec<(String, String)> {
        let copied = self.open.iter().filter_map(|effect| match effect {
            Effect::Copy { what, text } => Some((what.clone(), text.clone())),
            _ => None,
        });
        copied.collect()
    }

    /// The newest open effect of which there is something to take.
    pub fn newest<T>(&self, of: impl Fn(&Effect) -> Option<T>) -> T {
        self.open.iter().rev().find_map(of).unwrap()
    }

    /// The document that was asked for last.
    pub fn send_document(&mut self, document: Document) {
        let id = self.newest(|effect| match effect {
            Effect::Request(id, Request::GetDocument { .. }) => Some(*id),
            _ => None,
        });
        let json = Vec::new();
        let result = Ok(Box::new(Opened { document, json }));
        self.event(Event::Answer(id, Answer::Document(result)));
    }

    /// What is said at the foot.
    pub fn said(&self) -> &str {
        let notice = self.store.cx.notice.as_ref();
        notice.map_or("", |notice| notice.text.as_str())
    }

    /// The first line with these words.
    #[track_caller]
    pub fn line(&self, words: &str) -> String {
        line(&self.screen(), words).to_owned()
    }

    /// The form that asked gets its draft: what was kept of it, and who else has the form open.
    pub fn take_draft(&mut self, before: Option<Draft>, other: Option<u32>) {
        let id = self.newest(|effect| match effect {
            Effect::Request(id, Request::TakeDraft { .. }) => Some(*id),
            _ => None,
        });
        let taken = DraftTaken {
            key: "k".into(),
            before,
            other,
        };
        let result = Ok(Box::new(taken));
        self.event(Event::Answer(id, Answer::DraftTaken(result)));
    }

    fn settle(&mut self) {
        let now = self.clock();
        lay_out(&mut self.store, |store| {
            drawn(store, BuiltIn::Dark, &now, self.size)
        });
        let wants = self.store.settle();
        self.take(wants);
    }

    /// Answers every open request for pages and documents, until there is none; no run has an earlier reading.
    pub fn answer(&mut self, runs: u64) {
        while !self.open.is_empty() {
            for effect in std::mem::take(&mut self.open) {
                match effect {
                    Effect::Request(
                        id,
                        Request::ListRuns {
                            page: asked,
                            filter,
                            ..
                        },
                    ) => self.runs(id, Ok(page_of(asked, &filter, runs))),
                    Effect::Request(id, Request::ReadRuns { depth, lists, .. }) => {
                        let mut service =
                            |asked, _: &[Sort], filter: &Filter| Ok(page_of(asked, filter, runs));
                        self.read_runs(id, (depth, lists), &mut service);
                    }
                    Effect::Request(id, Request::GetDocument { doc_ref }) => {
                        let number = doc_ref.as_str()[36..]
                            .trim_start_matches('-')
                            .trim_start_matches('0')
                            .parse()
                            .unwrap_or(0);
                        self.event(Event::Answer(
                            id,
                            Answer::Document(Ok(Box::new(opened(number)))),
                        ));
                    }
                    _ => {}
                }
            }
        }
    }

    /// The number of the first open request.
    pub fn asked(&self) -> RequestId {
        let id = self.open.iter().find_map(|effect| match effect {
            Effect::Request(
                id,
                Request::ListRuns { .. }
                | Request::ReadRuns { .. }
                | Request::GetDocument { .. }
                | Request::Timer { .. },
            ) => Some(*id),
            _ => None,
        });
        id.unwrap()
    }

    pub fn draw(&self) -> (Buffer, Layout) {
        self.draw_in(BuiltIn::Dark)
    }

    fn clock(&self) -> Now {
        Now {
            ms: self.now,
            zone: self.zone.clone(),
        }
    }

    pub fn draw_in(&self, theme: BuiltIn) -> (Buffer, Layout) {
        drawn(&self.store, theme, &self.clock(), self.size)
    }

    /// Keys go there.
    #[track_caller]
    pub fn on(&self, layer: Layer) {
        assert_eq!(self.store.layer(), layer, "{}", self.screen());
    }

    #[track_caller]
    pub fn at(&self, screen: Layer) {
        assert_eq!(self.store.screen(), screen, "{}", self.screen());
    }

    /// These words are read on the screen.
    #[track_caller]
    pub fn says(&self, words: &str) {
        says(&self.screen(), words);
    }

    /// These words are not.
    #[track_caller]
    pub fn lacks(&self, words: &str) {
        lacks(&self.screen(), words);
    }

    /// What is read on the screen, which is the same without colours.
    pub fn screen(&self) -> String {
        let drawn = self.draw().0;
        for theme in [BuiltIn::Sixteen, BuiltIn::Mono] {
            same_text(&drawn, &self.draw_in(theme).0, theme);
        }
        screen_text(&drawn)
    }
}

fn is_letter(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic())
}

/// Nothing is lost where there are no colours: each cell has what it has with them, or the letter of a bar, or a plain
/// corner.
fn same_text(coloured: &Buffer, other: &Buffer, theme: BuiltIn) {
    for (place, (cell, without)) in coloured.content.iter().zip(&other.content).enumerate() {
        let (symbol, letter) = (cell.symbol(), without.symbol());
        let of_a_bar = || letter == "·" || letter == "?" || is_letter(letter);
        let same = match symbol {
            _ if symbol == letter => true,
            "█" | "▌" | "·" => of_a_bar(),
            "╭" | "╮" | "╰" | "╯" => "┌┐└┘".contains(letter),
            _ => false,
        };
        let (x, y) = coloured.pos_of(place);
        assert!(
            same,
            "{theme:?}: {letter:?} in place of {symbol:?} at {x}, {y}\n{}",
            screen_text(other)
        );
        let colours = [without.fg, without.bg];
        let told = |colour| colour != Color::Reset;
        assert!(theme != BuiltIn::Mono || !colours.into_iter().any(told));
    }
}

/// A drawn screen as lines of text; the second cell of a wide letter is left out.
pub fn screen_text(buffer: &Buffer) -> String {
    area_text(buffer, buffer.area)
}

/// A part of it.
pub fn area_text(buffer: &Buffer, area: Rect) -> String {
    let mut text = String::new();
    for y in area.y..area.bottom() {
        let mut line = String::new();
        let mut x = area.x;
        while x < area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += (unicode_width::UnicodeWidthStr::width(symbol) as u16).max(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
