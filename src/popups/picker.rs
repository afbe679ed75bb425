//! A list to choose from, narrowed by typing: sort fields, facets, commands.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::domain::fields::{SORTED, named};
use crate::domain::{DocumentName, View, is_run_id, nearest, project_id, subproject_id};
use crate::keymap::place::{Binding, Place, binding};
use crate::screens::Screen;
use crate::screens::keys::{ARROWS, EVERYWHERE, PAGES, TAKE};
use crate::store::cx::Cx;
use crate::store::key_table::{Heading, Hint, KeyTable};
use crate::store::layer::Layer;
use crate::store::message::{Action, Choice, Entry, Motion, PickerKind};
use crate::store::shared::Shared;
use crate::ui::layout::Layout;
use crate::ui::list::{Scroll, matching};
use crate::ui::text_input::Input;
use crate::ui::theme::BuiltIn;
use crate::ui::{Context, READ_ONLY, frame, text};

/// State of a picker.
#[derive(Clone, Debug, PartialEq)]
pub struct Picker {
    /// Which one.
    pub kind: PickerKind,
    /// The text that narrows the list.
    pub text: Input,
    pub entries: Vec<Entry>,
    /// Places of the entries that match the text, best first.
    pub shown: Vec<usize>,
    /// Cursor in `shown`.
    pub scroll: Scroll,
    /// What is wrong with the text.
    pub problem: Option<String>,
    /// Something was ticked: Enter only closes.
    pub ticked: bool,
}

impl Picker {
    /// A picker with all entries shown.
    pub fn new(kind: PickerKind, entries: Vec<Entry>) -> Self {
        let shown = (0..entries.len()).collect();
        Self {
            kind,
            text: Input::default(),
            entries,
            shown,
            scroll: Scroll::default(),
            problem: None,
            ticked: false,
        }
    }

    /// The entry under the cursor.
    pub fn current(&self) -> Option<&Entry> {
        self.entries
            .get(*self.shown.get(self.scroll.cursor as usize)?)
    }

    /// Moves the cursor.
    fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.shown.len() as u64);
    }

    /// Narrows the list to the text: every word, best first, case and accents do not matter.
    fn narrow(&mut self) {
        self.problem = None;
        let text = self.text.text().trim();
        self.shown = if text.is_empty() {
            (0..self.entries.len()).collect()
        } else {
            let searched: Vec<String> = self
                .entries
                .iter()
                .map(|entry| format!("{} {}", entry.label, also(&entry.choice)))
                .collect();
            matching(text, searched.iter().map(String::as_str))
        };
        // What begins with the text comes before what only holds its letters.
        let begins = |place: &usize| {
            !self.entries[*place]
                .label
                .to_lowercase()
                .starts_with(&text.to_lowercase())
        };
        self.shown.sort_by_key(begins);
        self.scroll = Scroll {
            cursor: 0,
            top: 0,
            ..self.scroll
        };
    }

    /// Puts the label of the entry under the cursor into the text.
    fn complete(&mut self) {
        if let Some(label) = self.current().map(|entry| entry.label.clone()) {
            self.text = Input::with_text(&label);
            self.narrow();
        }
    }
}

