//! The production rules with their probabilities: for each sort, the operators that give it, each with a weight. Weights are
//! drawn in groups (swarm testing): in one group of formulas an operator is frequent, in the next it is absent.

use crate::draft::Draft;
use crate::operators::{ByResult, Instance};
use crate::random::Random;
use smt::{FixedState, Sort};
use std::collections::{BTreeMap, HashMap};

/// One operator that gives a sort, with all sorts it can take.
struct Rule {
    name: String,
    instances: Vec<Instance>,
    weight: f64,
}

/// The rules of one universe.
pub(super) struct Rules {
    by_sort: HashMap<Sort, Vec<Rule>, FixedState>,
    /// The sorts, in order.
    pub sorts: Vec<Sort>,
    /// The weights of `forall` and `exists`, beside those of the operators that give truth values.
    quantifiers: [f64; 2],
}

impl Rules {
    /// The rules for these sorts; only operators that all solvers in `required` know (as bits) come in.
    pub fn new(draft: &Draft, operators: &ByResult, sorts: Vec<Sort>, required: u32) -> Rules {
        let mut by_sort: HashMap<Sort, Vec<Rule>, FixedState> = HashMap::default();
        for &sort in &sorts {
            let Some(groups) = operators.of(sort) else { continue };
            let rules = by_sort.entry(sort).or_default();
            for group in groups.common.iter().chain(&groups.specific) {
                let known = |instance: &&Instance| instance.fact.solvers & required == required;
                let instances: Vec<Instance> = group.instances.iter().filter(known).cloned().collect();
                if let Some(first) = instances.first() {
                    let name = first.name(&draft.arena).to_owned();
                    rules.push(Rule { name, instances, weight: 1.0 });
                }
            }
        }
        Rules { by_sort, sorts, quantifiers: [0.0; 2] }
    }

    /// Gives each operator the weight that `weight` says for its name.
    pub fn weigh(&mut self, mut weight: impl FnMut(&str) -> f64) {
        for sort in &self.sorts {
            for rule in self.by_sort.get_mut(sort).into_iter().flatten() {
                rule.weight = weight(&rule.name);
            }
        }
        self.quantifiers = ["forall", "exists"].map(weight);
    }

    /// A new group of probabilities: about a third of the operators is absent, the others differ by powers of two.
    pub fn swarm(&mut self, random: &mut Random) {
        let mut drawn: BTreeMap<String, f64> = BTreeMap::new();
        self.weigh(|name| {
            *drawn
                .entry(name.to_owned())
                .or_insert_with(|| if random.chance(1, 3) { 0.0 } else { (1u64 << random.below(6)) as f64 })
        });
        // Quantified formulas are hard for all solvers: most groups have none.
        let quantified = random.chance(1, 4);
        self.quantifiers = self.quantifiers.map(|weight| if quantified { weight.min(2.0) } else { 0.0 });
    }

    /// An operator that gives a sort, by the weights.
    pub fn operator(&self, sort: Sort, random: &mut Random) -> Option<Instance> {
        let rules = self.by_sort.get(&sort)?;
        let weights: Vec<f64> = rules.iter().map(|rule| rule.weight).collect();
        let chosen = random.weighted(&weights)?;
        random.pick(&rules[chosen].instances).cloned()
    }

    /// Whether the next formula is quantified, and by which of the two; `false` is `forall`.
    pub fn quantifier(&self, random: &mut Random) -> Option<bool> {
        let rest: f64 = self.by_sort.get(&Sort::BOOL).into_iter().flatten().map(|rule| rule.weight).sum();
        let [forall, exists] = self.quantifiers;
        match random.weighted(&[rest, forall, exists])? {
            0 => None,
            at => Some(at == 2),
        }
    }

    /// The instances of the operator called `name`, whatever their sort.
    pub fn instances_of(&self, name: &str) -> Vec<Instance> {
        let rules = self.sorts.iter().filter_map(|sort| self.by_sort.get(sort)).flatten();
        rules.filter(|rule| rule.name == name).flat_map(|rule| rule.instances.iter().cloned()).collect()
    }

    /// All instances of operators that give a sort and have a positive weight, in order.
    pub fn all(&self, sort: Sort) -> impl Iterator<Item = &Instance> {
        let rules = self.by_sort.get(&sort).into_iter().flatten();
        rules.filter(|rule| rule.weight > 0.0).flat_map(|rule| &rule.instances)
    }
}
