//! List of choices, narrowed by typing: sort fields, facets, commands.

use super::commands;
use crate::domain::{fields, nearest};
use crate::screens::keys::{ARROWS, ENDS, PAGES, TAKE};
use crate::screens::prelude::*;
use crate::store::{Entry, PickerKind};
use crate::ui::list::matching;

/// State of a picker.
#[derive(Clone, Debug, PartialEq)]
pub struct Picker {
    title: &'static str,
    pub kind: PickerKind,
    pub entries: Vec<Entry>,
    /// Places of the entries that match the text, best first.
    pub shown: Vec<usize>,
    /// List of `shown`.
    pub list: List,
    /// Message about the tick that the last one removed.
    replaced: Option<String>,
    /// A tick was set or removed: the ticks count, not the cursor.
    touched: bool,
    /// Number of entries without the typed command.
    known: usize,
    /// Name of the current run.
    run: Option<String>,
    /// Place of the commands.
    over: Layer,
}

impl Picker {
    /// Creates a picker that shows all entries.
    pub fn new(title: &'static str, kind: PickerKind, mut entries: Vec<Entry>) -> Self {
        // Entries in force are first, but not among commands.
        if kind != PickerKind::Palette {
            entries.sort_by_key(|entry| !entry.in_force());
        }
        let mut picker = Self {
            title,
            kind,
            shown: Vec::new(),
            list: List::typing(),
            replaced: None,
            touched: false,
            known: entries.len(),
            entries,
            run: None,
            over: Layer::Picker,
        };
        picker.narrow();
        picker
    }

    /// Creates the palette: commands of this place, and the current run.
    pub fn palette(over: Layer, entries: Vec<Entry>, run: Option<String>) -> Self {
        Self {
            run,
            over,
            ..Self::new("Commands", PickerKind::Palette, entries)
        }
    }

    /// Returns the entry under the cursor.
    pub fn current(&self) -> Option<&Entry> {
        self.entries.get(*self.shown.get(self.list.scroll.cursor)?)
    }

    /// Narrows the list to the text: every word must match, best first, case and accents do not matter. A command that
    /// is typed is in the list, too.
    fn narrow(&mut self) {
        self.replaced = None;
        self.entries.truncate(self.known);
        let text = self.list.search.text().trim();
        self.shown = if text.is_empty() {
            (0..self.entries.len()).collect()
        } else {
            let searched: Vec<String> = self
                .entries
                .iter()
                .map(|entry| format!("{} {}", entry.label, entry.names.join(" ")))
                .collect();
            matching(text, searched.iter().map(String::as_str))
        };
        // Thousands of runs are possible: they are listed only after the beginning of an id.
        let ids = text
            .get(..2)
            .is_some_and(|begin| begin.eq_ignore_ascii_case("R_"));
        let first = self.tells_what_is_in_force();
        let entries = &self.entries;
        self.shown
            .retain(|place| ids || !matches!(entries[*place].choice, Choice::Run(_)));
        // Exact matches first, also of a value, then entries that begin with the text, then those that contain its
        // words; of equal ones those in force first.
        let text = text.to_lowercase();
        self.shown.sort_by_key(|place| {
            let label = entries[*place].label.to_lowercase();
            let begins = label.starts_with(&text);
            let is_it = label == text || label.split_once(": ").is_some_and(|it| it.1 == text);
            (!is_it, !begins, first && !entries[*place].in_force())
        });
        let first = self.shown.first().map(|place| &self.entries[*place].choice);
        // Enter takes the row under the cursor: a command that counts as it is typed is the first.
        if let Some(typed) = self.typed_entry()
            && (first.is_none() || self.kind == PickerKind::Palette && !typed.begins())
            && first != Some(&typed.choice)
        {
            self.shown.insert(0, self.entries.len());
            self.entries.push(typed);
        }
        self.list.scroll.rewind();
    }

