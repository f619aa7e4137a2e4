//! Constraints as formulas (the paper's `convert`), for fresh variables.

use super::domain::{Abstract, Bits, Floats, Interval};
use super::rules::value_of;
use crate::kit::draft::Draft;
use semantics::Value;
use smt::{Sort, Term, parse_term};

/// No formula can state the constraint.
#[derive(Debug)]
pub(super) struct Unstated;

/// The formula that a constant is in a set; `None` if every value is.
pub(super) fn convert(draft: &mut Draft, constant: Term, set: &Abstract) -> Result<Option<Term>, Unstated> {
    let sort = draft.arena.sort(constant);
    let name = draft.arena.term_text(constant);
    let mut conjuncts = Vec::new();
    state(draft, &name, sort, set, &mut conjuncts)?;
    let text = match &conjuncts[..] {
        [] => return Ok(None),
        [only] => only.clone(),
        all => format!("(and {})", all.join(" ")),
    };
    let symbol = draft.arena.symbol(&name);
    let locals = draft.scope.local_count();
    draft.scope.bind(symbol, constant);
    let term = parse_term(&mut draft.arena, &mut draft.scope, &text);
    draft.scope.unbind_to(locals);
    term.ok().filter(|&term| draft.arena.sort(term) == Sort::BOOL).map(Some).ok_or(Unstated)
}

/// Adds the conditions on `subject`, a term as text. Sets nest only to a fixed depth.
fn state(
    draft: &mut Draft,
    subject: &str,
    sort: Sort,
    set: &Abstract,
    conjuncts: &mut Vec<String>,
) -> Result<(), Unstated> {
    let text = |value: &Value| value.text(&draft.arena, sort);
    match set {
        Abstract::Any => {}
        Abstract::Nothing | Abstract::Holds(..) => return Err(Unstated),
        Abstract::Bool(true) => conjuncts.push(subject.to_owned()),
        Abstract::Bool(false) => conjuncts.push(format!("(not {subject})")),
        Abstract::Range(interval) => range(draft, subject, sort, interval, conjuncts)?,
        Abstract::Except(values) => {
            conjuncts.extend(values.iter().map(|value| format!("(not (= {subject} {}))", text(value))));
        }
        Abstract::Is(value) => conjuncts.push(format!("(= {subject} {})", text(value))),
        Abstract::Language(language) => {
            let whole = match language.is_plain() {
                true => subject.to_owned(),
                false => format!("(str.++ {} {subject} {})", language.left, language.right),
            };
            conjuncts.push(format!("(str.in_re {whole} {})", language.regex));
        }
        Abstract::Bits(bits) => vectors(subject, bits, conjuncts),
        Abstract::Floats(floats) => conjuncts.push(numbers(subject, floats)),
        Abstract::Made { constructor, fields } => {
            let (name, selectors) = constructor_of(draft, sort, *constructor)?;
            conjuncts.push(format!("((_ is {name}) {subject})"));
            for ((selector, sort), field) in selectors.into_iter().zip(fields) {
                state(draft, &format!("({selector} {subject})"), sort, field, conjuncts)?;
            }
        }
        Abstract::MadeOtherwise(constructor) => {
            let (name, _) = constructor_of(draft, sort, *constructor)?;
            conjuncts.push(format!("(not ((_ is {name}) {subject}))"));
        }
        Abstract::Element { index, at } => {
            let [from, to] = draft.arena.sort_node(sort).args[..] else { return Err(Unstated) };
            let index = index.text(&draft.arena, from);
            state(draft, &format!("(select {subject} {index})"), to, at, conjuncts)?;
        }
    }
    Ok(())
}

fn range(
    draft: &Draft,
    subject: &str,
    sort: Sort,
    interval: &Interval,
    conjuncts: &mut Vec<String>,
) -> Result<(), Unstated> {
    let end = |end: &semantics::value::real::Real| match value_of(end, sort) {
        // An algebraic number has no term.
        None | Some(Value::Algebraic(_)) => Err(Unstated),
        Some(value) => Ok(value.text(&draft.arena, sort)),
    };
    if let (Some(low), true) = (&interval.low, interval.low == interval.high) {
        conjuncts.push(format!("(= {subject} {})", end(low)?));
        return Ok(());
    }
    if let Some(low) = &interval.low {
        conjuncts.push(format!("(>= {subject} {})", end(low)?));
    }
    if let Some(high) = &interval.high {
        conjuncts.push(format!("(<= {subject} {})", end(high)?));
    }
    Ok(())
}

fn vectors(subject: &str, bits: &Bits, conjuncts: &mut Vec<String>) {
    let all = Bits::all(bits.width());
    let vector = |value: &semantics::value::integer::Int| {
        let size = all.unsigned.1.add(&semantics::value::integer::Int::from(1));
        let value = if value.is_negative() { value.add(&size) } else { value.clone() };
        format!("(_ bv{value} {})", bits.width())
    };
    let ends = [
        (&bits.unsigned.0, &all.unsigned.0, "bvuge"),
        (&bits.unsigned.1, &all.unsigned.1, "bvule"),
        (&bits.signed.0, &all.signed.0, "bvsge"),
        (&bits.signed.1, &all.signed.1, "bvsle"),
    ];
    for (end, furthest, operator) in ends {
        if end != furthest {
            conjuncts.push(format!("({operator} {subject} {})", vector(end)));
        }
    }
    if !bits.mask.is_zero() {
        conjuncts.push(format!("(= (bvand {subject} {}) {})", bits.mask, bits.value));
    }
}

fn numbers(subject: &str, floats: &Floats) -> String {
    let operator = |strict: bool| if strict { "fp.lt" } else { "fp.leq" };
    let (low, high) = (&floats.low, &floats.high);
    let between = format!(
        "(and ({} {} {subject}) ({} {subject} {}))",
        operator(low.1),
        low.0,
        operator(high.1),
        high.0
    );
    if floats.nan { format!("(or (fp.isNaN {subject}) {between})") } else { between }
}

/// A constructor's name, and its selectors with the sorts of their fields.
fn constructor_of(
    draft: &mut Draft,
    sort: Sort,
    number: u32,
) -> Result<(String, Vec<(String, Sort)>), Unstated> {
    let quoted = |draft: &Draft, symbol: smt::Symbol| {
        let mut name = String::new();
        smt::print::name_into(draft.arena.name(symbol), &mut name);
        name
    };
    let id = draft.arena.datatype_of(sort).ok_or(Unstated)?;
    let constructor = draft.arena.datatype(id).constructors.get(number as usize).cloned().ok_or(Unstated)?;
    let selectors = constructor.fields.iter().map(|&(selector, field)| {
        let field = draft.arena.field_sort(sort, field);
        (quoted(draft, selector), field)
    });
    let selectors = selectors.collect();
    Ok((quoted(draft, constructor.name), selectors))
}
