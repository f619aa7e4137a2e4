//! Operators whose sorts no rank can express: tuples of any length, functions mapped over arrays, and function values.

use super::identifier::Head;
use super::mismatch::Mismatch;
use crate::arena::Arena;
use crate::error::count;
use crate::op::{Op, OpKind, OpNode};
use crate::reserved;
use crate::sort::{Index, Sort};
use crate::term::{Literal, Term};

impl Arena {
    /// Applies a special operator; `None` if `head` is not one.
    pub(super) fn apply_special(&mut self, head: Head, args: &[Term]) -> Option<Result<Term, Mismatch>> {
        match head.name {
            reserved::TUPLE | reserved::TUPLE_UNIT => Some(Ok(self.tuple(head, args))),
            reserved::TUPLE_SELECT => Some(self.tuple_select(head, args)),
            reserved::TUPLE_UPDATE => Some(self.tuple_update(head, args)),
            reserved::TUPLE_PROJECT => Some(self.tuple_project(head, args)),
            reserved::APPLY if args.len() >= 2 => Some(self.apply_value(args[0], &args[1..])),
            _ => self.ascribed_constant(head, args),
        }
    }

    fn special_op(&mut self, head: Head, kind: OpKind) -> Op {
        let Head { name, indices, ascription } = head;
        self.ops.intern(OpNode { name, indices: indices.into(), ascription, kind })
    }

