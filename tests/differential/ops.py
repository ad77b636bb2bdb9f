#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ops of StableHLO that the builder made (tests/python/ops.py) by StableHLO's own interpreter, which jaxlib has: it gives what NumPy gave.

    ops.py [--seed S]

A Python with jaxlib runs the interpreter: this one, or that of JAX_PYTHON. What the interpreter does not know is counted."""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def judge(folder):
    """Each program of the folder, in the Python that has jaxlib."""
    import numpy as np
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    def trial(path):
        """0: the same; 1: another value; 2: not run."""
        arrays = np.load(path.with_suffix(".npz"))
        names = sorted((n for n in arrays.files if n.startswith("in")), key=lambda n: int(n[2:]))
        with mlir.make_ir_context(), ir.Location.unknown():
            try:
                module = ir.Module.parse(path.read_text())
                given = [ir.DenseElementsAttr.get(arrays[n], shape=arrays[n].shape, type=element(ir, arrays[n])) for n in names]
                got = stablehlo.eval_module(module, given)
                found = [np.array(attr) for attr in got]
            except (ValueError, RuntimeError, TypeError, ir.MLIRError):
                return 2
        for i, value in enumerate(found):
            want = arrays[f"out{i}"]
            exact = want.dtype == bool or want.dtype.kind in "iu"
            if not ((value.astype(want.dtype) == want).all() if exact else np.allclose(value, want, rtol=2e-3, atol=2e-4)):
                print(f"FAIL {first_op(path)}: {value} instead of {want}"[:400], flush=True)
                return 1
        return 0

    counts = [0, 0, 0]
    for path in sorted(Path(folder).glob("*.mlir"), key=lambda p: int(p.stem)):
        child = os.fork()  # what the interpreter does not know ends the process
        if not child:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os._exit(trial(path))
        status = os.waitpid(child, 0)[1]
        counts[os.WEXITSTATUS(status) if os.WIFEXITED(status) else 2] += 1
    passed, failed, unknown = counts
    print(f"ops: {unknown} programs that the interpreter does not run\n{passed} passed, {failed} failed")
    return failed != 0 or not passed


def element(ir, a):
    kinds = {"f": {4: ir.F32Type, 8: ir.F64Type, 2: ir.F16Type}}
    if a.dtype == bool:
        return ir.IntegerType.get_signless(1)
    if a.dtype.kind == "f":
        return kinds["f"][a.dtype.itemsize].get()
    if a.dtype.kind == "c":
        return ir.ComplexType.get(ir.F32Type.get())
    bits = 8 * a.dtype.itemsize
    return ir.IntegerType.get_unsigned(bits) if a.dtype.kind == "u" else ir.IntegerType.get_signless(bits)


def first_op(path):
    return next((line.strip() for line in path.read_text().splitlines() if "stablehlo." in line), path.name)[:100]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seed", default="1")
    options.add_argument("--judge")
    given = options.parse_args()
    if given.judge:
        return judge(given.judge)
    python = os.environ.get("JAX_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import numpy, jax, jaxlib.mlir.dialects.stablehlo"], capture_output=True).returncode:
        print("skipped: no jaxlib here (JAX_PYTHON names a Python that has it)")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([python, str(ROOT / "tests/python/ops.py"), "--seed", given.seed, "--save", folder], capture_output=True, text=True)
        if made.returncode:
            print(made.stdout[-2000:], made.stderr[-2000:])
            return 1
        return subprocess.run([python, __file__, "--judge", folder]).returncode


if __name__ == "__main__":
    sys.exit(main())
