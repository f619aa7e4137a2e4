//! `elenchus examine`: the evaluator is cross-examined by solvers, operator by operator.

use crate::commands::solve::target;
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use examine::{Disagreement, Plan, Report, examine};
use serde_json::json;
use smt::Signatures;
use std::io::{IsTerminal, Write};

/// Arguments of `elenchus examine`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus examine --terms 20000                            all operators, newest Z3 and cvc5
  elenchus examine --theory FloatingPoint --terms 1000000   one theory, thoroughly

Makes random ground terms from the signature table, evaluates them, and asks the solvers whether they agree. Every operator
is listed with what was found, or with the reason why it is left out.

A disagreement is asked again in a fresh process first. Known mistakes of solvers are named as such.

Exit code: 0 if every disagreement is explained, 1 otherwise.")]
pub struct ExamineArgs {
    /// How many terms are made
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    terms: u64,
    /// The seed of the random choices
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// A solver to ask; may be repeated
    #[arg(long = "solver", short, value_name = "SOLVER", default_values = ["z3", "cvc5"])]
    solvers: Vec<String>,
    /// A theory of the signature table to keep to; may be repeated
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
            return Err(Failure::new(format!("there is no theory {theory}"))
                .hint(format!("choose from {} and language", names.join(", "))));
        }
    }
    let targets = args.solvers.iter().map(|spec| target(spec)).collect::<Result<Vec<_>, Failure>>()?;
    let plan = Plan { terms: args.terms, seed: args.seed, theories: args.theories };
    let watched = std::io::stderr().is_terminal() && !args.json;
    let mut progress = |made: u64| {
        if watched {
            let mut stderr = std::io::stderr();
            let _ = write!(stderr, "\r{made} of {} terms", plan.terms);
            let _ = stderr.flush();
        }
    };
    let report = examine(&targets, &signatures, &plan, &mut progress)?;
    if watched {
        eprintln!();
    }
    if args.json {
        println!("{}", as_json(&report));
    } else {
        print_text(&report);
    }
    let clean = unexplained(&report) == 0 && report.defects.is_empty();
    Ok(if clean { Exit::Clean } else { Exit::Found })
}

fn unexplained(report: &Report) -> usize {
    report.disagreements.iter().filter(|one| one.explanation.is_none()).count()
}

fn print_text(report: &Report) {
    print!("{}", report.table());
    if !report.left_out.is_empty() {
        println!("\nleft out");
        for (theory, rank, reason) in &report.left_out {
            println!("  {theory}  {rank}  {reason}");
        }
    }
    for row in report.rows.values() {
        for (solver, tally) in report.solvers.iter().zip(&row.tallies) {
            for (term, message) in &tally.examples {
                println!("\n{solver} gives no value for {term}\n  {message}");
            }
        }
    }
    for (term, message) in &report.defects {
        println!("\nwithout a value here: {term}\n  {message}");
    }
    for Disagreement { solver, term, ours, theirs, explanation, .. } in &report.disagreements {
        println!("\n{solver} disagrees about {term}\n  Elenchus: {ours}\n  {solver}: {theirs}");
        if let Some(mistake) = explanation {
            println!("  known: {solver} {mistake}");
        }
    }
    println!(
        "\n{} values compared over {} operators; {} disagreements, {} of them unexplained",
        report.compared(),
        report.rows.len(),
        report.disagreements.len(),
        unexplained(report)
    );
}

fn as_json(report: &Report) -> serde_json::Value {
    let rows: Vec<_> = report
        .rows
        .values()
        .map(|row| {
            let tallies: serde_json::Map<String, serde_json::Value> = report
                .solvers
                .iter()
                .zip(&row.tallies)
                .map(|(solver, tally)| {
                    let counts = json!({
                        "agrees": tally.agrees,
                        "differs": tally.differs,
                        "flaky": tally.flaky,
                        "undecided": tally.undecided,
                        "refused": tally.refused,
                        "crashed": tally.crashed,
                        "examples": tally.examples,
                    });
                    (solver.clone(), counts)
                })
                .collect();
            json!({"theory": row.theory, "operator": row.name, "undetermined": row.undetermined, "solvers": tallies})
        })
        .collect();
    let disagreements: Vec<_> = report
        .disagreements
        .iter()
        .map(|one| {
            json!({
                "solver": one.solver, "operator": one.operator, "term": one.term,
                "ours": one.ours, "theirs": one.theirs,
                "known": one.explanation,
            })
        })
        .collect();
    json!({
        "compared": report.compared(),
        "operators": rows,
        "left_out": report.left_out,
        "disagreements": disagreements,
        "defects": report.defects,
    })
}
