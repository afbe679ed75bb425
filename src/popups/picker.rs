//! A list to choose from, narrowed by typing: sort fields, facets, commands.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::commands;
use crate::domain::nearest;
use crate::keymap::place::{Binding, Place, binding};
use crate::screens::keys::{ARROWS, EVERYWHERE, PAGES, TAKE};
use crate::screens::screen::Screen;
use crate::store::cx::Cx;
use crate::store::key_table::{Heading, Hint};
use crate::store::layer::Layer;
use crate::store::message::{Action, Choice, Entry, Motion, PickerKind};
use crate::store::shared::Shared;
use crate::ui::layout::{Layout, Scrolled};
use crate::ui::list::{Did, List, Unmarked, matching};
use crate::ui::menu::{Menu, Tall};
use crate::ui::text_input::Input;
use crate::ui::{Context, READ_ONLY, menu, text};

/// State of a picker.
#[derive(Clone, Debug, PartialEq)]
pub struct Picker {
    /// Which one.
    pub kind: PickerKind,
    pub entries: Vec<Entry>,
    /// Places of the entries that match the text, best first.
    pub shown: Vec<usize>,
    /// The list of `shown`.
    pub list: List,
    /// What is wrong with the text.
    pub problem: Option<String>,
    /// Something was ticked: Enter only closes.
    pub ticked: bool,
    /// What each entry is found by beside its label.
    names: Vec<Vec<&'static str>>,
    /// Name of the run at hand.
    run: Option<String>,
}

impl Picker {
    /// A picker with all entries shown.
    pub fn new(kind: PickerKind, entries: Vec<Entry>) -> Self {
        let names = vec![Vec::new(); entries.len()];
        Self::with_names(kind, entries, names)
    }

    /// The commands, with names that they are found by, too, and the run at hand.
    pub fn palette(
        entries: Vec<Entry>,
        names: Vec<Vec<&'static str>>,
        run: Option<String>,
    ) -> Self {
        Self {
            run,
            ..Self::with_names(PickerKind::Palette, entries, names)
        }
    }

    fn with_names(kind: PickerKind, entries: Vec<Entry>, names: Vec<Vec<&'static str>>) -> Self {
        let mut picker = Self {
            kind,
            entries,
            shown: Vec::new(),
            list: List::typing(),
            problem: None,
            ticked: false,
            names,
            run: None,
        };
        picker.narrow();
        picker
    }

    /// The entry under the cursor.
    pub fn current(&self) -> Option<&Entry> {
        self.entries
            .get(*self.shown.get(self.list.scroll.cursor as usize)?)
    }

    /// Narrows the list to the text: every word, best first, case and accents do not matter.
    fn narrow(&mut self) {
        self.problem = None;
        let text = self.list.search.text().trim();
        self.shown = if text.is_empty() {
            (0..self.entries.len()).collect()
        } else {
            let searched = self.entries.iter().zip(&self.names);
            let searched: Vec<String> = searched
                .map(|(entry, names)| format!("{} {}", entry.label, names.join(" ")))
                .collect();
            matching(text, searched.iter().map(String::as_str))
        };
        // Of runs there may be thousands: they come with the beginning of an id.
        let ids = text
            .get(..2)
            .is_some_and(|begin| begin.eq_ignore_ascii_case("R_"));
        let entries = &self.entries;
        self.shown
            .retain(|place| ids || !matches!(entries[*place].choice, Choice::Run(_)));
        // What is the text comes first, then what begins with it, then what only holds its letters.
        let text = text.to_lowercase();
        self.shown.sort_by_key(|place| {
            let label = entries[*place].label.to_lowercase();
            (label != text, !label.starts_with(&text))
        });
        let scroll = &mut self.list.scroll;
        (scroll.cursor, scroll.top) = (0, 0);
    }

    /// Puts the entry under the cursor into the text.
    fn complete(&mut self) {
        let Some(entry) = self.current() else { return };
        let text = match entry.choice {
            Choice::Begin(verb) => format!("{verb} "),
            _ => entry.label.clone(),
        };
        self.list.search.words = Input::with_text(&text);
        self.narrow();
    }

    /// A key for the text; whether that has changed. Above the first entry of the palette is what was typed before, and below
    /// that the entries again.
    fn edit(&mut self, action: &Action, cx: &mut Cx) -> bool {
        let recalls = self.kind == PickerKind::Palette && self.list.scroll.cursor == 0;
        let edits = recalls || !matches!(action, Action::Move(_));
        let edited = edits && cx.shared.commands.edit(&mut self.list.search.words, action);
        if edited {
            self.narrow();
        }
        edited
    }
}

