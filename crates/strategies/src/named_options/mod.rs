//! The options that the first comments of a script name, as in regression tests and reports of bugs.

mod words;

pub use words::{command_line, profile_name};

/// What the first comments of a script say about the solver it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedOptions {
    /// The profile name of the solver, if the comments name one that is known.
    pub solver: Option<&'static str>,
    /// The options and their values.
    pub options: Vec<(String, String)>,
}

impl NamedOptions {
    /// What a script says in the comments before its first command: `; COMMAND-LINE: --strings-exp` as in the regression tests of cvc5, or
    /// `; solver: z3` and `; options: smt.arith.solver=2`.
    pub fn of(script: &str) -> NamedOptions {
        let mut named = NamedOptions::default();
        let comments = script.lines().map(str::trim_start);
        for comment in comments.take_while(|line| line.starts_with(';') || line.is_empty()) {
            let Some((key, words)) = comment.trim_start_matches([';', ' ']).split_once(':') else { continue };
            match key.trim_end() {
                "solver" => named.solver = profile_name(words),
                "option" | "options" => named.options.extend(command_line(words)),
                "COMMAND-LINE" => {
                    named.solver.get_or_insert("cvc5");
                    named.options.extend(command_line(words));
                }
                _ => {}
            }
        }
        named
    }

    /// Comments that say the same; empty if there are no options.
    pub fn comments(&self) -> String {
        if self.options.is_empty() {
            return String::new();
        }
        let solver = self.solver.map(|solver| format!("; solver: {solver}\n")).unwrap_or_default();
        let words: Vec<String> = self.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{solver}; options: {}\n", words.join(" "))
    }

    /// Whether the options are for a solver, by its profile name. Those of cvc5 are for its predecessor, too.
    pub fn are_for(&self, profile: &str) -> bool {
        self.solver.is_none_or(|solver| profile_name(profile) == Some(solver))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_solvers_and_options() {
        type Row<'a> = (&'a str, Option<&'a str>, &'a [(&'a str, &'a str)]);
        let table: [Row<'_>; 8] = [
            ("(check-sat)", None, &[]),
            ("; COMMAND-LINE: --strings-exp -q\n; EXPECT: sat\n", Some("cvc5"), &[("strings-exp", "true")]),
            ("; solver: Z3\n; options: smt.arith.solver=2\n", Some("z3"), &[("smt.arith.solver", "2")]),
            (
                ";; solver : Z3\n\n;; option : a.b=1 c.d=2\n(check-sat)",
                Some("z3"),
                &[("a.b", "1"), ("c.d", "2")],
            ),
            ("; options: --no-nl-ext\n", None, &[("nl-ext", "false")]),
            ("(set-logic ALL)\n; COMMAND-LINE: --strings-exp\n", None, &[]),
            ("; see: the options of z3\n; solver: dreal\n", None, &[]),
            ("; EXPECT: (error \"x: y\")\n;\n", None, &[]),
        ];
        for (script, solver, options) in table {
            let named = NamedOptions::of(script);
            let found: Vec<(&str, &str)> =
                named.options.iter().map(|(name, value)| (&**name, &**value)).collect();
            assert_eq!((named.solver, &*found), (solver, options), "{script}");
            if !options.is_empty() {
                assert_eq!(NamedOptions::of(&named.comments()), named);
            }
        }
    }

    #[test]
    fn options_are_for_solvers_of_their_family() {
        let cvc5 = NamedOptions::of("; COMMAND-LINE: --strings-exp\n");
        assert_eq!(["cvc5", "cvc4", "z3"].map(|name| cvc5.are_for(name)), [true, true, false]);
        assert!(NamedOptions::default().are_for("yices"));
    }
}
