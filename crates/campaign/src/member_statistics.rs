//! The statistics of all processes of a campaign together.

use crate::statistics::Statistics;
use std::collections::BTreeMap;
use store::MemberSums;
use store::shared::MemberId;

/// Adds up the statistics of processes.
#[derive(Default)]
pub struct MemberStatistics(BTreeMap<MemberId, Statistics>);

impl MemberSums for MemberStatistics {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn set(&mut self, member: MemberId, statistics: &str) {
        // A process of another version may count other things; what it shares with this one is read.
        if let Ok(statistics) = serde_json::from_str(statistics) {
            self.0.insert(member, statistics);
        }
    }

    fn sum(&self) -> String {
        let mut sum = Statistics::default();
        for one in self.0.values() {
            sum.add(one);
            sum.reports.written += one.reports.written;
            sum.reports.time += one.reports.time;
            sum.sharing.exchanges += one.sharing.exchanges;
            sum.sharing.exchanging += one.sharing.exchanging;
            sum.sharing.waiting += one.sharing.waiting;
            // These do not add up: processes ask about many of the same operators.
            for (solver, count) in &one.operators {
                let own = sum.operators.entry(solver.clone()).or_default();
                own.operators = own.operators.max(count.operators);
                own.known_operators = own.known_operators.max(count.known_operators);
                own.pairs = own.pairs.max(count.pairs);
                own.known_pairs = own.known_pairs.max(count.known_pairs);
            }
        }
        serde_json::to_string(&sum).unwrap_or_default()
    }
}
