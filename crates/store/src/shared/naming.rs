//! How findings are named.

use super::NewFinding;
use case::hash::fnv1a;

/// The names that a new finding may get, the best first: its class and as many digits of its signature's hash as it takes to be
/// unique.
pub(crate) fn names(finding: &NewFinding) -> [String; 4] {
    let hash = format!("{:016x}", fnv1a(&finding.signature));
    [6, 8, 12, 16].map(|digits| format!("{}-{}", finding.summary.class, &hash[..digits]))
}
