#!/usr/bin/env python3
"""Mutants per CPU-second: typefuzz and opfuzz of yinyang and of Elenchus, in one run, on the same seeds.

    python3 benches/peers/generation.py SEEDS --ours PROGRAM [--venv FOLDER] [--sample N] [--iterations N] [--mutants N]

PROGRAM is the example `generation` of the crate `strategies`, built with --release. yinyang is installed from PyPI into
FOLDER (a temporary one by default). Neither side runs a real solver: yinyang gets a compiled program that prints `sat`, ours
generates and prints the text. CPU time includes all child processes. yinyang's figures omit seeds on which it fails or makes no
mutant, since one such seed would end its whole run.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from common import children_cpu, install

# Prints `sat`, and appends a byte to a file per run: yinyang does not report how many mutants it made.
SAT_PROGRAM = """
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    int counter = open(getenv("RUN_COUNTER"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (counter < 0 || write(counter, ".", 1) != 1) return 1;
    return write(1, "sat\\n", 4) != 4;
}
"""


def build_sat_program(folder):
    source = folder / "sat.c"
    source.write_text(SAT_PROGRAM)
    program = folder / "sat"
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        sys.exit("no C compiler found for the dummy solver: install cc, gcc or clang")
    subprocess.run([compiler, "-O1", "-o", program, source], check=True)
    return program


def measure_yinyang(tool, program, seeds, iterations, scratch):
    """Mutants, CPU seconds and failed seeds. Both solvers run on each mutant, so two runs are one mutant."""
    mutants, seconds, failed = 0, 0.0, 0
    counter = scratch / "runs"
    environment = dict(os.environ, RUN_COUNTER=str(counter))
    for seed in seeds:
        counter.unlink(missing_ok=True)
        before = children_cpu()
        command = [tool, "-i", str(iterations), f"{program};{program}", seed]
        try:
            run = subprocess.run(
                command, cwd=scratch, env=environment, capture_output=True, text=True, timeout=120)
            survived = "Traceback" not in run.stdout + run.stderr
        except subprocess.TimeoutExpired:
            survived = False
        made = counter.stat().st_size // 2 if counter.exists() else 0
        if not survived or made == 0:
            failed += 1
            continue
        mutants += made
        seconds += children_cpu() - before
    return mutants, seconds, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", type=pathlib.Path)
    parser.add_argument("--ours", type=pathlib.Path, required=True)
    parser.add_argument("--venv", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=20, help="number of seeds, spread evenly over the folder")
    parser.add_argument("--iterations", type=int, default=100, help="mutants per seed for yinyang")
    parser.add_argument("--mutants", type=int, default=1000, help="mutants per seed for Elenchus")
    options = parser.parse_args()
    files = sorted(options.seeds.rglob("*.smt2"))
    if not files:
        sys.exit(f"no .smt2 files under {options.seeds}")
    sample = files[:: max(1, len(files) // options.sample)][: options.sample]
    with tempfile.TemporaryDirectory() as temporary:
        scratch = pathlib.Path(temporary)
        binaries = install("yinyang", (options.venv or scratch / "venv").absolute())
        program = build_sat_program(scratch)
        (scratch / "seeds").mkdir()
        for seed in sample:
            shutil.copy(seed, scratch / "seeds" / seed.name)
        ours = {}
        run = subprocess.run(
            [options.ours.absolute(), scratch / "seeds", str(options.mutants), "--json"],
            capture_output=True, text=True, check=True)
        for line in run.stdout.splitlines():
            row = json.loads(line)
            ours[row["strategy"]] = row["mutants"] / row["cpu_seconds"]
        for strategy in ("typefuzz", "opfuzz"):
            mutants, seconds, failed = measure_yinyang(
                binaries / strategy, program, sorted((scratch / "seeds").iterdir()), options.iterations, scratch)
            if mutants == 0 or seconds == 0:
                print(f"{strategy}: yinyang made no mutant of {len(sample)} seeds; ours {ours[strategy]:.0f}/CPU-s")
                continue
            theirs = mutants / seconds
            print(f"{strategy}: ours {ours[strategy]:.0f}, yinyang {theirs:.1f} mutants/CPU-s "
                  f"({mutants} mutants, {failed} of {len(sample)} seeds failed): ratio {ours[strategy] / theirs:.0f}")


if __name__ == "__main__":
    main()
