//! The settings of ValFuzz, and the names of its refinements.

use crate::api::{Setting, TechniqueSettings, Variant, Word};

/// How a meta-formula treats quantified variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantified {
    /// A fresh constant replaces each.
    Skolemised,
    /// The quantifier is copied around each expression with the variable.
    Copied,
}

/// Which terms have their abstract domains monitored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domains {
    /// None.
    None,
    /// Variables.
    Variables,
    /// Variables and all expressions.
    Expressions,
}

impl Word for Quantified {
    const WORDS: &'static [(&'static str, Quantified)] =
        &[("skolemised", Quantified::Skolemised), ("copied", Quantified::Copied)];
}

impl Word for Domains {
    const WORDS: &'static [(&'static str, Domains)] =
        &[("none", Domains::None), ("variables", Domains::Variables), ("expressions", Domains::Expressions)];
}

/// The settings of ValFuzz. [`ValFuzzSettings::preset`] returns those of the paper by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValFuzzSettings {
    /// RBASE: constants are random, and no solver is asked.
    pub random: bool,
    /// ADOMAIN and ADOMAINE.
    pub domains: Domains,
    /// LEAFOPT: only Boolean expressions that contain no others are monitored.
    pub leaves: bool,
    /// CPOG: there are two meta-formulas, with the skeleton and with its negation.
    pub original: bool,
    /// MULTIEF: the number of monitors to enforce at once.
    pub together: usize,
    /// RELC: the number of holes to compare with each other.
    pub related: usize,
    /// EFFINAL: the mutant also asserts what was enforced.
    pub at_the_end: bool,
    /// SKOLU: the treatment of universally quantified variables.
    pub universal: Quantified,
    /// NOSKOLE: the treatment of existentially quantified variables.
    pub existential: Quantified,
    /// The maximum number of iterations in a turn: pairs of a monitor and a Boolean to enforce.
    pub limit: usize,
    /// The number of models to ask for per enforcement.
    pub models: usize,
    /// Whether a hole sometimes gets a boundary value.
    pub extremes: bool,
    /// Whether a mutant must cover something new and satisfy what was enforced, by our evaluation. All that holds in it then
    /// counts as covered; otherwise, only what was enforced.
    pub screen: bool,
    /// Whether the fresh variable of a `let` equals the bound value. The paper leaves it free.
    pub bound_lets: bool,
    /// The percentage of enforcements that become cases themselves, because the enforcing solvers are under test, too.
    pub tests: u64,
    /// Whether the skeleton is a case, too.
    pub skeleton: bool,
    /// Whether every iteration has random flags of its own. Each costs a process.
    pub fresh_flags: bool,
    /// Whether half of the monitors are dropped if those to enforce at once contradict each other, or the iteration ends.
    pub halves: bool,
    /// Whether holes are compared by the orders of their sorts that Table III leaves out, too.
    pub all_orders: bool,
    /// Whether a mutant is expected to be satisfiable if the evaluator confirms the model that its constants come from.
    pub claims: bool,
    /// The maximum number of cases of a turn, as a multiple of what other strategies make.
    pub pace: u64,
}

impl Default for ValFuzzSettings {
    /// The paper's best settings for soundness bugs (BLENDB with 7 and 3), with our additions.
    fn default() -> Self {
        ValFuzzSettings {
            domains: Domains::Variables,
            together: 7,
            related: 3,
            models: 3,
            extremes: true,
            screen: true,
            bound_lets: true,
            tests: 25,
            fresh_flags: false,
            halves: true,
            all_orders: true,
            claims: true,
            pace: 16,
            ..ValFuzzSettings::as_published()
        }
    }
}

