#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shardy.py - the propagation of shardings in Tessera and in Shardy, which jaxlib contains, on the same modules in one run.

    shardy.py [--rounds N] [--write]

Runs in a Python that has jax. Each module of tests/corpus with a mesh is read by both, and sdy-propagation-pipeline runs on
it; they take turns, in one process that is bound to one core, and the least time of the processor counts. Both must print
the same shardings of arguments and results, or the row says so. --write puts the table into docs/BENCHMARKS.md."""

import argparse
import os
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path = [p for p in sys.path if p != HERE]
sys.path.insert(0, os.path.join(ROOT, "python"))
os.environ.setdefault("TESSERA_LIBRARY", os.path.join(ROOT, "build", "libtessera.so"))
PIPELINE = "sdy-propagation-pipeline"
MODULES = ("mlp_forward_tp", "mlp_train_step_dp", "moe_topk_dispatch", "gpt_forward_dp_tp", "large/gpt_train_4", "large/gpt_train_24")


def seconds(work):
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def in_tessera(text):
    import tessera

    read, module = seconds(lambda: tessera.Module.parse(text))
    run, _ = seconds(lambda: module.run_passes(PIPELINE))
    return read, run, str(module)


def in_shardy(text):
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.passmanager import PassManager

    with mlir.make_ir_context():
        read, module = seconds(lambda: ir.Module.parse(text))
        manager = PassManager.parse(f"builtin.module({PIPELINE})")
        manager.enable_verifier(False)  # between passes; Tessera's release builds do not verify there
        run, _ = seconds(lambda: manager.run(module.operation))
        return read, run, str(module)


def shardings(text):
    """Those of the main function's arguments and results."""
    head = next(line for line in text.splitlines() if "func.func" in line and "@main" in line)
    return re.findall(r"sdy\.sharding = (#sdy\.sharding<.*?\]>)", head)


def measure(path, rounds):
    with open(path) as f:
        text = f.read()
    best = {}
    for _ in range(rounds):
        for name, work in (("tessera", in_tessera), ("shardy", in_shardy)):
            read, run, printed = work(text)
            old = best.get(name, (read, run, None))
            best[name] = (min(old[0], read), min(old[1], run), shardings(printed))
    return text.count("\n"), best


def table(rounds):
    import jaxlib

    lines = [f"Shardy is that of jaxlib {jaxlib.__version__}.", "", "| ms | lines | reading: tessera | shardy | propagating: tessera | shardy |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for name in MODULES:
        path = os.path.join(ROOT, "tests/corpus", name)
        path = path + ".mlir" if os.path.exists(path + ".mlir") else os.path.join(path, "module.mlir")
        n, best = measure(path, rounds)
        t, s = best["tessera"], best["shardy"]
        differs = "" if t[2] == s[2] and t[2] else " (differs)"
        lines.append(f"| `{os.path.basename(name)}`{differs} | {n} | {t[0] * 1e3:.2f} | {s[0] * 1e3:.2f} | {t[1] * 1e3:.2f} | {s[1] * 1e3:.2f} |")
    return "\n".join(lines)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rounds", type=int, default=7)
    p.add_argument("--write", action="store_true")
    a = p.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    text = table(a.rounds)
    print(text)
    if a.write:
        path = os.path.join(ROOT, "docs/BENCHMARKS.md")
        with open(path) as f:
            old = f.read()
        with open(path, "w") as f:
            f.write(re.sub(r"<!-- BEGIN shardy -->.*?<!-- END -->", lambda m: f"<!-- BEGIN shardy -->\n{text}\n<!-- END -->", old, flags=re.S))


if __name__ == "__main__":
    main()
