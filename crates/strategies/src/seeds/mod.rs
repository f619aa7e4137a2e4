//! The strategy `seeds`: every seed once, unchanged. It finds old bugs, and shows how solvers handle a corpus.

use crate::api::{Mutator, Strategy, Unsuitable};
use crate::kit::random::Random;
use case::{Case, Seed};
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

    fn open(&self, seed: &Seed, _: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let mut arena = Arena::new(self.signatures.clone());
        let script = parse_script(&mut arena, &seed.text).map_err(|errors| {
            let first = errors.first().map_or_else(String::new, |error| {
                let (line, column) = error.position(&seed.text);
                format!("line {line}, column {column}: {error}")
            });
            Unsuitable(first)
        })?;
        if !script.commands.iter().any(|command| command.is_check()) {
            return Err(Unsuitable("the script has no `check-sat`".to_owned()));
        }
        let features = arena.features(&script);
        let case = Case {
            text: seed.text.to_string(),
            solvers: features.solvers,
            theories: features.theories,
            ..Case::default()
        };
        Ok(Box::new(Once(Some(case))))
    }
}

impl Mutator for Once {
    fn next_case(&mut self) -> Option<Case> {
        self.0.take()
    }
}
