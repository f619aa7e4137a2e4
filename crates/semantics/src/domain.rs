//! How many values a sort has, and which they are where they are few.

use std::collections::BTreeMap;
use std::sync::Arc;

use smt::{Arena, Index, Sort, reserved};

use crate::data::{Extent, FieldElement, Table, Value};
use crate::value::bitvec::BitVec;
use crate::value::float::{Float, Format, RoundingMode};
use crate::value::integer::Int;
use crate::value::limits::Limits;
use crate::value::string::MAX_CODE;

/// Elements of uninterpreted sorts, where a model states all of them.
pub(crate) type Universes = BTreeMap<Sort, Arc<[Value]>>;

/// Sorts nest at most so deeply when their values are counted.
const MAX_NESTING: u32 = 32;

/// How many values a sort has.
pub(crate) fn extent(arena: &Arena, universes: &Universes, sort: Sort) -> Extent {
    count(arena, universes, sort, &mut Vec::new())
}

/// How many indices a sort of arrays or functions has, and how many arguments an index has.
pub(crate) fn index_extent(arena: &Arena, universes: &Universes, sort: Sort) -> (Extent, u32) {
    let node = arena.sort_node(sort);
    let indices = match &node.args[..] {
        [element] if node.head == reserved::SET_SORT || node.head == reserved::FINITE_SET_SORT => {
            std::slice::from_ref(element)
        }
        [indices @ .., _] => indices,
        [] => &[],
    };
    let product = indices
        .iter()
        .fold(Extent::Finite(1), |product, &index| product.times(extent(arena, universes, index)));
    (product, indices.len().max(1) as u32)
}

/// `outer` holds the datatypes that are being counted: meeting one of them again means that its values nest without end.
fn count(arena: &Arena, universes: &Universes, sort: Sort, outer: &mut Vec<Sort>) -> Extent {
    if let Some(elements) = universes.get(&sort) {
        return Extent::Finite(elements.len() as u64);
    }
    if outer.len() as u32 > MAX_NESTING {
        return Extent::Unknown;
    }
    let node = arena.sort_node(sort);
    let power_of_two = |bits: u64| if bits < 63 { Extent::Finite(1 << bits) } else { Extent::Infinite };
    match sort {
        Sort::BOOL => return Extent::Finite(2),
        Sort::INT | Sort::REAL | Sort::STRING | Sort::REGLAN => return Extent::Infinite,
        Sort::ROUNDING_MODE => return Extent::Finite(5),
        _ => {}
    }
    if let Some(width) = arena.bitvec_width(sort) {
        return power_of_two(width);
    }
    if let Some((exponent, significand)) = arena.float_format(sort) {
        return match power_of_two(exponent.saturating_add(significand)) {
            // All patterns, with one NaN in place of those that have every exponent bit and some fraction bit.
            Extent::Finite(patterns) => Extent::Finite(patterns - (2 << (significand - 1)) + 3),
            other => other,
        };
    }
    if let Some(id) = arena.datatype_of(sort) {
        if outer.contains(&sort) {
            return Extent::Infinite;
        }
        outer.push(sort);
        let mut total = Extent::Finite(0);
        for constructor in &arena.datatype(id).constructors {
            let mut product = Extent::Finite(1);
            for (_, field) in &constructor.fields {
                let field = field_sort(arena, sort, id, *field);
                let part = match field {
                    Some(field) => count(arena, universes, field, outer),
                    None => Extent::Unknown,
                };
                product = product.times(part);
            }
            total = match (total, product) {
                (Extent::Finite(a), Extent::Finite(b)) => {
                    a.checked_add(b).map_or(Extent::Infinite, Extent::Finite)
                }
                (Extent::Infinite, _) | (_, Extent::Infinite) => Extent::Infinite,
                _ => Extent::Unknown,
            };
        }
        outer.pop();
        return total;
    }
    match (arena.name(node.head), &node.args[..]) {
        ("Seq" | "Bag", _) => Extent::Infinite,
        ("Unicode", []) => Extent::Finite(u64::from(MAX_CODE) + 1),
        ("FiniteField", []) => match order(arena, sort).and_then(|order| order.to_u64()) {
            Some(order) => Extent::Finite(order),
            None => Extent::Infinite,
        },
        ("Tuple", parts) => {
            parts.iter().fold(Extent::Finite(1), |all, &part| all.times(count(arena, universes, part, outer)))
        }
        ("Nullable", &[element]) => match count(arena, universes, element, outer) {
            Extent::Finite(size) => size.checked_add(1).map_or(Extent::Infinite, Extent::Finite),
            other => other,
        },
        ("Set" | "FiniteSet", &[element]) => match count(arena, universes, element, outer) {
            Extent::Finite(size) => power_of_two(size),
            other => other,
        },
        ("Array" | "->", [indices @ .., element]) => {
            let keys = indices
                .iter()
                .fold(Extent::Finite(1), |all, &index| all.times(count(arena, universes, index, outer)));
            match (keys, count(arena, universes, *element, outer)) {
                (_, Extent::Finite(1)) => Extent::Finite(1),
                (Extent::Finite(keys), Extent::Finite(size)) => {
                    let power = u32::try_from(keys).ok().and_then(|keys| size.checked_pow(keys));
                    power.map_or(Extent::Infinite, Extent::Finite)
                }
                (Extent::Unknown, _) | (_, Extent::Unknown) => Extent::Unknown,
                _ => Extent::Infinite,
            }
        }
        _ => Extent::Unknown,
    }
}

