#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pipeline.py - JAX programs on meshes after stablehlo-pipeline and after our partitioner, run on virtual devices: the numbers
are XLA's.

    pipeline.py [--bin build/bin] [--save build/differential] [name ...]

mesh_programs.py has the programs. Each is lowered with its shardings, run by XLA on eight devices, and by us five times:
undivided, partitioned in memory (run --spmd), as text after ttmlir-opt --stablehlo-pipeline, and what tessera shard -o writes,
as text and as bytecode.
"""
import argparse
import os
import subprocess
import sys
import tempfile

try:
    import mesh_programs as programs
    import numpy as np
except ImportError as e:
    print(f"pipeline.py: skipped, {e}")
    sys.exit(0)

WAYS = {
    "whole": ([], []),
    "spmd": ([], ["--spmd"]),
    "pipeline": (["ttmlir-opt", "--stablehlo-pipeline", "IN", "-o", "OUT"], []),
    "shard": (["tessera", "shard", "IN", "-o", "OUT"], []),
    "bytecode": (["tessera", "opt", "OUT", "--emit-bytecode", "-o", "OUT"], []),
}


def results(p, args):
    """XLA's results, whole."""
    f = p.jitted()
    placed = [programs.jax.device_put(x, p.named(a.spec, a.mesh)) for x, a in zip(args, p.args)]
    return [np.asarray(r) for r in programs.jax.tree.leaves(f(*placed))], f.lower(*args).as_text()


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return "" if done.returncode == 0 else (done.stderr + done.stdout) or f"exit code {done.returncode}"


def check(p, options, tmp):
    """What is wrong, by way."""
    args = p.arguments()
    expected, text = results(p, args)
    source, made = os.path.join(tmp, "in.mlir"), os.path.join(tmp, "out.mlir")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    flags = []
    for kind, arrays in (("input", args), ("expect", expected)):
        for i, x in enumerate(arrays):
            name = os.path.join(tmp, f"{kind}{i}.npy")
            np.save(name, x)
            flags += [f"--{kind}", name]
    wrong = {}
    for way, (passes, more) in WAYS.items():
        bad = "shard failed" if way == "bytecode" and "shard" in wrong else ""
        if passes and not bad:
            bad = run([os.path.join(options.bin, passes[0])] +
                      [{"IN": source, "OUT": made}.get(w, w) for w in passes[1:]])
        bad = bad or run([os.path.join(options.bin, "tessera"), "run", made if passes else source] + more + flags)
        if bad:
            wrong[way] = bad
    if wrong and options.save:
        os.makedirs(options.save, exist_ok=True)
        with open(os.path.join(options.save, p.name + ".mlir"), "w", encoding="utf-8") as f:
            f.write(text)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--save", default="")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    passed = dict.fromkeys(WAYS, 0)
    failed = 0
    for name in options.names or programs.PROGRAMS:
        with tempfile.TemporaryDirectory() as tmp:
            wrong = check(programs.PROGRAMS[name], options, tmp)
        for way in WAYS:
            passed[way] += way not in wrong
        for way, text in wrong.items():
            print(f"FAIL {name}, {way}: {text.strip().splitlines()[0] if text.strip() else ''}")
        failed += bool(wrong)
    n = len(options.names or programs.PROGRAMS)
    print(f"{n} programs on meshes; as XLA: " + ", ".join(f"{way} {k}" for way, k in passed.items()))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
