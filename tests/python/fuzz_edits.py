# SPDX-License-Identifier: Apache-2.0
"""Modules that random edits of the Python package changed, given to every method that runs, compiles or converts them: each answers as it does for the same
module read again from its text, or raises an error where that text is invalid (tests/api/edits.c does the same through C).

    fuzz_edits.py [--count N] [--seed S]
"""

import argparse
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "python")]

import tessera as ts  # noqa: E402
from fuzz import EXPECTED  # noqa: E402

PROGRAMS = (
    """func.func @main(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.sine %a : tensor<2x4xf32>
  %1 = stablehlo.tanh %0 : tensor<2x4xf32>
  %2 = stablehlo.add %1, %b : tensor<2x4xf32>
  %3 = stablehlo.multiply %2, %0 : tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}""",
    """module @calls {
  func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.subtract %a, %2 : tensor<4xf32>
    return %3, %1 : tensor<4xf32>, tensor<f32>
  }
  func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}""",
    """func.func @main(%a: tensor<3xf32>, %n: tensor<i32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%x = %a, %k = %n) : tensor<3xf32>, tensor<i32> cond {
    %p = stablehlo.compare LT, %k, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s = stablehlo.cosine %x : tensor<3xf32>
    %u = stablehlo.add %k, %c : tensor<i32>
    stablehlo.return %s, %u : tensor<3xf32>, tensor<i32>
  }
  return %0#0 : tensor<3xf32>
}""",
)
TYPES = ("tensor<2x4xf32>", "tensor<4xf32>", "tensor<3xf32>", "tensor<f32>", "tensor<i32>", "tensor<?xf32>", "tensor<4xbf16>")
ATTRS = ("1 : i64", "unit", '"text"', "[]", "array<i64: 0>", "dense<1.0> : tensor<f32>", "@f", "(tensor<4xf32>) -> tensor<4xf32>", "tensor<f32>")
KEYS = ("value", "dimensions", "function_type", "sym_name", "callee", "broadcast_dimensions", "anything", "sym_visibility")


class Trial:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.context = ts.Context()
        self.context.limit(bytes=1 << 30, steps=100000)
        self.module = ts.Module.parse(self.random.choice(PROGRAMS), context=self.context)
        self.ops, self.values, self.blocks = [], [], []
        for op in self.module.walk():
            self.add(op)

    def add(self, op):
        self.ops.append(op)
        self.values += op.results
        for region in op.regions:
            for block in region.blocks:
                self.blocks.append(block)
                self.values += block.args

    def build(self):
        """An op of a row's name, put before another one."""
        r = self.random
        builder = ts.Builder(self.module).before(r.choice(self.ops))
        name = r.choice(["tanh", "add", "multiply", "negate", "select"])
        made = getattr(builder, name)(*[r.choice(self.values) for _ in range(r.randrange(1, 4))])
        self.add(made.op)

    def edit(self):
        r = self.random
        op, other, v, w = r.choice(self.ops), r.choice(self.ops), r.choice(self.values), r.choice(self.values)
        near = [o for o in self.ops if o.block == op.block]
        kinds = [
            lambda: op.move_before(r.choice(near)),
            lambda: op.move_after(r.choice(near)),
            lambda: op.move_before(other),
            lambda: op.erase(),
            lambda: v.replace_all_uses_with(w),
            lambda: op.set_operand(r.randrange(3), v),
            lambda: setattr(op, "operands", [r.choice(self.values) for _ in range(r.randrange(4))]),
            lambda: op.replace_with(*[r.choice(self.values) for _ in op.results]),
            lambda: setattr(v, "type", self.context.type(r.choice(TYPES))),
            lambda: op.attributes.__setitem__(r.choice([*op.attributes, *KEYS]), self.context.parse_attr(r.choice(ATTRS))),
            lambda: op.attributes.__delitem__(r.choice([*op.attributes, *KEYS])),
            lambda: self.add(op.copy(r.choice(near))),
            lambda: self.values.append(r.choice(self.blocks).add_argument(self.context.type(r.choice(TYPES)))),
            lambda: r.choice(self.blocks).erase_argument(r.randrange(3)),
            lambda: setattr(op, "location", other.location),
            self.build,
        ]
        try:
            r.choice(kinds)()
        except EXPECTED:
            pass


def run(how):
    def call(m):
        return [bytes_of(x) for x in how(m, m.random_inputs("main"))]

    return call


def bytes_of(x):
    return x.tobytes() if hasattr(x, "tobytes") else str(x)


def changed(how):
    def call(m):
        how(m)
        return m.print(generic=True)

    return call


def worked(how):
    def call(m):
        how(m)
        return True

    return call


SHARD = {"mesh": "x=2", "inputs": {0: "x"}}
CALLS = {
    "run": run(lambda m, x: m.run(*x)),
    "reference": run(lambda m, x: m.run(*x, engine="reference")),
    "spmd": run(lambda m, x: m.run(*x, spmd=True)),
    "compile": run(lambda m, x: m.compile()(*x)),
    "profile": worked(lambda m: m.profile(*m.random_inputs("main"))),
    "verify": worked(lambda m: m.verify()),
    "clone": worked(lambda m: m.clone().verify()),
    "bytecode": worked(lambda m: m.bytecode()),
    "serialize": worked(lambda m: m.serialize()),
    "c": worked(lambda m: m.code()),
    "page": worked(lambda m: m.page(**SHARD)),
    "plan": worked(lambda m: m.plan(**SHARD)),
    "why": worked(lambda m: m.why("#0", **SHARD)),
    "simulate": worked(lambda m: m.simulate(**SHARD)),
    "explain": worked(lambda m: m.explain(**SHARD)),
    "permutations": worked(lambda m: m.permutations(2)),
    "collectives": worked(lambda m: m.collectives()),
    "passes": changed(lambda m: m.run_passes("canonicalize,cse")),
    "simplify": changed(lambda m: m.simplify()),
    "fuse": changed(lambda m: m.fuse()),
    "grad": changed(lambda m: m.grad("main")),
    "shard": changed(lambda m: m.shard(**SHARD)),
    "partition": changed(lambda m: m.partition()),
    "find_plan": worked(lambda m: m.find_plan(mesh="x=2,y=2")),
    "auto_shard": changed(lambda m: m.auto_shard(devices=2)),
}


def asked(call, module):
    """What the call returns, or None if it raised an error."""
    try:
        return call(module)
    except EXPECTED:
        return None


def trial(seed, tally):
    t = Trial(seed)
    for _ in range(t.random.randrange(1, 5)):
        t.edit()
    text = t.module.print(generic=True)
    name = t.random.choice(list(CALLS))
    try:
        again = ts.Module.parse(text, context=t.context)
    except EXPECTED:
        again = None
    tally[again is not None] += 1
    got = asked(CALLS[name], t.module)
    wanted = asked(CALLS[name], again) if again is not None else None
    if got == wanted:
        return True
    print(f"seed {seed}, {name}: {got}, read again: {wanted}\n{text}")
    return False


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=1500)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    tally = [0, 0]
    good = sum(trial(given.seed + i, tally) for i in range(given.count))
    lopsided = given.count >= 100 and min(tally) < given.count // 8
    if lopsided:
        print(f"{tally[1]} modules stayed valid, {tally[0]} did not: one half is not tested")
    print(f"{good} passed, {given.count - good + lopsided} failed")
    return int(good < given.count or lopsided)


if __name__ == "__main__":
    sys.exit(main())
