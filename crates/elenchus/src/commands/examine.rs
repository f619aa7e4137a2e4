//! `elenchus examine`: cross-examines the evaluator with solvers, operator by operator.

use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::print;
use clap::Args;
use examine::{Plan, examine};
use smt::Signatures;
use std::io::IsTerminal;
use triage::SolverSource;

/// Arguments of `elenchus examine`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus examine --terms 20000                            all operators, newest Z3 and cvc5
  elenchus examine --theory FloatingPoint --terms 1000000   one theory, thoroughly

Generates random ground terms from the signature table, evaluates them, and asks the solvers for the same values. Lists every \
operator with its result, or with the reason why it was not examined.

A disagreement is first confirmed in a fresh process. Disagreements due to known solver bugs are marked.

Exit code: 0 if every disagreement is explained, 1 otherwise.")]
pub struct ExamineArgs {
    /// Number of terms to generate
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    terms: u64,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Solver to ask; may be repeated
    #[arg(long = "solver", short, value_name = "SOLVER", default_values = ["z3", "cvc5"])]
    solvers: Vec<String>,
    /// Examine only this theory of the signature table; may be repeated
    #[arg(long = "theory", value_name = "THEORY")]
    theories: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus examine`.
pub fn run(args: ExamineArgs) -> Outcome {
    let signatures = Signatures::standard();
    for theory in &args.theories {
        if theory != "language" && !signatures.theories.iter().any(|known| known.name == *theory) {
            let names: Vec<&str> = signatures.theories.iter().map(|known| known.name.as_str()).collect();
            return Err(Failure::new(format!("unknown theory `{theory}`"))
                .hint(format!("choose from {} or language", names.join(", "))));
        }
    }
    let context = Context::new()?;
    let targets = args.solvers.iter().map(|spec| context.resolve(spec)).collect::<Result<Vec<_>, _>>()?;
    let plan = Plan { terms: args.terms, seed: args.seed, theories: args.theories };
    let watched = std::io::stderr().is_terminal() && !args.json;
    let mut progress = |made: u64| {
        if watched {
            print::status(&format!("{made} of {} terms", plan.terms));
        }
    };
    let report = examine(&targets, &signatures, &plan, &mut progress)?;
    if watched {
        print::status("");
    }
    if args.json {
        println!("{}", report.json());
    } else {
        print!("{}", report.text());
    }
    Ok(if report.is_clean() { Exit::Clean } else { Exit::Found })
}
