//! The effects of options on formulas.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The effects of options on one formula.
pub struct Seen {
    /// By option; options without any effect are absent.
    pub effects: BTreeMap<String, Effects>,
    /// For each operation that could be removed: the options whose effect vanished with it.
    pub due: BTreeMap<String, Vec<String>>,
}

/// How often an option made a difference, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Effects {
    /// Another answer.
    #[serde(skip_serializing_if = "is_zero")]
    pub answer: u32,
    /// Other functions ran.
    #[serde(skip_serializing_if = "is_zero")]
    pub coverage: u32,
    /// Another time.
    #[serde(skip_serializing_if = "is_zero")]
    pub time: u32,
    /// The formula was rejected: a conflict, not a difference.
    #[serde(skip_serializing_if = "is_zero")]
    pub conflict: u32,
    /// How many functions only ran with the option, over all formulas.
    #[serde(skip_serializing_if = "is_zero")]
    pub reach: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Effects {
    /// How many formulas it made a difference to. Each formula counts once.
    pub fn total(&self) -> u32 {
        self.answer + self.coverage + self.time
    }

    /// Adds the effects on other formulas.
    pub fn add(&mut self, other: &Effects) {
        self.answer += other.answer;
        self.coverage += other.coverage;
        self.time += other.time;
        self.conflict += other.conflict;
        self.reach += other.reach;
    }

    /// The value of a difference. It grows with the new functions, but less than linearly, since most of them are soon known.
    pub fn worth(&self) -> f64 {
        (1.0 + f64::from(self.reach) / f64::from(self.total().max(1))).sqrt()
    }
}
