//! Set cover: few sets that have all points of many.

use solver::coverage::Reached;

/// A set with what it costs to keep it.
pub(super) struct Choice<'a> {
    /// Its points.
    pub reached: &'a Reached,
    /// Its size.
    pub size: usize,
    /// Its name.
    pub name: &'a str,
}

/// The sets to keep, by their place in the list: those with the most new points one after the other, the smaller of these first and
/// then by name, and without those that later ones made superfluous. `wanted` are the points that matter.
pub(super) fn cover(sets: &[Choice<'_>], wanted: &Reached) -> Vec<usize> {
    let mut missing = wanted.clone();
    let mut chosen: Vec<usize> = Vec::new();
    let mut left: Vec<usize> = (0..sets.len()).collect();
    while missing.count() > 0 {
        let rank = |&at: &usize| {
            let set = &sets[at];
            let new = set.reached.common(&missing).count();
            (new, std::cmp::Reverse(set.size), std::cmp::Reverse(set.name))
        };
        let Some((place, &best)) = left.iter().enumerate().max_by_key(|(_, at)| rank(at)) else { break };
        if sets[best].reached.common(&missing).count() == 0 {
            break;
        }
        left.swap_remove(place);
        missing = missing.without(sets[best].reached);
        chosen.push(best);
    }
    without_superfluous(sets, chosen, wanted)
}

/// The chosen sets without those whose points others have, too. The first choices go last: they have the most points.
fn without_superfluous(sets: &[Choice<'_>], mut chosen: Vec<usize>, wanted: &Reached) -> Vec<usize> {
    for place in (0..chosen.len()).rev() {
        let mut others = Reached::default();
        for (_, &other) in chosen.iter().enumerate().filter(|(at, _)| *at != place) {
            others.add(sets[other].reached);
        }
        if sets[chosen[place]].reached.common(wanted).without(&others).count() == 0 {
            chosen.remove(place);
        }
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::coverage::CoveragePoint;

    fn reached(points: &[usize]) -> Reached {
        let mut reached = Reached::default();
        points.iter().for_each(|&point| reached.insert(CoveragePoint(point)));
        reached
    }

    /// A set of points with its size.
    type SizedSet<'a> = (&'a [usize], usize);

    #[test]
    fn few_sets_have_all_points() {
        // The sets, and those to keep.
        let table: [(&[SizedSet<'_>], &[usize]); 7] = [
            (&[], &[]),
            (&[(&[], 1)], &[]),
            (&[(&[1], 1), (&[1, 2], 9), (&[2], 1)], &[1]),
            // The smaller of equal ones, then the first by name.
            (&[(&[1, 2], 9), (&[1, 2], 3)], &[1]),
            (&[(&[1, 2], 3), (&[1, 2], 3)], &[0]),
            // What was chosen first may become superfluous.
            (&[(&[2, 3, 4, 5], 1), (&[1, 2, 3], 1), (&[4, 5, 6], 1)], &[1, 2]),
            (&[(&[1, 2, 3], 1), (&[64, 65], 1), (&[3, 200], 1), (&[65], 1)], &[0, 1, 2]),
        ];
        for (sets, expected) in table {
            let points: Vec<Reached> = sets.iter().map(|(points, _)| reached(points)).collect();
            let names: Vec<String> = (0..sets.len()).map(|at| at.to_string()).collect();
            let mut wanted = Reached::default();
            points.iter().for_each(|points| {
                wanted.add(points);
            });
            let choices: Vec<Choice<'_>> = points
                .iter()
                .zip(&names)
                .zip(sets)
                .map(|((reached, name), (_, size))| Choice { reached, size: *size, name })
                .collect();
            let kept = cover(&choices, &wanted);
            assert_eq!(kept, expected, "{sets:?}");
            let mut covered = Reached::default();
            kept.iter().for_each(|&at| {
                covered.add(&points[at]);
            });
            assert_eq!(covered.count(), wanted.count());
        }
    }
}
