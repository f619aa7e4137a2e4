//! How many values a sort has, and which they are if there are few.

use std::collections::BTreeMap;
use std::sync::Arc;

use smt::{Arena, DatatypeId, Sort, reserved};

use super::SortSemantics;
use crate::data::{Cardinality, Table, Value};
use crate::value::bitvec::BitVec;
use crate::value::float::{Float, Format, RoundingMode};
use crate::value::limits::{Limits, Undetermined};

/// The elements of uninterpreted sorts, where a model lists all of them.
pub(crate) type Universes = BTreeMap<Sort, Arc<[Value]>>;

/// The sorts of the theories, by the name of the sort constructor.
pub(crate) type Sorts = BTreeMap<&'static str, &'static SortSemantics>;

/// How deeply datatypes may nest while their values are counted.
const MAX_NESTING: usize = 32;

/// Tables over index sorts of at most this size are brought into normal form.
const MAX_TABLE_KEYS: u64 = 1 << 12;

/// The values of sorts, in one arena and model.
///
/// The sorts that the arena itself knows (Booleans, numbers, bit-vectors, floating point, datatypes) are handled here; all others
/// are described by their theory's [`SortSemantics`].
pub struct Domain<'d> {
    /// The arena of the sorts.
    pub arena: &'d Arena,
    /// Bounds on values.
    pub limits: &'d Limits,
    universes: &'d Universes,
    sorts: &'d Sorts,
    /// The datatypes that are being counted. Meeting one of them again means that its values nest without bound.
    counting: Vec<Sort>,
    /// The sizes of datatypes that were counted before.
    counted: BTreeMap<Sort, Cardinality>,
}

