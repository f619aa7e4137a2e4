//! Loading signature files.

use super::declaration::{Associativity, Declaration};
use super::pattern::{Condition, IndexExpr, IndexOp, MAX_VARIABLES, SortPattern};
use super::shape::Shape;
use super::table::{Signatures, SortConstructor, Theory};
use crate::error::{Error, Span};
use crate::lexer::Kind;
use crate::sexpr::{Sexpr, read_all};
use crate::sort::Index;

impl Signatures {
    /// Adds the theories of a signature file.
    ///
    /// ```
    /// use elenchus_smt::{Arena, Signatures, parse_script};
    ///
    /// let mut signatures = Signatures::built_in();
    /// signatures.load("(theory Mine :funs ((average Real Real Real)))").unwrap();
    /// let mut arena = Arena::new(signatures.into());
    /// assert!(parse_script(&mut arena, "(assert (= (average 1.0 2.0) 1.5))").is_ok());
    /// assert!(parse_script(&mut arena, "(assert (= (average true 2.0) 1.5))").is_err());
    /// ```
    pub fn load(&mut self, text: &str) -> Result<(), Error> {
        load(self, text)
    }
}

fn load(signatures: &mut Signatures, text: &str) -> Result<(), Error> {
    for expr in read_all(text)? {
        let items = list(&expr)?;
        match items {
            [Sexpr::Atom(_, word, _), name, attributes @ ..] if word == "theory" => {
                load_theory(signatures, text, symbol(name)?, attributes)?;
            }
            [Sexpr::Atom(_, word, _), kept @ ..] if word == "only" => restrict(signatures, kept)?,
            _ => {
                return Err(Error::syntax(expr.span(), "neither a theory nor a restriction")
                    .expected("(theory NAME :sorts … :funs …) or (only OPERATOR …)"));
            }
        }
    }
    Ok(())
}

/// Marks all operators as removed but those that are listed, by name or by rank. A rank that no theory has is added.
fn restrict(signatures: &mut Signatures, listed: &[Sexpr]) -> Result<(), Error> {
    let mut is_kept = vec![false; signatures.declarations.len()];
    let mut added = Vec::new();
    for item in listed {
        let known = if item.list().is_some() {
            // The theory is set if the rank is new.
            let Some(rank) = read_function(signatures, 0, item)? else { continue };
            let known = signatures.positions(|declaration| declaration.has_rank_of(&rank));
            added.extend(known.is_empty().then_some(rank));
            known
        } else {
            let name = symbol(item)?;
            let known = signatures.positions(|declaration| signatures.name(declaration.name) == name);
            if known.is_empty() {
                let error = Error::syntax(item.span(), "unknown operator");
                return Err(error.expected("an operator of a theory, or a rank"));
            }
            known
        };
        known.into_iter().for_each(|index| is_kept[index] = true);
    }
    for (declaration, is_kept) in signatures.declarations.iter_mut().zip(is_kept) {
        declaration.removed |= !is_kept;
    }
    if !added.is_empty() {
        signatures.theories.push(Theory::named("Listed"));
        let theory = signatures.theories.len() - 1;
        added.into_iter().for_each(|rank| add(signatures, Declaration { theory, ..rank }));
    }
    Ok(())
}

