//! Association rules between abstract forms: which kinds of atoms occur together in formulas that broke solvers.
//!
//! Frequent sets are those of Apriori, computed by intersecting sets of formulas (Eclat).

use std::collections::HashMap;

/// Which sets and rules to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleSettings {
    /// The minimum number of formulas with a set.
    pub support: u32,
    /// The consequent must occur in more than this part of the formulas with the antecedent.
    pub confidence: f64,
    /// The maximum number of abstract forms in a set.
    pub longest: usize,
}

impl Default for RuleSettings {
    fn default() -> Self {
        RuleSettings { support: 5, confidence: 0.5, longest: 4 }
    }
}

/// `if` antecedent `then` consequent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule {
    /// The abstract forms that imply others, in order.
    pub antecedent: Vec<u32>,
    /// The abstract forms that tend to occur with them, in order.
    pub consequent: Vec<u32>,
    /// The number of formulas with all of them.
    pub support: u32,
    /// The number of formulas with the antecedent.
    pub antecedent_support: u32,
}

impl Rule {
    /// The part of the formulas with the antecedent that also have the consequent.
    pub fn confidence(&self) -> f64 {
        f64::from(self.support) / f64::from(self.antecedent_support.max(1))
    }
}

/// A set of formulas, as bits.
type Formulas = Vec<u64>;

/// Items with the formulas that contain them.
type Columns = Vec<(u32, Formulas)>;

fn count(formulas: &Formulas) -> u32 {
    formulas.iter().map(|word| word.count_ones()).sum()
}

/// The sets of items that occur together in enough transactions, with their number, in order. A transaction lists its items.
pub fn frequent_sets(transactions: &[Vec<u32>], settings: &RuleSettings) -> Vec<(Vec<u32>, u32)> {
    let words = transactions.len().div_ceil(64);
    let items = transactions.iter().flatten().max().map_or(0, |most| *most as usize + 1);
    let mut columns: Vec<Formulas> = vec![Formulas::new(); items];
    for (at, transaction) in transactions.iter().enumerate() {
        for &item in transaction {
            let column = &mut columns[item as usize];
            column.resize(words, 0);
            column[at / 64] |= 1 << (at % 64);
        }
    }
    let least = settings.support.max(1);
    let first: Columns = columns
        .into_iter()
        .enumerate()
        .filter(|(_, column)| count(column) >= least)
        .map(|(item, column)| (item as u32, column))
        .collect();
    let mut found = Vec::new();
    // Sets with a common prefix, with the possible next items and the formulas that contain all of them.
    let mut waiting: Vec<(Vec<u32>, Columns)> = vec![(Vec::new(), first)];
    while let Some((prefix, extensions)) = waiting.pop() {
        for (at, (item, formulas)) in extensions.iter().enumerate() {
            let mut set = prefix.clone();
            set.push(*item);
            if set.len() < settings.longest {
                let longer: Columns = extensions[at + 1..]
                    .iter()
                    .map(|(next, others)| {
                        (*next, formulas.iter().zip(others).map(|(one, other)| one & other).collect())
                    })
                    .filter(|(_, both)| count(both) >= least)
                    .collect();
                if !longer.is_empty() {
                    waiting.push((set.clone(), longer));
                }
            }
            found.push((set, count(formulas)));
        }
    }
    found.sort();
    found
}

/// The rules of the frequent sets, in order.
pub fn rules(transactions: &[Vec<u32>], settings: &RuleSettings) -> Vec<Rule> {
    let sets = frequent_sets(transactions, settings);
    let support: HashMap<&[u32], u32, smt::FixedState> =
        sets.iter().map(|(set, count)| (set.as_slice(), *count)).collect();
    let mut rules = Vec::new();
    for (set, both) in sets.iter().filter(|(set, _)| set.len() > 1) {
        for chosen in 1..(1u32 << set.len()) - 1 {
            let side = |wanted: bool| -> Vec<u32> {
                let of = |at: &usize| (chosen >> at & 1 == 1) == wanted;
                (0..set.len()).filter(of).map(|at| set[at]).collect()
            };
            let antecedent = side(true);
            // Every subset of a frequent set is frequent.
            let Some(&antecedent_support) = support.get(antecedent.as_slice()) else { continue };
            let rule = Rule { antecedent, consequent: side(false), support: *both, antecedent_support };
            if rule.confidence() > settings.confidence {
                rules.push(rule);
            }
        }
    }
    rules.sort();
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::random::Random;
    use std::collections::BTreeSet;

    #[test]
    fn rules_of_a_small_table() {
        let transactions = [vec![0, 1], vec![0, 1], vec![0, 1, 2], vec![0], vec![2]];
        let settings = RuleSettings { support: 2, confidence: 0.5, longest: 4 };
        let rule = |a, b, support, antecedent_support| Rule {
            antecedent: vec![a],
            consequent: vec![b],
            support,
            antecedent_support,
        };
        assert_eq!(rules(&transactions, &settings), [rule(0, 1, 3, 4), rule(1, 0, 3, 3)]);
        assert_eq!(rules(&transactions, &RuleSettings { confidence: 0.8, ..settings }), [rule(1, 0, 3, 3)]);
        assert_eq!(rules(&transactions, &RuleSettings { support: 4, ..settings }), []);
    }

    /// Apriori as published: level by level, candidates from the frequent sets of the previous length.
    fn apriori(transactions: &[Vec<u32>], least: u32) -> Vec<(Vec<u32>, u32)> {
        let support = |set: &[u32]| {
            transactions.iter().filter(|one| set.iter().all(|item| one.contains(item))).count() as u32
        };
        let items: BTreeSet<u32> = transactions.iter().flatten().copied().collect();
        let mut all = Vec::new();
        let mut level: Vec<Vec<u32>> = items.iter().map(|item| vec![*item]).collect();
        while !level.is_empty() {
            level.retain(|set| support(set) >= least);
            all.extend(level.iter().map(|set| (set.clone(), support(set))));
            let longer: BTreeSet<Vec<u32>> = level
                .iter()
                .flat_map(|set| {
                    items
                        .iter()
                        .filter(|item| *item > set.last().unwrap())
                        .map(|item| [&set[..], &[*item]].concat())
                })
                .collect();
            level = longer.into_iter().collect();
        }
        all.sort();
        all
    }

    #[test]
    fn frequent_sets_are_those_of_apriori() {
        let mut random = Random::new(5);
        for _ in 0..40 {
            let transactions: Vec<Vec<u32>> = (0..80)
                .map(|_| (0..9).filter(|item| random.chance(u64::from(9 - item), 11)).collect())
                .collect();
            let settings = RuleSettings { support: 6, confidence: 0.5, longest: 20 };
            assert_eq!(frequent_sets(&transactions, &settings), apriori(&transactions, 6));
        }
    }
}
