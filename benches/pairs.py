#!/usr/bin/env python3
"""Look for known bugs, each from its own seed: the experiment of DIVER's Table IV.

    python3 benches/pairs.py --elenchus PROGRAM --out FOLDER --pairs PAIRS.tsv --formulas FOLDER [--strategy diver:published]
                             [--strategy diver] [--pair 9] [--time 2m] [--runs 10] [-- FLAGS of elenchus fuzz]

PAIRS.tsv and its neighbour `pairs/` have seeds, the formula that a paper reports for each, the release and its options. A run is a
campaign with one worker on one seed. It ends with its time, or at the first finding that passes for the reported bug:

* it has the reported class (a wrong `unsat`, an invalid model);
* the last release that goes wrong on its reduced script is the last one that goes wrong on the reported formula, so the same
  release fixed both.

Two bugs may still share all that, so the operators of the reduced scripts are listed below the table: whoever reads them decides.
Runs stay in FOLDER; several processes can share it, as with variants.py.
"""

import argparse
import csv
import functools
import json
import pathlib
import re
import signal
import statistics
import subprocess
import sys

from once import once

# The pairs whose release a registry offers. Pairs 5 and 7 are not shown by 4.11.0 within a minute, but by 4.8.17.
TESTED = {5: "4.8.17", 6: "4.11.0", 7: "4.8.17", 8: "4.11.0", 9: "4.11.0", 10: "4.11.0", 20: "4.11.0", 21: "4.11.0"}
LATER = ["4.8.17", "4.11.0", "4.11.2", "4.12.0", "4.12.1", "4.12.2", "4.13.0", "4.14.1", "4.15.1", "5.4.0"]
# How often a release is asked about a script.
TIMES = 8
CLASSES = {"Soundness Bug": "wrong-unsat", "Invalid-model Bug": "invalid-model"}


class Pair:
    """A seed, the formula that shows the bug, and the release with its options."""

    def __init__(self, number, options):
        name = f"diver-bench-{number}"
        rows = csv.DictReader(options.pairs.open(), delimiter="\t")
        row = next(row for row in rows if row["seed"] == name)
        self.number = number
        self.release = TESTED[number]
        self.seed = options.pairs.parent / "pairs" / f"{name}.smt2"
        self.formula = options.formulas / f"{row['bug_id']}.smt2"
        self.options = [each for each in row["options"].split() if not each.startswith("model_validate")]
        self.kind = CLASSES[row["class"]]


@functools.cache
def program(elenchus, release):
    """The executable of a release of Z3, installed if need be."""
    subprocess.run([elenchus, "solver", "install", f"z3@{release}"], check=True, stdout=subprocess.DEVNULL)
    listed = subprocess.run([elenchus, "solver", "list", "--json"], check=True, capture_output=True, text=True).stdout
    folder = next(each["path"] for each in json.loads(listed) if each["id"] == f"z3@{release}")
    return str(next(pathlib.Path(folder).rglob("bin/z3")))


def goes_wrong(options, pair, release, script):
    """Whether a release shows a bug of the pair's class on a satisfiable script; None if it does not answer.

    Z3 does not decide everything in the same way each time, so a release is asked several times.
    """
    command = [program(options.elenchus, release), "-T:10", "-memory:2000", *pair.options, "model_validate=true", str(script)]
    answered = None
    for _ in range(TIMES):
        printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        if "invalid model" in printed if pair.kind == "invalid-model" else re.search(r"^unsat$", printed, re.M):
            return True
        if re.search(r"^sat$", printed, re.M):
            answered = False
        elif answered is None:
            return None
    return answered


def history(options, pair, script):
    """What the release under test and later ones do with a script."""
    later = LATER[LATER.index(pair.release):]
    return {release: goes_wrong(options, pair, release, script) for release in later}


def same_fix(reported, found):
    """Whether the same release is the last that is wrong, of those that decide both scripts."""
    decided = [release for release in reported if reported[release] is not None and found[release] is not None]
    last = [next((release for release in reversed(decided) if history[release]), None) for history in (reported, found)]
    return last[0] is not None and last[0] == last[1]


def operators(script):
    """The names in operator position of a script, without the commands."""
    names = re.findall(r"\((?:_ )?([^\s()]+)", re.sub(r'"[^"]*"', '""', script.read_text()))
    commands = {"assert", "check-sat", "declare-const", "declare-fun", "set-logic", "set-option", "set-info", "get-model", "exit"}
    return sorted({name for name in names if name not in commands and not name.startswith("|")})


