//! Keeps what was asked in a file of the campaign's folder, for a resumption.

use super::bits::{AtomicBits, Bits};
use super::{Asked, OperatorReach};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The content of the file. Names make it independent of the numbers of the operators, which change with the signatures.
#[derive(Default, Serialize, Deserialize)]
struct Saved {
    /// The operators that the sets below are about, in order.
    names: Vec<String>,
    solvers: BTreeMap<String, SavedSolver>,
}

/// What one solver was asked. Numbers are indices of [`Saved::names`].
#[derive(Default, Serialize, Deserialize)]
struct SavedSolver {
    operators: Vec<usize>,
    rejected: Vec<usize>,
    /// The inner operators of each outer one.
    pairs: BTreeMap<usize, Vec<usize>>,
}

/// The name of the file of a campaign.
pub fn file_name(campaign: i64) -> String {
    format!("operators-{campaign}.json")
}

impl OperatorReach {
    /// Saves what was asked. A disk that refuses it costs the numbers of a resumed campaign, not the campaign.
    pub fn save(&self) {
        let row = self.table.len();
        let solvers = self.solvers.iter().map(|asked| (asked.id.clone(), asked.saved(row))).collect();
        let saved = Saved { names: (0..row).map(|at| self.table.name(at).to_owned()).collect(), solvers };
        let text = serde_json::to_string(&saved).unwrap_or_default();
        if let Err(error) = std::fs::write(&self.file, text) {
            tracing::warn!("cannot save `{}`: {error}", self.file.display());
        }
    }

    /// Adds what an earlier process of the campaign saved.
    pub(super) fn restore(&self) {
        let Ok(text) = std::fs::read_to_string(&self.file) else { return };
        let Ok(saved) = serde_json::from_str::<Saved>(&text) else { return };
        let numbers: Vec<Option<u16>> =
            saved.names.iter().map(|name| self.table.get(name.as_bytes())).collect();
        let number = |at: &usize| numbers.get(*at).copied().flatten().map(usize::from);
        let row = self.table.len();
        for asked in &self.solvers {
            let Some(own) = saved.solvers.get(&asked.id) else { continue };
            let add =
                |set: &AtomicBits, list: &[usize]| list.iter().filter_map(number).for_each(|at| set.set(at));
            add(&asked.operators, &own.operators);
            add(&asked.rejected, &own.rejected);
            for (outer, inner) in &own.pairs {
                let Some(outer) = number(outer) else { continue };
                inner.iter().filter_map(number).for_each(|inner| asked.pairs.set(outer * row + inner));
            }
        }
    }
}

impl Asked {
    fn saved(&self, row: usize) -> SavedSolver {
        let list = |set: &Bits| set.ones().collect();
        let mut pairs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for pair in self.pairs.load().ones() {
            pairs.entry(pair / row).or_default().push(pair % row);
        }
        SavedSolver { operators: list(&self.operators.load()), rejected: list(&self.rejected.load()), pairs }
    }
}
