//! From what solvers did to what is wrong: oracles and signatures. Pure: nothing here starts a process or reads a clock.

pub mod oracle;
mod signature;
mod verdict;

pub use oracle::{
    Evaluated, Expected, ModelJudge, ModelOpinion, NoOpinion, Question, Rules, Witness, judge, leaks,
};
pub use signature::operators;
pub use verdict::{Bug, Class, Evidence, Verdict};
