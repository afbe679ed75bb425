//! Menu of copies of runs or suites, or of a screen: a letter chooses at once.

use crate::domain::run_text;
use crate::screens::keys::{ARROWS, ENDS, LETTERED, PAGES, copies};
use crate::screens::prelude::*;
use crate::store::key_table::Heading::Run;
use crate::store::{Command, CopyOf, CopyTo, CopyWhat};
use crate::ui::menu::{self, Lettered};

/// State of the menu.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyMenu {
    of: CopyOf,
    /// The user marked them.
    marked: bool,
    scroll: Scroll,
}

impl CopyMenu {
    pub fn new(of: CopyOf, marked: bool) -> Self {
        Self {
            of,
            marked,
            scroll: Scroll::default(),
        }
    }

    /// Returns its lines: key, name, and the text if it is short. A web address needs runs and a setting.
    fn lines<'a>(&self, shared: &'a Shared) -> Vec<Lettered<'a>> {
        let of_one = self.of.count() == 1;
        let has_web = matches!(self.of, CopyOf::Runs(_)) && shared.web_url().is_ok();
        let of_screen = matches!(self.of, CopyOf::Screen(_));
        let lacks = self.lacks();
        let line = |command: &Command| match command.action {
            Action::Copy(what) if lacks == Some(what) => None,
            Action::Copy(what) if of_screen && what != CopyWhat::Path => {
                Some((what.form()?.to_owned(), String::new()))
            }
            Action::Copy(CopyWhat::Web) if !has_web => None,
            Action::Copy(CopyWhat::Path) if shared.last_path.is_none() => None,
            Action::Copy(what) => {
                let sample = self.sample(what, shared).unwrap_or_default();
                Some((what.noun(of_one).to_owned(), sample))
            }
            Action::CopyToFile => {
                let last = self.last(shared);
                let form = last.form().filter(|_| of_screen);
                let last = form.unwrap_or(last.noun(of_one));
                Some((format!("a file with the {last}"), String::new()))
            }
            _ => None,
        };
        let commands = shared.commands(Layer::CopyMenu).iter();
        let lines = commands.filter_map(|command| {
            let (words, sample) = line(command)?;
            Some((command, words, sample))
        });
        let mut lines: Vec<_> = lines.collect();
        if of_screen {
            let markdown = Action::Copy(CopyWhat::Markdown);
            lines.sort_by_key(|(command, ..)| command.action != markdown);
        }
        lines
    }

    /// Returns the form that the screen does not have.
    fn lacks(&self) -> Option<CopyWhat> {
        let lacks = matches!(&self.of, CopyOf::Screen(summary) if summary.json.is_empty());
        lacks.then_some(CopyWhat::Json)
    }

    /// Returns true for a form whose copy says why it is missing: the profile has no address, the screen no JSON.
    fn says_why(&self, what: CopyWhat) -> bool {
        matches!(
            (what, &self.of),
            (CopyWhat::Web, CopyOf::Runs(_)) | (CopyWhat::Json, _)
        )
    }

    /// Returns the kind for the file.
    fn last(&self, shared: &Shared) -> CopyWhat {
        let last = shared.last_copied;
        let is_of_screen = last.form().is_some() && self.lacks() != Some(last);
        match self.of {
            CopyOf::Screen(_) if !is_of_screen => CopyWhat::Markdown,
            _ => last,
        }
    }

    /// Returns the text that would be copied, if it is short.
    fn sample(&self, what: CopyWhat, shared: &Shared) -> Option<String> {
        if what == CopyWhat::Path {
            return shared.last_path.clone();
        }
        let [(doc_ref, id, title)] = self.of.named()[..] else {
            return None;
        };
        match (what, &self.of) {
            (CopyWhat::DocRef, _) => Some(doc_ref.to_string()),
            (CopyWhat::Id, _) => id.map(str::to_owned),
            (CopyWhat::Title, _) => title.map(str::to_owned),
            (CopyWhat::Web, CopyOf::Runs(runs)) => {
                let id = runs.first()?.id()?;
                Some(run_text::web_address(shared.web_url().ok()?, id))
            }
            _ => None,
        }
    }
}

impl Screen for CopyMenu {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let lines = self.lines(&cx.shared);
        let Some(action) = menu::choose(&mut self.scroll, action, &lines) else {
            return;
        };
        let has_line = lines.iter().any(|(command, ..)| command.action == action);
        let (what, to) = match action {
            Action::Copy(what) if !has_line && !self.says_why(what) => {
                return cx.say("that is not copied from here");
            }
            Action::Copy(what) => (what, CopyTo::Clipboard),
            Action::CopyToFile => (self.last(&cx.shared), CopyTo::File),
            Action::Back => return cx.close(Layer::CopyMenu),
            _ => return,
        };
        cx.close(Layer::CopyMenu);
        cx.copy(self.of.clone(), what, to);
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        Some(&mut self.scroll)
    }
}

impl Draw for CopyMenu {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let title = match self.of.names() {
            ("screen", Some(name)) => format!("Copy {name} as"),
            (kind, Some(name)) if self.marked => format!("Copy of the marked {kind} {name}"),
            (_, Some(name)) => format!("Copy of {name}"),
            (kind, None) => {
                let count = text::thousands(self.of.count());
                format!("Copy of the {count} marked {kind}")
            }
        };
        let lines = self.lines(&on.context.cx.shared);
        let menu = Menu::new(Layer::CopyMenu, &title, 74, lines.len());
        menu::letters(menu, &self.scroll, &lines, on, area);
    }
}

const OWN: &[Binding] = &[
    Run.row(
        &["Enter"],
        "open",
        "Copy what is under the cursor",
        Action::Open,
    ),
    copies(
        &["r"],
        "copy-reference",
        "Copy the reference",
        CopyWhat::DocRef,
    ),
    copies(&["i"], "copy-id", "Copy the id", CopyWhat::Id),
    copies(&["t"], "copy-title", "Copy the title", CopyWhat::Title),
    copies(&["w"], "copy-web", "Copy the web address", CopyWhat::Web),
    copies(&["j"], "copy-json", "Copy the JSON", CopyWhat::Json),
    copies(
        &["m"],
        "copy-markdown",
        "Copy the row as Markdown",
        CopyWhat::Markdown,
    ),
    copies(
        &["v"],
        "copy-tsv",
        "Copy the row as TSV, for a spreadsheet",
        CopyWhat::Tsv,
    ),
    copies(
        &["p"],
        "copy-plain",
        "Copy the row as plain text",
        CopyWhat::Plain,
    ),
    Run.row(
        &["f"],
        "copy-file",
        "Write to a file, in the form copied last",
        Action::CopyToFile,
    ),
    copies(
        &["l"],
        "copy-path",
        "Copy the path just written",
        CopyWhat::Path,
    ),
];

pub const PLACE: Place = Place {
    layer: Layer::CopyMenu,
    title: "the copy menu",
    groups: &[&[OWN, ARROWS, ENDS, PAGES], OF_A_BOX],
    hints: LETTERED,
    types: false,
};
