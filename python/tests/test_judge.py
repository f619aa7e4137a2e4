"""Checking, evaluating and validating."""

import tempfile
import unittest
from pathlib import Path

import elenchus
from elenchus import ErrorKind, Verdict
from tests.solvers import fake_z3

SCRIPT = "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 10))\n(check-sat)\n"
QUANTIFIED = "(declare-const x Int)\n(assert (forall ((b Bool)) (= b (> x 0))))\n"


class CheckTest(unittest.TestCase):
    def test_a_good_script_is_described(self) -> None:
        result = elenchus.check("(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= (bvadd x x) x))\n(check-sat)")
        self.assertTrue(result.ok)
        self.assertEqual((result.logic, result.declared_logic), ("QF_BV", "QF_BV"))
        self.assertEqual((result.commands, result.assertions, result.checks), (4, 1, 1))
        self.assertEqual(result.theories, ("Core", "FixedSizeBitVectors"))
        self.assertEqual(result.operators, {"=": 1, "bvadd": 1})
        self.assertIsNone(result.solvers)

    def test_errors_have_a_kind_and_a_place(self) -> None:
        table = [
            ("(declare-const x Int)\n(assert (= x #b1))", ErrorKind.SORT, 2),
            ("(assert y)", ErrorKind.UNDECLARED, 1),
            ("(check-sat", ErrorKind.SYNTAX, 1),
        ]
        for script, kind, line in table:
            with self.subTest(script):
                result = elenchus.check(script)
                self.assertFalse(result.ok)
                self.assertEqual([(error.kind, error.line) for error in result.errors], [(kind, line)])

    def test_only_some_solvers_have_an_extension(self) -> None:
        solvers = elenchus.check("(declare-const s (Set Int))\n(assert (set.is_empty s))").solvers
        self.assertIsNotNone(solvers)
        self.assertIn("cvc5", solvers or ())


class EvaluateTest(unittest.TestCase):
    def test_values_have_a_sort(self) -> None:
        result = elenchus.evaluate("(bvudiv #x05 #x00)")
        self.assertEqual((result.value, result.sort, result.undetermined), ("#xff", "(_ BitVec 8)", None))

    def test_a_term_may_look_like_an_option(self) -> None:
        with self.assertRaises(elenchus.ElenchusError) as caught:
            elenchus.evaluate("--version")
        self.assertIn("cannot parse the term", caught.exception.message)

    def test_models_and_definitions_are_used(self) -> None:
        script = "(declare-const x Int)(define-fun twice ((n Int)) Int (* 2 n))"
        result = elenchus.evaluate("(twice x)", "((define-fun x () Int 21))", script=script)
        self.assertEqual(result.value, "42")

    def test_an_open_value_has_a_reason(self) -> None:
        result = elenchus.evaluate("(/ 1.0 0.0)")
        self.assertIsNone(result.value)
        self.assertIn("left open by the standard", result.undetermined or "")


class ValidateTest(unittest.TestCase):
    def test_a_model_is_valid(self) -> None:
        self.assertIs(elenchus.validate(SCRIPT, "((define-fun x () Int 4))").verdict, Verdict.VALID)

    def test_a_false_assertion_is_explained(self) -> None:
        result = elenchus.validate(SCRIPT, "((define-fun x () Int 12))")
        self.assertIs(result.verdict, Verdict.INVALID)
        self.assertEqual(result.assertion, 2)
        assert result.explanation is not None
        self.assertEqual((result.explanation.term, result.explanation.value), ("(< x 10)", "false"))
        self.assertEqual([(part.term, part.value) for part in result.explanation.parts], [("x", "12")])

    def test_explanations_name_the_values_of_bound_variables(self) -> None:
        result = elenchus.validate(QUANTIFIED, "((define-fun x () Int 1))")
        assert result.explanation is not None
        self.assertEqual([(it.name, it.value) for it in result.explanation.bindings], [("b", "false")])

    def test_an_undetermined_verdict_has_reasons(self) -> None:
        result = elenchus.validate(SCRIPT, "()")
        self.assertIs(result.verdict, Verdict.UNDETERMINED)
        self.assertIn("the model does not define `x`", result.reasons)

    def test_files_and_solvers_are_accepted(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            script, model = folder / "script.smt2", folder / "model.txt"
            script.write_text(SCRIPT, encoding="utf-8")
            model.write_text("sat\n((define-fun x () Int 4))\n", encoding="utf-8")
            self.assertIs(elenchus.validate(script, model).verdict, Verdict.VALID)
            liar = fake_z3(folder / "liar", "echo sat; echo '((define-fun x () Int 1))'")
            self.assertIs(elenchus.validate(script, solver=liar, timeout=5).verdict, Verdict.INVALID)
            with self.assertRaisesRegex(elenchus.ElenchusError, "is a folder"):
                elenchus.validate(folder, model)
