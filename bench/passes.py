#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times passes on the files given, for bench/run.sh: ours, and jaxlib's canonicalize and cse beside them where it is installed.

    passes.py [--repeat N] [--tessera build/bin/tessera] FILE...

Prints one line for each pass and file, times in milliseconds, best of N, parsing, verification and printing excluded:

    pass file tessera_ms ops_before ops_after [jaxlib_ms]
"""
import argparse
import os
import re
import subprocess
import sys
import time

sys.path[:] = [p for p in sys.path if p != os.path.dirname(os.path.abspath(__file__))]  # jax.py there is not JAX

PASSES = ["canonicalize", "cse", "stablehlo-aggressive-folder", "stablehlo-aggressive-simplification",
          "stablehlo-target-independent-optimization", "tessera-infer-types", "tessera-simplify", "tessera-effects",
          "tessera-raise-layers", "tessera-fuse-clusters", "stablehlo-to-tessera-ops", "tessera-autodiff=function=main",
          "convert-stablehlo-to-ttir"]


def ours(tool, name, file, repeat):
    best = float("inf")
    for _ in range(repeat):
        run = subprocess.run([tool, "opt", file, "--" + name, "--timing", "-o", "/dev/null"], capture_output=True, text=True)
        if run.returncode:
            return None
        times = re.findall(r"^\s*([0-9.]+)\s+[0-9.]+%\s+" + re.escape(name.split("=")[0]) + r"\s*$", run.stderr, re.M)
        best = min([best] + [float(t) for t in times])
    return best


def count(tool, file, *flags):
    run = subprocess.run([tool, "opt", file, *flags, "--print-op-stats=json=true", "-o", "/dev/null"], capture_output=True, text=True)
    return sum(int(n) for n in re.findall(r'"[^"]+"\s*:\s*([0-9]+)', run.stderr + run.stdout))


def theirs(name, file, repeat):
    try:
        from jax._src.interpreters import mlir
        from jaxlib.mlir import ir, passmanager
    except ImportError:
        return None
    best = float("inf")
    with mlir.make_ir_context(), open(file) as f:
        text = f.read()
        for _ in range(repeat):
            module = ir.Module.parse(text)
            manager = passmanager.PassManager.parse(f"builtin.module({name})")
            manager.enable_verifier(False)
            start = time.perf_counter()
            manager.run(module.operation)
            best = min(best, time.perf_counter() - start)
    return best * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--tessera", default="build/bin/tessera")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    for file in options.files:
        before = count(options.tessera, file)
        for name in PASSES:
            mine = ours(options.tessera, name, file, options.repeat)
            if mine is None:
                print(f"# {name} refuses {file}")
                continue
            line = f"{name:<42} {file} {mine:9.3f} ms {before:7} -> {count(options.tessera, file, '--' + name):7} ops"
            if name in ("canonicalize", "cse"):
                other = theirs(name, file, options.repeat)
                line += f"   jaxlib {other:9.3f} ms" if other is not None else ""
            print(line)


if __name__ == "__main__":
    main()
