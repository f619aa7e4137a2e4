"""Reading the findings of a campaign."""

import subprocess
import tempfile
import unittest
from datetime import datetime, timezone
from pathlib import Path

import elenchus
from elenchus import FindingClass, Outcome, Severity

CONFIGURATION = """[solver.yes]
path = "./yes"
profile = "cvc5"
version = "1.0"
[solver.no]
path = "./no"
profile = "z3"
version = "1.0"
"""
FUZZ = "fuzz seed.smt2 --solver yes --solver no --strategy seeds --cold --no-own-checks --no-triage --jobs 1 --cases 3"


class FindingsTest(unittest.TestCase):
    """A campaign with two solvers that contradict each other."""

    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for name, answer in [("yes", "sat"), ("no", "unsat")]:
            solver = cls.folder / name
            solver.write_text(f"#!/bin/sh\necho {answer}\n", encoding="utf-8")
            solver.chmod(0o755)
        (cls.folder / "elenchus.toml").write_text(CONFIGURATION, encoding="utf-8")
        seed = "(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n"
        (cls.folder / "seed.smt2").write_text(seed, encoding="utf-8")
        done = subprocess.run([elenchus.program(), *FUZZ.split()], cwd=cls.folder, capture_output=True, text=True)
        assert done.returncode == 1, done.stdout + done.stderr

    def test_findings_are_listed(self) -> None:
        out = self.folder / "elenchus-out"
        (finding,) = elenchus.findings(out)
        self.assertIs(finding.kind, FindingClass.CONTRADICTION)
        self.assertIs(finding.severity, Severity.CONTRADICTION)
        self.assertTrue(finding.bug)
        self.assertEqual(len(finding.solvers), 2)
        self.assertEqual(finding.folder, out / "findings" / finding.id)
        self.assertIn("(assert (> x 1))", finding.script)
        self.assertIsNone(finding.report)
        self.assertLessEqual(finding.first_seen, finding.last_seen)
        self.assertLess(finding.last_seen, datetime.now(timezone.utc))
        self.assertEqual(elenchus.findings(str(out), new=True, merged=True), (finding,))

    def test_the_runs_of_a_finding_are_shown(self) -> None:
        out = self.folder / "elenchus-out"
        (finding,) = elenchus.findings(out)
        details = elenchus.show(finding.id, out)
        self.assertEqual(details.finding, finding)
        self.assertEqual(details.case, finding.script)
        self.assertEqual({run.answers for run in details.runs}, {("sat",), ("unsat",)})
        self.assertEqual({run.outcome for run in details.runs}, {Outcome.ANSWERED})
        self.assertEqual(details.strategy, "seeds")

    def test_a_folder_without_a_campaign_is_an_error(self) -> None:
        with self.assertRaisesRegex(elenchus.ElenchusError, "there is no campaign in"):
            elenchus.findings(self.folder)
