//! What fuzzers may know of the past when they fuzz a release: formulas that broke solvers, and were fixed before that release.
//!
//! Whoever tested the release when it was new had no others. A formula that still breaks it, or was reported later, would give the
//! answer away.

use crate::error::BenchError;
use crate::listed::{Table, breaks};
use case::files::write;
use history::{MinePlan, read};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use strategies::histfuzz::{Library, RuleSettings};

/// An issue that existed when a release was made, in the tracker of each solver: an estimate on the safe side. A formula that still
/// breaks the release is left out whatever its number.
const NEWEST_ISSUES: [(&str, [(&str, u64); 2]); 5] = [
    ("z3@4.8.7", [("z3", 2_600), ("cvc", 3_300)]),
    ("z3@4.8.10", [("z3", 4_900), ("cvc", 5_700)]),
    ("z3@4.12.2", [("z3", 6_650), ("cvc", 9_600)]),
    ("cvc5@1.0.3", [("z3", 6_400), ("cvc", 9_200)]),
    ("cvc4@1.8", [("z3", 4_400), ("cvc", 4_500)]),
];

/// The history that contenders may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The library for histfuzz.
    pub library: PathBuf,
    /// How many formulas it was mined from.
    pub formulas: u64,
    /// These formulas, for tools that mine on their own.
    pub files: Vec<PathBuf>,
}

/// Mines the history of a release from a folder with `index.tsv` and `bugs.tsv` into a file of `to`.
pub fn histories_before(release: &str, bugs: &Path, to: &Path) -> Result<History, BenchError> {
    let before = NEWEST_ISSUES.iter().find(|(name, _)| *name == release).map(|(_, newest)| newest);
    let newest = before.ok_or_else(|| {
        let known: Vec<&str> = NEWEST_ISSUES.iter().map(|(name, _)| *name).collect();
        let hint =
            format!("histories are known for {}; without --bugs the built-in one is used", known.join(", "));
        BenchError::choice(format!("it is not known which bugs were fixed before {release}"), hint)
    })?;
    let still_broken: BTreeSet<String> = breaks(bugs, release)?.into_iter().collect();
    let index = Table::read(&bugs.join("index.tsv"))?;
    let mut names = BTreeSet::new();
    for row in &index.rows {
        let (id, solver, issue) =
            (index.cell(row, "id"), index.cell(row, "solver"), index.cell(row, "issue"));
        let is_older = issue.parse::<u64>().is_ok_and(|issue| {
            newest.iter().any(|(name, newest)| solver.starts_with(name) && issue <= *newest)
        });
        if is_older && !still_broken.contains(id) {
            names.insert(id.to_owned());
        }
    }
    let mut formulas = read(&[bugs.to_owned()])?;
    formulas.retain(|formula| names.contains(&formula.name));
    let plan = MinePlan {
        library: Library::default(),
        formulas: &formulas,
        normal: &[],
        ill_formed: false,
        rules: RuleSettings::default(),
    };
    let library = history::mine(plan, &mut |_, _| {});
    let path = to.join(format!("history-{}.txt", release.replace('@', "-")));
    write(&path, &library.write())?;
    let files = formulas.iter().map(|formula| formula.path.clone()).collect();
    Ok(History { library: path, formulas: formulas.len() as u64, files })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_has_only_what_was_fixed_before_the_release() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("formulas")).unwrap();
        let ids = [("old", "z3", "100"), ("broken", "z3", "200"), ("new", "z3", "6000"), ("test", "z3", "")];
        let mut index = "id\tfile\tsolver\tissue\n".to_owned();
        for (id, solver, issue) in ids {
            index += &format!("{id}\tformulas/{id}.smt2\t{solver}\t{issue}\n");
            let text = format!("(declare-const {id} Int)(assert (> {id} 1))(check-sat)");
            std::fs::write(root.path().join(format!("formulas/{id}.smt2")), text).unwrap();
        }
        std::fs::write(root.path().join("index.tsv"), index).unwrap();
        let bugs = "release\tformula\tclass\nz3-4.8.10.0\tbroken\tcrash\nz3-4.12.2.0\told\tcrash\n";
        std::fs::write(root.path().join("bugs.tsv"), bugs).unwrap();
        let history = histories_before("z3@4.8.10", root.path(), root.path()).unwrap();
        assert_eq!((history.formulas, history.files), (1, vec![root.path().join("formulas/old.smt2")]));
        assert!(history.library.is_file());
        assert!(histories_before("z3@1.0", root.path(), root.path()).is_err());
    }
}
