//! Which options to change together: large groups of unlikely options, small groups of likely ones.

/// The target probability that a group makes a difference. Near one half, a run is most informative.
const EVEN: f64 = 0.45;
/// The most options in a group.
const MOST: usize = 48;

/// Splits changes into groups by their probabilities of making a difference. They must be sorted by probability.
pub fn groups<'c, T>(changes: &'c [T], chances: &[f64]) -> Vec<&'c [T]> {
    let mut groups = Vec::new();
    let (mut start, mut none) = (0, 1.0);
    for (index, chance) in chances.iter().enumerate() {
        let without = none * (1.0 - chance);
        if index > start && (1.0 - without > EVEN || index - start >= MOST) {
            groups.push(&changes[start..index]);
            (start, none) = (index, 1.0 - chance);
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
    fn likely_options_are_alone_in_their_groups() {
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
