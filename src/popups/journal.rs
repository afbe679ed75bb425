//! The journal: what was sent from here, to look it up and to take it back.

use crate::domain::{UndoOf, Unfinished};
use crate::screens::Screen;
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::event::{Event, JournalLine, JournalPage};
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::{Action, Motion};
use crate::store::remote::Remote;
use crate::store::shared::Shared;
use crate::store::undo;
use crate::ui::laid::Laid;
use crate::ui::list::Scroll;
use crate::ui::text_input::Input;

/// State of the journal box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalView {
    /// What was read.
    pub page: Remote<JournalPage>,
    /// Words looked for.
    pub text: Input,
    /// Cursor in the lines that match.
    pub scroll: Scroll,
}

impl JournalView {
    /// The lines that hold all the words.
    pub fn shown(&self) -> Vec<&JournalLine> {
        let words: Vec<String> = self
            .text
            .text()
            .split_whitespace()
            .map(str::to_lowercase)
            .collect();
        let fits = |line: &&JournalLine| {
            let text = format!(
                "{} {} {} {}",
                line.run,
                line.what,
                line.state,
                line.detail.join(" ")
            )
            .to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.page
            .value()
            .map(|page| page.lines.iter().filter(fits).collect())
            .unwrap_or_default()
    }

    /// Moves the cursor.
    fn go(&mut self, motion: Motion) {
        let len = self.shown().len() as u64;
        self.scroll.go(motion, len);
    }

    /// Reads it.
    pub fn read_page(&mut self, cx: &mut Cx) {
        self.page.ask();
        cx.request(Slot::Journal, |id| Effect::ReadJournal { id });
    }

    /// Asks how the write under the cursor can be taken back, or what is left of it where its end is not known.
    fn take_back(&self, cx: &mut Cx) {
        let lines = self.shown();
        let Some(line) = lines.get(self.scroll.cursor as usize) else {
            return cx.say("no write is under the cursor");
        };
        let is_it = |change: &&Unfinished| change.write == line.write;
        match cx.shared.unfinished.iter().find(is_it) {
            Some(change) => undo::look_at_rest(change.job.clone(), Layer::Journal, cx),
            None => undo::plan(UndoOf::Write(line.write.clone()), Layer::Journal, cx),
        }
    }
}

impl Screen for JournalView {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Journal
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Move(motion) => self.go(motion),
            Action::Type(key) if self.text.key(key) => self.go(Motion::First),
            Action::Paste(text) if self.text.paste(&text) => self.go(Motion::First),
            Action::Back => cx.close(Layer::Journal),
            Action::Undo => self.take_back(cx),
            Action::Refresh => self.read_page(cx),
            _ => {}
        }
    }

    fn reply(&mut self, _slot: Slot, event: Event, cx: &mut Cx) {
        if let Event::Journal { result, .. } = event {
            self.page.accept(result, cx.now);
            let len = self.shown().len() as u64;
            self.scroll.fit(len);
        }
    }

    fn laid_out(&mut self, laid: &Laid) -> bool {
        let len = self.shown().len() as u64;
        laid.journal
            .is_some_and(|height| self.scroll.set_height(height, len))
    }
}
