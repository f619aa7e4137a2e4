"""Finding the program, running it, and reading its JSON."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Callable, Iterator, List, Sequence, TypeVar

#: The variable that names the program.
BINARY = "ELENCHUS_BINARY"

#: The exit code for usage errors and problems of the environment.
USAGE = 2

Result = TypeVar("Result")


class ElenchusError(Exception):
    """The program could not do what it was asked to do."""

    #: The exit code of the program: 2 for usage errors and problems of the environment, negative if a signal ended it.
    exit_code: int
    #: What is wrong, and what to do about it if the program knows.
    message: str

    def __init__(self, exit_code: int, message: str) -> None:
        super().__init__(exit_code, message)
        self.exit_code = exit_code
        self.message = message

    def __str__(self) -> str:
        return self.message


def program() -> Path:
    """The program that the functions of this module run.

    It is the file that the environment variable `ELENCHUS_BINARY` names; else `elenchus` among the scripts of this Python
    environment or of the user; else `elenchus` on the `PATH`.
    """
    named = os.environ.get(BINARY)
    if named:
        if not _is_program(Path(named)):
            raise ElenchusError(USAGE, f"{BINARY} names no program: {named}")
        return Path(named)
    for folder in _script_folders():
        if _is_program(folder / "elenchus"):
            return folder / "elenchus"
    on_path = shutil.which("elenchus")
    if on_path is None:
        raise ElenchusError(
            USAGE, f"cannot find the program `elenchus`\n  help: `pip install elenchus`, or set {BINARY} to its path"
        )
    return Path(on_path)


def run_json(
    arguments: Sequence[str], read: Callable[[Any], Result], *, folder: str = "", answers: Sequence[int] = (0,)
) -> Result:
    """Runs the program, and gives `read` the JSON that it prints.

    `answers` are the exit codes that come with a result. `folder` holds temporary files: messages name these without it.
    """
    command = [str(program()), *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode not in answers:
        raise ElenchusError(done.returncode, _message(done, folder))
    try:
        return read(json.loads(done.stdout))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ElenchusError(
            done.returncode,
            f"cannot read the JSON of {command[0]}: {error!r}\n  help: use the program that came with this module",
        ) from error


def milliseconds(seconds: float) -> str:
    """A time as the command line writes it."""
    return f"{round(seconds * 1000)}ms"


def _script_folders() -> Iterator[Path]:
    yield Path(sysconfig.get_path("scripts"))
    if sys.version_info >= (3, 10):
        user = sysconfig.get_preferred_scheme("user")
    else:
        user = f"{os.name}_user"
    yield Path(sysconfig.get_path("scripts", user))


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _message(done: "subprocess.CompletedProcess[str]", folder: str) -> str:
    """The error that the program printed, without what it reported before."""
    lines: List[str] = done.stderr.rstrip().splitlines()
    errors = [number for number, line in enumerate(lines) if line.startswith("error: ")]
    if not errors:
        return "\n".join(lines) or f"the program ended with exit code {done.returncode} and no message"
    text = "\n".join(lines[errors[-1] :])[len("error: ") :]
    return text.replace(folder + os.sep, "") if folder else text
