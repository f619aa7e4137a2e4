//! Checks correlations against what the help texts of Z3's options say.
//!
//! `cargo run -p elenchus-falcon --example certain_pairs -- FILE…` prints pairs that must correlate and pairs that must not, each
//! judged by the first file that has the operation. `FILE --sample N SEED` prints random pairs of one file instead, to be
//! judged by hand: half of them claimed, half not.

use falcon::Correlations;
use std::path::Path;
use std::process::ExitCode;
use strategies::Random;

/// An operation, and an option whose help text is about that operation.
const MUST: [(&str, &str); 39] = [
    ("rem", "rewriter.elim_rem"),
    ("get-unsat-core", "smt.core.minimize"),
    ("to_real", "rewriter.elim_to_real"),
    ("to_real", "rewriter.push_to_real"),
    ("+", "rewriter.sort_sums"),
    ("+", "rewriter.flat"),
    ("*", "rewriter.flat"),
    ("*", "rewriter.som"),
    ("*", "rewriter.mul_to_power"),
    ("<=", "rewriter.arith_ineq_lhs"),
    ("<", "rewriter.arith_ineq_lhs"),
    ("and", "rewriter.elim_and"),
    ("and", "rewriter.flat_and_or"),
    ("or", "rewriter.flat_and_or"),
    ("or", "rewriter.sort_disjunctions"),
    ("ite", "rewriter.elim_ite"),
    ("ite", "rewriter.ite_extra_rules"),
    ("distinct", "rewriter.blast_distinct"),
    ("div", "smt.arith.solver"),
    ("mod", "smt.arith.solver"),
    ("rem", "smt.arith.solver"),
    ("forall", "smt.ematching"),
    ("forall", "smt.mbqi"),
    ("forall", "rewriter.enable_der"),
    ("bvadd", "rewriter.flat"),
    ("bvadd", "rewriter.bv_sort_ac"),
    ("bvmul", "rewriter.flat"),
    ("bvmul", "rewriter.mul2concat"),
    ("bvnot", "rewriter.bv_not_simpl"),
    ("bvule", "rewriter.bv_le2extract"),
    ("bvule", "rewriter.bv_le_extra"),
    ("sign_extend", "rewriter.elim_sign_ext"),
    ("concat", "rewriter.split_concat_eq"),
    ("str.in_re", "smt.seq.regex_monadic"),
    ("str.++", "rewriter.coalesce_chars"),
    ("store", "rewriter.expand_store_eq"),
    ("store", "rewriter.blast_select_store"),
    ("select", "rewriter.expand_select_store"),
    ("select", "rewriter.blast_select_store"),
];

/// Operations, and options that are unrelated to them.
const MUST_NOT: [(&[&str], &[&str]); 3] = [
    (
        &["bvadd", "bvmul", "bvudiv", "bvurem", "bvand", "bvnot", "bvneg", "bvshl", "extract", "concat"],
        &[
            "rewriter.coalesce_chars",
            "smt.seq.split_w_len",
            "smt.seq.regex_monadic",
            "smt.seq.min_unfolding",
            "rewriter.elim_rem",
            "rewriter.elim_to_real",
            "smt.core.minimize",
            "rewriter.expand_store_eq",
            "smt.ff.tiny",
            "smt.macro_finder",
        ],
    ),
    (
        &["str.++", "str.len", "str.replace", "str.substr", "str.at", "str.contains", "str.in_re", "re.*"],
        &[
            "rewriter.bv_le2extract",
            "rewriter.mul2concat",
            "rewriter.elim_sign_ext",
            "rewriter.split_concat_eq",
            "rewriter.bv_not_simpl",
            "rewriter.elim_rem",
            "smt.bv.delay",
            "smt.core.minimize",
            "rewriter.expand_store_eq",
            "smt.ff.tiny",
        ],
    ),
    (
        &["+", "*", "div", "mod", "rem", "abs", "<", "<="],
        &[
            "rewriter.bv_le2extract",
            "rewriter.mul2concat",
            "rewriter.elim_sign_ext",
            "rewriter.coalesce_chars",
            "smt.seq.split_w_len",
            "smt.seq.regex_monadic",
            "smt.bv.delay",
            "smt.core.minimize",
            "rewriter.expand_store_eq",
            "smt.ff.tiny",
        ],
    ),
];

/// The number of effects without which no pair is claimed.
const LEAST: u32 = 3;

/// What a file claims about a pair, and how many formulas support it.
fn claim(learned: &Correlations, operation: &str, option: &str) -> String {
    let tried = learned.operations.get(operation).copied().unwrap_or(0);
    let due = learned.due(operation, option);
    let verdict = match (learned.is_general(option), learned.correlate(operation, option)) {
        (true, _) => "general",
        (_, true) => "correlates",
        _ => "does not",
    };
    format!("| `{operation}` | `{option}` | {due} of {tried} | {verdict} |")
}

fn table(files: &[Correlations]) {
    let of = |operation: &str| files.iter().find(|file| file.operations.contains_key(operation));
    println!("| operation | option | due to the operation in | claimed |\n|---|---|---|---|");
    let mut right = 0;
    for (operation, option) in MUST {
        let Some(learned) = of(operation) else { continue };
        println!("{}", claim(learned, operation, option));
        let general = learned.is_general(option);
        right += usize::from(general || learned.correlate(operation, option));
    }
    let (mut apart, mut all) = (0, 0);
    for (operations, options) in MUST_NOT {
        for operation in operations {
            let Some(learned) = of(operation) else { continue };
            // An option that hardly ever had an effect could not have been blamed on any operation.
            let could_fail =
                |name: &&&str| learned.overall.get(**name).is_some_and(|seen| seen.total() >= LEAST);
            for option in options.iter().filter(could_fail) {
                all += 1;
                if learned.is_general(option) || learned.correlate(operation, option) {
                    println!("{} wrongly", claim(learned, operation, option));
                } else {
                    apart += 1;
                }
            }
        }
    }
    println!(
        "\n{right} of {} expected pairs correlate; {apart} of {all} unrelated pairs whose options had effects do not.",
        MUST.len()
    );
}

fn sample(learned: &Correlations, count: usize, seed: u64) {
    let (mut claimed, mut others) = (Vec::new(), Vec::new());
    for operation in learned.operations.keys() {
        // General options say nothing about an operation.
        for option in learned.options.iter().filter(|option| !learned.is_general(option)) {
            let list = if learned.correlate(operation, option) { &mut claimed } else { &mut others };
            list.push((operation, option));
        }
    }
    println!("{} pairs are claimed, {} are not", claimed.len(), others.len());
    let mut random = Random::new(seed);
    for mut list in [claimed, others] {
        random.shuffle(&mut list);
        list.truncate(count.div_ceil(2));
        list.sort();
        list.iter().for_each(|(operation, option)| println!("{}", claim(learned, operation, option)));
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (names, drawn) = match words.as_slice() {
        [file, "--sample", count, seed] => (&[*file][..], count.parse().ok().zip(seed.parse().ok())),
        files => (files, None),
    };
    let files: Result<Vec<Correlations>, _> =
        names.iter().map(|name| Correlations::read(Path::new(name))).collect();
    match (files, drawn) {
        (Ok(files), Some((count, seed))) => files.iter().for_each(|file| sample(file, count, seed)),
        (Ok(files), None) => table(&files),
        (Err(error), _) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
