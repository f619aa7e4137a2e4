//! All help texts, as one file to review. `UPDATE_EXPECT=1 cargo test -p elenchus --test help` writes it.

use expect_test::expect_file;
use std::process::Command;

fn help(path: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_elenchus"))
        .args(path)
        .arg("--help")
        .env("COLUMNS", "100")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    assert!(output.status.success(), "{path:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The names in the section `Commands:`.
fn subcommands(help: &str) -> Vec<String> {
    let section =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let entries = section.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = entries.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

fn collect(path: &[String], pages: &mut Vec<(Vec<String>, String)>) {
    let text = help(path);
    let names = subcommands(&text);
    pages.push((path.to_vec(), text));
    for name in names {
        collect(&[path, &[name]].concat(), pages);
    }
}

#[test]
fn every_command_has_help_with_examples() {
    let mut pages = Vec::new();
    collect(&[], &mut pages);
    let mut all = String::new();
    for (path, text) in &pages {
        assert!(path.is_empty() || text.contains("Examples:"), "{path:?} has no examples");
        let command = [&["elenchus".to_owned()], &path[..]].concat().join(" ");
        all.push_str(&format!("$ {command} --help\n{text}\n"));
    }
    expect_file!["snapshots/help.txt"].assert_eq(&all);
}

#[test]
fn the_help_of_fuzz_names_every_strategy() {
    let text = help(&["fuzz".to_owned()]);
    for name in strategies::names() {
        assert!(text.contains(&format!("{name}: ")), "{name}");
    }
}
