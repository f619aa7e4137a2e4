//! The properties hold for the built-in seeds and for inputs that violated one of them before.

use std::path::{Path, PathBuf};

fn scripts_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("cannot read the seed folder") {
            let path = entry.expect("cannot read a directory entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn properties_hold_for_seeds() {
    let seeds = scripts_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/campaign/seeds"));
    assert!(seeds.len() > 100, "only {} seeds", seeds.len());
    for seed in seeds {
        println!("{}", seed.display());
        let source = std::fs::read_to_string(&seed).expect("cannot read a seed");
        smt_fuzz::parse_without_panic(&source);
        smt_fuzz::round_trip(&source);
    }
}

#[test]
fn properties_hold_for_earlier_failures() {
    let table = [
        // Rebuilt nodes differed from the nodes that parsing makes of the same text.
        "(declare-fun g (Int) Int)(declare-const x Int)(assert (let ((a (g (+ x 1)))) (> (g a) (* 2 a) (g a))))",
        // The old datatype syntax accepted datatypes without constructors.
        "(declare-datatypes (x) ((x)))",
        "(declare-datatypes (A) ((L nil (cons (hd A) (tl L)))))(assert (= (as nil (L Int)) (as nil (L Int))))",
    ];
    for source in table {
        smt_fuzz::parse_without_panic(source);
        smt_fuzz::round_trip(source);
    }
}
