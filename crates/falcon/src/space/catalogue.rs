//! From a solver's own list of options, and the rules of its profile, to a configuration space.

use super::{Knob, KnobKind, Space, Value};
use solver::Target;
use solver::install::{InstallError, Settings};
use solver::options::{Level, OptionInfo, OptionKind};
use solver::profile::OptionRules;

/// A decimal without stated bounds ranges from 0 to this many times its default, or to this if the default is 0.
const REAL_REACH: f64 = 8.0;

/// The options that may be set without changing the question: wanted by the profile, neither forbidden nor known to change
/// the question, with a default and at least two values.
pub fn space_of(options: &[OptionInfo], rules: &OptionRules) -> Space {
    let level = |levels: &[String], level: Option<Level>| {
        level.is_some_and(|level| levels.iter().any(|name| name == level.name()))
    };
    let knob = |option: &OptionInfo| {
        let name = &option.name;
        let unsupported = rules.unsupported(name).is_some();
        let excluded = rules.forbidden(name).is_some()
            || rules.changes_question(name).is_some()
            || !rules.is_wanted(name)
            || (!unsupported && level(&rules.never_levels, option.level));
        if excluded {
            return None;
        }
        let listed = rules.values.get(name).map(|values| OptionKind::Enum { values: values.clone() });
        // The default may be none of the listed values.
        let default = option.default.as_deref().or(listed.as_ref().map(|_| ""))?;
        let (kind, default) = values(listed.as_ref().unwrap_or(&option.kind), default)?;
        let alone = level(&rules.single_levels, option.level);
        Some(Knob { name: name.clone(), kind, default, alone, unsupported })
    };
    Space::new(options.iter().filter_map(knob).collect())
}

impl Space {
    /// The options of a solver that may be set without changing the question. Asks the solver for its options.
    pub fn of_solver(target: &Target, settings: &Settings) -> Result<Space, InstallError> {
        let options = solver::options::catalogue(target, settings)?;
        Ok(space_of(&options, &target.profile.at(&target.version).options))
    }
}

/// The values of an option and its default; `None` for one that cannot be varied.
fn values(kind: &OptionKind, default: &str) -> Option<(KnobKind, Value)> {
    match kind {
        OptionKind::Bool => Some((KnobKind::Bool, Value::Bool(default.parse().ok()?))),
        OptionKind::Int { min, max } => {
            let max = max.map_or(i64::from(i32::MAX), |max| i64::try_from(max).unwrap_or(i64::MAX));
            let min = min.unwrap_or(0);
            let default: i64 = default.parse().ok()?;
            (min < max).then_some((KnobKind::Int { min, max }, Value::Int(default.clamp(min, max))))
        }
        OptionKind::Real { min, max } => {
            let default: f64 = default.parse().ok()?;
            let reach = if default == 0.0 { REAL_REACH } else { default.abs() * REAL_REACH };
            let (min, max) = (min.unwrap_or(0.0), max.unwrap_or(reach));
            (min < max).then_some((KnobKind::Real { min, max }, Value::Real(default.clamp(min, max))))
        }
        OptionKind::Enum { values } => {
            let position = values.iter().position(|value| value == default);
            (values.len() > 1).then(|| (KnobKind::Words(values.clone()), Value::Word(position)))
        }
        OptionKind::String | OptionKind::Symbol | OptionKind::Void => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver::Profile;

    fn option(name: &str, kind: OptionKind, default: &str, level: Option<Level>) -> OptionInfo {
        let (name, default) = (name.to_owned(), Some(default.to_owned()));
        OptionInfo { name, aliases: Vec::new(), module: None, kind, default, help: String::new(), level }
    }

    #[test]
    fn only_options_that_keep_the_question_are_searched() {
        let int = OptionKind::Int { min: Some(0), max: Some(6) };
        let modes = OptionKind::Enum { values: ["all", "eqs", "none"].map(str::to_owned).to_vec() };
        // The solver, the option, and whether it is searched.
        let table = [
            ("z3", option("smt.arith.solver", int.clone(), "6", None), true),
            ("z3", option("rewriter.elim_and", OptionKind::Bool, "false", None), true),
            ("z3", option("timeout", int.clone(), "0", None), false),
            ("z3", option("smt.arith.ignore_int", OptionKind::Bool, "false", None), false),
            ("z3", option("smt.threads", int.clone(), "1", None), false),
            ("z3", option("pp.decimal", OptionKind::Bool, "false", None), false),
            ("z3", option("smt.logic", OptionKind::Symbol, "", None), false),
            ("z3", option("sat.euf", OptionKind::Bool, "false", None), true),
            ("z3", option("smt.string_solver", OptionKind::Symbol, "seq", None), true),
            ("cvc5", option("strings-exp", OptionKind::Bool, "false", Some(Level::Common)), true),
            ("cvc5", option("nl-ext", OptionKind::Bool, "false", Some(Level::Regular)), true),
            ("cvc5", option("cegqi", OptionKind::Bool, "false", Some(Level::Expert)), false),
            ("cvc5", option("unate-lemmas", modes, "all", Some(Level::Expert)), true),
            ("cvc5", option("rlimit", int, "0", Some(Level::Common)), false),
        ];
        for (solver, option, searched) in table {
            let rules = Profile::built_in(solver).unwrap().options.clone();
            let space = space_of(std::slice::from_ref(&option), &rules);
            assert_eq!(space.knobs.len(), usize::from(searched), "{}", option.name);
            let alone = option.level == Some(Level::Regular);
            assert!(space.knobs.iter().all(|knob| knob.alone == alone), "{}", option.name);
        }
        let rules = Profile::built_in("z3").unwrap().options.clone();
        let arithmetic =
            option("smt.arith.solver", OptionKind::Int { min: Some(0), max: Some(6) }, "6", None);
        let space = space_of(&[arithmetic], &rules);
        assert_eq!(space.knobs[0].kind, KnobKind::Words(vec!["2".to_owned(), "6".to_owned()]));
        assert_eq!(space.knobs[0].default, Value::Word(Some(1)));
        // The default tactic is none of the listed ones.
        let tactic =
            OptionInfo { default: None, ..option("tactic.default_tactic", OptionKind::Symbol, "", None) };
        let space = space_of(&[tactic], &rules);
        assert_eq!(space.knobs[0].default, Value::Word(None));
        let form = &rules.form;
        let value = space.knobs[0].text(Value::Word(Some(2))).unwrap();
        assert_eq!(value, "(then simplify smt)");
        let command = form.command("tactic.default_tactic", &value);
        assert_eq!(command.as_deref(), Some("(set-option :tactic.default_tactic |(then simplify smt)|)"));
        let argument = form.argument("tactic.default_tactic", &value);
        assert_eq!(argument, "tactic.default_tactic=(then simplify smt)");
    }
}
