//! Which operators, and which pairs of them, each solver has been asked about.
//!
//! An operator is identified by its name. A pair is an operator directly inside an application of another. A solver was asked about
//! them if it accepted a case that contains them. All workers share one map; a bit in it is written once.

mod bits;
mod saved;
mod scan;
mod table;

pub use scan::{Scan, Scanner};
pub use table::OperatorTable;

use bits::{AtomicBits, Bits};
use serde::{Deserialize, Serialize};
use solver::Target;
use std::path::{Path, PathBuf};
use table::Known;

/// The operators of one solver, as numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OperatorCount {
    /// Operators that it was asked about.
    pub operators: u64,
    /// Operators that it knows.
    pub known_operators: u64,
    /// Pairs of operators that it was asked about.
    pub pairs: u64,
    /// Well-sorted pairs of operators that it knows.
    pub known_pairs: u64,
}

/// The operators of one solver at the end of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SolverOperators {
    /// The solver.
    pub solver: String,
    /// The numbers at the end.
    #[serde(flatten)]
    pub count: OperatorCount,
    /// The operators that it knows and was not asked about, in alphabetical order.
    pub not_asked: Vec<String>,
    /// The numbers over time.
    pub series: Vec<OperatorSample>,
}

/// How many operators and pairs a solver had been asked about at some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OperatorSample {
    /// Seconds since the start of the campaign.
    pub seconds: u64,
    /// Operators.
    pub operators: u64,
    /// Pairs.
    pub pairs: u64,
}

/// What all workers have asked each solver.
pub struct OperatorReach {
    table: OperatorTable,
    /// In the order of the solvers of the campaign.
    solvers: Vec<Asked>,
    file: PathBuf,
}

/// What one solver knows and has been asked about.
struct Asked {
    id: String,
    known: Known,
    operators: AtomicBits,
    /// Bit `outer * operators + inner`.
    pairs: AtomicBits,
    /// Operators that its release rejected.
    rejected: AtomicBits,
}

impl OperatorReach {
    /// What a campaign has asked these solvers so far. `folder` is that of its database, and `campaign` its number there.
    pub fn open(targets: &[Target], folder: &Path, campaign: i64) -> OperatorReach {
        let signatures = smt::Signatures::standard();
        let table = OperatorTable::new(&signatures);
        let count = table.len();
        let asked = |target: &Target| Asked {
            id: target.id.clone(),
            known: table.known(&signatures, &target.name, &target.profile.at(&target.version).theories),
            operators: AtomicBits::new(count),
            pairs: AtomicBits::new(count * count),
            rejected: AtomicBits::new(count),
        };
        let solvers = targets.iter().map(asked).collect();
        let reach = OperatorReach { table, solvers, file: folder.join(saved::file_name(campaign)) };
        reach.restore();
        reach
    }

    /// A scanner for the operators of cases.
    pub fn scanner(&self) -> Scanner {
        Scanner::new(self.table.clone())
    }

    /// The number of an operator in scans.
    pub fn number(&self, name: &str) -> Option<u16> {
        self.table.get(name.as_bytes())
    }

    /// Records that a solver accepted a script with these operators.
    pub fn record(&self, solver: usize, found: &Scan) {
        let Some(asked) = self.solvers.get(solver) else { return };
        found.operators.iter().for_each(|&operator| asked.operators.set(operator.into()));
        let row = self.table.len();
        for &(outer, inner) in &found.pairs {
            asked.pairs.set(usize::from(outer) * row + usize::from(inner));
        }
    }

    /// Records that the release of a solver rejects an operator.
    pub fn reject(&self, solver: usize, name: &str) {
        if let (Some(asked), Some(operator)) = (self.solvers.get(solver), self.table.get(name.as_bytes())) {
            asked.rejected.set(operator.into());
        }
    }

    /// The operators that no solver has, whatever its release.
    pub fn foreign(&self) -> impl Iterator<Item = &str> {
        let is_foreign = |at: &usize| !self.solvers.iter().any(|asked| asked.known.operators.has(*at));
        (0..self.table.len()).filter(is_foreign).map(|at| self.table.name(at))
    }

    /// Whether some solver knows an operator, as far as we know by now.
    pub fn is_known(&self, name: &str) -> bool {
        let operator = self.table.get(name.as_bytes());
        operator.is_some_and(|at| self.solvers.iter().any(|asked| asked.in_question().has(at.into())))
    }

    /// The numbers of each solver, by its id.
    pub fn counts(&self) -> impl Iterator<Item = (&str, OperatorCount)> {
        self.solvers.iter().map(|asked| (asked.id.as_str(), asked.count(self.table.len())))
    }

    /// The operators that each solver knows and was not asked about.
    pub fn not_asked(&self) -> impl Iterator<Item = (&str, Vec<String>)> {
        self.solvers.iter().map(|asked| {
            let open = asked.in_question().minus(&asked.operators.load());
            (asked.id.as_str(), open.ones().map(|at| self.table.name(at).to_owned()).collect())
        })
    }
}

impl Asked {
    /// The operators that the release knows. A rank may be rejected where another one is accepted, so what was asked counts.
    fn in_question(&self) -> Bits {
        let missing = self.rejected.load().minus(&self.operators.load());
        self.known.operators.minus(&missing)
    }

    fn count(&self, row: usize) -> OperatorCount {
        let operators = self.in_question();
        let pairs = self.known.pairs_among(&operators, row);
        OperatorCount {
            operators: operators.and(&self.operators.load()).count(),
            known_operators: operators.count(),
            pairs: pairs.and(&self.pairs.load()).count(),
            known_pairs: pairs.count(),
        }
    }
}

#[cfg(test)]
mod tests;
