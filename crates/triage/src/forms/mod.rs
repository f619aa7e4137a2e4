//! Forms of a script that ask the same question: other names, another order, terms shared or not. A solver must not contradict its
//! answer to one of them by its answer to another, and a model of one is a model of all.

mod arguments;
mod names;
mod structure;

use case::Step;
use names::Renaming;
use smt::{Arena, Command, Plain, Script, Signatures, parse_script};

/// A form of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Declared functions have other names.
    Renamed,
    /// The assertions are in reverse order.
    Reordered,
    /// The arguments of commutative operators are in reverse order.
    Commuted,
    /// Every `let` and every definition is expanded.
    Expanded,
    /// Repeated subterms are shared by `let`.
    Shared,
    /// Every assertion is the name of a definition.
    Defined,
    /// The logic is left out, or is `ALL` if there was none.
    OtherLogic,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 7] = [
        Form::Renamed,
        Form::Reordered,
        Form::Commuted,
        Form::Expanded,
        Form::Shared,
        Form::Defined,
        Form::OtherLogic,
    ];

    /// What it changes, as a step of a case.
    pub fn step(self) -> Step {
        let (action, before, after) = match self {
            Form::Renamed => ("rename", "the declared names", "other names"),
            Form::Reordered => ("reorder", "the assertions", "the same in reverse order"),
            Form::Commuted => {
                ("commute", "the arguments of commutative operators", "the same in reverse order")
            }
            Form::Expanded => ("expand", "let and definitions", "what they stand for"),
            Form::Shared => ("share", "repeated terms", "variables of a let"),
            Form::Defined => ("define", "the assertions", "names of definitions"),
            Form::OtherLogic => ("change", "the logic", "all logics"),
        };
        Step { action: action.into(), before: before.to_owned(), after: after.to_owned() }
    }
}

/// A script in a form.
pub struct InForm {
    /// The script.
    pub text: String,
    renaming: Renaming,
}

impl InForm {
    /// A model of the original as a model of this script.
    pub fn model(&self, original: &str) -> String {
        self.renaming.apply(original)
    }

    /// A model of this script as a model of the original.
    pub fn original_model(&self, model: &str) -> String {
        self.renaming.undo(model)
    }
}

/// A script in a form; `None` if it asks several questions, names terms, or has nothing that the form changes.
pub fn in_form(form: Form, text: &str) -> Option<InForm> {
    let mut arena = Arena::new(Signatures::standard());
    let script = parse_script(&mut arena, text).ok()?;
    if !asks_once(&script) || text.contains(":named") || text.contains('\\') {
        return None;
    }
    let before = arena.script_text(&script);
    let mut renaming = Renaming::default();
    let after = match form {
        Form::Renamed => {
            renaming = Renaming::of(&arena, &script, &before);
            renaming.apply(&before)
        }
        Form::Reordered => structure::reordered(&arena, &script),
        Form::Commuted => arguments::commuted(&mut arena, &script),
        Form::Expanded => structure::expanded(&mut arena, &script),
        Form::Shared => structure::shared(&mut arena, &script),
        Form::Defined => structure::defined(&arena, &script),
        Form::OtherLogic => structure::other_logic(&arena, &script),
    };
    // A declaration may come after an assertion that is moved before it.
    let is_typed = parse_script(&mut Arena::new(Signatures::standard()), &after).is_ok();
    (is_typed && after != before).then_some(InForm { text: after, renaming })
}

