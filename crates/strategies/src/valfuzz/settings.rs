//! The settings of ValFuzz, and the names of its refinements.

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
            tests: 0,
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

    /// The names of Table V, in order.
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
    fn presets_match_the_appendix() {
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
