//! Disagreements that were decided from the standard and found to be mistakes of a solver. Each has its evidence in
//! `docs/judge.md`; an entry goes when the solver is mended.

/// A mistake of a solver that is known.
struct Known {
    /// The solver and the release it was seen in.
    solver: &'static str,
    /// A text that stands in every term that shows it.
    part: &'static str,
    /// What is wrong.
    mistake: &'static str,
}

const KNOWN: &[Known] = &[
    Known { solver: "z3@5.4.0", part: "(set.", mistake: "says sat for unequal finite sets that are equal" },
    Known {
        solver: "z3@5.4.0",
        part: "(subset ",
        mistake: "takes mapped constant arrays over a finite index sort for equal",
    },
];

/// What is known to be wrong with a solver that values a term in its own way.
pub(super) fn explanation(solver: &str, term: &str) -> Option<&'static str> {
    KNOWN.iter().find(|known| known.solver == solver && term.contains(known.part)).map(|known| known.mistake)
}
