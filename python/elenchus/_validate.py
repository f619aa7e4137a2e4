"""`elenchus.validate`: does a model satisfy a script?"""

import os
from dataclasses import dataclass
from enum import Enum
from typing import Any, Optional, Sequence, Tuple

from elenchus._program import milliseconds, run_json
from elenchus._sources import Source, signature_arguments, temporary_folder


class Verdict(Enum):
    """Whether a model satisfies a script."""

    #: Every assertion is true.
    VALID = "valid"
    #: An assertion is false.
    INVALID = "invalid"
    #: Neither is known.
    UNDETERMINED = "undetermined"


@dataclass(frozen=True)
class Binding:
    """The value of a bound variable."""

    name: str
    #: Its value in SMT-LIB; `None` if it is undetermined.
    value: Optional[str]
    #: Why the value is undetermined.
    undetermined: Optional[str]


@dataclass(frozen=True)
class Explanation:
    """Why a term has its value."""

    term: str
    #: Its value in SMT-LIB; `None` if it is undetermined.
    value: Optional[str]
    #: Why the value is undetermined.
    undetermined: Optional[str]
    #: The values of the bound variables for which it has this value.
    bindings: Tuple[Binding, ...]
    #: The subterms that decide the value.
    parts: Tuple["Explanation", ...]


@dataclass(frozen=True)
class Validation:
    """The verdict on a model."""

    verdict: Verdict
    #: The number of the first false assertion, from one.
    assertion: Optional[int] = None
    #: Why that assertion is false.
    explanation: Optional[Explanation] = None
    #: Why the verdict is undetermined.
    reasons: Tuple[str, ...] = ()


def validate(
    script: Source,
    model: Optional[Source] = None,
    *,
    solver: Optional[str] = None,
    options: Sequence[str] = (),
    timeout: Optional[float] = None,
    legacy_strings: bool = False,
    signatures: "Sequence[os.PathLike[str]]" = (),
) -> Validation:
    """Checks whether a model satisfies a script.

    The model is what a solver printed for `(get-model)`. Without one, `solver` is asked for it: a name, `NAME@RELEASE` or a
    path, with `options` on its command line and `timeout` seconds. `legacy_strings` reads the model's strings with the
    escapes of old releases. `signatures` are files with more operators.
    """
    with temporary_folder() as folder:
        arguments = ["validate", "--json", *signature_arguments(signatures)]
        if model is not None:
            arguments.append(f"--model={folder.file(model, 'model.smt2')}")
        if solver is not None:
            arguments.append(f"--solver={solver}")
        arguments += [f"--option={option}" for option in options]
        if timeout is not None:
            arguments.append(f"--timeout={milliseconds(timeout)}")
        if legacy_strings:
            arguments.append("--legacy-strings")
        arguments += ["--", folder.file(script, "script.smt2")]
        return run_json(arguments, _validation, folder=folder.path, answers=(0, 1))


def _validation(data: Any) -> Validation:
    verdict = Verdict(data["verdict"])
    if verdict is Verdict.INVALID:
        return Validation(verdict, assertion=data["assertion"], explanation=_explanation(data["explanation"]))
    if verdict is Verdict.UNDETERMINED:
        return Validation(verdict, reasons=tuple(data["reasons"]))
    return Validation(verdict)


def _explanation(data: Any) -> Explanation:
    value, undetermined = _value(data["value"])
    return Explanation(
        term=data["term"],
        value=value,
        undetermined=undetermined,
        bindings=tuple(Binding(binding["name"], *_value(binding["value"])) for binding in data["bindings"]),
        parts=tuple(_explanation(part) for part in data["parts"]),
    )


def _value(data: Any) -> Tuple[Optional[str], Optional[str]]:
    """A value, or why it is undetermined."""
    if isinstance(data, str):
        return data, None
    return None, data["undetermined"]
