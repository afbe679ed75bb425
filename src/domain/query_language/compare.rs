//! Partly known numbers, and comparisons of them.

use std::cmp::Ordering;
use std::fmt;

/// Partly known number: not less than `least`, not more than `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub(super) least: Option<i128>,
    pub(super) most: Option<i128>,
}

impl Range {
    pub const UNKNOWN: Self = Self {
        least: None,
        most: None,
    };

    pub fn exactly(number: i128) -> Self {
        Self {
            least: Some(number),
            most: Some(number),
        }
    }

    /// Returns this number, or at least this one.
    pub fn counted(number: u64, is_exact: bool) -> Self {
        let exactly = Self::exactly(number.into());
        Self {
            most: exactly.most.filter(|_| is_exact),
            ..exactly
        }
    }

    /// Returns this number, or at most this one.
    pub fn at_most(number: u64, is_exact: bool) -> Self {
        let exactly = Self::exactly(number.into());
        Self {
            least: exactly.least.filter(|_| is_exact).or(Some(0)),
            ..exactly
        }
    }

    /// Returns the number, if known exactly.
    pub fn exact(self) -> Option<i128> {
        self.least.filter(|_| self.least == self.most)
    }

    /// Returns the upper bound.
    pub fn most(self) -> Option<i128> {
        self.most
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            least: bound(self.least, other.least, i128::checked_add),
            most: bound(self.most, other.most, i128::checked_add),
        }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        self.plus(Self {
            least: other.most.and_then(i128::checked_neg),
            most: other.least.and_then(i128::checked_neg),
        })
    }

    pub(super) fn times(self, other: Self) -> Self {
        if let (Some(one), Some(other)) = (self.exact(), other.exact()) {
            return one.checked_mul(other).map_or(Self::UNKNOWN, Self::exactly);
        }
        let counts = |range: Self| range.least.is_some_and(|least| least >= 0);
        if !counts(self) || !counts(other) {
            return Self::UNKNOWN;
        }
        Self {
            least: bound(self.least, other.least, i128::checked_mul),
            most: bound(self.most, other.most, i128::checked_mul),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.exact(), self.least) {
            (Some(number), _) => write!(f, "{number}"),
            (None, Some(least)) if least > 0 => write!(f, "at least {least}"),
            _ => f.write_str("not known"),
        }
    }
}

/// Computes a bound; `None` if one is missing, or on overflow.
fn bound(
    one: Option<i128>,
    other: Option<i128>,
    work_out: fn(i128, i128) -> Option<i128>,
) -> Option<i128> {
    work_out(one?, other?)
}

/// Comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparing {
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `==`.
    Equal,
    /// `!=`.
    Unequal,
    /// `>=`.
    AtLeast,
    /// `>`.
    More,
}

impl Comparing {
    /// Signs; longer ones before their prefixes.
    pub(super) const SIGNS: [(&str, Self); 6] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("==", Self::Equal),
        ("!=", Self::Unequal),
        ("<", Self::Less),
        (">", Self::More),
    ];

    pub(super) fn sign(self) -> &'static str {
        let mut signs = Self::SIGNS.into_iter();
        signs
            .find(|(_, own)| *own == self)
            .map_or("", |(sign, _)| sign)
    }

    /// Returns `true` if values in this order fit.
    pub(super) fn fits(self, order: Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::AtLeast => order.is_ge(),
            Self::More => order.is_gt(),
        }
    }

    /// Compares two numbers; `None` if that depends on the unknown part.
    pub(super) fn holds(self, left: Range, right: Range) -> Option<bool> {
        let ordered = |one: Option<i128>, other: Option<i128>| Some(one?.cmp(&other?));
        let nearest = ordered(left.most, right.least);
        let farthest = ordered(left.least, right.most);
        let possible = [
            (Ordering::Less, farthest.is_none_or(Ordering::is_lt)),
            (
                Ordering::Equal,
                farthest.is_none_or(Ordering::is_le) && nearest.is_none_or(Ordering::is_ge),
            ),
            (Ordering::Greater, nearest.is_none_or(Ordering::is_gt)),
        ];
        let possible = possible.into_iter().filter(|(_, possible)| *possible);
        let mut fits = possible.map(|(order, _)| self.fits(order));
        let first = fits.next()?;
        fits.all(|other| other == first).then_some(first)
    }
}