impl<'d> Domain<'d> {
    pub(crate) fn new(
        arena: &'d Arena,
        universes: &'d Universes,
        limits: &'d Limits,
        sorts: &'d Sorts,
    ) -> Domain<'d> {
        Domain { arena, limits, universes, sorts, counting: Vec::new(), counted: BTreeMap::new() }
    }

    /// How many values a sort has.
    pub fn size(&mut self, sort: Sort) -> Cardinality {
        if let Some(elements) = self.universes.get(&sort) {
            return Cardinality::Finite(elements.len() as u64);
        }
        if self.counting.len() > MAX_NESTING {
            return Cardinality::Unknown;
        }
        let arena = self.arena;
        match sort {
            Sort::BOOL => return Cardinality::Finite(2),
            Sort::INT | Sort::REAL | Sort::STRING | Sort::REGLAN => return Cardinality::Infinite,
            Sort::ROUNDING_MODE => return Cardinality::Finite(5),
            _ => {}
        }
        if let Some(width) = arena.bitvec_width(sort) {
            return Cardinality::power_of_two(width);
        }
        if let Some((exponent, significand)) = arena.float_format(sort) {
            return match Cardinality::power_of_two(exponent.saturating_add(significand)) {
                // All bit patterns, with one NaN for all patterns with full exponent and non-zero fraction.
                Cardinality::Finite(patterns) => Cardinality::Finite(patterns - (2 << (significand - 1)) + 3),
                other => other,
            };
        }
        if let Some(id) = arena.datatype_of(sort) {
            return self.datatype_size(sort, id);
        }
        match self.semantics(sort) {
            Some(semantics) => (semantics.size)(self, sort),
            None => Cardinality::Unknown,
        }
    }

    fn datatype_size(&mut self, sort: Sort, id: DatatypeId) -> Cardinality {
        if self.counting.contains(&sort) {
            return Cardinality::Infinite;
        }
        if let Some(size) = self.counted.get(&sort) {
            return *size;
        }
        self.counting.push(sort);
        let size = self.constructors_size(sort, id);
        self.counting.pop();
        // A size may be unknown only because the datatypes around it nest too deeply.
        if size != Cardinality::Unknown {
            self.counted.insert(sort, size);
        }
        size
    }

    /// How many values the constructors of a datatype make. Ends at the first one that makes infinitely many: datatypes that
    /// contain each other would take exponential time.
    fn constructors_size(&mut self, sort: Sort, id: DatatypeId) -> Cardinality {
        let mut total = Cardinality::Finite(0);
        for constructor in &self.arena.datatype(id).constructors {
            let mut product = Cardinality::Finite(1);
            for (_, field) in &constructor.fields {
                let part = match field_sort(self.arena, sort, id, *field) {
                    Some(field) => self.size(field),
                    None => Cardinality::Unknown,
                };
                if part == Cardinality::Infinite {
                    return Cardinality::Infinite;
                }
                product = product.times(part);
            }
            total = total.plus(product);
        }
        total
    }

    /// How many combinations of values these sorts have.
    pub fn product_size(&mut self, sorts: &[Sort]) -> Cardinality {
        sorts.iter().fold(Cardinality::Finite(1), |product, &sort| product.times(self.size(sort)))
    }

    fn semantics(&self, sort: Sort) -> Option<&'static SortSemantics> {
        self.sorts.get(self.arena.sort_head(sort)).copied()
    }

    /// All values of a sort, if there are at most `limit`.
    pub fn values_up_to(&mut self, sort: Sort, limit: u64) -> Option<Vec<Value>> {
        match self.size(sort) {
            Cardinality::Finite(size) if size <= limit => self.values(sort),
            _ => None,
        }
    }

    /// All values of a sort. Call it only for sorts that are known to be small: nothing else bounds the list.
    pub fn values(&mut self, sort: Sort) -> Option<Vec<Value>> {
        if let Some(elements) = self.universes.get(&sort) {
            return Some(elements.to_vec());
        }
        let arena = self.arena;
        match sort {
            Sort::BOOL => return Some(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::ROUNDING_MODE => {
                return Some(RoundingMode::ALL.into_iter().map(Value::RoundingMode).collect());
            }
            _ => {}
        }
        if let Some(width) = arena.bitvec_width(sort) {
            let width = width as u32;
            return Some(
                (0..1u64 << width).map(|bits| Value::BitVec(BitVec::from_u64(width, bits))).collect(),
            );
        }
        if let Some((exponent, significand)) = arena.float_format(sort) {
            let format = Format::new(exponent, significand, self.limits).ok()?;
            let patterns = (0..1u64 << format.width()).map(|bits| {
                let bits = BitVec::from_u64(format.width(), bits);
                Value::float(Float::from_bits(format, &bits))
            });
            let distinct: std::collections::BTreeSet<Value> = patterns.collect();
            return Some(distinct.into_iter().collect());
        }
        if let Some(id) = arena.datatype_of(sort) {
            return self.datatype_values(sort, id);
        }
        self.semantics(sort).and_then(|semantics| (semantics.values)(self, sort))
    }

    fn datatype_values(&mut self, sort: Sort, id: DatatypeId) -> Option<Vec<Value>> {
        let mut all = Vec::new();
        for (number, constructor) in self.arena.datatype(id).constructors.iter().enumerate() {
            let mut fields = Vec::with_capacity(constructor.fields.len());
            for (_, field) in &constructor.fields {
                fields.push(field_sort(self.arena, sort, id, *field)?);
            }
            for fields in self.tuples(&fields)? {
                all.push(Value::data(id, number as u32, fields).ok()?);
            }
        }
        Some(all)
    }

    /// All combinations of values of these sorts, which are known to be small.
    pub fn tuples(&mut self, sorts: &[Sort]) -> Option<Vec<Vec<Value>>> {
        let lists: Option<Vec<Vec<Value>>> = sorts.iter().map(|&sort| self.values(sort)).collect();
        Some(combinations(&lists?))
    }

    /// How many indices an array or function sort has, and how many arguments make up an index.
    pub(crate) fn index_size(&mut self, sort: Sort) -> (Cardinality, u32) {
        let indices = index_sorts(self.arena, sort);
        (self.product_size(indices), indices.len().max(1) as u32)
    }

    /// All keys of a table of this sort, if there are at most `limit`.
    pub(crate) fn keys(&mut self, sort: Sort, limit: u64) -> Option<Vec<Value>> {
        match self.index_size(sort).0 {
            Cardinality::Finite(size) if size <= limit => self.table_keys(index_sorts(self.arena, sort)),
            _ => None,
        }
    }

    /// All keys of tables over these index sorts, which are known to be small.
    pub(crate) fn table_keys(&mut self, indices: &[Sort]) -> Option<Vec<Value>> {
        self.tuples(indices)?.into_iter().map(|args| Value::key(&args).ok()).collect()
    }

    /// An array of this sort. Keys are canonical.
    pub fn array(
        &mut self,
        sort: Sort,
        default: Value,
        entries: BTreeMap<Value, Value>,
    ) -> Result<Value, Undetermined> {
        let (size, arity) = self.index_size(sort);
        let mut all = || self.keys(sort, MAX_TABLE_KEYS);
        Ok(Value::Array(Arc::new(Table::new(size, arity, default, entries, &mut all)?)))
    }
}

