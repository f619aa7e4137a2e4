//! Mutates a seed with ValFuzz: Algorithm 2, one enforcement after the other.

use super::claim::claim;
use super::coverage::{Coverage, Pair};
use super::settings::ValFuzzSettings;
use super::shape::Shape;
use super::values::{at_random, of_model, truths};
use crate::api::{LiveQuestion, Mutator, Questioner, Recorded, Unsuitable};
use crate::kit::constants::boundary;
use crate::kit::draft::{Additions, Draft};
use crate::kit::random::Random;
use case::{Case, Expectation, Learned, Seed, Step};
use semantics::Model;
use semantics::model::StringDialect;
use smt::rewrite::post_order;
use smt::{FixedState, Script, Signatures, Sort, Term};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// The number of random seeds for solvers. Each costs a process.
const VARIETIES: u64 = 2;
/// The number of changed constants in the lineage of a mutant.
const SHOWN: usize = 8;
/// The maximum number of holes that another model must fill differently.
const MOST_BLOCKED: usize = 16;
/// Larger expressions are not written out for evaluation elsewhere.
const MOST_WRITTEN: u32 = 2_000;

/// Counts for one seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValFuzzTally {
    /// Pairs that were tried, or random draws.
    pub iterations: u64,
    /// Questions to solvers.
    pub enforcements: u64,
    /// Questions with the answer `sat`.
    pub satisfiable: u64,
    /// Questions with the answer `unsat`.
    pub unsatisfiable: u64,
    /// Mutants that were made.
    pub mutants: u64,
    /// Models without a mutant: they cover nothing new, or the enforced pair does not hold.
    pub screened: u64,
    /// Covered pairs of a monitor and a Boolean.
    pub covered: usize,
    /// All such pairs.
    pub pairs: usize,
}

/// A case with its purpose.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The case.
    pub case: Case,
    /// Whether it is a question about the meta-formula (the paper's ϕtest) and not a mutant of the seed (ϕsub).
    pub is_test: bool,
    enforced: Vec<Pair>,
    values: Vec<Term>,
}

/// Mutates a seed with ValFuzz.
pub struct ValFuzzMutator {
    signatures: Arc<Signatures>,
    settings: ValFuzzSettings,
    random: Random,
    draft: Draft,
    script: Script,
    shape: Shape,
    coverage: Coverage,
    /// The random seed for solvers.
    random_seed: u32,
    /// The number of pairs tried, or of random draws. The limit applies to it.
    turns: usize,
    ready: VecDeque<Mutant>,
    made: HashSet<Vec<Term>, FixedState>,
    tally: ValFuzzTally,
}

impl ValFuzzMutator {
    pub(super) fn open(
        signatures: &Arc<Signatures>,
        settings: &ValFuzzSettings,
        seed: &Seed,
        mut random: Random,
    ) -> Result<Self, Unsuitable> {
        let (mut draft, script) = Draft::open_with_script(signatures, seed)?;
        let shape = Shape::of(&mut draft, &script, &seed.text, settings, &mut random)?;
        let coverage = Coverage::new(shape.monitors.len(), &mut random);
        let own = shape.skeleton.holes.iter().map(|hole| hole.original).collect();
        let mut mutator = ValFuzzMutator {
            signatures: signatures.clone(),
            settings: settings.clone(),
            random_seed: random.below(VARIETIES) as u32,
            random,
            draft,
            script,
            shape,
            coverage,
            turns: 0,
            ready: VecDeque::new(),
            // The seed itself is not a mutant.
            made: HashSet::from_iter([own]),
            tally: ValFuzzTally::default(),
        };
        let has_solver = mutator.shape.solvers.as_ref().is_none_or(|solvers| !solvers.is_empty());
        if settings.skeleton && has_solver {
            mutator.test_skeleton();
        }
        Ok(mutator)
    }

    /// Makes a case of the skeleton: constants that become variables may be wrong already.
    fn test_skeleton(&mut self) {
        let text = self.shape.skeleton_question(&mut self.draft.arena, &self.script);
        let (solvers, theories) = (self.shape.solvers.clone(), self.shape.theories.clone());
        let lineage = vec![Step { action: "skeleton".into(), before: String::new(), after: String::new() }];
        let case = Case { text, expectation: Expectation::Unknown, lineage, solvers, theories };
        self.ready.push_back(Mutant { case, is_test: true, enforced: Vec::new(), values: Vec::new() });
    }

