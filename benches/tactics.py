#!/usr/bin/env python3
"""Table I of the HistFuzz paper: how many formulas still show their bug after `simplify` or `tseitin-cnf`.

    python3 benches/tactics.py BUGS.tsv FORMULAS --z3 Z3 --release z3-4.8.7.0=PROGRAM [--release …] [--timeout 5]

BUGS.tsv has the columns release, formula and class: a release, the name of a file in FORMULAS without its suffix, and what the release
does wrong (soundness-unsat, soundness-sat, invalid-model or crash). Z3 is a correct release, which applies the tactics; PROGRAM is the
release that shows the bug. As in the paper, formulas with fewer than two connectives or quantifiers are left out, and so are those
whose bug does not show in default mode. A variant counts as one that conceals the bug if the release answers correctly or not at all. A formula
to which Z3 cannot apply a tactic (`tseitin-cnf` takes no quantifiers), and one whose variant the release cannot read, have no variant.
"""

import argparse
import collections
import csv
import pathlib
import re
import subprocess
import tempfile

CONNECTIVE = re.compile(r"\((?:and|or|not|=>|implies|xor|forall|exists)\s")
# The names that `tseitin-cnf` invents.
FRESH = re.compile(r"k![0-9]+")
KEPT = ("set-option", "set-logic", "declare-", "define-")
TOKEN = re.compile(r'\s+|;[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')


def commands(text):
    """The top-level lists of a script, as text."""
    depth, start = 0, 0
    for token in TOKEN.finditer(text):
        if token.group() == "(":
            start = token.start() if depth == 0 else start
            depth += 1
        elif token.group() == ")":
            depth -= 1
            if depth == 0:
                yield text[start:token.end()]


def run(program, text, timeout, *options):
    """The output of a solver and its exit code; None for the code if it took too long."""
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(text)
        file.flush()
        try:
            done = subprocess.run([program, *options, file.name], capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return "", None
        return done.stdout + done.stderr, done.returncode


def shows(program, text, kind, timeout):
    """Whether a release does something wrong of this class."""
    output, code = run(program, text, timeout, "model_validate=true")
    if kind == "crash":
        return code is not None and (code < 0 or "ASSERTION VIOLATION" in output)
    if kind == "invalid-model":
        return "an invalid model was generated" in output
    wrong = "unsat" if kind == "soundness-unsat" else "sat"
    return "an invalid model" not in output and output.split("\n")[0] == wrong


def is_rejected(program, text, timeout):
    """Whether a release cannot read a script: a newer one prints operators that it does not have."""
    output = run(program, text, timeout)[0]
    return "(error" in output and "an invalid model" not in output


def variant(z3, text, tactic, timeout):
    """The formula after a tactic; None if it cannot be applied."""
    kept = [one for one in commands(text) if one[1:].startswith((*KEPT, "assert"))]
    output, _ = run(z3, "\n".join([*kept, f"(apply {tactic})"]), timeout)
    goal = re.search(r"\(goals\n\(goal\n(.*?)\n?\s*:precision", output, re.DOTALL)
    if not goal or "error" in output:
        return None
    # A formula of the goal is a list or a name.
    formulas, rest = [], goal.group(1)
    for one in commands(rest):
        rest = rest.replace(one, " ", 1)
        formulas.append(one)
    formulas += rest.split()
    declared = [f"(declare-const {name} Bool)" for name in sorted(set(FRESH.findall(goal.group(1))))]
    before = [one for one in kept if not one.startswith("(assert")]
    return "\n".join([*before, *declared, *(f"(assert {one})" for one in formulas), "(check-sat)", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bugs", type=pathlib.Path)
    parser.add_argument("formulas", type=pathlib.Path)
    parser.add_argument("--z3", required=True)
    parser.add_argument("--release", action="append", required=True)
    parser.add_argument("--timeout", type=float, default=5)
    options = parser.parse_args()
    programs = dict(release.split("=", 1) for release in options.release)
    counts = collections.Counter()
    for row in csv.DictReader(options.bugs.open(), delimiter="\t"):
        program = programs.get(row["release"])
        if program is None:
            continue
        text = (options.formulas / f"{row['formula']}.smt2").read_text()
        if len(CONNECTIVE.findall(text)) < 2:
            counts["too simple"] += 1
            continue
        if text.count("(check-sat") != 1 or "(push" in text:
            counts["several questions"] += 1
            continue
        if not shows(program, text, row["class"], options.timeout):
            counts["not shown"] += 1
            continue
        counts["valid"] += 1
        for tactic in ("tseitin-cnf", "simplify"):
            changed = variant(options.z3, text, tactic, options.timeout)
            if changed is None or is_rejected(program, changed, options.timeout):
                counts[tactic, "no variant"] += 1
            elif shows(program, changed, row["class"], options.timeout):
                counts[tactic, "shown"] += 1
            else:
                counts[tactic, "concealed"] += 1
    print(f"left out: {counts['too simple']} too simple, {counts['several questions']} with several questions, "
          f"{counts['not shown']} whose bug does not show")
    print("| tactic | formulas | still shown | concealed | no variant |\n|---|---|---|---|---|")
    for tactic in ("tseitin-cnf", "simplify"):
        shown, concealed = counts[tactic, "shown"], counts[tactic, "concealed"]
        share = concealed / max(shown + concealed, 1)
        print(f"| {tactic} | {counts['valid']} | {shown} | {concealed} ({share:.0%}) | {counts[tactic, 'no variant']} |")


if __name__ == "__main__":
    main()
