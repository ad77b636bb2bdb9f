#!/usr/bin/env python3
"""collectives.py - what devices exchange: our partitioner against XLA's, on the corpus.

    collectives.py [--tessera build/bin/tessera] [--corpus tests/corpus]

meta.json of each case has the collectives of XLA's SPMD partitioner after its own optimisation: ops, tensors in them, and
bytes of their results on each device. Ours are those of `tessera shard --json`. Bytes received follow from the kind and from
the number of devices, by the same formulas for both; XLA's file does not say how many devices meet, so all bounds are given
for results, and received bytes for ours alone.
"""
import argparse
import glob
import json
import os
import subprocess


def ours(tessera, module):
    done = subprocess.run([tessera, "shard", "--json", module], capture_output=True, text=True, check=True)
    rows = {}
    for c in json.loads(done.stdout)["collectives"]:
        if c["received"] == 0:
            continue
        row = rows.setdefault(c["kind"].replace("_", "-"), [0, 0, 0])
        row[0] += 1
        row[1] += c["bytes"]
        row[2] += c["received"]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default="build/bin/tessera")
    parser.add_argument("--corpus", default="tests/corpus")
    args = parser.parse_args()
    print(f"{'case':24} {'collective':20} {'ops':>4} {'XLA':>4} {'result bytes':>13} {'XLA':>8} {'received':>9}")
    for name in sorted(glob.glob(os.path.join(args.corpus, "*", "meta.json"))):
        with open(name, encoding="utf-8") as f:
            meta = json.load(f)
        if not meta.get("mesh"):
            continue
        mine, theirs = ours(args.tessera, os.path.join(os.path.dirname(name), "module.mlir")), meta["xla_collectives"]
        total = [0, 0, 0]
        for kind in sorted(set(mine) | set(theirs)):
            m, t = mine.get(kind, [0, 0, 0]), theirs.get(kind, {})
            print(f"{meta['case']:24} {kind:20} {m[0]:4} {t.get('ops', 0):4} {m[1]:13} {t.get('bytes', 0):8} {m[2]:9}")
            total[0] += m[1]
            total[1] += t.get("bytes", 0)
            total[2] += m[2]
        print(f"{meta['case']:24} {'all':20} {'':4} {'':4} {total[0]:13} {total[1]:8} {total[2]:9}"
              f"  {'no more than XLA' if total[0] <= total[1] else 'more than XLA'}")


if __name__ == "__main__":
    main()