    /// The skeleton as a script (the paper's ϕskel).
    pub fn skeleton(&mut self) -> String {
        self.shape.skeleton_text(&mut self.draft.arena, &self.script)
    }

    /// The meta-formulas (ϕmeta): one, or with CPOG ϕmeta+ and ϕmeta−.
    pub fn metas(&self) -> Vec<Arc<str>> {
        self.shape.metas.iter().map(|meta| meta.prelude.clone()).collect()
    }

    /// The counts so far.
    pub fn tally(&self) -> ValFuzzTally {
        let (covered, pairs) = self.coverage.share();
        ValFuzzTally { covered, pairs, iterations: self.turns as u64, ..self.tally }
    }

    /// The next case; `None` if everything is covered, the limit is reached, or no solver is available.
    pub fn next_mutant(&mut self, questioner: &mut dyn Questioner) -> Option<Mutant> {
        loop {
            if let Some(mutant) = self.ready.pop_front() {
                return Some(mutant);
            }
            if self.turns >= self.settings.limit || self.draft.has_grown() {
                return None;
            }
            if self.settings.random {
                self.draw();
                continue;
            }
            let pair = self.coverage.next()?;
            for meta in 0..self.shape.metas.len() {
                self.enforce(pair, meta, questioner)?;
            }
        }
    }

    /// The enforced expressions of a mutant, as they are in the mutant, with their enforced Booleans. Expressions that are too
    /// large are omitted.
    pub fn enforced(&mut self, mutant: &Mutant) -> Vec<(String, bool)> {
        let mut found = Vec::new();
        for &(monitor, truth) in &mutant.enforced {
            let expression = self.shape.monitors[monitor].monitor.expanded;
            let filled = self.shape.skeleton.filled(&mut self.draft.arena, &[expression], &mutant.values)[0];
            if self.draft.facts.of(&self.draft.arena, filled).size <= MOST_WRITTEN {
                found.push((self.draft.arena.term_text(filled), truth));
            }
        }
        found
    }

    /// RBASE: random values.
    fn draw(&mut self) {
        self.turns += 1;
        let mut values = Vec::with_capacity(self.shape.skeleton.holes.len());
        for hole in &self.shape.skeleton.holes {
            let sort = self.draft.arena.sort(hole.original);
            let drawn = at_random(&mut self.draft.arena, sort, &mut self.random);
            values.push(drawn.unwrap_or(hole.original));
        }
        self.substitute(values, Vec::new(), None);
    }

    /// Enforces a pair, together with others if the settings say so. If they contradict each other, it drops half of them.
    fn enforce(&mut self, pair: Pair, meta: usize, questioner: &mut dyn Questioner) -> Option<()> {
        let companions = self.settings.together.saturating_sub(1);
        let mut group = vec![pair];
        group.extend(self.coverage.companions(pair, companions, &mut self.random));
        self.turns += 1;
        if self.settings.fresh_flags {
            self.random_seed = self.random.bits() as u32;
        }
        let learned = loop {
            let learned = self.ask(meta, &group, "", questioner)?;
            match learned.sat {
                Some(true) => break learned,
                Some(false) if group.len() > 1 && self.settings.halves => group.truncate(group.len() / 2),
                _ => {
                    self.test(meta, &group, None);
                    return Some(());
                }
            }
        };
        let mut values = self.take_model(meta, &group, "", &learned);
        for _ in 1..self.settings.models {
            let Some(last) = values else { break };
            let other = self.different(&last);
            let learned = self.ask(meta, &group, &other, questioner)?;
            values = (learned.sat == Some(true))
                .then(|| self.take_model(meta, &group, &other, &learned))
                .flatten();
        }
        if self.settings.extremes && self.random.chance(1, 3) {
            let edge = self.edge();
            let learned = self.ask(meta, &group, &edge, questioner)?;
            if learned.sat == Some(true) {
                self.take_model(meta, &group, &edge, &learned);
            }
        }
        Some(())
    }

    /// The assertions that enforce pairs.
    fn enforcement(&self, group: &[Pair]) -> String {
        let mut text = String::new();
        for &(monitor, truth) in group {
            let name = self.draft.arena.term_text(self.shape.monitors[monitor].name);
            let line = if truth { format!("(assert {name})\n") } else { format!("(assert (not {name}))\n") };
            text.push_str(&line);
        }
        text
    }

