//! Prepared quantifiers over finite sorts: the body is evaluated for each instance.

use super::code::NodeId;
use crate::data::Value;
use crate::eval::Evaluator;
use crate::reason::Reason;
use crate::value::bitvec::BitVec;
use std::sync::Arc;

/// Up to this many instances are tried without first checking whether the body depends on the variables.
const FEW_INSTANCES: u64 = 256;

impl Evaluator<'_> {
    /// The truth value of a quantifier over finite sorts.
    pub(super) fn eval_quantifier(&mut self, index: u32) -> Option<bool> {
        let (term, deciding, body, closed, size) = {
            let found = &self.memory.prepared.code.quantified[index as usize];
            (found.term, found.deciding, found.body, found.closed, found.size)
        };
        let arena = self.arena;
        let smt::View::Binder { variables, bodies, .. } = arena.view(term) else { return None };
        let mut lists = Vec::with_capacity(variables.len());
        let mut count = 1u64;
        for &variable in variables {
            let domain = self.domain_of(arena.sort(variable))?;
            count = count.checked_mul(domain.len()).filter(|&count| count <= self.limits.domain)?;
            lists.push((domain, 0u64));
        }
        if count == 0 {
            return Some(!deciding);
        }
        if count > FEW_INSTANCES && closed {
            // If the body does not depend on the variables, no instance is needed.
            let any = vec![Err(Reason::Any); variables.len()];
            if let Ok(Value::Bool(truth)) = self.with_bindings(variables, any, |this| this.run(bodies[0])) {
                return Some(truth);
            }
        }
        let first = self.memory.prepared.frame.len();
        for (domain, _) in &lists {
            self.memory.prepared.frame.push(domain.at(0));
        }
        self.memory.prepared.levels.push(0);
        let decided = self.find_instance(&mut lists, first, body, deciding, size)?;
        self.memory.prepared.levels.pop();
        self.memory.prepared.frame.truncate(first);
        Some(decided == deciding)
    }

    /// Whether an instance has the deciding truth value. The variables are in the frame from `first` on.
    fn find_instance(
        &mut self,
        lists: &mut [(Domain, u64)],
        first: usize,
        body: NodeId,
        deciding: bool,
        size: u32,
    ) -> Option<bool> {
        loop {
            self.steps = self.steps.checked_sub(u64::from(size))?;
            self.memory.prepared.serial += 1;
            let serial = self.memory.prepared.serial;
            if let Some(level) = self.memory.prepared.levels.last_mut() {
                *level = serial;
            }
            if self.eval_bool(body)? == deciding {
                return Some(true);
            }
            let mut at = lists.len();
            loop {
                if at == 0 {
                    return Some(false);
                }
                at -= 1;
                let (domain, index) = &mut lists[at];
                *index = if *index + 1 < domain.len() { *index + 1 } else { 0 };
                self.memory.prepared.frame[first + at] = domain.at(*index);
                if *index > 0 {
                    break;
                }
            }
        }
    }

    /// All values of a sort, if they are within the limit.
    fn domain_of(&mut self, sort: smt::Sort) -> Option<Domain> {
        if let Some(width) = self.arena.bitvec_width(sort) {
            return (width <= 16).then_some(Domain::Words(width as u32));
        }
        let most = self.limits.domain;
        self.values_up_to(sort, most).map(Domain::Values)
    }
}

/// The values of a variable.
enum Domain {
    /// All bit-vectors of this width.
    Words(u32),
    /// The listed values.
    Values(Arc<[Value]>),
}

impl Domain {
    fn len(&self) -> u64 {
        match self {
            Domain::Words(width) => 1 << width,
            Domain::Values(values) => values.len() as u64,
        }
    }

    fn at(&self, index: u64) -> Value {
        match self {
            Domain::Words(width) => Value::BitVec(BitVec::from_u64(*width, index)),
            Domain::Values(values) => values[index as usize].clone(),
        }
    }
}