    fn tuple(&mut self, head: Head, args: &[Term]) -> Term {
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.sort(arg)).collect();
        let sort = self.sorts.intern(reserved::TUPLE_SORT, &[], &sorts);
        let op = self.special_op(head, OpKind::Tuple);
        self.app_unchecked(op, args, sort)
    }

    /// The component sorts of a tuple sort.
    fn components(&self, term: Term) -> Result<Vec<Sort>, Mismatch> {
        let node = self.sorts.node(self.sort(term));
        if node.head == reserved::TUPLE_SORT {
            Ok(node.args.to_vec())
        } else {
            let sort = self.sort_text(self.sort(term));
            Err(Mismatch::new(format!("a term of sort {sort} is not a tuple"))
                .expected("a term of sort (Tuple …)"))
        }
    }

    fn component(&self, components: &[Sort], index: Option<&Index>) -> Result<Sort, Mismatch> {
        match index {
            Some(Index::Num(at)) if (*at as usize) < components.len() => Ok(components[*at as usize]),
            _ => Err(Mismatch::new(format!("the tuple has {}", count(components.len(), "component")))
                .expected("a smaller index")),
        }
    }

    fn tuple_select(&mut self, head: Head, args: &[Term]) -> Result<Term, Mismatch> {
        let [tuple] = *args else { return Err(Mismatch::new("`tuple.select` takes one argument")) };
        let components = self.components(tuple)?;
        let sort = self.component(&components, head.indices.first())?;
        let op = self.special_op(head, OpKind::TupleSelect);
        Ok(self.app_unchecked(op, args, sort))
    }

    fn tuple_update(&mut self, head: Head, args: &[Term]) -> Result<Term, Mismatch> {
        let [tuple, value] = *args else { return Err(Mismatch::new("`tuple.update` takes two arguments")) };
        let components = self.components(tuple)?;
        let component = self.component(&components, head.indices.first())?;
        if !self.sorts.compatible(component, self.sort(value)) {
            return Err(
                Mismatch::new("the new component has the wrong sort").expected(self.sort_text(component))
            );
        }
        let op = self.special_op(head, OpKind::TupleUpdate);
        let sort = self.sort(tuple);
        Ok(self.app_unchecked(op, args, sort))
    }

    fn tuple_project(&mut self, head: Head, args: &[Term]) -> Result<Term, Mismatch> {
        let [tuple] = *args else { return Err(Mismatch::new("`tuple.project` takes one argument")) };
        let components = self.components(tuple)?;
        let chosen: Vec<Sort> = head
            .indices
            .iter()
            .map(|index| self.component(&components, Some(index)))
            .collect::<Result<_, _>>()?;
        let sort = self.sorts.intern(reserved::TUPLE_SORT, &[], &chosen);
        let op = self.special_op(head, OpKind::TupleProject);
        Ok(self.app_unchecked(op, args, sort))
    }

    /// Applies a term of a function or array sort to arguments. With fewer arguments than the function takes, the result is a
    /// function of the remaining ones.
    pub fn apply_value(&mut self, function: Term, args: &[Term]) -> Result<Term, Mismatch> {
        let node = self.sorts.node(self.sort(function));
        if !self.sorts.is_functional(self.sort(function)) {
            let sort = self.sort_text(self.sort(function));
            return Err(Mismatch::new(format!("a term of sort {sort} cannot be applied"))
                .expected("a term of sort (-> …) or (Array …)"));
        }
        let node_head = node.head;
        let (&result, params) = node.args.split_last().expect("a function sort has a result");
        let params = params.to_vec();
        if args.len() > params.len() {
            let first = self.apply_value(function, &args[..params.len()])?;
            return self.apply_value(first, &args[params.len()..]);
        }
        for (&param, &arg) in params.iter().zip(args) {
            if !self.sorts.compatible(param, self.sort(arg)) {
                return Err(Mismatch::new(format!(
                    "the function does not take an argument of sort {}",
                    self.sort_text(self.sort(arg))
                ))
                .expected(self.sort_text(param)));
            }
        }
        if args.len() < params.len() && Some(node_head) == self.sorts.array {
            return Err(Mismatch::new("an array is applied to too few indices"));
        }
        let sort = self.sorts.function(&params[args.len()..], result);
        let op = self.special_op(Head::plain(reserved::APPLY), OpKind::Apply);
        let mut all = vec![function];
        all.extend_from_slice(args);
        Ok(self.app_unchecked(op, &all, sort))
    }

    /// Applies `(_ map f)`: a function on elements, applied to arrays with the same index sorts.
    pub(crate) fn apply_map(&mut self, head: Head, function: Op, args: &[Term]) -> Result<Term, Mismatch> {
        let mut index_sorts: Option<Vec<Sort>> = None;
        let mut elements = Vec::with_capacity(args.len());
        for &arg in args {
            let node = self.sorts.node(self.sort(arg)).clone();
            let array = self.sorts.is_functional(self.sort(arg));
            let Some((&element, indices)) = node.args.split_last().filter(|_| array) else {
                return Err(Mismatch::new(format!(
                    "`map` is applied to a term of sort {}",
                    self.sort_text(self.sort(arg))
                ))
                .expected("arrays"));
            };
            if index_sorts.as_deref().is_some_and(|known| known != indices) {
                return Err(Mismatch::new("`map` is applied to arrays with different index sorts"));
            }
            index_sorts = Some(indices.to_vec());
            // Any term of the element sort serves to find the result sort.
            let placeholder = self.local(reserved::EMPTY, element);
            elements.push(placeholder);
        }
        let Some(mut sorts) = index_sorts else {
            return Err(Mismatch::new("`map` needs at least one array"));
        };
        let applied = self.apply_op(function, &elements)?;
        sorts.push(self.sort(applied));
        let array = self.sorts.array.expect("set on construction");
        let sort = self.sorts.intern(array, &[], &sorts);
        let op = self.special_op(head, OpKind::Map(function));
        Ok(self.app_unchecked(op, args, sort))
    }

    /// Resolves `(as ff3 F)` and abstract values such as `(as @U_0 U)`.
    fn ascribed_constant(&mut self, head: Head, args: &[Term]) -> Option<Result<Term, Mismatch>> {
        let sort = head.ascription.filter(|_| args.is_empty() && head.indices.is_empty())?;
        let name = self.name(head.name);
        if let Some(digits) = name.strip_prefix("ff")
            && self.sorts.node(sort).head == reserved::FINITE_FIELD
        {
            let digits = digits.strip_prefix('-').unwrap_or(digits);
            if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return Some(Ok(self.literal_symbol(Literal::Field, head.name, sort)));
            }
        }
        if name.starts_with('@') {
            let op = self.special_op(head, OpKind::Opaque);
            return Some(Ok(self.app_unchecked(op, &[], sort)));
        }
        None
    }
}
