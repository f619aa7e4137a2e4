use super::*;
use crate::oracle::Evaluated;
use crate::oracle::tests::saw;
use solver::run::Piece;

/// A run that printed these responses to the command of an oracle, and perhaps a model.
fn printed(kind: Statement, results: &[&str], model: Option<&str>) -> Observation {
    let answers_before = usize::from(model.is_some());
    let piece = |kind: PieceKind, text: &str| Piece { kind, answers_before, text: text.to_owned() };
    let responses = oracle_for(kind).description().responses;
    let mut pieces: Vec<Piece> = model.iter().map(|text| piece(PieceKind::Model, text)).collect();
    pieces.extend(results.iter().map(|text| piece(responses, text)));
    let answers = if model.is_some() { "s" } else { "" };
    Observation { pieces, ..saw(answers, Outcome::Answered) }
}

fn wrong(kind: Statement, script: &str, results: &[&str], model: Option<&str>) -> Option<WrongStatement> {
    oracle_for(kind).wrong(&mut Evaluated::default(), script, &printed(kind, results, model))
}

#[test]
fn every_kind_has_its_oracle() {
    for kind in Statement::ALL {
        assert_eq!(oracle_for(kind).description().kind, kind);
    }
}

#[test]
fn simplified_terms_have_the_value_of_their_term() {
    // Declarations, a term, what a solver prints for it, and whether that is wrong.
    let table = [
        ("(declare-const x Int)", "(+ x 1 1)", "(+ 2 x)", false),
        ("(declare-const x Int)", "(+ x 1 1)", "(+ 3 x)", true),
        ("(declare-const x Int)", "(> (* 2 x) 4)", "(not (<= x 2))", false),
        ("(declare-const x Int)", "(> (* 2 x) 4)", "(not (<= x 3))", true),
        // The standard leaves the value open, and any choice will do.
        ("(declare-const x Int)", "(div x 0)", "5", false),
        ("(declare-const x Int)", "(= (div x 0) (div x 0))", "true", false),
        ("(declare-const x Int)", "(= (div x 0) (div x 0))", "false", true),
        ("(declare-const a (_ BitVec 8))", "(bvmul a #x02)", "(bvshl a #x01)", false),
        ("(declare-const a (_ BitVec 8))", "(bvudiv a #x00)", "#x00", true),
        ("(declare-const f (_ FloatingPoint 5 11))", "(fp.eq f f)", "true", true),
        ("(declare-const f (_ FloatingPoint 5 11))", "(= f f)", "true", false),
        ("(declare-const s String)", "(str.len (str.++ s \"ab\"))", "(+ 2 (str.len s))", false),
        ("(declare-const s String)", "(str.prefixof \"ab\" s)", "(str.contains s \"ab\")", true),
        ("(declare-const q (Seq Int))", "(seq.len (seq.++ q q))", "(seq.len q)", true),
        (
            "(declare-const a (Array Int Int))(declare-const i Int)",
            "(select (store a i 1) i)",
            "(select a i)",
            true,
        ),
        (
            "(declare-datatypes ((L 0)) (((e) (k (h Int) (t L)))))(declare-const l L)",
            "((_ is k) l)",
            "(not ((_ is e) l))",
            false,
        ),
        (
            "(declare-datatypes ((L 0)) (((e) (k (h Int) (t L)))))(declare-const l L)",
            "((_ is k) l)",
            "((_ is e) l)",
            true,
        ),
        ("(declare-sort U 0)(declare-const a U)(declare-const b U)", "(= a b)", "true", true),
        ("(declare-fun g (Int) Int)", "(= (g 1) (g 2))", "(= (g 2) (g 1))", false),
        // Blanks count in strings.
        ("(declare-const s String)", "(str.++ s \"  a\" \"\")", "(str.++ s\n  \"  a\")", false),
        // Not a term, of another sort, or with a string that old releases read differently.
        ("(declare-const x Int)", "(+ x 1)", "...", false),
        ("(declare-const x Int)", "(+ x 1)", "\"a\"", false),
        ("(declare-const s String)", "(str.++ s \"a\")", "\"\\x41\"", false),
        // With an assertion, the result may depend on it.
        ("(declare-const x Int)(assert (= x 0))", "(+ x 1)", "1", false),
    ];
    for (declarations, term, result, expected) in table {
        for (kind, command) in [(Statement::Simplify, "simplify"), (Statement::Printing, "display")] {
            let script = format!("{declarations}({command} {term})");
            let found = wrong(kind, &script, &[result], None);
            assert_eq!(found.is_some(), expected, "{term} => {result}: {found:?}");
        }
    }
}

