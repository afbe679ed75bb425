//! The terminal: entered once, drawn into by differences, and restored on every way out.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use crate::domain::text;
use crate::ui::Layout;

/// The terminal is in raw mode on the alternate screen.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Terminal while the interface is on it.
pub struct Terminal {
    backend: CrosstermBackend<BufWriter<Stdout>>,
    /// Frame on the screen.
    shown: Buffer,
    /// Frame being drawn.
    next: Buffer,
    list: Option<(Rect, usize)>,
    mouse: bool,
    /// Restored until the process resumes: nothing is drawn.
    suspended: bool,
}

/// Writes cells, those of two columns over blanks: a terminal that does not know such a symbol draws less, and what stood
/// there before would stay.
fn write(
    backend: &mut CrosstermBackend<impl Write>,
    changes: &[(u16, u16, &Cell)],
    width: u16,
) -> io::Result<()> {
    let is_wide = |cell: &Cell| cell.symbol().len() > 1 && text::width(cell.symbol()) > 1;
    let wide = changes.iter().filter(|(.., cell)| is_wide(cell));
    let blanks = wide.flat_map(|&(x, y, cell)| {
        let mut blank = cell.clone();
        blank.set_symbol(" ");
        [(x, y, blank.clone()), (x + 1, y, blank)]
    });
    let blanks: Vec<(u16, u16, Cell)> = blanks.filter(|(x, ..)| *x < width).collect();
    if !blanks.is_empty() {
        backend.draw(blanks.iter().map(|(x, y, blank)| (*x, *y, blank)))?;
    }
    backend.draw(changes.iter().copied())
}

impl Terminal {
    /// Enters raw mode and the alternate screen. Fails if standard input or output is no terminal.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        if !stdin().is_terminal() || !stdout().is_terminal() {
            return Err(io::Error::other(
                "the screen needs a terminal, and standard input or output is none; commands such as rundown runs list need none",
            ));
        }
        if std::env::var_os("TERM").is_some_and(|name| name == "dumb") {
            return Err(io::Error::other(
                "the screen needs a terminal whose cursor can be moved, and TERM is dumb; commands such as rundown runs list need none",
            ));
        }
        // With NO_COLOR crossterm would drop bold and reverse too; only the theme decides on colours.
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
        // Flushed now: it must not be written after the terminal was restored.
        Write::flush(&mut self.backend)
    }

    /// Draws a frame: only differences are written, in one synchronised update. A list that has scrolled is moved by
    /// the terminal itself.
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
            write(&mut self.backend, &changes, area.width)?;
            queue!(self.backend, EndSynchronizedUpdate)?;
            Write::flush(&mut self.backend)?;
        }
        std::mem::swap(&mut self.shown, &mut self.next);
        self.list = drawn.list;
        Ok(drawn)
    }

    /// Returns the movement of the list since the last frame, if its area is the same and part of it stays in view.
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

    /// Takes the current size of the terminal, if it has changed.
    pub fn fit(&mut self) -> io::Result<()> {
        let (width, height) = size()?;
        let known = self.next.area;
        if (known.width, known.height) == (width, height) {
            Ok(())
        } else {
            self.resize(width, height)
        }
    }

    /// Sets another size and draws the full screen again.
    fn resize(&mut self, width: u16, height: u16) -> io::Result<()> {
        let area = Rect::new(0, 0, width, height);
        self.next = Buffer::empty(area);
        self.shown = Buffer::empty(area);
        self.redraw()
    }

    /// Forgets the frame on the screen, so that the next one is drawn completely.
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

    /// Puts a text on the terminal's clipboard (OSC 52).
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(
            self.backend,
            crossterm::clipboard::CopyToClipboard::to_clipboard_from(text)
        )
    }

    pub fn bell(&mut self) -> io::Result<()> {
        self.tell(b"\x07")
    }

    /// Shows a notification if the terminal can (OSC 9); control characters are left out.
    pub fn notify(&mut self, text: &str) -> io::Result<()> {
        let in_tmux = std::env::var_os("TMUX").is_some_and(|value| !value.is_empty());
        self.tell(notification(text, in_tmux).as_bytes())
    }

    /// Writes a sequence that changes nothing on the screen.
    fn tell(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.suspended {
            return Ok(());
        }
        self.backend.write_all(bytes)?;
        Write::flush(&mut self.backend)
    }

    /// Restores the terminal and stops the process. [`Terminal::resume`] takes it again after the signal to continue:
    /// the stop itself may happen a moment after this returns.
    ///
    /// Returns `false` if no process could send that signal: as the first process of a terminal or of the machine.
    pub fn suspend(&mut self) -> io::Result<bool> {
        let me = rustix::process::getpid();
        if rustix::process::getsid(None)? == me || me.is_init() {
            return Ok(false);
        }
        Write::flush(&mut self.backend)?;
        restore();
        // The process group, as the terminal does it: a script or cargo around the program stops with it.
        self.suspended = true;
        rustix::process::kill_current_process_group(rustix::process::Signal::STOP)?;
        Ok(true)
    }

    /// Restores the terminal for another program; [`Terminal::resume`] takes it again.
    pub fn hand_over(&mut self) -> io::Result<()> {
        Write::flush(&mut self.backend)?;
        restore();
        Ok(())
    }

    /// Takes the terminal again after a stop.
    pub fn resume(&mut self) -> io::Result<()> {
        // A shell may have changed the modes meanwhile: all of them are set again.
        disable_raw_mode()?;
        self.suspended = false;
        self.set_up()?;
        let (width, height) = size()?;
        self.resize(width, height)
    }
}

