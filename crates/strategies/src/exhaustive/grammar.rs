//! A grammar, and its terms by size and number.

use smt::Span;
use smt::sexpr::{Sexpr, read_all};

/// The grammars, in the order in which they take turns.
const GRAMMARS: &str = include_str!("grammars.smt2");

/// A part of a production.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A term of the nonterminal with this index.
    Hole(usize),
}

/// A production. Its size is one more than that of the terms in its holes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Production {
    parts: Vec<Part>,
    holes: Vec<usize>,
}

/// The grammar of a theory.
#[derive(Clone, Debug)]
pub(super) struct Grammar {
    pub name: String,
    /// The declarations of every script, one per line.
    pub declarations: String,
    /// The productions of each nonterminal. Formulas come from the first one.
    nonterminals: Vec<Vec<Production>>,
    /// The number of terms of each nonterminal, by size.
    counts: Vec<Vec<u128>>,
}

impl Grammar {
    /// All grammars, with the terms up to a size counted.
    pub fn all(largest: usize) -> Vec<Grammar> {
        let read = read_all(GRAMMARS).unwrap_or_default();
        read.iter().filter_map(|one| Grammar::read(GRAMMARS, one, largest)).collect()
    }

    fn read(text: &str, one: &Sexpr, largest: usize) -> Option<Grammar> {
        let [name, declarations, rules @ ..] = one.list()? else { return None };
        let of = |span: Span| &text[span.start as usize..span.end as usize];
        let names: Vec<&str> = rules.iter().filter_map(|rule| rule.list()?.first()?.atom()).collect();
        let production = |body: &Sexpr| {
            let mut found = Production { parts: Vec::new(), holes: Vec::new() };
            let (from, to) = (body.span().start as usize, body.span().end as usize);
            let mut end = from;
            let mut waiting = vec![body];
            while let Some(next) = waiting.pop() {
                if let Some(list) = next.list() {
                    waiting.extend(list.iter().rev());
                } else if let Some(hole) = names.iter().position(|name| *name == of(next.span())) {
                    found.parts.push(Part::Text(text[end..next.span().start as usize].to_owned()));
                    found.parts.push(Part::Hole(hole));
                    found.holes.push(hole);
                    end = next.span().end as usize;
                }
            }
            found.parts.push(Part::Text(text[end..to].to_owned()));
            found
        };
        let nonterminals: Vec<Vec<Production>> = rules
            .iter()
            .map(|rule| rule.list().unwrap_or_default()[1..].iter().map(production).collect())
            .collect();
        let lines = declarations.list()?.iter().map(|line| format!("{}\n", of(line.span())));
        let mut grammar = Grammar {
            name: name.atom()?.to_owned(),
            declarations: lines.collect(),
            counts: vec![vec![0]; nonterminals.len()],
            nonterminals,
        };
        for size in 1..=largest {
            let count = |productions: &Vec<Production>| {
                productions.iter().map(|one| grammar.ways(&one.holes, size - 1)).sum()
            };
            let counts: Vec<u128> = grammar.nonterminals.iter().map(count).collect();
            grammar.counts.iter_mut().zip(counts).for_each(|(all, count)| all.push(count));
        }
        Some(grammar)
    }

    /// The number of ways to fill holes with terms of a total size.
    fn ways(&self, holes: &[usize], total: usize) -> u128 {
        match holes {
            [] => u128::from(total == 0),
            [first, rest @ ..] => {
                (1..=total).map(|size| self.counts[*first][size] * self.ways(rest, total - size)).sum()
            }
        }
    }

    /// The number of formulas of a size.
    pub fn formulas(&self, size: usize) -> u128 {
        self.counts[0].get(size).copied().unwrap_or(0)
    }

    /// The formula of a size with this number, which is less than their number.
    pub fn formula(&self, size: usize, number: u128) -> String {
        let mut text = String::new();
        self.write(0, size, number, &mut text);
        text
    }

    /// Writes a term of a nonterminal. The depth is bounded by the size.
    fn write(&self, nonterminal: usize, size: usize, mut number: u128, text: &mut String) {
        for production in &self.nonterminals[nonterminal] {
            let ways = self.ways(&production.holes, size - 1);
            if number >= ways {
                number -= ways;
                continue;
            }
            let mut left = size - 1;
            let mut open = &production.holes[..];
            for part in &production.parts {
                match part {
                    Part::Text(part) => text.push_str(part),
                    Part::Hole(hole) => {
                        open = &open[1..];
                        let (own, first) = self.part_of(*hole, open, left, &mut number);
                        left -= own;
                        self.write(*hole, own, first, text);
                    }
                }
            }
            return;
        }
    }

    /// The size and number of the term in the first hole. `number` becomes that of the terms in the others.
    fn part_of(&self, hole: usize, others: &[usize], total: usize, number: &mut u128) -> (usize, u128) {
        for size in 1..=total {
            let rest = self.ways(others, total - size);
            let ways = self.counts[hole][size] * rest;
            if *number < ways {
                let first = *number / rest;
                *number %= rest;
                return (size, first);
            }
            *number -= ways;
        }
        (1, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Arena, parse_script};
    use std::collections::BTreeSet;

    #[test]
    fn every_number_is_another_well_typed_formula() {
        let grammars = Grammar::all(4);
        assert_eq!(grammars.len(), 12);
        for grammar in grammars {
            let mut seen = BTreeSet::new();
            for size in 1..=4 {
                let count = grammar.formulas(size);
                // All small formulas, and a sample of the larger ones.
                let step = (count / 300).max(1) | 1;
                for number in (0..count).step_by(step as usize) {
                    let formula = grammar.formula(size, number);
                    let script = format!("{}(assert {formula})\n(check-sat)\n", grammar.declarations);
                    let read = parse_script(&mut Arena::default(), &script);
                    assert!(read.is_ok(), "{}: {:?}\n{script}", grammar.name, read.err());
                    assert!(seen.insert(formula), "{}: {script}", grammar.name);
                }
            }
        }
    }

    #[test]
    fn formulas_come_by_size() {
        let grammars = Grammar::all(3);
        let core = &grammars[0];
        // p, q and true; the negations of these; four binary connectives and equality, and negations of negations.
        assert_eq!([1, 2, 3].map(|size| core.formulas(size)), [3, 3, 5 * 9 + 3]);
        let table =
            [(1, 0, "p"), (1, 2, "true"), (2, 1, "(not q)"), (3, 0, "(not (not p))"), (3, 3, "(and p p)")];
        for (size, number, expected) in table {
            assert_eq!(core.formula(size, number), expected);
        }
    }
}
