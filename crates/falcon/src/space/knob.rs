//! An option of a solver: the values it takes, and how a value changes.

use strategies::Random;

/// The values that an option takes.
#[derive(Clone, Debug, PartialEq)]
pub enum KnobKind {
    /// True or false.
    Bool,
    /// An integer.
    Int {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// A decimal.
    Real {
        /// The smallest value.
        min: f64,
        /// The largest value.
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
    /// The value if it is not set.
    pub default: Value,
    /// Whether at most one option like this may be set in a run.
    pub alone: bool,
    /// Whether the maintainers take no reports for it.
    pub unsupported: bool,
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
    /// Of a [`KnobKind::Words`]: the position in the list; `None` for a default that is not in the list.
    Word(Option<usize>),
}

/// An option with a value other than its default.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    /// The option.
    pub name: String,
    /// The value as solvers parse it.
    pub value: String,
}

/// The largest step of an integer option, as a power of two.
const WIDEST: u64 = 8;

/// Up to this size, the range of an integer option is treated as a list of choices.
const SMALL_RANGE: i64 = 16;

impl Knob {
    /// A value as solvers parse it; `None` for a default that is not among the words.
    pub fn text(&self, value: Value) -> Option<String> {
        match (&self.kind, value) {
            (_, Value::Bool(value)) => Some(value.to_string()),
            (_, Value::Int(value)) => Some(value.to_string()),
            // Three digits are enough for any threshold and print the same on every machine.
            (_, Value::Real(value)) => Some(format!("{value:.3}")),
            (KnobKind::Words(words), Value::Word(Some(word))) => words.get(word).cloned(),
            (_, Value::Word(_)) => None,
        }
    }

    /// The value with this text, if the option takes it.
    pub fn value(&self, text: &str) -> Option<Value> {
        match &self.kind {
            KnobKind::Bool => text.parse().ok().map(Value::Bool),
            KnobKind::Int { min, max } => {
                text.parse().ok().filter(|value| (min..=max).contains(&value)).map(Value::Int)
            }
            KnobKind::Real { min, max } => {
                text.parse().ok().filter(|value| (min..=max).contains(&value)).map(Value::Real)
            }
            KnobKind::Words(words) => {
                words.iter().position(|word| word == text).map(|word| Value::Word(Some(word)))
            }
        }
    }

    /// A random value other than the default, if there is one.
    pub fn other(&self, random: &mut Random) -> Value {
        match (&self.kind, self.default) {
            (KnobKind::Bool, Value::Bool(default)) => Value::Bool(!default),
            (KnobKind::Int { min, max }, Value::Int(default)) => {
                // In large ranges, values near the default and near the minimum matter most.
                let drawn = if max.saturating_sub(*min) <= SMALL_RANGE || random.chance(1, 4) {
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
                let others: Vec<usize> = (0..words.len()).filter(|word| Some(*word) != default).collect();
                random.pick(&others).map_or(self.default, |word| Value::Word(Some(*word)))
            }
            _ => self.default,
        }
    }

    /// A random step up or down from a value, within the range.
    fn moved(&self, from: i64, random: &mut Random) -> i64 {
        let KnobKind::Int { min, max } = self.kind else { return from };
        let widest = 1i64 << random.below(WIDEST);
        let delta = random.between(1, widest);
        let to = if random.chance(1, 2) { from.saturating_add(delta) } else { from.saturating_sub(delta) };
        to.clamp(min, max)
    }

    /// Mutates a value: negation, a random step, polynomial mutation or another word, by kind.
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

/// Polynomial mutation with distribution index 15. Its sixteenth root is four square roots, which are exact on every
/// machine.
fn polynomial(value: f64, min: f64, max: f64, drawn: f64) -> f64 {
    let root = |x: f64| x.sqrt().sqrt().sqrt().sqrt();
    let moved = if drawn < 0.5 {
        value + (root(2.0 * drawn) - 1.0) * (value - min)
    } else {
        value + (1.0 - root(2.0 * (1.0 - drawn))) * (max - value)
    };
    moved.clamp(min, max)
}

#[cfg(test)]
mod tests {
    use super::super::tests::space;
    use super::*;

    #[test]
    fn another_value_is_never_the_default() {
        let (space, mut random) = (space(), Random::new(9));
        for knob in &space.knobs {
            for _ in 0..200 {
                assert_ne!(knob.other(&mut random), knob.default, "{}", knob.name);
            }
        }
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
