//! The strategy `seeds`: every seed once, unchanged. It finds old bugs, and shows how solvers handle a corpus.
//!
//! A script that our type checker rejects is still a question to solvers: whether they crash or contradict each other does not
//! depend on types. The `:status` of a seed goes with it.

mod label;

use crate::api::{Mutator, Strategy, Unsuitable};
use crate::kit::random::Random;
use case::{Answer, Case, Expectation, Seed};
pub(crate) use label::stated_answers;
use smt::{Arena, Signatures, parse_script};
use std::sync::Arc;

/// The strategy `seeds`.
pub struct Unchanged {
    signatures: Arc<Signatures>,
}

impl Unchanged {
    /// The strategy's name.
    pub const NAME: &'static str = "seeds";

    /// Seeds over these operators.
    pub fn new(signatures: Arc<Signatures>) -> Self {
        Unchanged { signatures }
    }
}

struct Once(Option<Case>);

impl Strategy for Unchanged {
    fn name(&self) -> &str {
        Unchanged::NAME
    }

    fn uses_seeds_once(&self) -> bool {
        true
    }

    fn open(&self, seed: &Seed, _: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let mut arena = Arena::new(self.signatures.clone());
        let answers = stated_answers(&seed.text);
        let expectation = match answers.iter().any(|answer| *answer != Answer::Unknown) {
            true => Expectation::Labelled { answers },
            false => Expectation::Unknown,
        };
        let mut case = Case { text: seed.text.to_string(), expectation, ..Case::default() };
        let has_check = match parse_script(&mut arena, &seed.text) {
            Ok(script) => {
                let features = arena.features(&script);
                (case.solvers, case.theories) = (features.solvers, features.theories);
                script.commands.iter().any(|command| command.is_check())
            }
            Err(_) => seed.text.contains("(check-sat"),
        };
        if !has_check {
            return Err(Unsuitable("the script has no `check-sat`".to_owned()));
        }
        Ok(Box::new(Once(Some(case))))
    }
}

impl Mutator for Once {
    fn next_case(&mut self) -> Option<Case> {
        self.0.take()
    }
}
