#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""collectives.py - what devices exchange: our partitioner against XLA's, on the corpus and on the programs of
tests/differential/mesh_programs.py, which XLA compiles here (where jax is installed).

    collectives.py [--tessera build/bin/tessera] [--corpus tests/corpus] [--kind "batch norm"]...

meta.json of each case has the collectives of XLA's SPMD partitioner after its own optimisation: ops, tensors in them, and
bytes of their results on each device. Ours are those of `tessera shard --json`. Bytes received follow from the kind and from
the number of devices, by the same formulas for both; XLA's file does not say how many devices meet, so all bounds are given
for results, and received bytes for ours alone. Of mesh programs there is one line each, and one for each kind; XLA's are read
from its compiled HLO.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path[:] = [p for p in sys.path if p != os.path.dirname(os.path.abspath(__file__))]  # jax.py there is not JAX

BYTES = {"pred": 1, "s8": 1, "u8": 1, "s16": 2, "u16": 2, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4, "s64": 8,
         "u64": 8, "f64": 8, "c64": 8}
COLLECTIVE = re.compile(r"\s*(?:ROOT )?%?[\w.-]+ = (.*?) (?:all-reduce|all-gather|all-to-all|collective-permute|"
                        r"reduce-scatter|ragged-all-to-all)(?:-start)?\(")


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


def theirs_of(hlo):
    """Bytes of the results of all collectives in compiled HLO."""
    total = 0
    for line in hlo.splitlines():
        m = COLLECTIVE.match(line)
        for elem, dims in re.findall(r"(\w+)\[([\d,]*)\]", m.group(1)) if m else ():
            n = BYTES.get(elem, 0)
            for d in filter(None, dims.split(",")):
                n *= int(d)
            total += n
    return total


def compare_programs(tessera, kinds):
    """One line each; how many programs exchange more than XLA's do."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "differential"))
    try:
        from mesh_programs import PROGRAMS
    except ImportError as e:
        print(f"mesh programs: skipped, {e}")
        return 0
    sums, more = {}, 0
    print(f"\n{'program':26} {'kind':12} {'result bytes':>13} {'XLA':>8}")
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "module.mlir")
        for p in PROGRAMS.values():
            if kinds and p.kind not in kinds:
                continue
            lowered = p.jitted().lower(*p.arguments())
            with open(path, "w", encoding="utf-8") as f:
                f.write(lowered.as_text())
            theirs = theirs_of(lowered.compile().as_text())
            try:
                mine = sum(row[1] for row in ours(tessera, path).values())
            except subprocess.CalledProcessError as e:
                print(f"{p.name:26} {p.kind:12} {'failed':>13} {theirs:8}  {e.stderr.splitlines()[0]}")
                more += 1
                continue
            more += mine > theirs
            row = sums.setdefault(p.kind, [0, 0, 0, 0])
            for i, x in enumerate((1, mine, theirs, mine > theirs)):
                row[i] += x
            print(f"{p.name:26} {p.kind:12} {mine:13} {theirs:8}  {'more than XLA' if mine > theirs else ''}")
    for kind, (n, mine, theirs, worse) in sorted(sums.items()):
        print(f"{kind:26} {n:3} programs {mine:13} {theirs:8}  {worse} more than XLA")
    return more


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default="build/bin/tessera")
    parser.add_argument("--corpus", default="tests/corpus")
    parser.add_argument("--kind", action="append", help="of mesh programs, only these kinds")
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
    compare_programs(args.tessera, args.kind)


if __name__ == "__main__":
    main()
