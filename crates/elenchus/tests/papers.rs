//! `docs/papers.md` is true as far as a program can tell: its files, tests, flags and variants exist, and every difference from a
//! paper has a reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A row of a table: what the paper has, the file, how to reach it, and the test.
struct Row {
    line: usize,
    cells: Vec<String>,
}

fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(root().join("docs/papers.md")).unwrap();
    let lines = page.lines().enumerate().filter(|(_, line)| line.starts_with("| "));
    let row = |(at, line): (usize, &str)| {
        // A bar within a cell is escaped.
        let line = line.replace("\\|", "/");
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        Row { line: at + 1, cells }
    };
    lines.map(row).filter(|row| row.cells[0] != "paper").collect()
}

/// What stands between backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The first cell names the thing, the second the file, the third the flag, the last the test; no cell is empty.
#[test]
fn every_row_has_a_file_a_flag_and_a_test() {
    let rows = rows();
    assert!(rows.len() > 100, "{}", rows.len());
    for Row { line, cells } in rows {
        assert_eq!(cells.len(), 4, "line {line}");
        assert!(cells.iter().all(|cell| !cell.is_empty()), "line {line}");
        // A row without a test says why.
        let has_test = code(&cells[3]).any(|word| word.ends_with(".rs")) || cells[3].starts_with("the same");
        let whole = cells.join(" ");
        assert!(has_test || gives_a_reason(&cells[2]) || gives_a_reason(&cells[3]), "line {line}: {whole}");
        assert!(!whole.contains("no test") && !whole.to_lowercase().contains("partly"), "line {line}");
    }
}

fn gives_a_reason(text: &str) -> bool {
    ["because", "since "].iter().any(|word| text.contains(word))
}

/// "Differs" and "Not …" stand at the beginning of a sentence, and a reason follows in the same cell.
#[test]
fn every_difference_has_a_reason() {
    let mut without = Vec::new();
    for Row { line, cells } in rows() {
        for cell in &cells {
            for (at, _) in cell.match_indices("Differs").chain(cell.match_indices("Not ")) {
                if !gives_a_reason(&cell[at..]) {
                    without.push(format!("line {line}: {}", &cell[at..]));
                }
            }
        }
    }
    assert!(without.is_empty(), "{}", without.join("\n"));
}

#[test]
fn every_file_exists() {
    let tops = ["crates/", "docs/", "benches/", "ci/", "python/", "fuzz/"];
    let mut checked = 0;
    for Row { line, cells } in rows() {
        for word in cells.iter().flat_map(|cell| code(cell)).filter(|word| !word.contains(' ')) {
            if tops.iter().any(|top| word.starts_with(top)) {
                assert!(root().join(word).exists(), "line {line}: {word}");
                checked += 1;
            }
        }
    }
    assert!(checked > 150, "{checked}");
}

/// A test follows the name of its file, or that of another test of the file.
#[test]
fn every_test_exists() {
    let mut checked = 0;
    for Row { line, cells } in rows() {
        let mut file: Option<(&str, String)> = None;
        for word in code(&cells[3]) {
            if Path::new(word).extension().is_some_and(|extension| extension == "rs") {
                file = Some((word, std::fs::read_to_string(root().join(word)).unwrap()));
            } else if let Some((name, text)) = &file
                && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            {
                let is_test = text.contains(&format!("#[test]\nfn {word}()"))
                    || text.contains(&format!("    #[test]\n    fn {word}()"));
                assert!(is_test, "line {line}: {name} has no test `{word}`");
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Strategies with variants and settings, such as `diver:published:tries=10`. A letter stands for a value.
#[test]
fn every_variant_and_setting_exists() {
    let mut seen = BTreeSet::new();
    for Row { line, cells } in rows() {
        for word in cells.iter().flat_map(|cell| code(cell)).flat_map(|code| code.split_whitespace()) {
            for name in word.split([',', '+']) {
                let (technique, parts) = name.split_once(':').unwrap_or((name, ""));
                let Some(technique) = strategies::technique(technique).filter(|_| !parts.is_empty()) else {
                    continue;
                };
                let known = technique.description();
                for part in parts.split(':') {
                    let setting = part.split('=').next().unwrap();
                    let exists = known.settings.iter().any(|one| one.name == setting)
                        || strategies::check_name(&format!("{}:{part}", technique.name)).is_ok()
                        // `MULTIEFn` stands for any number.
                        || strategies::check_name(&format!("{}:{}", technique.name, part.replace('n', "3"))).is_ok();
                    assert!(exists, "line {line}: {name}");
                    seen.insert(name.to_owned());
                }
            }
        }
    }
    for wanted in ["typefuzz:published", "diver:published", "histfuzz:published", "falcon:published"] {
        assert!(seen.contains(wanted), "{wanted}");
    }
}

/// The flags of our own commands are in the help texts.
#[test]
fn every_flag_exists() {
    let help = include_str!("snapshots/help.txt");
    let mut checked = 0;
    for Row { line, cells } in rows() {
        for code in cells[2..].iter().flat_map(|cell| code(cell)) {
            let ours = code.starts_with("--") || code.starts_with("elenchus ");
            for word in code.split_whitespace().filter(|word| ours && word.starts_with("--")) {
                let flag = word.split('=').next().unwrap();
                assert!(help.contains(flag), "line {line}: {flag}");
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked}");
}
