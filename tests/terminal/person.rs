//! A person who is asked line by line.

use super::pty::Pty;

/// A person who answers.
pub struct Person {
    pub pty: Pty,
    /// All that was on the terminal.
    pub seen: String,
}

impl Person {
    pub fn new(pty: Pty) -> Self {
        let seen = String::new();
        Self { pty, seen }
    }

    /// Waits until this was said.
    pub fn told(&mut self, words: &str) {
        self.pty.wait(words, |pty| {
            String::from_utf8_lossy(pty.seen()).contains(words)
        });
    }

    /// Waits until this is asked, and answers.
    pub fn answers(&mut self, question: &str, answer: &str) {
        self.pty.wait(question, |pty| {
            let seen = String::from_utf8_lossy(pty.seen());
            let last = seen.rsplit('\n').next().unwrap();
            last.starts_with(question) && last.ends_with(": ")
        });
        self.seen += &String::from_utf8_lossy(self.pty.seen());
        self.pty.forget();
        self.pty.press(&format!("{answer}\n"));
    }
}
