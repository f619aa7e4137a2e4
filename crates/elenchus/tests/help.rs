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
        assert!(text.contains("\nExamples:\n"), "{path:?} has no examples");
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

/// The flags of a help text whose value is shown as `name`.
fn flags_with(text: &str, name: &str) -> Vec<String> {
    let flag = |line: &str| {
        let words = line.split_whitespace();
        let flag = words.zip(line.split_whitespace().skip(1)).find(|(_, value)| *value == name)?.0;
        flag.starts_with("--").then(|| flag.to_owned())
    };
    text.lines().filter_map(flag).collect()
}

#[test]
fn times_and_sizes_have_one_syntax() {
    let mut pages = Vec::new();
    collect(&[], &mut pages);
    let mut tried = 0;
    for (path, text) in &pages {
        assert!(!text.contains("SECONDS") && !text.contains("MIB"), "{path:?}");
        for limit in ["--timeout", "--time", "--memory"] {
            let bare = text.lines().find(|line| line.trim_start().starts_with(&format!("{limit} ")));
            let named = |line: &str| line.contains("<TIME>") || line.contains("<SIZE>");
            assert!(bare.is_none_or(named), "{path:?} {limit}");
        }
        for (name, expected) in [("<TIME>", "is not a time"), ("<SIZE>", "is not a size")] {
            for flag in flags_with(text, name) {
                let arguments = [flag.as_str(), "nonsense"];
                let output = Command::new(env!("CARGO_BIN_EXE_elenchus")).args(path).args(arguments).output();
                let said = String::from_utf8(output.unwrap().stderr).unwrap();
                assert!(said.contains(expected), "{path:?} {flag}: {said}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 14, "{tried}");
}
