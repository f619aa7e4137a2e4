//! How the options of a solver are varied for the cases of a strategy.

/// How to choose configurations of a solver for a case. `crates/falcon` carries it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSearch {
    /// The maximum number of configurations of a solver for a case; 0 for none.
    pub configurations: u64,
    /// Whether configurations are bred from those that reach the most code, or drawn at random.
    pub guided: bool,
    /// Whether learned correlations decide which options to change.
    pub correlated: bool,
    /// One in this many changed options is drawn whatever the correlations are, since they may be wrong; 0 for none.
    pub unweighted: u64,
    /// About how many options differ from their defaults in a drawn configuration.
    pub changed: u64,
    /// The size of the first generation.
    pub first: usize,
    /// The number of the best configurations that are parents.
    pub parents: usize,
    /// Whether the parents are the best of all generations, or of the last one.
    pub elitist: bool,
    /// A search ends after this many generations in a row that reach nothing new.
    pub unchanged: u32,
    /// A case is given up after this many configurations in a row that reach nothing new; 0 for never.
    pub patience: u32,
    /// Whether a neighbour of a configuration that reached new code is tried next.
    pub neighbours: bool,
    /// Whether a search starts with a child of configurations that reached new code with other cases.
    pub inherits: bool,
    /// Whether what options reached so far refines the correlations.
    pub rewards: bool,
    /// Whether every case gets configurations, also if new cases reach more code in the same time.
    pub every_case: bool,
    /// Whether to set options that the maintainers take no reports for.
    pub unsupported: bool,
    /// Whether a case that crashes a solver by default gets configurations, too.
    pub after_crash: bool,
}

impl Default for OptionSearch {
    fn default() -> Self {
        OptionSearch {
            configurations: 12,
            guided: true,
            correlated: true,
            unweighted: 4,
            changed: 4,
            first: 4,
            parents: 3,
            elitist: true,
            unchanged: 10,
            patience: 2,
            neighbours: true,
            inherits: true,
            rewards: true,
            every_case: false,
            unsupported: false,
            after_crash: true,
        }
    }
}