    /// Returns the entry for a typed command, or for the argument of the one that an entry starts.
    fn typed_entry(&self) -> Option<Entry> {
        let typed = self.list.search.text().trim();
        let starts = |entry: &Entry| match entry.choice {
            Choice::Begin(verb) => Some(verb),
            _ => None,
        };
        match self.kind {
            PickerKind::Palette => commands::typed_entry(typed),
            _ => commands::argument_entry(self.entries.iter().find_map(starts)?, typed),
        }
    }

    /// Returns true if the cursor is on the typed command.
    fn is_typed(&self) -> bool {
        self.shown.get(self.list.scroll.cursor) == Some(&self.known)
    }

    /// Returns the line below the entries.
    fn foot(&self, context: Context<'_>) -> (String, Style) {
        let theme = context.theme;
        // A day ends with its last minute.
        let moment = |choice: &Choice| match choice {
            Choice::Since(Some(at)) => format!(": {}", context.now.when(at - 1)),
            _ => String::new(),
        };
        match &self.replaced {
            _ if self.shown.is_empty() || self.is_typed() => {
                let nothing = "nothing matches: Backspace widens";
                let typed = match (self.typed_command(), self.current()) {
                    (Some(typed), _) => Some(typed.and_then(|typed| {
                        let kept = &context.cx.shared.kept_views;
                        let will = match &typed {
                            Choice::KeepView(name) if kept.iter().any(|it| it.is(name)) => {
                                format!("the tab {name} becomes what the list shows")
                            }
                            typed => commands::will(typed, self.run.as_deref()),
                        };
                        let checked = commands::checked(typed, context.cx);
                        checked.map(|choice| will + &moment(&choice))
                    })),
                    (None, Some(entry)) => {
                        let checked = commands::checked(entry.choice.clone(), context.cx);
                        Some(checked.map(|choice| "Enter takes it".to_owned() + &moment(&choice)))
                    }
                    (None, None) => None,
                };
                let words = match typed {
                    Some(Ok(words) | Err(words)) => words,
                    None if self.kind.has_ticks() => format!("{nothing}   {}", self.ticks()),
                    None if self.kind == PickerKind::Palette => {
                        let typed = self.list.search.text().trim();
                        commands::elsewhere(typed, &context.cx.shared)
                            .unwrap_or_else(|| nothing.to_owned())
                    }
                    None => nothing.to_owned(),
                };
                (words, theme.warn())
            }
            Some(replaced) => (replaced.clone(), theme.warn()),
            None if !self.ticked().is_empty() && self.kind.has_ticks() => {
                (self.ticks(), theme.muted())
            }
            None => {
                let current = self.current().filter(|_| self.kind == PickerKind::Palette);
                let verb = current.and_then(|entry| commands::verb_of(&entry.label));
                let words = verb.map_or_else(
                    || "type to narrow".to_owned(),
                    |(verb, _)| format!("{} {}: {}", verb.name, verb.argument, verb.help),
                );
                (words, theme.muted())
            }
        }
    }

    /// Returns true if entries in force are first: of commands only with an argument.
    fn tells_what_is_in_force(&self) -> bool {
        self.kind != PickerKind::Palette || commands::verb_of(self.list.search.text()).is_some()
    }

    /// Replaces the text by the entry under the cursor.
    fn complete(&mut self) {
        let begun = self.list.search.text().trim().to_lowercase();
        let goes_on = |entry: &&Entry| entry.label.to_lowercase().starts_with(&begun);
        // What is typed is completed to what goes on from it.
        let behind = self.shown.iter().skip(1).map(|it| &self.entries[*it]);
        let behind = behind.filter(|_| self.is_typed()).find(goes_on);
        let Some(entry) = behind.or(self.current()) else {
            return;
        };
        let text = match entry.choice {
            Choice::Begin(_) if self.is_typed() => return,
            Choice::Begin(verb) => format!("{verb} "),
            _ => entry.label.clone(),
        };
        self.begin(&text);
    }