#[test]
fn the_wrong_one_of_several_is_named() {
    let script = "(declare-const x Int)(simplify (+ x 0))(simplify (* x 1))(simplify (- x x))";
    let found = wrong(Statement::Simplify, script, &["x", "(- x)", "0"], None).unwrap();
    assert_eq!((found.number, found.misstatement.said.as_str()), (1, "simplifies (* x 1) to (- x)"));
    let oracle = oracle_for(Statement::Simplify);
    // A result that cannot be read says nothing, and the others are right.
    let verdict = |results: &[&str]| {
        oracle.judge(&mut Evaluated::default(), script, &printed(Statement::Simplify, results, None))
    };
    assert_eq!(verdict(&["x", "x", "0"]), StatementVerdict::Right);
    assert_eq!(verdict(&["x", "...", "0"]), StatementVerdict::Undetermined);
    // A missing result, or a run that did not end well.
    assert_eq!(verdict(&["x", "(- x)"]), StatementVerdict::Undetermined);
    let late =
        Observation { outcome: Outcome::Timeout, ..printed(Statement::Simplify, &["x", "(- x)", "0"], None) };
    assert_eq!(oracle.judge(&mut Evaluated::default(), script, &late), StatementVerdict::Undetermined);
    assert_eq!(
        oracle.alone(script, found.number).as_deref(),
        Some("(declare-const x Int)\n(simplify (* x 1))\n")
    );
}

#[test]
fn goals_have_the_solutions_of_the_assertions() {
    let script = "(declare-const x Int)(assert (< x 3))(assert (or (= x 1) (> x 1)))(apply split-clause)";
    let goal = |formulas: &str| format!("(goal {formulas} :precision precise :depth 1)");
    let table = [
        (format!("(goals {} {})", goal("(< x 3) (= x 1)"), goal("(< x 3) (> x 1)")), false),
        (format!("(goals {})", goal("(<= x 2) (>= x 1)")), false),
        (format!("(goals {})", goal("(<= x 2)")), true),
        (format!("(goals {})", goal("false")), true),
        ("(goals)".to_owned(), true),
        (format!("(goals {})", goal("")), true),
        // It does not promise the same solutions.
        ("(goals (goal (<= x 2) :precision over :depth 1))".to_owned(), false),
        (format!("(goals {})", goal("(<= k!0 2)")), false),
        ("nonsense".to_owned(), false),
    ];
    for (goals, expected) in table {
        let found = wrong(Statement::Apply, script, &[&goals], None);
        assert_eq!(found.is_some(), expected, "{goals}: {found:?}");
    }
    // A reduced script need not declare the variable.
    let reduced = "(declare-const y Bool)(assert (exists ((x Bool)) (= x y)))(apply qe)";
    let judged = |goal: &str| {
        let goals = format!("(goals (goal {goal} :precision precise :depth 1))");
        let seen = printed(Statement::Elimination, &[&goals], None);
        oracle_for(Statement::Elimination).judge(&mut Evaluated::default(), reduced, &seen)
    };
    assert_eq!(judged(""), StatementVerdict::Right);
    assert!(matches!(judged("y"), StatementVerdict::Wrong(_)));
}

#[test]
fn values_are_those_under_the_model() {
    let script = "(declare-const x Int)(declare-const y Int)(assert (< x y))(check-sat)(get-model)\
                  (get-value ((+ x y)))(get-value ((div x 0)))";
    let model = Some("((define-fun x () Int 2)\n(define-fun y () Int 3))");
    let table = [
        (["(((+ x y) 5))", "(((div x 0) 7))"], model, None),
        (["(((+ x y) 6))", "(((div x 0) 7))"], model, Some("gives (+ x y) the value 6")),
        (["(((+ x y) 6))", "(((div x 0) 7))"], None, None),
        (["((x 5) (y 6))", "(((div x 0) 7))"], model, None),
        (["(((+ x y) \"a\"))", "(((div x 0) 7))"], model, None),
    ];
    for (results, model, expected) in table {
        let found = wrong(Statement::Values, script, &results, model);
        assert_eq!(found.map(|wrong| wrong.misstatement.said).as_deref(), expected, "{results:?}");
    }
}

#[test]
fn evaluations_and_assignments_are_those_under_the_model() {
    let script = "(declare-const x Int)(define-fun q () Bool (> x 5))(assert (! (> x 1) :named a))\
                  (assert (or true (and (! (< x 2) :named |b c|) (! (or (! (= x 2) :named d) false) :named e))))\
                  (check-sat)(get-model)(eval (+ x 1))(get-assignment)(get-value (x))";
    let table = [
        ("3", "((a true) (|b c| false) (d true) (e true))", "((x 2))", None),
        ("4", "((a true) (|b c| false))", "((x 2))", Some("gives (+ x 1) the value 4")),
        ("3", "((a true) (|b c| true))", "((x 2))", Some("gives (< x 2) the value true")),
        ("3", "((|d| false) (a true))", "((x 2))", Some("gives (= x 2) the value false")),
        ("3", "()", "((x 3))", Some("gives x the value 3")),
        // A term instead of a value, names of other things, and responses that cannot be read.
        ("(+ 1 x)", "((a true) (q true) (other false))", "((x 2))", None),
        ("(+ 1 k!0)", "((a undef))", "((x 2))", None),
        ("3", "(a)", "((x 2))", None),
    ];
    let model = Some("((define-fun x () Int 2))");
    for (evaluated, assignment, value, expected) in table {
        let found = wrong(Statement::Values, script, &[evaluated, assignment, value], model);
        let said = found.map(|wrong| wrong.misstatement.said);
        assert_eq!(said.as_deref(), expected, "{evaluated} {assignment} {value}");
    }
    let alone = oracle_for(Statement::Values).alone(script, 1).unwrap();
    assert!(alone.ends_with("(get-model)\n(get-assignment)\n"), "{alone}");
}

