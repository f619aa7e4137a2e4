//! What options went on to reach in this campaign, together with the operations of the cases. What was learned before says which
//! options matter to an operation; this says for which of them that has been seen often enough.

use std::collections::{BTreeMap, BTreeSet};
use strategies::configurations::Setting;

/// How often something was tried, and how much it reached first.
#[derive(Clone, Copy, Default)]
struct Yield {
    reached: f64,
    tried: f64,
}

impl Yield {
    /// What it promises, beside what has never been tried: less with every try that reached nothing.
    fn promise(&self) -> f64 {
        (self.reached + 1.0) / (self.tried + 1.0)
    }
}

/// The yields of the options of one solver.
#[derive(Default)]
pub(super) struct OptionRewards {
    /// By option.
    options: BTreeMap<String, Yield>,
    /// By operation and option.
    pairs: BTreeMap<String, BTreeMap<String, Yield>>,
}

impl OptionRewards {
    /// Notes how much a case with these operations reached first under some settings. Which of them that is due to is not known: each
    /// has a share.
    pub fn note(&mut self, operations: &BTreeSet<String>, settings: &[Setting], reached: usize) {
        let share = reached as f64 / settings.len().max(1) as f64;
        let note = |of: &mut BTreeMap<String, Yield>, option: &String| {
            let own = of.entry(option.clone()).or_default();
            own.reached += share;
            own.tried += 1.0;
        };
        for setting in settings {
            note(&mut self.options, &setting.name);
            for operation in operations {
                note(self.pairs.entry(operation.clone()).or_default(), &setting.name);
            }
        }
    }

    /// What an option promises, for an operation or in itself: one if that was never tried.
    pub fn promise(&self, operation: Option<&str>, option: &str) -> f64 {
        let known = match operation {
            Some(operation) => self.pairs.get(operation).and_then(|options| options.get(option)),
            None => self.options.get(option),
        };
        known.map_or(1.0, Yield::promise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_nothing_promises_less_and_less() {
        let setting = |name: &str| Setting { name: name.to_owned(), value: "true".to_owned() };
        let operations = BTreeSet::from(["rem".to_owned()]);
        let mut option_rewards = OptionRewards::default();
        assert_eq!(option_rewards.promise(Some("rem"), "elim_rem"), 1.0);
        option_rewards.note(&operations, &[setting("elim_rem"), setting("flat")], 0);
        assert_eq!(option_rewards.promise(Some("rem"), "elim_rem"), 0.5);
        option_rewards.note(&operations, &[setting("elim_rem"), setting("flat")], 10);
        // Half of what was reached, and one, in two tries and one.
        assert_eq!(option_rewards.promise(Some("rem"), "elim_rem"), 2.0);
        assert_eq!(option_rewards.promise(None, "flat"), 2.0);
        assert_eq!(option_rewards.promise(Some("+"), "elim_rem"), 1.0);
    }
}