/// Returns the sequence of a notification (OSC 9), with a text that cannot end it early. Within tmux the sequence is
/// wrapped, with each escape doubled, so that tmux passes it to the terminal around it, if it may.
fn notification(text: &str, in_tmux: bool) -> String {
    let sequence = format!("\x1b]9;{}\x1b\\", text::call(text));
    if in_tmux {
        format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b"))
    } else {
        sequence
    }
}

/// Returns columns and rows of the terminal; one that tells none has those of the oldest.
fn size() -> io::Result<(u16, u16)> {
    let (width, height) = crossterm::terminal::size()?;
    let known = width > 0 && height > 0;
    Ok(if known { (width, height) } else { (80, 24) })
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The buffer goes out before the sequences that restore the terminal.
        or_gone(Write::flush(&mut self.backend));
        restore();
    }
}

/// Restores the terminal; a second call does nothing. Errors of a terminal that is gone are ignored.
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
    or_gone(written.and_then(|()| disable_raw_mode()));
}

/// Notes that the terminal is gone.
pub fn or_gone(written: io::Result<()>) {
    if let Err(error) = written {
        tracing::debug!("the terminal takes nothing any more: {error}");
    }
}

/// Restores the terminal before the message of a panic on the drawing thread is printed. A panic in a task of the
/// worker becomes a failure on the screen; its message goes to the log.
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

    /// As of a terminal whose tables are older.
    #[test]
    fn below_a_symbol_that_is_not_drawn_nothing_of_before_stays() {
        const NEW: &str = "\u{1fa77}";
        let mut screen = vt100::Parser::new(1.try_into().unwrap(), 8.try_into().unwrap(), 0);
        let mut shown = Buffer::with_lines(["        "]);
        for line in ["R_7 Smok", "R_7 \u{1fa77}b", "R_7 Smok"] {
            let next = Buffer::with_lines([format!("{line:8}")]);
            let next = &Buffer {
                area: shown.area,
                content: next.content[..8].to_vec(),
            };
            let mut bytes = Vec::new();
            let changes = shown.diff(next);
            write(&mut CrosstermBackend::new(&mut bytes), &changes, 8).unwrap();
            let bytes = String::from_utf8(bytes).unwrap();
            assert_eq!(bytes.contains(NEW), line.contains(NEW));
            screen.process(bytes.replace(NEW, "").as_bytes());
            let seen = screen.screen().contents();
            assert_eq!(seen.trim_end(), line.replace(NEW, "  ").trim_end());
            shown = next.clone();
        }
    }

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
