//! The shell command that repeats the run of a worker.

use case::text::shell_quoted;
use solver::run::Want;
use solver::{Target, TargetKind};

/// The command that runs a solver on a file, quoted for a shell. If our driver runs it, the command of the solver's own executable
/// comes first, and ours is a comment.
pub fn command_line(target: &Target, want: &Want, script: &str, file: &str) -> String {
    let profile = target.profile.at(&target.version);
    let mut options = Vec::new();
    let several = script.matches("(check-sat").count() > 1 || script.contains("(push");
    let additions = [
        (want.model, &profile.ask.models),
        (want.check_models, &profile.ask.model_check),
        (several, &profile.ask.incremental),
    ];
    for (_, addition) in additions.into_iter().filter(|(wanted, _)| *wanted) {
        options.extend(addition.iter().flat_map(|addition| addition.args.iter().cloned()));
    }
    let mut question = Vec::new();
    for word in &profile.start.file {
        if word == "{options}" {
            question.extend(options.iter().map(|option| shell_quoted(option)));
        } else {
            question.push(shell_quoted(&word.replace("{file}", file)));
        }
    }
    let mut words: Vec<String> = Vec::new();
    let given = target.env.iter().map(|(name, value)| (name, value));
    for (name, value) in profile.start.env.iter().chain(given) {
        words.push(format!("{name}={}", shell_quoted(value)));
    }
    words.push(shell_quoted(&target.program.display().to_string()));
    words.extend(target.args.iter().map(|word| shell_quoted(word)));
    words.extend(question.iter().cloned());
    let ours = words.join(" ");
    match profile.executables.first().filter(|_| target.kind != TargetKind::Executable) {
        Some(program) => format!("{program} {}  # here: {ours}", question.join(" ")),
        None => ours,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::Profile;

    #[test]
    fn commands_are_quoted_for_a_shell() {
        let target = |name: &str| Target {
            env: vec![("A".to_owned(), "it's".to_owned())],
            ..Target::executable(name, format!("/opt/my solvers/{name}"), Profile::built_in(name).unwrap())
        };
        let plain = Want::default();
        let checked = Want { check_models: true, ..Want::default() };
        let table = [
            ("z3", plain, "(check-sat)", r"A='it'\''s' '/opt/my solvers/z3' case.smt2"),
            ("z3", checked, "(check-sat)", r"A='it'\''s' '/opt/my solvers/z3' model_validate=true case.smt2"),
        ];
        for (name, want, script, expected) in table {
            assert_eq!(command_line(&target(name), &want, script, "case.smt2"), expected);
        }
        let several = command_line(&target("cvc5"), &plain, "(check-sat)(check-sat)", "case.smt2");
        assert!(several.contains("incremental"), "{several}");
        let driven =
            Target { kind: TargetKind::LibraryDriver, args: vec!["__drive".to_owned()], ..target("cvc5") };
        let command = command_line(&driven, &checked, "(check-sat)", "case.smt2");
        assert!(command.starts_with("cvc5 --check-models case.smt2  # here: A='it'"), "{command}");
        assert!(command.ends_with("cvc5' __drive --check-models case.smt2"), "{command}");
    }
}