/// Whether a script has one plain check, about all of its assertions.
fn asks_once(script: &Script) -> bool {
    let checks = script.commands.iter().filter(|command| command.is_check()).count();
    let is_plain = |command: &Command| match command {
        Command::CheckSatAssuming(_)
        | Command::CheckSatUsing(_)
        | Command::Push(_)
        | Command::Pop(_)
        | Command::WithTerm(..)
        | Command::Other(_)
        | Command::GetValue(_) => false,
        Command::Plain(plain) => matches!(plain, Plain::CheckSat | Plain::Exit),
        _ => true,
    };
    let last = script.commands.iter().rposition(|command| matches!(command, Command::Assert(_)));
    let check = script.commands.iter().position(Command::is_check);
    checks == 1 && script.commands.iter().all(is_plain) && last < check
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_ask_the_same_question() {
        let start = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-fun |a b| (Int) Int)\n";
        let script = format!(
            "{start}(define-fun d ((y Int)) Int (+ y x))\n(assert (let ((z (|a b| x))) (< z (d 1) 7)))\n\
             (assert (= \"x\" \"x\"))\n(check-sat)\n"
        );
        let table = [
            (
                Form::Renamed,
                "(set-logic QF_LIA)\n(declare-const |n 2| Int)\n(declare-fun n1 (Int) Int)\n(define-fun n0 ((y Int)) Int (+ y |n 2|))\n\
                 (assert (let ((z (n1 |n 2|))) (< z (n0 1) 7)))\n(assert (= \"x\" \"x\"))\n(check-sat)\n"
                    .to_owned(),
            ),
            (
                Form::Reordered,
                format!(
                    "{start}(define-fun d ((y Int)) Int (+ y x))\n(assert (= \"x\" \"x\"))\n\
                     (assert (let ((z (|a b| x))) (< z (d 1) 7)))\n(check-sat)\n"
                ),
            ),
            (
                Form::Commuted,
                format!(
                    "{start}(define-fun d ((y Int)) Int (+ x y))\n(assert (let ((z (|a b| x))) (< z (d 1) 7)))\n\
                     (assert (= \"x\" \"x\"))\n(check-sat)\n"
                ),
            ),
            (
                Form::Expanded,
                format!(
                    "{start}(assert (< (|a b| x) (+ 1 x) 7))\n(assert (= \"x\" \"x\"))\n(check-sat)\n"
                ),
            ),
            (
                Form::Defined,
                format!(
                    "{start}(define-fun d ((y Int)) Int (+ y x))\n\
                     (define-fun asserted4 () Bool (let ((z (|a b| x))) (< z (d 1) 7)))\n(assert asserted4)\n\
                     (define-fun asserted5 () Bool (= \"x\" \"x\"))\n(assert asserted5)\n(check-sat)\n"
                ),
            ),
            (
                Form::OtherLogic,
                script.replace("(set-logic QF_LIA)\n", ""),
            ),
        ];
        for (form, expected) in table {
            let found = in_form(form, &script).map(|form| form.text);
            assert_eq!(found.as_deref(), Some(expected.as_str()), "{form:?}");
        }
        let long = "(+ (* 2 x) (* 3 x) (* 4 x) 5)";
        let script = format!("(declare-const x Int)\n(assert (= {long} (- {long})))\n(check-sat)\n");
        let shared = in_form(Form::Shared, &script).unwrap().text;
        assert!(shared.contains("(let (("), "{shared}");
        assert!(in_form(Form::Expanded, &script).is_none());
        let logic = in_form(Form::OtherLogic, &script).unwrap().text;
        assert_eq!(logic, format!("(set-logic ALL)\n{script}"));
    }

    #[test]
    fn models_follow_the_names() {
        let script = "(declare-const x Int)\n(declare-const y Int)\n(assert (< x y))\n(check-sat)\n";
        let form = in_form(Form::Renamed, script).unwrap();
        let model = "((define-fun x () Int 1)\n(define-fun y () Int 2))";
        let renamed = form.model(model);
        assert_eq!(renamed, "((define-fun n1 () Int 1)\n(define-fun n0 () Int 2))");
        assert_eq!(form.original_model(&renamed), model);
    }

    #[test]
    fn other_scripts_have_no_forms() {
        let scripts = [
            "(declare-const a Bool)(assert a)(check-sat)(check-sat)",
            "(declare-const a Bool)(push 1)(assert a)(check-sat)",
            "(declare-const a Bool)(assert (! a :named b))(check-sat)",
            "(declare-const a Bool)(check-sat)(assert a)",
            "(declare-const a Bool)(assert a)",
        ];
        for script in scripts {
            for form in Form::ALL {
                assert!(in_form(form, script).is_none(), "{form:?} {script}");
            }
        }
    }
}