/// The order of a finite field.
pub(crate) fn order(arena: &Arena, sort: Sort) -> Option<Int> {
    match *arena.sort_node(sort).indices {
        [Index::Num(order)] => Some(Int::from(order)),
        [Index::Sym(order)] => Int::parse_numeral(arena.name(order)),
        _ => None,
    }
}

/// The sort of a field in an instance of a datatype, unless the parameters make it a sort that the arena has not met.
fn field_sort(arena: &Arena, instance: Sort, id: smt::DatatypeId, field: Sort) -> Option<Sort> {
    let node = arena.sort_node(field);
    if !node.is_polymorphic {
        return Some(field);
    }
    let datatype = arena.datatype(id);
    if field == datatype.sort {
        return Some(instance);
    }
    let at = datatype.params.iter().position(|param| node.is_param && *param == node.head)?;
    arena.sort_node(instance).args.get(at).copied()
}

/// All values of a sort, if there are at most `most` of them.
pub(crate) fn enumerate(
    arena: &Arena,
    universes: &Universes,
    sort: Sort,
    most: u64,
    limits: &Limits,
) -> Option<Vec<Value>> {
    match extent(arena, universes, sort) {
        Extent::Finite(size) if size <= most => list(arena, universes, sort, limits),
        _ => None,
    }
}