impl ValFuzzSettings {
    /// The basic approach of the paper, with all quantifiers skolemised (SKOLU).
    pub fn as_published() -> Self {
        ValFuzzSettings {
            random: false,
            domains: Domains::None,
            leaves: false,
            original: false,
            together: 1,
            related: 0,
            at_the_end: false,
            universal: Quantified::Skolemised,
            existential: Quantified::Skolemised,
            limit: 50,
            models: 1,
            extremes: false,
            screen: false,
            bound_lets: false,
            tests: 100,
            skeleton: true,
            fresh_flags: true,
            halves: false,
            all_orders: false,
            claims: false,
            // A turn is a whole run on a file: all iterations, each with a mutant and a question for each meta-formula.
            pace: 1000,
        }
    }

    /// The settings for a name of the paper's appendix, in any letter case: `SKOLU`, `ADOMAIN`, `RELC3`, `BLENDB`. `_` joins
    /// several refinements.
    pub fn preset(name: &str) -> Option<Self> {
        let mut settings = ValFuzzSettings::as_published();
        for part in name.split('_') {
            settings.refine(&part.to_ascii_uppercase())?;
        }
        Some(settings)
    }

    fn refine(&mut self, name: &str) -> Option<()> {
        let number =
            |prefix: &str| name.strip_prefix(prefix)?.parse().ok().filter(|&number: &usize| number > 0);
        match name {
            // Random values need no skeleton for a solver.
            "RBASE" => (self.random, self.skeleton) = (true, false),
            "SKOLU" => {
                (self.universal, self.existential) = (Quantified::Skolemised, Quantified::Skolemised);
            }
            "NOSKOLE" => (self.universal, self.existential) = (Quantified::Copied, Quantified::Copied),
            "COPYU" => self.universal = Quantified::Copied,
            "COPYE" => self.existential = Quantified::Copied,
            "ADOMAIN" => self.domains = Domains::Variables,
            "ADOMAINE" => self.domains = Domains::Expressions,
            "CPOG" => self.original = true,
            "EFFINAL" => self.at_the_end = true,
            "LEAFOPT" => self.leaves = true,
            "BLENDA" => {
                self.refine("ADOMAIN")?;
                self.refine("CPOG")?;
            }
            "BLENDB" => {
                for part in ["ADOMAIN", "RELC3", "MULTIEF7"] {
                    self.refine(part)?;
                }
            }
            "BLENDBLEAF" => {
                self.refine("BLENDB")?;
                self.refine("LEAFOPT")?;
            }
            _ => match (number("MULTIEF"), number("RELC")) {
                (Some(together), _) => self.together = together,
                (_, Some(related)) => self.related = related,
                _ => return None,
            },
        }
        Some(())
    }
}

/// A variant of Table V.
const fn preset(name: &'static str, section: &'static str, summary: &'static str) -> Variant {
    Variant { name, section, summary }
}

