//! The `[fuzz]` table of `elenchus.toml`, and the way people write times and sizes.

use crate::outcome::Failure;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The `[fuzz.history]` table.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct HistoryTable {
    /// The file of the library.
    pub library: Option<PathBuf>,
    /// `full`, `r` or `n`.
    pub variant: Option<String>,
    /// The least support of a rule.
    pub support: Option<u32>,
    /// What the confidence of a rule must be above.
    pub confidence: Option<f64>,
    /// Whether formulas that the type checker refuses are used.
    pub ill_formed: Option<bool>,
    /// Whether options of reports are set.
    pub options: Option<bool>,
    /// Whether atoms are weighted by what they show.
    pub weighted: Option<bool>,
}

/// The `[fuzz]` table. What stands on the command line goes before it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct FuzzTable {
    /// Files and folders of seeds.
    pub seeds: Vec<PathBuf>,
    /// Solvers.
    pub solvers: Vec<String>,
    /// Strategies.
    pub strategies: Vec<String>,
    /// Time for the whole campaign.
    pub time: Option<String>,
    /// Cases for the whole campaign.
    pub cases: Option<u64>,
    /// Workers.
    pub jobs: Option<usize>,
    /// The campaign's seed.
    pub seed: Option<u64>,
    /// Time for each run.
    pub timeout: Option<String>,
    /// Memory for each run.
    pub memory: Option<String>,
    /// The folder of the campaign.
    pub out: Option<PathBuf>,
    /// Cases of a strategy on a seed in one round.
    pub budget: Option<u64>,
    /// Whether models are evaluated.
    pub models: Option<bool>,
    /// Whether solvers check their own models.
    pub own_checks: Option<bool>,
    /// Cores are checked in one unsatisfiable case of so many.
    pub cores: Option<u64>,
    /// Whether slow answers are reported.
    pub performance: Option<bool>,
    /// What histfuzz works from.
    pub history: HistoryTable,
    /// Whether solvers are kept warm.
    pub warm: Option<bool>,
    /// Whether a part of the cases is asked between push and pop.
    pub incremental: Option<bool>,
    /// Configurations of each solver for every case.
    pub configurations: Option<u64>,
}

/// Reads the table from a configuration file. Paths in it are relative to the file.
pub fn read(file: &Path) -> Result<FuzzTable, Failure> {
    #[derive(Deserialize)]
    struct Config {
        #[serde(default)]
        fuzz: FuzzTable,
    }
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::new(format!("{} cannot be read: {error}", file.display()))
            .hint("`elenchus init` writes a configuration file with all that can be set")
    })?;
    let config: Config = toml::from_str(&text).map_err(|error| {
        Failure::new(format!("{} is not a valid configuration: {error}", file.display()))
            .hint("`elenchus init` writes a configuration file with all that can be set")
    })?;
    let mut table = config.fuzz;
    let folder = file.parent().unwrap_or(Path::new(""));
    for path in &mut table.seeds {
        *path = folder.join(&*path);
    }
    table.out = table.out.map(|out| folder.join(out));
    table.history.library = table.history.library.map(|library| folder.join(library));
    Ok(table)
}

/// Milliseconds from `90`, `90s`, `500ms`, `10m`, `1h30m`, `2d`.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    let bad = || format!("`{text}` is not a time; write 90s, 10m, 1h30m or 500ms");
    let mut total = 0f64;
    let mut rest = text.trim();
    if let Ok(seconds) = rest.parse::<f64>() {
        return in_range(seconds * 1000.0).ok_or_else(bad);
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(bad)?;
        let number: f64 = rest[..digits].parse().map_err(|_| bad())?;
        rest = &rest[digits..];
        let unit = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let scale = match &rest[..unit] {
            "ms" => 1.0,
            "s" => 1e3,
            "m" | "min" => 60e3,
            "h" => 3600e3,
            "d" => 86_400e3,
            _ => return Err(bad()),
        };
        total += number * scale;
        rest = rest[unit..].trim_start();
    }
    in_range(total).ok_or_else(bad)
}

/// MiB from `2048`, `512MB`, `2GB`.
pub fn mebibytes(text: &str) -> Result<u64, String> {
    let bad = || format!("`{text}` is not a size; write 512MB or 2GB");
    let trimmed = text.trim();
    let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
    let number: f64 = trimmed[..digits].parse().map_err(|_| bad())?;
    let scale = match trimmed[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "m" | "mb" | "mib" => 1.0,
        "g" | "gb" | "gib" => 1024.0,
        _ => return Err(bad()),
    };
    in_range(number * scale).ok_or_else(bad)
}

fn in_range(number: f64) -> Option<u64> {
    (1.0..1e15).contains(&number).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read_as_people_write_them() {
        let times = [
            ("90", Some(90_000)),
            ("1.5", Some(1_500)),
            ("90s", Some(90_000)),
            ("1h30m", Some(5_400_000)),
            ("1h 30m", Some(5_400_000)),
            ("500ms", Some(500)),
            ("0", None),
            ("-1s", None),
            ("h", None),
            ("10 parsecs", None),
            ("", None),
        ];
        for (text, expected) in times {
            assert_eq!(milliseconds(text).ok(), expected, "{text}");
        }
        let sizes = [
            ("2048", Some(2048)),
            ("512MB", Some(512)),
            ("1.5 GiB", Some(1536)),
            ("x", None),
            ("2TBX", None),
        ];
        for (text, expected) in sizes {
            assert_eq!(mebibytes(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn the_table_is_read_and_wrong_keys_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("elenchus.toml");
        std::fs::write(&file, "[fuzz]\nseeds = [\"s\"]\nown-checks = false\n[solver.x]\npath = \"y\"\n")
            .unwrap();
        let table = read(&file).unwrap();
        assert_eq!((table.seeds, table.own_checks), (vec![folder.path().join("s")], Some(false)));
        std::fs::write(&file, "[fuzz]\nsolver = 1\n").unwrap();
        assert!(read(&file).unwrap_err().to_string().contains("unknown field `solver`"));
    }
}
