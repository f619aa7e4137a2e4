"""`elenchus.reduce`: the smallest script that still shows a bug."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Sequence

from elenchus._program import milliseconds, run_json
from elenchus._sources import Source, signature_arguments, temporary_folder


@dataclass(frozen=True)
class Reduction:
    """A reduced script, and what it took."""

    #: The reduced script.
    script: str
    #: A model of it that proves an `unsat` wrong, if one is known.
    model: Optional[str]
    #: Bytes before the reduction.
    from_bytes: int
    #: Bytes after it.
    to_bytes: int
    #: How many candidates were tested.
    tests: int
    #: How many candidates the known model ruled out without a test.
    refuted_by_model: int
    #: How many candidates became the best script so far.
    accepted: int
    seconds: float
    #: Whether it ended early, with the best script so far.
    stopped: bool
    #: Whether the script is well-typed.
    typed: bool


def reduce(
    script: Source,
    keep: Optional[str] = None,
    *,
    command: Optional[str] = None,
    ignore_output: bool = False,
    match: Optional[str] = None,
    time: Optional[float] = None,
    timeout: Optional[float] = None,
    jobs: Optional[int] = None,
    cold: bool = False,
    output: "Optional[os.PathLike[str]]" = None,
    signatures: "Sequence[os.PathLike[str]]" = (),
) -> Reduction:
    """Reduces a script as far as it still shows the bug.

    `keep` says what the script must show, such as `"z3@4.8.10 says unsat, cvc5 says sat"`. Instead, `command` can test
    candidates: it gets the path of one as its last argument, and its exit code and output must stay the same, or only its exit
    code (`ignore_output`), or the text `match` in its output. After `time` seconds, the best script so far is the result. Each
    run of a solver takes at most `timeout` seconds, `jobs` candidates run in parallel, and `cold` starts a fresh process for
    every test. `output` is a file for the best script so far; a smaller script in it is kept if that still shows the bug.
    `signatures` are files with more operators.
    """
    with temporary_folder() as folder:
        arguments = ["reduce", "--json", *signature_arguments(signatures)]
        if keep is not None:
            arguments.append(f"--keep={keep}")
        if command is not None:
            arguments.append(f"--cmd={command}")
        if ignore_output:
            arguments.append("--ignore-output")
        if match is not None:
            arguments.append(f"--match={match}")
        if time is not None:
            arguments.append(f"--time={milliseconds(time)}")
        if timeout is not None:
            arguments.append(f"--timeout={milliseconds(timeout)}")
        if jobs is not None:
            arguments.append(f"--jobs={jobs}")
        if cold:
            arguments.append("--cold")
        arguments.append(f"--output={os.fspath(output or Path(folder.path, 'reduced.smt2'))}")
        arguments += ["--", folder.file(script, "script.smt2")]
        return run_json(arguments, _reduction, folder=folder.path, answers=(0, 1))


def _reduction(data: Any) -> Reduction:
    return Reduction(
        script=data["script"],
        model=data["model"],
        from_bytes=data["from_bytes"],
        to_bytes=data["to_bytes"],
        tests=data["tests"],
        refuted_by_model=data["refuted_by_model"],
        accepted=data["accepted"],
        seconds=data["seconds"],
        stopped=data["stopped"],
        typed=data["typed"],
    )
