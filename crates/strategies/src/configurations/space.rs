//! The space of configurations: options with their values, vectors of values, and the ways in which vectors change.

use crate::random::Random;

/// What values an option takes.
#[derive(Clone, Debug, PartialEq)]
pub enum KnobKind {
    /// True or false.
    Bool,
    /// A whole number.
    Int {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A number with a fraction.
    Real {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// One of these words.
    Words(Vec<String>),
}

/// An option that may be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// Its name.
    pub name: String,
    /// The values it takes.
    pub kind: KnobKind,
    /// Its value if nobody sets it.
    pub default: Value,
    /// Whether at most one option of this sort may be set in a run.
    pub alone: bool,
}

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of a [`KnobKind::Bool`].
    Bool(bool),
    /// Of a [`KnobKind::Int`].
    Int(i64),
    /// Of a [`KnobKind::Real`].
    Real(f64),
    /// Of a [`KnobKind::Words`]: the place in the list; nothing for a default that is not in the list.
    Word(Option<usize>),
}

/// A value for each option of a list.
pub type Vector = Vec<Value>;

/// An option with a value that is not its default.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    /// The option.
    pub name: String,
    /// The value, as solvers read it.
    pub value: String,
}

/// How far from its default an option is drawn at first, in powers of two.
const WIDEST: u64 = 8;

impl Knob {
    /// A value as solvers read it; nothing for a default that is not among the words.
    pub fn text(&self, value: Value) -> Option<String> {
        match (&self.kind, value) {
            (_, Value::Bool(value)) => Some(value.to_string()),
            (_, Value::Int(value)) => Some(value.to_string()),
            // Three digits are enough for any threshold, and print the same on every machine.
            (_, Value::Real(value)) => Some(format!("{value:.3}")),
            (KnobKind::Words(words), Value::Word(Some(at))) => words.get(at).cloned(),
            (_, Value::Word(_)) => None,
        }
    }

    /// A value that is not the default, if there is another.
    pub fn other(&self, random: &mut Random) -> Value {
        match (&self.kind, self.default) {
            (KnobKind::Bool, Value::Bool(default)) => Value::Bool(!default),
            (KnobKind::Int { min, max }, Value::Int(default)) => {
                // Small ranges are lists of choices; in large ones what lies near the default and the ends matters.
                let drawn = if max.saturating_sub(*min) <= 16 || random.chance(1, 4) {
                    random.between(*min, (*max).min(min.saturating_add(64)))
                } else {
                    self.moved(default, random)
                };
                match drawn == default {
                    true if default < *max => Value::Int(default + 1),
                    true => Value::Int(*min),
                    false => Value::Int(drawn),
                }
            }
            (KnobKind::Real { min, max }, Value::Real(default)) => {
                let choices = [0.0, 0.5, 1.0, 2.0, default * 2.0, default / 2.0, *min, *max];
                let drawn = choices[random.index(choices.len())].clamp(*min, *max);
                if drawn == default {
                    Value::Real((default + 1.0).clamp(*min, *max))
                } else {
                    Value::Real(drawn)
                }
            }
            (KnobKind::Words(words), Value::Word(default)) => {
                let others: Vec<usize> = (0..words.len()).filter(|at| Some(*at) != default).collect();
                random.pick(&others).map_or(self.default, |at| Value::Word(Some(*at)))
            }
            _ => self.default,
        }
    }

    /// A whole number some way up or down, within the range.
    fn moved(&self, from: i64, random: &mut Random) -> i64 {
        let KnobKind::Int { min, max } = self.kind else { return from };
        let far = 1i64 << random.below(WIDEST);
        let delta = random.between(1, far);
        let to = if random.chance(1, 2) { from.saturating_add(delta) } else { from.saturating_sub(delta) };
        to.clamp(min, max)
    }

    /// The mutation of its type: negation, a random delta, polynomial mutation, another word.
    pub fn mutated(&self, value: Value, random: &mut Random) -> Value {
        match (&self.kind, value) {
            (KnobKind::Bool, Value::Bool(value)) => Value::Bool(!value),
            (KnobKind::Int { .. }, Value::Int(value)) => Value::Int(self.moved(value, random)),
            (KnobKind::Real { min, max }, Value::Real(value)) => {
                Value::Real(polynomial(value, *min, *max, random.unit()))
            }
            (KnobKind::Words(words), Value::Word(_)) => Value::Word(Some(random.index(words.len()))),
            _ => value,
        }
    }
}

/// Polynomial mutation with the distribution index 15: the sixteenth root is four square roots, which every machine computes
/// alike.
fn polynomial(value: f64, min: f64, max: f64, drawn: f64) -> f64 {
    let root = |x: f64| x.sqrt().sqrt().sqrt().sqrt();
    let moved = if drawn < 0.5 {
        value + (root(2.0 * drawn) - 1.0) * (value - min)
    } else {
        value + (1.0 - root(2.0 * (1.0 - drawn))) * (max - value)
    };
    moved.clamp(min, max)
}

/// The options of a solver that a search may set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// The options.
    pub knobs: Vec<Knob>,
    /// The running sums of their weights, where some of them are to be changed rather than others.
    sums: Vec<f64>,
}

/// Of so many options that are changed one is drawn from all, whatever their weights: weights may be wrong.
const FREELY: u64 = 4;

impl Space {
    /// A space of options.
    pub fn new(knobs: Vec<Knob>) -> Space {
        Space { knobs, sums: Vec::new() }
    }

