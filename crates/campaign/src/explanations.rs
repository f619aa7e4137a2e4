//! Wrong results that a triaged finding explains. Once a finding is reduced to a few operators, and cases with these operators go wrong
//! more often than others, the next such case is most likely the same bug. Confirming and reducing it would bring nothing new.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One explained case in this many is treated as if it were not, in case it is another bug.
const CHECKED: u64 = 8;
/// A finding explains cases if at least one in this many cases with its operators goes wrong.
const USUALLY: u64 = 4;
/// A finding also explains cases if those with its operators go wrong this many times as often as cases that nothing explains.
const MORE_OFTEN: u64 = 8;
/// Older cases count less: counts are halved when there are this many.
const WINDOW: u64 = 1000;

/// What a triaged finding explains.
struct Explanation {
    finding: String,
    failure: WrongCase,
    explained: u64,
}

/// The explanations of a campaign.
#[derive(Default)]
pub struct Explanations(Mutex<State>);

#[derive(Default)]
struct State {
    explanations: Vec<Explanation>,
    /// The cases without the operators of any explanation.
    unexplained: Frequency,
}

impl State {
    /// Whether a case with these operators has all operators of some explanation.
    fn covers(&self, operators: &[u16]) -> bool {
        self.explanations.iter().any(|one| one.failure.occurs_in(operators))
    }
}

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

impl WrongCase {
    /// Whether all operators of this case are among others.
    fn occurs_in(&self, operators: &[u16]) -> bool {
        self.operators.iter().all(|operator| operators.contains(operator))
    }
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
            self.state().explanations.push(explanation);
        }
    }

    /// Records a case with these operators.
    pub fn record_case(&self, operators: &[u16]) {
        let mut state = self.state();
        if !state.covers(operators) {
            let Frequency { cases, wrong } = &mut state.unexplained;
            *cases += 1;
            if *cases == WINDOW {
                (*cases, *wrong) = (*cases / 2, *wrong / 2);
            }
        }
    }

    /// Records that a case with these operators has a wrong answer or an invalid model.
    pub fn record_wrong(&self, operators: &[u16]) {
        let mut state = self.state();
        if !state.covers(operators) {
            state.unexplained.wrong += 1;
        }
    }

    /// The finding that explains a case, if any. `frequency` says how often cases with some operators go wrong.
    pub fn explain(&self, case: &WrongCase, frequency: impl Fn(&[u16]) -> Frequency) -> Option<String> {
        let State { explanations, unexplained } = &mut *self.state();
        let explains = |Explanation { failure, .. }: &&mut Explanation| {
            let Frequency { cases, wrong } = frequency(&failure.operators);
            let is_usual = USUALLY * wrong >= cases;
            let is_more_often = wrong * unexplained.cases >= MORE_OFTEN * cases * (unexplained.wrong + 1);
            case.suspects.is_subset(&failure.suspects)
                && (case.own_check || !failure.own_check)
                && failure.occurs_in(&case.operators)
                && (is_usual || is_more_often)
        };
        let explanation = explanations.iter_mut().find(explains)?;
        explanation.explained += 1;
        (!explanation.explained.is_multiple_of(CHECKED)).then(|| explanation.finding.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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

    #[test]
    fn a_rare_failure_explains_cases_if_others_fail_far_less_often() {
        let case = WrongCase { suspects: BTreeSet::new(), operators: vec![3], own_check: false };
        // How many of 400 other cases go wrong, and whether one in ten cases with the operator is enough.
        for (wrong, expected) in [(0, true), (4, true), (5, false), (40, false)] {
            let explanations = Explanations::default();
            explanations.add("a".to_owned(), case.clone());
            for number in 0..400 {
                explanations.record_case(&[1]);
                explanations.record_case(&[1, 3]);
                if number < wrong {
                    explanations.record_wrong(&[1]);
                    explanations.record_wrong(&[1, 3]);
                }
            }
            let found = explanations.explain(&case, |_| Frequency { cases: 50, wrong: 5 });
            assert_eq!(found.is_some(), expected, "{wrong}");
        }
    }
}
