"""Finding the program, and its failures."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import elenchus


class ProgramTest(unittest.TestCase):
    def test_the_variable_comes_first(self) -> None:
        with mock.patch.dict(os.environ, ELENCHUS_BINARY="/bin/sh"):
            self.assertEqual(elenchus.program(), Path("/bin/sh"))

    def test_then_the_scripts_of_the_environment_then_the_path(self) -> None:
        with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, ELENCHUS_BINARY=""):
            scripts, on_path = Path(name, "scripts"), Path(name, "path")
            for folder in (scripts, on_path):
                folder.mkdir()
                (folder / "elenchus").write_text("#!/bin/sh\n", encoding="utf-8")
                (folder / "elenchus").chmod(0o755)
            with mock.patch.dict(os.environ, PATH=str(on_path)):
                with mock.patch("sysconfig.get_path", return_value=str(scripts)):
                    self.assertEqual(elenchus.program(), scripts / "elenchus")
                (scripts / "elenchus").chmod(0o644)
                with mock.patch("sysconfig.get_path", return_value=str(scripts)):
                    self.assertEqual(elenchus.program(), on_path / "elenchus")
                    (on_path / "elenchus").unlink()
                    with self.assertRaisesRegex(elenchus.ElenchusError, "pip install elenchus"):
                        elenchus.program()

    def test_a_variable_that_names_nothing_is_an_error(self) -> None:
        with mock.patch.dict(os.environ, ELENCHUS_BINARY="/nowhere/elenchus"):
            with self.assertRaisesRegex(elenchus.ElenchusError, "ELENCHUS_BINARY names no program: /nowhere/elenchus"):
                elenchus.program()

    def test_errors_carry_exit_code_and_message(self) -> None:
        with self.assertRaises(elenchus.ElenchusError) as caught:
            elenchus.validate("(assert (", "()")
        self.assertEqual(caught.exception.exit_code, 2)
        self.assertTrue(str(caught.exception).startswith("cannot parse script.smt2\n"), caught.exception)

    def test_json_of_another_version_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            other = Path(name, "elenchus")
            for printed in ["{}", "no JSON", """{"verdict": "perhaps"}"""]:
                with self.subTest(printed):
                    other.write_text(f"#!/bin/sh\necho '{printed}'\n", encoding="utf-8")
                    other.chmod(0o755)
                    with mock.patch.dict(os.environ, ELENCHUS_BINARY=str(other)):
                        with self.assertRaisesRegex(elenchus.ElenchusError, "cannot read the JSON"):
                            elenchus.validate("", "()")

    def test_the_module_runs_as_the_program(self) -> None:
        for arguments, code in [(["--version"], 0), (["eval", "(+ 1"], 2)]:
            with self.subTest(arguments):
                direct = subprocess.run([elenchus.program(), *arguments], capture_output=True)
                module = subprocess.run([sys.executable, "-m", "elenchus", *arguments], capture_output=True)
                self.assertEqual((module.returncode, module.stdout, module.stderr), (code, direct.stdout, direct.stderr))
