//! Solver options as people write them on command lines, and those that must not be collected.

/// The profile name of a solver, from the name that reports use.
pub(crate) fn profile_name(solver: &str) -> Option<&'static str> {
    let solver = solver.trim().to_ascii_lowercase();
    [("z3", "z3"), ("cvc", "cvc5"), ("bitwuzla", "bitwuzla"), ("yices", "yices"), ("mathsat", "mathsat")]
        .into_iter()
        .find(|(begin, _)| solver.starts_with(begin))
        .map(|(_, name)| name)
}

/// The options on a command line: `smt.arith.solver=2`, `--strings-exp`, `--no-nl-ext`, `--re-elim=agg`.
///
/// Skips single letters, file names and options that [open files](opens_file).
pub(crate) fn command_line(words: &str) -> Vec<(String, String)> {
    words.split_whitespace().filter_map(option).collect()
}

fn option(word: &str) -> Option<(String, String)> {
    let plain = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
    };
    let (name, value) = match word.strip_prefix("--") {
        Some(long) => match (long.split_once('='), long.strip_prefix("no-")) {
            (Some((name, value)), _) => (name, value),
            (None, Some(name)) => (name, "false"),
            (None, None) => (long, "true"),
        },
        None if word.starts_with('-') => return None,
        None => word.split_once('=')?,
    };
    (plain(name) && plain(value) && !opens_file(name)).then(|| (name.to_owned(), value.to_owned()))
}

/// Words in the names of options that make a solver open a file. Solvers take `-` for `_`, and some ignore case.
const FILE_WORDS: [&str; 17] = [
    "channel",
    "dir",
    "directory",
    "drat",
    "dump",
    "file",
    "filename",
    "files",
    "include",
    "log",
    "logfile",
    "output",
    "path",
    "record",
    "replay",
    "save",
    "trace",
];

/// Whole names of such options: cvc5's streams.
const STREAMS: [&str; 6] = ["in", "out", "err", "stdin", "stdout", "stderr"];

/// Whether an option may make a solver open a file, judged by its name, with or without the colon.
///
/// Refuses too much rather than too little: strangers choose the options, and a lost option costs nothing.
pub(crate) fn opens_file(name: &str) -> bool {
    let name = name.trim_matches([':', '|']).to_ascii_lowercase();
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    STREAMS.contains(&name.as_str()) || words.any(|word| FILE_WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_give_options() {
        let table: [(&str, &[(&str, &str)]); 6] = [
            ("", &[]),
            ("smt.arith.solver=2 bug.smt2", &[("smt.arith.solver", "2")]),
            ("--strings-exp -q -i --no-nl-ext x.smt2", &[("strings-exp", "true"), ("nl-ext", "false")]),
            ("--re-elim=agg", &[("re-elim", "agg")]),
            ("rm -rf --x=$(y) a=b;c", &[]),
            ("trace_file_name=x --regular-output-channel=x --dump-proofs --out=x", &[]),
        ];
        for (words, expected) in table {
            let expected: Vec<(String, String)> =
                expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            assert_eq!(command_line(words), expected, "{words}");
        }
        let solvers = [("Z3", Some("z3")), ("cvc4", Some("cvc5")), ("cvc", Some("cvc5")), ("dreal", None)];
        for (solver, name) in solvers {
            assert_eq!(profile_name(solver), name);
        }
    }
    #[test]
    fn options_that_open_files_are_recognised() {
        let opening = [
            ":regular-output-channel",
            ":diagnostic-output-channel",
            ":Regular_Output_Channel",
            ":|regular-output-channel|",
            ":trace_file_name",
            ":dump-to",
            ":dump_models",
            ":solver.smtlib2_log",
            ":solver.proof.log",
            ":sat.drat.file",
            ":dot_proof_file",
            ":fp.spacer.trace_file",
            ":debug.api_call_trace_filename",
            ":out",
            ":err",
            ":replay-log",
        ];
        for name in opening {
            assert!(opens_file(name), "{name}");
        }
        let harmless =
            [":produce-models", ":smt.string_solver", ":smt.arith.solver", ":strings-exp", ":logic"];
        for name in harmless {
            assert!(!opens_file(name), "{name}");
        }
    }
}