    fn ask(
        &mut self,
        meta: usize,
        group: &[Pair],
        more: &str,
        questioner: &mut dyn Questioner,
    ) -> Option<Learned> {
        let question = LiveQuestion {
            prelude: self.shape.metas[meta].prelude.clone(),
            assertions: self.enforcement(group) + more,
            choice: self.random.bits(),
            random_seed: self.random_seed,
            solvers: self.shape.solvers.clone(),
            theories: self.shape.theories.clone(),
        };
        let learned = questioner.ask(&question)?;
        self.tally.enforcements += 1;
        match learned.sat {
            Some(true) => self.tally.satisfiable += 1,
            Some(false) => self.tally.unsatisfiable += 1,
            None => {}
        }
        Some(learned)
    }

    /// Assertions that some holes have different values.
    fn different(&mut self, values: &[Term]) -> String {
        let holes = &self.shape.skeleton.holes;
        let mut open: Vec<usize> = (0..holes.len()).filter(|&at| !holes[at].fixed).collect();
        self.random.shuffle(&mut open);
        let count = 1 + self.random.index(open.len().min(MOST_BLOCKED));
        let arena = &self.draft.arena;
        let unlike = |at: usize| {
            format!(
                "(assert (not (= {} {})))\n",
                arena.term_text(holes[at].term),
                arena.term_text(values[at])
            )
        };
        open.into_iter().take(count).map(unlike).collect()
    }

    /// An assertion that a hole has a boundary value, or lies beyond one.
    fn edge(&mut self) -> String {
        let holes: Vec<Term> = self.shape.skeleton.open().map(|hole| hole.term).collect();
        let Some(&hole) = self.random.pick(&holes) else { return String::new() };
        let arena = &mut self.draft.arena;
        let sort = arena.sort(hole);
        let edges = boundary(arena, sort);
        let Some(&edge) = self.random.pick(&edges) else { return String::new() };
        let text = arena.term_text(edge);
        // Old releases read escapes differently.
        if text.contains('\\') {
            return String::new();
        }
        let orders: &[&str] = if matches!(sort, Sort::INT | Sort::REAL) { &["=", "<", ">"] } else { &["="] };
        let order = orders[self.random.index(orders.len())];
        format!("(assert ({order} {} {text}))\n", arena.term_text(hole))
    }

    /// Makes a mutant from a model if it is worth running. Returns the values of the holes.
    fn take_model(
        &mut self,
        meta: usize,
        group: &[Pair],
        more: &str,
        learned: &Learned,
    ) -> Option<Vec<Term>> {
        let arena = &mut self.draft.arena;
        let mut model = Model::read(arena, &self.shape.scope, &learned.text, StringDialect::Standard).ok()?;
        let mut values = Vec::with_capacity(self.shape.skeleton.holes.len());
        for hole in &self.shape.skeleton.holes {
            values.push(of_model(arena, &mut self.shape.scope, &mut model, hole));
        }
        let definitions = &self.shape.definitions;
        let asserted = self.shape.metas[meta].assertions.iter().copied();
        let enforced = group.iter().map(|&(monitor, _)| self.shape.monitors[monitor].name);
        let said = truths(arena, &model, definitions, asserted.chain(enforced));
        let (said, names) = said.split_at(said.len() - group.len());
        let refuted = said.contains(&Some(false))
            || names.iter().zip(group).any(|(said, &(_, truth))| *said == Some(!truth));
        // If the model is wrong, the question becomes a case: there the solver runs in a fresh process, and the result counts.
        self.test(meta, group, Some((more, &learned.text, refuted)));
        let expressions = self.shape.monitors.iter().map(|named| named.monitor.expanded);
        let covers = truths(&self.draft.arena, &model, &self.shape.definitions, expressions);
        let holds = |&(monitor, truth): &Pair| covers[monitor] != Some(!truth);
        if self.made.contains(&values) || (self.settings.screen && !group.iter().all(holds)) {
            self.tally.screened += 1;
            return Some(values);
        }
        if self.settings.screen && !self.coverage.cover_all(&covers) {
            self.tally.screened += 1;
            return Some(values);
        }
        group.iter().for_each(|&pair| self.coverage.cover(pair));
        let roots = (0..self.shape.skeleton.roots.len()).filter(|&root| self.draft.is_assertion(root));
        let roots: Vec<Term> = roots.map(|root| self.shape.skeleton.roots[root]).collect();
        let satisfied = truths(&self.draft.arena, &model, &self.shape.definitions, roots.into_iter());
        let witness = satisfied.iter().all(|truth| *truth == Some(true)).then_some(learned.text.as_str());
        self.substitute(values.clone(), group.to_vec(), witness);
        Some(values)
    }

