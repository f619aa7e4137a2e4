//! Configurations that reached new code, carried over from case to case: the next searches start with their children.

use crate::space::{Space, Value, Vector};
use std::collections::{BTreeMap, VecDeque};
use strategies::Random;

/// How many configurations to remember.
const MOST: usize = 24;

/// The latest configurations that reached new code. The oldest are dropped first, since their code is no longer new.
#[derive(Clone, Debug, Default)]
pub struct Elite {
    /// Changed options by name, since other cases search other options.
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

    /// A child of two remembered configurations; `None` if there are none.
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
        // An option that mattered to its parents' cases may not matter to this one.
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
    use super::*;
    use crate::space::tests::space;

    #[test]
    fn children_inherit_settings_and_the_oldest_parents_go() {
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
        // If only other options have weights, one child in four keeps it, before mutation resets one in seven.
        let others = whole.weighted(4, |knob| if knob.name == "elim_and" { 1.0 } else { 0.0 });
        let children: Vec<Vector> = (0..400).filter_map(|_| elite.child(&others, &mut random)).collect();
        let same = children.iter().filter(|child| child[1] == Value::Int(2)).count();
        assert!((30..130).contains(&same), "{same}");
        for _ in 0..100 {
            elite.add(&whole, &whole.defaults());
        }
        assert_eq!(elite.kept.len(), MOST);
    }
}
