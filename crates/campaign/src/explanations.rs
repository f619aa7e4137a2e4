//! Wrong results that a triaged finding explains. Once a finding is reduced to a few operators, and many cases with these operators go
//! wrong, the next such case is most likely the same bug. Confirming and reducing it would bring nothing new.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// One explained case in this many is treated as if it were not, in case it is another bug.
const CHECKED: u64 = 8;
/// A finding explains cases if at least one in this many cases with its operators goes wrong.
const USUALLY: u64 = 4;

/// What a triaged finding explains.
struct Explanation {
    finding: String,
    failure: WrongCase,
    explained: u64,
}

/// The explanations of a campaign.
#[derive(Default)]
pub struct Explanations(Mutex<Vec<Explanation>>);

/// A case with a wrong answer or an invalid model.
#[derive(Clone)]
pub struct WrongCase {
    /// The solvers that are wrong.
    pub suspects: BTreeSet<String>,
    /// The operators of the case.
    pub operators: Vec<u16>,
    /// Whether only the solver's own check says so. The check itself may be wrong, so this explains no wrong answer.
    pub own_check: bool,
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
    /// Adds a finding, as it was reduced. Without operators it explains nothing.
    pub fn add(&self, finding: String, failure: WrongCase) {
        if !failure.operators.is_empty() {
            let explanation = Explanation { finding, failure, explained: 0 };
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(explanation);
        }
    }

    /// The finding that explains a case, if any. `frequency` says how often cases with some operators go wrong.
    pub fn explain(&self, case: &WrongCase, frequency: impl Fn(&[u16]) -> Frequency) -> Option<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let explains = |Explanation { failure, .. }: &&mut Explanation| {
            let Frequency { cases, wrong } = frequency(&failure.operators);
            case.suspects.is_subset(&failure.suspects)
                && (case.own_check || !failure.own_check)
                && failure.operators.iter().all(|operator| case.operators.contains(operator))
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
        let failure = |solver: &str, operators: &[u16], own_check| {
            let suspects = BTreeSet::from([solver.to_owned()]);
            WrongCase { suspects, operators: operators.to_vec(), own_check }
        };
        let explanations = Explanations::default();
        explanations.add("a".to_owned(), failure("z3@1", &[3, 5], false));
        explanations.add("b".to_owned(), failure("z3@1", &[], false));
        explanations.add("c".to_owned(), failure("z3@1", &[8], true));
        // The wrong case, how many of ten cases with its operators go wrong, and what explains it.
        let table = [
            (failure("z3@1", &[1, 3, 5], false), 9, Some("a")),
            (failure("z3@1", &[1, 3, 5], true), 9, Some("a")),
            (failure("z3@1", &[1, 3], false), 9, None),
            (failure("z3@2", &[3, 5], false), 9, None),
            (failure("z3@1", &[3, 5], false), 2, None),
            (failure("z3@1", &[5, 3], false), 3, Some("a")),
            (failure("z3@1", &[8], true), 9, Some("c")),
            (failure("z3@1", &[8], false), 9, None),
        ];
        for (case, wrong, expected) in table {
            let found = explanations.explain(&case, |_| Frequency { cases: 10, wrong });
            assert_eq!(found.as_deref(), expected, "{:?} {wrong}", case.operators);
        }
        let case = failure("z3@1", &[3, 5], false);
        let explanations = Explanations::default();
        explanations.add("a".to_owned(), case.clone());
        let usually = |_: &[u16]| Frequency { cases: 1, wrong: 1 };
        let checked = (0..80).filter(|_| explanations.explain(&case, usually).is_none()).count();
        assert_eq!(checked, 10);
    }
}
