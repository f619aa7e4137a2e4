//! What the paper leaves open: wrong `sat` answers. The core of an unsatisfiable seed stays as it is, everything else changes at
//! will, and what comes out is unsatisfiable still.

use super::generate::Generator;
use super::witness::not_one_question;
use crate::draft::{Draft, Place};
use crate::random::Random;
use crate::strategy::{Mutator, Seed, Unfit};
use case::{Case, Expectation};
use smt::{Arena, Signatures, Sort, parse_script};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many mutations follow one another before the seed is taken up again.
const CHAIN: usize = 20;
/// How many attempts are made before a formula is given up.
const ATTEMPTS: usize = 60;
/// The most assertions that a chain adds.
const MOST_ASSERTIONS: usize = 4;
/// How many choices a new term has before only variables and constants are taken.
const BOUND: u32 = 5;

/// The name of an assertion in a question for a core.
pub(super) fn core_name(number: usize) -> String {
    format!("elenchus-core-{number}")
}

/// The numbers of the assertions in a core, as a solver printed it.
fn core_numbers(text: &str) -> BTreeSet<usize> {
    text.split(|c: char| c.is_whitespace() || "()|".contains(c))
        .filter_map(|word| word.strip_prefix("elenchus-core-")?.parse().ok())
        .collect()
}

/// An unsatisfiable seed under work.
pub(super) struct UnsatMutator {
    signatures: Arc<Signatures>,
    seed: Seed,
    solvers: Vec<String>,
    random: Random,
    draft: Draft,
    generator: Generator,
    /// The assertions that stay, by the number of their root.
    kept: BTreeSet<usize>,
    reason: String,
    place: Place,
}

impl UnsatMutator {
    pub fn open(signatures: &Arc<Signatures>, seed: &Seed, random: Random) -> Result<UnsatMutator, Unfit> {
        let script = parse_script(&mut Arena::new(signatures.clone()), &seed.text)
            .map_err(|_| Unfit("the script cannot be read".to_owned()))?;
        if let Some(reason) = not_one_question(&script) {
            return Err(Unfit(reason.to_owned()));
        }
        let unsat: Vec<&crate::strategy::Learned> =
            seed.learned.iter().filter(|learned| learned.sat == Some(false)).collect();
        // Without a core every assertion stays, and new ones come in beside them.
        let core = unsat.iter().find_map(|learned| {
            let numbers = core_numbers(&learned.text);
            (!numbers.is_empty()).then_some((numbers, learned.solver.clone()))
        });
        let mut solvers: Vec<String> = unsat.iter().map(|learned| learned.solver.clone()).collect();
        solvers.sort();
        solvers.dedup();
        let (mut draft, generator) = start(signatures, seed, &solvers)?;
        let assertions: Vec<usize> =
            (0..draft.roots().len()).filter(|&root| draft.is_assertion(root)).collect();
        let definitions = (0..draft.roots().len()).filter(|&root| !draft.is_assertion(root));
        let mut kept: BTreeSet<usize> = definitions.collect();
        let reason = match &core {
            Some((numbers, solver)) => {
                kept.extend(numbers.iter().filter_map(|&number| assertions.get(number)));
                format!(
                    "{} of the seed's {} assertions stand as they were, which {solver} names as an unsatisfiable core",
                    numbers.len(),
                    assertions.len()
                )
            }
            None => {
                kept.extend(&assertions);
                format!(
                    "all assertions of the seed stand as they were, which is unsat by {}",
                    solvers.join(" and ")
                )
            }
        };
        draft.restart();
        let place = Place::default();
        let (signatures, seed) = (signatures.clone(), seed.clone());
        Ok(UnsatMutator { signatures, seed, solvers, random, draft, generator, kept, reason, place })
    }

    fn mutate(&mut self) -> bool {
        if self.random.chance(1, 4) {
            return self.assert_more();
        }
        if !self.draft.choose(&mut self.random, &mut self.place)
            || self.place.values_only
            || self.kept.contains(&self.place.root)
        {
            return false;
        }
        let old = self.place.term();
        let sort = self.draft.arena.sort(old);
        let made = self.generator.term(&mut self.draft, &self.place, sort, BOUND, &mut self.random);
        made.is_some_and(|new| new != old && self.draft.replace(&self.place, new, "replace"))
    }

    fn assert_more(&mut self) -> bool {
        let places = self.draft.assertion_places();
        if places == 0 || self.draft.added_assertions() >= MOST_ASSERTIONS {
            return false;
        }
        let at = self.random.index(places);
        let Some(place) = self.draft.assertion_place(at) else { return false };
        let made = self.generator.term(&mut self.draft, &place, Sort::BOOL, BOUND, &mut self.random);
        made.is_some_and(|term| self.draft.add_assertion(at, term))
    }
}

fn start(signatures: &Arc<Signatures>, seed: &Seed, solvers: &[String]) -> Result<(Draft, Generator), Unfit> {
    let mut draft = Draft::open(signatures, seed)?;
    let generator = Generator::new(&mut draft, solvers);
    Ok((draft, generator))
}

impl Mutator for UnsatMutator {
    fn next_case(&mut self) -> Option<Case> {
        if self.draft.steps() >= CHAIN && self.draft.restart() {
            (self.draft, self.generator) = start(&self.signatures, &self.seed, &self.solvers).ok()?;
        }
        if !(0..ATTEMPTS).any(|_| self.mutate()) {
            self.draft.restart();
            if !(0..ATTEMPTS).any(|_| self.mutate()) {
                return None;
            }
        }
        let mut case = self.draft.case();
        case.expectation = Expectation::Unsat { reason: self.reason.clone() };
        Some(case)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_read() {
        let table: [(&str, &[usize]); 4] = [
            ("(elenchus-core-0 elenchus-core-12)", &[0, 12]),
            ("(\n|elenchus-core-3|\n)", &[3]),
            ("(a b)", &[]),
            ("", &[]),
        ];
        for (text, numbers) in table {
            assert_eq!(core_numbers(text), numbers.iter().copied().collect(), "{text}");
        }
    }
}
