//! Membership, matching, emptiness and inclusion of regular languages, and the string operators built on them.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::arena::{Arena, EMPTY, EPSILON, Id};
use super::syntax::{Kind, Regex};
use crate::value::integer::Int;
use crate::value::limits::{Budget, Limits, Outcome};
use crate::value::string::{MAX_CODE, Str, position};

/// An interned regular expression. Each operation has the full budget of steps.
pub struct Automaton {
    source: Regex,
    arena: Arena,
    start: Id,
    limits: Limits,
}

impl Automaton {
    /// Interns a regular expression.
    pub fn new(source: &Regex, limits: &Limits) -> Outcome<Automaton> {
        let order = post_order(source, limits)?;
        let mut arena = Arena::new(class_starts(&order), Budget::new(limits));
        let start = intern(&order, &mut arena)?[&source.address()];
        Ok(Automaton { source: source.clone(), arena, start, limits: *limits })
    }

    /// Renews the budget, and forgets derivatives if there are many.
    fn begin(&mut self) -> Outcome<()> {
        if self.arena.len() as u64 > self.limits.steps.saturating_mul(2) {
            *self = Automaton::new(&self.source.clone(), &self.limits)?;
        }
        self.arena.budget = Budget::new(&self.limits);
        Ok(())
    }

    fn step(&mut self, state: Id, code: u32) -> Outcome<Id> {
        self.arena.budget.spend(1)?;
        self.arena.derivative(state, self.arena.class_of(code))
    }

    /// `(str.in_re text re)`
    pub fn accepts(&mut self, text: &Str) -> Outcome<bool> {
        self.begin()?;
        let mut state = self.start;
        for &code in text.codes() {
            if state == EMPTY {
                return Ok(false);
            }
            state = self.step(state, code)?;
        }
        Ok(self.arena.nullable(state))
    }

    /// The end of the shortest match that begins at `start` and has at least `least` code points.
    fn match_end(&mut self, codes: &[u32], start: usize, least: usize) -> Outcome<Option<usize>> {
        let mut state = self.start;
        let mut end = start;
        loop {
            if end - start >= least && self.arena.nullable(state) {
                return Ok(Some(end));
            }
            if state == EMPTY || end == codes.len() {
                return Ok(None);
            }
            state = self.step(state, codes[end])?;
            end += 1;
        }
    }

    /// The leftmost match from `from` on; among those the shortest.
    fn find(&mut self, codes: &[u32], from: usize, least: usize) -> Outcome<Option<(usize, usize)>> {
        for start in from..=codes.len() {
            self.arena.budget.spend(1)?;
            if let Some(end) = self.match_end(codes, start, least)? {
                return Ok(Some((start, end)));
            }
        }
        Ok(None)
    }

    /// `(str.replace_re text re to)`: the shortest leftmost match, which may be empty
    pub fn replace_first(&mut self, text: &Str, to: &Str) -> Outcome<Str> {
        self.begin()?;
        match self.find(text.codes(), 0, 0)? {
            Some((start, end)) => text.splice(start, end, to, &self.limits),
            None => Ok(text.clone()),
        }
    }

    /// `(str.replace_re_all text re to)`: replaces the shortest leftmost non-empty match, repeatedly.
    pub fn replace_all(&mut self, text: &Str, to: &Str) -> Outcome<Str> {
        self.begin()?;
        let codes = text.codes();
        let (mut result, mut done) = (Vec::new(), 0);
        while let Some((start, end)) = self.find(codes, done, 1)? {
            result.extend_from_slice(&codes[done..start]);
            result.extend_from_slice(to.codes());
            self.limits.check_chars(result.len() as u64)?;
            done = end;
        }
        result.extend_from_slice(&codes[done..]);
        self.limits.check_chars(result.len() as u64)?;
        Ok(Str::new(result).unwrap_or_else(Str::empty))
    }

    /// cvc5's `(str.indexof_re text re start)`: where the first match not before `start` begins, or -1
    pub fn index_of(&mut self, text: &Str, start: &Int) -> Outcome<Int> {
        self.begin()?;
        let Some(start) = position(text.len(), start) else { return Ok(Int::from(-1)) };
        let found = self.find(text.codes(), start, 0)?;
        Ok(found.map_or_else(|| Int::from(-1), |(position, _)| Int::from(position)))
    }

    /// A shortest string of the language. `None` if it is empty.
    pub fn witness(&mut self) -> Outcome<Option<Str>> {
        self.begin()?;
        // Breadth-first search; each state records its predecessor.
        let mut reached: Vec<(Id, Option<(usize, u32)>)> = vec![(self.start, None)];
        let mut known: HashMap<Id, (), FixedState> = HashMap::with_hasher(FixedState::with_seed(0));
        known.insert(self.start, ());
        let mut next = 0;
        while next < reached.len() {
            let state = reached[next].0;
            if self.arena.nullable(state) {
                return Ok(Some(spell(&reached, next)));
            }
            if state != EMPTY {
                for class in 0..self.arena.classes().len() {
                    let code = self.arena.classes()[class];
                    let target = self.step(state, code)?;
                    if known.insert(target, ()).is_none() {
                        reached.push((target, Some((next, code))));
                    }
                }
            }
            next += 1;
        }
        Ok(None)
    }
}

