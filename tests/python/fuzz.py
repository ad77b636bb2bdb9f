# SPDX-License-Identifier: Apache-2.0
"""Nonsense through the Python package: every call works or raises an exception of the documented kinds; the module can be printed, read back if it
verifies, and freed. A crash of the process is a finding.

    fuzz.py [--count N] [--seed S]
"""

import argparse
import random
import sys
from ctypes import ArgumentError
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

import tessera as ts  # noqa: E402

EXPECTED = (ts.TesseraError, TypeError, ValueError, AttributeError, KeyError, IndexError, OverflowError, ArgumentError, ImportError)
TYPES = ("tensor<2x3xf32>", "tensor<3xi32>", "tensor<?x2xbf16>", "tensor<f64>", "tensor<*xf32>", "tensor<4x4xi1>", "tensor<2xcomplex<f32>>", "i32", "index")


class Fuzz:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.dialects = [d for d in ts.default_context().dialects() if ts.default_context().rows(d)]
        self.other = ts.Module.parse("func.func @f(%x: tensor<2x3xf32>) { return }")
        self.start()

    def start(self):
        self.builder = ts.Builder(ts.Module())
        f = self.builder.function("main", TYPES)
        self.values = list(f.__enter__())
        self.ops = [f.op]
        self.context = self.builder.module.context

    def anything(self, depth=0):
        r = self.random
        pool = [
            lambda: r.choice(self.values),
            lambda: r.choice(self.values),
            lambda: r.choice(self.ops),
            lambda: self.other["f"].body.args[0],
            lambda: None,
            lambda: r.choice([True, False]),
            lambda: r.choice([0, 1, 2, -1, 7, 2**31, 2**63 - 1, 2**64, -(2**63), -(2**70)]),
            lambda: r.choice([0.0, 1.5, -2.0, float("nan"), float("inf")]),
            lambda: r.choice(["", "a", "EQ", "#stablehlo.dot<>", "@f", "tensor<2xf32>", "\0", "\udcff", "x" * 1000, "DEFAULT"]),
            lambda: [r.randrange(-1, 4) for _ in range(r.randrange(4))],
            lambda: self.context.parse_attr(r.choice(["1 : i32", "array<i64: 0, 1>", "unit", "dense<1> : tensor<2xi64>", "[1, 2]", "{a = 1}", "f32"])),
            lambda: self.context.type(r.choice(TYPES)),
            lambda: lambda *args: args[:1],
            lambda: self.builder.region([r.choice(TYPES)], lambda x: x),
            object,
        ]
        if depth < 2:
            pool += [lambda: [self.anything(depth + 1) for _ in range(r.randrange(4))], lambda: {"a": self.anything(depth + 1)}]
        return r.choice(pool)()

    def likely(self, kind, part):
        """What the row asks for, mostly."""
        r = self.random
        if r.random() < 0.2:
            return self.anything()
        if kind == "operand":
            value = r.choice(self.values)
            return value if part["arity"] == "one" else [r.choice(self.values) for _ in range(r.randrange(3))]
        if kind == "region":
            return r.choice([lambda *args: args, lambda *args: args[:1], None])
        form = part["form"]
        if part.get("cases"):
            return r.choice(part["cases"]) if form == "enum" else [r.choice(part["cases"])]
        if form.endswith("s") and form[0] == "i":
            return [r.randrange(-1, 3) for _ in range(r.randrange(4))]
        if form in ("i32", "i64", "int"):
            return r.randrange(-2, 5)
        return self.anything()

    def make(self):
        r = self.random
        dialect = r.choice(self.dialects)
        name = r.choice(list(self.context.rows(dialect)))
        row = self.context.rows(dialect)[name]
        method = getattr(getattr(self.builder, dialect), name.replace(".", "_"))
        given = {}
        for kind, parts in (("operand", row["operands"]), ("attribute", row["attributes"]), ("region", row["regions"])):
            for part in parts:
                if r.random() < 0.95 and not part["name"].endswith("SegmentSizes"):
                    given[part["name"] + ("_" if part["name"] in ("from", "in", "is", "lambda") else "")] = self.likely(kind, part)
        types = None if r.random() < 0.7 else r.choice([r.choice(TYPES), [r.choice(TYPES) for _ in range(r.randrange(3))], self.anything()])
        made = method(output_type=types, attrs={"a": self.anything()} if r.random() < 0.1 else None, **given)
        made = made if isinstance(made, list) else [made]
        self.values += made
        self.ops += [v.op for v in made]

    def change(self):
        r, op, value = self.random, self.random.choice(self.ops), self.random.choice(self.values)
        r.choice(
            [
                lambda: op.erase(),
                lambda: op.move_before(r.choice(self.ops)),
                lambda: op.move_after(r.choice(self.ops)),
                lambda: op.set_operand(r.randrange(3), self.anything()),
                lambda: setattr(op, "operands", self.anything()),
                lambda: op.attributes.__setitem__(r.choice(["a", "value", "permutation", "dimension"]), self.anything()),
                lambda: op.attributes.__delitem__(r.choice(["a", "value", "permutation"])),
                lambda: value.replace_all_uses_with(self.anything()),
                lambda: setattr(value, "type", self.anything()),
                lambda: self.ops.append(op.copy()),
                lambda: op.replace_with(self.anything()),
                lambda: self.builder.before(op),
                lambda: self.builder.at_end(self.builder.module["main"].body),
                lambda: op.verify(),
                lambda: self.builder.module.verify(),
                lambda: str(op),
                lambda: [v.uses for v in op.results + op.operands],
                lambda: op.body.add_argument(r.choice(TYPES)),
                lambda: op.body.erase_argument(r.randrange(4)),
                lambda: self.builder.module.clone().run_passes("canonicalize"),
                self.goldens,
            ]
        )()

    def goldens(self):
        """Goldens of what is there, with nonsense."""
        r = self.random
        if r.random() < 0.3:
            self.builder.set_goldens({r.choice(self.values): self.anything()})
        if r.random() < 0.3:
            self.builder.bypass(r.choice(self.values), on=self.anything())
        made = self.builder.goldens(seed=r.choice([0, 1, 2**64 - 1]), max_bytes=r.choice([0, 1, 100]))["main"]
        r.choice(
            [
                lambda: made.get(self.anything()),
                lambda: made.get(r.choice(self.values), r.choice([0, 1, 2**40, -1])),
                lambda: made.set(r.choice(self.values), self.anything()),
                lambda: made.set_input(r.choice([0, 1, 99, -1]), self.anything()),
                lambda: made.bypass(self.anything()),
                lambda: made.check(engine=r.choice(["compiled", "reference"]), pcc=r.choice([0.0, 0.9, float("nan")])),
                lambda: [op.split() for op in made.ops[:3]],
                lambda: [op.result(r.choice([0, 1, 7])) for op in made.ops[:3]],
            ]
        )()

    def step(self):
        try:
            self.make() if self.random.random() < 0.7 else self.change()
            return 1
        except EXPECTED:
            return 0

    def end(self):
        """The module as it is then: it prints; what verifies is read back and is the same."""
        module = self.builder.module
        text = str(module)
        try:
            module.verify()
        except ts.TesseraError:
            return
        assert str(ts.Module.parse(text)) == text, text


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    worked = 0
    for start in range(0, given.count, 50):
        fuzz = Fuzz(given.seed + start)
        worked += sum(fuzz.step() for _ in range(50))
        fuzz.end()
    print(f"fuzz: {worked} of the calls worked\n{given.count} passed, 0 failed")
    return worked == 0


if __name__ == "__main__":
    sys.exit(main())
