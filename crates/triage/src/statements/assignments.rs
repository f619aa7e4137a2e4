//! Assignments under which a term and its simplified form are compared: boundary values first, then random ones and values near the
//! literals of the term. They follow from the script, so the same script gets the same assignments everywhere.

use smt::lexer::elements;
use smt::print::name_text;
use smt::{Arena, Command, Index, OpKind, Script, Sort, Term, View};
use std::collections::{BTreeMap, BTreeSet};

/// How many assignments are tried.
const TRIED: u64 = 24;
/// The nesting of arrays, sequences and datatypes in a value.
const DEEPEST: u32 = 3;
/// The elements of a declared sort.
const ELEMENTS: u64 = 3;
/// Wider bit-vectors get no value.
const WIDEST: u64 = 256;

const INTEGERS: [&str; 14] =
    ["0", "1", "(- 1)", "2", "(- 2)", "3", "(- 3)", "4", "5", "7", "10", "(- 10)", "255", "4294967296"];
const REALS: [&str; 9] = ["0.0", "1.0", "(- 1.0)", "2.0", "0.5", "(- 0.5)", "3.0", "(/ 1.0 3.0)", "10.0"];
const STRINGS: [&str; 10] =
    ["\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"ba\"", "\"aa\"", "\"0\"", "\"01\"", "\"-1\"", "\"abab\""];
const ROUNDING_MODES: [&str; 5] = ["RNE", "RNA", "RTP", "RTN", "RTZ"];

/// The models of all assignments to the constants of a script, as solvers print models. Some values are near the literals of `terms`.
pub(super) fn assignments(arena: &Arena, script: &Script, terms: Vec<Term>, seed: u64) -> Vec<String> {
    let mut values = Values { arena, literals: literals(arena, terms), numbers: Numbers(seed), first: None };
    let one = |number: u64| {
        values.first = usize::try_from(number).ok().filter(|number| *number < 2);
        let declared = script.commands.iter().filter_map(|command| match command {
            Command::Declare(_, op) => Some(*op),
            _ => None,
        });
        let define = |op| {
            let OpKind::Function { args, result } = &arena.op(op).kind else { return None };
            let params = args.iter().enumerate();
            let params: Vec<String> =
                params.map(|(at, sort)| format!("(x{at} {})", arena.sort_text(*sort))).collect();
            let value = values.of(*result, DEEPEST)?;
            Some(format!(
                "(define-fun {} ({}) {} {value})",
                name_text(arena.op_name(op)),
                params.join(" "),
                arena.sort_text(*result)
            ))
        };
        format!("({})", declared.filter_map(define).collect::<Vec<_>>().join("\n"))
    };
    (0..TRIED).map(one).collect()
}

/// The model with one constant as in an assignment, and with every second one.
pub(super) fn near_model(model: &str, assignments: &[String]) -> Vec<String> {
    let Some(own) = definitions(model).filter(|own| !own.is_empty()) else { return Vec::new() };
    let mixed = |changed: &[(&str, &str)]| {
        let names: BTreeSet<&str> = changed.iter().map(|(name, _)| *name).collect();
        let kept = own.iter().filter(|(name, _)| !names.contains(name));
        format!("({})", kept.chain(changed).map(|(_, text)| *text).collect::<Vec<_>>().join("\n"))
    };
    let both = |(number, assignment): (usize, &String)| {
        let others = definitions(assignment).unwrap_or_default();
        let one = others.iter().skip(number % others.len().max(1)).take(1).copied();
        let half = others.iter().skip(number % 2).step_by(2).copied();
        [mixed(&one.collect::<Vec<_>>()), mixed(&half.collect::<Vec<_>>())]
    };
    assignments.iter().enumerate().flat_map(both).collect()
}

/// The definitions of a printed model, by name.
fn definitions(model: &str) -> Option<Vec<(&str, &str)>> {
    let named = |text| match elements(text).unwrap_or_default().as_slice() {
        ["define-fun", name, ..] => Some((*name, text)),
        _ => None,
    };
    Some(elements(model)?.into_iter().filter_map(named).collect())
}