    /// Sets the text.
    pub fn begin(&mut self, text: &str) {
        self.list.search.words = Input::with_text(text);
        self.narrow();
    }

    /// Handles a key of the text; true if the text has changed. In the palette, Up from the first entry recalls earlier
    /// texts, and Down leads back to the entries.
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
    /// Returns the theme under the cursor, for its preview.
    pub fn theme(&self) -> Option<&'static str> {
        match self.current()?.choice {
            Choice::Theme(name) => Some(name),
            _ => None,
        }
    }

    /// Takes the ticks if one was changed; else the entry under the cursor, in place of other values of its field,
    /// without an effect if it is in force.
    fn choose(&mut self, cx: &mut Cx) {
        if self.touched && self.shown.is_empty() {
            return cx.say("nothing matches: Backspace shows what is ticked");
        }
        if self.touched {
            return take(Choice::Ticked(self.ticked()), cx);
        }
        let typed = self.list.search.text().trim().to_owned();
        let Some(meant) = self.meant(&typed, &cx.shared) else {
            return;
        };
        let choice = match meant.and_then(|choice| commands::checked(choice, cx)) {
            Ok(choice) => choice,
            Err(mistake) => return cx.say(mistake),
        };
        // A command that replaces or deletes a kept view must be completed first, unless the cursor was moved to it.
        let named = self.moved() || commands::verb_of(&typed).is_some();
        match choice {
            Choice::Begin(_) if self.kind == PickerKind::Palette => return self.complete(),
            Choice::KeepView(_) | Choice::DropView(_) if !named => return self.complete(),
            _ => {}
        }
        let current = self.current().filter(|entry| entry.choice == choice);
        if self.kind == PickerKind::Palette {
            let text = current
                .filter(|entry| commands::verb_of(&entry.label).is_some())
                .map_or(typed.as_str(), |entry| &entry.label);
            cx.shared.commands.keep(text);
        }
        // The profile in use connects anew where its sign-in is sent no more by itself.
        let connects = matches!(choice, Choice::Profile(_)) && cx.shared.sign_in_paused;
        let current = current.filter(|entry| entry.in_force() && !connects);
        if let Some(entry) = current {
            cx.say(format!("{}: as it is already", entry.label));
            return cx.close(Layer::Picker);
        }
        if self.kind.has_ticks() {
            let mut taken = self.ticked();
            taken.retain(|ticked| !ticked.is_of_field(&choice));
            taken.push(choice);
            return take(Choice::Ticked(taken), cx);
        }
        take(choice, cx);
    }

    /// Returns the ticked entries, hidden ones included.
    fn ticked(&self) -> Vec<Choice> {
        self.entries
            .iter()
            .filter(|entry| entry.in_force())
            .map(|entry| entry.choice.clone())
            .collect()
    }

    /// Returns the choice under the cursor, or the mistake of a typed command.
    fn meant(&self, typed: &str, shared: &Shared) -> Option<Result<Choice, String>> {
        let palette = self.kind == PickerKind::Palette;
        let current = || self.current().map(|entry| Ok(entry.choice.clone()));
        let unknown = || {
            let meant = self.nearest(typed);
            let meant = meant.map_or(String::new(), |meant| format!(": {meant}?"));
            let none = || format!("there is no command {typed}{meant}");
            Err(commands::elsewhere(typed, shared).unwrap_or_else(none))
        };
        self.typed_command()
            .or_else(current)
            .or_else(|| (palette && !typed.is_empty()).then(unknown))
    }

    /// Returns the choice of the typed command, or its mistake, if the cursor is on no other row.
    fn typed_command(&self) -> Option<Result<Choice, String>> {
        let text = self.list.search.text();
        let begun = commands::verb_of(text).filter(|(_, argument)| argument.is_empty());
        let is_begun =
            |entry: &Entry| begun.is_some_and(|(verb, _)| entry.choice == Choice::Begin(verb.name));
        let is_it = self.is_typed() || self.current().is_none_or(is_begun);
        commands::read(text).filter(|_| is_it && self.kind == PickerKind::Palette)
    }

    /// Returns true if the cursor is not on the first entry, where typing puts it.
    fn moved(&self) -> bool {
        self.list.scroll.cursor > 0
    }

    /// Returns the command whose name, or other name, is nearest to a text.
    fn nearest(&self, text: &str) -> Option<&str> {
        let mut entries = self.entries.iter();
        let names = entries
            .clone()
            .flat_map(|entry| entry.names.iter().copied().chain([&*entry.label]));
        let name = nearest(text, names)?;
        let is_it = |entry: &&Entry| entry.label == name || entry.names.contains(&name);
        entries.find(is_it).map(|entry| &*entry.label)
    }

    /// Toggles the tick of the entry under the cursor; entries that it excludes lose theirs.
    fn tick(&mut self) {
        let Some(choice) = self.current().map(|entry| entry.choice.clone()) else {
            return;
        };
        self.touched = true;
        self.replaced = None;
        for entry in &mut self.entries {
            let before = entry.in_force();
            let same = entry.choice == choice;
            let stays = same || !entry.choice.excludes(&choice);
            entry.ticked = Some(before != same && stays);
            if let (true, false, Choice::Facet(path, value)) = (before, stays, &entry.choice) {
                let field = fields::label(path);
                let value = text::fit(value, 20);
                self.replaced = Some(format!("{value} goes: one value of {field} at a time"));
            }
        }
    }

    /// Returns true if the first row, under the cursor, continues after the word just typed: Space is a blank then.
    fn goes_on(&self) -> bool {
        let text = self.list.search.text().to_lowercase();
        let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
        let first = self.current().filter(|_| !self.moved());
        let label = first.map(|entry| entry.label.to_lowercase());
        let behind = label.as_deref().and_then(|label| label.split_once(word));
        !word.is_empty() && behind.is_some_and(|(_, rest)| rest.contains(' '))
    }

    /// Returns how many are ticked, and how many of them do not match the text.
    fn ticks(&self) -> String {
        let ticked = self.ticked().len();
        let seen = self
            .shown
            .iter()
            .filter(|place| self.entries[**place].in_force());
        match ticked - seen.count() {
            0 => format!("{ticked} ticked"),
            hidden => format!("{ticked} ticked, {hidden} of them hidden"),
        }
    }
}