impl TechniqueSettings for ValFuzzSettings {
    const VARIANTS: &'static [Variant] = &[
        preset("SKOLU", "V-C", "the basic approach, with all quantifiers skolemised"),
        preset("RBASE", "VI-B", "random constants, without a solver"),
        preset("ADOMAIN", "V-A", "also enforces abstract domains of variables"),
        preset("ADOMAINE", "V-A", "also enforces abstract domains of variables and expressions"),
        preset("CPOG", "V-D", "two meta-formulas: the skeleton, and its negation"),
        preset("EFFINAL", "V-G", "mutants also assert what was enforced"),
        preset("LEAFOPT", "V-B", "enforces only Boolean expressions that contain no others"),
        preset(
            "MULTIEF7",
            "V-E",
            "enforces seven expressions at once; MULTIEF with any other number works, too",
        ),
        preset("NOSKOLE", "V-C", "copies quantifiers around each expression"),
        preset(
            "RELC3",
            "V-F",
            "also compares three holes with each other; RELC with any other number works, too",
        ),
        preset("BLENDA", "VI-B", "ADOMAIN and CPOG"),
        preset("BLENDB", "VI-B", "ADOMAIN, RELC3 and MULTIEF7"),
        preset("BLENDBLEAF", "VI-B", "BLENDB and LEAFOPT"),
    ];

    fn variant(&self, name: &str) -> Option<Self> {
        ValFuzzSettings::preset(name)
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let ValFuzzSettings {
            random,
            domains,
            leaves,
            original,
            together,
            related,
            at_the_end,
            universal,
            existential,
            limit,
            models,
            extremes,
            screen,
            bound_lets,
            tests,
            skeleton,
            fresh_flags,
            halves,
            all_orders,
            claims,
            pace,
        } = self;
        vec![
            Setting::new("random", "VI-B", "random constants, without a solver (RBASE)", random),
            Setting::new(
                "domains",
                "V-A",
                "terms whose abstract domains are enforced (ADOMAIN, ADOMAINE)",
                domains,
            ),
            Setting::new(
                "leaves",
                "V-B",
                "enforce only expressions that contain no others (LEAFOPT)",
                leaves,
            ),
            Setting::new(
                "original",
                "V-D",
                "two meta-formulas: the skeleton, and its negation (CPOG)",
                original,
            ),
            Setting::new("together", "V-E", "expressions to enforce at once (MULTIEF)", together),
            Setting::new("related", "V-F", "holes to compare with each other (RELC)", related),
            Setting::new("at-the-end", "V-G", "mutants also assert what was enforced (EFFINAL)", at_the_end),
            Setting::new("universal", "V-C", "what becomes of universal quantifiers (SKOLU)", universal),
            Setting::new(
                "existential",
                "V-C",
                "what becomes of existential quantifiers (NOSKOLE)",
                existential,
            ),
            Setting::new("limit", "III-A", "most iterations in a turn on a seed", limit),
            Setting::new("models", "III-B", "models to ask for, for each enforcement", models),
            Setting::new("extremes", "", "give a hole a boundary value at times", extremes),
            Setting::new("screen", "", "run only mutants that cover something new by our evaluation", screen),
            Setting::new("bound-lets", "IV-A", "the variable of a `let` equals the bound value", bound_lets),
            Setting::new("tests", "IV-B", "percent of the questions that become cases themselves", tests),
            Setting::new("skeleton", "IV-B", "the skeleton is a case, too", skeleton),
            Setting::new("fresh-flags", "IV-C", "every iteration has random flags of its own", fresh_flags),
            Setting::new(
                "halves",
                "V-E",
                "drop half of the expressions to enforce if they contradict each other",
                halves,
            ),
            Setting::new("all-orders", "V-F", "compare holes by more orders than Table III has", all_orders),
            Setting::new("claims", "", "expect `sat` of mutants whose model our evaluator confirms", claims),
            Setting::new("pace", "", "most cases of a turn, as a multiple of other strategies'", pace),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_match_the_appendix() {
        for Variant { name, .. } in ValFuzzSettings::VARIANTS {
            assert!(ValFuzzSettings::preset(name).is_some(), "{name}");
        }
        let basic = ValFuzzSettings::as_published();
        let blend = ValFuzzSettings { domains: Domains::Variables, related: 3, together: 7, ..basic.clone() };
        let table = [
            ("skolu", Some(basic.clone())),
            ("BlendB", Some(blend.clone())),
            ("ADOMAIN_RELC3_MULTIEF7", Some(blend.clone())),
            ("BLENDBLEAF", Some(ValFuzzSettings { leaves: true, ..blend })),
            ("BLENDA", ValFuzzSettings::preset("CPOG_ADOMAIN")),
            ("MULTIEF12", Some(ValFuzzSettings { together: 12, ..basic.clone() })),
            ("NOSKOLE", ValFuzzSettings::preset("COPYU_COPYE")),
            ("MULTIEF", None),
            ("RELC0", None),
            ("", None),
        ];
        for (name, expected) in table {
            assert_eq!(ValFuzzSettings::preset(name), expected, "{name}");
        }
    }
}
