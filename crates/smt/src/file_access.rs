//! Recognises what makes a solver open a file or start a program: options such as `:regular-output-channel`, commands such as
//! `include`.
//!
//! Scripts come from strangers, so the words are found wherever they are, even in comments and strings: lexers of solvers
//! disagree about where those end. A name that only looks like a file is refused, too: a lost option costs nothing.

/// Words in the names of options that open files or start programs.
const WORDS: [&str; 24] = [
    "aig",
    "backup",
    "channel",
    "dimacs",
    "dir",
    "directory",
    "drat",
    "dump",
    "export",
    "include",
    "json",
    "log",
    "oracle",
    "oracles",
    "out",
    "output",
    "path",
    "prefix",
    "record",
    "save",
    "stdout",
    "tptp",
    "trace",
    "write",
];

/// Whole names of such options.
const NAMES: [&str; 4] = ["in", "err", "stdin", "stderr"];

/// Options that print to the usual output in spite of their names.
const HARMLESS: [&str; 13] = [
    "dump-difficulty",
    "dump-instantiations",
    "dump-instantiations-debug",
    "dump-models",
    "dump-proofs",
    "dump-unsat-assumptions",
    "dump-unsat-cores",
    "dump-unsat-cores-full",
    "dump-unsat-cores-lemmas",
    "opt.dump-models",
    "output",
    "output-lang",
    "strings-min-prefix-explain",
];

/// Commands that open files or start programs.
const COMMANDS: [&str; 6] =
    ["include", "declare-oracle-fun", "export-to-dimacs", "read-state", "write-funs", "write-state"];

/// Whether an option may make a solver open a file, judged by its name, with or without the colon.
pub fn is_option(name: &str) -> bool {
    // Solvers take `-` for `_`, and some ignore case.
    let name = name.trim_matches([':', '|']).to_ascii_lowercase().replace('_', "-");
    let opens = |word: &str| WORDS.contains(&word) || (word.contains("file") && !word.contains("profile"));
    !HARMLESS.contains(&name.as_str())
        && (NAMES.contains(&name.as_str()) || name.split(|c: char| !c.is_ascii_alphanumeric()).any(opens))
}

/// Whether a command may make a solver open a file or start a program.
pub fn is_command(name: &str) -> bool {
    COMMANDS.contains(&name.trim_matches('|'))
}

/// The first word of a text that may make a solver open a file or start a program: an option or a command.
pub fn find(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(step) = bytes[at..].iter().position(|byte| matches!(byte, b':' | b'(')) {
        let mark = at + step;
        at = mark + 1;
        if bytes[mark] == b'(' {
            let name = word(text, skip_blanks(bytes, at));
            if is_command(name) {
                return Some(name);
            }
        // The rest of a URL is no name.
        } else if bytes.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'|') {
            let name = word(text, at);
            if is_option(name) {
                return Some(&text[mark..at + name.len()]);
            }
        }
    }
    None
}

/// The offset of the first byte from `at` on that is neither white space nor in a comment.
fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b';' => {
                while bytes.get(at).is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
                    at += 1;
                }
            }
            byte if byte.is_ascii_whitespace() || *byte == b'\x0b' => at += 1,
            _ => break,
        }
    }
    at
}

/// The word at an offset, with its bars if it has them.
fn word(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')' | '"' | ';' | '|');
    match rest.strip_prefix('|') {
        Some(quoted) => &rest[..quoted.find('|').map_or(rest.len(), |end| end + 2)],
        None => &rest[..rest.find(ends).unwrap_or(rest.len())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_open_files_are_recognised() {
        let opening = [
            ":regular-output-channel",
            ":diagnostic-output-channel",
            ":Regular_Output_Channel",
            ":|regular-output-channel|",
            ":trace",
            ":trace_file_name",
            ":dump-to",
            ":opt.dump_benchmarks",
            ":opt.solution_prefix",
            ":smt.arith.dump_lemmas",
            ":solver.axioms2files",
            ":solver.cancel_backup_file",
            ":solver.smtlib2_log",
            ":solver.proof.log",
            ":sat.drat.file",
            ":sat.inprocess.out",
            ":dot_proof_file",
            ":fp.print_aig",
            ":fp.spacer.print_json",
            ":fp.spacer.trace_file",
            ":debug.api_call_trace_filename",
            ":filesystem-access",
            ":in",
            ":out",
            ":err",
            ":oracles",
            ":proof-log",
            ":replay-log",
            ":write-aiger",
            ":write-partitions-to",
        ];
        for name in opening {
            assert!(is_option(name), "{name}");
        }
        let harmless = [
            ":produce-models",
            ":smt.string_solver",
            ":smt.arith.solver",
            ":strings-exp",
            ":logic",
            ":smt.qi.profile",
            ":dump-models",
            ":dump_unsat_cores",
            ":output-lang",
            ":rewriter.flat",
            ":named",
            ":pattern",
            ":source",
        ];
        for name in harmless {
            assert!(!is_option(name), "{name}");
        }
    }

    #[test]
    fn texts_are_searched_everywhere() {
        let table = [
            ("(set-option :regular-output-channel \"x\")", Some(":regular-output-channel")),
            ("(set-option ; comment\n:out x)", Some(":out")),
            ("( ; comment\r|include| \"/etc/passwd\")", Some("|include|")),
            ("(include\"x\")", Some("include")),
            ("(declare-oracle-fun f (Int) Int \"/bin/sh\")", Some("declare-oracle-fun")),
            ("(check-sat-using (using-params sat :drat.file x))", Some(":drat.file")),
            ("(echo \"\\\")(set-option :out x)(echo \"\\\")", Some(":out")),
            ("(set-option :|trace_file_name| x)", Some(":|trace_file_name|")),
            ("(set-option :|trace", Some(":|trace")),
            ("(set-info :source |see https://example.org/files/log.txt|)(check-sat)", None),
            ("(declare-fun load (Int) Int)(assert (! (= (load 1) 2) :named file1))(check-sat)", None),
            ("(set-option :produce-models true)", None),
            ("(", None),
            (":", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(find(text), expected, "{text}");
        }
    }
}
