//! Prints an instance as a script: declarations, assertions, then the check.

use super::index::Index;
use super::populate::{Instance, Piece};
use crate::kit::draft::{Allowance, Decision, Fact, allowance, decide, mark};
use crate::kit::random::Random;
use smt::Features;
use std::fmt::Write;

/// The script of an instance, with its logic, theories and solvers.
pub(super) struct Script {
    pub text: String,
    pub decision: Decision,
}

/// Writes an instance.
pub(super) fn write(index: &Index, instance: &Instance, options: Option<u32>, random: &mut Random) -> Script {
    let mut needs = instance.needs;
    let mut after: Vec<u32> = Vec::new();
    for &atom in &instance.atoms {
        after.extend(&index.atoms[atom as usize].after);
    }
    for &variable in &instance.bound {
        after.extend(&index.ranks[instance.variables[variable as usize] as usize].after);
    }
    after.sort_unstable();
    after.dedup();
    if !after.is_empty() {
        let datatypes =
            |number: &u32| !index.library.declarations[*number as usize].text.starts_with("(declare-sort");
        needs.marks |= if after.iter().any(datatypes) { mark::DATATYPES } else { 0 };
        needs.marks |= if after.iter().all(datatypes) { 0 } else { mark::FUNCTIONS };
    }
    let mut decision =
        decide(Allowance::Everything { higher_order: false }, &index.facts, &index.arena, &needs);
    let mut text = String::with_capacity(1024);
    if let Some(number) = options {
        let set = &index.library.options[number as usize];
        for (name, value) in &set.options {
            push(&mut text, format_args!("(set-option :{name} {value})\n"));
        }
        // Only this solver has these options.
        decision.solvers = Some(std::iter::once(set.solver.clone()).collect());
    }
    match &decision.logic {
        Some(logic) => text.push_str(logic),
        None => {
            // Standard logics hide operators that not every solver supports.
            if random.chance(1, 2)
                && needs.marks & mark::RESTRICTED == 0
                && let Some(logic) = logic(index, &needs, &decision)
            {
                push(&mut text, format_args!("(set-logic {logic})\n"));
            }
        }
    }
    for number in after {
        text.push_str(&index.library.declarations[number as usize].text);
        text.push('\n');
    }
    declare(index, instance, &mut text);
    for assertion in &instance.assertions {
        text.push_str("(assert ");
        for piece in assertion {
            write_piece(index, instance, piece, &mut text);
        }
        text.push_str(")\n");
    }
    text.push_str("(check-sat)\n");
    Script { text, decision }
}

/// Writing to a string cannot fail.
fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(arguments);
}

/// The standard logics that solvers have in common. Other combinations are not accepted by all of them.
const LOGICS: [&str; 46] = [
    "QF_ABV",
    "QF_ALIA",
    "QF_AUFBV",
    "QF_AUFLIA",
    "QF_AX",
    "QF_BV",
    "QF_BVFP",
    "QF_DT",
    "QF_FP",
    "QF_IDL",
    "QF_LIA",
    "QF_LIRA",
    "QF_LRA",
    "QF_NIA",
    "QF_NIRA",
    "QF_NRA",
    "QF_RDL",
    "QF_S",
    "QF_SLIA",
    "QF_UF",
    "QF_UFBV",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_UFNIA",
    "QF_UFNRA",
    "QF_ABVFP",
    "QF_UFFP",
    "ABV",
    "ALIA",
    "AUFLIA",
    "AUFLIRA",
    "AUFNIRA",
    "BV",
    "FP",
    "LIA",
    "LRA",
    "NIA",
    "NRA",
    "UF",
    "UFBV",
    "UFLIA",
    "UFLRA",
    "UFNIA",
    "UFDT",
    "BVFP",
    "UFNRA",
];

/// The smallest standard logic that covers the instance; `None` if there is none.
fn logic(index: &Index, needs: &Fact, decision: &Decision) -> Option<String> {
    let has = |bit: u32| needs.marks & bit != 0;
    let signatures = index.arena.signatures();
    // `UF`, `Datatypes` and `Quantifiers` are not theories of the signature files; the marks stand for them.
    let theories = decision.theories.iter().filter(|name| signatures.theory(name).is_some());
    let features = Features {
        theories: theories.cloned().collect(),
        quantifiers: has(mark::QUANTIFIER),
        uninterpreted: has(mark::FUNCTIONS),
        datatypes: has(mark::DATATYPES),
        nonlinear: has(mark::NONLINEAR),
        ..Features::default()
    };
    let name = smt::logic::smallest(&features, signatures);
    let fits = LOGICS.contains(&name.as_str()) && allowance(signatures, &name).covers(needs);
    fits.then_some(name)
}

/// Declares the variables that occur free.
fn declare(index: &Index, instance: &Instance, text: &mut String) {
    let mut free = vec![false; instance.variables.len()];
    for used in instance.uses.iter().filter(|used| !used.bound) {
        free[used.variable as usize] = true;
    }
    for variable in (0..instance.variables.len()).filter(|&variable| free[variable]) {
        text.push_str("(declare-fun ");
        name(index, instance, variable as u32, text);
        text.push(' ');
        text.push_str(&index.library.ranks[instance.variables[variable] as usize].text);
        text.push_str(")\n");
    }
}

/// Names are most of the output, so printing them has a fast path.
fn name(index: &Index, instance: &Instance, variable: u32, text: &mut String) {
    let function = index.ranks[instance.variables[variable as usize] as usize].function;
    text.push(if function { 'f' } else { 'v' });
    let digit = |value: u32| char::from(b'0' + (value % 10) as u8);
    match variable {
        0..=9 => text.push(digit(variable)),
        10..=99 => text.extend([digit(variable / 10), digit(variable)]),
        _ => push(text, format_args!("{variable}")),
    }
}

fn write_piece(index: &Index, instance: &Instance, piece: &Piece, text: &mut String) {
    match piece {
        Piece::Text(word) => text.push_str(word),
        Piece::Head(word) => {
            text.push('(');
            text.push_str(word);
        }
        // Nothing to bind: use a variable of the one sort that every logic has.
        Piece::Variables(begin, end) if begin == end => text.push_str(" ((b Bool))"),
        Piece::Variables(begin, end) => {
            text.push_str(" (");
            for (at, &variable) in instance.bound[*begin..*end].iter().enumerate() {
                text.push_str(if at > 0 { " (" } else { "(" });
                name(index, instance, variable, text);
                text.push(' ');
                let rank = &index.library.ranks[instance.variables[variable as usize] as usize];
                text.push_str(rank.sort().unwrap_or(&rank.text));
                text.push(')');
            }
            text.push(')');
        }
        Piece::Atom(atom, first) => {
            let atom = &index.atoms[*atom as usize];
            for (at, part) in atom.pieces.iter().enumerate() {
                text.push_str(part);
                if let Some(&slot) = atom.order.get(at) {
                    name(index, instance, instance.uses[first + usize::from(slot)].variable, text);
                }
            }
        }
    }
}