#[test]
fn the_model_attains_the_optimum_and_nothing_is_better() {
    let table = [
        ("Int", "(<= 1 x 9)", "minimize", "1", "1", false),
        ("Int", "(<= 1 x 9)", "minimize", "1", "2", true),
        ("Int", "(<= 1 x 9)", "minimize", "2", "2", true),
        ("Int", "(<= 1 x 9)", "maximize", "9", "9", false),
        ("Int", "(<= 1 x 9)", "maximize", "5", "5", true),
        ("Int", "(<= 1 x)", "maximize", "oo", "5", false),
        ("Real", "(< x 2.0)", "maximize", "(+ 2.0 (* (- 1.0) epsilon))", "1.0", false),
        ("Real", "(<= x 2.0)", "maximize", "2.0", "2.0", false),
        ("Real", "(<= x 2.0)", "maximize", "1.0", "1.0", true),
        // There is no best value, and a solver need not come near.
        ("Real", "(< x 2.0)", "maximize", "1.0", "1.0", false),
        ("Real", "(not (>= x 2.0))", "maximize", "1.0", "1.0", false),
        ("Real", "(or (<= x 1.0) (distinct x 2.0))", "maximize", "1.0", "1.0", false),
        ("Real", "(not (> x 2.0))", "maximize", "1.0", "1.0", true),
        ("Real", "(< x 2.0)", "maximize", "1.0", "0.0", true),
        ("(_ BitVec 4)", "(distinct x #x0)", "minimize", "1", "#x1", false),
        ("(_ BitVec 4)", "(distinct x #x0)", "maximize", "15", "#xf", false),
        ("(_ BitVec 4)", "(distinct x #x0)", "maximize", "7", "#x7", true),
    ];
    for (sort, assertion, direction, best, value, expected) in table {
        let script = format!(
            "(declare-const x {sort})(assert {assertion})({direction} x)(check-sat)(get-model)(get-objectives)"
        );
        let model = format!("((define-fun x () {sort} {value}))");
        let objectives = format!("(objectives\n (x {best})\n)");
        let found = wrong(Statement::Optimum, &script, &[&objectives], Some(&model));
        assert_eq!(found.is_some(), expected, "{direction} {best} {value}: {found:?}");
    }
}

#[test]
fn several_objectives_are_combined_as_the_script_says() {
    // 0 <= x, y <= 5 and x + y <= 7, with objectives.
    let both = "(maximize x)(maximize y)";
    let soft =
        "(assert-soft (< x 3) :weight 2 :id a)(assert-soft (= x y) :weight 0.5 :id a)(assert-soft (> x 9))";
    // The priority, the objectives, the models as x and y, the values, and whether they are wrong.
    type Row<'r> = (&'r str, &'r str, &'r [(u32, u32)], &'r str, bool);
    let table: &[Row<'_>] = &[
        ("lex", both, &[(5, 2)], "(x 5) (y 2)", false),
        ("lex", both, &[(5, 2)], "(x 5) (y 1)", true),
        ("lex", both, &[(5, 1)], "(x 5) (y 1)", true),
        ("lex", both, &[(2, 4)], "(x 2) (y 4)", true),
        ("lex", both, &[(5, 0)], "(x 5) (y oo)", false),
        ("lex", both, &[(2, 5)], "(x oo) (y 5)", false),
        ("box", both, &[(5, 0), (0, 5)], "(x 5) (y 5)", false),
        ("box", both, &[(5, 0), (5, 0)], "(x 5) (y 5)", true),
        ("box", both, &[(5, 0), (3, 3)], "(x 5) (y 3)", true),
        ("box", both, &[(5, 0), (3, 4)], "(x 5) (y oo)", false),
        ("pareto", both, &[(5, 2)], "(x 5) (y 2)", false),
        ("pareto", both, &[(3, 4)], "(x 3) (y 4)", false),
        ("pareto", both, &[(3, 3)], "(x 3) (y 3)", true),
        ("pareto", both, &[(3, 3)], "(x 3) (y 4)", true),
        ("pareto", both, &[(3, 3)], "(x 3) (y oo)", false),
        ("lex", soft, &[(2, 2)], "(a 0) ( 1)", false),
        ("lex", soft, &[(2, 1)], "(a (/ 1.0 2.0)) ( 1)", true),
        ("lex", soft, &[(2, 1)], "(a 0) ( 1)", true),
        ("lex", soft, &[(2, 2)], "(a 0) ( 0)", true),
        ("lex", soft, &[(2, 2)], "(a (interval 0 2)) ( 1)", false),
        ("box", soft, &[(2, 2), (2, 1)], "(a 0) ( 1)", false),
        ("box", soft, &[(2, 2), (2, 1)], "(a 2) ( 1)", true),
        // Values for other objectives, and priorities that we do not know.
        ("lex", both, &[(5, 1)], "(x 5)", false),
        ("other", both, &[(5, 1)], "(x 5) (y 1)", false),
    ];
    let mut others = Vec::new();
    for (priority, objectives, models, values, expected) in table {
        let asked: String = match models.len() {
            1 => "(get-model)".to_owned(),
            count => (0..count).map(|index| format!("(get-model {index})")).collect(),
        };
        let script = format!(
            "(set-option :opt.priority {priority})(declare-const x Int)(declare-const y Int)(assert (<= 0 x 5))\
             (assert (<= 0 y 5))(assert (<= (+ x y) 7)){objectives}(check-sat){asked}(get-objectives)"
        );
        let piece = |kind: PieceKind, text: String| Piece { kind, answers_before: 1, text };
        let model = |(x, y): &(u32, u32)| {
            piece(PieceKind::Model, format!("((define-fun x () Int {x})(define-fun y () Int {y}))"))
        };
        let mut pieces: Vec<Piece> = models.iter().map(model).collect();
        pieces.push(piece(PieceKind::Objectives, format!("(objectives {values})")));
        let seen = Observation { pieces, ..saw("s", Outcome::Answered) };
        let found = oracle_for(Statement::Optimum).wrong(&mut Evaluated::default(), &script, &seen);
        if found.is_some() != *expected {
            others.push(format!("{priority} {models:?} {values}: {found:?}"));
        }
    }
    assert_eq!(others, [""; 0]);
}

