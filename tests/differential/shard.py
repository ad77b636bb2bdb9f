#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shard.py - our propagation against Shardy's (jaxlib's), on random programs: equal text.

    shard.py --bin build/bin [--seed N] [--count N] [--pass TEXT] [--save DIR]

Every op of programs.py meets every situation at least once; then programs are random until count. A program that Shardy
refuses counts when we refuse it, too.
"""
import argparse
import json
import os
import subprocess
import sys
import time

import programs

BATCH = 100


CRASHED = "crashed"


def peer(pipeline):
    """A process of its own, since Shardy may abort: texts in, results out, one JSON value a line."""
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir, passmanager
    with jax_mlir.make_ir_context():
        for line in sys.stdin:
            text = json.loads(line)
            try:
                module = ir.Module.parse(text)
            except ir.MLIRError as e:
                sys.exit(f"the generator made a program that MLIR refuses:\n{text}\n{e}")
            try:
                passmanager.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
                print(json.dumps(str(module).strip()), flush=True)
            except ir.MLIRError:
                print("null", flush=True)


def shardy(texts, pipeline):
    out = []
    while len(out) < len(texts):
        run = subprocess.run([sys.executable, __file__, "--peer", "--pass", pipeline], capture_output=True, text=True,
                             input="".join(json.dumps(t) + "\n" for t in texts[len(out):]))
        out += [json.loads(line) for line in run.stdout.splitlines()]
        if run.returncode == 1:
            sys.exit(run.stderr)
        if len(out) < len(texts):
            out.append(CRASHED)
    return out


def ours(texts, binary, pipeline):
    run = subprocess.run([os.path.join(binary, "sdy_opt"), "-", f"--pass-pipeline=builtin.module({pipeline})",
                          "--split-input-file"], input="// -----\n".join(texts), capture_output=True, text=True)
    parts = [part.strip() for part in run.stdout.split("// -----\n")]
    if run.returncode == 0 and len(parts) == len(texts):
        return parts
    if len(texts) == 1:
        return [None]
    return [one for text in texts for one in ours([text], binary, pipeline)]  # find the one that fails


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--bin", default="build/bin")
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--count", type=int, default=2000)
    args.add_argument("--pass", dest="pipeline", default="sdy-propagation-pipeline")
    args.add_argument("--save", default="build/differential")
    args.add_argument("--length", type=int)
    args.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    a = args.parse_args()
    if a.peer:
        return peer(a.pipeline)
    try:
        import jaxlib.mlir.ir  # noqa: F401
    except ImportError:
        sys.exit("jaxlib is not installed here: nothing to compare with")
    cells = [(op, s) for op in programs.OPS for s in programs.SITUATIONS]
    jobs = (cells + [(None, None)] * max(0, a.count - len(cells)))[:max(a.count, 1)]
    table, equal, refused, crashed, different, start, done = {}, 0, 0, 0, [], time.time(), 0
    while jobs:
        batch, jobs = jobs[:BATCH], jobs[BATCH:]
        made = [(programs.program(a.seed * 1000003 + done + i, op, s, a.length), op, s)
                for i, (op, s) in enumerate(batch)]
        texts = [m[0][0] for m in made]
        for i, (x, y) in enumerate(zip(shardy(texts, a.pipeline), ours(texts, a.bin, a.pipeline))):
            if x == CRASHED:
                crashed += 1  # there is nothing to compare with; its cell gets another program
                if made[i][1] and crashed < 200:
                    jobs.append(batch[i])
                continue
            if x == y:
                equal += 1
                refused += x is None
                if x is not None and made[i][1]:
                    table.setdefault(made[i][1], set()).add(made[i][2])
                continue
            os.makedirs(a.save, exist_ok=True)
            base = os.path.join(a.save, f"shard_{done + i}")
            for suffix, text in ((".mlir", texts[i]), (".shardy", x), (".ours", y)):
                with open(base + suffix, "w") as f:
                    f.write(text if text is not None else "refused\n")
            different.append((base, made[i][1], made[i][2]))
        done += len(batch)
    empty = [f"{op} x {s}" for op in programs.OPS for s in programs.SITUATIONS if s not in table.get(op, ())]
    for base, op, s in different[:20]:
        print(f"DIFFERENT {base}.mlir ({op}, {s})")
    print(f"{len(programs.OPS)} ops x {len(programs.SITUATIONS)} situations, {len(empty)} cells empty"
          + (": " + ", ".join(empty[:10]) if empty else ""))
    print(f"{done} programs in {time.time() - start:.0f} s, {refused} refused by both, {crashed} on which Shardy crashed")
    print(f"{equal} passed, {len(different)} failed")
    sys.exit(1 if different or (empty and a.count >= len(programs.OPS) * len(programs.SITUATIONS)) else 0)


if __name__ == "__main__":
    main()
