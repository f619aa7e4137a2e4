#!/usr/bin/env python3
"""Answers and checks per CPU-second of whole campaigns: yinyang and Elenchus with the same solvers, seeds and limits, one worker each.

    python3 benches/peers/end_to_end.py SEEDS --elenchus PROGRAM --z3 COMMAND --cvc5 COMMAND [--sample N] [--seconds N]
                                        [--strategy typefuzz|opfuzz]

yinyang runs the COMMANDs (for cvc5 from a wheel: `PROGRAM __drive cvc5 --library FOLDER`). --z3-name and --cvc5-name give the same
releases to Elenchus. A check is one run of one solver on one script, an answer is `sat` or `unsat`; the rest are timeouts, `unknown` and
errors. Every run of both tools has a limit of two seconds. CPU time includes all child processes; for yinyang also a `tee` for each run,
which counts the answers.

Both tools get seeds that yinyang can parse. Elenchus runs for --seconds. yinyang runs twice: first as its manual says, with a number
of mutants per seed, seed by seed (--iterations, until done or for --longest seconds; restarted for each seed if it crashes), then
restarted for each seed with an equal share of --seconds, which it cannot do on its own.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from common import children_cpu, install


def spread(folder):
    """All scripts of a folder, ordered so that every prefix is spread over the whole folder."""
    files = sorted(pathlib.Path(folder).resolve().rglob("*.smt2"))
    step = max(1, len(files) // 50)
    return [file for first in range(step) for file in files[first::step]]


def wrap(command, name, folder):
    """Wraps a solver in a script that appends a line to a file per run, and all output, since yinyang counts neither."""
    record = folder / f"{name}.record"
    wrapper = folder / name
    wrapper.write_text(f"#!/bin/bash\necho run >> {record}\n{command} > >(exec tee -a {record})\n")
    wrapper.chmod(0o755)
    return wrapper, record


class Rate:
    """How much a tool asked and got answered in its CPU time."""

    def __init__(self, checks, answers, cpu):
        self.checks, self.answers = checks / cpu, answers / cpu

    def __str__(self):
        return f"{self.answers:.1f} answers, {self.checks:.1f} checks"

    def ratio(self, other):
        return f"ratio {self.answers / max(other.answers, 1e-9):.1f} of answers, {self.checks / other.checks:.1f} of checks"


class Yinyang:
    """A yinyang tool with its solvers."""

    def __init__(self, tool, commands, folder):
        self.tool, self.folder = tool, folder
        wrapped = [wrap(command, name, folder) for name, command in commands]
        self.solvers = ";".join(str(wrapper) for wrapper, _ in wrapped)
        self.records = [record for _, record in wrapped]

    def run(self, seeds, iterations, seconds):
        """Runs the tool on seeds. Returns the checks, the answers, and how it ended: "done", "crashed" or "stopped"."""
        for record in self.records:
            record.unlink(missing_ok=True)
        scratch = self.folder / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        line = [str(self.tool), "-i", str(iterations), "-t", "2", "-l", str(self.folder / "logs"), "-b",
                str(self.folder / "bugs"), "-s", str(scratch), self.solvers, *map(str, seeds)]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(line, cwd=self.folder, start_new_session=True, **silent) as process:
            try:
                # 0 and 10 say whether bugs were found. Any other exit code means that yinyang crashed.
                ended = "done" if process.wait(timeout=seconds) in (0, 10) else "crashed"
            except subprocess.TimeoutExpired:
                ended = "stopped"
            finally:
                # Solvers left behind would take CPU time from the next measurement.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        lines = [line for record in self.records if record.exists() for line in record.read_text(errors="replace").splitlines()]
        return lines.count("run"), lines.count("sat") + lines.count("unsat"), ended

    def rate(self, runs, seconds, iterations):
        """The rate over several runs, each a list of seeds, and how they ended."""
        before, checks, answers, ends = children_cpu(), 0, 0, set()
        for seeds in runs:
            count, answered, ended = self.run(seeds, iterations, seconds)
            checks += count
            answers += answered
            ends.add(ended)
        if not checks:
            sys.exit(f"{self.tool} ran no solver; try a longer --seconds")
        return Rate(checks, answers, children_cpu() - before), ends


def usable(candidates, tools, folder, count):
    """The first seeds that both yinyang tools accept. A seed that they cannot parse would end their whole run."""
    # yinyang requires two solvers.
    silent = [("nothing", "echo sat"), ("nothing-else", "echo sat")]
    probes = [Yinyang(tool, silent, folder) for tool in tools]
    seeds = []
    for seed in candidates:
        if len(seeds) == count:
            break
        if all(checks and ended == "done" for checks, _, ended in (probe.run([seed], 3, 10) for probe in probes)):
            seeds.append(seed)
    return seeds


def elenchus(program, seeds, names, folder, seconds, strategy):
    """The rate of a campaign."""
    out = folder / f"out-{strategy}"
    before = children_cpu()
    line = [program, "fuzz", *map(str, seeds), "--strategy", strategy, "--jobs", "1", "--seed", "1", "--timeout", "2s",
            "--fixed-timeout", "--time", f"{seconds}s", "--no-performance", "--json", "--out", str(out)]
    for name in names:
        line += ["--solver", name]
    result = subprocess.run(line, stdout=subprocess.PIPE, text=True)
    cpu = children_cpu() - before
    events = [json.loads(row) for row in result.stdout.splitlines() if row.startswith("{")]
    last = events[-1] if events else {}
    targets = list(last.get("statistics", {}).get("targets", {}).values())
    checks = sum(target["runs"] for target in targets)
    answers = sum(target["sat"] + target["unsat"] for target in targets)
    if not checks:
        sys.exit(f"no summary in the output of {program}: {result.stdout[-500:]}")
    return Rate(checks, answers, cpu)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds")
    parser.add_argument("--elenchus", required=True)
    parser.add_argument("--z3", required=True)
    parser.add_argument("--cvc5", required=True)
    parser.add_argument("--z3-name", default="z3@latest")
    parser.add_argument("--cvc5-name", default="cvc5@latest")
    parser.add_argument("--venv", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--longest", type=int, default=600)
    parser.add_argument("--strategy", choices=["typefuzz", "opfuzz"], help="run this strategy only")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bin_folder = install("yinyang", arguments.venv or folder / "venv")
        strategies = ["typefuzz", "opfuzz"]
        tools = [bin_folder / strategy for strategy in strategies]
        # The seeds do not depend on --strategy.
        seeds = usable(spread(arguments.seeds), tools, folder, arguments.sample)
        z3, cvc5 = f"exec {arguments.z3} model_validate=true", f"exec {arguments.cvc5} --check-models --strings-exp"
        solvers = [("z3", f'{z3} "$@"'), ("cvc5", f'{cvc5} "$@"')]
        names = [arguments.z3_name, arguments.cvc5_name]
        print(f"per CPU-second, {len(seeds)} seeds")
        for strategy, tool in zip(strategies, tools):
            if arguments.strategy not in (None, strategy):
                continue
            ours = elenchus(arguments.elenchus, seeds, names, folder, arguments.seconds, strategy)
            peer = Yinyang(tool, solvers, folder)
            print(f"{strategy}: Elenchus {ours}", flush=True)
            count, ends = peer.rate([seeds], arguments.longest, arguments.iterations)
            note = ", stopped early" if "stopped" in ends else ""
            if "crashed" in ends:
                # It crashed before the last seed, so each seed gets its own run.
                note = ", restarted for each seed"
                longest = arguments.longest / len(seeds)
                count, _ = peer.rate([[seed] for seed in seeds], longest, arguments.iterations)
            print(f"  yinyang, {arguments.iterations} mutants per seed{note}: {count}; {ours.ratio(count)}", flush=True)
            time, _ = peer.rate([[seed] for seed in seeds], arguments.seconds / len(seeds), 1_000_000)
            print(f"  yinyang, equal time per seed: {time}; {ours.ratio(time)}", flush=True)


if __name__ == "__main__":
    main()