#[test]
fn all_priorities_and_soft_assertions_are_asked_for() {
    let z3 = Profile::built_in("z3").unwrap();
    let oracle = oracle_for(Statement::Optimum);
    let questions: Vec<String> = (0..60)
        .filter_map(|number| {
            let case = format!(
                "(declare-const x Int)(declare-const y Int)(assert (< (+ x {number}) (* 2 y)))(check-sat)"
            );
            oracle.question(&case, None, &z3)
        })
        .collect();
    let words =
        ["priority lex", "priority box", "priority pareto", "(get-model 1)", "(assert-soft", ":id g2"];
    for word in words {
        assert!(questions.iter().any(|question| question.contains(word)), "{word}");
    }
    assert!(questions.iter().any(|question| !question.contains("priority")));
    for question in &questions {
        assert_eq!(question.contains("priority box"), question.contains("(get-model 0)"), "{question}");
    }
}

#[test]
fn questions_are_asked_where_they_make_sense() {
    let z3 = Profile::built_in("z3").unwrap();
    let cvc5 = Profile::built_in("cvc5").unwrap();
    let case = "(set-logic ALL)(declare-const x Int)(assert (< (+ x 1) 2))(check-sat)";
    let asked = |kind: Statement, case: &str, solver: &Profile| oracle_for(kind).question(case, None, solver);
    let header = "(set-logic ALL)\n(declare-const x Int)\n";
    let deep = "(set-option :pp.max_depth 100000)\n";
    assert_eq!(
        asked(Statement::Simplify, case, &z3),
        Some(format!("{deep}{header}(simplify (+ x 1))\n(simplify (< (+ x 1) 2))\n"))
    );
    assert_eq!(
        asked(Statement::Printing, case, &z3),
        Some(format!("{deep}{header}(display (+ x 1))\n(display (< (+ x 1) 2))\n"))
    );
    assert_eq!(asked(Statement::Printing, case, &cvc5), None);
    let values = asked(Statement::Values, case, &cvc5).unwrap();
    assert!(
        values.ends_with("(get-value ((+ x 1)))\n(get-value ((< (+ x 1) 2)))\n(get-value (x))\n"),
        "{values}"
    );
    let optimum = asked(Statement::Optimum, case, &z3).unwrap();
    assert!(optimum.ends_with("(get-objectives)\n"), "{optimum}");
    let apply = asked(Statement::Apply, case, &z3).unwrap();
    assert!(apply.contains("(assert (< (+ x 1) 2))\n(apply "), "{apply}");
    // Terms with free variables and quantifiers, several checks, nonlinear objectives, and scripts that are none.
    let quantified = "(declare-const p Bool)(assert (or p (forall ((y Int)) (= y (- 3 2)))))(check-sat)";
    assert_eq!(
        asked(Statement::Simplify, quantified, &z3),
        Some(format!("{deep}(declare-const p Bool)\n(simplify (- 3 2))\n"))
    );
    let several = "(declare-const x Int)(assert (< (+ x 1) 2))(check-sat)(assert (> x 0))(check-sat)";
    assert_eq!(asked(Statement::Values, several, &z3), None);
    let nonlinear = "(declare-const x Int)(assert (< (* x x) 2))(check-sat)";
    assert_eq!(asked(Statement::Optimum, nonlinear, &z3), None);
    for kind in Statement::ALL {
        assert_eq!(asked(kind, "(declare-const p Bool)(assert", &z3), None, "{kind}");
    }
}

