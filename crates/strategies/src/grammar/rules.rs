//! Production rules: for each sort, the operators with that result sort, each with a weight.
//!
//! Weights are drawn for a few formulas at a time (swarm testing): an operator that is frequent in one group can be absent from
//! the next.

use crate::kit::draft::Draft;
use crate::kit::operators::{ByResult, Instance};
use crate::kit::random::Random;
use smt::{FixedState, Sort};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The weight of an operator without known values.
const UNEVALUATED: f64 = 0.125;

/// An operator with all argument sorts that it can take.
struct Rule {
    name: String,
    instances: Vec<Instance>,
    /// Whether our evaluation knows its values.
    evaluated: bool,
    weight: f64,
}

/// The rules of one universe.
pub(super) struct Rules {
    by_sort: HashMap<Sort, Vec<Rule>, FixedState>,
    /// The sorts, in order.
    pub sorts: Vec<Sort>,
    /// The operators with arguments of each sort.
    takers: HashMap<Sort, Vec<Taker>, FixedState>,
    /// The weights of `forall` and `exists`, relative to those of the Boolean operators.
    quantifiers: [f64; 2],
}

/// Where an instance is: its result sort, the index of the rule, and its index there.
type Place = (Sort, usize, usize);

/// An operator that takes arguments of some sort.
struct Taker {
    weight: f64,
    /// Its instances with such an argument.
    places: Vec<Place>,
}

/// The operators by the sorts of their arguments. One that takes many sorts has a small weight for each.
fn takers(
    by_sort: &HashMap<Sort, Vec<Rule>, FixedState>,
    sorts: &[Sort],
) -> HashMap<Sort, Vec<Taker>, FixedState> {
    let mut by_name: BTreeMap<&str, (f64, BTreeMap<Sort, Vec<Place>>)> = BTreeMap::new();
    for &result in sorts {
        for (number, rule) in by_sort.get(&result).into_iter().flatten().enumerate() {
            let (weight, taken) = by_name.entry(&rule.name).or_default();
            *weight = if rule.evaluated { 1.0 } else { UNEVALUATED };
            for (at, instance) in rule.instances.iter().enumerate() {
                let args: BTreeSet<Sort> = instance.args.iter().copied().collect();
                for sort in args.into_iter().filter(|&sort| instance.takes(sort)) {
                    taken.entry(sort).or_default().push((result, number, at));
                }
            }
        }
    }
    let mut found: HashMap<Sort, Vec<Taker>, FixedState> = HashMap::default();
    for (weight, taken) in by_name.into_values() {
        let weight = weight / taken.len().max(1) as f64;
        for (sort, places) in taken {
            found.entry(sort).or_default().push(Taker { weight, places });
        }
    }
    found
}

impl Rules {
    /// The rules for these sorts, with the operators that all solvers in `required` support (as bits), but not the avoided ones.
    pub fn new(
        draft: &Draft,
        operators: &ByResult,
        sorts: Vec<Sort>,
        required: u32,
        avoided: &[String],
    ) -> Rules {
        let mut by_sort: HashMap<Sort, Vec<Rule>, FixedState> = HashMap::default();
        for &sort in &sorts {
            let Some(groups) = operators.of(sort) else { continue };
            let rules = by_sort.entry(sort).or_default();
            for group in groups.common.iter().chain(&groups.specific) {
                let known = |instance: &&Instance| instance.fact.solvers & required == required;
                let instances: Vec<Instance> = group.instances.iter().filter(known).cloned().collect();
                if let Some(first) = instances.first() {
                    let name = first.name(&draft.arena).to_owned();
                    if avoided.contains(&name) {
                        continue;
                    }
                    let declaration = first.declaration(&draft.arena);
                    let evaluated = declaration.is_none_or(|rank| rank.unevaluated.is_none());
                    rules.push(Rule { name, instances, evaluated, weight: 1.0 });
                }
            }
        }
        let takers = takers(&by_sort, &sorts);
        Rules { by_sort, sorts, takers, quantifiers: [0.0; 2] }
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

    /// Gives all operators the same weight, however many ranks and sorts they have, and quantifiers none. Operators without known
    /// values weigh less: nothing but another solver can tell whether they are right.
    pub fn level(&mut self) {
        let mut ranks: HashMap<String, f64, FixedState> = HashMap::default();
        for rule in self.by_sort.values().flatten() {
            *ranks.entry(rule.name.clone()).or_default() += 1.0;
        }
        for rule in self.by_sort.values_mut().flatten() {
            rule.weight = if rule.evaluated { 1.0 } else { UNEVALUATED } / ranks[&rule.name];
        }
        self.quantifiers = [0.0; 2];
    }

    /// A random operator that takes an argument of this sort and for which `wanted` holds. An operator that takes many sorts is rare
    /// for each of them, so that all have the same chance over all sorts.
    pub fn taker(
        &self,
        sort: Sort,
        wanted: impl Fn(&str, &Instance) -> bool,
        random: &mut Random,
    ) -> Option<Instance> {
        let takers = self.takers.get(&sort)?;
        let instance = |&(result, rule, at): &Place| {
            let rule = self.by_sort.get(&result)?.get(rule)?;
            rule.instances.get(at).filter(|instance| wanted(&rule.name, instance))
        };
        let fits = |taker: &Taker| {
            if taker.places.iter().any(|place| instance(place).is_some()) { taker.weight } else { 0.0 }
        };
        let weights: Vec<f64> = takers.iter().map(fits).collect();
        let chosen = &takers[random.weighted(&weights)?];
        let instances: Vec<&Instance> = chosen.places.iter().filter_map(instance).collect();
        random.pick(&instances).map(|instance| (*instance).clone())
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

    /// All instances with this result sort, in order.
    pub fn instances_with_result(&self, sort: Sort) -> impl Iterator<Item = &Instance> {
        self.by_sort.get(&sort).into_iter().flatten().flat_map(|rule| &rule.instances)
    }

    /// All instances with this result sort and a positive weight, in order.
    pub fn all(&self, sort: Sort) -> impl Iterator<Item = &Instance> {
        let rules = self.by_sort.get(&sort).into_iter().flatten();
        rules.filter(|rule| rule.weight > 0.0).flat_map(|rule| &rule.instances)
    }
}
