//! Applying declared functions and datatype operators, whose ranks may contain sort parameters.

use super::identifier::Head;
use super::mismatch::Mismatch;
use crate::arena::Arena;
use crate::op::{Op, OpKind, OpNode};
use crate::sort::{Sort, SortTable};
use crate::symbol::Symbol;
use crate::term::Term;

/// The values of sort parameters.
#[derive(Default)]
pub(crate) struct ParamBinding(Vec<(Symbol, Sort)>);

impl ParamBinding {
    /// Matches `actual` against a sort with parameters.
    pub(crate) fn unify(&mut self, table: &SortTable, pattern: Sort, actual: Sort) -> bool {
        let node = table.node(pattern);
        if !node.is_polymorphic {
            return table.compatible(pattern, actual);
        }
        if node.is_param {
            return match self.get(node.head) {
                Some(bound) => table.compatible(bound, actual),
                None => {
                    self.0.push((node.head, actual));
                    true
                }
            };
        }
        let other = table.node(actual);
        node.head == other.head
            && node.indices == other.indices
            && node.args.len() == other.args.len()
            && node.args.iter().zip(&other.args).all(|(&pattern, &actual)| self.unify(table, pattern, actual))
    }

    pub(crate) fn get(&self, param: Symbol) -> Option<Sort> {
        self.0.iter().find(|(name, _)| *name == param).map(|(_, sort)| *sort)
    }
}

impl Arena {
    /// The argument and result sorts of a function or a datatype operator.
    pub(crate) fn rank_of(&self, kind: &OpKind) -> (Vec<Sort>, Sort) {
        match kind {
            OpKind::Function { args, result } => (args.to_vec(), *result),
            OpKind::Constructor(id, constructor) => {
                let datatype = self.datatypes.get(*id);
                let fields = &datatype.constructors[*constructor as usize].fields;
                (fields.iter().map(|(_, sort)| *sort).collect(), datatype.sort)
            }
            OpKind::Selector(id, constructor, field) => {
                let datatype = self.datatypes.get(*id);
                (vec![datatype.sort], datatype.constructors[*constructor as usize].fields[*field as usize].1)
            }
            OpKind::Tester(id, _) => (vec![self.datatypes.get(*id).sort], Sort::BOOL),
            OpKind::Updater(id, constructor, field) => {
                let datatype = self.datatypes.get(*id);
                let field = datatype.constructors[*constructor as usize].fields[*field as usize].1;
                (vec![datatype.sort, field], datatype.sort)
            }
            _ => (Vec::new(), Sort::BOOL),
        }
    }

    /// Applies a function or a datatype operator and checks sorts. Converts integers to reals where reals are required.
    pub fn apply_op(&mut self, op: Op, args: &[Term]) -> Result<Term, Mismatch> {
        let node = self.ops.node(op);
        match &node.kind {
            OpKind::Function { args: rank, result } if node.ascription.is_none() => {
                // Fast path without copies: all sorts are as declared.
                let matches = rank.len() == args.len()
                    && rank.iter().zip(args).all(|(&sort, &arg)| sort == self.sort(arg))
                    && !self.sorts.node(*result).is_polymorphic;
                if matches {
                    let result = *result;
                    return Ok(self.app_unchecked(op, args, result));
                }
            }
            OpKind::Theory(_)
            | OpKind::Apply
            | OpKind::Map(_)
            | OpKind::Tuple
            | OpKind::TupleSelect
            | OpKind::TupleUpdate
            | OpKind::TupleProject => {
                let OpNode { name, indices, ascription, .. } = node.clone();
                return self.apply_head(Head { name, indices: &indices, ascription }, args);
            }
            _ => {}
        }
        let node = self.ops.node(op).clone();
        let (rank, result) = self.rank_of(&node.kind);
        let mismatch = |arena: &Arena| arena.wrong_arguments(arena.name(node.name), &node.kind, args);
        if rank.len() != args.len() {
            return Err(mismatch(self));
        }
        let mut binding = ParamBinding::default();
        if let Some(ascription) = node.ascription
            && !binding.unify(&self.sorts, result, ascription)
        {
            let text = self.sort_text(ascription);
            return Err(Mismatch::new(format!("`{}` cannot have sort {text}", self.name(node.name)))
                .expected(self.sort_text(result)));
        }
        let mut converted = args.to_vec();
        for (arg, &sort) in converted.iter_mut().zip(&rank) {
            if sort == Sort::REAL {
                *arg = self.to_real(*arg);
            }
            if !binding.unify(&self.sorts, sort, self.sort(*arg)) {
                return Err(mismatch(self));
            }
        }
        let sort = self.sorts.instantiate(result, &|param| binding.get(param));
        self.check_sort(sort)?;
        if self.sorts.node(sort).is_polymorphic && !matches!(node.kind, OpKind::Function { .. }) {
            let name = self.name(node.name);
            return Err(Mismatch::new(format!("cannot infer the sort of `{name}` from its arguments"))
                .expected(format!("(as {name} SORT)")));
        }
        Ok(self.app_unchecked(op, &converted, sort))
    }

    /// The sort of a constructor field in an instance of its datatype.
    pub fn field_sort(&mut self, instance: Sort, field: Sort) -> Sort {
        let Some(id) = self.datatype_of(instance) else { return field };
        let mut binding = ParamBinding::default();
        let declared = self.datatypes.get(id).sort;
        binding.unify(&self.sorts, declared, instance);
        self.sorts.instantiate(field, &|param| binding.get(param))
    }
}
