//! Which options are changed together: many where none is likely to do anything, few where some are.

/// The chance that a group makes a difference is to be about this: then a run tells the most.
const EVEN: f64 = 0.45;
/// The most options in a group.
const MOST: usize = 48;

/// Splits changes into groups by the chance of each to make a difference. They must come in the order of their chances.
pub fn groups<'c, T>(changes: &'c [T], chances: &[f64]) -> Vec<&'c [T]> {
    let mut groups = Vec::new();
    let (mut start, mut none) = (0, 1.0);
    for (at, chance) in chances.iter().enumerate() {
        let without = none * (1.0 - chance);
        if at > start && (1.0 - without > EVEN || at - start >= MOST) {
            groups.push(&changes[start..at]);
            (start, none) = (at, 1.0 - chance);
        } else {
            none = without;
        }
    }
    if start < changes.len() {
        groups.push(&changes[start..]);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn the_likely_stand_alone() {
        let sizes = |chances: &[f64]| -> Vec<usize> {
            let changes = vec![(); chances.len()];
            groups(&changes, chances).iter().map(|group| group.len()).collect()
        };
        assert_eq!(sizes(&[0.05; 25]), [11, 11, 3]);
        assert_eq!(sizes(&[0.0; 100]), [48, 48, 4]);
        assert_eq!(sizes(&[0.0, 0.001, 0.2, 0.2, 0.4, 0.9]), [4, 1, 1]);
        assert!(sizes(&[]).is_empty());
    }
}
