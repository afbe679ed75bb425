//! The floor: a table of a million computed rows and nothing else. What it takes is what the terminal, the machine and
//! ratatui take; the interface is measured against it in one run (docs/speed.md).

use std::io::{self, BufWriter, Write, stdout};
use std::sync::mpsc::channel;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{Event, KeyCode, KeyEventKind, read};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Row, Table, TableState};

const ROWS: usize = 1_000_000;

fn main() -> io::Result<()> {
    enable_raw_mode()?;
    let mut out = stdout();
    execute!(out, EnterAlternateScreen, Hide)?;
    let outcome = run();
    execute!(out, Show, LeaveAlternateScreen)?;
    disable_raw_mode()?;
    out.flush()?;
    outcome
}

fn run() -> io::Result<()> {
    let mut terminal = Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(
        64 * 1024,
        stdout(),
    )))?;
    let (mut top, mut cursor, mut height) = (0, 0, 1);
    let (sender, input) = channel();
    std::thread::spawn(move || {
        while let Ok(event) = read() {
            if sender.send(event).is_err() {
                return;
            }
        }
    });
    loop {
        terminal.draw(|frame| {
            let [list, status] =
                Layout::vertical([Constraint::Min(1), Constraint::Length(1)]).areas(frame.area());
            height = usize::from(list.height.saturating_sub(2)).max(1);
            top = top
                .min(cursor)
                .max((cursor + 1_usize).saturating_sub(height));
            let row = |number: usize| {
                Row::new([
                    format!("R_{number}"),
                    format!("Test run number {number}"),
                    "active".into(),
                    "PPPPPPFFUUUU".into(),
                ])
            };
            let widths = [
                Constraint::Length(10),
                Constraint::Min(20),
                Constraint::Length(8),
                Constraint::Length(14),
            ];
            let table = Table::new((top..(top + height).min(ROWS)).map(row), widths)
                .block(Block::bordered().title("Runs"))
                .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED));
            let mut state = TableState::new().with_selected(Some(cursor - top));
            frame.render_stateful_widget(table, list, &mut state);
            frame.render_widget(format!("row {} of {ROWS}", cursor + 1), status);
        })?;
        let Ok(first) = input.recv() else {
            return Ok(());
        };
        for event in std::iter::once(first).chain(input.try_iter()) {
            if let Event::Key(key) = event
                && key.kind != KeyEventKind::Release
            {
                match key.code {
                    KeyCode::Char('q') => return Ok(()),
                    KeyCode::Down | KeyCode::Char('j') => cursor = (cursor + 1).min(ROWS - 1),
                    KeyCode::Up | KeyCode::Char('k') => cursor = cursor.saturating_sub(1),
                    KeyCode::Home | KeyCode::Char('g') => cursor = 0,
                    KeyCode::End | KeyCode::Char('G') => cursor = ROWS - 1,
                    _ => {}
                }
            }
        }
    }
}
