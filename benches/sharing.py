#!/usr/bin/env python3
"""How fast two workers are if they share a campaign through a store, compared with a campaign in a local folder.

    benches/sharing.py PROGRAM STORE [--time TIME] [--runs N] [--processes N] [-- FUZZ ARGUMENTS]
    benches/sharing.py PROGRAM STORE --cases N [--runs N] [-- FUZZ ARGUMENTS]

Runs both in turns, with the same random seed and for the same time, prints the rates of each run, the ratio of the medians, and which
share of the workers' time the store took. STORE is a URL such as postgres://me@localhost/elenchus; a password belongs into ~/.pgpass.
Two workers fuzz in each campaign. Those of the local campaign are threads of one process, and so are those of the shared one, unless
`--processes 2` gives each worker a process of its own. Such processes learn apart what solvers and seeds are like. Use an idle machine.

What a campaign does in a time depends on chance: which hard seeds it meets, and which strategies earn time. `--cases` removes it: the same cases
run through a file of SQLite and through STORE, and only the time differs.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

WORKERS = 2
USUAL = ["--solver", "z3", "--solver", "cvc5", "--no-performance"]


def summaries(processes):
    """Waits for processes of `elenchus fuzz --json`, and returns their last lines."""
    found = []
    for process in processes:
        output = process.communicate()[0]
        if process.returncode not in (0, 1):
            raise SystemExit(f"{process.args} ended with {process.returncode}: {output[-2000:]}")
        found.append(json.loads(output.splitlines()[-1]))
    return found


def fuzz(program, arguments, folder, environment):
    command = [program, "fuzz", "--json", "--no-triage", "--out", folder, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def rate(found):
    """Cases per second of all processes together."""
    return sum(1000 * one["this_run"]["cases"] / one["this_run"]["elapsed_ms"] for one in found)


def store_share(found):
    sharing = [one["statistics"].get("sharing", {}) for one in found]
    taken = sum(one.get("exchanging", 0) + one.get("waiting", 0) for one in sharing)
    return taken / sum(one["statistics"]["busy"] for one in found)


# Strategies that ask solvers nothing while they make cases: an answer may depend on the load of the machine.
ASKING_NOTHING = ["--strategy", "typefuzz,opfuzz,swap,grammar,enumerate,histfuzz"]


def same_cases(given, arguments):
    """The rates of the same cases through a file and through the store."""
    rates = {"file": [], "store": []}
    with tempfile.TemporaryDirectory() as folder:
        for run in range(given.runs):
            seen = {}
            for kind, url in (("file", f"sqlite:{folder}/{run}.db"), ("store", given.store)):
                environment = dict(os.environ, ELENCHUS_STORE=url)
                name = f"bench-{int(time.time())}-{run}"
                more = ["--cases", str(given.cases), "--jobs", str(WORKERS), "--campaign", name, "--only", "fuzz"]
                found = summaries([fuzz(given.program, [*arguments, *more], f"{folder}/{kind}-{run}", environment)])
                rates[kind].append(rate(found))
                seen[kind] = (found[0]["this_run"]["cases"], found[0]["digest"], store_share(found))
            if seen["file"][:2] != seen["store"][:2]:
                raise SystemExit(f"the cases differ: {seen}")
            print(
                f"run {run + 1}: {seen['file'][0]} cases, file {rates['file'][-1]:.1f} cases/s, store {rates['store'][-1]:.1f} "
                f"cases/s, the store took {100 * seen['store'][2]:.2f} % of the workers' time",
                flush=True,
            )
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("store")
    parser.add_argument("--time", default="3m")
    parser.add_argument("--cases", type=int)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--processes", type=int, choices=[1, WORKERS], default=1)
    parser.add_argument("rest", nargs="*")
    given = parser.parse_args()
    arguments = (given.rest or USUAL) + ["--seed", "7"]
    if given.cases:
        compared(same_cases(given, arguments if given.rest else arguments + ASKING_NOTHING))
        return
    arguments += ["--time", given.time]
    local = {name: value for name, value in os.environ.items() if not name.startswith("ELENCHUS_STORE")}
    shared = local | {"ELENCHUS_STORE": given.store}
    rates = {"folder": [], "store": []}
    with tempfile.TemporaryDirectory() as folder:
        for run in range(given.runs):
            place = os.path.join(folder, str(run))
            found = summaries([fuzz(given.program, [*arguments, "--jobs", str(WORKERS)], place, local)])
            rates["folder"].append(rate(found))
            name = f"bench-{int(time.time())}-{run}"
            jobs = str(WORKERS // given.processes)
            more = ["--jobs", jobs, "--campaign", name, "--only", "fuzz"]
            processes = [fuzz(given.program, [*arguments, *more], f"{place}-{n}", shared) for n in range(given.processes)]
            found = summaries(processes)
            rates["store"].append(rate(found))
            print(
                f"run {run + 1}: folder {rates['folder'][-1]:.1f} cases/s, store {rates['store'][-1]:.1f} cases/s, "
                f"the store took {100 * store_share(found):.2f} % of the workers' time",
                flush=True,
            )
    compared(rates)


def compared(rates):
    """Prints the medians and means of both kinds of runs, and their ratios."""
    usual = next(kind for kind in rates if kind != "store")
    for name, mean in (("median", statistics.median), ("mean", statistics.mean)):
        one, other = mean(rates[usual]), mean(rates["store"])
        print(f"{name}: {usual} {one:.1f}, store {other:.1f}, ratio {other / one:.3f}")


if __name__ == "__main__":
    main()
