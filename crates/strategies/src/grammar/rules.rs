//! Production rules: for each sort, the operators with that result sort, each with a weight.
//!
//! Weights are drawn for a few formulas at a time (swarm testing): an operator that is frequent in one group can be absent from
//! the next.

use crate::kit::draft::Draft;
use crate::kit::operators::{ByResult, Instance};
use crate::kit::random::Random;
use smt::{FixedState, Sort};
use std::collections::{BTreeMap, HashMap};

/// An operator with all argument sorts that it can take.
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
    /// The weights of `forall` and `exists`, relative to those of the Boolean operators.
    quantifiers: [f64; 2],
}

impl Rules {
    /// The rules for these sorts, with the operators that all solvers in `required` support (as bits).
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

    /// Sets the weight of every operator and quantifier by name.
    pub fn weigh(&mut self, mut weight: impl FnMut(&str) -> f64) {
        for sort in &self.sorts {
            for rule in self.by_sort.get_mut(sort).into_iter().flatten() {
                rule.weight = weight(&rule.name);
            }
        }
        self.quantifiers = ["forall", "exists"].map(weight);
    }

    /// Draws new weights: about a third of the operators are absent, the others differ by powers of two.
    pub fn swarm(&mut self, random: &mut Random) {
        let mut drawn: BTreeMap<String, f64> = BTreeMap::new();
        self.weigh(|name| {
            *drawn
                .entry(name.to_owned())
                .or_insert_with(|| if random.chance(1, 3) { 0.0 } else { (1u64 << random.below(6)) as f64 })
        });
        // Quantified formulas are hard for every solver, so most groups have none.
        let quantified = random.chance(1, 4);
        self.quantifiers = self.quantifiers.map(|weight| if quantified { weight.min(2.0) } else { 0.0 });
    }

    /// A random operator with this result sort, by weight.
    pub fn operator(&self, sort: Sort, random: &mut Random) -> Option<Instance> {
        let rules = self.by_sort.get(&sort)?;
        let weights: Vec<f64> = rules.iter().map(|rule| rule.weight).collect();
        let chosen = random.weighted(&weights)?;
        random.pick(&rules[chosen].instances).cloned()
    }

    /// Whether to quantify the next formula, and how: `true` is `exists`, `false` is `forall`.
    pub fn quantifier(&self, random: &mut Random) -> Option<bool> {
        let rest: f64 = self.by_sort.get(&Sort::BOOL).into_iter().flatten().map(|rule| rule.weight).sum();
        let [forall, exists] = self.quantifiers;
        match random.weighted(&[rest, forall, exists])? {
            0 => None,
            at => Some(at == 2),
        }
    }

    /// The instances of the operator called `name`, for any sort.
    pub fn instances_of(&self, name: &str) -> Vec<Instance> {
        let rules = self.sorts.iter().filter_map(|sort| self.by_sort.get(sort)).flatten();
        rules.filter(|rule| rule.name == name).flat_map(|rule| rule.instances.iter().cloned()).collect()
    }

    /// All instances with this result sort and a positive weight, in order.
    pub fn all(&self, sort: Sort) -> impl Iterator<Item = &Instance> {
        let rules = self.by_sort.get(&sort).into_iter().flatten();
        rules.filter(|rule| rule.weight > 0.0).flat_map(|rule| &rule.instances)
    }
}
