//! Solver options as people write them on command lines, without those that open files.

use smt::file_access::is_option;

/// The profile name of a solver, from the name that reports use.
pub fn profile_name(solver: &str) -> Option<&'static str> {
    let solver = solver.trim().to_ascii_lowercase();
    [("z3", "z3"), ("cvc", "cvc5"), ("bitwuzla", "bitwuzla"), ("yices", "yices"), ("mathsat", "mathsat")]
        .into_iter()
        .find(|(begin, _)| solver.starts_with(begin))
        .map(|(_, name)| name)
}

/// The options on a command line: `smt.arith.solver=2`, `--strings-exp`, `--no-nl-ext`, `--re-elim=agg`.
///
/// Skips single letters, file names and options that [open files](is_option).
pub fn command_line(words: &str) -> Vec<(String, String)> {
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
    (plain(name) && plain(value) && !is_option(name)).then(|| (name.to_owned(), value.to_owned()))
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
            ("trace_file_name=x --regular-output-channel=x --dump-to=x --out=x", &[]),
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
}
