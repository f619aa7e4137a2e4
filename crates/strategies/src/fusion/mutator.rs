//! Makes cases from a group of formulas.

use super::formula::{Formula, replaced};
use super::functions::fusion;
use super::{FusionSettings, Hopeless, MARK};
use crate::api::{LiveQuestion, Mutator, Questioner, Recorded, Unsuitable};
use crate::kit::random::Random;
use case::{Case, Expectation, Seed, Step};
use smt::{Arena, Signatures, parse_script};
use std::sync::{Arc, PoisonError};

/// The number of attempts at a case.
const ATTEMPTS: usize = 20;
/// The question about a formula is asked with this random seed.
const RANDOM_SEED: u32 = 0;

/// What is known of a formula.
#[derive(Clone, PartialEq, Eq)]
enum Status {
    /// Nobody was asked.
    Unasked,
    /// It is satisfiable, with this model, which has the names of the formula.
    Sat(String),
    /// It is unsatisfiable, by this solver.
    Unsat(String),
    /// No solver answered.
    Unknown,
}

/// Makes cases from a group of formulas.
pub(super) struct FusionMutator {
    signatures: Arc<Signatures>,
    settings: FusionSettings,
    random: Random,
    formulas: Vec<Formula>,
    statuses: Vec<Status>,
    recorded: Recorded,
    hopeless: Hopeless,
}

impl FusionMutator {
    pub fn open(
        signatures: &Arc<Signatures>,
        settings: &FusionSettings,
        seed: &Seed,
        mut random: Random,
        hopeless: Hopeless,
    ) -> Result<FusionMutator, Unsuitable> {
        let mut formulas = Vec::new();
        let scripts = seed.text.split(MARK).filter_map(|part| part.split_once('\n'));
        let mut waiting: Vec<(usize, (&str, &str))> = scripts.enumerate().collect();
        while !waiting.is_empty() && formulas.len() < settings.opened {
            let (number, (name, script)) = waiting.swap_remove(random.index(waiting.len()));
            formulas.extend(Formula::read(signatures, name, script, &format!("~{number}")));
        }
        if formulas.len() < 2 {
            return Err(Unsuitable("there are not two formulas to fuse".to_owned()));
        }
        let statuses = vec![Status::Unasked; formulas.len()];
        let (signatures, settings) = (signatures.clone(), settings.clone());
        let recorded = Recorded::new(&seed.dialogue);
        Ok(FusionMutator { signatures, settings, random, formulas, statuses, recorded, hopeless })
    }

    /// Asks a solver about a formula, unless that is known.
    fn ask(&mut self, at: usize, questioner: &mut dyn Questioner) {
        if self.statuses[at] != Status::Unasked {
            return;
        }
        let formula = &self.formulas[at];
        let assertions: Vec<String> =
            formula.assertions.iter().map(|term| format!("(assert {term})\n")).collect();
        let learned = questioner.ask(&LiveQuestion {
            prelude: formula.declarations.as_str().into(),
            assertions: assertions.concat(),
            choice: self.random.bits(),
            random_seed: RANDOM_SEED,
            solvers: formula.solvers.clone(),
            theories: formula.theories.clone(),
        });
        self.statuses[at] = match learned {
            Some(learned) if learned.sat == Some(false) => Status::Unsat(learned.solver),
            // The question has the names of the formula, and so has its model.
            Some(learned) if learned.sat == Some(true) => {
                formula.definitions(&learned.text).map_or(Status::Unknown, Status::Sat)
            }
            Some(_) => {
                let mut hopeless = self.hopeless.lock().unwrap_or_else(PoisonError::into_inner);
                hopeless.insert(formula.name.clone());
                Status::Unknown
            }
            None => Status::Unknown,
        };
    }

    /// Formulas of the same status.
    fn choose(&mut self, questioner: &mut dyn Questioner) -> Option<Vec<usize>> {
        let first = self.random.index(self.formulas.len());
        self.ask(first, questioner);
        let is_sat = match &self.statuses[first] {
            Status::Sat(_) => true,
            Status::Unsat(_) => false,
            Status::Unasked | Status::Unknown => return None,
        };
        let count = 2 + self.random.index(self.settings.formulas.saturating_sub(1).max(1));
        let mut chosen = vec![first];
        for _ in 0..ATTEMPTS {
            let other = self.random.index(self.formulas.len());
            self.ask(other, questioner);
            let fits = match &self.statuses[other] {
                Status::Sat(_) => is_sat,
                Status::Unsat(_) => !is_sat,
                Status::Unasked | Status::Unknown => false,
            };
            if fits && !chosen.contains(&other) {
                chosen.push(other);
            }
            if chosen.len() == count {
                break;
            }
        }
        (chosen.len() > 1).then_some(chosen)
    }

