"""`elenchus.show`: the runs behind a finding."""

import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Tuple, Union

from elenchus._findings import DEFAULT_FOLDER, Finding, read_finding
from elenchus._program import run_json


class Outcome(Enum):
    """How the run of a solver ended."""

    #: Every `check-sat` got an answer.
    ANSWERED = "answered"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    #: The solver printed or wrote more than its limit.
    OUTPUT_LIMIT = "output-limit"
    #: The solver does not support the script or an option.
    REFUSED = "refused"
    #: The solver reported an error, or left a `check-sat` without an answer.
    ERROR = "error"
    #: The solver's own check rejected its model.
    INVALID_MODEL = "invalid-model"
    #: The solver's own check rejected its unsat core or proof.
    INVALID_PROOF = "invalid-proof"
    CRASH = "crash"
    #: A signal that is not a crash ended the solver.
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Run:
    """The run of a solver on the case of a finding."""

    #: The solver, such as `z3@5.4.0`.
    solver: str
    #: The options on its command line.
    options: Tuple[str, ...]
    #: The command for a shell; the script is called `case.smt2`.
    command: str
    outcome: Outcome
    #: The answers to the `check-sat` commands: `sat`, `unsat`, `unknown` or `missing`.
    answers: Tuple[str, ...]
    #: Whether this solver is the one that is wrong.
    suspect: bool
    #: Wall-clock milliseconds.
    milliseconds: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Details:
    """A finding, the case that showed it first, and what the solvers did with it."""

    finding: Finding
    #: The script, as it was before reduction.
    case: str
    runs: Tuple[Run, ...]
    theories: Tuple[str, ...]
    #: The strategy that made the case.
    strategy: str
    #: The seed that it was made from.
    seed_name: str
    #: The version of the program that found it.
    found_by: str


def show(id: str, folder: Union[str, "os.PathLike[str]"] = DEFAULT_FOLDER) -> Details:
    """The details of a finding. The beginning of its name is enough."""

    def read(data: Any) -> Details:
        finding = data["finding"]
        return Details(
            finding=read_finding(data["listed"], Path(folder)),
            case=data["case"],
            runs=tuple(_run(run) for run in finding["runs"]),
            theories=tuple(finding["theories"]),
            strategy=finding["origin"]["strategy"],
            seed_name=finding["seed_name"],
            found_by=finding["found_by"],
        )

    return run_json(["show", "--json", f"--out={os.fspath(folder)}", "--", id], read)


def _run(data: Any) -> Run:
    outcome = data["result"]["outcome"]
    return Run(
        solver=data["id"],
        options=tuple(data.get("options", ())),
        command=data["command"],
        # An outcome with more to say is an object with one key.
        outcome=Outcome(outcome if isinstance(outcome, str) else next(iter(outcome))),
        answers=tuple(data["result"].get("answers", ())),
        suspect=data["suspect"],
        milliseconds=data["milliseconds"],
        stdout=data["stdout"],
        stderr=data["stderr"],
    )