fn take(choice: Choice, cx: &mut Cx) {
    cx.close(Layer::Picker);
    cx.chosen(choice);
}

impl Screen for Picker {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let action = self.list.search.words.or_of_rows(action);
        if let Some(words) = self.list.search.words.refusal(&action) {
            return cx.complain(words);
        }
        let types = matches!(action, Action::Type(_) | Action::Paste(_));
        if self.edit(&action, cx) || types {
            return;
        }
        let shown = Unmarked(self.shown.len());
        let Some(action) = self.list.update(action, &shown, cx) else {
            return;
        };
        match action {
            Action::Back => {
                if self.touched {
                    cx.say("nothing was changed");
                }
                cx.close(Layer::Picker);
            }
            Action::NextField => self.complete(),
            Action::PointCell(row, _) => {
                self.list.scroll.point(row, self.shown.len());
                self.tick();
            }
            Action::Toggle if self.kind.has_ticks() && !self.goes_on() => self.tick(),
            Action::Toggle => {
                self.edit(&Action::Paste(" ".into()), cx);
            }
            Action::Open => self.choose(cx),
            _ => {}
        }
    }

    fn hints(&self, _: &Shared) -> Option<&'static [Hint]> {
        (self.kind.has_ticks() && self.goes_on()).then_some(&GOING_ON)
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        let here = self.current().is_some();
        match action {
            Action::Toggle => self.kind.has_ticks() && here,
            Action::Open => self.touched || here || self.typed_command().is_some(),
            Action::NextField | Action::Move(_) => here,
            _ => true,
        }
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.list)
    }
}

