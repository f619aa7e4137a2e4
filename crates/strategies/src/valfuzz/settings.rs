//! The settings of ValFuzz, and the names that its refinements have.

/// What becomes of quantified variables in the meta-formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantified {
    /// A fresh constant takes the place of each.
    Skolemised,
    /// The quantifier is copied around each expression that has the variable.
    Copied,
}

/// Of what the abstract domains are monitored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domains {
    /// Of nothing.
    None,
    /// Of variables.
    Variables,
    /// Of variables and of every expression.
    Expressions,
}

/// The settings of ValFuzz. [`ValFuzzSettings::preset`] has those of the paper under its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValFuzzSettings {
    /// RBASE: constants are drawn at random, and no solver is asked for them.
    pub random: bool,
    /// ADOMAIN and ADOMAINE.
    pub domains: Domains,
    /// LEAFOPT: only Boolean expressions without Boolean expressions inside are monitored.
    pub leaves: bool,
    /// CPOG: the skeleton itself, and its negation, belong to two meta-formulas.
    pub original: bool,
    /// MULTIEF: how many monitors are enforced at once.
    pub together: usize,
    /// RELC: how many holes are compared with each other; none if zero.
    pub related: usize,
    /// EFFINAL: what was enforced is asserted of the mutant too.
    pub at_the_end: bool,
    /// SKOLU: what becomes of universally quantified variables.
    pub universal: Quantified,
    /// NOSKOLE: what becomes of existentially quantified variables.
    pub existential: Quantified,
    /// The most iterations of a turn: pairs of a monitor and a truth value that are enforced.
    pub limit: usize,
    /// How many models are asked for after one enforcement.
    pub models: usize,
    /// Whether a hole is pushed to the edge of its sort from time to time.
    pub extremes: bool,
    /// Whether a mutant is made only if, by our evaluation, what was enforced holds in it and it covers something new. What
    /// holds in it then counts as covered; without this, only what was enforced.
    pub screen: bool,
    /// Whether the fresh variable of a `let` is equal to what the `let` binds. The paper leaves it free.
    pub bound_lets: bool,
    /// Of a hundred enforcements, how many are cases of their own: the enforcing solvers are under test too.
    pub tests: u64,
}

impl Default for ValFuzzSettings {
    /// The paper's best for soundness bugs (BLENDB with 7 and 3), with what it did not have.
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
            ..ValFuzzSettings::as_published()
        }
    }
}

impl ValFuzzSettings {
    /// The basic approach of the paper, with quantifiers of both kinds skolemised (SKOLU), and nothing else.
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
            tests: 0,
        }
    }

    /// The settings that the paper's appendix has a name for, in any case: `SKOLU`, `ADOMAIN`, `RELC3`, `BLENDB`. Several
    /// refinements are joined by `_`.
    pub fn preset(name: &str) -> Option<Self> {
        let mut settings = ValFuzzSettings::as_published();
        for part in name.split('_') {
            settings.refine(&part.to_ascii_uppercase())?;
        }
        Some(settings)
    }

    /// The names of Table V, in its order.
    pub const PUBLISHED: [&'static str; 13] = [
        "RBASE",
        "SKOLU",
        "ADOMAIN",
        "ADOMAINE",
        "CPOG",
        "EFFINAL",
        "LEAFOPT",
        "MULTIEF7",
        "NOSKOLE",
        "RELC3",
        "BLENDA",
        "BLENDB",
        "BLENDBLEAF",
    ];

    fn refine(&mut self, name: &str) -> Option<()> {
        let number =
            |prefix: &str| name.strip_prefix(prefix)?.parse().ok().filter(|&number: &usize| number > 0);
        match name {
            "RBASE" => self.random = true,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_the_appendix_mean_what_it_says() {
        for name in ValFuzzSettings::PUBLISHED {
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