    /// Makes a case of the question about the meta-formula, at random or because the model is wrong.
    fn test(&mut self, meta: usize, group: &[Pair], answer: Option<(&str, &str, bool)>) {
        let by_chance = self.random.below(100) < self.settings.tests;
        let (more, model, refuted) = answer.unwrap_or_default();
        if !by_chance && !refuted {
            return;
        }
        let prelude = &self.shape.metas[meta].prelude;
        let text = format!("{prelude}{}{more}(check-sat)\n", self.enforcement(group));
        let expectation = match answer {
            Some(_) if !refuted && self.settings.claims => {
                claim(&self.signatures, &text, model, &Default::default())
            }
            _ => Expectation::Unknown,
        };
        let lineage = self.enforcement_steps(group);
        let (solvers, theories) = (self.shape.solvers.clone(), self.shape.theories.clone());
        let case = Case { text, expectation, lineage, solvers, theories };
        self.ready.push_back(Mutant { case, is_test: true, enforced: group.to_vec(), values: Vec::new() });
    }

    fn enforcement_steps(&mut self, group: &[Pair]) -> Vec<Step> {
        let step = |&(monitor, truth): &Pair| {
            let expression = self.shape.monitors[monitor].monitor.expression;
            Step {
                action: "enforce".into(),
                before: self.draft.abridged(expression),
                after: truth.to_string(),
            }
        };
        group.iter().map(step).collect()
    }

    /// The seed with values for its holes (ϕsub).
    fn substitute(&mut self, values: Vec<Term>, group: Vec<Pair>, witness: Option<&str>) {
        if !self.made.insert(values.clone()) {
            return;
        }
        let mut lineage = self.enforcement_steps(&group);
        for (hole, &value) in self.shape.skeleton.holes.iter().zip(&values) {
            if hole.original != value && lineage.len() < group.len() + SHOWN {
                let (before, after) = (self.draft.abridged(hole.original), self.draft.abridged(value));
                lineage.push(Step { action: "value".into(), before, after });
            }
        }
        let roots = self.shape.skeleton.filled(&mut self.draft.arena, &self.shape.skeleton.roots, &values);
        let additions =
            if self.settings.at_the_end { self.at_the_end(&group, &values) } else { Additions::default() };
        if !self.draft.commit_all(&roots, &additions, lineage) {
            return;
        }
        let mut case = self.draft.case();
        if let (Some(model), false, true) = (witness, self.settings.at_the_end, self.settings.claims) {
            case.expectation = claim(&self.signatures, &case.text, model, &self.shape.fresh);
        }
        self.tally.mutants += 1;
        self.ready.push_back(Mutant { case, is_test: false, enforced: group, values });
    }

    /// EFFINAL: the definitions of the monitors and the assertions that enforce them.
    fn at_the_end(&mut self, group: &[Pair], values: &[Term]) -> Additions {
        let mut additions = Additions::default();
        for &(monitor, truth) in group {
            let named = self.shape.monitors[monitor];
            let arena = &mut self.draft.arena;
            let watched = self.shape.skeleton.filled(arena, &[named.monitor.expanded], values)[0];
            let Ok(equal) = arena.apply("=", &[named.name, watched]) else { continue };
            let enforced = if truth { Ok(named.name) } else { arena.apply("not", &[named.name]) };
            let Ok(enforced) = enforced else { continue };
            let inside = post_order(arena, &[watched]);
            let locals =
                self.shape.locals.iter().filter(|(_, term)| inside.contains(term)).map(|&(op, _)| op);
            for op in std::iter::once(named.op).chain(locals) {
                if !additions.declared.contains(&op) {
                    additions.declared.push(op);
                }
            }
            additions.assertions.extend([equal, enforced]);
        }
        additions
    }
}

impl Mutator for ValFuzzMutator {
    fn next_case(&mut self) -> Option<Case> {
        self.next_case_with(&mut Recorded::default())
    }

    fn next_case_with(&mut self, questioner: &mut dyn Questioner) -> Option<Case> {
        self.next_mutant(questioner).map(|mutant| mutant.case)
    }
}