#[test]
fn formulas_for_a_goal_imply_it() {
    let start = "(declare-const x Int)(declare-const y Int)(assert (> x 5))";
    let interpolant = format!("{start}(get-interpolant f (> x 2))");
    let abduct = format!("{start}(get-abduct |a f| (> y 3))");
    let grammar = "((B Bool) (I Int)) ((B Bool ((<= I I) (= I I) (not B))) (I Int (x y 4)))";
    let chosen = format!("{start}(get-abduct f (> y 3) {grammar})");
    let between = format!("{start}(get-interpolant f (> x 2) {grammar})");
    // The kind, the script, the formula, and whether it is wrong.
    let table = [
        (Statement::Interpolant, &interpolant, "(> x 3)", false),
        (Statement::Interpolant, &interpolant, "(> x 5)", false),
        (Statement::Interpolant, &interpolant, "(> x 100)", true),
        (Statement::Interpolant, &interpolant, "(> x 1)", true),
        (Statement::Interpolant, &interpolant, "(and (> x 3) (= y y))", true),
        (Statement::Interpolant, &interpolant, "(> z 3)", false),
        (Statement::Abduct, &abduct, "(> y 4)", false),
        (Statement::Abduct, &abduct, "(>= y x)", false),
        (Statement::Abduct, &abduct, "false", false),
        (Statement::Abduct, &abduct, "(> y 1)", true),
        (Statement::Abduct, &abduct, "true", true),
        (Statement::Abduct, &chosen, "(<= 4 y)", false),
        (Statement::Abduct, &chosen, "(<= x x)", true),
        (Statement::Interpolant, &between, "(<= 4 x)", false),
        (Statement::Interpolant, &between, "(not (<= x y))", true),
        // A grammar may have symbols that are not on both sides.
        (Statement::Interpolant, &between, "(and (<= 4 x) (= y y))", false),
    ];
    for (kind, script, formula, expected) in table {
        let response = format!("(define-fun f () Bool {formula})");
        let found = wrong(kind, script, &[&response], None);
        assert_eq!(found.is_some(), expected, "{kind} {formula}: {found:?}");
        assert!(wrong(kind, script, &["fail"], None).is_none());
    }
    // A solver may take definitions for assertions, so that their symbols are on both sides.
    let defined = format!("{start}(define-fun goal () Bool (or (> x 2) (> y 0)))(get-interpolant f goal)");
    assert!(wrong(Statement::Interpolant, &defined, &["(define-fun f () Bool goal)"], None).is_none());
    let found =
        wrong(Statement::Interpolant, &interpolant, &["(define-fun f () Bool (> x 100))"], None).unwrap();
    assert_eq!(found.misstatement.said, "says that the interpolant (> x 100) follows from the assertions");
}

#[test]
fn eliminated_quantifiers_keep_the_solutions() {
    let declared = "(declare-const x Int)(declare-const y Int)";
    let formula = "(exists ((x Int)) (and (< 0 x) (< x y)))";
    let table = [
        ("(> y 1)", false),
        ("(not (<= y 1))", false),
        (formula, false),
        ("(> y 7)", true),
        ("false", true),
        ("(> y k!0)", false),
    ];
    for (result, expected) in table {
        let by_command = format!("{declared}(get-qe {formula})");
        let found = wrong(Statement::Elimination, &by_command, &[result], None);
        assert_eq!(found.is_some(), expected, "{result}: {found:?}");
        let by_tactic = format!("{declared}(assert {formula})(apply qe)");
        let goals = format!("(goals (goal {result} :precision precise :depth 1))");
        let found = wrong(Statement::Elimination, &by_tactic, &[&goals], None);
        assert_eq!(found.is_some(), expected, "{goals}: {found:?}");
    }
}

#[test]
fn learned_literals_follow_from_the_assertions() {
    let script = "(declare-const x Int)(assert (> x 5))(check-sat)(get-learned-literals :input)";
    let table = [
        ("((>= x 6))", false),
        ("(\n(not (= x 5))\n(>= x 6)\n)", false),
        ("()", false),
        ("((>= x 8))", true),
        ("((>= x 6) (= x 0))", true),
        // A name of the solver's own.
        ("((= x @purify_1))", false),
    ];
    for (literals, expected) in table {
        let found = wrong(Statement::Learned, script, &[literals], Some("((define-fun x () Int 6))"));
        assert_eq!(found.is_some(), expected, "{literals}: {found:?}");
    }
}

#[test]
fn further_formulas_for_a_goal_imply_it_too() {
    let start = "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 5))\n";
    let formulas = |texts: &[&str]| -> Vec<String> {
        texts.iter().map(|text| format!("(define-fun f () Bool {text})")).collect()
    };
    // The command and its goal, three formulas, and which one is wrong.
    let table = [
        ("get-interpolant", "(> x 2)", ["(> x 3)", "(> x 4)", "(> x 5)"], None),
        ("get-interpolant", "(> x 2)", ["(> x 3)", "(> x 7)", "(> x 5)"], Some(1)),
        ("get-interpolant", "(> x 2)", ["(> x 3)", "(> x 4)", "(> y 5)"], Some(2)),
        ("get-abduct", "(> y 3)", ["(> y 4)", "false", "(>= y x)"], None),
        ("get-abduct", "(> y 3)", ["(> y 4)", "(>= y x)", "true"], Some(2)),
        ("get-abduct", "(> y 3)", ["true", "(> y 4)", "(> y 5)"], Some(0)),
    ];
    for (command, goal, texts, expected) in table {
        let kind = if command == "get-abduct" { Statement::Abduct } else { Statement::Interpolant };
        let script = format!("{start}({command} f {goal})\n({command}-next)\n({command}-next)\n");
        let formulas = formulas(&texts);
        let results: Vec<&str> = formulas.iter().map(String::as_str).collect();
        let found = wrong(kind, &script, &results, None).map(|wrong| wrong.number);
        assert_eq!(found, expected, "{command} {texts:?}");
        // A formula goes on from those before it.
        let oracle = oracle_for(kind);
        let alone = oracle.alone(&script, 1).unwrap();
        assert_eq!(alone, format!("{start}({command} f {goal})\n({command}-next)\n"));
        let seen = printed(kind, &[results[0], "fail", results[2]], None);
        let reading = oracle.reading(&script, &seen).unwrap();
        assert_eq!(reading.count(), 2);
        assert_ne!(reading.judge(&mut Evaluated::default()), StatementVerdict::Right);
    }
}