/// Other words that a command is looked for by.
fn also(choice: &Choice) -> &'static str {
    match choice {
        Choice::Do(Action::SignIn) => "login",
        Choice::Do(Action::Refresh) => "refresh try again",
        Choice::Do(Action::Facets) => "facets",
        Choice::Do(Action::Filter) => "search filter",
        Choice::Do(Action::Show(Layer::Journal)) => "journal of writes",
        Choice::Do(Action::Show(Layer::Errors)) => "errors",
        Choice::Do(Action::Show(Layer::Available)) => "available",
        Choice::Do(Action::Show(Layer::Attached)) => "attached",
        Choice::Do(Action::Changes) => "feed",
        Choice::Do(Action::Probe) => "probe",
        _ => "",
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
        let typed = self.text.text().trim().to_owned();
        if !stay && self.ticked && typed.is_empty() {
            return cx.close(Layer::Picker);
        }
        self.ticked |= stay;
        let Some(choice) = self.meant(&typed, &cx.shared) else {
            return;
        };
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
    fn meant(&mut self, typed: &str, shared: &Shared) -> Option<Choice> {
        let parsed =
            (self.kind == PickerKind::Palette && !typed.is_empty()).then(|| parse_command(typed));
        let known = |name: &str| shared.views().iter().any(|view| view.is(name));
        Some(match (parsed, self.current()) {
            // A command that is written out is meant as it is written.
            (Some(Ok(Choice::Do(action))), _) => Choice::Do(action),
            (
                Some(Ok(choice @ (Choice::Project(..) | Choice::Run(_) | Choice::Suites { .. }))),
                _,
            ) => choice,
            // A part of a name is completed; any other command is not what was meant.
            (Some(Ok(choice)), entry) if choice.view().is_some() => {
                let completed = entry.map(|entry| &entry.choice);
                let completed = completed
                    .filter(|entry| entry.view().is_some() && !choice.view().is_some_and(known));
                completed.cloned().unwrap_or(choice)
            }
            (Some(Ok(Choice::Profile(name))), _)
                if shared.profiles.iter().any(|known| known.name == name) =>
            {
                Choice::Profile(name)
            }
            (_, Some(entry)) => entry.choice.clone(),
            (Some(Ok(choice)), None) => choice,
            (Some(Err(problem)), None) => {
                let labels = self.entries.iter().map(|entry| entry.label.as_str());
                let meant = nearest(typed, labels).map(|label| format!("; {label}?"));
                self.problem = Some(format!("{problem}{}", meant.unwrap_or_default()));
                return None;
            }
            (None, None) => return None,
        })
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

/// What a typed command means that no entry stands for: `project P_9 [SP_1]`, `profile NAME`, `add S_22 S_23`.
fn parse_command(text: &str) -> Result<Choice, String> {
    if let Some((verb @ ("view" | "monitor"), name)) = text.trim().split_once(char::is_whitespace) {
        let name = name.trim().to_owned();
        return Ok(if verb == "view" {
            Choice::View(name)
        } else {
            Choice::Watch(name)
        });
    }
    let mut words = text.split_whitespace();
    if let (Some(verb @ ("add" | "remove")), names) = (words.next(), words.clone())
        && names.clone().next().is_some()
    {
        let name = |word| DocumentName::suite(word).map_err(|why| format!("{word:?}: {why}"));
        let names = names.map(name).collect::<Result<_, _>>()?;
        let adds = verb == "add";
        return Ok(Choice::Suites { adds, names });
    }
    let mut words = text.split_whitespace();
    let (verb, first, second, more) = (words.next(), words.next(), words.next(), words.next());
    match (verb, first, second, more) {
        (Some("q" | "quit" | "exit"), None, ..) => Ok(Choice::Do(Action::Quit)),
        (Some("profile"), Some(name), None, None) => Ok(Choice::Profile(name.to_owned())),
        (Some("project"), Some(project), subproject, None) => {
            project_id(project).map_err(|problem| format!("{project:?}: {problem}"))?;
            if let Some(subproject) = subproject {
                subproject_id(subproject)
                    .map_err(|problem| format!("{subproject:?}: {problem}"))?;
            }
            Ok(Choice::Project(
                project.to_owned(),
                subproject.map(str::to_owned),
            ))
        }
        (Some("probe"), None, ..) => Ok(Choice::Do(Action::Probe)),
        (Some("w" | "write" | "save"), None, ..) => Ok(Choice::Do(Action::Save)),
        (Some(id), None, ..) if is_run_id(id) => Ok(Choice::Run(id.to_owned())),
        _ => Err(format!("no such command: {text}")),
    }
}

/// The commands that work here, and what else can be gone to. `projects` are those of the rows that were seen.
pub fn palette(
    table: Option<&KeyTable>,
    shared: &Shared,
    projects: &BTreeSet<(String, Option<String>)>,
) -> Vec<Entry> {
    let mut seen = BTreeSet::new();
    let commands = table
        .into_iter()
        .flat_map(|table| &table.commands)
        .filter(|command| command.heading != Heading::Move || command.keys.is_empty())
        .filter(|command| seen.insert(command.label));
    let commands = commands.map(|command| Entry {
        label: command.label.to_owned(),
        detail: command.keys.join(" "),
        ticked: None,
        choice: Choice::Do(command.action.clone()),
    });
    let mut entries: Vec<Entry> = commands.collect();
    let other = |label: String, choice| Entry {
        label,
        detail: String::new(),
        ticked: None,
        choice,
    };
    if table.is_some_and(|table| table.layer == Layer::Runs) {
        let fields = SORTED.into_iter().filter_map(named);
        entries.extend(fields.map(|field| {
            let label = format!("sort {}", field.label.to_lowercase());
            other(label, Choice::Sort(field.name))
        }));
    }
    entries.extend(
        BuiltIn::ALL
            .into_iter()
            .map(|(_, name)| name)
            .chain(["auto"])
            .map(|name| other(format!("theme {name}"), Choice::Theme(name))),
    );
    entries.extend(shared.profiles.iter().map(|profile| Entry {
        label: format!("profile {}", profile.name),
        detail: if profile.read_only {
            "read-only".into()
        } else {
            profile.project.clone()
        },
        ticked: None,
        choice: Choice::Profile(profile.name.clone()),
    }));
    let of = |verb: &str, view: &View, choice| other(format!("{verb} {}", view.name), choice);
    let listed = shared.tabs();
    entries.extend(
        listed
            .iter()
            .map(|view| of("view", view, Choice::View(view.name.clone()))),
    );
    let watched = shared.views();
    entries.extend(
        watched
            .iter()
            .map(|view| of("monitor", view, Choice::Watch(view.name.clone()))),
    );
    entries.extend(
        known_projects(shared, projects)
            .into_iter()
            .map(|(project, subproject)| Entry {
                label: format!(
                    "project {project}{}",
                    subproject
                        .as_ref()
                        .map(|sub| format!(" {sub}"))
                        .unwrap_or_default()
                ),
                detail: String::new(),
                ticked: None,
                choice: Choice::Project(project, subproject),
            }),
    );
    entries
}

/// Projects of the profiles and of the rows that were seen.
fn known_projects(
    shared: &Shared,
    seen: &BTreeSet<(String, Option<String>)>,
) -> BTreeSet<(String, Option<String>)> {
    let profiles = shared
        .profiles
        .iter()
        .map(|profile| (profile.project.clone(), profile.subproject.clone()));
    let session = shared
        .session
        .iter()
        .map(|session| (session.project.clone(), session.subproject.clone()));
    let seen = seen.iter().cloned();
    profiles.chain(session).chain(seen).take(5_000).collect()
}

impl Screen for Picker {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Picker
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Move(motion) => self.go(motion),
            Action::Back => cx.close(Layer::Picker),
            Action::NextField => self.complete(),
            Action::Type(key) if self.text.key(key) => self.narrow(),
            Action::Paste(text) if self.text.paste(&text) => self.narrow(),
            Action::Toggle
                if matches!(
                    self.kind,
                    PickerKind::Palette | PickerKind::Drafts | PickerKind::Export
                ) =>
            {
                self.text.paste(" ");
                self.narrow();
            }
            Action::Toggle => self.choose(true, cx),
            Action::Open => self.choose(false, cx),
            _ => {}
        }
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let len = self.shown.len() as u64;
        layout
            .picker
            .is_some_and(|height| self.scroll.set_height(height, len))
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        draw(context, self, area, buffer, layout);
    }
}

