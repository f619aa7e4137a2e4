//! What all processes of a shared campaign have to agree on.

use crate::settings::Settings;
use case::hash::fnv1a_bytes;
use serde::{Deserialize, Serialize};
use solver::Target;
use std::fs;
use std::sync::Arc;
use strategies::{Seed, Strategy};

/// What all processes have to agree on, besides the settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirements {
    /// The version of the program.
    pub version: String,
    /// The solvers, in order.
    pub solvers: Vec<RequiredSolver>,
    /// The strategies, in order.
    pub strategies: Vec<RequiredStrategy>,
    /// The hash of the signature files.
    pub signature_files: String,
    /// The hash of the seeds.
    pub seeds: String,
}

/// A solver of the campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequiredSolver {
    /// Its id.
    pub id: String,
    /// Its release.
    pub version: String,
    /// The hash of its executable, if its id does not name a release.
    pub executable: Option<String>,
}

/// A strategy of the campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequiredStrategy {
    /// Its name, with its settings.
    pub name: String,
    /// The hash of its own seed, which states everything that its cases depend on, if it needs none of the campaign's.
    pub own_seed: Option<String>,
}

impl RequiredSolver {
    /// What is required of the machines that run this solver.
    pub fn of(target: &Target) -> RequiredSolver {
        let names_release =
            !target.version.is_empty() && target.id.ends_with(&format!("@{}", target.version));
        let hash = || fs::read(&target.program).ok().map(|bytes| hash_of(&bytes));
        let executable = if names_release { None } else { hash() };
        RequiredSolver { id: target.id.clone(), version: target.version.clone(), executable }
    }
}

impl Requirements {
    /// What a process brings.
    pub fn new(
        settings: &Settings,
        targets: &[Target],
        strategies: &[Arc<dyn Strategy>],
        seeds: &[Seed],
    ) -> Requirements {
        let strategy = |strategy: &Arc<dyn Strategy>| RequiredStrategy {
            name: strategy.name().to_owned(),
            own_seed: strategy.own_seed().map(|seed| format!("{:016x}", seed.hash)),
        };
        let texts: Vec<&str> = settings.signature_files.iter().map(|file| file.text.as_str()).collect();
        Requirements {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            solvers: targets.iter().map(RequiredSolver::of).collect(),
            strategies: strategies.iter().map(strategy).collect(),
            signature_files: hash_of(texts.join("\0").as_bytes()),
            seeds: hash_of(
                seeds.iter().map(|seed| format!("{:016x}\n", seed.hash)).collect::<String>().as_bytes(),
            ),
        }
    }

    /// How what another process brings differs: a sentence for each difference. The other one may have fewer solvers.
    pub fn differences(&self, own: &Requirements) -> Vec<String> {
        let mut found = Vec::new();
        let mut differs = |what: &str, theirs: &str, ours: &str| {
            if theirs != ours {
                found.push(format!("{what} of the campaign is {theirs}, and here it is {ours}"));
            }
        };
        differs("the version of elenchus", &self.version, &own.version);
        differs("the hash of the signature files", &self.signature_files, &own.signature_files);
        differs("the hash of the seeds", &self.seeds, &own.seeds);
        for (theirs, ours) in self.strategies.iter().zip(&own.strategies) {
            let seed = |one: &RequiredStrategy| one.own_seed.clone().unwrap_or_else(|| "none".to_owned());
            differs("a strategy", &theirs.name, &ours.name);
            let what = format!("what strategy {} is built from (such as its history library)", theirs.name);
            differs(&what, &seed(theirs), &seed(ours));
        }
        if self.strategies.len() != own.strategies.len() {
            let counts = [&self.strategies, &own.strategies].map(|all| all.len().to_string());
            differs("the number of strategies", &counts[0], &counts[1]);
        }
        for ours in &own.solvers {
            let id = &ours.id;
            let Some(theirs) = self.solvers.iter().find(|theirs| theirs.id == *id) else {
                found.push(format!("{id} is not one of the solvers of the campaign"));
                continue;
            };
            let mut differs = |what: String, theirs: &str, ours: &str| {
                if theirs != ours {
                    found.push(format!("{what} of the campaign is {theirs}, and here it is {ours}"));
                }
            };
            differs(format!("the release of {id}"), shown(&theirs.version), shown(&ours.version));
            let hash = |one: &RequiredSolver| one.executable.clone().unwrap_or_else(|| "none".to_owned());
            differs(format!("the hash of the executable of {id}"), &hash(theirs), &hash(ours));
        }
        found
    }
}

fn shown(version: &str) -> &str {
    if version.is_empty() { "unknown" } else { version }
}

fn hash_of(bytes: &[u8]) -> String {
    format!("{:016x}", fnv1a_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn required() -> Requirements {
        let solver = |id: &str, version: &str, executable: Option<&str>| RequiredSolver {
            id: id.to_owned(),
            version: version.to_owned(),
            executable: executable.map(str::to_owned),
        };
        let strategy = |name: &str, own_seed: Option<&str>| RequiredStrategy {
            name: name.to_owned(),
            own_seed: own_seed.map(str::to_owned),
        };
        Requirements {
            version: "1.0.0".to_owned(),
            solvers: vec![solver("z3@4.8.10", "4.8.10", None), solver("mine", "", Some("aa"))],
            strategies: vec![strategy("swap", None), strategy("histfuzz", Some("11"))],
            signature_files: "00".to_owned(),
            seeds: "77".to_owned(),
        }
    }

    #[test]
    fn every_difference_is_named() {
        type Change = fn(&mut Requirements);
        let table: [(Change, &[&str]); 9] = [
            (|_| {}, &[]),
            (|own| own.solvers.truncate(1), &[]),
            (
                |own| own.version = "1.0.1".to_owned(),
                &["the version of elenchus of the campaign is 1.0.0, and here it is 1.0.1"],
            ),
            (
                |own| own.signature_files = "01".to_owned(),
                &["the hash of the signature files of the campaign is 00, and here it is 01"],
            ),
            (
                |own| own.seeds = "78".to_owned(),
                &["the hash of the seeds of the campaign is 77, and here it is 78"],
            ),
            (
                |own| own.strategies[1].own_seed = Some("12".to_owned()),
                &[
                    "what strategy histfuzz is built from (such as its history library) of the campaign is 11, and here it is 12",
                ],
            ),
            (
                |own| own.solvers[0].version = "4.8.11".to_owned(),
                &["the release of z3@4.8.10 of the campaign is 4.8.10, and here it is 4.8.11"],
            ),
            (
                |own| own.solvers[1].executable = Some("ab".to_owned()),
                &["the hash of the executable of mine of the campaign is aa, and here it is ab"],
            ),
            (
                |own| own.solvers[0].id = "cvc5@1.4.2".to_owned(),
                &["cvc5@1.4.2 is not one of the solvers of the campaign"],
            ),
        ];
        for (change, expected) in table {
            let mut own = required();
            change(&mut own);
            assert_eq!(required().differences(&own), expected);
        }
    }
}