#[test]
fn what_was_said_before_a_limit_counts() {
    let script = "(declare-const x Int)\n(simplify (+ x 0))\n(simplify (* x 1))\n(simplify (- x x))\n";
    let error = "(error \"line 3 column 1: out of memory\")\n";
    let timeout = || Outcome::Timeout;
    let failed = || Outcome::Error { message: "out of memory".to_owned() };
    let crash = || Outcome::Crash(case::Crash::signal(11));
    // The responses, the output, the outcome, and how many statements can be checked.
    type Row<'r> = (&'r [&'r str], String, Outcome, Option<usize>);
    let other = "(error \"line 1 column 1: out of memory\")\n";
    let table: [Row<'_>; 10] = [
        (&["x"], "x\n".to_owned(), timeout(), Some(1)),
        (&["x", "x"], "x\nx\n".to_owned(), timeout(), Some(2)),
        (&["x"], format!("x\n{error}"), failed(), Some(1)),
        (&["x"], format!("x\n{error}{error}"), timeout(), Some(1)),
        (&["x", "0"], format!("x\n{error}0\n"), failed(), Some(2)),
        (&["0"], format!("{error}0\n"), failed(), None),
        // The second response is cut off.
        (&["x", "(+"], "x\n(+\n".to_owned(), timeout(), Some(1)),
        (&["x", "1"], "x\n1".to_owned(), timeout(), Some(1)),
        // It is unknown which commands failed.
        (&["x", "0"], format!("x\n{other}0\n"), failed(), None),
        (&["x"], "x\n".to_owned(), crash(), None),
    ];
    for (results, stdout, outcome, expected) in table {
        let seen = Observation { stdout, outcome, ..printed(Statement::Simplify, results, None) };
        let count = oracle_for(Statement::Simplify).reading(script, &seen).map(|reading| reading.count());
        assert_eq!(count, expected, "{:?} {:?}", seen.stdout, seen.outcome);
    }
}

#[test]
fn a_tactic_that_fails_takes_nothing_from_the_others() {
    let script =
        "(declare-const x Int)\n(assert (> x 5))\n(apply qe)\n(apply simplify)\n(apply ctx-simplify)\n";
    let goals = |formula: &str| format!("(goals (goal {formula} :precision precise :depth 1))");
    let [right, other] = [goals("(>= x 6)"), goals("(>= x 7)")];
    let fails = "(error \"tactic failed: unsupported\")";
    let partial = "(error \"line 4 column 16: evaluation was only partial\")";
    // The output, and how many statements can be checked and which of them is wrong, if it is known which command said what.
    let table = [
        ([fails, &right, &other], Some((2, Some(2)))),
        ([&right, partial, &other], Some((2, Some(2)))),
        ([&other, partial, fails], Some((1, Some(0)))),
        ([&right, &right, fails], Some((2, None))),
        // The error of another command.
        ([partial, &right, &right], None),
    ];
    for (lines, expected) in table {
        let results: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with("(error")).collect();
        let stdout = format!("{}\n", lines.join("\n"));
        let outcome = Outcome::Error { message: "unsupported".to_owned() };
        let seen = Observation { stdout, outcome, ..printed(Statement::Apply, &results, None) };
        let reading = oracle_for(Statement::Apply).reading(script, &seen);
        let found = reading.map(|reading| {
            let verdict = reading.judge(&mut Evaluated::default());
            let wrong = match verdict {
                StatementVerdict::Wrong(wrong) => Some(wrong.number),
                StatementVerdict::Right | StatementVerdict::Undetermined => None,
            };
            (reading.count(), wrong)
        });
        assert_eq!(found, expected, "{}", seen.stdout);
    }
}

