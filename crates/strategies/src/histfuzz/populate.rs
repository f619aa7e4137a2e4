//! Algorithm 1's Populate: fills skeletons with atoms guided by the rules, shares variables between atoms, and lets quantifiers
//! bind variables.

use super::index::{Chosen, Index};
use super::settings::{USUAL_WEIGHT, Weights};
use super::skeleton::{Part, Skeleton};
use crate::kit::draft::{Fact, mark};
use crate::kit::random::Random;

/// The number of draws of an atom before a hole is filled with `true`.
const DRAWS: usize = 24;
/// The number of draws of an atom that shares a rank with earlier ones.
const RELATED_DRAWS: usize = 6;
/// The maximum number of variables per rank.
const MOST_VARIABLES: usize = 3;

/// A part of an assertion, as it will be printed.
pub(super) enum Piece {
    /// A word with its space or parenthesis.
    Text(&'static str),
    /// A connective or quantifier, which follows an opening parenthesis.
    Head(&'static str),
    /// The variables of a quantifier: a range of [`Instance::bound`].
    Variables(usize, usize),
    /// An atom, and the index of its first use of a variable.
    Atom(u32, usize),
}

/// A use of a variable in a slot of an atom.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub variable: u32,
    /// Whether a quantifier of the instance binds it there.
    pub bound: bool,
}

/// An instance under construction.
pub(super) struct Instance {
    /// The assertions.
    pub assertions: Vec<Vec<Piece>>,
    /// The rank of each variable.
    pub variables: Vec<u32>,
    /// Every use of a variable, slot by slot, atom by atom.
    pub uses: Vec<Use>,
    /// The variables that quantifiers bind.
    pub bound: Vec<u32>,
    /// The atoms, in order.
    pub atoms: Vec<u32>,
    /// The indices of the skeletons in [`Chosen::skeletons`].
    pub skeletons: Vec<u32>,
    /// What the instance needs.
    pub needs: Fact,
}

/// Fills skeletons.
pub(super) struct Populator<'a> {
    pub index: &'a Index,
    pub chosen: &'a Chosen,
    pub weights: &'a Weights,
    /// The greatest weight of an atom.
    pub heaviest: u8,
    /// Whether to prefer atoms that broke the selected solvers.
    pub preferring: bool,
    /// Whether to prefer what several solvers support, and atoms that share a sort.
    pub biased: bool,
    pub random: &'a mut Random,
    /// Whether to use only atoms that several solvers support.
    pub common: bool,
    pub instance: Instance,
    /// The abstract forms of the skeleton's atoms so far, and the rules that they trigger and that are still unused.
    forms: Vec<u32>,
    triggered: Vec<u32>,
}

/// An unfinished part of a skeleton.
struct Frame {
    left: u16,
    /// For a quantifier: the index of its variables in the assertion, and the first use inside it.
    quantifier: Option<(usize, usize)>,
}

impl<'a> Populator<'a> {
    pub fn new(
        index: &'a Index,
        chosen: &'a Chosen,
        weights: &'a Weights,
        (preferring, biased): (bool, bool),
        random: &'a mut Random,
    ) -> Self {
        // One instance in eight may need a single solver, which no other can contradict.
        let common = biased && !random.chance(1, 8);
        Populator {
            index,
            chosen,
            weights,
            heaviest: weights.values().copied().max().unwrap_or_default().max(USUAL_WEIGHT),
            preferring,
            biased,
            random,
            common,
            instance: Instance {
                assertions: Vec::new(),
                variables: Vec::new(),
                uses: Vec::new(),
                bound: Vec::new(),
                atoms: Vec::new(),
                skeletons: Vec::new(),
                needs: Fact::NEUTRAL,
            },
            forms: Vec::new(),
            triggered: Vec::new(),
        }
    }

    /// Chooses one to five skeletons and fills each.
    pub fn fill(&mut self) {
        let weights = self.index.library.assertions.map(f64::from);
        let count = self.random.weighted(&weights).unwrap_or_default() + 1;
        for _ in 0..count {
            let chosen = self.chosen;
            let at = self.choose_skeleton();
            if let Some(skeleton) = chosen.skeletons.get(at) {
                self.instance.skeletons.push(at as u32);
                self.skeleton(skeleton);
            }
        }
    }

