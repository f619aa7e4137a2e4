//! The row of releases: which are wrong, which was the first to be, which is right again.

/// What a release does with a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It shows the bug.
    Bad,
    /// It does what is right.
    Good,
    /// Neither: it gives up, refuses, or cannot be run.
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

/// The releases that were looked at, by their place in the row, and what follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What each release that was looked at does; nothing for the others.
    pub states: Vec<Option<State>>,
    /// The first release of the run of bad ones that the known bad one belongs to.
    pub first_bad: usize,
    /// The first good release after it; nothing if the newest is still bad or unclear.
    pub first_good: Option<usize>,
}

/// Looks for the borders of the run of bad releases around `known`, which is bad. `probe` says what the release at a place does.
/// With `all`, every release is looked at; otherwise the borders are found by halving, as if releases did not relapse.
pub fn bisect<E>(
    count: usize,
    known: usize,
    all: bool,
    probe: &mut dyn FnMut(usize) -> Result<State, E>,
) -> Result<Row, E> {
    let mut states = vec![None; count];
    states[known] = Some(State::Bad);
    let mut ask = |place: usize, states: &mut Vec<Option<State>>| match states[place] {
        Some(state) => Ok(state),
        None => {
            let state = probe(place)?;
            states[place] = Some(state);
            Ok(state)
        }
    };
    if all {
        for place in 0..count {
            ask(place, &mut states)?;
        }
        let bad = |place: &usize| states[*place] == Some(State::Bad);
        let first_bad = (0..known).rev().take_while(bad).last().unwrap_or(known);
        let first_good = (known..count).find(|&place| states[place] == Some(State::Good));
        return Ok(Row { first_bad, first_good, states });
    }
    // The lower border: `low` is not bad, `high` is.
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
    // The upper border: `low` is bad, `high` is good.
    let newest = count - 1;
    if known == newest || ask(newest, &mut states)? != State::Good {
        return Ok(Row { states, first_bad, first_good: None });
    }
    let (mut low, mut high) = (known, newest);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if ask(middle, &mut states)? == State::Good { high = middle } else { low = middle }
    }
    Ok(Row { states, first_bad, first_good: Some(high) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Good, bad and unclear releases as letters; the known bad one is a capital.
    fn run(row: &str, all: bool) -> (usize, Option<usize>, usize) {
        let letters: Vec<char> = row.chars().collect();
        let known = letters.iter().position(|letter| *letter == 'B').unwrap();
        let mut probe = |place: usize| -> Result<State, ()> {
            Ok(match letters[place] {
                'g' => State::Good,
                'u' => State::Unclear,
                _ => State::Bad,
            })
        };
        let found = bisect(letters.len(), known, all, &mut probe).unwrap();
        (found.first_bad, found.first_good, found.states.iter().flatten().count())
    }

    #[test]
    fn borders_are_found() {
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
            let (bad, good, _) = run(row, false);
            assert_eq!((bad, good), (first_bad, first_good), "{row}");
            let (bad, good, asked) = run(row, true);
            assert_eq!((bad, good, asked), (first_bad, first_good, row.len()), "{row}");
        }
    }

    #[test]
    fn halving_asks_few() {
        let row = format!("{}B{}", "g".repeat(40), "b".repeat(10) + &"g".repeat(40));
        assert!(run(&row, false).2 < 16);
        // A relapse is only seen by looking at all.
        assert_eq!(run("bgBggbg", true).0, 2);
    }
}