impl Picker {
    /// The theme under the cursor: what is chosen is seen before it is taken.
    pub fn theme(&self) -> Option<&'static str> {
        match self.current()?.choice {
            Choice::Theme(name) => Some(name),
            _ => None,
        }
    }

    /// Takes the entry under the cursor; `stay` keeps the picker open for another.
    fn choose(&mut self, stay: bool, cx: &mut Cx) {
        let typed = self.list.search.text().trim().to_owned();
        if !stay && self.ticked && typed.is_empty() {
            return cx.close(Layer::Picker);
        }
        self.ticked |= stay;
        let Some(choice) = self.meant(&typed) else {
            return;
        };
        if let Choice::Begin(_) = choice {
            return self.complete();
        }
        if self.kind == PickerKind::Palette {
            let whole = self.current().filter(|entry| entry.choice == choice);
            let whole = whole.filter(|entry| commands::verb_of(&entry.label).is_some());
            let text = whole.map_or(typed.as_str(), |entry| &entry.label);
            cx.shared.commands.keep(text);
        }
        if stay {
            self.tick(&choice);
        }
        // The orders of suites are not ticked one after the other.
        if !stay || matches!(choice, Choice::SuiteSort(_)) {
            cx.close(Layer::Picker);
        }
        cx.chosen(choice);
    }

    /// What is typed or under the cursor; says what is wrong with a command that is none.
    fn meant(&mut self, typed: &str) -> Option<Choice> {
        let current = self.current();
        let palette = self.kind == PickerKind::Palette;
        match self.typed_command() {
            Some(Ok(choice)) => return Some(choice),
            Some(Err(problem)) => self.problem = Some(problem),
            None if current.is_some() => return current.map(|entry| entry.choice.clone()),
            None if palette && !typed.is_empty() => {
                let meant = self.nearest(typed);
                let meant = meant.map_or(String::new(), |meant| format!("; {meant}?"));
                self.problem = Some(format!("no such command: {typed}{meant}"));
            }
            None => {}
        }
        None
    }

    /// What is typed, where it is a command of its own.
    fn typed_command(&self) -> Option<Result<Choice, String>> {
        let typed = self.list.search.text().trim();
        let palette = self.kind == PickerKind::Palette;
        commands::read(typed, self.current()).filter(|_| palette)
    }

    /// The command whose name, or old name, is nearest to a text.
    fn nearest(&self, text: &str) -> Option<&str> {
        let labels = self.entries.iter().zip(&self.names);
        let labels = labels.flat_map(|(entry, names)| {
            let names = names.iter().copied().chain([entry.label.as_str()]);
            names.map(|name| (name, entry.label.as_str()))
        });
        let named: Vec<(&str, &str)> = labels.collect();
        let name = nearest(text, named.iter().map(|(name, _)| *name))?;
        let found = named.iter().find(|(known, _)| *known == name);
        found.map(|(_, label)| *label)
    }

    /// Shows what was chosen: of what excludes one another the last, anything else on or off.
    fn tick(&mut self, choice: &Choice) {
        for entry in &mut self.entries {
            let before = entry.ticked.unwrap_or_default();
            let ticked = match &entry.choice {
                same if same == choice => !before || matches!(choice, Choice::SuiteSort(_)),
                other => before && !other.excludes(choice),
            };
            entry.ticked = Some(ticked);
        }
    }
}

