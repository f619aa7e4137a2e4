"""`elenchus.evaluate`: the value of a term."""

import os
from dataclasses import dataclass
from typing import Any, Optional, Sequence

from elenchus._program import run_json
from elenchus._sources import Source, signature_arguments, temporary_folder


@dataclass(frozen=True)
class Evaluation:
    """The value of a term, or why it has none."""

    #: The value in SMT-LIB; `None` if it is undetermined.
    value: Optional[str]
    #: The sort of the value.
    sort: Optional[str]
    #: Why the value is undetermined.
    undetermined: Optional[str]


def evaluate(
    term: str,
    model: Optional[Source] = None,
    *,
    script: Optional[Source] = None,
    signatures: "Sequence[os.PathLike[str]]" = (),
) -> Evaluation:
    """Evaluates a term exactly.

    `script` declares and defines the symbols of the term, and `model` gives them values, as a solver prints it for
    `(get-model)`. `signatures` are files with more operators.
    """
    with temporary_folder() as folder:
        arguments = ["eval", "--json", *signature_arguments(signatures)]
        if script is not None:
            arguments.append(f"--script={folder.file(script, 'script.smt2')}")
        if model is not None:
            arguments.append(f"--model={folder.file(model, 'model.smt2')}")
        return run_json([*arguments, "--", term], _evaluation, folder=folder.path)


def _evaluation(data: Any) -> Evaluation:
    if "undetermined" in data:
        return Evaluation(value=None, sort=None, undetermined=data["undetermined"])
    return Evaluation(value=data["value"], sort=data["sort"], undetermined=None)
