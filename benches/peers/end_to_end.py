#!/usr/bin/env python3
"""Checks per CPU-second of whole campaigns: yinyang beside Elenchus, the same solvers, seeds and limits, one worker each.

    python3 benches/peers/end_to_end.py SEEDS --elenchus PROGRAM --z3 COMMAND --cvc5 COMMAND [--sample N] [--seconds N]

COMMANDs are what yinyang runs (for cvc5 from a wheel: `PROGRAM __drive cvc5 --library FOLDER`). Elenchus takes the same
releases by name with --z3-name and --cvc5-name. A check is one run of one solver on one script. CPU time is that of the
tool and of everything it starts, read when it has ended.
"""

import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import venv


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def sample(folder, count):
    files = sorted(pathlib.Path(folder).resolve().rglob("*.smt2"))
    step = max(1, len(files) // count)
    return files[::step][:count]


def install_yinyang(folder):
    if not (folder / "bin" / "typefuzz").exists():
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", "yinyang"], check=True)
    return folder / "bin"


def wrap(command, name, folder):
    """A script in the place of a solver that leaves a byte behind for each run, since yinyang does not count them."""
    counter = folder / f"{name}.count"
    wrapper = folder / name
    wrapper.write_text(f"#!/bin/sh\nprintf . >> {counter}\nexec {command} \"$@\"\n")
    wrapper.chmod(0o755)
    return wrapper, counter


def yinyang(tool, seeds, solvers, folder, seconds):
    counters, commands = [], []
    for name, command in solvers:
        wrapper, counter = wrap(command, name, folder)
        counters.append(counter)
        commands.append(str(wrapper))
    before = children_cpu()
    budget = seconds / len(seeds)
    for seed in seeds:
        scratch = folder / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        line = [str(tool), "-i", "1000000", "-t", "2", "-l", str(folder / "logs"), "-b", str(folder / "bugs"),
                "-s", str(scratch), ";".join(commands), str(seed)]
        try:
            subprocess.run(line, timeout=budget, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
        except subprocess.TimeoutExpired:
            pass
    checks = sum(counter.stat().st_size for counter in counters if counter.exists())
    return checks, children_cpu() - before


def elenchus(program, seeds, names, folder, seconds, strategy):
    out = folder / f"out-{strategy}"
    before = children_cpu()
    line = [program, "fuzz", *map(str, seeds), "--strategy", strategy, "--jobs", "1", "--seed", "1", "--timeout", "2s",
            "--time", f"{seconds}s", "--no-performance", "--json", "--out", str(out)]
    for name in names:
        line += ["--solver", name]
    result = subprocess.run(line, stdout=subprocess.PIPE, text=True)
    cpu = children_cpu() - before
    events = [json.loads(row) for row in result.stdout.splitlines() if row.startswith("{")]
    last = events[-1] if events else {}
    checks = sum(target["runs"] for target in last.get("statistics", {}).get("targets", {}).values())
    if not checks:
        sys.exit(f"no summary in the output of {program}: {result.stdout[-500:]}")
    return checks, cpu


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
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        tools = install_yinyang(arguments.venv or folder / "venv")
        seeds = sample(arguments.seeds, arguments.sample)
        solvers = [("z3", f"{arguments.z3} model_validate=true"), ("cvc5", f"{arguments.cvc5} --check-models --strings-exp")]
        names = [arguments.z3_name, arguments.cvc5_name]
        print(f"{'strategy':10}{'ours':>12}{'yinyang':>12}{'ratio':>9}   (checks per CPU-second, {len(seeds)} seeds)")
        for strategy in ["typefuzz", "opfuzz"]:
            checks, cpu = elenchus(arguments.elenchus, seeds, names, folder, arguments.seconds, strategy)
            ours = checks / cpu
            for counter in folder.glob("*.count"):
                counter.unlink()
            checks, cpu = yinyang(tools / strategy, seeds, solvers, folder, arguments.seconds)
            if not checks:
                sys.exit(f"yinyang's {strategy} ran no solver; try a longer --seconds")
            theirs = checks / cpu
            print(f"{strategy:10}{ours:12.1f}{theirs:12.1f}{ours / theirs:9.1f}")


if __name__ == "__main__":
    main()
