//! Where the lines of a text end.

/// The bytes that end a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineEnds(Vec<usize>);

impl LineEnds {
    pub fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line that a byte stands in; the first is 1.
    pub fn at(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|end| *end < byte)
    }
}
