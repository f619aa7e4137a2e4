#!/usr/bin/env python3
"""How fast two workers are if they share a campaign through a store, compared with a campaign in a local folder.

    benches/sharing.py PROGRAM STORE [--time TIME] [--runs N] [-- FUZZ ARGUMENTS]

Runs both in turns, with the same random seed and for the same time, prints the rates of each run, the ratio of the medians, and which
share of the workers' time the store took. STORE is a URL such as postgres://me@localhost/elenchus; a password belongs into ~/.pgpass.
The local campaign has one process with two workers, the shared one has two processes with one worker each. Use an idle machine.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("store")
    parser.add_argument("--time", default="3m")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("rest", nargs="*")
    given = parser.parse_args()
    arguments = (given.rest or USUAL) + ["--seed", "7", "--time", given.time]
    local = {name: value for name, value in os.environ.items() if not name.startswith("ELENCHUS_STORE")}
    shared = local | {"ELENCHUS_STORE": given.store}
    rates = {"folder": [], "store": []}
    with tempfile.TemporaryDirectory() as folder:
        for run in range(given.runs):
            place = os.path.join(folder, str(run))
            found = summaries([fuzz(given.program, [*arguments, "--jobs", "2"], place, local)])
            rates["folder"].append(rate(found))
            name = f"bench-{int(time.time())}-{run}"
            more = ["--jobs", "1", "--campaign", name, "--only", "fuzz"]
            both = [fuzz(given.program, [*arguments, *more], f"{place}-{n}", shared) for n in range(2)]
            found = summaries(both)
            rates["store"].append(rate(found))
            print(
                f"run {run + 1}: folder {rates['folder'][-1]:.1f} cases/s, store {rates['store'][-1]:.1f} cases/s, "
                f"the store took {100 * store_share(found):.2f} % of the workers' time",
                flush=True,
            )
    median = {kind: statistics.median(values) for kind, values in rates.items()}
    print(f"median: folder {median['folder']:.1f}, store {median['store']:.1f}, ratio {median['store'] / median['folder']:.3f}")


if __name__ == "__main__":
    main()
