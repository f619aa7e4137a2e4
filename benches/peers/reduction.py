#!/usr/bin/env python3
"""Reduction: ddSMT and Elenchus on the same inflated bug files with the same predicate, in one run.

    python3 benches/peers/reduction.py BUGS --elenchus PROGRAM [--cases N] [--limit SECONDS] [--jobs N] [--only TEXT]
                                       [--findings OUT]

BUGS is a folder with bugs.tsv and formulas/*.smt2. Every formula is inflated with unrelated declarations and assertions, and
reduced three times: by ddSMT and by Elenchus (--cmd) with the same command, which prints the answers of the old and the new release
(or the exit code of a crash), and by Elenchus with the same claim (--keep), which uses evidence and warm solvers. Sizes are bytes
without layout. CPU seconds include all child processes. With --findings, also reduces the crashes and failed model checks of a
campaign, without inflating them. The plain executables check every result of Elenchus once more.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import tempfile
import time

from common import children_cpu, install

NEW = "z3@5.4.0"


def size(text):
    """Bytes with normalised white space, so that the layout of a tool does not count."""
    text = re.sub(r"\s+", " ", re.sub(r";[^\n]*", "", text))
    text = text.replace("( ", "(").replace(" )", ")").replace(")(", ") (")
    return len(text.strip())


def filler(kind, count):
    """Unrelated commands, satisfiable on their own, with nesting, shared terms and definitions."""
    lines = []
    for at in range(count):
        if kind == "bools":
            lines += [f"(declare-fun flag_{at} () Bool)", f"(declare-fun other_flag_{at} () Bool)"]
            lines.append(f"(assert (or flag_{at} (and (not other_flag_{at}) (=> flag_{at} (xor flag_{at} other_flag_{at})))))")
        else:
            lines += [f"(declare-fun number_{at} () Int)", f"(declare-fun flag_{at} () Bool)"]
            lines.append(f"(define-fun twice_{at} ((n Int)) Int (+ n n {at}))")
            lines.append(
                f"(assert (let ((sum_{at} (+ number_{at} (twice_{at} {at + 3})))) "
                f"(or flag_{at} (and (> sum_{at} (- {at})) (distinct number_{at} (- sum_{at} 1) {at * 7})))))"
            )
    return "\n".join(lines) + "\n"


def inflate(text, kind, count=15):
    first = re.search(r"\(\s*(declare|define|assert|push)", text)
    at = first.start() if first else 0
    return text[:at] + filler(kind, count) + text[at:]


def executable(elenchus, spec):
    listed = json.loads(subprocess.run([elenchus, "solver", "list", "--json"], capture_output=True, check=True).stdout)
    folder = next((entry["path"] for entry in listed if entry["id"] == spec), None)
    if folder is None:
        subprocess.run([elenchus, "solver", "install", spec], check=True, stdout=subprocess.DEVNULL)
        return executable(elenchus, spec)
    return next(str(path) for path in pathlib.Path(folder).rglob("z3") if path.is_file())


def own_findings(out):
    """The findings of a campaign that a plain run of Z3 may reproduce: name, release, kind, script."""
    for path in sorted(out.glob("findings/*/finding.json")):
        found = json.loads(path.read_text())
        wrong = [target for target in found["targets"] if target["suspect"] and target["name"] == "z3"]
        if wrong and not wrong[0].get("options") and found["class"] in ("crash", "invalid-model"):
            yield path.parent.name, wrong[0].get("spec", wrong[0]["id"]), found["class"], path.parent / "case.smt2"


def predicate(folder, kind, old, new):
    """The command that both tools run. It prints what must not change."""
    counter = folder / "count"
    script = folder / "predicate.sh"
    # `exec 2>/dev/null` hides the shell's message about a crash.
    body = f"printf . >> {counter}\nfor f; do :; done\n"
    if kind == "crash":
        body += f"timeout 3 {old} \"$f\" >/dev/null 2>&1\ncase $? in 134|139) echo crash;; *) echo no; exit 1;; esac\n"
    elif kind == "invalid-model":
        body += f"timeout 3 {old} model_validate=true \"$f\" 2>&1 | grep -o 'an invalid model was generated' || exit 1\n"
    else:
        body += f"one=$(timeout 3 {old} \"$f\" 2>&1)\ntwo=$(timeout 3 {new} \"$f\" 2>&1)\necho \"$one / $two\"\n"
    script.write_text("#!/bin/sh\nexec 2>/dev/null\n" + body)
    script.chmod(0o755)
    return script, counter


def run(command, limit):
    before, start = children_cpu(), time.time()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    cut = False
    try:
        out, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        cut = True
        process.send_signal(signal.SIGINT)
        try:
            out, _ = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            # Workers may outlive their parent.
            os.killpg(process.pid, signal.SIGKILL)
            out, _ = process.communicate()
    return time.time() - start, children_cpu() - before, cut, out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bugs", type=pathlib.Path)
    parser.add_argument("--elenchus", required=True)
    parser.add_argument("--cases", type=int, default=24)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--findings", type=pathlib.Path)
    parser.add_argument("--without-ddsmt", action="store_true")
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "elenchus-ddsmt")
    args = parser.parse_args()
    ddsmt = install("ddsmt", args.venv) / "ddsmt"
    rows = list(csv.DictReader((args.bugs / "bugs.tsv").open(), delimiter="\t"))
    wanted = {"soundness-unsat": [], "soundness-sat": [], "crash": []}
    for row in rows:
        release = re.match(r"z3-(4\.8\.(?:7|10|12)|4\.12\.2)\.0$", row["release"])
        formula = args.bugs / "formulas" / f"{row['formula']}.smt2"
        if release and row["class"] in wanted and formula.stat().st_size < 4000 and args.only in row["formula"]:
            seen = {entry[0] for entry in wanted[row["class"]]}
            if row["formula"] not in seen:
                wanted[row["class"]].append((row["formula"], f"z3@{release[1]}", row["class"], formula))
    # The classes alternate, so that any number of cases has some of each.
    order = [entry for group in zip(*(sorted(list_) * 3 for list_ in wanted.values() if list_)) for entry in group]
    order = [(*entry, False) for entry in dict.fromkeys(order)]
    if args.findings:
        order = [(*entry, True) for entry in own_findings(args.findings)] + order
    heads = ["formula", "release", "class", "bytes"]
    heads += [f"{tool} {what}" for tool in ("ddsmt", "cmd", "keep") for what in ("bytes", "tests", "s", "cpu s")]
    print("| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), sep="\n", flush=True)
    totals, done, reproduced = [], 0, {"cmd": [], "keep": []}
    for name, old_spec, kind, formula, own in order:
        if done >= args.cases and not own:
            break
        old, new = executable(args.elenchus, old_spec), executable(args.elenchus, NEW)
        text = formula.read_text(errors="replace")
        if re.search(r'"[^"]*\\(?!u)', text):
            # Old releases parse such strings differently, so a different answer proves nothing.
            continue
        if "set-option" in text and "produce-" not in text and kind != "crash":
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            script, counter = predicate(folder, kind, old, new)
            expected = {
                "crash": ["crash"],
                "soundness-unsat": ["unsat / sat"],
                "soundness-sat": ["sat / unsat"],
                "invalid-model": ["an invalid model was generated"],
            }[kind]
            for filler_kind in ("none",) if own else ("mixed", "bools"):
                case = folder / "case.smt2"
                case.write_text(text if own else inflate(text, filler_kind))
                printed = subprocess.run([script, case], capture_output=True, text=True).stdout.split("\n")[:1]
                if printed == expected:
                    break
            else:
                continue
            done += not own
            row = [name, old_spec, kind, size(case.read_text())]
            result = {}
            if not args.without_ddsmt:
                counter.write_text("")
                wall, used, cut, _ = run([ddsmt, "-j", str(args.jobs), case, folder / "dd.smt2", script], args.limit)
                tests = counter.stat().st_size
                small = folder / "dd.smt2"
                result["ddsmt"] = (size(small.read_text()) if small.exists() else row[3], tests, wall, used, cut)
            else:
                result["ddsmt"] = (0, 0, 0.0, 0.0, False)
            keep = {
                "crash": f"{old_spec} crashes",
                "soundness-unsat": f"{old_spec} says unsat, {NEW} says sat",
                "soundness-sat": f"{old_spec} says sat, {NEW} says unsat",
                "invalid-model": f"{old_spec} finds its model wrong",
            }[kind]
            for tool, options in (("cmd", ["--cmd", str(script)]), ("keep", ["--keep", keep])):
                line = [args.elenchus, "reduce", case, "--json", "--jobs", str(args.jobs), "-o", folder / f"{tool}.smt2"]
                wall, used, cut, out = run(line + options, args.limit)
                found = json.loads(out) if out.strip() else {"script": case.read_text(), "tests": 0}
                result[tool] = (size(found["script"]), found["tests"], wall, used, cut)
                small = folder / "again.smt2"
                small.write_text(found["script"])
                again = subprocess.run([script, small], capture_output=True, text=True).stdout.split("\n")[:1]
                reproduced[tool].append(again == expected)
            for tool in ("ddsmt", "cmd", "keep"):
                small, tests, wall, used, cut = result[tool]
                row += [small, tests, f"{wall:.1f}{'*' if cut else ''}", f"{used:.1f}"]
            print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
            totals.append(result)
    for tool, answers in reproduced.items():
        print(f"elenchus --{tool}: the plain executables reproduce {sum(answers)} of {len(answers)} results")
    if totals and not args.without_ddsmt:
        whole = [one for one in totals if not one["ddsmt"][4]]
        for tool in ("cmd", "keep"):
            for what, at in (("time", 2), ("CPU time", 3), ("tests", 1)):
                ratios = [one["ddsmt"][at] / max(one[tool][at], 0.001) for one in whole]
                print(f"elenchus --{tool}, {what}, where ddSMT finished: median {statistics.median(ratios):.1f},"
                      f" from {min(ratios):.1f} to {max(ratios):.1f} ({len(whole)} cases)")
        for tool in ("cmd", "keep"):
            ratio = sum(one["ddsmt"][2] for one in totals) / sum(one[tool][2] for one in totals)
            cpu_ratio = sum(one["ddsmt"][3] for one in totals) / sum(one[tool][3] for one in totals)
            larger = sum(one[tool][0] > one["ddsmt"][0] for one in totals)
            smaller = sum(one[tool][0] < one["ddsmt"][0] for one in totals)
            sizes = [sum(one[which][0] for one in totals) for which in ("ddsmt", tool)]
            print(f"\nelenchus --{tool}: {ratio:.1f} times as fast ({cpu_ratio:.1f} by CPU time), {smaller} smaller,"
                  f" {larger} larger of {len(totals)}; bytes in total: {sizes[0]} (ddSMT), {sizes[1]} (elenchus)")


if __name__ == "__main__":
    main()
