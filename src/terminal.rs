//! The terminal: entered once, drawn into by differences, and given back as it was on every way out.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{execute, queue};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use crate::domain::text;
use crate::ui::Layout;

/// The terminal is in raw mode on the alternate screen.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// The terminal as long as the interface is on it.
pub struct Terminal {
    backend: CrosstermBackend<BufWriter<Stdout>>,
    /// What is on the screen.
    shown: Buffer,
    /// What is being drawn.
    next: Buffer,
    list: Option<(Rect, u64)>,
    mouse: bool,
    /// Given back until the process goes on: nothing is drawn.
    suspended: bool,
}

impl Terminal {
    /// Enters raw mode and the alternate screen. An error where standard input or output is no terminal.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        if !stdin().is_terminal() || !stdout().is_terminal() {
            return Err(io::Error::other(
                "rundown needs a terminal, and standard input or output is none",
            ));
        }
        // With NO_COLOR crossterm would drop bold and reverse too; the theme alone decides on colours.
        crossterm::style::force_color_output(true);
        restore_on_panic();
        let (width, height) = size()?;
        let area = Rect::new(0, 0, width, height);
        let backend = CrosstermBackend::new(BufWriter::with_capacity(64 * 1024, stdout()));
        let mut terminal = Self {
            backend,
            shown: Buffer::empty(area),
            next: Buffer::empty(area),
            list: None,
            mouse,
            suspended: false,
        };
        terminal.set_up()?;
        Ok(terminal)
    }

    fn set_up(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        ENTERED.store(true, Ordering::SeqCst);
        queue!(
            self.backend,
            EnterAlternateScreen,
            Hide,
            EnableBracketedPaste,
            EnableFocusChange,
            Clear(ClearType::All)
        )?;
        if self.mouse {
            queue!(self.backend, EnableMouseCapture)?;
        }
        // Not to be left in the buffer: it must not come out after the terminal was given back.
        Write::flush(&mut self.backend)
    }

    /// Draws a frame: what has changed goes out in one synchronised write, and nothing goes out where nothing has. A
    /// list that has scrolled is moved by the terminal itself.
    pub fn draw(&mut self, draw: impl FnOnce(Rect, &mut Buffer) -> Layout) -> io::Result<Layout> {
        if self.suspended {
            return Ok(Layout::default());
        }
        self.next.reset();
        let area = self.next.area;
        let drawn = draw(area, &mut self.next);
        let scrolled = self.scrolled(&drawn);
        if let Some((rows, by)) = scrolled {
            queue!(self.backend, BeginSynchronizedUpdate)?;
            self.scroll(rows, by)?;
        }
        let changes = self.shown.diff(&self.next);
        if scrolled.is_some() || !changes.is_empty() {
            if scrolled.is_none() {
                queue!(self.backend, BeginSynchronizedUpdate)?;
            }
            self.backend.draw(changes.into_iter())?;
            queue!(self.backend, EndSynchronizedUpdate)?;
            Write::flush(&mut self.backend)?;
        }
        std::mem::swap(&mut self.shown, &mut self.next);
        self.list = drawn.list;
        Ok(drawn)
    }

    /// How far the list has moved since the last frame, if it is still in its place and part of it stays in view.
    fn scrolled(&self, drawn: &Layout) -> Option<(Rect, i64)> {
        let ((before, from), (now, to)) = (self.list?, drawn.list?);
        let by = i64::try_from(to)
            .ok()?
            .checked_sub(i64::try_from(from).ok()?)?;
        let moved = before == now && by != 0 && by.unsigned_abs() < u64::from(now.height) / 2;
        moved.then_some((now, by))
    }

    fn scroll(&mut self, rows: Rect, by: i64) -> io::Result<()> {
        let count = by.unsigned_abs() as u16;
        let region = rows.y..rows.bottom();
        if by > 0 {
            self.backend.scroll_region_up(region, count)?;
        } else {
            self.backend.scroll_region_down(region, count)?;
        }
        let width = usize::from(self.shown.area.width);
        let first = usize::from(rows.y) * width;
        let cells = &mut self.shown.content[first..first + usize::from(rows.height) * width];
        let distance = usize::from(count) * width;
        if by > 0 {
            cells.rotate_left(distance);
            let kept = cells.len() - distance;
            cells[kept..].fill(Cell::default());
        } else {
            cells.rotate_right(distance);
            cells[..distance].fill(Cell::default());
        }
        Ok(())
    }

    /// Takes the size that the terminal has now, if it is another one.
    pub fn fit(&mut self) -> io::Result<()> {
        let (width, height) = size()?;
        let known = self.next.area;
        if (known.width, known.height) == (width, height) {
            Ok(())
        } else {
            self.resize(width, height)
        }
    }

    /// Takes another size; the whole screen is drawn again.
    fn resize(&mut self, width: u16, height: u16) -> io::Result<()> {
        let area = Rect::new(0, 0, width, height);
        self.next = Buffer::empty(area);
        self.shown = Buffer::empty(area);
        self.redraw()
    }

    /// Forgets what is on the screen, so that the next frame draws all of it.
    pub fn redraw(&mut self) -> io::Result<()> {
        self.shown.reset();
        self.list = None;
        queue!(self.backend, Clear(ClearType::All))
    }

    /// Turns mouse reports on or off.
    pub fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if on {
            execute!(self.backend, EnableMouseCapture)
        } else {
            execute!(self.backend, DisableMouseCapture)
        }
    }

    /// Gives a text to the terminal's clipboard (OSC 52).
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(
            self.backend,
            crossterm::clipboard::CopyToClipboard::to_clipboard_from(text)
        )
    }

    /// Rings the bell.
    pub fn bell(&mut self) -> io::Result<()> {
        self.tell(b"\x07")
    }

    /// Shows a notification, where the terminal can (OSC 9); control characters are left out.
    pub fn notify(&mut self, text: &str) -> io::Result<()> {
        let in_tmux = std::env::var_os("TMUX").is_some_and(|value| !value.is_empty());
        self.tell(notification(text, in_tmux).as_bytes())
    }

    /// Tells the terminal something that changes nothing on the screen.
    fn tell(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.suspended {
            return Ok(());
        }
        self.backend.write_all(bytes)?;
        Write::flush(&mut self.backend)
    }

    /// Gives the terminal back and stops the process. [`Terminal::resume`] takes it again when the signal to go on comes:
    /// the stop itself may come a moment after this returns.
    ///
    /// `false` where nothing would be left to say go on: as the first process of a terminal or of the machine.
    pub fn suspend(&mut self) -> io::Result<bool> {
        let me = rustix::process::getpid();
        if rustix::process::getsid(None)? == me || me.is_init() {
            return Ok(false);
        }
        Write::flush(&mut self.backend)?;
        restore();
        // The whole group, as the terminal does it: a script or cargo around the program stops with it.
        self.suspended = true;
        rustix::process::kill_current_process_group(rustix::process::Signal::STOP)?;
        Ok(true)
    }

    /// Gives the terminal back for another program; [`Terminal::resume`] takes it again.
    pub fn hand_over(&mut self) -> io::Result<()> {
        Write::flush(&mut self.backend)?;
        restore();
        Ok(())
    }

    /// Takes the terminal again after a stop.
    pub fn resume(&mut self) -> io::Result<()> {
        // A shell may have changed the modes meanwhile: what crossterm believes to be set is set anew.
        disable_raw_mode()?;
        self.suspended = false;
        self.set_up()?;
        let (width, height) = size()?;
        self.resize(width, height)
    }
}

