//! How much new code each option has reached in this campaign, by operation. Correlations say which options matter to an
//! operation; rewards say which of those are exhausted.

use crate::space::Setting;
use std::collections::{BTreeMap, BTreeSet};

/// How often something was tried, and how much new code it reached.
#[derive(Clone, Copy, Default)]
struct Reward {
    reached: f64,
    tried: f64,
}

impl Reward {
    /// The expected reward of the next try, with a prior of one: it falls with every try that reaches nothing new.
    fn expected(&self) -> f64 {
        (self.reached + 1.0) / (self.tried + 1.0)
    }
}

/// The rewards of the options of one solver.
#[derive(Default)]
pub struct OptionRewards {
    /// By option.
    options: BTreeMap<String, Reward>,
    /// By operation and option.
    pairs: BTreeMap<String, BTreeMap<String, Reward>>,
}

impl OptionRewards {
    /// Records how much new code a case with these operations reached under some settings. All settings share the credit
    /// equally, since it is unknown which of them earned it.
    pub fn record(&mut self, operations: &BTreeSet<String>, settings: &[Setting], reached: usize) {
        let share = reached as f64 / settings.len().max(1) as f64;
        let record = |rewards: &mut BTreeMap<String, Reward>, option: &String| {
            let reward = rewards.entry(option.clone()).or_default();
            reward.reached += share;
            reward.tried += 1.0;
        };
        for setting in settings {
            record(&mut self.options, &setting.name);
            for operation in operations {
                record(self.pairs.entry(operation.clone()).or_default(), &setting.name);
            }
        }
    }

    /// The expected reward of an option, for one operation or overall; 1 if never tried.
    pub fn expected(&self, operation: Option<&str>, option: &str) -> f64 {
        let reward = match operation {
            Some(operation) => self.pairs.get(operation).and_then(|options| options.get(option)),
            None => self.options.get(option),
        };
        reward.map_or(1.0, Reward::expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_reach_nothing_new_lose_their_reward() {
        let setting = |name: &str| Setting { name: name.to_owned(), value: "true".to_owned() };
        let operations = BTreeSet::from(["rem".to_owned()]);
        let mut rewards = OptionRewards::default();
        assert_eq!(rewards.expected(Some("rem"), "elim_rem"), 1.0);
        rewards.record(&operations, &[setting("elim_rem"), setting("flat")], 0);
        assert_eq!(rewards.expected(Some("rem"), "elim_rem"), 0.5);
        rewards.record(&operations, &[setting("elim_rem"), setting("flat")], 10);
        // Half of the ten and the prior, over two tries and the prior.
        assert_eq!(rewards.expected(Some("rem"), "elim_rem"), 2.0);
        assert_eq!(rewards.expected(None, "flat"), 2.0);
        assert_eq!(rewards.expected(Some("+"), "elim_rem"), 1.0);
    }
}
