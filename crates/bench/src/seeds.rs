//! The seeds of a run, in an order that its number decides.

use crate::error::BenchError;
use case::files::{find_scripts, read_text};
use case::hash::fnv1a;
use std::path::{Path, PathBuf};

/// The known answer to a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is satisfiable.
    Sat,
    /// It is unsatisfiable.
    Unsat,
}

impl Status {
    /// The answer.
    pub fn word(self) -> &'static str {
        match self {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
        }
    }
}

/// All seeds of some files and folders, shuffled.
pub fn shuffled(seeds: &[PathBuf], number: u64) -> Result<Vec<PathBuf>, BenchError> {
    let mut found = find_scripts(seeds)?;
    for path in &mut found {
        if let Ok(absolute) = std::path::absolute(&*path) {
            *path = absolute;
        }
    }
    found.sort_by_cached_key(|path| fnv1a(&format!("{number} {}", path.display())));
    Ok(found)
}

/// The status of a seed: as its folder says, or as its text declares.
pub fn status(seed: &Path) -> Option<Status> {
    let folder = seed.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let both = [Status::Sat, Status::Unsat];
    let by_folder = both.into_iter().find(|status| folder == Some(status.word()));
    by_folder.or_else(|| {
        let text = read_text(seed).ok()?;
        both.into_iter().find(|status| text.contains(&format!("(set-info :status {})", status.word())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_decides_the_order_and_folders_the_status() {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in [("sat/a", ""), ("sat/b", ""), ("c", "(set-info :status unsat)"), ("d", "")] {
            let path = root.path().join(name).with_extension("smt2");
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let order = |number| shuffled(&[root.path().to_owned()], number).unwrap();
        assert_eq!(order(1), order(1));
        assert!((2..20).any(|number| order(number) != order(1)));
        let mut statuses: Vec<_> =
            order(1).iter().filter_map(|seed| status(seed)).map(Status::word).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, ["sat", "sat", "unsat"]);
    }
}
