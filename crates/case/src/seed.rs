//! A seed script and what solvers said about it.

use crate::hash::fnv1a;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A seed script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// Its file name, or its name among the built-in seeds.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
    /// The FNV-1a hash of the text: the same on every machine.
    pub hash: u64,
    /// What solvers answered to the strategy's questions about the seed.
    pub learned: Vec<Learned>,
    /// What solvers answered while cases were made from the seed, in order. With it, the cases can be made again without a solver.
    pub dialogue: Vec<Learned>,
}

/// A solver's answer to a strategy's question about a seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// The number of the question.
    pub question: usize,
    /// The solver's profile name.
    pub solver: String,
    /// `Some(true)` for `sat`, `Some(false)` for `unsat`, `None` for anything else.
    pub sat: Option<bool>,
    /// The model or the unsat core as printed; empty if there was none.
    pub text: String,
}

impl Seed {
    /// A seed of which nothing has been learned yet.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        let hash = fnv1a(&text);
        Seed { name: name.into(), text, hash, learned: Vec::new(), dialogue: Vec::new() }
    }
}