    /// The space of those of its options that `keep` says.
    pub fn restricted(&self, keep: impl Fn(&Knob) -> bool) -> Space {
        Space::new(self.knobs.iter().filter(|knob| keep(knob)).cloned().collect())
    }

    /// The same space, in which options are changed by their weights, most of the time.
    pub fn weighted(&self, weight: impl Fn(&Knob) -> f64) -> Space {
        let sum = |sum: &mut f64, knob: &Knob| {
            *sum += weight(knob);
            Some(*sum)
        };
        Space { knobs: self.knobs.clone(), sums: self.knobs.iter().scan(0.0, sum).collect() }
    }

    /// Whether an option that another case had changed is to be changed for this one: always if it has a weight, and freely else.
    pub(super) fn keeps(&self, at: usize, random: &mut Random) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.sums.get(before)).copied().unwrap_or(0.0);
        self.sums.get(at).is_none_or(|sum| *sum > before) || random.chance(1, FREELY)
    }

    /// The place of an option to be changed.
    fn place(&self, random: &mut Random) -> usize {
        match self.sums.last() {
            Some(&total) if total > 0.0 && !random.chance(1, FREELY) => {
                let drawn = random.unit() * total;
                self.sums.partition_point(|sum| *sum <= drawn).min(self.knobs.len() - 1)
            }
            _ => random.index(self.knobs.len()),
        }
    }

    /// All defaults.
    pub fn defaults(&self) -> Vector {
        self.knobs.iter().map(|knob| knob.default).collect()
    }

    /// A vector in which about `count` options have another value than their default.
    pub fn draw(&self, count: u64, random: &mut Random) -> Vector {
        let mut vector = self.defaults();
        if self.knobs.is_empty() {
            return vector;
        }
        for _ in 0..1 + random.below(count.max(1)) {
            let at = self.place(random);
            vector[at] = self.knobs[at].other(random);
        }
        self.repair(&mut vector, random);
        vector
    }

    /// Two vectors that exchange what follows a random point.
    pub fn crossover(&self, one: &Vector, other: &Vector, random: &mut Random) -> (Vector, Vector) {
        let point = random.index(one.len().min(other.len()) + 1);
        let join = |head: &Vector, tail: &Vector| -> Vector {
            head.iter().take(point).chain(tail.iter().skip(point)).copied().collect()
        };
        (join(one, other), join(other, one))
    }

    /// Changes each value with probability one in the length of the vector; by weights, if there are any, as many of them.
    pub fn mutate(&self, vector: &mut Vector, random: &mut Random) {
        let length = self.knobs.len();
        for at in 0..length {
            if random.chance(1, length as u64) {
                let at = if self.sums.is_empty() { at } else { self.place(random) };
                vector[at] = self.knobs[at].mutated(vector[at], random);
            }
        }
        self.repair(vector, random);
    }

    /// Leaves at most one of the options that may only stand alone.
    fn repair(&self, vector: &mut Vector, random: &mut Random) {
        let mut alone: Vec<usize> = (0..vector.len())
            .filter(|&at| self.knobs[at].alone && vector[at] != self.knobs[at].default)
            .collect();
        if alone.len() > 1 {
            random.shuffle(&mut alone);
            for &at in &alone[1..] {
                vector[at] = self.knobs[at].default;
            }
        }
    }

    /// What a vector sets: the options whose values are not their defaults.
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
pub(super) mod tests {
    use super::*;

    pub(crate) fn space() -> Space {
        let knob = |name: &str, kind: KnobKind, default: Value, alone: bool| Knob {
            name: name.to_owned(),
            kind,
            default,
            alone,
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
        // One in seven is expected of each; a word may be drawn again.
        assert!(changed.iter().all(|count| *count > 150), "{changed:?}");
    }

    #[test]
    fn weights_are_a_bias_and_no_ban() {
        let (space, mut random) = (space(), Random::new(6));
        let weights = [0.0, 0.1, 0.0, 0.3, 0.0, 0.0, 0.0];
        let at = |name: &str| space.knobs.iter().position(|knob| knob.name == name).unwrap();
        let weighted = space.weighted(|knob| weights[at(&knob.name)]);
        let mut drawn = vec![0; weights.len()];
        for _ in 0..7000 {
            drawn[weighted.place(&mut random)] += 1;
        }
        // One in four is spread over all seven, the rest goes by the weights.
        let expected = [250, 1562, 250, 4187, 250, 250, 250];
        let near =
            drawn.iter().zip(expected).all(|(&drawn, expected): (&i32, i32)| (drawn - expected).abs() < 150);
        assert!(near, "{drawn:?}");
        // Where nothing is known all are alike.
        let unknown = space.weighted(|_| 0.0);
        let mut met: Vec<usize> = (0..200).map(|_| unknown.place(&mut random)).collect();
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
        // About one at a time, as without weights; a word may be drawn again.
        assert!((500..1000).contains(&changed), "{changed}");
    }

    #[test]
    fn another_value_is_never_the_default() {
        let (space, mut random) = (space(), Random::new(9));
        for knob in &space.knobs {
            for _ in 0..200 {
                assert_ne!(knob.other(&mut random), knob.default, "{}", knob.name);
            }
        }
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
    fn settings_name_what_differs() {
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

    /// Replay depends on these numbers.
    #[test]
    fn polynomial_mutation_is_fixed() {
        let moved: Vec<String> = [0.0, 0.2, 0.5, 0.8, 0.999]
            .iter()
            .map(|u| format!("{:.6}", polynomial(1.5, 0.0, 8.0, *u)))
            .collect();
        assert_eq!(moved, ["0.000000", "1.416511", "1.500000", "1.861785", "3.592141"]);
    }
}