    /// Replaces some occurrences of a constant in the assertions of a formula.
    fn replace(&mut self, assertions: &mut [String], constant: &str, by: &str) -> Option<usize> {
        let mut count = 0;
        for assertion in assertions {
            let (random, percent) = (&mut self.random, self.settings.replaced);
            *assertion = replaced(assertion, &mut |symbol| {
                let is_replaced = symbol == constant && random.chance(percent, 100);
                count += usize::from(is_replaced);
                is_replaced.then(|| by.to_owned())
            })?;
        }
        Some(count)
    }

    /// Fuses formulas.
    fn fuse(&mut self, chosen: &[usize]) -> Option<Case> {
        let mut assertions: Vec<Vec<String>> =
            chosen.iter().map(|&at| self.formulas[at].assertions.clone()).collect();
        let (mut declarations, mut meaning, mut model) = (String::new(), String::new(), String::new());
        let mut lineage = Vec::new();
        let pairs = 1 + self.random.index(self.settings.pairs.max(1));
        for number in 0..pairs {
            let one = self.random.index(chosen.len());
            let two = (one + 1 + self.random.index(chosen.len() - 1)) % chosen.len();
            let x = self.random.pick(&self.formulas[chosen[one]].constants).cloned()?;
            let alike: Vec<(String, String)> = self.formulas[chosen[two]]
                .constants
                .iter()
                .filter(|(_, sort)| *sort == x.1)
                .cloned()
                .collect();
            let others = if alike.is_empty() { &self.formulas[chosen[two]].constants } else { &alike };
            let y = self.random.pick(others).cloned()?;
            let z = format!("z~{number}");
            let fused = fusion((&x.0, &x.1), (&y.0, &y.1), &z, &mut self.random);
            let count = self.replace(&mut assertions[one], &x.0, &fused.first)?
                + self.replace(&mut assertions[two], &y.0, &fused.second)?;
            declarations.push_str(&format!("{}(declare-fun {z} () {})\n", fused.declaration, fused.sort));
            meaning.push_str(&format!("(assert (= {z} {}))\n", fused.forward));
            meaning.push_str(&format!("(assert (= {} {}))\n", x.0, fused.first));
            meaning.push_str(&format!("(assert (= {} {}))\n", y.0, fused.second));
            model.push_str(&format!("(define-fun {z} () {} {})\n", fused.sort, fused.forward));
            lineage.push(Step {
                action: "fuse".into(),
                before: format!("{}, {}", x.0, y.0),
                after: format!("{} in {count} places", fused.forward),
            });
        }
        let mut text = "(set-logic ALL)\n".to_owned();
        chosen.iter().for_each(|&at| text.push_str(&self.formulas[at].declarations));
        text.push_str(&declarations);
        let solvers = chosen.iter().filter_map(|&at| match &self.statuses[at] {
            Status::Unsat(solver) => Some(solver.as_str()),
            _ => None,
        });
        let solvers: Vec<&str> = solvers.collect();
        let expectation = if solvers.is_empty() {
            for formula in &assertions {
                formula.iter().for_each(|term| text.push_str(&format!("(assert {term})\n")));
            }
            // What z stands for may be said or not.
            if self.random.chance(1, 2) {
                text.push_str(&meaning);
            }
            let models = chosen.iter().filter_map(|&at| match &self.statuses[at] {
                Status::Sat(model) => Some(model.as_str()),
                _ => None,
            });
            Expectation::Sat { model: format!("(\n{}{model})", models.collect::<String>()) }
        } else {
            let all = assertions.iter().map(|formula| format!("(and true {})", formula.join(" ")));
            text.push_str(&format!("(assert (or {}))\n{meaning}", all.collect::<Vec<_>>().join(" ")));
            let names: Vec<&str> = chosen.iter().map(|&at| self.formulas[at].name.as_str()).collect();
            Expectation::Unsat {
                reason: format!(
                    "it is a fusion of {}, which are unsat by {}",
                    names.join(" and "),
                    solvers.join(" and ")
                ),
            }
        };
        text.push_str("(check-sat)\n");
        let mut arena = Arena::new(self.signatures.clone());
        let script = parse_script(&mut arena, &text).ok()?;
        let features = arena.features(&script);
        let text = arena.script_text(&script);
        Some(Case { text, expectation, lineage, solvers: features.solvers, theories: features.theories })
    }
}

impl Mutator for FusionMutator {
    fn next_case(&mut self) -> Option<Case> {
        let mut recorded = std::mem::take(&mut self.recorded);
        let case = self.next_case_with(&mut recorded);
        self.recorded = recorded;
        case
    }

    fn next_case_with(&mut self, questioner: &mut dyn Questioner) -> Option<Case> {
        for _ in 0..ATTEMPTS {
            let Some(chosen) = self.choose(questioner) else { continue };
            if let Some(case) = self.fuse(&chosen) {
                return Some(case);
            }
        }
        None
    }
}
