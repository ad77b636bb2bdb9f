#!/usr/bin/env python3
"""How fast the Python package is: import, building and printing 1,000 ops, and goldens beside the evaluator.

    python.py [--check]     with --check the exit code says whether the limits are held

Each figure is the best of several runs. Limits: import 100 ms, 1,000 ops built and printed 50 ms, goldens 2 times the evaluator."""
import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))


def best(f, times):
    found = []
    for _ in range(times):
        start = time.perf_counter()
        f()
        found.append(time.perf_counter() - start)
    return min(found)


def import_seconds():
    """The package and its library, without NumPy, in a process of its own; that of an empty process is taken off."""

    def one(code):
        return best(lambda: subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT / "python"), 7)

    return one("import tessera; tessera.Module") - one("pass")


def build_and_print():
    import tessera as ts

    b = ts.Builder(ts.Module(context=CONTEXT))
    with b.function("main", [((8, 8), "f32")]) as (x,):
        y = x
        for _ in range(500):
            y = b.add(b.tanh(y), x)
        b.ret(y)
    return str(b.module)


def golden_ratio():
    """Goldens of all values beside one run of the evaluator, on a chain of ops on large tensors."""
    import numpy as np
    import tessera as ts

    text = "func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {\n"
    for i in range(60):
        text += f"  %{i} = stablehlo.{'tanh' if i % 3 else 'negate'} %{i - 1 if i else 'x'} : tensor<512x512xf32>\n"
    module = ts.Module.parse(text + "  return %59 : tensor<512x512xf32>\n}\n")
    x = np.random.default_rng(0).uniform(-1, 1, (512, 512)).astype(np.float32)
    evaluator = best(lambda: module.run(x, engine="reference"), 5)
    last = module["main"].body.ops[-2].result
    goldens = best(lambda: module.goldens([x]).get(last), 5)
    return evaluator, goldens


def main():
    global CONTEXT
    options = argparse.ArgumentParser()
    options.add_argument("--check", action="store_true")
    given = options.parse_args()
    import tessera as ts

    CONTEXT = ts.Context()
    build_and_print()  # the tables are read once
    figures = [("import", import_seconds(), 0.100), ("1,000 ops built and printed", best(build_and_print, 7), 0.050)]
    for name, seconds, limit in figures:
        print(f"{name:32} {1e3 * seconds:8.1f} ms   {seconds / limit:5.2f} of its limit")
    evaluator, goldens = golden_ratio()
    print(f"{'the evaluator':32} {1e3 * evaluator:8.1f} ms\n{'goldens of all values':32} {1e3 * goldens:8.1f} ms   {goldens / evaluator:5.2f} times the evaluator")
    held = all(seconds < limit for _, seconds, limit in figures) and goldens < 2 * evaluator
    return given.check and not held


if __name__ == "__main__":
    sys.exit(main())
