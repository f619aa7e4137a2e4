//! The properties hold on the built-in seeds, and on inputs that broke one of them once.

use std::path::{Path, PathBuf};

fn scripts_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder of seeds can be read") {
            let path = entry.expect("an entry can be read").path();
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
fn seeds_keep_the_properties() {
    let seeds = scripts_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/campaign/seeds"));
    assert!(seeds.len() > 100, "only {} seeds", seeds.len());
    for seed in seeds {
        println!("{}", seed.display());
        let source = std::fs::read_to_string(&seed).expect("a seed can be read");
        smt_fuzz::reads_without_panic(&source);
        smt_fuzz::round_trips(&source);
    }
}

#[test]
fn what_broke_a_property_once_keeps_them_now() {
    let table = [
        // Nodes that were rebuilt over other children were not the nodes that reading makes of the same text.
        "(declare-fun g (Int) Int)(declare-const x Int)(assert (let ((a (g (+ x 1)))) (> (g a) (* 2 a) (g a))))",
        // The older form of declarations let a datatype through that has no constructors.
        "(declare-datatypes (x) ((x)))",
        "(declare-datatypes (A) ((L nil (cons (hd A) (tl L)))))(assert (= (as nil (L Int)) (as nil (L Int))))",
    ];
    for source in table {
        smt_fuzz::reads_without_panic(source);
        smt_fuzz::round_trips(source);
    }
}