impl Screen for Picker {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Picker
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        let types = matches!(action, Action::Type(_) | Action::Paste(_));
        if self.edit(&action, cx) || types {
            return;
        }
        let shown = Unmarked(self.shown.len());
        let Did::Nothing(action) = self.list.update(action, &shown, cx) else {
            return;
        };
        match action {
            Action::Back => cx.close(Layer::Picker),
            Action::NextField => self.complete(),
            Action::Toggle
                if matches!(
                    self.kind,
                    PickerKind::Palette
                        | PickerKind::Drafts
                        | PickerKind::Export
                        | PickerKind::Versions
                        | PickerKind::Views
                ) =>
            {
                self.edit(&Action::Paste(" ".into()), cx);
            }
            Action::Toggle => self.choose(true, cx),
            Action::Open => self.choose(false, cx),
            _ => {}
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::Toggle => self.current().is_some_and(|it| it.ticked.is_some()),
            Action::Open => self.kind == PickerKind::Palette || self.current().is_some(),
            Action::NextField | Action::Move(_) => self.current().is_some(),
            _ => true,
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.list)
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        let theme = context.theme;
        let title = match self.kind {
            PickerKind::Sort => "Sort by (again: reversed)",
            PickerKind::Facets => "Filter by (again: off)",
            PickerKind::Configurations => "Configurations",
            PickerKind::Versions => "Versions",
            PickerKind::Drafts => "Drafts",
            PickerKind::Export => "Export all runs of the view as",
            PickerKind::Views => "Tabs",
            PickerKind::Palette => "Commands",
        };
        // As high as all its entries, however few of them match.
        let rows = u16::try_from(self.entries.len()).unwrap_or(u16::MAX);
        let rows = rows.clamp(4, 16);
        let is_run = |entry: &&Entry| matches!(entry.choice, Choice::Run(_));
        let all = self.entries.iter().filter(|entry| !is_run(entry)).count();
        let drafts = self.kind == PickerKind::Drafts;
        let columns = area.width.min(if drafts { 110 } else { 72 });
        let width = usize::from(columns).saturating_sub(4);
        let detail = if drafts { 0 } else { (width / 3).min(30) };
        let when = |entry: &Entry| match entry.choice {
            Choice::Draft { at, .. } => context.now.when(at),
            _ => String::new(),
        };
        let times = self
            .entries
            .iter()
            .map(|entry| text::width(&when(entry)))
            .max()
            .unwrap_or(0);
        let row = |place: usize, _: usize| {
            let entry = &self.entries[self.shown[place]];
            let tick = match entry.ticked {
                Some(true) => "[x] ",
                Some(false) => "[ ] ",
                None => "",
            };
            let time = if times > 0 {
                format!("{}  ", text::pad(&when(entry), times))
            } else {
                String::new()
            };
            let label = text::pad(&format!("{tick}{time}{}", entry.label), width - detail);
            let refused = matches!(&entry.choice, Choice::Do(action) if context.refuses(action));
            let (style, said) = if refused {
                (theme.refused(), READ_ONLY)
            } else {
                (theme.text(), entry.detail.as_str())
            };
            vec![
                Span::raw(" "),
                Span::styled(label, style),
                Span::styled(text::pad_left(said, detail), theme.muted()),
                Span::raw(" "),
            ]
        };
        let foot = match &self.problem {
            Some(problem) => menu::line(&text::fit(problem, width), theme.bad()),
            None if self.shown.is_empty() => {
                let words = match self.typed_command() {
                    Some(Ok(choice)) => commands::will(&choice, self.run.as_deref()),
                    Some(Err(problem)) => problem,
                    None => "nothing matches: Backspace widens".to_owned(),
                };
                menu::line(&text::fit(&words, width), theme.warn())
            }
            None => {
                let verb = self
                    .current()
                    .and_then(|entry| commands::verb_of(&entry.label));
                let verb = verb.filter(|_| self.kind == PickerKind::Palette);
                let words = verb.map_or_else(
                    || "type to narrow".to_owned(),
                    |(verb, _)| format!("{} {}: {}", verb.name, verb.argument, verb.help),
                );
                menu::line(&words, theme.muted())
            }
        };
        let menu = Menu {
            of: Layer::Picker,
            title,
            right: &format!("{} of {}", self.shown.len(), all.max(self.shown.len())),
            size: (columns, Tall::Rows(rows)),
            search: Some((" > ", &self.list.search.words)),
            above: Vec::new(),
            len: self.shown.len(),
            none: None,
            whole: (Vec::new(), 0),
            foot: Some(foot),
        };
        menu.draw(&self.list, row, theme, area, buffer, layout);
    }
}

const OWN: &[Binding] = &[
    binding(
        &["Space"],
        "toggle",
        Heading::Tool,
        "tick and stay",
        Action::Toggle,
    ),
    binding(
        &["Tab"],
        "next-field",
        Heading::Tool,
        "complete the text",
        Action::NextField,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::Picker,
    title: "a list of choices",
    short: "choices",
    groups: &[ARROWS, PAGES, TAKE, OWN, EVERYWHERE],
    hints: &[
        Hint::of(&[Action::Open], "take"),
        Hint::of(&[Action::Toggle], "tick"),
        Hint::of(&[Action::NextField], "complete"),
        Hint::of(
            &[Action::Move(Motion::Up), Action::Move(Motion::Down)],
            "move",
        ),
        Hint::of(&[Action::Back], "close"),
    ],
    types: true,
};
