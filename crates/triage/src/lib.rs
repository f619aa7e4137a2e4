//! Turns runs of solvers into bugs, and bugs into reports that a maintainer can act on.
//!
//! [`oracle`] is pure: nothing there starts a process or reads a clock. [`predicate`] states what a script must go on showing and
//! asks solvers whether it does. Everything else builds on these two: reduction, bisection over [`releases`], the [`cluster`]s
//! that are likely one bug, the list of [`known`] bugs, [`regress`]ion runs and [`report`]s.

pub mod automatic;
mod background_reduction;
mod blame;
mod claims;
pub mod cluster;
mod comparison;
mod cores;
mod distinguishing_functions;
mod error;
mod follow_up;
mod forms;
pub mod known;
mod operators;
pub mod oracle;
pub mod predicate;
mod proofs;
mod reduction;
pub mod regress;
pub mod releases;
mod repair;
pub mod report;
mod saved_reduction;
mod script_check;
mod solver_options;
mod source;
mod statements;
mod subject;
mod untyped;
pub mod validation;
mod verdict;

pub use background_reduction::{BackgroundReduction, size_text};
pub use blame::{Blame, blame};
pub use case::text;
pub use claims::claims;
pub use comparison::{Comparison, ReadySolver, answers_text, read_harmless, run_json};
pub use cores::{CoreCommand, core_alone, core_question};
pub use distinguishing_functions::{
    DistinguishingFunctions, NoDistinguishingFunctions, distinguishing_functions, functions_of,
};
pub use error::TriageError;
pub use follow_up::complete_model;
pub use forms::{Form, InForm, in_form};
pub use operators::{operators, operators_with};
pub use oracle::{
    Evaluated, ModelJudge, ModelOpinion, NoOpinion, Question, Rules, Witness, is_limit, judge,
    misstatement_bug, rejected_proof, run_result, state_leak, wrong_core,
};
pub use proofs::{Rejection, check_proof, proof_question};
pub use reduction::{
    Confirm, Reduction, ReductionPlan, ReductionSettings, plan_by_command, plan_reduction, reduce_for,
    reduce_until,
};
pub use repair::repair;
pub use saved_reduction::{Observer, SavedReduction, reduce_and_save};
pub use script_check::CheckedScript;
pub use solver_options::{ConfiguredSolver, configured_solvers};
pub use source::{Listing, QuietSource, SolverSource};
pub use statements::{
    Description, Needs, ORACLES, Oracle, Reading, StatementVerdict, WrongStatement, oracle_for,
    wrong_statement,
};
pub use subject::{REDUCED, StoredFinding, Subject, Version, as_asked, reduced_or};
pub use untyped::untyped_note;
pub use verdict::{Bug, Verdict};
