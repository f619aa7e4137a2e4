//! Finds the first bad and the first good release.

use serde::{Deserialize, Serialize};

/// How many releases to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As few as bisection needs.
    Bisect,
    /// All of them, which also reveals a bug that was fixed and came back.
    All,
}

/// Whether a release shows a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It shows the bug.
    Bad,
    /// It answers correctly.
    Good,
    /// It gives up, refuses the script, or cannot be run.
    Unclear,
}

impl State {
    /// A word for tables.
    pub fn word(self) -> &'static str {
        match self {
            State::Bad => "bad",
            State::Good => "good",
            State::Unclear => "unclear",
        }
    }
}

/// The result of a search over releases, which are numbered from the oldest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The state of each release; `None` for those that were not tested.
    pub states: Vec<Option<State>>,
    /// The oldest release of the run of bad ones around the known bad one.
    pub first_bad: usize,
    /// The first good release after it; `None` if the newest is still bad or unclear.
    pub first_good: Option<usize>,
}

/// Finds the run of bad releases around `known`, which is bad. `probe` tests one release. Bisection assumes that a bug does not
/// come back after a fix.
pub fn search<E>(
    count: usize,
    known: usize,
    effort: Effort,
    probe: &mut dyn FnMut(usize) -> Result<State, E>,
) -> Result<Found, E> {
    let mut states = vec![None; count];
    states[known] = Some(State::Bad);
    let mut ask = |index: usize, states: &mut Vec<Option<State>>| match states[index] {
        Some(state) => Ok(state),
        None => {
            let state = probe(index)?;
            states[index] = Some(state);
            Ok(state)
        }
    };
    if effort == Effort::All {
        for index in 0..count {
            ask(index, &mut states)?;
        }
        let bad = |index: &usize| states[*index] == Some(State::Bad);
        let first_bad = (0..known).rev().take_while(bad).last().unwrap_or(known);
        let first_good = (known..count).find(|&index| states[index] == Some(State::Good));
        return Ok(Found { first_bad, first_good, states });
    }
    // The first bad release: `low` is not bad, `high` is.
    let mut high = known;
    if known > 0 && ask(0, &mut states)? == State::Bad {
        high = 0;
    } else {
        let mut low = 0;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if ask(middle, &mut states)? == State::Bad { high = middle } else { low = middle }
        }
    }
    let first_bad = high;
    // The first good release: `low` is bad, `high` is good.
    let newest = count - 1;
    if known == newest || ask(newest, &mut states)? != State::Good {
        return Ok(Found { states, first_bad, first_good: None });
    }
    let (mut low, mut high) = (known, newest);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if ask(middle, &mut states)? == State::Good { high = middle } else { low = middle }
    }
    Ok(Found { states, first_bad, first_good: Some(high) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Good, bad and unclear releases as letters; the known bad one is a capital.
    fn run(row: &str, effort: Effort) -> (usize, Option<usize>, usize) {
        let letters: Vec<char> = row.chars().collect();
        let known = letters.iter().position(|letter| *letter == 'B').unwrap();
        let mut probe = |index: usize| -> Result<State, ()> {
            Ok(match letters[index] {
                'g' => State::Good,
                'u' => State::Unclear,
                _ => State::Bad,
            })
        };
        let found = search(letters.len(), known, effort, &mut probe).unwrap();
        (found.first_bad, found.first_good, found.states.iter().flatten().count())
    }

    #[test]
    fn first_bad_and_first_good_releases_are_found() {
        let table = [
            ("ggbBbgg", 2, Some(5)),
            ("Bgggggg", 0, Some(1)),
            ("ggggggB", 6, None),
            ("B", 0, None),
            ("bbbBbbb", 0, None),
            ("gggBbbu", 3, None),
            ("uuuBbgg", 3, Some(5)),
            ("ggggggggbbBbbbggggggg", 8, Some(14)),
        ];
        for (row, first_bad, first_good) in table {
            let (bad, good, _) = run(row, Effort::Bisect);
            assert_eq!((bad, good), (first_bad, first_good), "{row}");
            let (bad, good, asked) = run(row, Effort::All);
            assert_eq!((bad, good, asked), (first_bad, first_good, row.len()), "{row}");
        }
    }

    #[test]
    fn bisection_tests_few_releases() {
        let row = format!("{}B{}", "g".repeat(40), "b".repeat(10) + &"g".repeat(40));
        assert!(run(&row, Effort::Bisect).2 < 16);
        // Only testing all releases shows that the bug came back.
        assert_eq!(run("bgBggbg", Effort::All).0, 2);
    }
}
