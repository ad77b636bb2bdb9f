#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shard.py - propagation: our times (bench/shard.c) and Shardy's (jaxlib's) on the same files, in one run.

    shard.py --bench build/bench/shard [--repeat N] [--limit N] FILE...

Both in one process each, parse and print excluded, best of N, without and with verification after each pass. Files of more
than --limit ops are not given to Shardy.
"""
import argparse
import os
import subprocess
import sys
import time

sys.path[:] = [p for p in sys.path if p != os.path.dirname(os.path.abspath(__file__))]  # jax.py there is not JAX


def shardy(text, repeat, verify):
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir, passmanager
    best = float("inf")
    with mlir.make_ir_context():
        for _ in range(repeat):
            module = ir.Module.parse(text)
            manager = passmanager.PassManager.parse("builtin.module(sdy-propagation-pipeline)")
            manager.enable_verifier(verify)
            start = time.perf_counter()
            manager.run(module.operation)
            best = min(best, time.perf_counter() - start)
    return best * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/bench/shard")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=int, default=20000)
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    try:
        import jaxlib.mlir.ir  # noqa: F401
        peer = True
    except ImportError:
        print("# jaxlib is not here: our own times only")
        peer = False
    done = subprocess.run([args.bench] + args.files, capture_output=True, text=True, check=True)
    print(f"{'file':40} {'ops':>7} {'tessera':>9} {'verified':>9} {'us/op':>6} {'MB':>6} {'Shardy':>9} {'verified':>9}  ratios")
    for line in done.stdout.splitlines():
        _, name, plain, verified, ops, kb = line.split()
        plain, verified, ops = float(plain), float(verified), int(ops)
        row = f"{name[-40:]:40} {ops:7} {plain:9.2f} {verified:9.2f} {plain * 1e3 / ops:6.2f} {int(kb) / 1024:6.1f}"
        if peer and ops <= args.limit:
            with open(name, encoding="utf-8") as f:
                text = f.read()
            theirs = [shardy(text, args.repeat, verify) for verify in (False, True)]
            row += f" {theirs[0]:9.1f} {theirs[1]:9.1f}  {theirs[0] / plain:.0f} {theirs[1] / verified:.0f}"
        print(row, flush=True)


if __name__ == "__main__":
    main()