impl Draw for Picker {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let theme = context.theme;
        // High enough for all its entries, however few match.
        let rows = u16::try_from(self.entries.len())
            .unwrap_or(u16::MAX)
            .clamp(4, 16);
        let is_run = |entry: &&Entry| matches!(entry.choice, Choice::Run(_));
        let known = &self.entries[..self.known];
        let all = known.iter().filter(|entry| !is_run(entry)).count();
        let drafts = self.kind == PickerKind::Drafts;
        let columns = area.width.min(if drafts { 110 } else { 72 });
        let width = usize::from(columns).saturating_sub(4);
        let when = |entry: &Entry| match entry.choice {
            Choice::Draft { at, .. } => context.now.when(at),
            _ => String::new(),
        };
        let times = text::widest(self.entries.iter().map(when));
        let refused = |entry: &Entry| match &entry.choice {
            Choice::Do(action) => context.refuses(self.over, action),
            choice => commands::refuses(choice, &context.cx.shared),
        };
        let most = (width / 3).min(30);
        let said = |entry| text::fit(refused(entry).unwrap_or(&entry.detail), most);
        let tells = self.tells_what_is_in_force();
        let mut shown = self.shown.iter().map(|place| &self.entries[*place]);
        let ticks = self.kind.has_ticks() || tells && shown.any(Entry::in_force);
        let cells = vec![
            Column::plain(3).only_if(ticks),
            Column::plain(times).only_if(times > 0),
            Column::fill().behind(if times > 0 { 2 } else { 1 }),
        ];
        let table = Table::lay_out(cells, width + 1);
        let row = |place: usize| {
            let entry = &self.entries[self.shown[place]];
            let tick = match entry.in_force() {
                true => "[x]",
                false if self.kind.has_ticks() => "[ ]",
                false => "",
            };
            let style = if refused(entry).is_some() {
                theme.refused()
            } else {
                theme.text()
            };
            let said = said(entry);
            let room = table.width(2).saturating_sub(text::width(&said));
            let label = text::fit(&entry.label, room.saturating_sub(1));
            let label = Span::styled(text::pad(&label, room), style);
            table.row([
                Cell::text(tick, style),
                Cell::text(when(entry), style),
                Cell::Spans(vec![label, Span::styled(said, theme.muted())]),
            ])
        };
        let (foot, style) = self.foot(context);
        let menu = Menu {
            right: &format!("{} of {}", self.shown.len(), all.max(self.shown.len())),
            ticks: self.kind.has_ticks(),
            tall: Tall::Rows(rows),
            search: Some((" > ", &self.list.search.words)),
            foot: Some(frame::said(&text::fit(&foot, width), style)),
            ..Menu::new(Layer::Picker, self.title, columns, self.shown.len())
        };
        menu.draw(&self.list.scroll, row, on, area);
    }
}

const OWN: &[Binding] = &[
    Heading::Tool.row(
        &["Space"],
        "toggle",
        "tick several, or take a tick off",
        Action::Toggle,
    ),
    Heading::Tool.row(
        &["Tab"],
        "next-field",
        "complete the text",
        Action::NextField,
    ),
];

/// Hints while the first Space is a blank in the text.
const GOING_ON: [Hint; 5] = [
    TAKES,
    Hint::of(&[Action::Toggle], "twice ticks"),
    COMPLETES,
    MOVES,
    CLOSES,
];

const TAKES: Hint = Hint::of(&[Action::Open], "take");
const COMPLETES: Hint = Hint::of(&[Action::NextField], "complete");

pub const PLACE: Place = Place {
    layer: Layer::Picker,
    title: "a list of choices",
    groups: &[&[ARROWS, ENDS, PAGES, TAKE, OWN, EVERYWHERE]],
    hints: &[
        TAKES,
        Hint::of(&[Action::Toggle], "tick"),
        COMPLETES,
        MOVES,
        CLOSES,
    ],
    types: true,
};
