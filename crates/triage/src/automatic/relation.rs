//! Decides by their identities which findings are the same bug.

use super::identity::{Failure, Identity};
use crate::operators::{family, is_common, is_extension, is_theory, standard_name};
use case::Class;
use std::collections::BTreeSet;

/// How a finding relates to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// They are different bugs.
    None,
    /// The earlier one may explain it. So may others that are different bugs: a script can use two operators that are wrong.
    Explained,
    /// They are one bug.
    Same,
}

/// How to compare two findings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// They are surely one bug.
    Sure,
    /// They are likely one bug: operators of one family are equal.
    Likely,
}

impl Comparison {
    fn name(self, operator: &str) -> &str {
        match self {
            Comparison::Sure => standard_name(operator),
            Comparison::Likely => family(operator),
        }
    }
}

impl Identity {
    /// How this finding relates to an earlier one, which is listed or merged into one that is.
    pub fn relation(&self, other: &Identity, is_listed: bool) -> Relation {
        let how = Comparison::Likely;
        let errors = self.memory_error.as_ref().zip(other.memory_error.as_ref());
        let errors = errors.filter(|_| self.solver == other.solver);
        let has_same_calls = errors.is_some_and(|(one, two)| one.has_same_calls(two));
        let has_same_commands = !self.commands.is_empty() && self.commands == other.commands;
        let has_same_function =
            has_same_commands && errors.is_some_and(|(one, two)| one.has_same_function(two));
        let shares_extension = errors.is_some_and(|(one, two)| one.shares_extension(two));
        // A finding that was merged because of one operator says nothing about its others.
        let tells_culprit = is_listed || other.operators.len() == 1;
        let has_same_culprit = tells_culprit && self.has_same_culprit(other);
        let explains = is_listed && other.culprit(how).is_none() && self.explains(other, how);
        let is_same = self.is_equal(other, how) || has_same_culprit || self.has_same_tactic(other);
        if is_same || explains || has_same_calls || has_same_function {
            Relation::Same
        } else if shares_extension || (tells_culprit && other.explains(self, how)) {
            Relation::Explained
        } else {
            Relation::None
        }
    }

    fn has_same_culprit(&self, other: &Identity) -> bool {
        let how = Comparison::Likely;
        let culprits = self.culprit(how).zip(other.culprit(how));
        let is_equal = culprits.is_some_and(|(own, others)| how.name(own) == how.name(others));
        let fails_alike = self.fails_like(other) || other.fails_like(self);
        let has_core = self.has_core_of(other) || other.has_core_of(self);
        is_equal && (fails_alike || has_core) && !matches!(self.failure, Failure::Crash(_))
    }

    /// Whether both are wrong alike with the same tactic. It is wrong whatever the operators are.
    fn has_same_tactic(&self, other: &Identity) -> bool {
        let tactics = self.tactic().zip(other.tactic());
        tactics.is_some_and(|(own, others)| own == others)
            && self.fails_like(other)
            && self.has_same_answer(other)
    }

    /// Whether this is a wrong core, and the other a wrong answer of the same solver. A wrong axiom for an operator causes both.
    fn has_core_of(&self, other: &Identity) -> bool {
        self.failure == Failure::Other(Class::InvalidCore)
            && other.failure == Failure::Answer
            && self.solver == other.solver
    }

    /// Whether two findings are surely one bug: they fail alike on the same operators, or on a single one that both use.
    pub fn is_same_failure(&self, other: &Identity) -> bool {
        let how = Comparison::Sure;
        self.is_equal(other, how) || self.explains(other, how) || other.explains(self, how)
    }

    fn is_equal(&self, other: &Identity, how: Comparison) -> bool {
        let fails_alike = self.failure == other.failure && self.fails_like(other);
        fails_alike
            && self.is_alike(other, how)
            && (self.culprit(how).is_some() || self.has_same_answer(other))
    }

    /// Whether the answers may be wrong for the same reason. Losing solutions and inventing them are different faults, unless a single
    /// operator is computed wrongly.
    fn has_same_answer(&self, other: &Identity) -> bool {
        let answers = self.wrong_answer.zip(other.wrong_answer);
        answers.is_none_or(|(own, others)| own == others)
    }

