//! Which findings are likely one bug.

mod examine;
mod facts;
mod memory_error;
mod present;
mod stored;

pub use examine::{AllFacts, FactsSettings, Item, examine_all};
pub use facts::{Facts, ReleaseRange, normalised};
pub use memory_error::MemoryError;
pub use present::{clusters_json, clusters_text};
pub use stored::stored_facts;

use std::collections::BTreeMap;

/// Groups findings that are likely one bug, by their indices in the list. The first of a group represents it.
pub fn clusters(facts: &[Facts]) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..facts.len()).collect();
    for one in 0..facts.len() {
        for other in 0..one {
            if leader[other] == other && facts[one].is_same(&facts[other]) {
                leader[one] = other;
                break;
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, leader) in leader.into_iter().enumerate() {
        groups.entry(leader).or_default().push(index);
    }
    groups.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::{Class, Crash};

    #[test]
    fn equal_findings_form_one_group() {
        let crash = |text: &str| Facts::new("", "z3", Class::Crash, Some(Crash::message(text)), "");
        let list = [crash("a.cpp"), crash("b.cpp"), crash("a.cpp")];
        assert_eq!(clusters(&list), [vec![0, 2], vec![1]]);
    }
}
