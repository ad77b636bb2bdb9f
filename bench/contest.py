#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The solver on the public problems of the ASPLOS 2025 contest on intra-operator parallelism.

    bench/contest.py PROBLEMS RESULTS [--seconds 5] [--seeds 5] [--only G,B] [--contest build/bench/contest]

PROBLEMS: the folder benchmarks/ of google/iopddl (.json.gz); RESULTS: misc/iopddl_final_results.csv of asplos-contest/2025.
Prints a table in Markdown: our cost (median of the seeds) over the best cost of the contest, and over our own lower bound."""
import argparse
import csv
import gzip
import pathlib
import statistics
import subprocess
import tempfile


def best_costs(path):
    rows = [r for r in csv.reader(open(path)) if r]
    return {name: min(int(r[i]) for r in rows[1:] if i < len(r) and r[i].strip()) for i, name in enumerate(rows[0]) if i}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", type=pathlib.Path)
    parser.add_argument("results")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--contest", default="build/bench/contest")
    a = parser.parse_args()
    best = best_costs(a.results)
    print(f"| problem | nodes | cost / contest's best, median of {a.seeds} | worst | cost / bound |\n| --- | ---: | ---: | ---: | ---: |")
    ratios = []
    for path in sorted(a.problems.glob("*.json.gz")):
        name = path.name.split(".")[0].rsplit("-", 1)[-1]
        if a.only and name not in a.only.split(","):
            continue
        with tempfile.NamedTemporaryFile(suffix=".json") as f:
            f.write(gzip.open(path).read())
            f.flush()
            costs, bounds = [], []
            for seed in range(1, a.seeds + 1):
                words = subprocess.run([a.contest, f.name, str(a.seconds), str(seed)], capture_output=True, text=True).stdout.split()
                costs.append(float(words[5]) if words and words[4] == "1" else float("inf"))
                bounds.append(float(words[6]) if words else float("nan"))
        ratio = statistics.median(costs) / best[name]
        ratios.append(ratio)
        print(f"| {name} | {words[1]} | {ratio:.4f} | {max(costs) / best[name]:.4f} | {statistics.median(costs) / max(bounds):.4f} |", flush=True)
    within = lambda r: sum(x <= r for x in ratios)
    print(f"\n{len(ratios)} problems, {a.seconds:g} s each: {within(float('1e9'))} feasible, {within(1.02)} within 2 %, {within(1.1)} within 10 %.")


if __name__ == "__main__":
    main()