    /// Whether the scripts are alike: by their operators, or by their unusual commands if all operators are common.
    fn is_alike(&self, other: &Identity, how: Comparison) -> bool {
        let mut all = self.operators.union(&other.operators);
        let has_same_operators = self.names(how) == other.names(how);
        match all.all(|name| is_common(name) || is_theory(name)) {
            true => self.commands == other.commands && (has_same_operators || !self.commands.is_empty()),
            false => has_same_operators,
        }
    }

    /// The operators as this comparison names them.
    fn names(&self, how: Comparison) -> BTreeSet<&str> {
        self.operators.iter().map(|name| how.name(name)).collect()
    }

    fn fails_like(&self, other: &Identity) -> bool {
        let is_consequence = self.failure.may_cause(&other.failure);
        let failure = self.failure == other.failure || is_consequence;
        failure && self.solver == other.solver && (self.options == other.options || is_consequence)
    }

    /// Whether the other finding is the same bug because its script uses the operator that makes this one fail.
    fn explains(&self, other: &Identity, how: Comparison) -> bool {
        !matches!(self.failure, Failure::Crash(_))
            && self.fails_like(other)
            && self.culprit(how).is_some_and(|culprit| other.names(how).contains(how.name(culprit)))
    }

    /// The operator to blame, unless it is a common one. A single operator is surely to blame. Otherwise it is likely the only one outside
    /// the standard, since the others are well tested. For wrong cores, and for models that the solver itself rejects, it is enough
    /// that only one operator is uncommon. If a script needs a tactic, the tactic is to blame.
    fn culprit(&self, how: Comparison) -> Option<&String> {
        let uncommon = || self.operators.iter().filter(|name| !is_common(name));
        let single = only(uncommon()).filter(|_| self.operators.len() == 1);
        let only_rare = only(uncommon().filter(|name| is_extension(name)));
        let is_minor = matches!(self.failure, Failure::Other(Class::InvalidModel | Class::InvalidCore));
        let likely = only_rare.or_else(|| only(uncommon()).filter(|_| is_minor));
        let blamed = single.or(likely.filter(|_| how == Comparison::Likely));
        blamed.filter(|_| self.tactic().is_none())
    }
}

