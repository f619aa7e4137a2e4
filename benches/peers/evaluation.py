#!/usr/bin/env python3
"""Evaluation of formulas under models: Z3's Python API and our evaluator, in one run, on the same scripts and models.

    python3 benches/peers/evaluation.py SCRIPTS --ours PROGRAM [--venv FOLDER] [--sample N] [--rounds N] [--list]

PROGRAM is the example `evaluation` of the crate `semantics`, built with --release. z3-solver is installed from PyPI into
FOLDER (a temporary one by default). The models are Z3's own; finding them is not timed. There are two measurements, each the
fastest of fifteen batches of rounds after a warm-up:

- evaluation: all assertions under the model. Parsing is not timed, and no round reuses values of an earlier one. Z3:
  `model.eval(assertion, model_completion=True)`. Ours: the evaluator, which prepares a term when it is evaluated for the second
  time. The first and the second evaluation are reported separately.
- from text to verdict: parse the script and the model, and check the assertions, as in a campaign. Z3's API does not parse models,
  so the definitions of the model replace the declarations of the script beforehand, which is not timed; then a new `ParserContext`
  parses the script, and `simplify` checks each assertion. Ours: parse both texts into a new arena, and validate.

A script counts only if both sides find all assertions true.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

from common import install

PEER = """
import json, sys, time
import z3

def fastest(rounds, work):
    work()
    best = float("inf")
    for _ in range(15):
        start = time.process_time()
        for _ in range(rounds):
            work()
        best = min(best, (time.process_time() - start) / rounds)
    return best

def commands(text):
    depth, start, at, found = 0, 0, 0, []
    while at < len(text):
        c = text[at]
        if c == ";":
            at = text.find("\\n", at)
            if at < 0:
                break
        elif c in '"|':
            at = text.find(c, at + 1)
        elif c == "(":
            start = at if depth == 0 else start
            depth += 1
        elif c == ")":
            depth -= 1
            if depth == 0:
                found.append(text[start : at + 1])
        at += 1
    return found

def name(command):
    words = command.strip("()").split()
    return words[1] if len(words) > 1 else ""

def with_model(script, model):
    before, after = [], []
    own = {name(one) for one in commands(script) if one.startswith("(define-")}
    definitions = [one for one in commands(model) if name(one) not in own]
    defined = {name(one) for one in definitions}
    for command in commands(script):
        if command.startswith(("(declare-fun", "(declare-const")) and name(command) in defined:
            continue
        if command.startswith(("(check-sat", "(get-", "(exit")):
            continue
        # Definitions of the script may use those of the model, which may use sorts and constructors.
        (after if command.startswith(("(assert", "(define-fun", "(define-const")) else before).append(command)
    return "\\n".join(before + definitions + after)

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
        true = all(z3.is_true(model.eval(term, model_completion=True)) for term in assertions)
        answer = {"true": true, "model": text}
        if true:
            answer["seconds"] = fastest(
                rounds, lambda: [model.eval(term, model_completion=True) for term in assertions]
            )
            whole = with_model(open(job["file"], errors="replace").read(), text)
            judge = lambda: all(z3.is_true(z3.simplify(term)) for term in z3.ParserContext().from_string(whole))
            try:
                if judge():
                    answer["whole_seconds"] = fastest(rounds, judge)
            except z3.Z3Exception as error:
                answer["whole_error"] = str(error)
        print(json.dumps(answer), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
"""


def report(title, rows):
    """Prints the ratios of rows of (theirs, ours, script)."""
    if not rows:
        print(f"{title}: no script counts")
        return
    ratios = sorted(their / our for their, our, _ in rows)
    theirs, ours = sum(row[0] for row in rows), sum(row[1] for row in rows)
    print(f"{title}: {len(rows)} scripts; Z3 {theirs * 1e3:.3f} ms in total, ours {ours * 1e3:.3f} ms, ratio {theirs / ours:.1f}")
    deciles = " ".join(f"{decile:.1f}" for decile in statistics.quantiles(ratios, n=10)) if len(ratios) > 1 else ""
    print(f"  deciles of the ratio: {deciles}")
    print(
        f"  ratio per script: min {ratios[0]:.2f}, median {statistics.median(ratios):.1f}, max {ratios[-1]:.1f};"
        f" ours is slower on {sum(ratio < 1 for ratio in ratios)}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", type=pathlib.Path)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--venv", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--list", action="store_true", help="also print a line for each script")
    options = parser.parse_args()
    scratch = tempfile.TemporaryDirectory()
    folder = options.venv or pathlib.Path(scratch.name) / "venv"
    binaries = install("z3-solver", folder)
    files = sorted(options.scripts.rglob("*.smt2"))
    files = files[:: max(1, len(files) // options.sample)][: options.sample]
    answers = []
    for file in files:
        # One process per script: an error in one stays in Z3's context and spoils the next.
        job = json.dumps({"file": str(file), "rounds": options.rounds}) + "\n"
        peer = subprocess.run([binaries / "python", "-c", PEER], input=job, text=True, stdout=subprocess.PIPE)
        lines = [line for line in peer.stdout.splitlines() if line.startswith("{")]
        answers.append(json.loads(lines[0]) if lines else {})
    evaluated, whole, first, second = [], [], 0.0, 0.0
    for file, their in zip(files, answers):
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
        evaluated.append((their["seconds"], result["seconds"], file.name))
        first, second = first + result["first_seconds"], second + result["second_seconds"]
        if "whole_seconds" in their:
            whole.append((their["whole_seconds"], result["whole_seconds"], file.name))
    if options.list:
        for title, rows in [("evaluation", evaluated), ("text", whole)]:
            for their, our, name in sorted(rows, key=lambda row: row[0] / row[1]):
                print(f"{title} {their * 1e6:10.1f} us {our * 1e6:10.1f} us {their / our:7.2f} {name}")
    print(f"{len(files)} scripts")
    report("evaluation", evaluated)
    print(f"  our first evaluation takes {first * 1e3:.3f} ms in total, the second {second * 1e3:.3f} ms")
    report("from text to verdict", whole)


if __name__ == "__main__":
    main()
