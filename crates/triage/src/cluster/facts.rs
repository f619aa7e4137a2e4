//! The facts that findings are compared by.

use super::memory_error::MemoryError;
use crate::blame::blame;
use crate::operators::operators;
use crate::predicate::Established;
use crate::releases::Releases;
use case::{Claim, Class, Crash, CrashPattern};
use serde::{Deserialize, Serialize};
use smt::{Arena, Signatures, parse_script};
use std::collections::BTreeSet;

/// The facts that a finding is compared by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Its name.
    pub name: String,
    /// The solver that is wrong, without its release.
    pub solver: String,
    /// The kind of bug.
    pub class: Class,
    /// The crash, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<Crash>,
    /// The theories of the script.
    pub theories: BTreeSet<String>,
    /// The operators of the script, reduced if possible.
    pub operators: BTreeSet<String>,
    /// The releases that show it, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub releases: Option<ReleaseRange>,
    /// The solver's functions that the failing script reaches, but its nearest passing neighbour does not; empty if unknown.
    #[serde(default)]
    pub functions: BTreeSet<String>,
}

/// A run of bad releases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseRange {
    /// The first release that is wrong.
    pub first_bad: String,
    /// The first release that is right again, if any.
    pub first_good: Option<String>,
}

/// The text of a crash without what differs between releases and runs: folders, line numbers, addresses.
pub fn normalised(crash: &Crash) -> String {
    let mut out = String::new();
    let mut in_number = false;
    for c in crash.key().replace('\\', "/").chars() {
        if c.is_ascii_digit() {
            if !in_number {
                out.push('#');
            }
            in_number = true;
        } else {
            in_number = false;
            out.push(c);
        }
    }
    let file = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    out.split_whitespace().map(file).collect::<Vec<_>>().join(" ")
}

impl Facts {
    /// The facts of a script that shows a bug.
    pub fn new(name: &str, solver: &str, class: Class, crash: Option<Crash>, script: &str) -> Facts {
        Facts {
            name: name.to_owned(),
            solver: solver.to_owned(),
            class,
            crash,
            theories: theories(script),
            operators: operators(script).into_iter().collect(),
            releases: None,
            functions: BTreeSet::new(),
        }
    }

    /// The facts that runs have established.
    pub fn of_established(name: &str, script: &str, established: &Established) -> Facts {
        let blame = blame(established);
        let suspect = established.participant(blame.first_suspect());
        let crash = match &suspect.claim {
            Claim::Crashes(CrashPattern::Like(crash)) => Some(crash.clone()),
            _ => None,
        };
        Facts::new(name, &suspect.target.name, blame.class, crash, script)
    }

    /// The same facts with the releases that show the bug.
    pub fn with_releases(mut self, releases: Option<&Releases>) -> Facts {
        self.releases = releases.map(|found| ReleaseRange {
            first_bad: found.first_bad.clone(),
            first_good: found.first_good.clone(),
        });
        self
    }

    /// Whether two findings are likely one bug.
    pub fn is_same(&self, other: &Facts) -> bool {
        if self.solver != other.solver {
            return false;
        }
        match (&self.crash, &other.crash) {
            (Some(one), Some(two)) => {
                // A bare signal does not identify a crash, so more must agree.
                let is_equal = normalised(one) == normalised(two)
                    && (!one.is_vague() || (self.releases == other.releases && self.is_alike(other)));
                let errors = MemoryError::of(self).zip(MemoryError::of(other));
                is_equal || errors.is_some_and(|(one, two)| one.has_same_cause(&two))
            }
            (None, None) => {
                self.class == other.class && self.releases == other.releases && self.is_alike(other)
            }
            _ => false,
        }
    }

    /// Whether two findings of one class and the same releases are likely one bug: by their distinguishing functions if known for
    /// both, otherwise by their operators.
    fn is_alike(&self, other: &Facts) -> bool {
        let shared = self.functions.intersection(&other.functions).count();
        let all = self.functions.union(&other.functions).count();
        let known = !self.functions.is_empty() && !other.functions.is_empty();
        match (known, shared) {
            (true, 0) => false,
            (true, _) if 2 * shared >= all => true,
            // A few shared functions say little: different faults may share some code.
            _ => self.has_similar_operators(other),
        }
    }

    /// Whether distinguishing functions add anything. A crash with a message identifies itself.
    pub fn needs_functions(&self) -> bool {
        self.crash.as_ref().is_none_or(Crash::is_vague)
    }

