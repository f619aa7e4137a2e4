//! The strategy `seeds`: every seed as it is, once. Good for old bugs, and to see what solvers make of a corpus.

use smt::{Arena, Signatures, parse_script};
use strategies::{Case, Mutator, Random, Seed, Strategy, Unfit};

/// Runs the seeds as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unchanged;

struct Once(Option<Case>);

impl Strategy for Unchanged {
    fn name(&self) -> &str {
        "seeds"
    }

    fn open(&self, seed: &Seed, _: Random) -> Result<Box<dyn Mutator>, Unfit> {
        let mut arena = Arena::new(Signatures::standard());
        let script = parse_script(&mut arena, &seed.text).map_err(|errors| {
            let first = errors.first().map_or_else(String::new, |error| {
                let (line, column) = error.position(&seed.text);
                format!("line {line}, column {column}: {error}")
            });
            Unfit(first)
        })?;
        if !script.commands.iter().any(|command| command.is_check()) {
            return Err(Unfit("it asks no question: there is no check-sat".to_owned()));
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