/// The code points on the path from the first state to a reached one.
fn spell(reached: &[(Id, Option<(usize, u32)>)], mut at: usize) -> Str {
    let mut codes = Vec::new();
    while let Some((before, code)) = reached[at].1 {
        codes.push(code);
        at = before;
    }
    codes.reverse();
    Str::new(codes).unwrap_or_else(Str::empty)
}

impl Regex {
    /// A string of this language that is not in the other. `None` if this language is included in the other.
    pub fn outside(&self, other: &Regex, limits: &Limits) -> Outcome<Option<Str>> {
        Automaton::new(&self.difference(other), limits)?.witness()
    }

    /// A string that is in exactly one of both languages. `None` if they are equal.
    pub fn distinguishing(&self, other: &Regex, limits: &Limits) -> Outcome<Option<Str>> {
        let mut order = post_order(self, limits)?;
        order.extend(post_order(other, limits)?);
        let mut arena = Arena::new(class_starts(&order), Budget::new(limits));
        let ids = intern(&order, &mut arena)?;
        distinguishing(&mut arena, ids[&self.address()], ids[&other.address()])
    }
}

/// Compares two languages by the algorithm of Hopcroft and Karp: states that must be equal if the first two are become one class,
/// so that fewer pairs than states are visited. Languages that are equal by the arena's normalization are one state from the
/// start.
fn distinguishing(arena: &mut Arena, one: Id, other: Id) -> Outcome<Option<Str>> {
    let mut classes = Classes::default();
    let mut reached: Vec<(Id, Option<(usize, u32)>)> = vec![(one, None)];
    let mut partners = vec![other];
    let mut next = 0;
    while next < reached.len() {
        let (a, b) = (reached[next].0, partners[next]);
        if a != b && classes.join(a, b) {
            if arena.nullable(a) != arena.nullable(b) {
                return Ok(Some(spell(&reached, next)));
            }
            for class in 0..arena.classes().len() {
                arena.budget.spend(1)?;
                let code = arena.classes()[class];
                reached.push((arena.derivative(a, class as u32)?, Some((next, code))));
                partners.push(arena.derivative(b, class as u32)?);
            }
        }
        next += 1;
    }
    Ok(None)
}

/// Union-find over states: each state points to another of its class, the representative to itself.
struct Classes(HashMap<Id, Id, FixedState>);

impl Default for Classes {
    fn default() -> Classes {
        Classes(HashMap::with_hasher(FixedState::with_seed(0)))
    }
}

impl Classes {
    fn find(&mut self, state: Id) -> Id {
        let mut root = state;
        while let Some(&above) = self.0.get(&root)
            && above != root
        {
            root = above;
        }
        self.0.insert(state, root);
        root
    }

    /// Merges two classes. Returns whether they were different.
    fn join(&mut self, one: Id, other: Id) -> bool {
        let (one, other) = (self.find(one), self.find(other));
        self.0.insert(one, other);
        one != other
    }
}

/// All distinct nodes, each after its children.
pub(super) fn post_order<'a>(source: &'a Regex, limits: &Limits) -> Outcome<Vec<&'a Regex>> {
    let mut budget = Budget::new(limits);
    let mut done: HashMap<usize, bool, FixedState> = HashMap::with_hasher(FixedState::with_seed(0));
    let mut order = Vec::new();
    let mut pending = vec![source];
    while let Some(regex) = pending.pop() {
        match done.get(&regex.address()) {
            None => {
                budget.spend(1)?;
                done.insert(regex.address(), false);
                pending.push(regex);
                pending.extend(regex.kind().children().into_iter().flatten());
            }
            Some(false) => {
                done.insert(regex.address(), true);
                order.push(regex);
            }
            Some(true) => {}
        }
    }
    Ok(order)
}

/// The code points where a range or literal begins, or that follow its end.
fn class_starts(order: &[&Regex]) -> Vec<u32> {
    let mut starts = vec![0];
    for regex in order {
        match regex.kind() {
            Kind::Range(low, high) => starts.extend([*low, *high + 1]),
            Kind::Literal(text) => starts.extend(text.codes().iter().flat_map(|&code| [code, code + 1])),
            _ => {}
        }
    }
    starts.retain(|&code| code <= MAX_CODE);
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// The states of all nodes, by their addresses.
fn intern(order: &[&Regex], arena: &mut Arena) -> Outcome<HashMap<usize, Id, FixedState>> {
    let mut ids: HashMap<usize, Id, FixedState> = HashMap::with_hasher(FixedState::with_seed(0));
    for regex in order {
        let of = |child: &Regex| ids[&child.address()];
        let id = match regex.kind() {
            Kind::None => EMPTY,
            Kind::Literal(text) => {
                let mut id = EPSILON;
                for &code in text.codes().iter().rev() {
                    let one = arena.range(code, code)?;
                    id = arena.concat(one, id)?;
                }
                id
            }
            Kind::Range(low, high) => arena.range(*low, *high)?,
            Kind::Concat(a, b) => arena.concat(of(a), of(b))?,
            Kind::Union(a, b) => arena.union(vec![of(a), of(b)])?,
            Kind::Intersection(a, b) => arena.intersection(vec![of(a), of(b)])?,
            Kind::Complement(a) => arena.complement(of(a))?,
            Kind::Repeat(a, low, high) => arena.repeat(of(a), *low, *high)?,
        };
        ids.insert(regex.address(), id);
    }
    Ok(ids)
}