fn load_theory(
    signatures: &mut Signatures,
    text: &str,
    name: &str,
    attributes: &[Sexpr],
) -> Result<(), Error> {
    let mut theory = Theory::named(name);
    let attributes = pair_up(attributes)?;
    for (keyword, value) in &attributes {
        match (*keyword, value) {
            (":solvers", Some(value)) => theory.solvers = Some(names(value)?),
            (":extends", Some(value)) => theory.extends = names(value)?,
            (":booleans-as-numbers", Some(value)) => theory.booleans_as_numbers = names(value)?,
            (":lacks", Some(value)) => theory.lacks = names(value)?,
            (":logic", Some(value)) => theory.logic = Some(logic_letters(value)?.to_owned()),
            _ => {}
        }
    }
    let theory_index = signatures.theories.len();
    signatures.theories.push(theory);
    for (keyword, value) in &attributes {
        match (*keyword, value) {
            (":sorts", Some(value)) => {
                for sort in list(value)? {
                    load_sort(signatures, theory_index, sort)?;
                }
            }
            (":sort-abbreviations", Some(value)) => {
                for abbreviation in list(value)? {
                    load_abbreviation(signatures, abbreviation)?;
                }
            }
            (":syntax", Some(value)) => {
                signatures.syntax.extend(names(value)?.into_iter().map(|name| (name, theory_index)));
            }
            (":datatypes", Some(value)) => {
                for datatype in list(value)? {
                    load_datatype(signatures, text, datatype)?;
                }
            }
            (":funs", Some(value)) => {
                for function in list(value)? {
                    if let Some(declaration) = read_function(signatures, theory_index, function)? {
                        add(signatures, declaration);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The letters of `:logic`: a symbol, or `()` for none.
fn logic_letters(value: &Sexpr) -> Result<&str, Error> {
    match value.list() {
        Some([]) => Ok(""),
        _ => symbol(value),
    }
}

fn load_sort(signatures: &mut Signatures, theory: usize, sort: &Sexpr) -> Result<(), Error> {
    let [head, arity] = list(sort)? else {
        return Err(Error::syntax(sort.span(), "not a sort declaration").expected("(Name ARITY)"));
    };
    let (name, indices) = match head.list() {
        None => (symbol(head)?, 0),
        Some([underscore, name, indices @ ..]) if underscore.atom() == Some("_") => {
            (symbol(name)?, indices.len())
        }
        Some(_) => {
            return Err(Error::syntax(head.span(), "not a sort name").expected("Name or (_ Name index …)"));
        }
    };
    let arity = match arity.atom() {
        Some("*") => None,
        Some(number) => Some(number.parse().map_err(|_| {
            Error::syntax(arity.span(), "not a number of sort arguments").expected("0, 1, … or *")
        })?),
        None => {
            return Err(
                Error::syntax(arity.span(), "not a number of sort arguments").expected("0, 1, … or *")
            );
        }
    };
    let name = signatures.symbols.intern(name);
    signatures.sort_constructors.entry(name).or_default().push(SortConstructor { theory, indices, arity });
    Ok(())
}

fn load_abbreviation(signatures: &mut Signatures, abbreviation: &Sexpr) -> Result<(), Error> {
    let (variables, body) = read_par(abbreviation)?;
    let [name, sort] = list(body)? else {
        return Err(Error::syntax(abbreviation.span(), "not a sort abbreviation").expected("(Name SORT)"));
    };
    let name = signatures.symbols.intern(symbol(name)?);
    let sort = read_sort(signatures, &variables, sort)?;
    signatures.abbreviations.insert((name, variables.sorts.len()), sort);
    Ok(())
}

/// Reads `(Name BODY)`, a datatype that scripts need not declare, with the body as in `declare-datatype`.
fn load_datatype(signatures: &mut Signatures, text: &str, datatype: &Sexpr) -> Result<(), Error> {
    let [name, body] = list(datatype)? else {
        return Err(Error::syntax(datatype.span(), "not a datatype").expected("(Name BODY)"));
    };
    let span = Span::new(name.span().start as usize, body.span().end as usize);
    let declaration = text[span.start as usize..span.end as usize].to_owned();
    signatures.datatypes.insert(symbol(name)?.to_owned(), declaration);
    Ok(())
}

/// The variables of `par`.
#[derive(Default)]
struct Variables<'a> {
    sorts: Vec<&'a str>,
    indices: Vec<&'a str>,
}

/// Splits `(par (A (n Nat)) BODY)`; anything else is a body without variables.
fn read_par(expr: &Sexpr) -> Result<(Variables<'_>, &Sexpr), Error> {
    let mut variables = Variables::default();
    let [par, names, body] = list(expr)? else { return Ok((variables, expr)) };
    if par.atom() != Some("par") {
        return Ok((variables, expr));
    }
    for variable in list(names)? {
        match variable.list() {
            None => variables.sorts.push(symbol(variable)?),
            Some([name, nat]) if nat.atom() == Some("Nat") => variables.indices.push(symbol(name)?),
            Some(_) => return Err(Error::syntax(variable.span(), "not a variable").expected("A or (n Nat)")),
        }
    }
    if variables.sorts.len() > MAX_VARIABLES || variables.indices.len() > MAX_VARIABLES {
        return Err(Error::syntax(expr.span(), format!("more than {MAX_VARIABLES} variables of one kind")));
    }
    Ok((variables, body))
}

/// Reads the declaration of an operator; `None` for the sort of literals, which the parser handles.
fn read_function(
    signatures: &mut Signatures,
    theory: usize,
    function: &Sexpr,
) -> Result<Option<Declaration>, Error> {
    let (variables, rank) = read_par(function)?;
    let [head, rest @ ..] = list(rank)? else {
        return Err(
            Error::syntax(rank.span(), "not an operator declaration").expected("(name SORT … RESULT)")
        );
    };
    let sorts_end = rest.iter().position(is_keyword).unwrap_or(rest.len());
    let (sorts, attributes) = rest.split_at(sorts_end);
    let mut sorts: Vec<SortPattern> =
        sorts.iter().map(|sort| read_sort(signatures, &variables, sort)).collect::<Result<_, _>>()?;
    let Some(result) = sorts.pop() else {
        return Err(
            Error::syntax(rank.span(), "operator has no result sort").expected("(name SORT … RESULT)")
        );
    };
    let (name, indices, qualified) = read_head(signatures, &variables, head)?;
    if matches!(name, "NUMERAL" | "DECIMAL" | "STRING" | "HEXADECIMAL" | "BINARY") {
        return Ok(None);
    }
    let mut declaration = Declaration {
        name: signatures.symbols.intern(name),
        theory,
        indices,
        qualified,
        sort_variables: variables.sorts.len(),
        index_variables: variables.indices.len(),
        args: sorts,
        result,
        associativity: Associativity::None,
        shape: None,
        condition: None,
        alias: None,
        open: false,
        solver_defined: false,
        unevaluated: None,
        solvers: None,
        removed: false,
        at_most: None,
        values_only: Vec::new(),
        last_value_only: Vec::new(),
        without_logic: Vec::new(),
        experimental: Vec::new(),
        fragment: None,
    };
    read_attributes(signatures, &variables, &mut declaration, attributes)?;
    Ok(Some(declaration))
}

fn add(signatures: &mut Signatures, declaration: Declaration) {
    let id = signatures.declarations.len() as u32;
    let slot = declaration.name.index();
    if signatures.by_name.len() <= slot {
        signatures.by_name.resize(slot + 1, Vec::new());
    }
    signatures.by_name[slot].push(id);
    signatures.declarations.push(declaration);
}

fn read_attributes(
    signatures: &mut Signatures,
    variables: &Variables,
    declaration: &mut Declaration,
    attributes: &[Sexpr],
) -> Result<(), Error> {
    for (keyword, value) in pair_up(attributes)? {
        match (keyword, value) {
            (":left-assoc", None) => declaration.associativity = Associativity::Left,
            (":right-assoc", None) => declaration.associativity = Associativity::Right,
            (":chainable", None) => declaration.associativity = Associativity::Chainable,
            (":pairwise", None) => declaration.associativity = Associativity::Pairwise,
            (":variadic", None) => declaration.associativity = Associativity::Variadic,
            (":repeat", None) => declaration.associativity = Associativity::Repeat,
            (":open", _) => declaration.open = true,
            (":solver-defined", _) => (declaration.open, declaration.solver_defined) = (true, true),
            (":removed", _) => declaration.removed = true,
            (":where", Some(value)) => {
                declaration.condition = Some(read_condition(signatures, variables, value)?)
            }
            (":shape", Some(value)) => {
                let unknown =
                    || Error::syntax(value.span(), "unknown shape").expected("a shape such as `product`");
                declaration.shape = Some(Shape::named(symbol(value)?).ok_or_else(unknown)?);
            }
            (":alias", Some(value)) => declaration.alias = Some(signatures.symbols.intern(symbol(value)?)),
            (":solvers", Some(value)) => declaration.solvers = Some(names(value)?),
            (":values-only", Some(value)) => declaration.values_only = names(value)?,
            (":last-value-only", Some(value)) => declaration.last_value_only = names(value)?,
            (":without-logic", Some(value)) => declaration.without_logic = names(value)?,
            (":experimental", Some(value)) => declaration.experimental = names(value)?,
            (":fragment", Some(value)) => declaration.fragment = Some(symbol(value)?.to_owned()),
            (":at-most", Some(value)) => {
                let number = value.atom().and_then(|text| text.parse().ok());
                let bad = || Error::syntax(value.span(), "not a number of arguments").expected("a numeral");
                declaration.at_most = Some(number.ok_or_else(bad)?);
            }
            (":unevaluated", Some(Sexpr::Atom(Kind::String, text, _))) => {
                declaration.unevaluated = Some(text.trim_matches('"').to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

fn read_head<'a>(
    signatures: &mut Signatures,
    variables: &Variables,
    head: &'a Sexpr,
) -> Result<(&'a str, Vec<IndexExpr>, bool), Error> {
    match head.list() {
        None => Ok((symbol(head)?, Vec::new(), false)),
        Some([underscore, name, indices @ ..]) if underscore.atom() == Some("_") => {
            let indices = indices
                .iter()
                .map(|index| read_index(signatures, variables, index))
                .collect::<Result<_, _>>()?;
            Ok((symbol(name)?, indices, false))
        }
        Some([word, name, _]) if word.atom() == Some("as") => Ok((symbol(name)?, Vec::new(), true)),
        Some(_) => Err(Error::syntax(head.span(), "not an operator name")
            .expected("name, (_ name index …) or (as name RESULT)")),
    }
}

fn read_sort(signatures: &mut Signatures, variables: &Variables, sort: &Sexpr) -> Result<SortPattern, Error> {
    let pattern = match sort {
        Sexpr::Atom(..) => {
            let name = symbol(sort)?;
            if let Some(variable) = variables.sorts.iter().position(|known| *known == name) {
                return Ok(SortPattern::Variable(variable as u8));
            }
            let head = signatures.symbols.intern(name);
            if let Some(sort) = signatures.abbreviations.get(&(head, 0)) {
                return Ok(sort.clone());
            }
            SortPattern::Constructed { head, indices: Vec::new(), args: Vec::new() }
        }
        Sexpr::List(items, span) => match items.as_slice() {
            [underscore, name, indices @ ..] if underscore.atom() == Some("_") => {
                let head = signatures.symbols.intern(symbol(name)?);
                let indices = indices
                    .iter()
                    .map(|index| read_index(signatures, variables, index))
                    .collect::<Result<_, _>>()?;
                SortPattern::Constructed { head, indices, args: Vec::new() }
            }
            [name, args @ ..] if !args.is_empty() => {
                let head = signatures.symbols.intern(symbol(name)?);
                let args =
                    args.iter().map(|arg| read_sort(signatures, variables, arg)).collect::<Result<_, _>>()?;
                SortPattern::Constructed { head, indices: Vec::new(), args }
            }
            _ => return Err(Error::syntax(*span, "not a sort")),
        },
    };
    Ok(ground(signatures, pattern))
}

/// Converts a pattern without variables to a sort.
fn ground(signatures: &mut Signatures, pattern: SortPattern) -> SortPattern {
    let SortPattern::Constructed { head, indices, args } = &pattern else { return pattern };
    let fixed: Option<Vec<Index>> = indices
        .iter()
        .map(|index| match index {
            IndexExpr::Fixed(index) => Some(*index),
            _ => None,
        })
        .collect();
    let sorts: Option<Vec<_>> = args
        .iter()
        .map(|arg| match arg {
            SortPattern::Ground(sort) => Some(*sort),
            _ => None,
        })
        .collect();
    match (fixed, sorts) {
        (Some(indices), Some(args)) => SortPattern::Ground(signatures.sorts.intern(*head, &indices, &args)),
        _ => pattern,
    }
}

fn read_index(signatures: &mut Signatures, variables: &Variables, expr: &Sexpr) -> Result<IndexExpr, Error> {
    match expr {
        Sexpr::Atom(Kind::Numeral, text, span) => match text.parse() {
            Ok(number) => Ok(IndexExpr::Fixed(Index::Num(number))),
            Err(_) => Err(Error::syntax(*span, "index is too large")),
        },
        Sexpr::Atom(..) => {
            let name = symbol(expr)?;
            Ok(match variables.indices.iter().position(|known| *known == name) {
                Some(variable) => IndexExpr::Variable(variable as u8),
                None => IndexExpr::Fixed(Index::Sym(signatures.symbols.intern(name))),
            })
        }
        Sexpr::List(items, span) => {
            let op = match items.first().and_then(Sexpr::atom) {
                Some("+") => IndexOp::Add,
                Some("-") => IndexOp::Sub,
                Some("*") => IndexOp::Mul,
                Some("div") => IndexOp::Div,
                Some("max") => IndexOp::Max,
                _ => return Err(Error::syntax(*span, "not index arithmetic").expected("+, -, *, div or max")),
            };
            let args = items[1..]
                .iter()
                .map(|arg| read_index(signatures, variables, arg))
                .collect::<Result<_, _>>()?;
            Ok(IndexExpr::Op(op, args))
        }
    }
}

fn read_condition(
    signatures: &mut Signatures,
    variables: &Variables,
    expr: &Sexpr,
) -> Result<Condition, Error> {
    let bad = || {
        Error::syntax(expr.span(), "not a condition").expected("and, or, not, =, <, <=, >, >= or distinct")
    };
    let [head, args @ ..] = list(expr)? else { return Err(bad()) };
    let all = |signatures: &mut Signatures| {
        args.iter().map(|arg| read_condition(signatures, variables, arg)).collect::<Result<Vec<_>, _>>()
    };
    const COMPARISONS: [&str; 6] = ["=", "<", "<=", ">", ">=", "distinct"];
    match (head.atom(), args) {
        (Some("and"), _) => Ok(Condition::And(all(signatures)?)),
        (Some("or"), _) => Ok(Condition::Or(all(signatures)?)),
        (Some("not"), [inner]) => Ok(Condition::Not(Box::new(read_condition(signatures, variables, inner)?))),
        (Some(op), [left, right]) => {
            let op = COMPARISONS.into_iter().find(|known| *known == op).ok_or_else(bad)?;
            let left = read_index(signatures, variables, left)?;
            let right = read_index(signatures, variables, right)?;
            Ok(Condition::Compare(op, left, right))
        }
        _ => Err(bad()),
    }
}

fn list(expr: &Sexpr) -> Result<&[Sexpr], Error> {
    expr.list().ok_or_else(|| Error::syntax(expr.span(), "not a list").expected("(…)"))
}

fn symbol(expr: &Sexpr) -> Result<&str, Error> {
    match expr {
        Sexpr::Atom(Kind::Symbol, text, _) => Ok(text),
        Sexpr::Atom(Kind::Quoted, text, _) => Ok(&text[1..text.len() - 1]),
        _ => Err(Error::syntax(expr.span(), "not a symbol").expected("a symbol such as `Int`")),
    }
}

fn names(expr: &Sexpr) -> Result<Vec<String>, Error> {
    list(expr)?.iter().map(|item| symbol(item).map(str::to_owned)).collect()
}

fn is_keyword(expr: &Sexpr) -> bool {
    matches!(expr, Sexpr::Atom(Kind::Keyword, ..))
}

/// Pairs each keyword with the value that follows it, if any.
fn pair_up(attributes: &[Sexpr]) -> Result<Vec<(&str, Option<&Sexpr>)>, Error> {
    let mut pairs: Vec<(&str, Option<&Sexpr>)> = Vec::new();
    for item in attributes {
        match (item, pairs.last_mut()) {
            (Sexpr::Atom(Kind::Keyword, keyword, _), _) => pairs.push((keyword, None)),
            (value, Some((_, slot @ None))) => *slot = Some(value),
            _ => {
                return Err(
                    Error::syntax(item.span(), "not an attribute").expected("a keyword such as `:funs`")
                );
            }
        }
    }
    Ok(pairs)
}