/// All values of a sort that is known to have few.
fn list(arena: &Arena, universes: &Universes, sort: Sort, limits: &Limits) -> Option<Vec<Value>> {
    if let Some(elements) = universes.get(&sort) {
        return Some(elements.to_vec());
    }
    if sort == Sort::BOOL {
        return Some(vec![Value::Bool(false), Value::Bool(true)]);
    }
    if sort == Sort::ROUNDING_MODE {
        return Some(RoundingMode::ALL.into_iter().map(Value::RoundingMode).collect());
    }
    if let Some(width) = arena.bitvec_width(sort) {
        let width = width as u32;
        return Some((0..1u64 << width).map(|bits| Value::BitVec(BitVec::from_u64(width, bits))).collect());
    }
    if let Some((exponent, significand)) = arena.float_format(sort) {
        let format = Format::new(exponent, significand, limits).ok()?;
        let patterns = (0..1u64 << format.width()).map(|bits| {
            let bits = BitVec::from_u64(format.width(), bits);
            Value::float(Float::from_bits(format, &bits))
        });
        let distinct: std::collections::BTreeSet<Value> = patterns.collect();
        return Some(distinct.into_iter().collect());
    }
    if let Some(id) = arena.datatype_of(sort) {
        let mut all = Vec::new();
        for (at, constructor) in arena.datatype(id).constructors.iter().enumerate() {
            let fields: Option<Vec<Vec<Value>>> = constructor
                .fields
                .iter()
                .map(|(_, field)| list(arena, universes, field_sort(arena, sort, id, *field)?, limits))
                .collect();
            for fields in products(&fields?) {
                all.push(Value::data(id, at as u32, fields).ok()?);
            }
        }
        return Some(all);
    }
    let node = arena.sort_node(sort);
    match (arena.name(node.head), &node.args[..]) {
        ("Unicode", []) => Some((0..=MAX_CODE).map(Value::Char).collect()),
        ("FiniteField", []) => {
            let order = order(arena, sort)?;
            let element = |value: u64| {
                Value::Field(Arc::new(FieldElement { value: Int::from(value), order: order.clone() }))
            };
            Some((0..order.to_u64()?).map(element).collect())
        }
        ("Tuple", parts) => {
            let parts: Option<Vec<Vec<Value>>> =
                parts.iter().map(|&part| list(arena, universes, part, limits)).collect();
            products(&parts?).into_iter().map(|items| Value::tuple(items).ok()).collect()
        }
        ("Set" | "FiniteSet", &[element]) => {
            let elements = list(arena, universes, element, limits)?;
            let subset = |mask: u64| {
                let members = elements.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
                Value::set(members.map(|(_, member)| member.clone()).collect()).ok()
            };
            (0..1u64 << elements.len()).map(subset).collect()
        }
        ("Array" | "->", [indices @ .., element]) => {
            let keys = key_list(arena, universes, indices, limits)?;
            let elements = list(arena, universes, *element, limits)?;
            let (extent, arity) = index_extent(arena, universes, sort);
            let choices: Vec<Vec<Value>> = keys.iter().map(|_| elements.clone()).collect();
            let table = |values: Vec<Value>| {
                let entries: BTreeMap<Value, Value> = keys.iter().cloned().zip(values).collect();
                let default = entries.values().next()?.clone();
                Table::new(extent, arity, default, entries, &mut || Some(keys.clone())).ok()
            };
            products(&choices)
                .into_iter()
                .map(|values| Some(Value::Array(Arc::new(table(values)?))))
                .collect()
        }
        _ => None,
    }
}

/// All keys of tables over these index sorts, which are known to have few.
fn key_list(arena: &Arena, universes: &Universes, indices: &[Sort], limits: &Limits) -> Option<Vec<Value>> {
    let parts: Option<Vec<Vec<Value>>> =
        indices.iter().map(|&index| list(arena, universes, index, limits)).collect();
    products(&parts?).into_iter().map(|args| Value::key(&args).ok()).collect()
}

/// All keys of a table of this sort, if there are at most `most`.
pub(crate) fn keys(
    arena: &Arena,
    universes: &Universes,
    sort: Sort,
    most: u64,
    limits: &Limits,
) -> Option<Vec<Value>> {
    match index_extent(arena, universes, sort).0 {
        Extent::Finite(size) if size <= most => {
            let node = arena.sort_node(sort);
            let indices = match &node.args[..] {
                [_] => &node.args[..],
                [indices @ .., _] => indices,
                [] => &[],
            };
            key_list(arena, universes, indices, limits)
        }
        _ => None,
    }
}

/// One value from each list, in every way.
pub(crate) fn products(lists: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for list in lists {
        all = all
            .into_iter()
            .flat_map(|begin| {
                list.iter().map(move |value| {
                    let mut longer = begin.clone();
                    longer.push(value.clone());
                    longer
                })
            })
            .collect();
    }
    all
}
