"""Elenchus from Python: judge models, evaluate terms, reduce scripts, and read what a campaign found.

Every function runs the program `elenchus` and reads its JSON. Wherever a function takes a script or a model, a `str` is the
SMT-LIB text itself, and a path, such as a `pathlib.Path`, names a file. Times are in seconds.
"""

from elenchus._check import Check, ErrorKind, ScriptError, check
from elenchus._evaluate import Evaluation, evaluate
from elenchus._findings import Finding, FindingClass, Severity, findings
from elenchus._program import ElenchusError, program
from elenchus._reduce import Reduction, reduce
from elenchus._show import Details, Outcome, Run, show
from elenchus._sources import Source
from elenchus._validate import Binding, Explanation, Validation, Verdict, validate

__all__ = [
    "Binding",
    "Check",
    "Details",
    "ElenchusError",
    "ErrorKind",
    "Evaluation",
    "Explanation",
    "Finding",
    "FindingClass",
    "Outcome",
    "Reduction",
    "Run",
    "ScriptError",
    "Severity",
    "Source",
    "Validation",
    "Verdict",
    "check",
    "evaluate",
    "findings",
    "program",
    "reduce",
    "show",
    "validate",
]