/// The only item of an iterator; `None` if there are none or several.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Facts;
    use case::{Answer, Predicate};

    fn identity(failure: Failure, operators: &str) -> Identity {
        Identity {
            solver: "z3".to_owned(),
            failure,
            wrong_answer: None,
            options: Vec::new(),
            operators: operators.split_whitespace().map(str::to_owned).collect(),
            commands: Vec::new(),
            memory_error: None,
        }
    }

    fn answer(operators: &str) -> Identity {
        identity(Failure::Answer, operators)
    }

    #[test]
    fn a_single_rare_operator_explains_other_findings() {
        let table = [
            (answer("bvnego"), answer("bvadd bvnego"), true),
            (answer("bvnego"), answer("bvadd"), false),
            (answer("bvadd bvnego"), answer("bvadd bvnego bvsub"), false),
            (answer("+"), answer("+ mod"), false),
            (answer("< seq.last_indexof"), answer("seq.last_indexof seq.len"), true),
            (answer("< str.at"), answer("str.at str.len"), false),
            (answer("str.from_ubv str.is_digit"), answer("pble str.from_sbv"), true),
            (answer("pble str.from_ubv"), answer("str.from_ubv str.is_digit"), false),
            (answer("str.<"), answer("str.++ str.<="), true),
            (answer("mod"), answer("/ tan"), true),
            (answer("bvnego"), identity(Failure::Other(Class::InvalidCore), "bvnego"), false),
            (answer("bvnego"), identity(Failure::Other(Class::InvalidModel), "bvadd bvnego"), true),
            (identity(Failure::Other(Class::InvalidModel), "bvnego"), answer("bvadd bvnego"), false),
            (identity(Failure::Crash("a".to_owned()), "bvnego"), answer("bvnego bvadd"), false),
            (answer("bvxnor"), identity(Failure::Other(Class::WrongRewrite), "bvadd bvxnor"), true),
            (identity(Failure::Other(Class::WrongRewrite), "bvxnor"), answer("bvadd bvxnor"), true),
            (identity(Failure::Other(Class::WrongRewrite), "bvadd bvxnor"), answer("bvxnor"), false),
            (
                Identity { commands: vec!["(check-sat-using horn)".to_owned()], ..answer("bvnego") },
                answer("bvadd bvnego"),
                false,
            ),
        ];
        for (one, other, expected) in table {
            assert_eq!(one.explains(&other, Comparison::Likely), expected, "{one:?} {other:?}");
        }
    }

    #[test]
    fn an_operator_causes_wrong_answers_and_wrong_cores() {
        let core = identity(Failure::Other(Class::InvalidCore), "str.<= str.from_ubv");
        for (operators, expected) in
            [("str.from_sbv str.in_re", Relation::Same), ("str.in_re str.len", Relation::None)]
        {
            assert_eq!(core.relation(&answer(operators), true), expected, "{operators}");
            assert_eq!(answer(operators).relation(&core, true), expected, "{operators}");
        }
    }

    #[test]
    fn a_wrong_rewrite_and_a_wrong_answer_of_one_operator_are_one_bug() {
        let identity = |class, predicate: &str, script: &str| {
            let facts = Facts::new("", "z3", class, None, script);
            let clause = Predicate::parse(predicate).unwrap().clauses.remove(0);
            Identity::new(class, &clause, &facts, script)
        };
        let wrong =
            identity(Class::WrongUnsat, "z3 says unsat", "(assert (bvsmul_noovfl #b11 #b11))(check-sat)");
        for (term, expected) in
            [("(bvsmul_noovfl #b111 #b111)", Relation::Same), ("(bvxnor #b1 #b1 #b1)", Relation::None)]
        {
            let rewrite =
                identity(Class::WrongRewrite, "z3 simplifies wrongly", &format!("(simplify {term})"));
            assert_eq!(rewrite.relation(&wrong, true), expected, "{term}");
            assert_eq!(wrong.relation(&rewrite, true), expected, "{term}");
        }
    }

    #[test]
    fn rounding_modes_and_literals_do_not_tell_bugs_apart() {
        let identity = |assertion: &str| {
            let script = format!("(declare-const a (_ FloatingPoint 2 6))(assert {assertion})(check-sat)");
            let facts = Facts::new("", "z3", Class::InvalidModel, None, &script);
            let clause = Predicate::parse("z3 gives a wrong model").unwrap().clauses.remove(0);
            Identity::new(Class::InvalidModel, &clause, &facts, &script)
        };
        let one = identity("(= a (fp.div RTZ a ((_ to_fp 2 6) RTZ 2.0)))");
        for (assertion, expected) in [
            ("(= (fp.div RNE ((_ to_fp 2 6) RNE 1.0) a) (fp #b0 #b01 #b00000))", Relation::Same),
            ("(= a (fp.mul RTZ a ((_ to_fp 2 6) RTZ 2.0)))", Relation::None),
        ] {
            assert_eq!(identity(assertion).relation(&one, true), expected, "{assertion}");
        }
    }

    #[test]
    fn own_checks_and_cores_of_one_uncommon_operator_are_one_bug() {
        let own_check = |operators| identity(Failure::Other(Class::InvalidModel), operators);
        let table = [
            ("< seq.indexof", "seq.indexof seq.unit", Relation::Same),
            ("< seq.indexof", "seq.at seq.indexof", Relation::Explained),
            ("+ <", "+ -", Relation::None),
        ];
        for (one, other, expected) in table {
            assert_eq!(own_check(other).relation(&own_check(one), true), expected, "{one}, {other}");
        }
        assert_eq!(answer("< seq.indexof").relation(&answer("seq.indexof seq.unit"), true), Relation::None);
        let core = |operators| identity(Failure::Other(Class::InvalidCore), operators);
        assert_eq!(core("set.member to_int").relation(&core("> to_int"), true), Relation::Explained);
    }

    #[test]
    fn operators_of_one_family_are_equal() {
        let table = [
            (">=", "<", true),
            ("+ >=", "+ <", true),
            ("str.<", "<", false),
            ("fp.isNaN select", "fp.isNormal select", true),
            ("bvult", "bvslt", false),
            ("seq.indexof seq.unit", "str.indexof str.unit", true),
            ("seq.len", "str.at", false),
            ("> to_int", "< is_int", true),
        ];
        for (one, other, expected) in table {
            let relation = answer(one).relation(&answer(other), true);
            assert_eq!(relation == Relation::Same, expected, "{one}, {other}");
        }
    }

    #[test]
    fn wrong_sat_and_wrong_unsat_differ_unless_one_operator_is_to_blame() {
        let with = |operators, answer| Identity { wrong_answer: Some(answer), ..self::answer(operators) };
        for (operators, expected) in [("+ *", Relation::None), ("bvnego", Relation::Same)] {
            let (one, other) = (with(operators, Answer::Sat), with(operators, Answer::Unsat));
            assert_eq!(one.relation(&other, true), expected, "{operators}");
            assert_eq!(one.relation(&one, true), Relation::Same, "{operators}");
        }
    }

    #[test]
    fn unusual_commands_identify_scripts_with_common_operators() {
        let identity = |script: &str| {
            let facts = Facts::new("", "z3", Class::InvalidModel, None, script);
            let clause = Predicate::parse("z3 gives a wrong model").unwrap().clauses.remove(0);
            Identity::new(Class::InvalidModel, &clause, &facts, script)
        };
        let popped = |sort: &str, value: &str, assertion: &str| {
            format!(
                "(push 1)(define-fun x () {sort} {value})(pop 1)(declare-const x {sort})(assert {assertion})(check-sat)"
            )
        };
        let one = identity(&popped("Int", "1", "(>= 0 x)"));
        let table = [
            (popped("Bool", "true", "(not x)"), true),
            (popped("Int", "1", "(= x 0)"), true),
            ("(push 1)(assert (! true :named x))(pop 1)(declare-const x Bool)(assert (not x))(check-sat)".to_owned(), true),
            ("(set-option :produce-unsat-cores true)(declare-const x Bool)(assert (! x :named y))(check-sat)".to_owned(), false),
            (popped("Int", "1", "(= 0 (mod x 3))"), false),
            ("(declare-const x Int)(assert (> x 0))(check-sat)".to_owned(), false),
            ("(declare-const x Int)(assert (> x 0))(check-sat-using qflia)".to_owned(), false),
        ];
        let by_tactic = |operator: &str, tactic: &str| {
            identity(&format!(
                "(declare-const x Int)(assert (< 0 ({operator} x 3)))(check-sat-using {tactic})"
            ))
        };
        for (tactic, expected) in [("horn", Relation::Same), ("qflia", Relation::None)] {
            let relation = by_tactic("mod", "horn").relation(&by_tactic("*", tactic), true);
            assert_eq!(relation, expected, "{tactic}");
        }
        for (script, expected) in table {
            let relation = one.relation(&identity(&script), true);
            assert_eq!(relation == Relation::Same, expected, "{script}");
        }
    }

    #[test]
    fn a_script_with_two_wrong_operators_does_not_make_them_one_bug() {
        use Relation::{Explained, None, Same};
        // The new finding, an earlier one, whether that is listed, and how they relate.
        let table = [
            ("bvsmul_noovfl bvxnor", "bvxnor", true, Explained),
            ("bvsmul_noovfl bvxnor", "bvsmul_noovfl", true, Same),
            ("bvxnor", "bvsmul_noovfl bvxnor", true, None),
            ("bvxnor", "bvsmul_noovfl bvxnor", false, None),
            ("bvxnor", "bvugt bvxnor", true, Same),
            ("bvxnor", "bvugt bvxnor", false, None),
            ("bvugt bvxnor", "bvxnor", false, Explained),
            ("bvadd bvsmul_noovfl", "bvsmul_noovfl bvxnor", false, None),
        ];
        for (new, earlier, is_listed, expected) in table {
            let relation = answer(new).relation(&answer(earlier), is_listed);
            assert_eq!(relation, expected, "{new}, {earlier}, {is_listed}");
        }
    }
}
