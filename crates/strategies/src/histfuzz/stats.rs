//! Counts over a library, for people.

use super::{Library, Rule};
use case::table::{align, counted, row};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The supports that rules are counted for: those of the paper, and ten, which it uses.
pub const SUPPORTS: [u32; 6] = [5, 6, 7, 8, 9, 10];

/// How many rules two libraries have at a given support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// At least this many formulas follow each rule.
    pub support: u32,
    /// Rules of the library.
    pub rules: usize,
    /// Rules of the other library.
    pub other: usize,
    /// Rules of both.
    pub both: usize,
}

impl Library {
    /// The rules with a confidence above one half that at least `support` formulas follow, as text.
    pub fn rule_texts(&self, support: u32) -> BTreeSet<String> {
        let enough = |rule: &&Rule| rule.support >= support && rule.confidence() > 0.5;
        self.rules.iter().filter(enough).map(|rule| self.rule_text(rule)).collect()
    }

    /// How many rules this library shares with another, for each of [`SUPPORTS`].
    pub fn overlaps(&self, other: &Library) -> Vec<Overlap> {
        let overlap = |support| {
            let (ours, theirs) = (self.rule_texts(support), other.rule_texts(support));
            let both = ours.intersection(&theirs).count();
            Overlap { support, rules: ours.len(), other: theirs.len(), both }
        };
        SUPPORTS.into_iter().map(overlap).collect()
    }

    /// How many skeletons occur in several formulas.
    pub fn repeated_skeletons(&self) -> usize {
        self.skeletons.iter().filter(|counted| counted.count > 1).count()
    }

    /// The most frequent atoms: text and count.
    pub fn frequent_atoms(&self, most: usize) -> Vec<(&str, u32)> {
        let mut atoms: Vec<(&str, u32)> =
            self.atoms.iter().map(|atom| (atom.text.as_str(), atom.count)).collect();
        atoms.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        atoms.truncate(most);
        atoms
    }

    /// The rules that the most formulas follow.
    pub fn strongest_rules(&self, most: usize) -> Vec<&Rule> {
        let mut rules: Vec<&Rule> = self.rules.iter().collect();
        rules.sort_by(|a, b| b.support.cmp(&a.support).then_with(|| a.cmp(b)));
        rules.truncate(most);
        rules
    }

    /// The library in one sentence.
    pub fn summary(&self) -> String {
        format!(
            "{} ({} rejected by the type checker): {}, {} of {}, {}",
            counted(self.origins.formulas, "formula"),
            self.origins.ill_formed,
            counted(self.skeletons.len(), "skeleton"),
            counted(self.atoms.len(), "atom"),
            counted(self.forms.len(), "form"),
            counted(self.rules.len(), "rule")
        )
    }

    /// What the library holds: rows of a name and a number with its details.
    pub fn contents(&self) -> Vec<(&'static str, String)> {
        let origins = &self.origins;
        let read = f64::from((origins.formulas - origins.ill_formed).max(1));
        let few: u32 = self.assertions.iter().sum();
        let ill_formed = self.atoms.iter().filter(|atom| atom.ill_formed).count();
        let (assertions, skeletons) = (f64::from(origins.assertions) / read, self.skeletons.len());
        vec![
            (
                "formulas",
                format!(
                    "{} ({} rejected by the type checker, {} without assertions)",
                    origins.formulas, origins.ill_formed, origins.empty
                ),
            ),
            ("assertions", format!("{}, {assertions:.1} per formula", origins.assertions)),
            (
                "with 1 to 5 assertions",
                format!("{:?}, {:.0} % of the formulas", self.assertions, 100.0 * f64::from(few) / read),
            ),
            ("skeletons", format!("{skeletons}, {} of them in several formulas", self.repeated_skeletons())),
            ("normal skeletons", format!("{} of {}", self.normal.len(), counted(origins.normal, "formula"))),
            (
                "atoms",
                format!(
                    "{} ({ill_formed} ill-formed); {} skipped as too large or incomplete",
                    self.atoms.len(),
                    origins.left_out
                ),
            ),
            ("abstract forms", self.forms.len().to_string()),
            (
                "declarations",
                format!(
                    "{} of sorts and datatypes, {}",
                    self.declarations.len(),
                    counted(self.ranks.len(), "rank")
                ),
            ),
            ("option sets", self.options.len().to_string()),
            ("rules", self.rules.len().to_string()),
        ]
    }

    /// The library for people: its contents, its rules (compared with those of another library), and the `top` skeletons, atoms
    /// and rules.
    pub fn report(&self, other: Option<&Library>, top: usize) -> String {
        let contents: Vec<Vec<String>> =
            self.contents().iter().map(|(name, value)| row([name, value])).collect();
        let mut text = format!("{}\n", align(&contents).join("\n"));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nRules with a confidence above 0.5, by minimum support");
        let _ = writeln!(text, "{}", align(&self.rules_by_support(other)).join("\n"));
        let _ = writeln!(text, "\nMost frequent skeletons, with the number of formulas");
        for counted in self.skeletons.iter().take(top) {
            let _ = writeln!(text, "{:6}  {}", counted.count, counted.skeleton);
        }
        let _ = writeln!(text, "\nMost frequent atoms");
        for (atom, count) in self.frequent_atoms(top) {
            let _ = writeln!(text, "{count:6}  {atom}");
        }
        let _ = writeln!(text, "\nStrongest rules, with their support and confidence");
        for rule in self.strongest_rules(top) {
            let (confidence, shown) = (100.0 * rule.confidence(), self.rule_text(rule));
            let _ = writeln!(text, "{:6}  {shown}  ({confidence:.0} %)", rule.support);
        }
        text
    }

    fn rules_by_support(&self, other: Option<&Library>) -> Vec<Vec<String>> {
        let Some(other) = other else {
            let line = |support: u32| vec![support.to_string(), self.rule_texts(support).len().to_string()];
            return std::iter::once(row(["support", "rules"])).chain(SUPPORTS.map(line)).collect();
        };
        let line = |of: Overlap| {
            let share = 100.0 * of.both as f64 / of.rules.max(1) as f64;
            let counts = [of.support as usize, of.rules, of.other, of.both];
            counts.iter().map(usize::to_string).chain([format!("{share:.1} %")]).collect()
        };
        let heading = row(["support", "rules", "other", "shared", "share"]);
        std::iter::once(heading).chain(self.overlaps(other).into_iter().map(line)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::built_in;

    #[test]
    fn a_library_shares_all_rules_with_itself() {
        let library = built_in();
        for overlap in library.overlaps(&library) {
            assert_eq!((overlap.rules, overlap.rules), (overlap.other, overlap.both), "{overlap:?}");
        }
        let atoms = library.frequent_atoms(3);
        assert!(atoms.len() == 3 && atoms.is_sorted_by(|a, b| a.1 >= b.1), "{atoms:?}");
        let rules = library.strongest_rules(3);
        assert!(rules.is_sorted_by(|a, b| a.support >= b.support), "{rules:?}");
    }
}
