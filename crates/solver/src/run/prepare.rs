//! Translates a request to the options and the script for one solver.

use super::file_access::without_file_access;
use super::request::{RunRequest, Want};
use super::script::Script;
use crate::profile::{Addition, Profile};
use std::borrow::Cow;

/// A request translated for one solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared<'a> {
    /// The options of the command line.
    pub options: Vec<String>,
    /// The script with the added commands.
    pub script: Cow<'a, str>,
}

/// Runs instead of a script whose file access cannot be removed. Solvers do not answer it.
const NOT_RUN: &str = "; not run: it may make the solver open a file\n";

/// Adds the options and commands that the profile requires for what is wanted, and removes commands that may open files.
///
/// Every script passes here on its way to a process.
pub fn prepare<'a>(profile: &Profile, request: &RunRequest<'a>) -> Prepared<'a> {
    let want = &request.want;
    let mut options = Vec::with_capacity(request.options.len());
    let mut commands = Vec::new();
    let mut add = |addition: &Option<Addition>, value: &str| {
        let Some(addition) = addition else { return };
        let fill = |text: &String| text.replace("{seed}", value).replace("{steps}", value);
        options.extend(addition.args.iter().map(fill));
        commands.extend(addition.commands.iter().map(fill));
    };
    let ask = &profile.ask;
    let features = [
        (want.model, &ask.models),
        (want.core, &ask.cores),
        (want.proof, &ask.proofs),
        (want.check_models, &ask.model_check),
        (want.check_cores, &ask.core_check),
        (want.check_proofs, &ask.proof_check),
    ];
    for (wanted, addition) in features {
        if wanted {
            add(addition, "");
        }
    }
    if let Some(seed) = want.seed {
        add(&ask.seed, &seed.to_string());
    }
    if let Some(seed) = want.variety {
        add(ask.variety.as_ref().map_or(&ask.seed, |_| &ask.variety), &seed.to_string());
    }
    if let Some(steps) = want.steps {
        add(&ask.work, &steps.to_string());
    }
    if needs_incremental(request.script) && !sets_incremental(request.options) {
        add(&ask.incremental, "");
    }
    options.extend(request.options.iter().cloned());
    let queries = [(want.model, "get-model"), (want.core, "get-unsat-core"), (want.proof, "get-proof")];
    let queries: Vec<&str> =
        queries.into_iter().filter_map(|(wanted, name)| wanted.then_some(name)).collect();
    let plain = request.want == Want::default();
    let script = without_file_access(request.script).unwrap_or(Cow::Borrowed(NOT_RUN));
    let script = match ask.rejects_wrong_status && !plain {
        true => without_status(script),
        false => script,
    };
    let script = match commands.is_empty() && queries.is_empty() {
        true => script,
        false => Cow::Owned(extend(&script, &commands, &queries)),
    };
    Prepared { options, script }
}

/// The script with a `get-model` after its last check, so that a plain run does the same as one that [wants](Want::model) the model.
pub fn asking_for_model(script: &str) -> String {
    let option = "(set-option :produce-models true)";
    let commands = (!script.contains(":produce-models")).then(|| option.to_owned());
    extend(script, commands.as_slice(), &["get-model"])
}

/// The script with spaces instead of its `:status`, so that positions in error messages stay the same.
fn without_status(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(":status") {
        return text;
    }
    let mut result = text.to_string();
    for command in Script::split(&text).commands {
        if command.name == "set-info" && command.text.contains(":status") {
            let start = command.text.as_ptr() as usize - text.as_ptr() as usize;
            let blank: Vec<String> = command.text.split('\n').map(|line| " ".repeat(line.len())).collect();
            result.replace_range(start..start + command.text.len(), &blank.join("\n"));
        }
    }
    Cow::Owned(result)
}

/// Whether a script has several checks or several assertion levels.
fn needs_incremental(text: &str) -> bool {
    let first = text.find("(check-sat");
    let several = first.is_some_and(|at| text[at + 1..].contains("(check-sat"));
    several || text.contains("(push") || text.contains("(pop")
}

fn sets_incremental(options: &[String]) -> bool {
    options.iter().any(|option| option.contains("incremental"))
}