#[test]
fn every_block_counts() {
    let start = "(declare-const x Int)\n(assert (< 0 x 4))\n";
    let round = "(check-sat)\n(get-model)\n(get-value (x))\n(block-model-values (x))\n";
    let script = format!("{start}{}(check-sat)\n(get-model)\n", round.repeat(3));
    // The models in order, the last answer, how many statements can be checked, and which is wrong.
    let table: [(&[u32], char, usize, Option<usize>); 6] = [
        (&[1, 2, 3], 'u', 3, None),
        (&[1, 2], 'u', 2, Some(1)),
        (&[1, 2, 3, 1], 's', 3, Some(2)),
        (&[1, 1], 's', 1, Some(0)),
        (&[3, 2, 1], 's', 2, None),
        (&[1, 2], '?', 1, None),
    ];
    for (values, last, count, expected) in table {
        let mut pieces = Vec::new();
        for (at, value) in values.iter().enumerate() {
            let piece = |kind, text| Piece { kind, answers_before: at + 1, text };
            pieces.push(piece(PieceKind::Model, format!("((define-fun x () Int {value}))")));
            if at < 3 {
                pieces.push(piece(PieceKind::Values, format!("((x {value}))")));
            }
        }
        let answers = format!(
            "{}{}",
            "s".repeat(values.len()),
            if last == 's' { String::new() } else { last.to_string() }
        );
        let outcome = Outcome::Error { message: "cannot get value".to_owned() };
        let seen = Observation { pieces, stdout: "sat\n".to_owned(), ..saw(&answers, outcome) };
        let oracle = oracle_for(Statement::Blocking);
        let reading = oracle.reading(&script, &seen).unwrap();
        assert_eq!(reading.count(), count, "{values:?} {last}");
        let found = oracle.wrong(&mut Evaluated::default(), &script, &seen).map(|wrong| wrong.number);
        assert_eq!(found, expected, "{values:?} {last}");
    }
    let alone = oracle_for(Statement::Blocking).alone(&script, 0).unwrap();
    assert_eq!(alone, format!("{start}{round}(check-sat)\n(get-model)\n"));
}

#[test]
fn several_formulas_lose_their_quantifiers() {
    let declared = "(declare-const x Int)\n(declare-const y Int)\n";
    let formulas =
        ["(exists ((x Int)) (< 0 x y))", "(exists ((y Int)) (< x y))", "(exists ((x Int)) (< x y))"];
    let by_command: String = formulas.iter().map(|formula| format!("(get-qe {formula})\n")).collect();
    let by_tactic: String = formulas
        .iter()
        .map(|formula| format!("(push 1)\n(assert {formula})\n(apply qe)\n(pop 1)\n"))
        .collect();
    let table = [
        (["(> y 1)", "true", "true"], None),
        (["(> y 2)", "true", "true"], Some(0)),
        (["(> y 1)", "false", "true"], Some(1)),
        (["(> y 1)", "true", "(> y 0)"], Some(2)),
        (["nonsense", "true", "(> y 0)"], Some(2)),
    ];
    for (results, expected) in table {
        let script = format!("{declared}{by_command}");
        let found = wrong(Statement::Elimination, &script, &results, None).map(|wrong| wrong.number);
        assert_eq!(found, expected, "{results:?}");
        let goals = results.map(|result| format!("(goals (goal {result} :precision precise :depth 1))"));
        let goals: Vec<&str> = goals.iter().map(String::as_str).collect();
        let script = format!("{declared}{by_tactic}");
        let found = wrong(Statement::Elimination, &script, &goals, None).map(|wrong| wrong.number);
        assert_eq!(found, expected, "{results:?} by a tactic");
    }
}

#[test]
fn several_tactics_are_tried() {
    let z3 = Profile::built_in("z3").unwrap();
    let case = "(declare-const x Int)(assert (< x 3))(check-sat)";
    let question = oracle_for(Statement::Apply).question(case, None, &z3).unwrap();
    let tactics: Vec<&str> = question.lines().filter(|line| line.starts_with("(apply ")).collect();
    assert_eq!((tactics.len(), BTreeSet::from_iter(&tactics).len()), (12, 12), "{question}");
    let goal = |formula: &str| format!("(goals (goal {formula} :precision precise :depth 1))");
    let mut responses = vec![goal("(<= x 2)"); 12];
    responses[1] = "(goals (goal :precision over))".to_owned();
    responses[3] = goal("(< x 2)");
    let responses: Vec<&str> = responses.iter().map(String::as_str).collect();
    let found = wrong(Statement::Apply, &question, &responses, None).unwrap();
    assert_eq!(found.number, 3);
    let tactic = tactics[3].trim_start_matches("(apply ").strip_suffix(')').unwrap();
    assert_eq!(found.misstatement.said, format!("turns the assertions into (< x 2) by {tactic}"));
}

#[test]
fn blocked_values_do_not_come_again() {
    let start = "(declare-const x Int)(declare-const y Int)(assert (< 0 x 3))(check-sat)";
    let blocked = format!("{start}(get-value (x y))(block-model-values (x y))(check-sat)(get-model)");
    let other = format!("{start}(get-value (x y))(block-model-values (x))(check-sat)(get-model)");
    let one = format!("{start}(get-value ((> x 0)))(block-model-values ((> x 0)))(check-sat)(get-model)");
    let element = "(declare-sort U 0)(declare-const x Int)(declare-const e U)(check-sat)\
        (get-value (x e))(block-model-values (x e))(check-sat)(get-model)"
        .to_owned();
    let same_name = "((define-fun x () Int 1)(define-fun e () U (as @U_0 U)))";
    // The script, the values, the answers, the second model, and whether it is wrong.
    let table = [
        (&element, "((x 1) (e (as @U_0 U)))", "ss", same_name, false),
        (&blocked, "((x 1) (y 0))", "ss", "((define-fun x () Int 1)(define-fun y () Int 1))", false),
        (&blocked, "((x 1) (y 0))", "ss", "((define-fun x () Int 1)(define-fun y () Int 0))", true),
        (&blocked, "((x 1) (y 0))", "su", "", true),
        (&blocked, "((x 1) (y 0))", "s?", "", false),
        (&other, "((x 1) (y 0))", "ss", "((define-fun x () Int 1)(define-fun y () Int 0))", false),
        (&one, "(((> x 0) true))", "su", "", false),
        (&blocked, "((x x) (y y))", "su", "", false),
        (&one, "(((> x 0) true))", "ss", "((define-fun x () Int 2)(define-fun y () Int 0))", true),
    ];
    for (script, values, answers, model, expected) in table {
        let piece = |kind, text: &str| Piece { kind, answers_before: 1, text: text.to_owned() };
        let mut pieces = vec![piece(PieceKind::Values, values)];
        if !model.is_empty() {
            pieces.push(Piece { answers_before: 2, ..piece(PieceKind::Model, model) });
        }
        let seen = Observation { pieces, ..saw(answers, Outcome::Answered) };
        let found = oracle_for(Statement::Blocking).wrong(&mut Evaluated::default(), script, &seen);
        assert_eq!(found.is_some(), expected, "{values} {answers} {model}: {found:?}");
    }
}