    /// Whether at least half of the operators are shared, or the theories are the same and the operators of one are a subset of
    /// those of the other.
    fn has_similar_operators(&self, other: &Facts) -> bool {
        let shared = self.operators.intersection(&other.operators).count();
        let all = self.operators.union(&other.operators).count();
        let within = self.operators.is_subset(&other.operators) || other.operators.is_subset(&self.operators);
        2 * shared >= all.max(1) || (shared > 0 && within && self.theories == other.theories)
    }

    /// One line that is equal for findings that are likely one bug.
    pub fn signature(&self) -> String {
        if let Some(crash) = self.crash.as_ref().filter(|crash| !crash.is_vague()) {
            return format!("{} {} {}", self.class, self.solver, normalised(crash));
        }
        let range = self.releases.as_ref();
        let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
        format!(
            "{} {} {}[{}] {} {}..{}",
            self.class,
            self.solver,
            self.crash.as_ref().map_or_else(String::new, |crash| format!("{} ", crash.key())),
            list(&self.theories),
            list(&self.operators),
            range.map_or("", |range| &range.first_bad),
            range.and_then(|range| range.first_good.as_deref()).unwrap_or_default()
        )
    }
}

/// The theories of a script beyond the core theory; empty if our checker rejects the script.
fn theories(script: &str) -> BTreeSet<String> {
    let mut arena = Arena::new(Signatures::standard());
    match parse_script(&mut arena, script) {
        Ok(script) => {
            let mut theories = arena.features(&script).theories;
            theories.remove("Core");
            theories
        }
        Err(_) => BTreeSet::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(words: &str) -> BTreeSet<String> {
        words.split_whitespace().map(str::to_owned).collect()
    }

    fn crash(crash: Crash, operators: &str) -> Facts {
        Facts { operators: set(operators), ..Facts::new("", "z3", Class::Crash, Some(crash), "") }
    }

    fn answer(class: Class, operators: &str, good: &str) -> Facts {
        let range = ReleaseRange { first_bad: "4.8.1".to_owned(), first_good: Some(good.to_owned()) };
        Facts {
            operators: set(operators),
            theories: set("Strings"),
            releases: Some(range),
            ..Facts::new("", "z3", class, None, "")
        }
    }

    #[test]
    fn crashes_are_compared_by_their_text() {
        let same = [
            (
                "Failed to verify: ../src/a.cpp Line: 731",
                "Failed to verify: /build/src/a.cpp Line: 740",
                true,
            ),
            ("Failed to verify: a.cpp", "Failed to verify: b.cpp", false),
        ];
        for (one, two, expected) in same {
            let [first, second] =
                [(one, "x"), (two, "y")].map(|(text, operators)| crash(Crash::message(text), operators));
            assert_eq!(first.is_same(&second), expected, "{one} {two}");
        }
        let segfault = |operators| crash(Crash::signal(11), operators);
        assert!(!segfault("re.++").is_same(&segfault("bvadd")));
        assert!(segfault("re.++ re.*").is_same(&segfault("re.++ re.*")));
    }

    #[test]
    fn wrong_answers_are_compared_by_releases_and_operators() {
        let first = answer(Class::WrongUnsat, "str.at str.len", "4.8.9");
        let table = [
            (answer(Class::WrongUnsat, "str.at str.len +", "4.8.9"), true),
            (answer(Class::WrongUnsat, "str.at", "4.8.9"), true),
            (answer(Class::WrongUnsat, "str.replace", "4.8.9"), false),
            (answer(Class::WrongUnsat, "str.at str.len", "4.8.10"), false),
            (answer(Class::WrongSat, "str.at str.len", "4.8.9"), false),
        ];
        for (other, expected) in table {
            assert_eq!(first.is_same(&other), expected, "{other:?}");
        }
        // The functions of two findings, and whether they are one bug with the same operators and with others.
        let table = [
            ("a b c d", "a b c", true, true),
            ("a b c", "d e", false, false),
            ("a b c", "", true, false),
            ("a b c d e", "a f g h", true, false),
        ];
        for (one, two, same_operators, other_operators) in table {
            let one = Facts { functions: set(one), ..first.clone() };
            let two = Facts { functions: set(two), ..first.clone() };
            let three = Facts { operators: set("str.replace"), ..two.clone() };
            assert_eq!(
                (one.is_same(&two), one.is_same(&three)),
                (same_operators, other_operators),
                "{one:?} {two:?}"
            );
        }
    }
}
