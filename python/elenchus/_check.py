"""`elenchus.check`: is a script well-typed, and what does it use?"""

import os
from dataclasses import dataclass
from enum import Enum
from typing import Any, Mapping, Optional, Sequence, Tuple

from elenchus._program import run_json
from elenchus._sources import Source, signature_arguments, temporary_folder


class ErrorKind(Enum):
    """What is wrong with a script."""

    #: The text is not SMT-LIB.
    SYNTAX = "syntax"
    #: A name is not declared.
    UNDECLARED = "undeclared"
    #: The sorts do not match.
    SORT = "sort"


@dataclass(frozen=True)
class ScriptError:
    """An error in a script."""

    kind: ErrorKind
    #: Its line, from one.
    line: int
    #: Its column, from one.
    column: int
    message: str
    #: What would be right there, if that is known.
    expected: Optional[str]


@dataclass(frozen=True)
class Check:
    """What a script uses, or what is wrong with it. An ill-typed script has only errors."""

    #: Whether the script is well-typed.
    ok: bool
    #: The errors of an ill-typed script.
    errors: Tuple[ScriptError, ...] = ()
    #: The smallest logic that the script fits.
    logic: Optional[str] = None
    #: The logic that it declares.
    declared_logic: Optional[str] = None
    commands: int = 0
    assertions: int = 0
    #: The number of `check-sat` commands.
    checks: int = 0
    #: The number of distinct terms.
    terms: int = 0
    theories: Tuple[str, ...] = ()
    #: Notable features, such as quantifiers.
    features: Tuple[str, ...] = ()
    #: The solvers that support its operators; `None` if all of these are standard.
    solvers: Optional[Tuple[str, ...]] = None
    #: How often each operator occurs.
    operators: Optional[Mapping[str, int]] = None


def check(script: Source, *, signatures: "Sequence[os.PathLike[str]]" = ()) -> Check:
    """Parses and type-checks a script. `signatures` are files with more operators."""
    with temporary_folder() as folder:
        arguments = ["check", "--json", *signature_arguments(signatures), "--", folder.file(script, "script.smt2")]
        return run_json(arguments, _check, folder=folder.path, answers=(0, 1))


def _check(data: Any) -> Check:
    if not data["ok"]:
        return Check(ok=False, errors=tuple(_error(error) for error in data["errors"]))
    solvers = data["solvers"]
    return Check(
        ok=True,
        logic=data["logic"],
        declared_logic=data["declared_logic"],
        commands=data["commands"],
        assertions=data["assertions"],
        checks=data["checks"],
        terms=data["terms"],
        theories=tuple(data["theories"]),
        features=tuple(data["features"]),
        solvers=None if solvers is None else tuple(solvers),
        operators=data["operators"],
    )


def _error(data: Any) -> ScriptError:
    return ScriptError(
        kind=ErrorKind(data["kind"]),
        line=data["line"],
        column=data["column"],
        message=data["message"],
        expected=data["expected"],
    )
