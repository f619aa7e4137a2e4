//! Known solver bugs behind disagreements. The standard decided each of them; `docs/judge.md` has the evidence. Remove an
//! entry once the solver is fixed.

/// A known bug of a solver.
struct Known {
    /// The solver and the release that shows it.
    solver: &'static str,
    /// A text that occurs in every affected term.
    part: &'static str,
    /// What is wrong.
    bug: &'static str,
}

const KNOWN: &[Known] = &[
    Known { solver: "z3@5.4.0", part: "(set.", bug: "answers sat for unequal finite sets that are equal" },
    Known {
        solver: "z3@5.4.0",
        part: "(subset ",
        bug: "takes mapped constant arrays over a finite index sort for equal",
    },
];

/// The known bug that explains why a solver disagrees about a term.
pub fn explanation(solver: &str, term: &str) -> Option<&'static str> {
    KNOWN.iter().find(|known| known.solver == solver && term.contains(known.part)).map(|known| known.bug)
}

#[cfg(test)]
mod tests {
    use super::explanation;

    #[test]
    fn known_bugs_are_matched_by_release_and_operator() {
        assert!(explanation("z3@5.4.0", "(set.union a b)").is_some());
        assert_eq!(explanation("z3@5.3.0", "(set.union a b)"), None);
        assert_eq!(explanation("z3@5.4.0", "(+ 1 2)"), None);
    }
}
