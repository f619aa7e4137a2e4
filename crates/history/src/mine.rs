//! Mines a library from formulas.

use crate::sources::Formula;
use serde_json::{Value, json};
use smt::Signatures;
use strategies::histfuzz::stats::{Overlap, SUPPORTS};
use strategies::histfuzz::{Library, Miner, RuleSettings, Source};

/// What to mine.
pub struct MinePlan<'a> {
    /// The library to add to; the default one to begin a new library.
    pub library: Library,
    /// Formulas that broke solvers.
    pub formulas: &'a [Formula],
    /// Ordinary formulas, whose skeletons one variant of HistFuzz uses.
    pub normal: &'a [Formula],
    /// Whether to use formulas that the type checker rejects.
    pub ill_formed: bool,
    /// Which rules to keep.
    pub rules: RuleSettings,
}

/// Mines a library. A formula that the library has is skipped. `progress` receives how many formulas are done, and how many there are.
pub fn mine(plan: MinePlan<'_>, progress: &mut dyn FnMut(usize, usize)) -> Library {
    let MinePlan { library, formulas, normal, ill_formed, rules } = plan;
    let total = formulas.len() + normal.len();
    let mut miner = Miner::resume(Signatures::standard(), ill_formed, library);
    for (done, formula) in formulas.iter().enumerate() {
        miner.add(&Source {
            name: &formula.name,
            hash: formula.hash,
            text: &formula.text,
            solver: formula.solver.as_deref(),
            options: formula.options.clone(),
        });
        progress(done + 1, total);
    }
    for (done, formula) in normal.iter().enumerate() {
        miner.add_normal(&formula.text);
        progress(formulas.len() + done + 1, total);
    }
    miner.finish(&rules)
}

/// The counts of a library as JSON, and how many rules it shares with another one.
pub fn counts(library: &Library, other: Option<&Library>) -> Value {
    let origins = &library.origins;
    let mut counts = json!({
        "formulas": origins.formulas,
        "ill_formed": origins.ill_formed,
        "empty": origins.empty,
        "assertions": origins.assertions,
        "assertion_counts": library.assertions,
        "skeletons": library.skeletons.len(),
        "repeated_skeletons": library.repeated_skeletons(),
        "normal_skeletons": library.normal.len(),
        "atoms": library.atoms.len(),
        "left_out": origins.left_out,
        "forms": library.forms.len(),
        "rules": library.rules.len(),
        "rules_by_support": SUPPORTS.map(|support| (support, library.rule_texts(support).len())),
    });
    if let Some(other) = other {
        let object = |of: &Overlap| json!({ "support": of.support, "rules": of.rules, "other": of.other, "both": of.both });
        counts["against"] = library.overlaps(other).iter().map(object).collect();
    }
    counts
}
