"""Reducing scripts."""

import tempfile
import unittest
from pathlib import Path

import elenchus
from tests.solvers import fake_z3

SCRIPT = """(declare-const x Int)
(declare-const y Int)
(assert (> (* x x) 8))
(assert (< y (+ x 100)))
(check-sat)
"""


class ReduceTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_the_script_keeps_what_a_solver_does(self) -> None:
        crashing = fake_z3(self.folder / "crashing", """if grep -q '[*]' "$file"; then kill -SEGV $$; fi; echo unknown""")
        output = self.folder / "best.smt2"
        result = elenchus.reduce(SCRIPT, f"{crashing} crashes", jobs=1, timeout=5, output=output)
        self.assertIn("*", result.script)
        self.assertNotIn("100", result.script)
        self.assertEqual(result.script, output.read_text(encoding="utf-8"))
        self.assertEqual(result.from_bytes, len(SCRIPT))
        self.assertEqual(result.to_bytes, len(result.script))
        self.assertGreater(result.tests, 0)
        self.assertFalse(result.stopped)
        self.assertTrue(result.typed)

    def test_a_command_can_test_candidates(self) -> None:
        script = self.folder / "script.smt2"
        script.write_text(SCRIPT, encoding="utf-8")
        result = elenchus.reduce(script, command="grep -q 100", ignore_output=True)
        self.assertIn("100", result.script)
        self.assertLess(result.to_bytes, result.from_bytes)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["script.smt2"])

    def test_a_script_without_the_bug_is_an_error(self) -> None:
        right = fake_z3(self.folder / "right", "echo sat")
        with self.assertRaises(elenchus.ElenchusError) as caught:
            elenchus.reduce(SCRIPT, f"{right} says unsat")
        self.assertEqual(caught.exception.exit_code, 2)
