//! A script at a glance: its size, its logic and what it uses.

use crate::arena::Arena;
use crate::command::Script;
use crate::features::Features;
use crate::logic;

/// The size of a script, its logic and what it uses.
///
/// ```
/// use elenchus_smt::{Arena, ScriptSummary, parse_script};
///
/// let mut arena = Arena::default();
/// let source = "(set-logic ALL) (declare-const x Int) (assert (< 0 (* x x))) (check-sat)";
/// let script = parse_script(&mut arena, source).unwrap();
/// let summary = ScriptSummary::new(&mut arena, &script);
/// assert_eq!((summary.declared_logic.as_deref(), summary.smallest_logic.as_str()), (Some("ALL"), "QF_NIA"));
/// assert_eq!((summary.commands, summary.assertions, summary.checks), (4, 1, 1));
/// assert_eq!(summary.features.notable(), ["non-linear arithmetic"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptSummary {
    /// The logic that the script sets.
    pub declared_logic: Option<String>,
    /// The smallest logic that covers it.
    pub smallest_logic: String,
    /// The number of commands.
    pub commands: usize,
    /// The number of assertions.
    pub assertions: usize,
    /// The number of `check-sat` commands.
    pub checks: usize,
    /// The number of distinct terms in the arena.
    pub terms: usize,
    /// What it uses.
    pub features: Features,
}

impl ScriptSummary {
    /// The summary of a script. Terms of other scripts in the same arena count too.
    pub fn new(arena: &mut Arena, script: &Script) -> ScriptSummary {
        let terms = arena.len();
        let features = arena.features(script);
        ScriptSummary {
            declared_logic: script.logic().map(|logic| arena.name(logic).to_owned()),
            smallest_logic: logic::smallest(&features, arena.signatures()),
            commands: script.commands.len(),
            assertions: script.assertions().count(),
            checks: script.commands.iter().filter(|command| command.is_check()).count(),
            terms,
            features,
        }
    }
}

impl Features {
    /// The features worth mentioning, by name.
    pub fn notable(&self) -> Vec<&'static str> {
        [
            (self.quantifiers, "quantifiers"),
            (self.uninterpreted, "uninterpreted functions or sorts"),
            (self.datatypes, "datatypes"),
            (self.recursive, "recursive definitions"),
            (self.higher_order, "functions as values"),
            (self.nonlinear, "non-linear arithmetic"),
            (self.incremental, "several checks"),
            (self.other_commands, "commands beyond the standard"),
        ]
        .into_iter()
        .filter_map(|(holds, name)| holds.then_some(name))
        .collect()
    }
}