#[test]
fn another_model_can_refute_a_statement() {
    let oracle = oracle_for(Statement::Simplify);
    let script = "(declare-const x Int)(simplify (+ x 2))(simplify (* x 2))";
    let seen = printed(Statement::Simplify, &["(+ 2 x)", "(ite (= (* 7 x) 544439) 0 (* 2 x))"], None);
    let mut judge = Evaluated::default();
    let reading = oracle.reading(script, &seen).unwrap();
    assert_eq!((reading.count(), reading.judge(&mut judge)), (2, StatementVerdict::Right));
    assert_eq!(
        reading.doubt().as_deref(),
        Some(
            "(declare-const x Int)\n\
             (assert (not (and (= (+ x 2) (+ 2 x)) (= (* x 2) (ite (= (* 7 x) 544439) 0 (* 2 x))))))\n(check-sat)\n"
        )
    );
    let mut refuted = |x: u32| {
        let model = format!("((define-fun x () Int {x}))");
        reading.refuted_by(&mut judge, &model).map(|wrong| wrong.number)
    };
    assert_eq!((refuted(77776), refuted(77777)), (None, Some(1)));
    // A value under the model of the run is not about every assignment.
    let values = printed(Statement::Values, &["((x 1))"], Some("((define-fun x () Int 1))"));
    let script = "(declare-const x Int)(assert (> x 0))(check-sat)(get-model)(get-value (x))";
    assert_eq!(oracle_for(Statement::Values).reading(script, &values).unwrap().doubt(), None);
}

#[test]
fn goals_constants_and_values_are_chosen() {
    let z3 = Profile::built_in("z3").unwrap();
    let cvc5 = Profile::built_in("cvc5").unwrap();
    let case = "(set-logic QF_LIA)(declare-const x Int)(assert (and (< x 2) (> x 3)))(check-sat)";
    let asked = |kind: Statement, solver: &Profile| oracle_for(kind).question(case, None, solver);
    let declared = "(set-logic QF_LIA)\n(declare-const x Int)\n";
    let interpolant = oracle_for(Statement::Interpolant).question(case, Some(Answer::Unsat), &cvc5).unwrap();
    let first = "(get-interpolant formula (not (> x 3)))\n(get-interpolant-next)\n(get-interpolant-next)\n";
    assert!(interpolant.contains(&format!("{declared}(assert (< x 2))\n{first}")), "{interpolant}");
    let abduct = asked(Statement::Abduct, &cvc5).unwrap();
    assert!(
        abduct.contains("\n(get-abduct formula (") && abduct.ends_with("\n(get-abduct-next)\n"),
        "{abduct}"
    );
    // The subterms first, then all assertions.
    let quantified =
        ["(< x 2)", "(> x 3)", "(and (< x 2) (> x 3))"].map(|body| format!("(exists ((x Int)) {body})"));
    let by_command = asked(Statement::Elimination, &cvc5).unwrap();
    assert!(
        by_command.starts_with(
            "(set-option :incremental true)\n(set-logic LIA)\n(declare-const x Int)\n(get-qe (exists"
        ),
        "{by_command}"
    );
    let by_tactic = asked(Statement::Elimination, &z3).unwrap();
    for formula in &quantified {
        assert!(by_command.contains(&format!("(get-qe {formula})\n")), "{by_command}");
        let tactics = "(apply qe-light)\n(apply qe)\n(apply qe2)\n(apply qe_rec)";
        let alone = format!("(push 1)\n(assert {formula})\n{tactics}\n(pop 1)\n");
        assert!(by_tactic.contains(&alone), "{by_tactic}");
    }
    assert!(by_command.ends_with(&format!("(get-qe {})\n", quantified[2])), "{by_command}");
    let learned = asked(Statement::Learned, &cvc5).unwrap();
    assert!(learned.contains("(check-sat)\n(get-learned-literals :preprocess)\n"), "{learned}");
    let blocking = asked(Statement::Blocking, &cvc5).unwrap();
    assert!(
        blocking.contains("(block-model-values (") && blocking.ends_with("(check-sat)\n(get-model)\n"),
        "{blocking}"
    );
    for kind in [Statement::Interpolant, Statement::Abduct, Statement::Learned, Statement::Blocking] {
        assert_eq!(asked(kind, &z3), None, "{kind}");
    }
}
