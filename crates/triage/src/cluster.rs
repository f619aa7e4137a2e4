//! Which findings are likely one bug.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a finding when it is compared with others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Its name.
    pub name: String,
    /// The solver that is wrong, without its release.
    pub solver: String,
    /// The kind of bug.
    pub class: String,
    /// What identifies a crash; empty for wrong answers.
    pub crash: String,
    /// The theories of the script.
    pub theories: BTreeSet<String>,
    /// The operators of the script, of the reduced one if there is one.
    pub operators: BTreeSet<String>,
    /// The first release that is wrong and the first that is right again, as far as known.
    pub releases: (String, String),
    /// The functions of the solver that tell the script from its nearest neighbour that passes, where they are known.
    #[serde(default)]
    pub functions: BTreeSet<String>,
}

/// Places in the code move from release to release, and addresses and numbers from run to run.
pub fn normalised(crash: &str) -> String {
    let mut out = String::new();
    let mut in_number = false;
    for c in crash.replace('\\', "/").chars() {
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
    let words: Vec<&str> = out.split_whitespace().collect();
    // Of a path only the file counts.
    let word = |word: &&str| word.rsplit('/').next().unwrap_or(word).to_owned();
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Whether a crash says nothing but that it was one.
fn is_vague(crash: &str) -> bool {
    crash.starts_with("SIG") && !crash.contains(' ') || crash.contains("suffered a segfault")
}

impl Facts {
    /// Whether two findings are likely one bug.
    pub fn same(&self, other: &Facts) -> bool {
        if self.solver != other.solver || self.is_crash() != other.is_crash() {
            return false;
        }
        if self.is_crash() {
            let (one, two) = (normalised(&self.crash), normalised(&other.crash));
            if one != two {
                return false;
            }
            // A bare signal does not tell one crash from another; the releases and what follows do.
            return !is_vague(&self.crash) || (self.same_releases(other) && self.alike(other));
        }
        self.class == other.class && self.same_releases(other) && self.alike(other)
    }

    /// Whether two findings of one class and the same releases are likely one bug: by the functions of the solver that tell
    /// them from what passes, where these are known of both, else by their operators.
    fn alike(&self, other: &Facts) -> bool {
        let shared = self.functions.intersection(&other.functions).count();
        let all = self.functions.union(&other.functions).count();
        let known = !self.functions.is_empty() && !other.functions.is_empty();
        match (known, shared) {
            (true, 0) => false,
            (true, _) if 2 * shared >= all => true,
            // A few in common say little: both may do the same sums on their way to different faults.
            _ => self.similar(other, 50),
        }
    }

    /// Whether functions can tell more than what is known already: a crash that says something tells itself.
    pub fn needs_functions(&self) -> bool {
        !self.is_crash() || is_vague(&self.crash)
    }

    fn is_crash(&self) -> bool {
        !self.crash.is_empty()
    }

    fn same_releases(&self, other: &Facts) -> bool {
        self.releases == other.releases
    }

    /// Whether at least so many percent of the operators are shared, or the theories are the same and one uses no operator
    /// that the other does not.
    fn similar(&self, other: &Facts, percent: usize) -> bool {
        let shared = self.operators.intersection(&other.operators).count();
        let all = self.operators.union(&other.operators).count();
        let within = self.operators.is_subset(&other.operators) || other.operators.is_subset(&self.operators);
        shared * 100 >= percent * all.max(1) || (shared > 0 && within && self.theories == other.theories)
    }

    /// What makes two findings the same, in a line.
    pub fn signature(&self) -> String {
        if self.is_crash() && !is_vague(&self.crash) {
            return format!("{} {} {}", self.class, self.solver, normalised(&self.crash));
        }
        let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
        format!(
            "{} {} {}[{}] {} {}..{}",
            self.class,
            self.solver,
            if self.is_crash() { format!("{} ", self.crash) } else { String::new() },
            list(&self.theories),
            list(&self.operators),
            self.releases.0,
            self.releases.1
        )
    }
}

/// Groups of findings that are likely one bug each, as places in the list; the first of a group names it.
pub fn clusters(facts: &[Facts]) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..facts.len()).collect();
    for one in 0..facts.len() {
        for other in 0..one {
            if leader[other] == other && facts[one].same(&facts[other]) {
                leader[one] = other;
                break;
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, leader) in leader.into_iter().enumerate() {
        groups.entry(leader).or_default().push(place);
    }
    groups.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(words: &str) -> BTreeSet<String> {
        words.split_whitespace().map(str::to_owned).collect()
    }

    fn crash(what: &str, operators: &str) -> Facts {
        let (solver, class) = ("z3".to_owned(), "crash".to_owned());
        Facts { solver, class, crash: what.to_owned(), operators: set(operators), ..Facts::default() }
    }

    fn answer(class: &str, operators: &str, good: &str) -> Facts {
        let releases = ("4.8.1".to_owned(), good.to_owned());
        let (solver, class) = ("z3".to_owned(), class.to_owned());
        Facts {
            solver,
            class,
            operators: set(operators),
            theories: set("Strings"),
            releases,
            ..Facts::default()
        }
    }

    #[test]
    fn crashes_are_compared_by_what_they_say() {
        let same = [
            (
                "Failed to verify: ../src/a.cpp Line: 731",
                "Failed to verify: /build/src/a.cpp Line: 740",
                true,
            ),
            ("Failed to verify: a.cpp", "Failed to verify: b.cpp", false),
        ];
        for (one, two, expected) in same {
            assert_eq!(crash(one, "x").same(&crash(two, "y")), expected, "{one} {two}");
        }
        assert!(!crash("SIGSEGV", "re.++").same(&crash("SIGSEGV", "bvadd")));
        assert!(crash("SIGSEGV", "re.++ re.*").same(&crash("SIGSEGV", "re.++ re.*")));
    }

    #[test]
    fn wrong_answers_are_compared_by_releases_and_operators() {
        let first = answer("wrong-unsat", "str.at str.len", "4.8.9");
        let table = [
            (answer("wrong-unsat", "str.at str.len +", "4.8.9"), true),
            (answer("wrong-unsat", "str.at", "4.8.9"), true),
            (answer("wrong-unsat", "str.replace", "4.8.9"), false),
            (answer("wrong-unsat", "str.at str.len", "4.8.10"), false),
            (answer("wrong-sat", "str.at str.len", "4.8.9"), false),
        ];
        for (other, expected) in table {
            assert_eq!(first.same(&other), expected, "{other:?}");
        }
        // Functions of two findings with the same operators, then with others; and whether they are one bug.
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
                (one.same(&two), one.same(&three)),
                (same_operators, other_operators),
                "{one:?} {two:?}"
            );
        }
        let list = [first.clone(), answer("wrong-sat", "x", "1"), first];
        assert_eq!(clusters(&list), [vec![0, 2], vec![1]]);
    }
}
