//! How long to wait for what solvers state. Most questions of an oracle are answered in milliseconds and the others hardly ever, so the
//! limit that pays best is learned for each oracle and solver, apart for its questions and for the doubts about the answers.

use super::adaptive_timeout::{AdaptiveTimeout, LimitKind};
use case::{SolverIndex, Statement};
use std::collections::BTreeMap;
use std::time::Duration;

/// What a solver is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatementRun {
    /// The statements.
    Statements,
    /// An assignment that refutes statements of a solver.
    Doubt,
}

/// The time that solvers need for each kind of run.
#[derive(Default)]
pub struct StatementLimits(BTreeMap<(SolverIndex, Statement, StatementRun), AdaptiveTimeout>);

/// A limit, and how it was chosen.
#[derive(Clone, Copy, Debug)]
pub struct StatementLimit {
    kind: LimitKind,
    /// The limit.
    pub wall: Duration,
}

impl StatementLimit {
    /// A limit that was not learned.
    pub fn fixed(wall: Duration) -> StatementLimit {
        StatementLimit { kind: LimitKind::Full, wall }
    }
}

impl StatementLimits {
    /// The limit of the next run, at most `most`.
    pub fn next(
        &mut self,
        solver: SolverIndex,
        oracle: Statement,
        run: StatementRun,
        most: Duration,
    ) -> StatementLimit {
        let times = self.0.entry((solver, oracle, run)).or_default();
        let kind = times.next_kind(false);
        StatementLimit { kind, wall: times.limit(solver, kind).min(most) }
    }

    /// Records how long a run was waited for, and whether it brought anything.
    pub fn record(
        &mut self,
        solver: SolverIndex,
        oracle: Statement,
        run: StatementRun,
        limit: StatementLimit,
        (waited, brought): (Duration, bool),
    ) {
        let times = self.0.entry((solver, oracle, run)).or_default();
        times.record(solver, limit.kind, waited, brought);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVER: SolverIndex = SolverIndex(0);
    const MOST: Duration = Duration::from_secs(1);

    #[test]
    fn limits_are_learned_for_each_kind_of_run() {
        use StatementRun::{Doubt, Statements};
        let mut limits = StatementLimits::default();
        let first = limits.next(SOLVER, Statement::Abduct, Statements, MOST);
        assert_eq!(
            limits.next(SOLVER, Statement::Apply, Statements, Duration::from_millis(7)).wall,
            Duration::from_millis(7)
        );
        // Half of the questions are answered at once, the others never. Every doubt takes long, and is answered.
        for number in 0..64 {
            let limit = limits.next(SOLVER, Statement::Abduct, Statements, MOST);
            let took = if number % 2 == 0 { Duration::from_millis(2) } else { limit.wall };
            limits.record(SOLVER, Statement::Abduct, Statements, limit, (took, number % 2 == 0));
            let limit = limits.next(SOLVER, Statement::Abduct, Doubt, MOST);
            let took = Duration::from_millis(100);
            limits.record(
                SOLVER,
                Statement::Abduct,
                Doubt,
                limit,
                (took.min(limit.wall), took <= limit.wall),
            );
        }
        // A few runs get a long limit all the same.
        let mut shortest =
            |run| (0..4).map(|_| limits.next(SOLVER, Statement::Abduct, run, MOST).wall).min().unwrap();
        let learned = [shortest(Statements), shortest(Doubt)];
        assert!(learned[0] < first.wall && learned[1] > first.wall, "{learned:?} {:?}", first.wall);
        let unknown = limits.next(SOLVER, Statement::Values, Statements, MOST);
        assert_eq!(unknown.wall, first.wall);
    }
}
