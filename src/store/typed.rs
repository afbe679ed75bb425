//! What was typed into the fields of a kind before.

/// Texts kept, at most.
const MOST: usize = 100;

/// Texts typed since the start of the program; the disk gets none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The newest last, each once.
    texts: Vec<String>,
    /// How far back the field is; 0 is what is being typed.
    back: usize,
    /// What was being typed when the field went back.
    begun: String,
}

impl Typed {
    /// Keeps a text; the next field begins with none of them.
    pub fn keep(&mut self, text: &str) {
        let text = text.trim();
        self.begin();
        if text.is_empty() {
            return;
        }
        self.texts.retain(|known| known != text);
        self.texts.push(text.to_owned());
        if self.texts.len() > MOST {
            self.texts.remove(0);
        }
    }

    /// What stands in the field is typed anew.
    pub fn begin(&mut self) {
        self.back = 0;
    }

    /// The text before the one that stands in the field.
    pub fn older(&mut self, now: &str) -> Option<String> {
        let place = self.texts.len().checked_sub(self.back + 1)?;
        if self.back == 0 {
            now.clone_into(&mut self.begun);
        }
        self.back += 1;
        Some(self.texts[place].clone())
    }

    /// The text after it, in the end what was being typed; nothing where that stands there.
    pub fn newer(&mut self) -> Option<String> {
        self.back = self.back.checked_sub(1)?;
        let place = self.texts.len().checked_sub(self.back)?;
        Some(self.texts.get(place).unwrap_or(&self.begun).clone())
    }
}
