#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of TTIR compute the same after they were lowered to TTNN.

    ttnn.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

Programs are those of ttir_programs.py, of the types that a device has: f32, bf16 and i32. Each runs beside its TTNN on the same inputs (tessera run
--against), lowered without workarounds, so that types stay what they are, on the evaluator and compiled: results agree, and so do values of ops
at the same location. Lowered as usual it must run; numbers
of kernels that take bf16 alone are others. Programs that cannot be lowered are counted by reason. One that fails is saved.
"""
import os
import random
import re
import sys
import tempfile

import trial
import ttir_programs
from ttir_programs import OPS, Program


def of_devices(rng):
    p = Program.__new__(Program)
    p.rng, p.args, p.lines, p.values, p.n = rng, [], [], [], 0
    p.some = [rng.choice(["f32", "f32", "bf16"])]
    p.out_type = lambda v: v[2]
    for _ in range(rng.randint(2, 4)):
        p.arg(p.shape(), rng.choice(p.some + p.some + ["i32"]))
    return p


def drawn(rng):
    """A program that does not compute with truth values: they are bf16 on a device, where sums of them are no ors."""
    while True:
        p = of_devices(rng)
        for _ in range(rng.randint(2, 9)):
            rng.choice(OPS)(p)
        if not re.search(r'"ttir\.(add|multiply|maximum|minimum|subtract|sum|max|min)"[^\n]*-> tensor<[0-9x]*i1>', p.text()):
            return p


def main():
    options = trial.parser(__doc__, 100).parse_args()
    tool = os.path.join(options.bin, "tessera")  # under the name of ttmlir-opt, cse takes a cache before and after a write for the same
    ttir_programs.FLOATS, ttir_programs.INTS = ["f32", "bf16"], ["i32", "i32"]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        source, lowered, usual = (os.path.join(tmp, f) for f in ("in.mlir", "ttnn.mlir", "usual.mlir"))
        for i in range(options.count):
            rng = random.Random(options.seed * trial.SEEDS + i)
            p = drawn(rng)
            with open(source, "w") as f:
                f.write(p.text())
            made = trial.run(tool, "opt", "--ttir-to-ttnn-backend-pipeline=disable-workarounds=true", "--mlir-print-debuginfo", source, "-o", lowered)
            again = trial.run(tool, "opt", "--ttir-to-ttnn-backend-pipeline", source, "-o", usual)
            flags = ["--input=random", f"--seed={i}", "--division-by-zero=ignore", "--strict-rounding"]
            bad = made.stderr[:600] * bool(made.returncode)
            for engine in ("compiled", "reference") if not bad else ():
                more = flags if engine == "compiled" else flags[:3]
                r = trial.run(tool, "run", source, *more, f"--engine={engine}", f"--against={lowered}")
                bad = bad or (r.stdout + r.stderr)[:600] * bool(r.returncode or ", 0 of them differ;" not in r.stdout)
            if again.returncode:
                bad = bad or again.stderr[:600]
            else:
                r = trial.run(tool, "run", usual, *flags, "--output=" + os.path.join(tmp, "usual.npz"))
                bad = bad or r.stderr[:600] * bool(r.returncode)
            if not bad:
                passed += 1
                continue
            failed += 1
            os.makedirs(options.save, exist_ok=True)
            saved = os.path.join(options.save, f"ttnn_{options.seed}_{i}.mlir")
            with open(saved, "w") as f:
                f.write(p.text())
            print(f"FAIL {saved} {' '.join(flags)}\n{bad}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
