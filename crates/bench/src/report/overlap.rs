//! Which contenders found the same bugs: the groups of an UpSet plot.

use crate::results::ReleaseResults;
use std::collections::BTreeMap;

/// The bugs that exactly these contenders found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The contenders.
    pub contenders: Vec<String>,
    /// How many bugs.
    pub bugs: usize,
}

/// The overlaps of some contenders on all releases, the largest first. A bug that none of them found is left out.
pub fn overlaps(releases: &[ReleaseResults], contenders: &[String]) -> Vec<Overlap> {
    let mut groups: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for bug in releases.iter().flat_map(|release| &release.bugs) {
        let finders: Vec<String> =
            contenders.iter().filter(|name| bug.found.contains_key(*name)).cloned().collect();
        if !finders.is_empty() {
            *groups.entry(finders).or_default() += 1;
        }
    }
    let mut overlaps: Vec<Overlap> =
        groups.into_iter().map(|(contenders, bugs)| Overlap { contenders, bugs }).collect();
    overlaps.sort_by(|one, other| (other.bugs, &one.contenders).cmp(&(one.bugs, &other.contenders)));
    overlaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::sample;

    #[test]
    fn each_bug_is_in_one_group() {
        let names = ["elenchus", "yinyang-opfuzz"].map(str::to_owned);
        let found = overlaps(&[sample()], &names);
        let shown: Vec<(String, usize)> =
            found.iter().map(|overlap| (overlap.contenders.join(" "), overlap.bugs)).collect();
        let expected = [("elenchus", 1), ("elenchus yinyang-opfuzz", 1), ("yinyang-opfuzz", 1)];
        assert_eq!(shown, expected.map(|(names, bugs)| (names.to_owned(), bugs)));
        assert_eq!(overlaps(&[sample()], &names[1..]).len(), 1);
    }
}