def run(options, pair, strategy, seed, reported):
    """Runs one campaign, or reads what it has found. None if another process runs it."""
    folder = options.out / f"{pair.number}-{strategy.replace(':', '-')}-{seed}"

    def measure():
        print(f"pair {pair.number}, {strategy}, run {seed}", file=sys.stderr)
        (folder / "elenchus.toml").write_text(
            f"[solver.pair]\npath = {json.dumps(program(options.elenchus, pair.release))}\nargs = {json.dumps(pair.options)}\n")
        command = [options.elenchus, "fuzz", pair.seed.resolve(), "--strategy", strategy, "--solver", "pair", "--jobs", "1",
                   "--seed", str(seed), "--time", options.time, "--out", "out", "--json", *options.flags]
        campaign = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        measured = follow(options, pair, reported, folder / "out", campaign)
        campaign.wait()
        return measured

    return once(folder, measure)


def follow(options, pair, reported, out, campaign):
    """What a running campaign finds. Stops it at the first finding that passes for the reported bug."""
    measured = {"class": 0, "cases": 0, "seconds": 0, "found": None}
    # When each finding appeared. It is reduced later, when there is time for it.
    appeared = {}
    for line in campaign.stdout:
        event = json.loads(line)
        if event["event"] in ("progress", "summary"):
            measured["cases"] = event["statistics"]["cases"]
            measured["seconds"] = event["elapsed_ms"] / 1000
        if event["event"] == "found":
            appeared[event["finding"]["id"]] = {"cases": measured["cases"], "seconds": measured["seconds"]}
        if event["event"] == "triaged" and event["finding"]["class"] == pair.kind and measured["found"] is None:
            measured["class"] += 1
            reduced = out / event["finding"]["folder"] / "reduced.smt2"
            if reduced.exists() and same_fix(reported, history(options, pair, reduced)):
                measured["found"] = {**appeared[event["finding"]["id"]], "operators": operators(reduced), "script": str(reduced)}
                campaign.send_signal(signal.SIGINT)
    return measured


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--pairs", required=True, type=pathlib.Path)
    parser.add_argument("--formulas", required=True, type=pathlib.Path)
    parser.add_argument("--strategy", action="append")
    parser.add_argument("--pair", action="append", type=int)
    parser.add_argument("--time", default="2m")
    parser.add_argument("--runs", default=10, type=int)
    parser.add_argument("flags", nargs="*")
    options = parser.parse_args()
    options.elenchus = pathlib.Path(options.elenchus).resolve()
    pairs = [Pair(number, options) for number in options.pair or TESTED]
    reported = {pair.number: history(options, pair, pair.formula) for pair in pairs}
    strategies = options.strategy or ["diver:published"]
    runs = {}
    for seed in range(1, options.runs + 1):
        for pair in pairs:
            for strategy in strategies:
                runs[pair.number, strategy, seed] = run(options, pair, strategy, seed, reported[pair.number])
    if any(each is None for each in runs.values()):
        raise SystemExit("some runs are not finished; run this again when they are")
    print("| pair | release | goes wrong in | strategy | runs | of the class | pass for the bug | seconds to it | cases to it "
          "| cases in the others |\n|" + "---|" * 10)
    for pair in pairs:
        wrong = ", ".join(release for release, is_wrong in reported[pair.number].items() if is_wrong)
        for strategy in strategies:
            mine = [runs[pair.number, strategy, seed] for seed in range(1, options.runs + 1)]
            found = [each["found"] for each in mine if each["found"]]
            others = [each["cases"] for each in mine if not each["found"]]

            def middle(values):
                return f"{min(values):,.0f} to {max(values):,.0f}, median {statistics.median(values):,.0f}" if values else "–"

            print(f"| {pair.number} | {pair.release} | {wrong} | {strategy} | {len(mine)} | {sum(each['class'] > 0 for each in mine)} "
                  f"| {len(found)} | {middle([each['seconds'] for each in found])} | {middle([each['cases'] for each in found])} "
                  f"| {middle(others)} |")
    for (number, strategy, seed), each in runs.items():
        if each["found"]:
            print(f"pair {number}, {strategy}, run {seed}: {' '.join(each['found']['operators'])} ({each['found']['script']})")


if __name__ == "__main__":
    main()