/// The script with `commands` in front and, after its last check, those of the `queries` that it does not contain.
fn extend(text: &str, commands: &[String], queries: &[&str]) -> String {
    let script = Script::split(text);
    let mut result = String::with_capacity(text.len() + 64);
    for command in commands {
        result.push_str(command);
        result.push('\n');
    }
    let last_check = script.commands.iter().rposition(|command| command.is_check());
    let asked = |name: &str| script.commands.iter().any(|command| command.name == name);
    let cut = last_check.map_or(text.len(), |index| {
        let command = script.commands[index].text;
        // The command is a slice of the text, so its address gives its position.
        command.as_ptr() as usize - text.as_ptr() as usize + command.len()
    });
    result.push_str(&text[..cut]);
    if last_check.is_some() {
        for name in queries.iter().filter(|name| !asked(name)) {
            result.push_str("\n(");
            result.push_str(name);
            result.push(')');
        }
    }
    result.push_str(&text[cut..]);
    result
}

/// The arguments of a start line with its placeholders replaced.
pub fn arguments(line: &[String], options: &[String], file: &str) -> Vec<String> {
    let mut arguments = Vec::with_capacity(line.len() + options.len());
    for word in line {
        if word == "{options}" {
            arguments.extend_from_slice(options);
        } else {
            arguments.push(word.replace("{file}", file));
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::super::request::{RunRequest, Want};
    use super::{arguments, prepare};
    use crate::profile::Profile;

    #[test]
    fn a_status_that_hides_an_answer_is_left_out() {
        let script = "(set-info :status unsat)\n(check-sat)";
        let table = [
            ("cvc5", Want::default(), script),
            ("cvc5", Want { check_models: true, ..Want::default() }, "                        \n(check-sat)"),
            ("z3", Want { check_models: true, ..Want::default() }, script),
        ];
        for (name, want, expected) in table {
            let profile = Profile::built_in(name).unwrap();
            assert_eq!(prepare(&profile, &RunRequest::new(script).want(want)).script, expected, "{name}");
        }
    }

    #[test]
    fn no_script_opens_files() {
        let table = [
            ("(set-option :out \"x\")(check-sat)", "                     (check-sat)"),
            ("(check-sat) ; :out", super::NOT_RUN),
        ];
        for (script, expected) in table {
            let profile = Profile::built_in("z3").unwrap();
            assert_eq!(prepare(&profile, &RunRequest::new(script)).script, expected);
        }
    }

    #[test]
    fn wanted_features_are_requested_once() {
        let want = Want { model: true, seed: Some(7), ..Want::default() };
        let table = [
            (
                "z3",
                "(assert true)\n(check-sat)\n(exit)",
                "(set-option :produce-models true)\n(assert true)\n(check-sat)\n(get-model)\n(exit)",
                &["smt.random_seed=7", "sat.random_seed=7", "-x"][..],
            ),
            (
                "cvc5",
                "(check-sat)(get-model)",
                "(check-sat)(get-model)",
                &["--produce-models", "--seed=7", "-x"],
            ),
            ("stp", "(assert true)", "(assert true)", &["--print-counterex", "--random-seed=7", "-x"]),
        ];
        for (name, script, expected, options) in table {
            let profile = Profile::built_in(name).unwrap();
            let given = ["-x".to_owned()];
            let prepared = prepare(&profile, &RunRequest::new(script).want(want).options(&given));
            assert_eq!(prepared.script, expected);
            assert_eq!(prepared.options, options);
        }
    }

    /// The randomisation flags of ValFuzz's appendix B.
    #[test]
    fn varied_models_use_the_options_of_the_profile() {
        let table = [
            (
                "z3",
                &["smt.random_seed=7", "smt.arith.random_initial_value=true", "smt.phase_selection=5"][..],
            ),
            ("cvc4", &["--random-seed=7", "--seed=7"]),
            ("cvc5", &["--sat-random-seed=7", "--seed=7"]),
            ("bitwuzla", &["--seed", "7"]),
        ];
        for (name, options) in table {
            let profile = Profile::built_in(name).unwrap();
            let want = Want { variety: Some(7), ..Want::default() };
            assert_eq!(prepare(&profile, &RunRequest::new("(check-sat)").want(want)).options, options);
        }
    }

    #[test]
    fn placeholders_of_start_lines_are_replaced() {
        let line = ["{options}", "--in={file}"].map(str::to_owned);
        assert_eq!(arguments(&line, &["-a".into(), "-b".into()], "f.smt2"), ["-a", "-b", "--in=f.smt2"]);
    }
}
