#!/usr/bin/env python3
"""Evaluating formulas under models: Z3's Python API beside ours, in one run, on the same scripts and models.

    python3 benches/peers/evaluation.py SCRIPTS --ours PROGRAM [--venv FOLDER] [--sample N] [--rounds N]

PROGRAM is the example `evaluation` of the crate `semantics`, built with --release. z3-solver is installed from PyPI into
FOLDER (a temporary one by default). For each satisfiable script the model is Z3's own, found once and not counted. Each
side then evaluates all assertions under it again and again: Z3 with `model.eval(assertion, model_completion=True)`, we
with our evaluator, both with everything read beforehand and a fresh start for each round. A script counts only where both
sides find all assertions true.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import venv

PEER = """
import json, sys, time
import z3
for line in sys.stdin:
    job = json.loads(line)
    try:
        solver = z3.Solver()
        solver.set("timeout", 5000)
        solver.from_file(job["file"])
        if solver.check() != z3.sat:
            raise ValueError("not sat")
        model = solver.model()
        text = model.sexpr()
        assertions = list(solver.assertions())
        rounds = job["rounds"]
        values = [model.eval(term, model_completion=True) for term in assertions]
        start = time.process_time()
        for _ in range(rounds):
            for term in assertions:
                model.eval(term, model_completion=True)
        spent = (time.process_time() - start) / rounds
        true = all(z3.is_true(value) for value in values)
        print(json.dumps({"seconds": spent, "true": true, "model": text}), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", type=pathlib.Path)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--venv", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    scratch = tempfile.TemporaryDirectory()
    folder = options.venv or pathlib.Path(scratch.name) / "venv"
    if not (folder / "bin" / "python").exists():
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", "z3-solver"], check=True)
    files = sorted(options.scripts.rglob("*.smt2"))
    files = files[:: max(1, len(files) // options.sample)][: options.sample]
    jobs = "".join(json.dumps({"file": str(file), "rounds": options.rounds}) + "\n" for file in files)
    peer = subprocess.run([folder / "bin" / "python", "-c", PEER], input=jobs, text=True, stdout=subprocess.PIPE)
    said = [json.loads(line) for line in peer.stdout.splitlines()]
    if len(said) < len(files):
        print(f"Z3 ended after {len(said)} of {len(files)} scripts", file=sys.stderr)
    ratios, theirs, ours_total = [], 0.0, 0.0
    for file, their in zip(files, said):
        if not their.get("true"):
            continue
        model = pathlib.Path(scratch.name) / "model.txt"
        model.write_text(their["model"])
        ours = subprocess.run(
            [options.ours, str(file), str(model), str(options.rounds)], text=True, stdout=subprocess.PIPE
        )
        if ours.returncode != 0:
            continue
        result = json.loads(ours.stdout)
        if result["verdict"] != "valid":
            continue
        ratios.append(their["seconds"] / result["seconds"])
        theirs += their["seconds"]
        ours_total += result["seconds"]
    if not ratios:
        sys.exit("no script was evaluated by both")
    ratios.sort()
    print(f"scripts evaluated by both: {len(ratios)} of {len(files)}")
    print(f"Z3: {theirs * 1e3:.3f} ms for all, ours: {ours_total * 1e3:.3f} ms, ratio {theirs / ours_total:.1f}")
    print(f"ratio per script: least {ratios[0]:.1f}, median {statistics.median(ratios):.1f}, greatest {ratios[-1]:.1f}")


if __name__ == "__main__":
    main()
