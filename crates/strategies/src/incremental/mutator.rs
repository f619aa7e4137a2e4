//! Makes cases from one seed.

use super::IncrementalSettings;
use super::walk::walk;
use crate::api::{Mutator, Unsuitable};
use crate::kit::draft::Draft;
use crate::kit::evaluation::not_one_question;
use crate::kit::random::Random;
use case::table::counted;
use case::{Case, Expectation, Seed, Step};
use smt::rewrite::{FreeLocals, post_order};
use smt::{Signatures, Sort, Term};
use std::sync::Arc;

/// The most Boolean parts of a seed that are used.
const MOST_PARTS: usize = 400;
/// Of ten formulas, this many are assertions of the seed, the others parts of assertions.
const WHOLE_OF_TEN: u64 = 5;
/// The number of scripts to try before a seed is given up, since a script may be too large.
const ATTEMPTS: usize = 20;

/// Makes incremental scripts from one seed.
pub(super) struct IncrementalMutator {
    settings: IncrementalSettings,
    random: Random,
    draft: Draft,
    assertions: Vec<Term>,
    /// The Boolean subterms of the assertions.
    parts: Vec<Term>,
}

impl IncrementalMutator {
    /// Opens a seed that asks one question.
    pub fn open(
        signatures: &Arc<Signatures>,
        settings: &IncrementalSettings,
        seed: &Seed,
        random: Random,
    ) -> Result<IncrementalMutator, Unsuitable> {
        if seed.text.contains(":named") {
            return Err(Unsuitable("a named term must not be repeated".to_owned()));
        }
        let (draft, script) = Draft::open_with_script(signatures, seed)?;
        if let Some(reason) = not_one_question(&script) {
            return Err(Unsuitable(reason.to_owned()));
        }
        let asserted = (0..draft.roots().len()).filter(|&root| draft.is_assertion(root));
        let assertions: Vec<Term> = asserted.map(|root| draft.roots()[root].term).collect();
        if assertions.is_empty() {
            return Err(Unsuitable("the seed asserts nothing".to_owned()));
        }
        let mut free = FreeLocals::default();
        let mut parts = post_order(&draft.arena, &assertions);
        parts.retain(|&term| {
            draft.arena.sort(term) == Sort::BOOL
                && !matches!(draft.arena.term_text(term).as_str(), "true" | "false")
                && free.of(&draft.arena, term).is_empty()
        });
        parts.truncate(MOST_PARTS);
        Ok(IncrementalMutator { settings: settings.clone(), random, draft, assertions, parts })
    }

    /// An assertion of the seed or a part of one, or its negation.
    fn formula(&mut self) -> Option<Term> {
        let whole = self.parts.is_empty() || self.random.chance(WHOLE_OF_TEN, 10);
        let from = if whole { &self.assertions } else { &self.parts };
        let term = from[self.random.index(from.len())];
        let negated = self.random.chance(1, if whole { 8 } else { 3 });
        if negated { self.draft.arena.apply("not", &[term]).ok() } else { Some(term) }
    }
}

impl Mutator for IncrementalMutator {
    fn next_case(&mut self) -> Option<Case> {
        for attempt in 0..ATTEMPTS {
            // A script that is too large is followed by one with fewer formulas.
            let most = (self.settings.formulas / (1 + attempt)).max(2);
            let count = 1 + self.random.index(most);
            let terms: Vec<Term> = (0..count).map_while(|_| self.formula()).collect();
            if !self.draft.assert_instead(&terms, Vec::new()) {
                continue;
            }
            let flat = self.draft.case();
            let Some(walk) = walk(&flat.text, &self.settings, &mut self.random) else { continue };
            let step = Step {
                action: "ask step by step".into(),
                before: counted(terms.len(), "formula"),
                after: format!("{} with {}", counted(walk.steps, "step"), counted(walk.checks, "check")),
            };
            return Some(Case {
                text: walk.text,
                lineage: vec![step],
                expectation: Expectation::Unknown,
                ..flat
            });
        }
        None
    }
}
