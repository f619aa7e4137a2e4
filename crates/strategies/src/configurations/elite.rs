//! Configurations that reached something new, carried over from case to case: the next cases begin with their children.

use super::space::{Space, Value, Vector};
use crate::random::Random;
use std::collections::{BTreeMap, VecDeque};

/// The most configurations that are remembered.
const MOST: usize = 24;

/// Configurations that reached something new, the latest at the end. What was new long ago is not any more, so the oldest go.
#[derive(Clone, Debug, Default)]
pub struct Elite {
    /// By name, since other cases have other options to search over.
    kept: VecDeque<BTreeMap<String, Value>>,
}

impl Elite {
    /// Remembers a configuration.
    pub fn add(&mut self, space: &Space, vector: &Vector) {
        let changed = space.knobs.iter().zip(vector).filter(|(knob, value)| knob.default != **value);
        self.kept.push_back(changed.map(|(knob, value)| (knob.name.clone(), *value)).collect());
        if self.kept.len() > MOST {
            self.kept.pop_front();
        }
    }

    /// A child of two of them in a space; nothing as long as there are none.
    pub fn child(&self, space: &Space, random: &mut Random) -> Option<Vector> {
        if self.kept.is_empty() || space.knobs.is_empty() {
            return None;
        }
        let mut parent = || -> Vector {
            let settings = &self.kept[random.index(self.kept.len())];
            space.knobs.iter().map(|knob| settings.get(&knob.name).copied().unwrap_or(knob.default)).collect()
        };
        let (one, other) = (parent(), parent());
        let (mut child, _) = space.crossover(&one, &other, random);
        // What mattered to the cases of its parents need not matter to this one.
        for (at, (value, knob)) in child.iter_mut().zip(&space.knobs).enumerate() {
            if *value != knob.default && !space.keeps(at, random) {
                *value = knob.default;
            }
        }
        space.mutate(&mut child, random);
        Some(child)
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::tests::space;
    use super::*;

    #[test]
    fn children_have_what_their_parents_had() {
        let (whole, mut random) = (space(), Random::new(5));
        let mut elite = Elite::default();
        assert_eq!(elite.child(&whole, &mut random), None);
        let mut vector = whole.defaults();
        vector[1] = Value::Int(2);
        elite.add(&whole, &vector);
        let narrow = whole.restricted(|knob| knob.name == "arith.solver" || knob.name == "elim_and");
        let children: Vec<Vector> = (0..100).filter_map(|_| elite.child(&narrow, &mut random)).collect();
        let same = children.iter().filter(|child| child[1] == Value::Int(2)).count();
        let changed = children.iter().filter(|child| child[0] == Value::Bool(true)).count();
        // Each value mutates with probability one half in a space of two.
        assert!(same > 30 && changed > 30, "{same} {changed}");
        // Where others have weights, one in four has it still, before a mutation that leaves out one in seven.
        let others = whole.weighted(|knob| if knob.name == "elim_and" { 1.0 } else { 0.0 });
        let children: Vec<Vector> = (0..400).filter_map(|_| elite.child(&others, &mut random)).collect();
        let same = children.iter().filter(|child| child[1] == Value::Int(2)).count();
        assert!((30..130).contains(&same), "{same}");
        for _ in 0..100 {
            elite.add(&whole, &whole.defaults());
        }
        assert_eq!(elite.kept.len(), MOST);
    }
}
