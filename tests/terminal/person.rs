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

    /// Waits until this was said, in one line or several.
    pub fn told(&mut self, words: &str) {
        self.pty.wait(words, |pty| {
            let seen = String::from_utf8_lossy(pty.seen());
            seen.replace("\r\n", " ").contains(words)
        });
    }

    /// Waits until this is asked, and answers.
    pub fn answers(&mut self, question: &str, answer: &str) {
        self.pty.wait(question, |pty| {
            let seen = String::from_utf8_lossy(pty.seen());
            // A long question takes several lines.
            let asked = seen.rmatch_indices(question).next();
            let begins = |at| at == 0 || seen[..at].ends_with('\n');
            asked.is_some_and(|(at, _)| begins(at)) && seen.ends_with(": ")
        });
        self.seen += &String::from_utf8_lossy(self.pty.seen());
        self.pty.forget();
        self.pty.press(&format!("{answer}\n"));
    }
}
