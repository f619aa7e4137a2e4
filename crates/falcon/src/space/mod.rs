//! The configuration space of a solver: its options, vectors of their values, and how vectors change.

mod catalogue;
mod knob;

pub use catalogue::space_of;
pub use knob::{Knob, KnobKind, Setting, Value};

use std::collections::BTreeMap;
use strategies::Random;

/// A value for each option of a space.
pub type Vector = Vec<Value>;

/// The options of a solver that may be set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// The options.
    pub knobs: Vec<Knob>,
    /// The running sums of their weights; empty if all weigh the same.
    sums: Vec<f64>,
    /// One in this many changed options is drawn regardless of the weights, which may be wrong; 0 for none.
    unweighted: u64,
}

impl Space {
    /// A space of options.
    pub fn new(knobs: Vec<Knob>) -> Space {
        Space { knobs, sums: Vec::new(), unweighted: 0 }
    }

    /// The space of the options that satisfy a predicate.
    pub fn restricted(&self, keep: impl Fn(&Knob) -> bool) -> Space {
        Space::new(self.knobs.iter().filter(|knob| keep(knob)).cloned().collect())
    }

    /// The same space with weights: options with larger weights are changed more often. One in `unweighted` is drawn regardless.
    pub fn weighted(&self, unweighted: u64, weight: impl Fn(&Knob) -> f64) -> Space {
        let sum = |sum: &mut f64, knob: &Knob| {
            *sum += weight(knob);
            Some(*sum)
        };
        Space { knobs: self.knobs.clone(), sums: self.knobs.iter().scan(0.0, sum).collect(), unweighted }
    }