    /// A random skeleton that enough solvers accept.
    fn choose_skeleton(&mut self) -> usize {
        let loose = self.chosen.loose_solvers;
        let mut at = 0;
        for _ in 0..DRAWS {
            at = self.random.index(self.chosen.skeletons.len());
            if !self.chosen.loose[at] {
                return at;
            }
            let shared = self.common && self.chosen.selected.count_ones() > 1;
            if !shared && self.instance.needs.solvers & self.chosen.selected & loose != 0 {
                self.instance.needs.solvers &= loose;
                self.instance.needs.marks |= mark::RESTRICTED;
                return at;
            }
        }
        // The library may have nothing else.
        self.instance.needs.solvers &= loose;
        at
    }

    /// Fills one skeleton.
    fn skeleton(&mut self, skeleton: &Skeleton) {
        self.forms.clear();
        self.triggered.clear();
        let mut pieces = Vec::with_capacity(2 * skeleton.0.len());
        let mut open: Vec<Frame> = Vec::new();
        for part in &skeleton.0 {
            if !open.is_empty() {
                pieces.push(Piece::Text(" "));
            }
            match part {
                Part::Connective(name, 0) => {
                    pieces.push(Piece::Text(name));
                    if let Some(frame) = open.last_mut() {
                        frame.left -= 1;
                    }
                }
                Part::Connective(name, count) => {
                    pieces.push(Piece::Head(name));
                    open.push(Frame { left: *count, quantifier: None });
                }
                Part::Forall | Part::Exists => {
                    pieces.push(Piece::Head(if *part == Part::Forall { "forall" } else { "exists" }));
                    let variables_at = pieces.len();
                    pieces.push(Piece::Variables(0, 0));
                    self.instance.needs.marks |= mark::QUANTIFIER;
                    open.push(Frame { left: 1, quantifier: Some((variables_at, self.instance.uses.len())) });
                }
                Part::Hole => {
                    pieces.push(self.atom());
                    if let Some(frame) = open.last_mut() {
                        frame.left -= 1;
                    }
                }
            }
            while open.last().is_some_and(|frame| frame.left == 0) {
                pieces.push(Piece::Text(")"));
                if let Some(Frame { quantifier: Some((variables_at, first_use)), .. }) = open.pop() {
                    pieces[variables_at] = self.bind(first_use);
                }
                if let Some(frame) = open.last_mut() {
                    frame.left = frame.left.saturating_sub(1);
                }
            }
        }
        self.instance.assertions.push(pieces);
    }

    /// Fills one hole.
    fn atom(&mut self) -> Piece {
        let Some(atom) = self.guided().or_else(|| self.any()) else {
            return Piece::Text("true");
        };
        let form = self.index.library.atoms[atom as usize].form;
        self.add_form(form);
        self.instance.needs.absorb(&self.index.atoms[atom as usize].fact);
        self.instance.atoms.push(atom);
        let first = self.instance.uses.len();
        let index = self.index;
        for &rank in &index.library.atoms[atom as usize].slots {
            let variable = self.variable(rank, first);
            self.instance.uses.push(Use { variable, bound: false });
        }
        Piece::Atom(atom, first)
    }

    /// Adds an abstract form and the rules that it triggers.
    fn add_form(&mut self, form: u32) {
        if self.forms.contains(&form) {
            return;
        }
        self.forms.push(form);
        for &rule in &self.chosen.rules_of[form as usize] {
            let antecedent = &self.chosen.rules[rule as usize].antecedent;
            if antecedent.iter().all(|form| self.forms.contains(form)) {
                self.triggered.push(rule);
            }
        }
    }

    /// An atom that a rule suggests. The rule then counts as used, even if there is no such atom.
    fn guided(&mut self) -> Option<u32> {
        if self.triggered.is_empty() {
            return None;
        }
        let at = self.random.index(self.triggered.len());
        let rule = &self.chosen.rules[self.triggered.swap_remove(at) as usize];
        let form = *self.random.pick(&rule.consequent)?;
        let list = &self.chosen.by_form[form as usize];
        self.draw(list, DRAWS, |_, _| true)
    }

    /// A random atom; half of the time one that shares a rank with earlier ones.
    fn any(&mut self) -> Option<u32> {
        let list = &self.chosen.atoms;
        if self.biased && !self.instance.variables.is_empty() && self.random.chance(1, 2) {
            let related = |this: &Self, atom: u32| {
                let slots = &this.index.library.atoms[atom as usize].slots;
                slots.iter().any(|rank| this.instance.variables.contains(rank))
            };
            if let Some(atom) = self.draw(list, RELATED_DRAWS, related) {
                return Some(atom);
            }
        }
        self.draw(list, DRAWS, |_, _| true)
    }