/// What has a terminal show a notification (OSC 9), of a text that cannot end it early. Within tmux it is wrapped, so that
/// tmux hands it through to the terminal around it, if it may: it takes each escape twice.
fn notification(text: &str, in_tmux: bool) -> String {
    let told = format!("\x1b]9;{}\x1b\\", text::call(text));
    if in_tmux {
        format!("\x1bPtmux;{}\x1b\\", told.replace('\x1b', "\x1b\x1b"))
    } else {
        told
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // What is still in the buffer comes before what gives the terminal back.
        if let Err(error) = Write::flush(&mut self.backend) {
            tracing::debug!("the terminal takes nothing any more: {error}");
        }
        restore();
    }
}

/// Gives the terminal back as it was; does nothing the second time. A terminal that is gone cannot be told anything.
pub fn restore() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = stdout();
    let written = execute!(
        out,
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableFocusChange,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    if let Err(error) = written.and_then(|()| disable_raw_mode()) {
        tracing::debug!("the terminal takes nothing any more: {error}");
    }
}

/// A panic on the drawing thread gives the terminal back before its message is printed. One in a task of the worker
/// becomes a failure on the screen; its message goes to the log.
fn restore_on_panic() {
    let main = std::thread::current().id();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!("{panic}");
        if std::thread::current().id() == main {
            restore();
            before(panic);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_is_one_whatever_its_text_holds() {
        let evil = "R_7 \x1b\\\x1b]0;evil\x07\u{9c}\u{9d}52;c;x\nüber";
        assert_eq!(
            notification(evil, false),
            "\x1b]9;R_7 ␛\\␛]0;evil␇\u{fffd}\u{fffd}52;c;x␊über\x1b\\"
        );
        let wrapped =
            "\x1bPtmux;\x1b\x1b]9;R_7 ␛\\␛]0;evil␇\u{fffd}\u{fffd}52;c;x␊über\x1b\x1b\\\x1b\\";
        assert_eq!(notification(evil, true), wrapped);
        assert_eq!(notification(&"x".repeat(9_000), false).len(), 300 + 6);
    }
}
