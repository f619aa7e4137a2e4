//! Falcon: formulas from scratch, each under many configurations of the solver.
//!
//! The formulas are those of the grammar. The campaign runs the configurations, as the [`OptionSearch`] says.

use crate::api::{
    Mutator, OptionSearch, RejectedBy, Setting, Strategy, TechniqueSettings, Unsuitable, Variant,
};
use crate::grammar::{Grammar, GrammarSettings};
use crate::kit::random::Random;
use case::Seed;
use smt::Signatures;
use std::sync::Arc;

impl OptionSearch {
    /// Algorithm 3 of the paper.
    pub fn as_published() -> Self {
        OptionSearch {
            configurations: 100,
            unweighted: 0,
            patience: 0,
            neighbours: false,
            inherits: false,
            rewards: false,
            every_case: true,
            unsupported: true,
            elitist: false,
            after_crash: false,
            ..OptionSearch::default()
        }
    }
}

impl TechniqueSettings for OptionSearch {
    const VARIANTS: &'static [Variant] = &[
        Variant { name: "published", section: "4.2", summary: "the algorithms and constants of the paper" },
        Variant {
            name: "learn",
            section: "6.4",
            summary: "as published, with random values of relevant options",
        },
        Variant {
            name: "search",
            section: "6.4",
            summary: "as published, with all options instead of relevant ones",
        },
        Variant { name: "no-opt", section: "6.4", summary: "as published, without configurations" },
    ];

    fn variant(&self, name: &str) -> Option<Self> {
        let published = OptionSearch::as_published();
        match name {
            "published" => Some(published),
            "learn" => Some(OptionSearch { guided: false, ..published }),
            "search" => Some(OptionSearch { correlated: false, ..published }),
            "no-opt" => Some(OptionSearch { configurations: 0, ..published }),
            _ => None,
        }
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let OptionSearch {
            configurations,
            guided,
            correlated,
            unweighted,
            changed,
            first,
            parents,
            elitist,
            unchanged,
            patience,
            neighbours,
            inherits,
            rewards,
            every_case,
            unsupported,
            after_crash,
        } = self;
        vec![
            Setting::new(
                "configurations",
                "4.2",
                "most configurations of a solver for a formula",
                configurations,
            ),
            Setting::new("guided", "4.2", "breed configurations from those that reach the most code", guided),
            Setting::new(
                "correlated",
                "4.1",
                "change the options that matter to the formula, as learned",
                correlated,
            ),
            Setting::new(
                "unweighted",
                "",
                "one in this many changed options is any option; 0 for none",
                unweighted,
            ),
            Setting::new(
                "changed",
                "",
                "most options that differ from their defaults in a drawn configuration",
                changed,
            ),
            Setting::new("first", "4.2", "configurations of the first generation", first),
            Setting::new("parents", "4.2", "best configurations that are parents (n)", parents),
            Setting::new(
                "elitist",
                "4.2",
                "parents are the best of all generations, not of the last",
                elitist,
            ),
            Setting::new(
                "unchanged",
                "4.2",
                "generations in a row without new code that end a search",
                unchanged,
            ),
            Setting::new(
                "patience",
                "",
                "configurations in a row without new code that end a search; 0 for no limit",
                patience,
            ),
            Setting::new(
                "neighbours",
                "",
                "try a neighbour of a configuration that reached new code",
                neighbours,
            ),
            Setting::new(
                "inherits",
                "",
                "start with a child of configurations that reached new code before",
                inherits,
            ),
            Setting::new("rewards", "", "refine the correlations by what options reached", rewards),
            Setting::new(
                "every-case",
                "4.2",
                "vary options even if new formulas reach more code",
                every_case,
            ),
            Setting::new(
                "unsupported",
                "2.2",
                "also set options that the maintainers take no reports for",
                unsupported,
            ),
            Setting::new(
                "after-crash",
                "4.2",
                "vary options also if the solver crashes by default",
                after_crash,
            ),
        ]
    }
}

/// The strategy `falcon`.
pub struct Falcon {
    name: String,
    grammar: Grammar,
    search: OptionSearch,
}

impl Falcon {
    /// The strategy's name.
    pub const NAME: &'static str = "falcon";

    /// Falcon over these operators.
    pub fn new(signatures: Arc<Signatures>, search: OptionSearch) -> Self {
        let grammar = Grammar::new(signatures, GrammarSettings::default());
        Falcon { name: Falcon::NAME.to_owned(), grammar, search }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Falcon { name: name.to_owned(), ..self }
    }
}

impl Strategy for Falcon {
    fn name(&self) -> &str {
        &self.name
    }

    fn own_seed(&self) -> Option<Seed> {
        self.grammar.own_seed()
    }

    fn cases_per_turn(&self, budget: u64) -> u64 {
        self.grammar.cases_per_turn(budget)
    }

    fn operator_rejected(&self, name: &str, by: RejectedBy) {
        self.grammar.operator_rejected(name, by);
    }

    fn option_search(&self) -> Option<&OptionSearch> {
        Some(&self.search)
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        self.grammar.open(seed, random)
    }
}
