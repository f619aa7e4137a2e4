//! Wrong results that a triaged finding explains. Once a finding is reduced to a few operators and most cases with them go wrong, the
//! next such case is most likely the same bug, and its confirmation and reduction would tell nothing new.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// One explained case in this many is treated as if it were not, in case it is another bug.
const CHECKED: u64 = 8;
/// A finding explains cases if at least one in this many cases with its operators goes wrong.
const USUALLY: u64 = 4;

/// What a triaged finding explains.
struct Explanation {
    finding: String,
    /// The solvers that are wrong.
    suspects: BTreeSet<String>,
    /// The operators of the reduced script.
    operators: Vec<u16>,
    explained: u64,
}

/// The explanations of a campaign.
#[derive(Default)]
pub struct Explanations(Mutex<Vec<Explanation>>);

/// A case with a wrong answer or an invalid model.
pub struct WrongCase<'a> {
    /// The solvers that are wrong.
    pub suspects: &'a BTreeSet<String>,
    /// The operators of the case.
    pub operators: &'a [u16],
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frequency {
    /// Cases.
    pub cases: u64,
    /// Those that went wrong.
    pub wrong: u64,
}

impl Explanations {
    /// Adds a finding that was reduced to these operators. Without operators it explains nothing.
    pub fn add(&self, finding: String, suspects: BTreeSet<String>, operators: Vec<u16>) {
        if !operators.is_empty() {
            let explanation = Explanation { finding, suspects, operators, explained: 0 };
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(explanation);
        }
    }

    /// The finding that explains a case, if any. `frequency` says how often cases with some operators go wrong.
    pub fn explain(&self, case: &WrongCase<'_>, frequency: impl Fn(&[u16]) -> Frequency) -> Option<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let explains = |explanation: &&mut Explanation| {
            let Frequency { cases, wrong } = frequency(&explanation.operators);
            case.suspects.is_subset(&explanation.suspects)
                && explanation.operators.iter().all(|operator| case.operators.contains(operator))
                && USUALLY * wrong >= cases
        };
        let explanation = all.iter_mut().find(explains)?;
        explanation.explained += 1;
        (!explanation.explained.is_multiple_of(CHECKED)).then(|| explanation.finding.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduced_finding_explains_cases_with_its_operators() {
        let solver = |name: &str| BTreeSet::from([name.to_owned()]);
        let explanations = Explanations::default();
        explanations.add("a".to_owned(), solver("z3@1"), vec![3, 5]);
        explanations.add("b".to_owned(), solver("z3@1"), Vec::new());
        // The solver that is wrong, the operators of the case, how many of ten cases with them go wrong, and what explains it.
        let table: [(&str, &[u16], u64, Option<&str>); 5] = [
            ("z3@1", &[1, 3, 5], 9, Some("a")),
            ("z3@1", &[1, 3], 9, None),
            ("z3@2", &[3, 5], 9, None),
            ("z3@1", &[3, 5], 2, None),
            ("z3@1", &[5, 3], 3, Some("a")),
        ];
        for (suspect, operators, wrong, expected) in table {
            let suspects = solver(suspect);
            let case = WrongCase { suspects: &suspects, operators };
            let found = explanations.explain(&case, |_| Frequency { cases: 10, wrong });
            assert_eq!(found.as_deref(), expected, "{operators:?} {wrong}");
        }
        let suspects = solver("z3@1");
        let case = WrongCase { suspects: &suspects, operators: &[3, 5] };
        let usually = |_: &[u16]| Frequency { cases: 1, wrong: 1 };
        let checked = (0..80).filter(|_| explanations.explain(&case, usually).is_none()).count();
        assert_eq!(checked, 10);
    }
}
