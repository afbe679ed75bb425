//! A program in a pseudo-terminal, and the screen a person would see.

use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rundown::store::cx::HELD;
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};
use vt100::{MouseProtocolMode, Parser, Screen};

/// Far longer than anything here takes, for machines that are busy with something else.
const LIMIT: Duration = Duration::from_secs(30);

pub const ENTER: &str = "\r";
pub const ESC: &str = "\x1b";
pub const HOME: &str = "\x1b[H";
pub const END: &str = "\x1b[F";
pub const CTRL_C: &str = "\x03";
pub const CTRL_Z: &str = "\x1a";

/// A program in a pseudo-terminal; killed when the value goes.
pub struct Pty {
    screen: Parser,
    seen: Vec<u8>,
    output: Receiver<Vec<u8>>,
    deaf: Arc<AtomicBool>,
    input: Option<Box<dyn Write + Send>>,
    master: Option<Box<dyn MasterPty + Send>>,
    child: Box<dyn Child + Send + Sync>,
    modes: String,
    /// When Enter was pressed last.
    entered: Option<Instant>,
}

impl Pty {
    pub fn start(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let modes = modes(&*pair.master);
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (send, output) = channel();
        let deaf = Arc::new(AtomicBool::new(false));
        let stop = deaf.clone();
        thread::spawn(move || {
            let mut buffer = vec![0; 64 * 1024];
            // A terminal whose other side is closed answers with an error: the end, too.
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if send.send(buffer[..count].to_vec()).is_err() || stop.load(Ordering::SeqCst) {
                    break;
                }
            }
        });
        let input = Some(pair.master.take_writer().unwrap());
        let screen = Parser::new(nonzero(rows), nonzero(columns), 0);
        Self {
            screen,
            seen: Vec::new(),
            output,
            deaf,
            input,
            master: Some(pair.master),
            child,
            modes,
            entered: None,
        }
    }

    pub fn screen(&self) -> &Screen {
        self.screen.screen()
    }

    pub fn text(&self) -> String {
        self.screen().contents()
    }

    /// The lines of the screen.
    pub fn lines(&self) -> Vec<String> {
        let (_, columns) = self.screen().size();
        self.screen().rows(0, columns.get()).collect()
    }

    /// The one line that contains this.
    pub fn line(&self, part: &str) -> String {
        self.lines()
            .into_iter()
            .find(|line| line.contains(part))
            .unwrap_or_default()
    }

    /// Every byte the program has written.
    pub fn seen(&self) -> &[u8] {
        &self.seen
    }

    /// Forgets the bytes written so far.
    pub fn forget(&mut self) {
        self.seen.clear();
    }

    pub fn press(&mut self, keys: &str) {
        if keys.contains(ENTER) {
            // A key that is held down answers no question.
            let pause = Duration::from_millis(2 * HELD.unsigned_abs());
            while let Some(left) = self.entered.and_then(|at| pause.checked_sub(at.elapsed())) {
                if let Ok(bytes) = self.output.recv_timeout(left) {
                    self.take(&bytes);
                }
            }
            self.entered = Some(Instant::now());
        }
        let input = self.input.as_mut().unwrap();
        input
            .write_all(keys.as_bytes())
            .and_then(|()| input.flush())
            .unwrap();
    }

    /// Presses keys, and waits until the screen says `text`.
    pub fn press_until(&mut self, keys: &str, text: &str) {
        self.press(keys);
        self.wait_for(text);
    }

    /// The screen is not in the middle of a frame: what a terminal with synchronised updates would show.
    fn whole(&self) -> bool {
        let last = |sequence: &[u8]| {
            self.seen
                .windows(sequence.len())
                .rposition(|bytes| bytes == sequence)
        };
        last(b"\x1b[?2026h") <= last(b"\x1b[?2026l")
    }

    /// Takes output until the screen is as it should be.
    pub fn wait(&mut self, what: &str, mut reached: impl FnMut(&Self) -> bool) {
        let end = Instant::now() + LIMIT;
        while !(self.whole() && reached(self)) {
            let left = end.saturating_duration_since(Instant::now());
            // What is waited for need not show on the screen: look again soon.
            match self
                .output
                .recv_timeout(left.min(Duration::from_millis(20)))
            {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout) => {
                    assert!(!left.is_zero(), "no {what} in time{}", self.described());
                }
                Err(RecvTimeoutError::Disconnected) => {
                    assert!(
                        self.whole() && reached(self),
                        "the program ended, and there is no {what}{}",
                        self.described()
                    );
                }
            }
        }
    }

    pub fn wait_for(&mut self, text: &str) {
        self.wait(&format!("{text:?}"), |pty| pty.text().contains(text));
    }

    pub fn wait_gone(&mut self, text: &str) {
        self.wait(&format!("screen without {text:?}"), |pty| {
            !pty.text().contains(text)
        });
    }

    /// Waits for the first frame with runs in which nothing is missing, and nothing is read any more.
    pub fn rows(&mut self) {
        self.wait("rows of the list", |pty| {
            let text = pty.text();
            // Where there is no room for both, a first start has the signs there.
            let foot = text.contains("\nrun 1 of ") || text.contains("? all signs");
            foot && text.contains(" R_") && pty.lines()[0].contains("  read ")
        });
    }

    fn take(&mut self, bytes: &[u8]) {
        self.seen.extend_from_slice(bytes);
        self.screen.process(bytes);
    }

    fn described(&self) -> String {
        let mut text = format!("; the screen:\n{}\n", self.text());
        let last = &self.seen[self.seen.len().saturating_sub(400)..];
        let _ = writeln!(
            text,
            "the last bytes: {}",
            String::from_utf8_lossy(last).escape_debug()
        );
        text
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.screen.set_size(nonzero(rows), nonzero(columns));
        self.master
            .as_ref()
            .unwrap()
            .resize(size(columns, rows))
            .unwrap();
    }

    /// The device of the terminal.
    pub fn device(&self) -> PathBuf {
        self.master.as_ref().unwrap().tty_name().unwrap()
    }

    pub fn pid(&self) -> i32 {
        self.child.process_id().unwrap().try_into().unwrap()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.pid()).unwrap(), signal).unwrap();
    }

    /// The terminal takes nothing from now on, and stays open: a connection that hangs, a window that is frozen.
    pub fn hang(&mut self) {
        self.deaf.store(true, Ordering::SeqCst);
        let opened = fs::OpenOptions::new()
            .write(true)
            .custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed())
            .open(self.device());
        let mut device = opened.unwrap();
        // What comes next is the last that is read; then there is room for so much.
        let end = Instant::now() + LIMIT;
        let mut full = 0;
        while full < 5 {
            assert!(Instant::now() < end, "the terminal goes on taking");
            match device.write(b".") {
                Ok(_) => full = 0,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    full += 1;
                    thread::sleep(Duration::from_millis(20));
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Closes the window, as it were: the terminal is gone.
    pub fn close(&mut self) {
        self.deaf.store(true, Ordering::SeqCst);
        // The reading thread lets go of the terminal at the next output.
        self.press("?");
        while self.output.recv_timeout(LIMIT).is_ok() {}
        drop(self.input.take());
        drop(self.master.take());
    }

    /// Waits for the end of the program and for its last output.
    pub fn ended(&mut self) -> ExitStatus {
        let end = Instant::now() + LIMIT;
        let status = loop {
            while let Ok(bytes) = self.output.try_recv() {
                self.take(&bytes);
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(
                Instant::now() < end,
                "the program does not end{}",
                self.described()
            );
            thread::sleep(Duration::from_millis(5));
        };
        // The other side of the terminal is closed when nobody has it any more.
        loop {
            match self.output.recv_timeout(LIMIT) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Disconnected) => return status,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("something still has the terminal{}", self.described())
                }
            }
        }
    }

    /// The letter that the system gives for what the program does: `T` is stopped.
    pub fn state(&self) -> char {
        let told = fs::read_to_string(format!("/proc/{}/stat", self.pid())).map_or_else(
            |_| {
                let ps = Command::new("ps")
                    .args(["-o", "stat=", "-p", &self.pid().to_string()])
                    .output();
                String::from_utf8(ps.unwrap().stdout).unwrap()
            },
            // The name before it, in brackets, may hold anything.
            |line| line.rsplit(')').next().unwrap().to_owned(),
        );
        told.trim_start().chars().next().unwrap()
    }

    /// The modes of the line discipline: echo, line by line, signals.
    pub fn modes(&self) -> String {
        modes(&**self.master.as_ref().unwrap())
    }

    /// The terminal is in no mode that the shell did not leave it in.
    pub fn assert_restored(&self) {
        let screen = self.screen();
        let described = self.described();
        assert!(
            !screen.alternate_screen(),
            "still on the alternate screen{described}"
        );
        assert!(!screen.hide_cursor(), "the cursor is hidden{described}");
        assert!(
            !screen.bracketed_paste(),
            "bracketed paste is on{described}"
        );
        assert_eq!(
            screen.mouse_protocol_mode(),
            MouseProtocolMode::None,
            "the mouse is on{described}"
        );
        self.assert_disciplined();
    }

    /// Echo, lines and signals are as the shell left them.
    pub fn assert_disciplined(&self) {
        assert_eq!(
            self.modes(),
            self.modes,
            "the line discipline is not as before"
        );
    }

    /// The interface has the terminal.
    pub fn assert_taken(&self) {
        let screen = self.screen();
        assert!(
            screen.alternate_screen() && screen.hide_cursor() && screen.bracketed_paste(),
            "{}",
            self.described()
        );
        assert_ne!(self.modes(), self.modes, "not in raw mode");
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // Ended long ago in a test that has passed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn nonzero(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap()
}

fn modes(master: &dyn MasterPty) -> String {
    let modes = master.get_termios().unwrap();
    let flags = (
        modes.input_flags,
        modes.output_flags,
        modes.control_flags,
        modes.local_flags,
    );
    format!("{flags:?} {:?}", modes.control_chars)
}
