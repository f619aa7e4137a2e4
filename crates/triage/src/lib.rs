//! From what solvers did to what is wrong, and from there to what a maintainer can act on.
//!
//! [`oracle`] and the signatures are pure: nothing there starts a process or reads a clock. [`keep`] says what a script must
//! go on showing while it is made smaller, and asks solvers whether it does.

pub mod bisect;
mod blame;
pub mod cluster;
mod cores;
mod distinguishing_functions;
mod follow_up;
pub mod oracle;
pub mod predicate;
pub mod report;
pub mod signature;
mod verdict;

pub use blame::{Blame, blame};
pub use cores::{core_alone, core_question};
pub use distinguishing_functions::{
    DistinguishingFunctions, NoDistinguishingFunctions, distinguishing_functions,
};
pub use follow_up::complete_model;
pub use oracle::{
    Evaluated, Expected, ModelJudge, ModelOpinion, NoOpinion, Question, Rules, Witness, judge, leaks,
    wrong_core,
};
pub use signature::operators;
pub use verdict::{Bug, Class, Evidence, Verdict};
