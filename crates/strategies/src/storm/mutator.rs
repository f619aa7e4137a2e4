//! Makes cases from one seed with a model.

use super::StormSettings;
use super::fragments::{Fragments, Source};
use crate::api::{Mutator, Unsuitable};
use crate::kit::draft::Draft;
use crate::kit::random::Random;
use crate::kit::witness::Witness;
use case::{Case, Expectation, Seed, Step};
use smt::{Signatures, Term};
use std::sync::Arc;

/// The connectives of the paper.
const PUBLISHED: [&str; 2] = ["and", "not"];
/// All connectives.
const ALL: [&str; 8] = ["and", "or", "not", "=>", "xor", "=", "distinct", "ite"];
/// Of ten assertions, this many are parts of the seed, the others combinations.
const PLAIN_OF_TEN: u64 = 3;
/// The number of scripts to try before a seed is given up, since a script may be too large.
const ATTEMPTS: usize = 40;

/// Makes cases from one seed with STORM.
pub(super) struct StormMutator {
    settings: StormSettings,
    random: Random,
    draft: Draft,
    fragments: Fragments,
    /// The model of the seed, which is one of every case.
    model: String,
}

impl StormMutator {
    /// Opens a seed with a model that our evaluation confirms.
    pub fn open(
        signatures: &Arc<Signatures>,
        settings: &StormSettings,
        seed: &Seed,
        mut random: Random,
    ) -> Result<StormMutator, Unsuitable> {
        if seed.text.contains(":named") {
            return Err(Unsuitable("a named term must not be repeated".to_owned()));
        }
        let (mut draft, script) = Draft::open_expanded(signatures, seed)?;
        let witness = Witness::of_seed(&mut draft, &script, seed, &mut random)?;
        let asserted = (0..draft.roots().len()).filter(|&root| draft.is_assertion(root));
        let assertions: Vec<Term> = asserted.map(|root| draft.roots()[root].term).collect();
        let mut fragments = Fragments::of(&draft, &witness, &assertions, settings.all_parts);
        if fragments.is_empty() {
            return Err(Unsuitable("no part of the seed has a known value".to_owned()));
        }
        let connectives = if settings.all_connectives { &ALL[..] } else { &PUBLISHED };
        for _ in 0..settings.combinations {
            fragments.combine(&mut draft.arena, connectives, settings.depth, &mut random);
        }
        let model = witness.text(std::iter::empty());
        Ok(StormMutator { settings: settings.clone(), random, draft, fragments, model })
    }

    /// A formula that is true under the model.
    fn formula(&mut self) -> Option<Term> {
        let source = if self.random.chance(PLAIN_OF_TEN, 10) { Source::Parts } else { Source::Combined };
        let drawn = self.fragments.draw(source, &mut self.random);
        let drawn = drawn.or_else(|| self.fragments.draw(Source::Both, &mut self.random))?;
        if drawn.value { Some(drawn.term) } else { self.draft.arena.apply("not", &[drawn.term]).ok() }
    }
}

impl Mutator for StormMutator {
    fn next_case(&mut self) -> Option<Case> {
        for attempt in 0..ATTEMPTS {
            // A script that is too large is followed by one with fewer assertions.
            let most = self.settings.assertions / (1 + attempt);
            let count = 1 + self.random.index(most.max(1));
            let terms: Vec<Term> = (0..count).map_while(|_| self.formula()).collect();
            let step = Step {
                action: "combine".into(),
                before: "the parts of the assertions".to_owned(),
                after: format!(
                    "{} that are true under the model",
                    case::table::counted(terms.len(), "formula")
                ),
            };
            if self.draft.assert_instead(&terms, vec![step]) {
                let expectation = Expectation::Sat { model: self.model.clone() };
                return Some(Case { expectation, ..self.draft.case() });
            }
        }
        None
    }
}
