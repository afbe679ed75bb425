//! Which hours of a week are worked in.

/// What counts as time in which cases are finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkingHours {
    /// Hours of a day.
    pub hours: HoursOfDay,
    /// Days of the week, Monday first. `None`: every day if all hours count, Monday to Friday if hours are set, and
    /// what the samples show if hours are learned.
    pub days: Option<[bool; 7]>,
}

/// Hours of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoursOfDay {
    /// Those in which results came before; all of them until two days were seen.
    Learned,
    Always,
    /// From one minute of the day (0 to 1439) to before another (1 to 1440); over midnight if that is not later.
    Set {
        /// First minute.
        from: u16,
        /// The minute after the last.
        to: u16,
    },
}
