"""Shared by the peer benchmarks: CPU time of child processes, and peers installed from PyPI."""

import resource
import subprocess
import venv


def children_cpu():
    """CPU seconds of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def install(package, folder):
    """Installs a package from PyPI into a virtual environment, once. Returns its folder of executables."""
    installed = folder / f".{package}"
    if not installed.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", package], check=True)
        installed.touch()
    return folder / "bin"
