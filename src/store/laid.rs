//! What the view has laid out: heights that movements depend on.

use super::{PARTS, Store};

impl Store {
    /// Takes what the view has laid out: heights that movements depend on. Says whether something must be drawn again.
    pub fn laid_out(&mut self, laid: Laid) -> bool {
        let mut moved = false;
        if let Some(height) = laid.list {
            moved |= self.runs.set_height(height);
            self.runs.preview_shown = laid.preview;
        }
        if let Some(detail) = &mut self.detail {
            if let Some(height) = laid.part {
                detail.height = height;
            }
            for ((top, last), laid) in detail
                .tops
                .iter_mut()
                .zip(&mut detail.last_tops)
                .zip(laid.last_tops)
            {
                let Some(laid) = laid else { continue };
                *last = laid;
                moved |= *top > laid;
                *top = (*top).min(laid);
            }
            if let Some(height) = laid.json {
                let len = detail.json_len();
                moved |= detail.json.scroll.set_height(height, len);
            }
        }
        if let (Some(available), Some(height)) = (&mut self.available, laid.suites) {
            moved |= available
                .scroll
                .set_height(height, available.shown.len() as u64);
        }
        if let (Some(members), Some(height)) = (&mut self.members, laid.members) {
            let len = members.lines().len() as u64;
            moved |= members.scroll.set_height(height, len);
            members.why_top = members.why_top.min(laid.why);
        }
        if let (Some(form), Some(width)) = (&mut self.form, laid.form) {
            form.width = usize::from(width);
        }
        if let (Some(review), Some(last)) = (&mut self.review, laid.review) {
            review.top = review.top.min(last);
        }
        if let (Some(flow), Some(laid)) = (&mut self.delete, laid.delete) {
            flow.top = flow.top.min(laid);
        }
        if let (Some(confirm), Some(last)) = (&mut self.confirm, laid.confirm) {
            confirm.top = confirm.top.min(last);
        }
        if let (Some(journal), Some(height)) = (&mut self.journal, laid.journal) {
            let len = journal.shown().len() as u64;
            moved |= journal.scroll.set_height(height, len);
        }
        if let (Some(picker), Some(height)) = (&mut self.picker, laid.picker) {
            moved |= picker.scroll.set_height(height, picker.shown.len() as u64);
        }
        if let (Some(monitor), Some(height)) = (&mut self.monitor, laid.cards) {
            moved |= monitor
                .scroll
                .set_height(height, monitor.cards.len() as u64);
        }
        if let Some(height) = laid.feed {
            let entries = self.cx.shared.feed.entries.len() as u64;
            moved |= self.cx.shared.feed.scroll.set_height(height, entries);
        }
        if let Some(height) = laid.errors {
            let entries = self.cx.errors.entries.len() as u64;
            moved |= self.cx.errors.scroll.set_height(height, entries);
        }
        let rows = self.help_rows().len() as u64;
        if let (Some(help), Some(height)) = (&mut self.help, laid.help) {
            moved |= help.scroll.set_height(height, rows);
        }
        moved
    }
}

/// Heights of what was drawn, in rows; `None` where something was not drawn and stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Laid {
    /// Rows of the runs list.
    pub list: Option<u16>,
    /// The preview pane was drawn with the list.
    pub preview: bool,
    /// Lines of the focused part of the detail screen.
    pub part: Option<u16>,
    /// Last possible first line of each part.
    pub last_tops: [Option<u16>; PARTS.len()],
    /// Lines of the JSON view.
    pub json: Option<u16>,
    /// Rows of the available suites.
    pub suites: Option<u16>,
    /// Rows of the suites in a run.
    pub members: Option<u16>,
    /// Columns of a field of the form.
    pub form: Option<u16>,
    /// Last possible first line of a review.
    pub review: Option<u16>,
    /// Last possible first line of the explanation beside them.
    pub why: u16,
    /// Last possible first line of the box that deletes.
    pub delete: Option<u16>,
    /// Last possible first line of the preview of a write.
    pub confirm: Option<u16>,
    /// Lines of the journal.
    pub journal: Option<u16>,
    /// Entries of the picker.
    pub picker: Option<u16>,
    /// Entries of the error list.
    pub errors: Option<u16>,
    /// Rows of the help.
    pub help: Option<u16>,
    /// Lines of the feed.
    pub feed: Option<u16>,
    /// Cards or rows of the monitor.
    pub cards: Option<u16>,
}