/// Draws a picker: its text, its entries, and what is wrong.
fn draw(
    context: Context<'_>,
    picker: &Picker,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = context.theme;
    let title = match picker.kind {
        PickerKind::Sort => "Sort by (again: reversed)",
        PickerKind::Facets => "Filter by (again: off)",
        PickerKind::Configurations => "Configurations: Space ticks",
        PickerKind::Drafts => "Drafts: Enter opens the form",
        PickerKind::Export => "Export all runs of the view as",
        PickerKind::Palette => "Commands",
    };
    let height = (picker.entries.len() as u16).saturating_add(4).clamp(8, 20);
    let count = format!("{} of {}", picker.shown.len(), picker.entries.len());
    let drafts = picker.kind == PickerKind::Drafts;
    let size = (if drafts { 110 } else { 72 }, height);
    let inside = frame::popup(buffer, area, size, title, &count, theme);
    frame::line(buffer, inside, 0, vec![Span::styled(" > ", theme.accent())]);
    let field = Rect {
        x: inside.x + 3,
        width: inside.width.saturating_sub(4),
        height: 1,
        ..inside
    };
    frame::field(buffer, field, &picker.text, true, theme);
    let list = Rect {
        y: inside.y + 1,
        height: inside.height.saturating_sub(2),
        ..inside
    };
    layout.picker = Some(list.height);
    let width = usize::from(list.width).saturating_sub(2);
    let detail = if drafts { 0 } else { (width / 3).min(30) };
    let when = |entry: &Entry| match entry.choice {
        Choice::Draft { at, .. } => context.now.when(at),
        _ => String::new(),
    };
    let times = picker
        .entries
        .iter()
        .map(|entry| text::width(&when(entry)))
        .max()
        .unwrap_or(0);
    for (row, index) in picker.scroll.visible(list.height).enumerate() {
        let Some(entry) = picker
            .shown
            .get(index)
            .and_then(|place| picker.entries.get(*place))
        else {
            break;
        };
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
        let spans = vec![
            Span::raw(" "),
            Span::styled(label, style),
            Span::styled(text::pad_left(said, detail), theme.muted()),
            Span::raw(" "),
        ];
        frame::line(buffer, list, row as u16, spans);
        frame::cursor(
            buffer,
            list,
            row as u16,
            index as u64 == picker.scroll.cursor,
            theme,
        );
    }
    let foot = match &picker.problem {
        Some(problem) => Span::styled(format!(" {}", text::fit(problem, width)), theme.bad()),
        None if picker.shown.is_empty() => {
            Span::styled(" nothing matches: Backspace widens", theme.warn())
        }
        None => Span::styled(" type to narrow", theme.muted()),
    };
    frame::line(buffer, inside, inside.height - 1, vec![foot]);
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
