//! Lists kept from the survey before.

/// Lists kept from the survey before; a plain value that goes into a survey and comes out of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cache {}
