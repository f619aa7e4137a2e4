#!/usr/bin/env python3
"""Measure what it takes to get Elenchus from source, for one or more revisions in one run.

    python3 benches/build.py [REVISION…]        # the checked-out revision by default

Each revision is cloned into an empty folder. The first columns are what a new user waits for: the build of the README's first
command, and from there to the first case, with an empty cache of solvers. Packages are downloaded before, in a column of their
own, since that time says more about the network. Then one line of a strategy changes, and the program is built again. The last
columns are the build that packages contain, and the rebuild of a developer, with `--all`.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRATEGY = "crates/strategies/src/storm/mod.rs"


def seconds(folder, *command, **variables):
    """How long a command takes in `folder`. Its output is shown only if it fails."""
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_TARGET_DIR"} | variables
    begun = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    taken = time.monotonic() - begun
    if done.returncode not in (0, 1) or (done.returncode == 1 and command[0] == "cargo"):
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-3000:]}")
    return taken


def change(folder):
    """Changes the code of a strategy, so that it must be compiled again. The oldest revisions had fewer strategies."""
    named = folder / STRATEGY
    file = named if named.exists() else sorted((folder / "crates/strategies/src").rglob("diver/**/*.rs"))[0]
    number = time.monotonic_ns()
    text = f"\n#[doc(hidden)]\npub fn changed_{number}() -> u64 {{\n    std::hint::black_box({number})\n}}\n"
    file.write_text(file.read_text() + text)


class Figures(dict):
    """Figures by name, shown on the standard error as they come: a revision takes long."""

    def __setitem__(self, name, figure):
        print(f"{name}: {figure:.1f}", file=sys.stderr)
        super().__setitem__(name, figure)


def measure(revision, folder, everything):
    """The figures of one revision."""
    print(f"measuring {revision}", file=sys.stderr)
    clone = folder / "elenchus"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    subprocess.run(["git", "checkout", "--quiet", revision], cwd=clone, check=True)
    figures = Figures()
    figures["download"] = seconds(clone, "cargo", "fetch", "--locked")
    profile = "quick" if "[profile.quick]" in (clone / "Cargo.toml").read_text() else "release"
    build = ["cargo", "build", "--profile", profile, "--locked", "-p", "elenchus"]
    figures["build"] = seconds(clone, *build)
    program = clone / "target" / profile / "elenchus"
    figures["first case"] = seconds(clone, str(program), "fuzz", "--cases", "1", "--out", str(folder / "out"),
                                    ELENCHUS_CACHE=str(folder / "cache"))
    figures["MB"] = program.stat().st_size / 1e6
    change(clone)
    figures["again"] = seconds(clone, *build)
    if everything:
        release = ["cargo", "build", "--release", "--locked", "-p", "elenchus"]
        figures["release"] = seconds(clone, *release)
        figures["release MB"] = (clone / "target/release/elenchus").stat().st_size / 1e6
        develop = ["cargo", "build", "--locked", "-p", "elenchus"]
        seconds(clone, *develop)
        change(clone)
        figures["debug again"] = seconds(clone, *develop)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revisions", nargs="*", default=["HEAD"])
    parser.add_argument("--all", action="store_true", help="also the build for release, and the rebuild for debugging")
    arguments = parser.parse_args()
    revisions = arguments.revisions
    print(f"{os.cpu_count()} cores, times in seconds\n")
    for number, revision in enumerate(revisions):
        with tempfile.TemporaryDirectory() as folder:
            figures = measure(revision, pathlib.Path(folder), arguments.all)
        if number == 0:
            print("| revision | " + " | ".join(figures) + " |")
            print("|---|" + "--:|" * len(figures))
        print(f"| {revision} | " + " | ".join(f"{figure:.0f}" for figure in figures.values()) + " |", flush=True)


main()
