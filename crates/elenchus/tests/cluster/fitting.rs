//! A process that does not fit a campaign is refused, with the reasons.

use crate::ground::{Ground, start};
use serde_json::Value;
use std::fs;
use std::process::Output;

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_process_that_does_not_fit_is_told_what_differs() {
    let ground = Ground::new();
    let store = format!("sqlite:{}", ground.at("common.db").display());
    let arguments = start(20);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let begun = ground.run(&store, "one", &[&arguments[..], &["--out", "a"]].concat());
    assert_eq!(begun.status.code(), Some(1), "{begun:?}");
    // The same command, and one that leaves everything to the campaign.
    for more in [&arguments[..], &[]] {
        let joined = ground.run(&store, "one", &[more, &["--out", "b"]].concat());
        assert_eq!(joined.status.code(), Some(0), "{joined:?}");
        let last = String::from_utf8_lossy(&joined.stdout).lines().last().unwrap().to_owned();
        assert_eq!(serde_json::from_str::<Value>(&last).unwrap()["ended"], "complete");
    }
    let table: [(&[&str], &str); 5] = [
        (&["--seed", "8"], "the seed number of the campaign: 7, and you set 8"),
        (&["--cases", "21"], "the number of cases of the campaign: 20, and you set 21"),
        (&["--strategy", "swap"], "the strategies of the campaign: "),
        (&["--solver", "yes"], "every machine has to ask all of its solvers"),
        (&["elenchus.toml"], "the campaign has 12 seeds, and you name others (1 seed)"),
    ];
    for (more, expected) in table {
        let refused = ground.run(&store, "one", &[more, &["--out", "b"]].concat());
        assert_eq!(refused.status.code(), Some(2), "{more:?}: {refused:?}");
        assert!(errors(&refused).contains(expected), "{}", errors(&refused));
    }
    ground.solver("no", "echo unsat");
    let refused = ground.run(&store, "one", &["--out", "b"]);
    assert!(errors(&refused).contains("the hash of the executable of no of the campaign is "), "{refused:?}");
    fs::remove_file(ground.at("no")).unwrap();
    let refused = ground.run(&store, "one", &["--out", "b"]);
    assert!(errors(&refused).contains("this machine lacks no: "), "{refused:?}");
}

#[test]
fn passwords_do_not_belong_on_the_command_line_or_in_the_file() {
    let ground = Ground::new();
    let refused =
        ground.command("", &["fuzz", "--store", "postgres://me:secret@localhost/x"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        errors(&refused).contains("can read the password in postgres://me:***@localhost/x"),
        "{refused:?}"
    );
    let file = ground.at("other.toml");
    fs::write(&file, "[fuzz]\nstore = \"postgres://me:secret@localhost/x\"\n").unwrap();
    let refused = ground.command("", &["fuzz", "--config", "other.toml"]).output().unwrap();
    assert!(
        errors(&refused).contains("other.toml has the password of postgres://me:***@localhost/x"),
        "{refused:?}"
    );
    assert!(!errors(&refused).contains("secret"));
}
