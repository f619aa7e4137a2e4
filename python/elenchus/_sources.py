"""Scripts and models, as text or as files."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List, Sequence, Union

from elenchus._program import USAGE, ElenchusError

#: A script or a model: a `str` is its text, a path names a file.
Source = Union[str, "os.PathLike[str]"]


class Folder:
    """A temporary folder for sources that are text."""

    def __init__(self, path: str) -> None:
        self.path = path

    def file(self, source: Source, name: str) -> str:
        """The path of a source. Text becomes a file with this name."""
        if not isinstance(source, str):
            if os.path.isdir(source):
                raise ElenchusError(USAGE, f"{os.fspath(source)} is a folder, not a file")
            return os.fspath(source)
        path = Path(self.path, name)
        path.write_text(source, encoding="utf-8")
        return str(path)


@contextmanager
def temporary_folder() -> Iterator[Folder]:
    """A folder that is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="elenchus-") as path:
        yield Folder(path)


def signature_arguments(signatures: "Sequence[os.PathLike[str]]") -> List[str]:
    """The arguments that load signature files."""
    return [f"--signatures={os.fspath(file)}" for file in signatures]
