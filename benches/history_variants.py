#!/usr/bin/env python3
"""RQ3 of the HistFuzz paper at small scale: histfuzz, histfuzz_r and histfuzz_n on one release, for the same time.

    python3 benches/history_variants.py --library FILE --elenchus PROGRAM [--solver z3@4.8.7] [--other cvc5]
                                        [--time 5m] [--rounds N] [--seed N] [--jobs N]

FILE is a library with skeletons of normal formulas: `elenchus history mine BUGS --normal SEEDS --out FILE`. In every round each
variant runs one campaign with the same seed number, solvers, workers and time. The variants take turns, so that load on the
machine affects all of them. A bug is a distinct finding whose suspect is the release. The table shows how many bugs each variant
found, how many only it found, and how many cases it ran.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

VARIANTS = {"full": "histfuzz", "r": "histfuzz_r", "n": "histfuzz_n"}


def campaign(options, variant, round_number, folder):
    command = [
        options.elenchus, "fuzz", "--strategy", "histfuzz", "--history", options.library,
        "--history-variant", variant, "--solver", options.solver, "--time", options.time,
        "--seed", str(options.seed + round_number), "--jobs", str(options.jobs), "--no-performance",
        "--out", folder, "--json"]
    for other in options.other:
        command += ["--solver", other]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        raise SystemExit(run.stderr)
    last = json.loads(run.stdout.splitlines()[-1])
    return last["statistics"]["cases"], last["findings"]


def blames(folder, finding, solver):
    """Whether the release is the suspect of a finding."""
    record = json.loads((pathlib.Path(folder) / finding["folder"] / "finding.json").read_text())
    return any(target["suspect"] and target["id"] == solver for target in record["targets"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--elenchus", required=True)
    parser.add_argument("--solver", default="z3@4.8.7")
    parser.add_argument("--other", action="append", default=[])
    parser.add_argument("--time", default="5m")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.other = options.other or ["cvc5"]
    found = {variant: {} for variant in VARIANTS}
    cases = dict.fromkeys(VARIANTS, 0)
    for round_number in range(options.rounds):
        for variant in VARIANTS:
            with tempfile.TemporaryDirectory() as folder:
                made, findings = campaign(options, variant, round_number, folder)
                cases[variant] += made
                for finding in findings:
                    if finding["bug"] and blames(folder, finding, options.solver):
                        found[variant].setdefault(finding["signature"], finding["class"])
    print(f"{options.solver}, {options.time} per variant and round, rounds: {options.rounds}, workers: {options.jobs}")
    classes = sorted({kind for bugs in found.values() for kind in bugs.values()})
    print("| variant | cases | bugs | unique | " + " | ".join(classes) + " |")
    print("|---|" + "---|" * (3 + len(classes)))
    for variant, name in VARIANTS.items():
        bugs = found[variant]
        others = set().union(*(found[other] for other in VARIANTS if other != variant))
        counts = [str(sum(kind == one for kind in bugs.values())) for one in classes]
        print(f"| {name} | {cases[variant]} | {len(bugs)} | {len(set(bugs) - others)} | " + " | ".join(counts) + " |")


if __name__ == "__main__":
    main()
