//! Mutants that are unsatisfiable by construction, which the paper leaves open.
//!
//! The unsat core of the seed stays and everything else changes at will, so the mutant is unsatisfiable, too.

use super::generate::Generator;
use crate::api::{Mutator, Unsuitable};
use crate::kit::draft::{Draft, Position};
use crate::kit::evaluation::not_one_question;
use crate::kit::random::Random;
use case::{Case, Expectation, Seed};
use smt::{Arena, Signatures, Sort, parse_script};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of mutations before a chain returns to the seed.
const CHAIN: usize = 20;
/// The number of attempts at a mutation.
const ATTEMPTS: usize = 60;
/// The maximum number of assertions that a chain adds.
const MOST_ASSERTIONS: usize = 4;
/// The number of choices in a new term before only variables and constants are used.
const BOUND: u32 = 5;

/// The name of an assertion when a core is requested.
pub(super) fn core_name(number: usize) -> String {
    format!("elenchus-core-{number}")
}

/// The indices of the assertions in a printed core.
fn core_numbers(text: &str) -> BTreeSet<usize> {
    text.split(|c: char| c.is_whitespace() || "()|".contains(c))
        .filter_map(|word| word.strip_prefix("elenchus-core-")?.parse().ok())
        .collect()
}

/// Mutates an unsatisfiable seed.
pub(super) struct UnsatMutator {
    signatures: Arc<Signatures>,
    seed: Seed,
    solvers: Vec<String>,
    random: Random,
    draft: Draft,
    generator: Generator,
    /// The roots that must not change.
    kept: BTreeSet<usize>,
    reason: String,
    position: Position,
}

impl UnsatMutator {
    pub fn open(
        signatures: &Arc<Signatures>,
        seed: &Seed,
        random: Random,
    ) -> Result<UnsatMutator, Unsuitable> {
        let script = parse_script(&mut Arena::new(signatures.clone()), &seed.text)
            .map_err(|_| Unsuitable("the script does not parse".to_owned()))?;
        if let Some(reason) = not_one_question(&script) {
            return Err(Unsuitable(reason.to_owned()));
        }
        let unsat: Vec<&case::Learned> =
            seed.learned.iter().filter(|learned| learned.sat == Some(false)).collect();
        // Without a core, all assertions stay, and new ones are added.
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
                    "the {} of {} assertions that {solver} reports as an unsat core are unchanged",
                    numbers.len(),
                    assertions.len()
                )
            }
            None => {
                kept.extend(&assertions);
                format!(
                    "all assertions of the seed are unchanged, and it is unsat by {}",
                    solvers.join(" and ")
                )
            }
        };
        draft.restart();
        let position = Position::default();
        let (signatures, seed) = (signatures.clone(), seed.clone());
        Ok(UnsatMutator { signatures, seed, solvers, random, draft, generator, kept, reason, position })
    }

    fn mutate(&mut self) -> bool {
        if self.random.chance(1, 4) {
            return self.add_assertion();
        }
        if !self.draft.choose(&mut self.random, &mut self.position)
            || self.position.values_only
            || self.kept.contains(&self.position.root)
        {
            return false;
        }
        let old = self.position.term();
        let sort = self.draft.arena.sort(old);
        let made = self.generator.term(&mut self.draft, &self.position, sort, BOUND, &mut self.random);
        made.is_some_and(|new| new != old && self.draft.replace(&self.position, new, "replace"))
    }

    fn add_assertion(&mut self) -> bool {
        let slots = self.draft.assertion_slots();
        if slots == 0 || self.draft.added_assertions() >= MOST_ASSERTIONS {
            return false;
        }
        let at = self.random.index(slots);
        let Some(position) = self.draft.assertion_slot(at) else { return false };
        let made = self.generator.term(&mut self.draft, &position, Sort::BOOL, BOUND, &mut self.random);
        made.is_some_and(|term| self.draft.add_assertion(at, term))
    }
}

fn start(
    signatures: &Arc<Signatures>,
    seed: &Seed,
    solvers: &[String],
) -> Result<(Draft, Generator), Unsuitable> {
    let mut draft = Draft::open(signatures, seed)?;
    let generator = Generator::new(&mut draft, solvers, true);
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
