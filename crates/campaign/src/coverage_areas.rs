//! How much of each namespace of a solver a campaign reached. The campaign saves it for people who look at it.

use case::files::{self, FileError};
use serde::{Deserialize, Serialize};
use solver::coverage::{CoveragePoint, Names, Reached};
use std::collections::BTreeMap;
use std::path::Path;

/// The folder of a campaign with a file for each solver.
const FOLDER: &str = "coverage";
/// How many parts of a name an area has: a namespace and a class.
const DEPTH: usize = 2;

/// A part of a solver: a namespace, or a class in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// The namespace, then the class; empty for functions outside of both.
    pub path: Vec<String>,
    /// How many named functions it has.
    pub functions: u64,
    /// How many of them were reached.
    pub reached: u64,
}

/// The areas of a solver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredAreas {
    /// The solver, such as `z3@5.4.0`.
    pub solver: String,
    /// The areas by name.
    pub areas: Vec<Area>,
}

impl CoveredAreas {
    /// What was reached of a solver with `points` coverage points. Points without a name are in no area.
    pub fn new(solver: &str, points: usize, names: &Names, reached: &Reached) -> CoveredAreas {
        let named =
            CoveragePoint::all(points).filter_map(|point| Some((names.get(point)?, reached.contains(point))));
        CoveredAreas::from_names(solver, named)
    }

    fn from_names<'a>(solver: &str, named: impl Iterator<Item = (&'a str, bool)>) -> CoveredAreas {
        let mut counts: BTreeMap<Vec<String>, (u64, u64)> = BTreeMap::new();
        for (name, is_reached) in named {
            let parts: Vec<&str> = name.split("::").collect();
            // The last part is the function itself.
            let area = parts[..parts.len() - 1].iter().take(DEPTH).map(|part| (*part).to_owned()).collect();
            let (functions, reached) = counts.entry(area).or_default();
            *functions += 1;
            *reached += u64::from(is_reached);
        }
        let area = |(path, (functions, reached))| Area { path, functions, reached };
        CoveredAreas { solver: solver.to_owned(), areas: counts.into_iter().map(area).collect() }
    }

    /// Writes them into the folder of the campaign. A process that resumes a campaign does not know what earlier ones reached, so of
    /// each area the larger number stays.
    pub fn write(&self, campaign: &Path) -> Result<(), FileError> {
        let earlier = CoveredAreas::of_campaign(campaign).into_iter().find(|one| one.solver == self.solver);
        let earlier: BTreeMap<&[String], u64> = earlier
            .iter()
            .flat_map(|one| &one.areas)
            .map(|area| (area.path.as_slice(), area.reached))
            .collect();
        let mut merged = self.clone();
        for own in &mut merged.areas {
            let before = earlier.get(own.path.as_slice()).copied().unwrap_or(0);
            own.reached = own.reached.max(before).min(own.functions);
        }
        let folder = campaign.join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(|error| FileError::unwritable(&folder, error))?;
        let plain = |c: char| if c.is_ascii_alphanumeric() || "@.-_".contains(c) { c } else { '_' };
        let name: String = self.solver.chars().map(plain).collect();
        files::replace(&folder.join(format!("{name}.json")), &format!("{}\n", serde_json::json!(merged)))
    }

    /// Those of all solvers of a campaign; none if it did not measure coverage. A file that cannot be read is left out.
    pub fn of_campaign(campaign: &Path) -> Vec<CoveredAreas> {
        let Ok(entries) = std::fs::read_dir(campaign.join(FOLDER)) else { return Vec::new() };
        let texts = entries.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok());
        let mut found: Vec<CoveredAreas> =
            texts.filter_map(|text| serde_json::from_str(&text).ok()).collect();
        found.sort_by(|one, other| one.solver.cmp(&other.solver));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_counted_by_namespace_and_class() {
        let named =
            [("smt::context::pop", true), ("smt::context::push", false), ("smt::mk", true), ("main", true)];
        let found = CoveredAreas::from_names("z3@1", named.into_iter());
        let area = |path: &[&str], functions, reached| Area {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            functions,
            reached,
        };
        assert_eq!(found.areas, [area(&[], 1, 1), area(&["smt"], 1, 1), area(&["smt", "context"], 2, 1)]);
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(CoveredAreas::of_campaign(folder.path()), []);
        found.write(folder.path()).unwrap();
        assert_eq!(CoveredAreas::of_campaign(folder.path()), std::slice::from_ref(&found));
        let less = CoveredAreas::from_names("z3@1", named.into_iter().map(|(name, _)| (name, false)));
        less.write(folder.path()).unwrap();
        assert_eq!(CoveredAreas::of_campaign(folder.path()), [found]);
    }
}
