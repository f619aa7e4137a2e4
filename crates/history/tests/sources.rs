//! Reading formulas from files and folders.

use history::{Formula, read};
use std::fs;
use std::path::Path;

const SCRIPT: &str = "(assert true)\n(check-sat)\n";

/// Solver and options of a formula.
type Known = (Option<&'static str>, Vec<(&'static str, &'static str)>);

fn known(formula: &Formula) -> (Option<&str>, Vec<(&str, &str)>) {
    let options = formula.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    (formula.solver.as_deref(), options.collect())
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

#[test]
fn comments_name_the_solver_and_its_options() {
    let folder = tempfile::tempdir().unwrap();
    let table: [(&str, Known); 5] = [
        ("", (None, vec![])),
        ("; solver: Z3\n; options: a=1 --b file.smt2\n", (Some("z3"), vec![("a", "1"), ("b", "true")])),
        ("; COMMAND-LINE: --strings-exp\n", (Some("cvc5"), vec![("strings-exp", "true")])),
        ("; solver: unheard-of\n", (None, vec![])),
        ("; options: trace_file_name=x regular-output-channel=y c=3\n", (None, vec![("c", "3")])),
    ];
    for (comments, expected) in table {
        write(folder.path(), "a.smt2", &format!("{comments}{SCRIPT}; solver: cvc5\n"));
        let formulas = read(&[folder.path().join("a.smt2")]).unwrap();
        assert_eq!(known(&formulas[0]), expected, "{comments}");
    }
}

#[test]
fn an_index_table_lists_the_formulas_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.smt2", &format!("; options: a=1\n{SCRIPT}"));
    write(folder.path(), "b.smt2", SCRIPT);
    write(folder.path(), "unlisted.smt2", SCRIPT);
    assert_eq!(read(&[folder.path().to_owned()]).unwrap().len(), 3);
    write(folder.path(), "index.tsv", "solver\tfile\toptions\nz3\ta.smt2\ta=1 b=2\n\tb.smt2\n\n");
    let formulas = read(&[folder.path().to_owned()]).unwrap();
    let all: Vec<_> = formulas.iter().map(known).collect();
    assert_eq!(all, [(Some("z3"), vec![("a", "1"), ("b", "2")]), (None, vec![])]);
    assert_eq!(formulas[1].text, SCRIPT);
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = read(&[folder.path().join("missing.smt2")]).unwrap_err();
    assert!(error.to_string().contains("missing.smt2"), "{error}");
    write(folder.path(), "index.tsv", "name\n");
    let error = read(&[folder.path().to_owned()]).unwrap_err();
    assert!(error.to_string().ends_with("its first line names no column `file`"), "{error}");
    // Comments of old files hold other encodings.
    fs::write(folder.path().join("latin1.smt2"), b"; \xe9\n(assert true)\n").unwrap();
    assert!(read(&[folder.path().join("latin1.smt2")]).unwrap()[0].text.ends_with("(assert true)\n"));
}
