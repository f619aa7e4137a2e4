//! How many turns each strategy has in a campaign that machines share.

use crate::units::{SeedUse, UnitNumbers};
use case::CaseIndex;
use std::sync::Arc;
use strategies::Strategy;

/// The turns of each strategy: as many as there is time for, or with a number of cases the fewest turns whose cases are as many. Every
/// strategy has equally many, except that one which uses each seed once has no more than there are seeds.
pub fn turns(
    numbers: &UnitNumbers,
    strategies: &[Arc<dyn Strategy>],
    budget: u64,
    cases: Option<u64>,
) -> Vec<Option<u64>> {
    let most: Vec<Option<u64>> = numbers
        .strategies
        .iter()
        .map(|seed_use| (*seed_use == SeedUse::Once).then_some(numbers.seeds))
        .collect();
    let Some(cases) = cases else { return most };
    let is_left = |strategy: usize, turn: u64| most[strategy].is_none_or(|most| turn < most);
    let length = |strategy: usize, turn: u64| match numbers.strategies[strategy] {
        // A seed as it is is one case.
        SeedUse::Once => 1,
        SeedUse::Pool | SeedUse::Own => {
            let unit = numbers.unit(numbers.number(strategy, turn), CaseIndex(0));
            unit.length(strategies[strategy].as_ref(), budget)
        }
    };
    let (mut turn, mut sum) = (0, 0u64);
    while sum < cases {
        let active = (0..strategies.len()).filter(|&strategy| is_left(strategy, turn));
        let made: u64 = active.map(|strategy| length(strategy, turn)).sum();
        if made == 0 {
            break;
        }
        sum = sum.saturating_add(made);
        turn += 1;
    }
    most.into_iter().map(|most| Some(most.map_or(turn, |most| most.min(turn)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Signatures;
    use strategies::{StrategyContext, by_name};

    #[test]
    fn turns_are_as_many_as_the_cases_need() {
        let context = StrategyContext::new(Signatures::standard());
        let chosen: Vec<Arc<dyn Strategy>> =
            ["seeds", "swap", "opfuzz"].map(|name| by_name(name, &context).unwrap().into()).to_vec();
        let numbers = UnitNumbers::new(2, chosen.iter().map(|one| SeedUse::of(one.as_ref())).collect());
        // A turn has three cases in the first round over both seeds, and six in the second.
        let table = [
            (None, [Some(2), None, None]),
            (Some(0), [Some(0); 3]),
            (Some(1), [Some(1); 3]),
            (Some(7), [Some(1); 3]),
            (Some(8), [Some(2); 3]),
            (Some(14), [Some(2); 3]),
            (Some(15), [Some(2), Some(3), Some(3)]),
            (Some(27), [Some(2), Some(4), Some(4)]),
        ];
        for (cases, expected) in table {
            assert_eq!(turns(&numbers, &chosen, 3, cases), expected, "{cases:?}");
        }
        let once = UnitNumbers::new(2, vec![SeedUse::Once]);
        assert_eq!(turns(&once, &chosen[..1], 3, Some(100)), [Some(2)]);
    }
}
