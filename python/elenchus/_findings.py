"""`elenchus.findings`: what a campaign found."""

import os
from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from pathlib import Path
from typing import Any, Optional, Tuple, Union

from elenchus._program import run_json

#: Where `elenchus fuzz` writes unless told otherwise.
DEFAULT_FOLDER = "elenchus-out"


class FindingClass(Enum):
    """The kinds of bugs."""

    #: A solver answers `unsat`, and there is evidence of a model.
    WRONG_UNSAT = "wrong-unsat"
    #: A solver answers `sat`, and there is evidence against it.
    WRONG_SAT = "wrong-sat"
    #: Solvers contradict each other, and it is undecided which is wrong.
    CONTRADICTION = "contradiction"
    #: A solver rewrites a term to one with another value.
    WRONG_REWRITE = "wrong-rewrite"
    #: A solver's optimum is not attained by its model, or not the best value.
    WRONG_OPTIMUM = "wrong-optimum"
    #: A solver says that something follows from the assertions which does not.
    WRONG_CONSEQUENCE = "wrong-consequence"
    #: A solver's model does not satisfy the script.
    INVALID_MODEL = "invalid-model"
    #: A solver gives a term a value that it does not have under the model.
    WRONG_VALUE = "wrong-value"
    #: A solver gives a model again that was blocked, or misses another one.
    REPEATED_MODEL = "repeated-model"
    #: A solver's unsat core is satisfiable.
    INVALID_CORE = "invalid-core"
    #: A solver's own check rejects its unsat core or proof.
    INVALID_PROOF = "invalid-proof"
    #: A solver crashes, or reports a violated assertion of its own.
    CRASH = "crash"
    #: A solver answers differently after it has run other scripts.
    STATE_LEAK = "state-leak"
    #: A solver prints a term with another value.
    WRONG_PRINTING = "wrong-printing"
    #: A solver is far slower than all others: a candidate, not a bug.
    PERFORMANCE = "performance"
    #: Answers contradict the `:status` of a seed: a candidate, not a bug.
    WRONG_LABEL = "wrong-label"
    #: A solver gives up although it answered a script from which the answer follows: a candidate, not a bug.
    INCOMPLETENESS = "incompleteness"


class Severity(Enum):
    """How severe a finding is, the most severe first."""

    WRONG_UNSAT = "wrong-unsat"
    WRONG_SAT = "wrong-sat"
    CONTRADICTION = "contradiction"
    WRONG_REWRITE = "wrong-rewrite"
    WRONG_OPTIMUM = "wrong-optimum"
    WRONG_CONSEQUENCE = "wrong-consequence"
    #: A crash with default options.
    CRASH = "crash"
    #: An invalid or repeated model, or a wrong value of a term under the model.
    INVALID_MODEL = "invalid-model"
    WRONG_CORE_OR_PROOF = "wrong-core-or-proof"
    #: An invalid model that needs other options, or that only the solver's own check rejects.
    INVALID_MODEL_WITH_OPTIONS = "invalid-model-with-options"
    CRASH_WITH_OPTIONS = "crash-with-options"
    WRONG_PRINTING = "wrong-printing"
    PERFORMANCE = "performance"
    WRONG_LABEL = "wrong-label"
    INCOMPLETENESS = "incompleteness"


@dataclass(frozen=True)
class Finding:
    """A finding of a campaign."""

    #: Its name.
    id: str
    #: Its kind. The program calls it `class`, which is a keyword in Python.
    kind: FindingClass
    severity: Severity
    #: One line for people.
    title: str
    #: What makes two findings the same.
    signature: str
    #: Whether it counts as a bug; otherwise it is a candidate.
    bug: bool
    #: The solvers that were asked, such as `z3@5.4.0`.
    solvers: Tuple[str, ...]
    #: How many cases showed it.
    count: int
    first_seen: datetime
    last_seen: datetime
    #: The folder that explains it.
    folder: Path
    #: The size of the reduced script, once there is one.
    reduced_bytes: Optional[int]
    #: The name of the finding that turned out to be the same bug, if any.
    merged_into: Optional[str]

    @property
    def script(self) -> str:
        """The script that shows it: the reduced one, once there is one."""
        reduced = self.folder / "reduced.smt2"
        return (reduced if reduced.is_file() else self.folder / "case.smt2").read_text(encoding="utf-8")

    @property
    def report(self) -> Optional[str]:
        """The report for maintainers in Markdown, once triage has written it."""
        report = self.folder / "report.md"
        return report.read_text(encoding="utf-8") if report.is_file() else None


def findings(
    folder: Union[str, "os.PathLike[str]"] = DEFAULT_FOLDER, *, new: bool = False, merged: bool = False
) -> Tuple[Finding, ...]:
    """The findings of a campaign, the most severe first.

    `folder` is the folder of the campaign. `new` leaves out known bugs, and `merged` adds the findings that were merged into
    others.
    """
    arguments = ["findings", "--json", f"--out={os.fspath(folder)}"]
    if new:
        arguments.append("--new")
    if merged:
        arguments.append("--merged")
    return run_json(arguments, lambda data: tuple(read_finding(entry, Path(folder)) for entry in data))


def read_finding(data: Any, folder: Path) -> Finding:
    """A finding from its JSON and the folder of its campaign."""
    return Finding(
        id=data["id"],
        kind=FindingClass(data["class"]),
        severity=Severity(data["severity"]),
        title=data["title"],
        signature=data["signature"],
        bug=data["bug"],
        solvers=tuple(data["targets"]),
        count=data["count"],
        first_seen=_time(data["first_seen"]),
        last_seen=_time(data["last_seen"]),
        folder=folder / data["folder"],
        reduced_bytes=data["reduced_bytes"],
        merged_into=data["merged_into"],
    )


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