/// The index sorts of an array or function sort. A set is an array from its elements to Booleans.
fn index_sorts(arena: &Arena, sort: Sort) -> &[Sort] {
    let node = arena.sort_node(sort);
    match &node.args[..] {
        [element] if node.head == reserved::SET_SORT || node.head == reserved::FINITE_SET_SORT => {
            std::slice::from_ref(element)
        }
        [indices @ .., _] => indices,
        [] => &[],
    }
}

/// The sort of a field in an instance of a datatype. `None` if the instance needs a sort that the arena has not interned.
fn field_sort(arena: &Arena, instance: Sort, id: DatatypeId, field: Sort) -> Option<Sort> {
    let node = arena.sort_node(field);
    if !node.is_polymorphic {
        return Some(field);
    }
    let datatype = arena.datatype(id);
    if field == datatype.sort {
        return Some(instance);
    }
    let parameter = datatype.params.iter().position(|param| node.is_param && *param == node.head)?;
    arena.sort_node(instance).args.get(parameter).copied()
}

/// Every way to choose one value from each list. The last list changes fastest.
pub(crate) fn combinations(lists: &[impl AsRef<[Value]>]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for list in lists {
        all = all
            .into_iter()
            .flat_map(|prefix| {
                list.as_ref().iter().map(move |value| {
                    let mut longer = prefix.clone();
                    longer.push(value.clone());
                    longer
                })
            })
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Scope, parse_in_scope, parse_sort};

    /// Twenty datatypes that all contain each other, and twenty of which each contains the next one twice.
    #[test]
    fn datatypes_that_contain_each_other_are_counted_once() {
        let all = 0..20;
        let knot: String = all
            .clone()
            .map(|at| {
                let fields: String = all.clone().map(|to| format!(" (k{at}_{to} K{to})")).collect();
                format!("((e{at}) (k{at}{fields}))")
            })
            .collect();
        let names = |prefix: char| all.clone().map(|at| format!("({prefix}{at} 0)")).collect::<String>();
        let tower: String =
            all.clone().map(|at| format!("((l{at}) (t{at} (a{at} T{0}) (b{at} T{0})))", at + 1)).collect();
        let script = format!(
            "(declare-datatypes ({}) ({knot}))(declare-datatypes ({}(T20 0)) ({tower}((end) (stop))))",
            names('K'),
            names('T'),
        );
        let (mut arena, mut scope) = (Arena::default(), Scope::default());
        parse_in_scope(&mut arena, &mut scope, &script).unwrap();
        let knot = parse_sort(&mut arena, &mut scope, "K0").unwrap();
        let pair = parse_sort(&mut arena, &mut scope, "T19").unwrap();
        let tower = parse_sort(&mut arena, &mut scope, "T0").unwrap();
        let (universes, limits, sorts) = (Universes::new(), Limits::default(), Sorts::new());
        let mut domain = Domain::new(&arena, &universes, &limits, &sorts);
        assert_eq!(domain.size(knot), Cardinality::Infinite);
        assert_eq!(domain.size(pair), Cardinality::Finite(5));
        // More than fit into 64 bits.
        assert_eq!(domain.size(tower), Cardinality::Infinite);
    }
}