    /// Whether to keep an option changed that another case had changed: always if it has a weight, sometimes otherwise.
    pub(crate) fn keeps(&self, index: usize, random: &mut Random) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.sums.get(before)).copied().unwrap_or(0.0);
        self.sums.get(index).is_none_or(|sum| *sum > before) || self.ignores_weights(random)
    }

    fn ignores_weights(&self, random: &mut Random) -> bool {
        self.unweighted > 0 && random.chance(1, self.unweighted)
    }

    /// Draws the position of an option to change.
    fn draw_position(&self, random: &mut Random) -> usize {
        match self.sums.last() {
            Some(&total) if total > 0.0 && !self.ignores_weights(random) => {
                let drawn = random.unit() * total;
                self.sums.partition_point(|sum| *sum <= drawn).min(self.knobs.len() - 1)
            }
            _ => random.index(self.knobs.len()),
        }
    }

    /// The defaults of all options.
    pub fn defaults(&self) -> Vector {
        self.knobs.iter().map(|knob| knob.default).collect()
    }

    /// A random vector in which up to `count` options differ from their defaults.
    pub fn draw(&self, count: u64, random: &mut Random) -> Vector {
        let mut vector = self.defaults();
        if self.knobs.is_empty() {
            return vector;
        }
        for _ in 0..1 + random.below(count.max(1)) {
            let index = self.draw_position(random);
            vector[index] = self.knobs[index].other(random);
        }
        self.repair(&mut vector, random);
        vector
    }

    /// One-point crossover: two vectors exchange their tails after a random point.
    pub fn crossover(&self, one: &Vector, other: &Vector, random: &mut Random) -> (Vector, Vector) {
        let point = random.index(one.len().min(other.len()) + 1);
        let join = |head: &Vector, tail: &Vector| -> Vector {
            head.iter().take(point).chain(tail.iter().skip(point)).copied().collect()
        };
        (join(one, other), join(other, one))
    }

    /// Mutates each value with probability 1/n in a space of n options. With weights, as many values, chosen by weight.
    pub fn mutate(&self, vector: &mut Vector, random: &mut Random) {
        let length = self.knobs.len();
        for index in 0..length {
            if random.chance(1, length as u64) {
                let index = if self.sums.is_empty() { index } else { self.draw_position(random) };
                vector[index] = self.knobs[index].mutated(vector[index], random);
            }
        }
        self.repair(vector, random);
    }

    /// Resets all but one of the changed options that exclude each other.
    fn repair(&self, vector: &mut Vector, random: &mut Random) {
        let mut alone: Vec<usize> = (0..vector.len())
            .filter(|&index| self.knobs[index].alone && vector[index] != self.knobs[index].default)
            .collect();
        if alone.len() > 1 {
            random.shuffle(&mut alone);
            for &index in &alone[1..] {
                vector[index] = self.knobs[index].default;
            }
        }
    }

    /// The configurations with these options and values, without those that must not be set: one, or one for each option of which a run
    /// may set only one.
    pub fn configurations_with(&self, named: &[(String, String)]) -> Vec<Vec<Setting>> {
        let (mut alone, mut together) = (BTreeMap::new(), BTreeMap::new());
        for (name, value) in named {
            let knob = self.knobs.iter().find(|knob| knob.name == *name && !knob.unsupported);
            let Some((knob, value)) = knob.and_then(|knob| Some((knob, knob.value(value)?))) else {
                continue;
            };
            if let (true, Some(value)) = (value != knob.default, knob.text(value)) {
                let settings = if knob.alone { &mut alone } else { &mut together };
                settings.insert(name, Setting { name: name.clone(), value });
            }
        }
        let together: Vec<Setting> = together.into_values().collect();
        match (alone.is_empty(), together.is_empty()) {
            (true, true) => Vec::new(),
            (true, false) => vec![together],
            (false, _) => alone.into_values().map(|one| [&together[..], &[one]].concat()).collect(),
        }
    }

    /// The options of a vector that differ from their defaults.
    pub fn settings(&self, vector: &Vector) -> Vec<Setting> {
        let changed = self.knobs.iter().zip(vector).filter(|(knob, value)| knob.default != **value);
        changed
            .filter_map(|(knob, &value)| {
                let text = knob.text(value)?;
                // Rounding may lead back to the default.
                (knob.text(knob.default).as_ref() != Some(&text))
                    .then(|| Setting { name: knob.name.clone(), value: text })
            })
            .collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn space() -> Space {
        let knob = |name: &str, kind: KnobKind, default: Value, alone: bool| Knob {
            name: name.to_owned(),
            kind,
            default,
            alone,
            unsupported: name == "strings",
        };
        let words = ["seq", "z3str3", "none"].map(str::to_owned).to_vec();
        Space::new(vec![
            knob("elim_and", KnobKind::Bool, Value::Bool(false), false),
            knob("arith.solver", KnobKind::Int { min: 0, max: 6 }, Value::Int(6), false),
            knob("restart", KnobKind::Real { min: 0.0, max: 8.0 }, Value::Real(1.5), false),
            knob("strings", KnobKind::Words(words), Value::Word(Some(0)), false),
            knob("first", KnobKind::Bool, Value::Bool(false), true),
            knob("second", KnobKind::Bool, Value::Bool(true), true),
            knob("large", KnobKind::Int { min: 0, max: u32::MAX as i64 }, Value::Int(100), false),
        ])
    }

    #[test]
    fn named_options_are_set_unless_they_must_not_be() {
        type Row<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str]);
        let table: [Row<'_>; 6] = [
            (&[], &[]),
            (&[("elim_and", "true"), ("restart", "2.5")], &["elim_and=true restart=2.500"]),
            (&[("arith.solver", "2"), ("arith.solver", "3")], &["arith.solver=3"]),
            // Defaults, values that an option does not take, and options that are unknown or unsupported.
            (
                &[
                    ("elim_and", "false"),
                    ("restart", "9"),
                    ("arith.solver", "x"),
                    ("no", "1"),
                    ("strings", "none"),
                ],
                &[],
            ),
            (&[("first", "true")], &["first=true"]),
            (
                &[("first", "true"), ("large", "5"), ("second", "false")],
                &["large=5 first=true", "large=5 second=false"],
            ),
        ];
        for (named, expected) in table {
            let named: Vec<(String, String)> =
                named.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let shown = |settings: Vec<Setting>| {
                let texts: Vec<String> =
                    settings.iter().map(|one| format!("{}={}", one.name, one.value)).collect();
                texts.join(" ")
            };
            let found: Vec<String> = space().configurations_with(&named).into_iter().map(shown).collect();
            assert_eq!(found, expected, "{named:?}");
        }
    }

    #[test]
    fn values_stay_in_their_ranges() {
        let (space, mut random) = (space(), Random::new(4));
        let mut vector = space.draw(4, &mut random);
        let mut changed = vec![0; space.knobs.len()];
        for _ in 0..3000 {
            let before = vector.clone();
            space.mutate(&mut vector, &mut random);
            for (at, value) in vector.iter().enumerate() {
                changed[at] += usize::from(*value != before[at]);
                match (&space.knobs[at].kind, value) {
                    (KnobKind::Bool, Value::Bool(_)) => {}
                    (KnobKind::Int { min, max }, Value::Int(value)) => assert!(min <= value && value <= max),
                    (KnobKind::Real { min, max }, Value::Real(value)) => {
                        assert!(min <= value && value <= max)
                    }
                    (KnobKind::Words(words), Value::Word(Some(at))) => assert!(*at < words.len()),
                    other => panic!("{other:?}"),
                }
            }
            let alone = space
                .settings(&vector)
                .iter()
                .filter(|one| one.name == "first" || one.name == "second")
                .count();
            assert!(alone <= 1);
        }
        // One change in seven is expected for each option; the same word may be drawn again.
        assert!(changed.iter().all(|count| *count > 150), "{changed:?}");
    }

    #[test]
    fn weights_are_a_bias_but_exclude_nothing() {
        let (space, mut random) = (space(), Random::new(6));
        let weights = [0.0, 0.1, 0.0, 0.3, 0.0, 0.0, 0.0];
        let at = |name: &str| space.knobs.iter().position(|knob| knob.name == name).unwrap();
        let weighted = space.weighted(4, |knob| weights[at(&knob.name)]);
        let mut drawn = vec![0; weights.len()];
        for _ in 0..7000 {
            drawn[weighted.draw_position(&mut random)] += 1;
        }
        // One draw in four is spread over all seven options; the others follow the weights.
        let expected = [250, 1562, 250, 4187, 250, 250, 250];
        let near =
            drawn.iter().zip(expected).all(|(&drawn, expected): (&i32, i32)| (drawn - expected).abs() < 150);
        assert!(near, "{drawn:?}");
        // Without any weight all options are equally likely.
        let unknown = space.weighted(4, |_| 0.0);
        let mut met: Vec<usize> = (0..200).map(|_| unknown.draw_position(&mut random)).collect();
        met.sort();
        met.dedup();
        assert_eq!(met.len(), 7);
        let mut vector = weighted.defaults();
        let mut changed = 0;
        for _ in 0..1000 {
            let before = vector.clone();
            weighted.mutate(&mut vector, &mut random);
            changed += vector.iter().zip(&before).filter(|(one, other)| one != other).count();
        }
        // About one change at a time, as without weights; the same word may be drawn again.
        assert!((500..1000).contains(&changed), "{changed}");
    }

    #[test]
    fn crossover_exchanges_the_tails() {
        let (space, mut random) = (space(), Random::new(2));
        let one = space.defaults();
        let other: Vector = space.knobs.iter().map(|knob| knob.other(&mut random)).collect();
        let mut points = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let (p, q) = space.crossover(&one, &other, &mut random);
            let point = p.iter().zip(&one).take_while(|(a, b)| a == b).count();
            assert!(
                p[point..] == other[point..] && q[..point] == other[..point] && q[point..] == one[point..]
            );
            points.insert(point);
        }
        assert_eq!(points.len(), space.knobs.len() + 1);
    }

    #[test]
    fn settings_are_the_options_that_differ_from_their_defaults() {
        let space = space();
        let mut vector = space.defaults();
        assert!(space.settings(&vector).is_empty());
        vector[1] = Value::Int(2);
        vector[2] = Value::Real(1.500_04);
        vector[3] = Value::Word(Some(1));
        let shown: Vec<String> =
            space.settings(&vector).iter().map(|one| format!("{}={}", one.name, one.value)).collect();
        assert_eq!(shown, ["arith.solver=2", "strings=z3str3"]);
    }
}