/// The literals of terms, and values near them, by sort.
fn literals(arena: &Arena, terms: Vec<Term>) -> BTreeMap<Sort, Vec<String>> {
    let mut found: BTreeMap<Sort, BTreeSet<String>> = BTreeMap::new();
    let mut seen: BTreeSet<Term> = BTreeSet::new();
    let mut waiting = terms;
    while let Some(term) = waiting.pop() {
        if seen.insert(term) {
            if let View::Literal(..) = arena.view(term) {
                found.entry(arena.sort(term)).or_default().extend(near(&arena.term_text(term)));
            }
            waiting.extend(arena.children(term));
        }
    }
    found.into_iter().map(|(sort, texts)| (sort, texts.into_iter().collect())).collect()
}

/// A literal, its neighbours and its negation if it is an integer, and its halves and extensions if it is a string.
fn near(literal: &str) -> Vec<String> {
    let mut all = vec![literal.to_owned()];
    if let Ok(number) = literal.parse::<i64>() {
        let write = |value: i64| if value < 0 { format!("(- {})", -value) } else { value.to_string() };
        all.extend([number.saturating_sub(1), number.saturating_add(1), -number].map(write));
    }
    if let Some(text) = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
        && text.is_ascii()
        && !text.contains('"')
    {
        let (first, second) = text.split_at(text.len() / 2);
        let around = [first.to_owned(), second.to_owned(), format!("{text}a"), format!("b{text}")];
        all.extend(around.map(|text| format!("\"{text}\"")));
    }
    all
}

/// Draws values of sorts.
struct Values<'a> {
    arena: &'a Arena,
    literals: BTreeMap<Sort, Vec<String>>,
    numbers: Numbers,
    /// The first assignments give every constant the same boundary value, this one of its sort.
    first: Option<usize>,
}

