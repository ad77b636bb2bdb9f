# SPDX-License-Identifier: Apache-2.0
"""Any method of any object of the Python package with anything as arguments: each call works or raises an exception of the documented kinds. What the
objects are is found by looking, so that no method is left out. A crash of the process is a finding.

    fuzz_surface.py [--count N] [--seed S] [--trace]
"""

import argparse
import inspect
import io
import os
import random
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "python")]

import tessera as ts  # noqa: E402
from fuzz import EXPECTED  # noqa: E402

try:
    import numpy as np
except ImportError:
    np = None

PROGRAM = """
module @all {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<4x8xf32>, %i: tensor<3xi32>) -> (tensor<4x8xf32>, tensor<i32>) {
    %0 = stablehlo.tanh %x : tensor<4x8xf32>
    %1 = stablehlo.add %0, %x : tensor<4x8xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.while(%k = %c) : tensor<i32> cond {
      %n = stablehlo.constant dense<5> : tensor<i32>
      %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %s = stablehlo.add %k, %k : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }
    "debug.breakpoint"(%1) : (tensor<4x8xf32>) -> ()
    return %1, %2 : tensor<4x8xf32>, tensor<i32>
  }
  func.func private @other(%x: tensor<?xbf16>) -> tensor<?xbf16> {
    return %x : tensor<?xbf16>
  }
}
"""
NUMBERS = (0, 1, 2, 3, -1, 7, 255, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, -(2**63), -(2**70))
TEXTS = ("", "main", "other", "mesh", "x", "x=2,y=2", "x,_", "%0", "#0", "canonicalize,cse", "nothing", "compiled", "reference", "tensor<2xf32>", "f32", "\0", "\udcff", "é" * 300, "1.0.0", "stablehlo", "stablehlo.abs", "dense<1> : tensor<2xi32>", PROGRAM, "func.func @f() { return }", "ML\xefR")
# It would go on for as long as it was told to.
SMALL = {("Module", "profile")}


class Surface:
    def __init__(self, seed, trace):
        self.random, self.trace = random.Random(seed), trace
        context = ts.Context(allow_unregistered=seed % 2 == 0)
        context.limit(seconds=2.0, bytes=1 << 28)
        module = ts.Module.parse(PROGRAM, context=context)
        self.pool = [context, module, ts.Builder(module), ts.Builder(context=context, dialect="ttir"), ts.default_context(), ts.Module.parse(PROGRAM), ts]
        for op in module.walk():
            self.add(op)

    def add(self, thing, depth=0):
        """Objects of the package are called later."""
        if isinstance(thing, (list, tuple)) and depth < 3:
            for part in list(thing)[:20]:
                self.add(part, depth + 1)
        elif isinstance(thing, dict) and depth < 3:
            self.add(list(thing.values()), depth + 1)
        elif type(thing).__module__.startswith("tessera.") and not isinstance(thing, BaseException):
            self.pool.append(thing)
            if len(self.pool) > 400:
                del self.pool[self.random.randrange(7, len(self.pool))]

    def array(self):
        r = self.random
        shape = r.choice([(), (0,), (3,), (4, 8), (8, 4), (1,) * 9, (2, 0, 3)])
        dtype = r.choice(["f4", "f8", "i4", "i8", "u1", "?", "c8", "f2", "O", "U3", "M8[s]", ">f4"])
        a = np.zeros(shape, dtype)
        return r.choice([lambda: a, lambda: a.T, lambda: np.broadcast_to(np.zeros((), "f4"), (4, 8)), lambda: np.zeros((8, 16), "f4")[::2, ::-2], lambda: a[..., None]])()

    def anything(self, small=False, depth=0):
        r = self.random
        kinds = [
            lambda: r.choice(self.pool),
            lambda: r.choice(self.pool),
            lambda: r.choice(self.pool),
            lambda: r.choice(NUMBERS[:6] if small else NUMBERS),
            lambda: r.choice(TEXTS),
            lambda: r.choice(TEXTS).encode("utf-8", "surrogatepass"),
            lambda: r.choice([None, True, False, 0.5, float("nan"), float("inf"), -1e300, 1j]),
            lambda: r.choice([object(), len, lambda *a: a[0] if a else None, lambda *a, **k: False, int, Path("x")]),
        ]
        if np:
            kinds += [self.array, self.array, lambda: r.choice([np.zeros, np.ones, np.float32, np.dtype("f4"), np.float32(2), np.int64(3)])]
        if depth < 2:
            kinds += [
                lambda: [self.anything(small, depth + 1) for _ in range(r.randrange(4))],
                lambda: tuple(self.anything(small, depth + 1) for _ in range(r.randrange(3))),
                lambda: {r.choice([0, 1, "main", "a", r.choice(self.pool)]): self.anything(small, depth + 1)},
            ]
        return r.choice(kinds)()

    def names(self, thing):
        special = "len iter getitem setitem delitem call eq hash str repr contains dlpack".split()
        return [n for n in dir(thing) if not n.startswith("_")] + [f"__{n}__" for n in special if hasattr(type(thing), f"__{n}__")]

    def call(self, thing, name, what):
        """With some arguments by place, and some by name."""
        r, small = self.random, (type(thing).__name__, name) in SMALL
        given = [self.anything(small) for _ in range(r.choice([0, 0, 1, 1, 2, 2, 3, 4]))]
        try:
            parameters = [p for p in inspect.signature(what).parameters.values() if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
        except (TypeError, ValueError):
            parameters = []
        named = {p.name: self.anything(small) for p in parameters[len(given) :] if r.random() < 0.3 and not p.name.startswith("_")}
        self.add(what(*given, **named))

    def step(self):
        r, thing = self.random, self.random.choice(self.pool)
        try:
            name = r.choice(self.names(thing))
            if self.trace:
                print(type(thing).__name__, name, file=sys.__stderr__, flush=True)
            what = getattr(thing, name)
            if callable(what):
                self.call(thing, name, what)
                return
            self.add(what)
            if r.random() < 0.2 and isinstance(getattr(type(thing), name, None), property):
                setattr(thing, name, self.anything())
        except EXPECTED:
            pass


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--trace", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["TMPDIR"] = folder
        for start in range(0, given.count, 200):
            surface = Surface(given.seed + start, given.trace)
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                for _ in range(200):
                    surface.step()
            ts.default_context().cancel(False)
            ts.default_context().limit()
        os.chdir(ROOT)
    print(f"{given.count} passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
