//! The index of a coverage point.

/// A point of a solver that a script may reach: a function or an edge, by its index among all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CoveragePoint(pub usize);

impl CoveragePoint {
    /// The index as a number.
    pub fn get(self) -> usize {
        self.0
    }

    /// All points of a solver with `count` of them.
    pub fn all(count: usize) -> impl Iterator<Item = CoveragePoint> {
        (0..count).map(CoveragePoint)
    }
}