    fn draw(&mut self, list: &[u32], draws: usize, fits: impl Fn(&Self, u32) -> bool) -> Option<u32> {
        let mut left = draws;
        while left > 0 {
            let atom = *self.random.pick(list)?;
            // Draws that the weights reject are free. Otherwise a library of light atoms would never be used.
            if self.is_refused_by_weight(atom) {
                continue;
            }
            left -= 1;
            if self.is_known(atom) && fits(self, atom) {
                return Some(atom);
            }
        }
        None
    }

    fn is_refused_by_weight(&mut self, atom: u32) -> bool {
        if self.weights.is_empty() && !self.preferring {
            return false;
        }
        let usual = self.weights.get(&atom).copied().unwrap_or(USUAL_WEIGHT).max(1);
        let factor = if self.preferring && !self.chosen.preferred[atom as usize] { 1 } else { 2 };
        !self.random.chance(u64::from(usual) * factor, 2 * u64::from(self.heaviest))
    }

    /// Whether enough solvers support an atom together with the rest of the instance.
    fn is_known(&self, atom: u32) -> bool {
        let fact = &self.index.atoms[atom as usize].fact;
        let selected = self.chosen.selected;
        let knowing = (self.instance.needs.solvers & fact.solvers & selected).count_ones();
        if self.common && selected.count_ones() > 1 {
            knowing > 1 && fact.marks & mark::HIGHER_ORDER == 0
        } else {
            knowing > 0
        }
    }

    /// A variable for a slot: an existing one, which is then shared between atoms, or a new one.
    fn variable(&mut self, rank: u32, first_of_atom: usize) -> u32 {
        let same = |(_, known): &(usize, &u32)| **known == rank;
        let count = self.instance.variables.iter().enumerate().filter(same).count();
        if count == 0 || count < MOST_VARIABLES && self.random.chance(1, 1 + count as u64) {
            self.instance.variables.push(rank);
            return self.instance.variables.len() as u32 - 1;
        }
        let mut choice = 0;
        for _ in 0..2 {
            let at = self.random.index(count);
            let found = self.instance.variables.iter().enumerate().filter(same).nth(at);
            choice = found.map_or(0, |(variable, _)| variable as u32);
            // Prefer different variables for the slots of one atom.
            if self.instance.uses[first_of_atom..].iter().all(|used| used.variable != choice) {
                break;
            }
        }
        choice
    }

    /// Chooses the variables of a quantifier: free ones of the formula inside it, or new ones.
    fn bind(&mut self, first_use: usize) -> Piece {
        let weights = self.index.library.bound.map(f64::from);
        let count = self.random.weighted(&weights).unwrap_or_default() + 1;
        let begin = self.instance.bound.len();
        for _ in 0..count {
            let invented = self.random.chance(1, 8);
            let variable = if invented { None } else { self.free_variable(first_use, begin) };
            match variable.or_else(|| self.new_variable()) {
                Some(variable) => self.instance.bound.push(variable),
                None => break,
            }
        }
        let Instance { uses, bound, .. } = &mut self.instance;
        for used in &mut uses[first_use..] {
            used.bound |= bound[begin..].contains(&used.variable);
        }
        Piece::Variables(begin, self.instance.bound.len())
    }

    fn free_variable(&mut self, first_use: usize, begin: usize) -> Option<u32> {
        let instance = &self.instance;
        let mut free: Vec<u32> = Vec::new();
        for used in &instance.uses[first_use..] {
            let rank = instance.variables[used.variable as usize];
            let fits = !used.bound
                && self.index.ranks[rank as usize].bindable
                && !instance.bound[begin..].contains(&used.variable);
            if fits && !free.contains(&used.variable) {
                free.push(used.variable);
            }
        }
        self.random.pick(&free).copied()
    }

    /// An unused variable, of a rank that the instance has.
    fn new_variable(&mut self) -> Option<u32> {
        let ranks = &self.index.ranks;
        let here: Vec<u32> =
            self.instance.variables.iter().copied().filter(|&rank| ranks[rank as usize].bindable).collect();
        let rank = *self.random.pick(&here)?;
        self.instance.variables.push(rank);
        Some(self.instance.variables.len() as u32 - 1)
    }
}
