#!/usr/bin/env python3
"""Counts distinct bugs: clusters crashes and wrong answers of old releases, and compares with their issue trackers.

    python3 benches/clusters.py BUGS --elenchus PROGRAM [--releases z3-4.8.7.0 z3-4.8.10.0] [--reduce SECONDS] [--keep FOLDER]

BUGS is a folder with bugs.tsv, index.tsv and formulas/*.smt2. `elenchus cluster` gets every formula that breaks a release, with its
claim. The table compares the clusters with the issues of the formulas and with the releases that fixed them.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

CLAIMS = {
    "crash": "{release} crashes",
    "soundness-unsat": "{release} says unsat, z3@5.4.0 says sat",
    "soundness-sat": "{release} says sat, z3@5.4.0 says unsat",
}


def table(path):
    with path.open() as file:
        return list(csv.DictReader(file, delimiter="\t"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bugs", type=pathlib.Path)
    parser.add_argument("--elenchus", required=True)
    parser.add_argument("--releases", nargs="+", default=["z3-4.8.7.0", "z3-4.8.10.0"])
    parser.add_argument("--reduce", default="10")
    parser.add_argument("--keep", type=pathlib.Path, help="write the JSON output of each `elenchus cluster` run to this folder")
    args = parser.parse_args()
    issues = {row["id"]: (row["solver"], row["issue"]) for row in table(args.bugs / "index.tsv")}
    print("| release | class | formulas | reproduced by a plain run | clusters | distinct issues | distinct fixing releases | pure clusters |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    details = []
    for release in args.releases:
        name = "z3@" + release.removeprefix("z3-").removesuffix(".0")
        for kind, claim in CLAIMS.items():
            rows = [row for row in table(args.bugs / "bugs.tsv") if row["release"] == release and row["class"] == kind]
            with tempfile.TemporaryDirectory() as scratch:
                for row in rows:
                    text = (args.bugs / "formulas" / f"{row['formula']}.smt2").read_text(errors="replace")
                    head = "; elenchus: " + claim.format(release=name) + "\n"
                    (pathlib.Path(scratch) / f"{row['formula']}.smt2").write_text(head + text)
                done = subprocess.run(
                    [args.elenchus, "cluster", scratch, "--json", "--reduce", args.reduce], capture_output=True, text=True, check=True
                )
            found = json.loads(done.stdout)
            if args.keep:
                (args.keep / f"{name}-{kind}.json").write_text(done.stdout)
            facts = {fact["name"]: fact for fact in found["facts"]}
            # A formula without an issue number counts as its own issue.
            issue = {one: issues[one] if issues[one][1] else one for one in facts}
            pure = sum(len({issue[one] for one in group["scripts"]}) == 1 for group in found["clusters"])
            fixing = {fact["releases"][1] for fact in facts.values()}
            cells = [name, kind, len(rows), len(facts), len(found["clusters"]), len(set(issue.values())), len(fixing)]
            print("| " + " | ".join(map(str, cells)) + f" | {pure} |", flush=True)
            for group in found["clusters"]:
                if len(group["scripts"]) > 1:
                    details.append(f"- `{group['signature']}`: " + ", ".join(group["scripts"]))
    print("\nClusters of more than one formula:\n")
    print("\n".join(details))


if __name__ == "__main__":
    main()
