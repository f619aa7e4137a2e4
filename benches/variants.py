#!/usr/bin/env python3
"""Compare variants of strategies: one campaign for each release, variant and round, all of the same length.

    python3 benches/variants.py --elenchus PROGRAM --out FOLDER --variant histfuzz:published --variant histfuzz:r
                                --release z3@4.8.7 [--release …] [--other z3@5.4.0] [--time 20m] [--rounds 1] [--seed 1]
                                [-- FLAGS of elenchus fuzz]

Every campaign has one worker. The variants take turns, so that load on the machine affects all of them, and a round has the
same random seed for each. A bug is a listed finding that blames the release; findings of two
campaigns are the same bug if triage gave them the same title. With `-- --coverage` the functions that were reached
are compared, too.

Campaigns stay in FOLDER. One that is finished is not repeated, and one that another process has begun is left to it, so
several processes can share the work: delete the folder of a campaign that was interrupted. The table needs all of them.
"""

import argparse
import itertools
import json
import pathlib
import statistics
import subprocess
import sys

from once import once


def campaign(options, release, variant, seed):
    """Runs one campaign, or reads what it has found. None if another process runs it."""
    folder = options.out / f"{release}-{variant.replace(':', '-')}-{seed}"

    def measure():
        print(f"{release} {variant} seed {seed}", file=sys.stderr)
        command = [options.elenchus, "fuzz", "--strategy", variant, "--jobs", "1", "--time", options.time,
                   "--seed", str(seed), "--out", folder / "out", "--json", *options.flags]
        for solver in (release, *options.other):
            command += ["--solver", solver]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode not in (0, 1):
            raise SystemExit(run.stderr)
        last = json.loads(run.stdout.splitlines()[-1])
        return {
            "cases": last["statistics"]["cases"],
            "bugs": {finding["title"]: finding["class"] for finding in last["findings"]
                     if finding["bug"] and blames(folder / "out", finding, release)},
            "functions": functions(options, folder / "out", release) if "--coverage" in options.flags else None,
        }

    return once(folder, measure)


def blames(folder, finding, release):
    """Whether the release is the suspect of a finding."""
    record = json.loads((folder / finding["folder"] / "finding.json").read_text())
    return any(run["suspect"] and run["id"] == release for run in record["runs"])


def functions(options, folder, release):
    """How many functions of the release a campaign reached."""
    command = [options.elenchus, "coverage", "--out", folder, "--json"]
    covered = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return covered[-1]["reached"][release]["reached"]


def mann_whitney(one, other):
    """Two-sided p of the Mann-Whitney U test, exact over all ways to divide the values, and the effect size A12."""
    pooled = sorted(one + other)
    rank = {value: statistics.mean(index + 1 for index, each in enumerate(pooled) if each == value)
            for value in set(pooled)}
    ranks = [rank[value] for value in one + other]
    expected = len(one) * (len(pooled) + 1) / 2
    distance = abs(sum(ranks[:len(one)]) - expected)
    sums = [abs(sum(chosen) - expected) for chosen in itertools.combinations(ranks, len(one))]
    better = sum((a > b) + (a == b) / 2 for a in one for b in other)
    return sum(each >= distance - 1e-9 for each in sums) / len(sums), better / (len(one) * len(other))


def spread(values):
    """Mean and standard deviation."""
    deviation = statistics.stdev(values) if len(values) > 1 else 0
    return f"{statistics.mean(values):,.1f} ± {deviation:,.1f}"


def table(title, variants, runs):
    """Prints a row for each variant. The test compares it with the first one."""
    print(f"\n{title}")
    kinds = sorted({kind for measured in runs.values() for each in measured for kind in each["bugs"].values()})
    covered = all(each["functions"] is not None for measured in runs.values() for each in measured)
    heads = ["variant", "campaigns", "cases", "bugs", "only here", *kinds, "bugs in a campaign", "p, A12"]
    heads += ["functions in a campaign", "p, A12"] if covered else []
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    found = {variant: set().union(*(each["bugs"] for each in runs[variant])) for variant in variants}
    classes = {title: kind for measured in runs.values() for each in measured
               for title, kind in each["bugs"].items()}

    def compared(value, variant):
        values = {name: [value(each) for each in runs[name]] for name in (variants[0], variant)}
        if variant == variants[0]:
            return [spread(values[variant]), "–"]
        p, effect = mann_whitney(values[variants[0]], values[variant])
        return [spread(values[variant]), f"{p:.3f}, {effect:.2f}"]

    for variant in variants:
        others = set().union(*(found[other] for other in variants if other != variant))
        cells = [variant, str(len(runs[variant])), f"{sum(each['cases'] for each in runs[variant]):,}",
                 str(len(found[variant])), str(len(found[variant] - others))]
        cells += [str(sum(classes[title] == kind for title in found[variant])) for kind in kinds]
        cells += compared(lambda each: len(each["bugs"]), variant)
        cells += compared(lambda each: each["functions"], variant) if covered else []
        print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--variant", action="append", required=True)
    parser.add_argument("--release", action="append", required=True)
    parser.add_argument("--other", action="append", default=[])
    parser.add_argument("--time", default="20m")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("flags", nargs="*")
    options = parser.parse_args()
    runs = {release: {variant: [] for variant in options.variant} for release in options.release}
    for seed in range(options.seed, options.seed + options.rounds):
        for release in options.release:
            for variant in options.variant:
                runs[release][variant].append(campaign(options, release, variant, seed))
    if any(each is None for measured in runs.values() for some in measured.values() for each in some):
        raise SystemExit("some campaigns are not finished; run this again when they are")
    print(f"{options.time} for each campaign, beside {', '.join(options.other) or 'no other solver'}")
    for release in options.release:
        table(release, options.variant, runs[release])
    if len(options.release) > 1:
        table("all releases", options.variant,
              {variant: [each for release in options.release for each in runs[release][variant]]
               for variant in options.variant})


if __name__ == "__main__":
    main()
