"""Little programs that act as solvers."""

from pathlib import Path

_VERSION = """case "$*" in *version*) echo 'Z3 version 4.8.12 - 64 bit'; exit 0;; esac"""


def fake_z3(folder: Path, body: str) -> str:
    """A program that runs the shell commands `body`, with the path of the script in `$file`. Its name makes it a Z3."""
    folder.mkdir()
    path = folder / "z3"
    path.write_text(f"#!/bin/sh\n{_VERSION}\nfor file; do :; done\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)