impl Values<'_> {
    /// A value of a sort; `None` if its values cannot be written.
    fn of(&mut self, sort: Sort, depth: u32) -> Option<String> {
        if self.first.is_none()
            && self.numbers.below(2) == 0
            && let Some(literals) = self.literals.get(&sort)
        {
            let at = self.numbers.below(literals.len() as u64) as usize;
            return literals.get(at).cloned();
        }
        let node = self.arena.sort_node(sort);
        let (indices, args) = (node.indices.clone(), node.args.clone());
        match (self.arena.sort_head(sort), &*indices, &*args) {
            ("Bool", ..) => Some(self.pick(&["false", "true"])),
            ("Int", ..) => Some(self.pick(&INTEGERS)),
            ("Real", ..) => Some(self.pick(&REALS)),
            ("String", ..) => Some(self.string(sort)),
            ("RoundingMode", ..) => Some(self.pick(&ROUNDING_MODES)),
            ("BitVec", [Index::Num(width)], _) => (*width <= WIDEST).then(|| self.bits(*width)),
            ("FloatingPoint", [Index::Num(exponent), Index::Num(significand)], _) => {
                Some(self.float(*exponent, *significand))
            }
            _ if depth == 0 => None,
            ("Array", _, [.., element]) => {
                let value = self.of(*element, depth - 1)?;
                let mut array = format!("((as const {}) {value})", self.arena.sort_text(sort));
                if let [index, element] = &*args
                    && self.first.is_none()
                {
                    let (at, value) = (self.of(*index, depth - 1)?, self.of(*element, depth - 1)?);
                    array = format!("(store {array} {at} {value})");
                }
                Some(array)
            }
            ("Seq", _, [element]) => {
                let length = self.first.map_or_else(|| self.numbers.below(4), |first| first as u64);
                let units: Option<Vec<String>> = (0..length)
                    .map(|_| self.of(*element, depth - 1).map(|value| format!("(seq.unit {value})")))
                    .collect();
                Some(match units?.as_slice() {
                    [] => format!("(as seq.empty {})", self.arena.sort_text(sort)),
                    [one] => one.clone(),
                    several => format!("(seq.++ {})", several.join(" ")),
                })
            }
            _ => self.declared(sort, depth),
        }
    }

    /// A value of a datatype or a declared sort.
    fn declared(&mut self, sort: Sort, depth: u32) -> Option<String> {
        let text = self.arena.sort_text(sort);
        if let Some(id) = self.arena.datatype_of(sort) {
            let datatype = self.arena.datatype(id);
            // The sorts of the fields depend on the parameters.
            if !datatype.params.is_empty() || datatype.codatatype {
                return None;
            }
            let count = datatype.constructors.len() as u64;
            let drawn = self.first.map_or_else(|| self.numbers.below(count), |_| 0) as usize;
            // A recursive constructor may need a value that is too deep.
            for at in
                (0..datatype.constructors.len()).map(|offset| (drawn + offset) % datatype.constructors.len())
            {
                let constructor = &datatype.constructors[at];
                let fields: Option<Vec<String>> =
                    constructor.fields.iter().map(|(_, sort)| self.of(*sort, depth - 1)).collect();
                let name = name_text(self.arena.name(constructor.name));
                match fields {
                    Some(fields) if fields.is_empty() => return Some(format!("(as {name} {text})")),
                    Some(fields) => return Some(format!("({name} {})", fields.join(" "))),
                    None => {}
                }
            }
            return None;
        }
        let number = self.first.map_or_else(|| self.numbers.below(ELEMENTS), |_| 0);
        let is_plain = text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        is_plain.then(|| format!("(as @{text}_{number} {text})"))
    }

    fn pick(&mut self, values: &[&str]) -> String {
        let drawn = self.first.unwrap_or_else(|| self.numbers.below(values.len() as u64) as usize);
        values[drawn % values.len()].to_owned()
    }

    /// A string of one or two parts, each a literal of the terms or another short string.
    fn string(&mut self, sort: Sort) -> String {
        let mut text = String::new();
        for _ in 0..self.first.map_or_else(|| 1 + self.numbers.below(2), |_| 1) {
            let literals = self.literals.get(&sort).filter(|_| self.first.is_none());
            let part = match literals.filter(|_| self.numbers.below(2) == 0) {
                Some(literals) => literals[self.numbers.below(literals.len() as u64) as usize].clone(),
                None => self.pick(&STRINGS),
            };
            text.push_str(part.trim_matches('"'));
        }
        format!("\"{text}\"")
    }

    fn bits(&mut self, width: u64) -> String {
        let kind = self.first.map_or_else(|| self.numbers.below(8), |first| first as u64);
        let bit = |at: u64, numbers: &mut Numbers| match kind {
            0 => false,
            1 => true,
            // One, the smallest and the largest signed number.
            2 => at == 0,
            3 => at + 1 == width,
            4 => at + 1 != width,
            // A small number.
            5 => at < 4 && numbers.below(2) == 0,
            _ => numbers.below(2) == 0,
        };
        let digits: String =
            (0..width).rev().map(|at| if bit(at, &mut self.numbers) { '1' } else { '0' }).collect();
        format!("#b{digits}")
    }

    fn float(&mut self, exponent: u64, significand: u64) -> String {
        let special = ["+zero", "-zero", "+oo", "-oo", "NaN"];
        let kind = self.first.map_or_else(|| self.numbers.below(10), |first| first as u64 * 5);
        match special.get(kind as usize) {
            Some(name) => format!("(_ {name} {exponent} {significand})"),
            None => {
                let (sign, exponent, rest) = (self.bits(1), self.bits(exponent), self.bits(significand - 1));
                format!("(fp {sign} {exponent} {rest})")
            }
        }
    }
}

/// Numbers that follow from a seed, the same on every machine (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }
}
