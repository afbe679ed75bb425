//! Line ends of a text.

/// Positions of the line ends.
#[derive(Debug, Default)]
pub struct LineEnds(Vec<usize>);

impl LineEnds {
    pub fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// Returns the line of a byte; the first is 1.
    pub fn at(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|end| *end < byte)
    }
}
