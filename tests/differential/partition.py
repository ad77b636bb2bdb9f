#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs compute the same on one device and, partitioned by Shardy's passes, on a mesh.

    partition.py [--bin build/bin] [--count N] [--seed S] [--ops WORDS] [--save DIR]

A program has random shardings on its arguments and some of its values: axes, parts of axes, several on a dimension,
sizes that they do not divide; devices may be in any order. Propagation shards the rest, the passes make the program of
each device, and the evaluator runs it on all of them. Its results must be the parts of what the program computes
undivided. A program that fails is saved with its number.
"""
import argparse
import collections
import math
import os
import random
import re
import subprocess
import sys
import tempfile

SIZES = [2, 3, 4, 5, 6, 8]
CONSTANT = "stablehlo.constant"
PIPELINE = """builtin.module(sdy-propagation-pipeline,
  func.func(sdy-insert-explicit-reshards{{enable-full-version=true}}),
  sdy-resolve-permutation-factors{{enable-halo-exchange={halo} {count}}},
  func.func(sdy-reshard-to-collectives,sdy-pad-for-divisibility,sdy-resolve-single-device-sharding{{{count}}}),
  sdy-convert-global-to-local{{{count} per-dim-all-gather={gather} combine-multi-dimension-reduce-scatter={scatter}}})"""


# ---- Tensors: a shape and elements in row-major order ----

def tensor(shape):
    return "tensor<" + "".join(f"{d}x" for d in shape) + "i32>"


def dense(shape, elements):
    if not shape:
        return str(elements[0])
    step = len(elements) // shape[0]
    return "[" + ", ".join(dense(shape[1:], elements[i * step:(i + 1) * step]) for i in range(shape[0])) + "]"


def part(shape, elements, dim, start, size):
    """Elements start .. start + size - 1 along a dimension."""
    inner = math.prod(shape[dim + 1:])
    outer = math.prod(shape[:dim])
    rows = [elements[(o * shape[dim] + start) * inner:(o * shape[dim] + start + size) * inner] for o in range(outer)]
    return shape[:dim] + [size] + shape[dim + 1:], sum(rows, [])


def parse(text):
    """Tensors as `tessera run` prints them."""
    out = []
    for block in re.split(r"(?m)^tensor<", text)[1:]:
        head, body = block.split(">", 1)
        out.append(([int(d) for d in head.split("x")[:-1]], [int(x) for x in re.findall(r"-?\d+", body)]))
    return out


# ---- Meshes ----

class Mesh:
    def __init__(self, rng):
        self.axes, self.size = [], 1
        for name in "xyz"[:rng.choice([1, 2, 2, 3])]:
            n = rng.choice([2, 2, 2, 3, 4])
            if self.size * n <= 12:
                self.axes.append((name, n))
                self.size *= n
        self.ids = list(range(self.size))
        if rng.random() < 0.3:
            rng.shuffle(self.ids)

    def text(self):
        ids = "" if self.ids == sorted(self.ids) else f", device_ids={self.ids}"
        return "sdy.mesh @m = <[" + ", ".join(f'"{a}"={n}' for a, n in self.axes) + f"]{ids}>"

    def sharding(self, rng, shape):
        pieces = []
        for name, n in self.axes:
            halves = n == 4 and rng.random() < 0.5
            pieces += [(f'"{name}":(1)2', 2), (f'"{name}":(2)2', 2)] if halves else [(f'"{name}"', n)]
        rng.shuffle(pieces)
        dims, left = [[] for _ in shape], list(shape)
        for piece, n in pieces:
            d = rng.randrange(len(shape) + 1)
            if d < len(shape) and left[d] % n == 0:
                left[d] //= n
                if dims[d] and dims[d][-1].endswith(":(1)2") and piece == dims[d][-1].replace("(1)", "(2)"):
                    dims[d][-1] = piece.split(":")[0]
                else:
                    dims[d].append(piece)
        return "<@m, [" + ", ".join("{" + ", ".join(d) + "}" for d in dims) + "]>"

    def positions(self, refs):
        """Each device's number along axes, and how many there are."""
        sizes, out, count = [n for _, n in self.axes], {}, 1
        for place in range(self.size):
            at, count = 0, 1
            for ref in refs:
                name, pre, n = re.match(r'"(\w)"(?::\((\d+)\)(\d+))?$', ref).groups()
                k = [a for a, _ in self.axes].index(name)
                pre, n = (int(pre), int(n)) if pre else (1, sizes[k])
                stride = math.prod(sizes[k + 1:]) * (sizes[k] // (pre * n))
                at, count = at * n + place // stride % n, count * n
            out[self.ids[place]] = at
        return out, count

    def parts(self, sharding, shape, elements):
        """What each device has of a tensor."""
        inside = re.search(r"\[(.*?)\]", sharding)
        dims = re.findall(r"\{(.*?)\}", inside[1]) if inside else []
        out = [(list(shape), elements)] * self.size
        for d, text in enumerate(dims):
            positions, count = self.positions([r.strip() for r in text.split(",") if r.strip()])
            size = shape[d] // count
            out = [part(s, e, d, positions[dev] * size, size) for dev, (s, e) in enumerate(out)]
        return out


# ---- Programs ----

class Program:
    def __init__(self, rng, ops, length):
        self.rng, self.mesh, self.lines, self.n = rng, Mesh(rng), [], 0
        self.args = [[rng.choice(SIZES + [4, 12]) for _ in range(rng.choice([1, 2, 2, 3]))]
                     for _ in range(rng.choice([1, 2, 3]))]
        self.values = [(f"%arg{i}", shape) for i, shape in enumerate(self.args)]
        for _ in range(length):
            getattr(self, rng.choice(ops))(*self.pick())
        self.results = self.values[len(self.args):][-2:] or self.values[-1:]

    def text(self):
        args = ", ".join(f"%arg{i}: {tensor(s)} {{sdy.sharding = #sdy.sharding{self.mesh.sharding(self.rng, s)}}}"
                         for i, s in enumerate(self.args))
        types = ", ".join(tensor(s) for _, s in self.results)
        names = ", ".join(v for v, _ in self.results)
        body = "\n".join(self.lines)
        return f"{self.mesh.text()}\nfunc.func @f({args}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"

    def pick(self, fits=lambda shape: True):
        found = [v for v in self.values if fits(v[1])]
        return self.rng.choice(found[-4:] if self.rng.random() < 0.7 else found)

    def emit(self, text, types, shape):
        attrs = ""
        if self.rng.random() < 0.15:
            attrs = f" {{sdy.sharding = #sdy.sharding_per_value<[{self.mesh.sharding(self.rng, shape)}]>}}"
        if text.startswith(CONSTANT):  # which has them in front of its value
            text, attrs = CONSTANT + attrs + text[len(CONSTANT):], ""
        self.lines.append(f"  %{self.n} = {text}{attrs} : {types}")
        self.values.append((f"%{self.n}", list(shape)))
        self.n += 1
        return self.values[-1]

    def scalar(self, value):
        self.lines.append(f"  %s{self.n} = stablehlo.constant dense<{value}> : tensor<i32>")
        return f"%s{self.n}"

    def indices(self, n, limit):
        rows = [self.rng.randrange(-2, limit + 3) for _ in range(n)]
        self.lines.append(f"  %i{self.n} = stablehlo.constant dense<{dense([n, 1], rows)}> : tensor<{n}x1xi32>")
        return f"%i{self.n}"

    def constant(self, x=None, s=None, shape=None):
        shape = shape or [self.rng.choice(SIZES) for _ in range(self.rng.choice([1, 2, 2]))]
        numbers = [self.rng.randrange(-4, 5) for _ in range(math.prod(shape))]
        return self.emit(f"{CONSTANT} dense<{dense(shape, numbers)}>", tensor(shape), shape)

    def iota(self, x, s):
        shape = [self.rng.choice(SIZES) for _ in range(self.rng.choice([1, 2]))]
        self.emit(f"stablehlo.iota dim = {self.rng.randrange(len(shape))}", tensor(shape), shape)

    def unary(self, x, s):
        self.emit(f"stablehlo.negate {x}", tensor(s), s)

    def binary(self, x, s):
        y, _ = self.pick(lambda t: t == s)
        op = self.rng.choice(["add", "multiply", "subtract", "maximum", "minimum"])
        self.emit(f"stablehlo.{op} {x}, {y}", tensor(s), s)

    def transpose(self, x, s):
        order = self.rng.sample(range(len(s)), len(s))
        out = [s[i] for i in order]
        self.emit(f"stablehlo.transpose {x}, dims = {order}", f"({tensor(s)}) -> {tensor(out)}", out)

    def broadcast(self, x, s):
        if len(s) > 2:
            return
        at = self.rng.randrange(len(s) + 1)
        out = s[:at] + [self.rng.choice([2, 3, 4])] + s[at:]
        dims = [i for i in range(len(out)) if i != at]
        self.emit(f"stablehlo.broadcast_in_dim {x}, dims = {dims}", f"({tensor(s)}) -> {tensor(out)}", out)

    def dot(self, x, s):
        if not s:
            return
        c = self.rng.randrange(len(s))
        y, t = self.pick(lambda t: s[c] in t)
        k = self.rng.choice([i for i in range(len(t)) if t[i] == s[c]])
        out = s[:c] + s[c + 1:] + t[:k] + t[k + 1:]
        if len(out) <= 3:
            self.emit(f"stablehlo.dot_general {x}, {y}, contracting_dims = [{c}] x [{k}]",
                      f"({tensor(s)}, {tensor(t)}) -> {tensor(out)}", out)

    def reduce(self, x, s):
        if not s:
            return
        op, init = self.rng.choice([("add", 0), ("maximum", -2**31), ("minimum", 2**31 - 1), ("add", 3), ("maximum", -7)])
        c = self.rng.randrange(len(s))
        start, out = self.scalar(init), s[:c] + s[c + 1:]
        self.emit(f"stablehlo.reduce({x} init: {start}) applies stablehlo.{op} across dimensions = [{c}]",
                  f"({tensor(s)}, tensor<i32>) -> {tensor(out)}", out)

    def reshape(self, x, s):
        n = math.prod(s)
        pairs = [[a, n // a] for a in range(2, n) if n % a == 0]
        triples = [[a, b, c // b] for a, c in pairs for b in range(2, c) if c % b == 0]
        out = self.rng.choice([[n]] + pairs + triples)
        self.emit(f"stablehlo.reshape {x}", f"({tensor(s)}) -> {tensor(out)}", out)

    def pad(self, x, s):
        low = [self.rng.choice([0, 0, 1, 2, 3, -1]) for _ in s]
        high = [self.rng.choice([0, 0, 1, 2, -1]) for _ in s]
        interior = [self.rng.choice([0, 0, 0, 1]) for _ in s]
        out = [(d - 1) * (k + 1) + 1 + a + b for d, k, a, b in zip(s, interior, low, high)]
        if not s or min(out) < 1 or max(out) > 24:
            return
        with_value = self.scalar(self.rng.randrange(5))
        self.emit(f"stablehlo.pad {x}, {with_value}, low = {low}, high = {high}, interior = {interior}",
                  f"({tensor(s)}, tensor<i32>) -> {tensor(out)}", out)

    def slice(self, x, s):
        starts = [self.rng.randrange(max(1, d // 2)) for d in s]
        limits = [self.rng.randrange(a + 1, d + 1) for a, d in zip(starts, s)]
        strides = [self.rng.choice([1, 1, 1, 2]) for _ in s]
        out = [-(-(b - a) // k) for a, b, k in zip(starts, limits, strides)]
        ranges = ", ".join(f"{a}:{b}:{k}" for a, b, k in zip(starts, limits, strides))
        self.emit(f"stablehlo.slice {x} [{ranges}]", f"({tensor(s)}) -> {tensor(out)}", out)

    def reverse(self, x, s):
        if s:
            dims = sorted(self.rng.sample(range(len(s)), self.rng.randrange(1, len(s) + 1)))
            self.emit(f"stablehlo.reverse {x}, dims = {dims}", tensor(s), s)

    def concatenate(self, x, s):
        if not s:
            return
        c = self.rng.randrange(len(s))
        y, t = self.pick(lambda t: len(t) == len(s) and t[:c] + t[c + 1:] == s[:c] + s[c + 1:])
        out = s[:c] + [s[c] + t[c]] + s[c + 1:]
        self.emit(f"stablehlo.concatenate {x}, {y}, dim = {c}", f"({tensor(s)}, {tensor(t)}) -> {tensor(out)}", out)

    def gather(self, x, s):
        if not s:
            return
        n = self.rng.choice([2, 3, 4, 6])
        rows, out = self.indices(n, s[0]), [n] + s[1:]
        sizes = ", ".join(map(str, [1] + s[1:]))
        numbers = (f"#stablehlo.gather<offset_dims = {list(range(1, len(s)))}, collapsed_slice_dims = [0], "
                   "start_index_map = [0], index_vector_dim = 1>")
        self.emit(f'"stablehlo.gather"({x}, {rows}) <{{dimension_numbers = {numbers}, slice_sizes = array<i64: {sizes}>}}>',
                  f"({tensor(s)}, tensor<{n}x1xi32>) -> {tensor(out)}", out)

    def scatter(self, x, s):
        if not s:
            return
        n = self.rng.choice([2, 3, 4, 6])
        updates = [n] + s[1:]
        y, _ = self.constant(shape=updates)
        rows = self.indices(n, s[0])
        op = self.rng.choice(["add", "maximum"])
        numbers = (f"#stablehlo.scatter<update_window_dims = {list(range(1, len(s)))}, inserted_window_dims = [0], "
                   "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>")
        body = (f"({{ ^bb0(%a: tensor<i32>, %b: tensor<i32>): %r = stablehlo.{op} %a, %b : tensor<i32> "
                "stablehlo.return %r : tensor<i32> })")
        self.emit(f'"stablehlo.scatter"({x}, {rows}, {y}) <{{scatter_dimension_numbers = {numbers}}}> {body}',
                  f"({tensor(s)}, tensor<{n}x1xi32>, {tensor(updates)}) -> {tensor(s)}", s)


OPS = [name for name in vars(Program) if not name.startswith("_")
       and name not in ("text", "pick", "emit", "scalar", "indices")]


# ---- Runs ----

class Wrong(Exception):
    pass


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise Wrong(" ".join(done.stderr.split())[:300])
    return done.stdout


def signature(local):
    """Shardings of arguments, and types and shardings of results, of the program of a device."""
    args, results = re.search(r"func.func @f\((.*?)\) -> (.*) \{\n", local).groups()
    sharding = r"( \{sdy.sharding = #sdy.sharding(<@m, \[.*?\](?:, \w+=\{.*?\})*>)\})?"
    of_args = [m[2] or "" for m in re.finditer(r"%arg\d+: tensor<[\dx]*i32>" + sharding, args)]
    of_results = [(m[1], m[3] or "") for m in re.finditer(r"(tensor<[\dx]*i32>)" + sharding, results)]
    return of_args, of_results


def check(seed, args, folder):
    rng = random.Random(seed)
    program = Program(rng, args.ops, rng.randrange(1, 9))
    text, mesh = program.text(), program.mesh
    with open(os.path.join(folder, "program.mlir"), "w", encoding="utf-8") as f:
        f.write(text)
    replicas = rng.random() < 0.2
    truth = lambda: rng.choice(["true", "false"])
    pipeline = PIPELINE.format(halo=truth(), gather=truth(), scatter=truth(),
                               count=f"replica-count={mesh.size if replicas else 1} partition-count=1")
    opt, tessera = os.path.join(args.bin, "sdy_opt"), os.path.join(args.bin, "tessera")
    local = run([opt, "-", f"--pass-pipeline={pipeline}"], text)
    of_args, of_results = signature(local)
    inputs = [[rng.randrange(-9, 10) for _ in range(math.prod(s))] for s in program.args]

    # Every device gets its parts.
    parts = [mesh.parts(a, s, e) for a, s, e in zip(of_args, program.args, inputs)]
    lines, names, types = [], [], []
    for device in range(mesh.size):
        for i, (shape, elements) in enumerate(p[device] for p in parts):
            names.append(f"%d{device}_{i}")
            types.append(tensor(shape))
            lines.append(f"  {names[-1]} = stablehlo.constant dense<{dense(shape, elements)}> : {types[-1]}")
    programs = "[" + ", ".join(["[@f]"] * mesh.size) + "]" if replicas else "[[" + ", ".join(["@f"] * mesh.size) + "]]"
    out = [t for t, _ in of_results] * mesh.size
    results = ", ".join(f"%r#{i}" for i in range(len(out)))
    main = (f"func.func @main() -> ({', '.join(out)}) {{\n" + "\n".join(lines) +
            f'\n  %r:{len(out)} = "interpreter.run_parallel"({", ".join(names)}) {{programs = {programs}}} : '
            f"({', '.join(types)}) -> ({', '.join(out)})\n  return {results} : {', '.join(out)}\n}}\n")
    bare = run([opt, "-", "--sdy-drop-sharding-and-mesh"], local)
    path = os.path.join(folder, "devices.mlir")
    with open(path, "w", encoding="utf-8") as f:
        f.write(bare[bare.index("\n"):bare.rindex("}")] + main)
    got = parse(run([tessera, "run", path, "--function=main", "--full"]))

    # What the program computes undivided.
    path = os.path.join(folder, "whole.mlir")
    with open(path, "w", encoding="utf-8") as f:
        f.write(run([opt, "-", "--sdy-drop-sharding-and-mesh"], text))
    given = ["--input=" + "".join(f"{d}x" for d in s) + "i32=" + ",".join(map(str, e))
             for s, e in zip(program.args, inputs)]
    whole = parse(run([tessera, "run", path, "--function=f", "--full"] + given))
    for i, (shape, elements) in enumerate(whole):
        for device, want in enumerate(mesh.parts(of_results[i][1], shape, elements)):
            if got[device * len(whole) + i] != want:
                raise Wrong(f"result {i} differs on device {device}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", type=lambda s: s.split(","), default=OPS, help="some of: " + ",".join(OPS))
    parser.add_argument("--save", help="folder for programs that fail")
    args = parser.parse_args()
    counts = collections.Counter()
    for seed in range(args.seed, args.seed + args.count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(seed, args, folder)
                counts["passed"] += 1
            except (Wrong, subprocess.TimeoutExpired) as e:
                counts["failed"] += 1
                print(f"program {seed}: {e}")
                if args.save:
                    os.makedirs(args.save, exist_ok=True)
                    os.replace(os.path.join(folder, "program.mlir"), os.path.join(args.save, f"{seed}.mlir"))
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
