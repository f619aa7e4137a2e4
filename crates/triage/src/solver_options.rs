//! Which options of the command line go to which solver.

use crate::error::TriageError;
use crate::source::SolverSource;
use solver::Target;
use solver::profile::Profiles;

/// A solver with the options of its runs.
pub type ConfiguredSolver = (Target, Vec<String>);

/// The solvers with these names. `SOLVER:OPTION` goes to the solver of that name, any other option to all.
pub fn configured_solvers(
    names: &[String],
    options: &[String],
    source: &dyn SolverSource,
) -> Result<Vec<ConfiguredSolver>, TriageError> {
    let mut targets = Vec::new();
    for name in names {
        targets.push((name.clone(), source.resolve(name)?));
    }
    let options = options_by_solver(options, &targets, &source.settings().profiles)?;
    Ok(targets.into_iter().map(|(_, target)| target).zip(options).collect())
}

/// The options for each of `solvers`, which are given by the user's words and what these mean.
///
/// `SOLVER:OPTION` goes to the solver that was given as SOLVER, or to all releases of the solver with that name. Any other option
/// goes to all solvers, which must then be releases of one: the options of another would be errors or mean something else.
fn options_by_solver(
    options: &[String],
    solvers: &[(String, Target)],
    profiles: &Profiles,
) -> Result<Vec<Vec<String>>, TriageError> {
    let mut all = vec![Vec::new(); solvers.len()];
    let mixed = solvers.iter().any(|(_, target)| target.name != solvers[0].1.name);
    for option in options {
        let after = |name: &str| option.strip_prefix(name)?.strip_prefix(':');
        let given = solvers.iter().map(|(spec, _)| spec.as_str()).filter(|spec| after(spec).is_some());
        if let Some(rest) = given.max_by_key(|spec| spec.len()).and_then(after) {
            let spec = &option[..option.len() - rest.len() - 1];
            let own = solvers.iter().zip(&mut all).filter(|((other, _), _)| other == spec);
            own.for_each(|(_, list)| list.push(rest.to_owned()));
        } else if let Some((name, rest)) =
            option.split_once(':').filter(|(name, _)| profiles.names().contains(name))
        {
            let mut own =
                solvers.iter().zip(&mut all).filter(|((_, target), _)| target.name == name).peekable();
            if own.peek().is_none() {
                return Err(TriageError::other(
                    format!("`{option}` is an option for {name}, which is not among the solvers"),
                    format!("add --solver {name}, or leave the option out"),
                ));
            }
            own.for_each(|(_, list)| list.push(rest.to_owned()));
        } else if mixed {
            let first = &solvers[0].1.name;
            return Err(TriageError::other(
                format!("it is not clear which solver `{option}` is for"),
                format!(
                    "different solvers have different options: name one, as in --option={first}:{option}"
                ),
            ));
        } else {
            all.iter_mut().for_each(|list| list.push(option.clone()));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::Profile;

    /// Options, solvers, and the options of each solver.
    type Row = (&'static [&'static str], &'static [&'static str], &'static [&'static [&'static str]]);

    /// The options of each solver, or the error.
    fn options(options: &[&str], specs: &[&str]) -> Result<Vec<Vec<String>>, String> {
        let target = |spec: &str| {
            let name = spec.rsplit('/').next().unwrap().split('@').next().unwrap();
            (spec.to_owned(), Target::executable(spec, spec, Profile::built_in(name).unwrap()))
        };
        let solvers: Vec<_> = specs.iter().map(|spec| target(spec)).collect();
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        options_by_solver(&options, &solvers, &Profiles::built_in()).map_err(|error| error.to_string())
    }

    #[test]
    fn options_go_to_the_solver_that_they_name() {
        const MIXED: &[&str] = &["z3@4.8.7", "z3@5.4.0", "cvc5"];
        let table: [Row; 5] = [
            (&["-T:5", "a=1"], &["z3"], &[&["-T:5", "a=1"]]),
            (&["-T:5"], &["z3@4.8.7", "./build/z3"], &[&["-T:5"], &["-T:5"]]),
            (&["z3:a=1", "cvc5:--seed=1"], MIXED, &[&["a=1"], &["a=1"], &["--seed=1"]]),
            (&["z3@5.4.0:a=1"], MIXED, &[&[], &["a=1"], &[]]),
            (&["./build/z3:a=1"], &["./build/z3", "cvc5"], &[&["a=1"], &[]]),
        ];
        for (given, specs, expected) in table {
            assert_eq!(options(given, specs).unwrap(), expected, "{given:?} {specs:?}");
        }
    }

    #[test]
    fn options_that_fit_no_solver_or_not_all_are_errors() {
        let table: [(&[&str], &[&str], &str); 3] = [
            (&["a=1"], &["z3", "cvc5"], "not clear which solver `a=1` is for"),
            (&["-T:5"], &["z3", "cvc5"], "not clear which solver `-T:5` is for"),
            (&["cvc5:--seed=1"], &["z3"], "an option for cvc5, which is not among the solvers"),
        ];
        for (given, specs, expected) in table {
            let error = options(given, specs).unwrap_err();
            assert!(error.contains(expected), "{given:?} {specs:?}: {error}");
        }
    }
}
