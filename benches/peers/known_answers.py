#!/usr/bin/env python3
"""Cases of known answer per CPU-second: the fusion of yinyang and STORM beside ours, in one run, on the same seeds.

    python3 benches/peers/known_answers.py SEEDS --ours PROGRAM --z3 Z3 [--storm CLONE] [--venv FOLDER] [--sample N] [--cases N]

PROGRAM is the example `known_status` of the crate `strategies`, built with --release. yinyang and z3-solver (for STORM) are installed
from PyPI into FOLDER (a temporary one by default); CLONE is a checkout of STORM. All SEEDS must be satisfiable.

Only making cases counts, with all child processes. yinyang gets a compiled program that prints `sat`; STORM's own function makes its
mutants, after Z3 has answered the seed. Ours also answers the questions about a seed, which its CPU time leaves out. A case is valid if
Z3 reports no error for it. Seeds on which a peer fails or makes no mutant are left out of its figures.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from common import children_cpu, install
from generation import build_sat_program

# Makes the mutants of one seed as STORM's main program does.
STORM = """
import sys
sys.path.insert(0, sys.argv[1])
from storm.fuzzer.fuzzer import generate_mutants
from storm.parameters import get_parameters_dict
from storm.smt.smt_object import smtObject
parameters = get_parameters_dict(replication_mode=False, bug_number=None)
seed = smtObject(file_path=sys.argv[2], path_to_mutant_folder=sys.argv[3])
seed.check_satisfiability(timeout=parameters["solver_timeout"])
generate_mutants(seed, sys.argv[3], parameters["max_depth"], parameters["max_assert"], 1, "ALL", parameters)
"""


def sample_of(folder, count):
    files = [path for path in sorted(folder.rglob("*.smt2")) if path.stat().st_size < 10_000]
    return files[::max(1, len(files) // count)][:count]


def valid_share(z3, scripts):
    """The share of scripts that Z3 reads without an error."""
    valid = 0
    for script in scripts:
        run = subprocess.run([z3, "-T:2", script], capture_output=True, text=True)
        valid += "(error" not in run.stdout
    return valid / len(scripts) if scripts else 0.0


def run_yinyang(tool, program, pair, iterations, scratch, environment):
    """Whether yinyang survived."""
    command = [tool, "-i", str(iterations), "-n", "-o", "sat", str(program), *pair]
    try:
        run = subprocess.run(
            command, cwd=scratch, env=dict(os.environ, **environment), capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return False
    return "Traceback" not in run.stdout + run.stderr


def measure_yinyang(tool, program, seeds, iterations, scratch):
    """Mutants, CPU seconds, pairs that failed, and some of the mutants."""
    mutants, seconds, failed = 0, 0.0, 0
    counter, kept = scratch / "runs", scratch / "kept"
    kept.mkdir()
    keep = scratch / "keep"
    keep.write_text('#!/bin/sh\nfor file; do :; done\ncp "$file" "$KEPT/$$.smt2"\necho sat\n')
    keep.chmod(0o755)
    for pair in zip(seeds, seeds[1:] + seeds[:1]):
        counter.unlink(missing_ok=True)
        before = children_cpu()
        survived = run_yinyang(tool, program, pair, iterations, scratch, {"RUN_COUNTER": str(counter)})
        took = children_cpu() - before
        made = counter.stat().st_size if counter.exists() else 0
        if not survived or made == 0:
            failed += 1
            continue
        mutants += made
        seconds += took
        run_yinyang(tool, keep, pair, 5, scratch, {"KEPT": str(kept)})
    return mutants, seconds, failed, sorted(kept.glob("*.smt2"))


def measure_storm(python, clone, seeds, scratch):
    mutants, seconds, failed, kept = 0, 0.0, 0, []
    for index, seed in enumerate(seeds):
        folder = scratch / f"storm{index}"
        folder.mkdir()
        before = children_cpu()
        command = [python, "-c", STORM, clone, seed, folder]
        try:
            subprocess.run(command, cwd=scratch, capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            pass
        made = sorted(folder.glob("*.smt2"))
        if not made:
            failed += 1
            continue
        mutants += len(made)
        seconds += children_cpu() - before
        kept += made[:5]
    return mutants, seconds, failed, kept


def measure_ours(program, strategy, folder, cases):
    """Cases a CPU-second by our own account, and its whole line."""
    run = subprocess.run([program, strategy, folder, str(cases)], capture_output=True, text=True)
    line = run.stdout.strip().splitlines()[0] if run.stdout.strip() else run.stderr.strip()
    rate = re.search(r"(\d+) a CPU-second", line)
    return (float(rate.group(1)) if rate else 0.0), line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", type=pathlib.Path)
    parser.add_argument("--ours", type=pathlib.Path, required=True)
    parser.add_argument("--z3", type=pathlib.Path, required=True)
    parser.add_argument("--storm", type=pathlib.Path)
    parser.add_argument("--venv", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=20, help="number of seeds, spread evenly over the folder")
    parser.add_argument("--iterations", type=int, default=50, help="fusions per pair for yinyang")
    parser.add_argument("--cases", type=int, default=20_000, help="cases of each strategy of ours")
    options = parser.parse_args()
    seeds = sample_of(options.seeds, options.sample)
    if not seeds:
        sys.exit(f"no script of less than 10 kB in {options.seeds}")
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        folder = options.venv or scratch / "venv"
        sample = scratch / "seeds"
        sample.mkdir()
        for index, seed in enumerate(seeds):
            (sample / f"{index}.smt2").write_bytes(seed.read_bytes())
        seeds = sorted(sample.glob("*.smt2"))
        print(f"{len(seeds)} seeds")
        peers = [("fusion", "yinyang", lambda: measure_yinyang(
            install("yinyang", folder) / "yinyang", build_sat_program(scratch), seeds, options.iterations, scratch))]
        if options.storm:
            install("termcolor", folder)
            python = install("z3-solver", folder) / "python"
            peers.append(("storm", "STORM", lambda: measure_storm(python, options.storm, seeds, scratch)))
        for strategy, peer, measure in peers:
            mutants, seconds, failed, kept = measure()
            rate = mutants / seconds if seconds else 0.0
            share = valid_share(options.z3, kept)
            print(f"{peer}: {mutants} mutants, {rate:.1f} a CPU-second, {share:.0%} of {len(kept)} valid,"
                  f" {failed} seeds or pairs without any")
            ours, line = measure_ours(options.ours, strategy, sample, options.cases)
            print(f"ours: {line}")
            if rate * share > 0:
                print(f"{strategy}: {ours / (rate * share):.0f} times as many valid cases a CPU-second as {peer}")


if __name__ == "__main__":
    main()
