#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random TTIR programs compute on parts of their batch what they compute undivided.

usage: data_parallel.py --bin DIR [--count N] [--seconds S] [--seed K] [--only I] [--keep DIR]

A program has a batch of some size in some dimension of its inputs, weights, and a few dozen ops that move, merge, mix and
reduce it. It runs divided on 2, 3, 4 or 8 virtual devices (tessera run --spmd --check). Program I of seed K is the same each
time; those that differ are kept.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

MOST = 6000  # elements of a tensor


def size_of(shape):
    n = 1
    for d in shape:
        n *= d
    return n


class Value:
    def __init__(self, name, shape, elem="f32", exact=True):
        self.name, self.shape, self.elem, self.exact = name, list(shape), elem, exact

    def type(self):
        return "tensor<%s%s>" % ("".join("%dx" % d for d in self.shape), self.elem)


class Program:
    def __init__(self, rng):
        self.rng, self.lines, self.pool, self.n, self.args, self.funcs = rng, [], [], 0, [], []
        self.written = set()

    def pick(self, want=lambda v: True, elem="f32"):
        fit = [v for v in self.pool if v.elem == elem and want(v)]
        if not fit:
            return None
        return fit[min(int(self.rng.expovariate(0.25)), len(fit) - 1) * -1 - 1]  # mostly recent ones

    def fresh(self):
        self.n += 1
        return "%%v%d" % self.n

    def op(self, name, ins, shape, attrs="", elem="f32", exact=None):
        if size_of(shape) > MOST or size_of(shape) == 0:
            return None
        out = Value(self.fresh(), shape, elem, all(v.exact for v in ins) if exact is None else exact)
        self.lines.append('%s = "ttir.%s"(%s)%s : (%s) -> %s' % (
            out.name, name, ", ".join(v.name for v in ins), " <{%s}>" % attrs if attrs else "",
            ", ".join(v.type() for v in ins), out.type()))
        self.pool.append(out)
        return out

    # ---- ops ----
    def unary(self):
        x = self.pick()
        self.op(self.rng.choice(["tanh", "sigmoid", "abs", "neg", "sin", "relu", "erf", "square"]), [x], x.shape)

    def binary(self):
        x = self.pick()
        y = self.pick(lambda v: broadcasts(v.shape, x.shape) is not None)
        self.op(self.rng.choice(["add", "subtract", "multiply", "maximum", "minimum"]), [x, y], broadcasts(y.shape, x.shape))

    def where(self):
        x = self.pick(lambda v: v.exact)
        y = self.pick(lambda v: x and v.shape == x.shape and v.exact)
        if x and y:
            c = self.op("gt", [x, y], x.shape, elem="i1")
            if c:
                self.op("where", [c, y, x], x.shape)

    def constant(self):
        shape = self.pick().shape
        kind = self.rng.randrange(3)
        if kind == 0:
            self.op("full", [], shape, "shape = array<i32%s>, fill_value = 0.5 : f32" % (": " + ", ".join(map(str, shape)) if shape else ""))
        elif kind == 1:
            self.op("constant", [], shape, "value = dense<0.25> : tensor<%sf32>" % "".join("%dx" % d for d in shape))
        elif shape:
            d = self.rng.randrange(len(shape))
            x = self.op("arange", [], shape, "start = 0 : si64, end = %d : si64, step = 1 : si64, arange_dimension = %d : i64" % (shape[d], d))
            if x:
                self.op("sin", [x], shape)

    def matmul(self):
        x = self.pick(lambda v: len(v.shape) >= 2)
        if not x:
            return
        ta = self.rng.random() < 0.3
        inner = x.shape[-2] if ta else x.shape[-1]
        y = self.pick(lambda v: len(v.shape) >= 2 and inner in v.shape[-2:] and broadcasts(v.shape[:-2], x.shape[:-2]) is not None)
        if not y:
            return
        tb = y.shape[-2] != inner
        batch = broadcasts(y.shape[:-2], x.shape[:-2])
        rows = x.shape[-1] if ta else x.shape[-2]
        columns = y.shape[-2] if tb else y.shape[-1]
        attrs = "transpose_a = %s, transpose_b = %s" % (str(ta).lower(), str(tb).lower())
        bias = self.pick(lambda v: v.shape == [columns])
        if bias and self.rng.random() < 0.5:
            z = self.op("linear", [x, y, bias], batch + [rows, columns], attrs, exact=False)
        else:
            z = self.op("matmul", [x, y], batch + [rows, columns], attrs, exact=False)
        if z:
            self.op("tanh", [z], z.shape)

    def dot_general(self):
        x = self.pick(lambda v: len(v.shape) >= 1)
        y = self.pick(lambda v: any(d in x.shape for d in v.shape)) if x else None
        if not y:
            return
        pairs, used_x, used_y = [], set(), set()
        for i, d in enumerate(x.shape):
            for j, e in enumerate(y.shape):
                if d == e and i not in used_x and j not in used_y and self.rng.random() < 0.7:
                    pairs.append((i, j))
                    used_x.add(i)
                    used_y.add(j)
        if not pairs:
            return
        k = self.rng.randrange(len(pairs) + 1)
        batch, contract = pairs[:k], pairs[k:]
        arr = lambda l: "array<i64%s>" % (": " + ", ".join(map(str, l)) if l else "")
        shape = [x.shape[i] for i, _ in batch] + [d for i, d in enumerate(x.shape) if i not in used_x] + [d for j, d in enumerate(y.shape) if j not in used_y]
        if len(shape) > 5 or not shape:
            return
        z = self.op("dot_general", [x, y], shape, "batch_dims_lhs = %s, batch_dims_rhs = %s, contract_dims_lhs = %s, contract_dims_rhs = %s" % (
            arr([i for i, _ in batch]), arr([j for _, j in batch]), arr([i for i, _ in contract]), arr([j for _, j in contract])), exact=False)
        if z:
            self.op("tanh", [z], z.shape)

    def reduce(self):
        x = self.pick(lambda v: v.shape)
        if not x:
            return
        dims = [d for d in range(len(x.shape)) if self.rng.random() < 0.5] or [self.rng.randrange(len(x.shape))]
        keep = self.rng.random() < 0.5
        shape = [1 if d in dims else s for d, s in enumerate(x.shape)] if keep else [s for d, s in enumerate(x.shape) if d not in dims]
        name = self.rng.choice(["sum", "mean", "max", "min", "sum", "mean"])
        listed = [d - len(x.shape) if self.rng.random() < 0.3 else d for d in dims]
        attrs = "keep_dim = %s" % str(keep).lower()
        if len(dims) < len(x.shape) or self.rng.random() < 0.5:
            attrs = "dim_arg = [%s], " % ", ".join("%d : i32" % d for d in listed) + attrs
        y = self.op(name, [x], shape, attrs, exact=x.exact and name in ("max", "min"))
        if y and name == "sum":
            self.op("tanh", [y], y.shape)

    def argmax(self):
        x = self.pick(lambda v: v.shape and v.exact)
        if x:
            d = self.rng.randrange(len(x.shape))
            y = self.op("argmax", [x], x.shape[:d] + x.shape[d + 1:], "dim_arg = [%d : i32], keep_dim = false" % d, elem="i32")
            if y:
                self.op("typecast", [y], y.shape)

    def reshape(self):
        x = self.pick()
        n, shape = size_of(x.shape), list(x.shape)
        for _ in range(self.rng.randrange(1, 4)):
            kind = self.rng.randrange(3)
            if kind == 0 and len(shape) >= 2:  # merge
                d = self.rng.randrange(len(shape) - 1)
                shape[d:d + 2] = [shape[d] * shape[d + 1]]
            elif kind == 1 and shape and len(shape) < 5:  # part
                d = self.rng.randrange(len(shape))
                f = [k for k in range(1, shape[d] + 1) if shape[d] % k == 0]
                k = self.rng.choice(f)
                shape[d:d + 1] = [k, shape[d] // k]
            elif kind == 2 and len(shape) < 5:
                shape.insert(self.rng.randrange(len(shape) + 1), 1)
        assert size_of(shape) == n
        listed = list(shape)
        if listed and self.rng.random() < 0.2:
            listed[self.rng.randrange(len(listed))] = -1
        self.op("reshape", [x], shape, "shape = [%s]" % ", ".join("%d : i32" % d for d in listed))

    def permute(self):
        x = self.pick(lambda v: len(v.shape) >= 2)
        if not x:
            return
        p = list(range(len(x.shape)))
        self.rng.shuffle(p)
        if self.rng.random() < 0.5:
            self.op("permute", [x], [x.shape[d] for d in p], "permutation = array<i64: %s>" % ", ".join(map(str, p)))
        else:
            shape = list(x.shape)
            a, b = p[0], p[1]
            shape[a], shape[b] = shape[b], shape[a]
            self.op("transpose", [x], shape, "dim0 = %d : si32, dim1 = %d : si32" % (a, b - len(shape)))

    def squeeze(self):
        x = self.pick(lambda v: len(v.shape) >= 2 and 1 in v.shape)
        if x:
            d = x.shape.index(1)
            self.op("squeeze", [x], x.shape[:d] + x.shape[d + 1:], "dim = %d : si32" % d)
        x = self.pick(lambda v: len(v.shape) < 5)
        d = self.rng.randrange(len(x.shape) + 1)
        self.op("unsqueeze", [x], x.shape[:d] + [1] + x.shape[d:], "dim = %d : si32" % d)

    def repeat(self):
        x = self.pick(lambda v: v.shape)
        if not x:
            return
        like = self.pick(lambda v: len(v.shape) == len(x.shape) and broadcasts(x.shape, v.shape) == v.shape)
        kind = self.rng.randrange(3)
        if kind == 0 and like:
            by = [b // a for a, b in zip(x.shape, like.shape)]
            self.op("broadcast", [x], like.shape, "broadcast_dimensions = array<i64: %s>" % ", ".join(map(str, by)))
        elif kind == 1:
            by = [self.rng.choice([1, 1, 2]) for _ in x.shape]
            self.op("repeat", [x], [a * b for a, b in zip(x.shape, by)], "repeat_dimensions = array<i64: %s>" % ", ".join(map(str, by)))
        else:
            d = self.rng.randrange(len(x.shape))
            self.op("repeat_interleave", [x], x.shape[:d] + [2 * x.shape[d]] + x.shape[d + 1:], "repeats = 2 : ui32, dim = %d : si32" % d)

    def concat(self):
        x = self.pick(lambda v: v.shape)
        if not x:
            return
        d = self.rng.randrange(len(x.shape))
        y = self.pick(lambda v: len(v.shape) == len(x.shape) and v.shape[:d] == x.shape[:d] and v.shape[d + 1:] == x.shape[d + 1:])
        self.op("concat", [x, y], x.shape[:d] + [x.shape[d] + y.shape[d]] + x.shape[d + 1:], "dim = %d : si32" % d)

    def cut(self):
        x = self.pick(lambda v: v.shape)
        if not x:
            return
        d = self.rng.randrange(len(x.shape))
        i32s = lambda l: "[%s]" % ", ".join("%d : i32" % n for n in l)
        kind = self.rng.randrange(4)
        if kind == 0:
            by = [0] * (2 * len(x.shape))
            by[2 * d], by[2 * d + 1] = self.rng.randrange(3), self.rng.randrange(3)
            shape = list(x.shape)
            shape[d] += by[2 * d] + by[2 * d + 1]
            self.op("pad", [x], shape, "padding = array<i32: %s>, value = 0.5 : f32" % ", ".join(map(str, by)))
        elif kind == 1:
            self.op("reverse", [x], x.shape, "dimensions = array<i64: %d>" % d)
        elif x.shape[d] > 1:
            begin = self.rng.randrange(x.shape[d] - 1)
            end = self.rng.randrange(begin + 1, x.shape[d] + 1)
            step = self.rng.choice([1, 1, 2])
            shape = list(x.shape)
            shape[d] = -(-(end - begin) // step)
            begins, ends, steps = [0] * len(shape), list(x.shape), [1] * len(shape)
            begins[d], ends[d], steps[d] = begin, end, step
            if kind == 2:
                self.op("slice_static", [x], shape, "begins = %s, ends = %s, step = %s" % (i32s(begins), i32s(ends), i32s(steps)))
            else:
                self.op("index", [x], shape, "dim = %d : i32, begin = %d : i32, end = %d : i32, step = %d : i32" % (d, begin, end, step))

    def along(self):
        x = self.pick(lambda v: v.shape)
        if not x:
            return
        d = self.rng.randrange(len(x.shape))
        kind = self.rng.randrange(5)
        if kind == 0:
            self.op("softmax", [x], x.shape, "dimension = %d : si32" % d, exact=False)
        elif kind == 1:
            y = self.op("cumsum", [x], x.shape, "dim = %d : i64" % d, exact=False)
            if y:
                self.op("tanh", [y], y.shape)
        elif kind == 2:
            n = self.rng.randrange(1, min(3, len(x.shape)) + 1)
            self.op(self.rng.choice(["rms_norm", "layer_norm"]), [x], x.shape, "normalized_shape = array<i64: %s>, epsilon = 1.0e-2 : f32, operandSegmentSizes = array<i32: 1, 0, 0>" % ", ".join(map(str, x.shape[-n:])), exact=False)
        elif x.exact:
            name, shape, more = ("sort", x.shape, "") if kind == 3 else ("topk", list(x.shape), ", k = %d : i32" % max(1, x.shape[d] // 2))
            if kind == 4:
                shape[d] = max(1, x.shape[d] // 2)
            a, b = self.fresh(), self.fresh()
            v, i = Value(a, shape), Value(b, shape, "i32")
            ty = "si32" if kind == 3 else "i32"
            order = ", sorted = true" if kind == 4 else ", stable = true"
            self.lines.append('%s, %s = "ttir.%s"(%s) <{dim = %d : %s%s%s}> : (%s) -> (%s, %s)' % (a, b, name, x.name, d, ty, more, order, x.type(), v.type(), i.type()))
            self.pool.append(v)

    def embedding(self):
        ids = self.pick(lambda v: len(v.shape) <= 2 and size_of(v.shape) * 4 < MOST, elem="i32")
        table = self.pick(lambda v: len(v.shape) == 2 and v.shape[0] >= 4)
        if ids and table:
            self.op("embedding", [ids, table], ids.shape + [table.shape[1]], exact=table.exact)

    def window(self):
        x = self.pick(lambda v: len(v.shape) == 4 and v.shape[1] >= 2 and v.shape[2] >= 2)
        if not x:
            return
        n, h, w, c = x.shape
        if self.rng.random() < 0.5:
            self.op(self.rng.choice(["max_pool2d", "avg_pool2d"]), [x], [n, h - 1, w - 1, c], "kernel = 2 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false", exact=False)
        else:
            k = self.op("full", [], [2, c, 2, 2], "shape = array<i32: 2, %d, 2, 2>, fill_value = 0.1 : f32" % c)
            y = self.op("conv2d", [x, k], [n, h - 1, w - 1, 2], "stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32", exact=False) if k else None
            if y:
                self.op("tanh", [y], y.shape)

    def channels(self):
        x = self.pick(lambda v: 2 <= len(v.shape) <= 5)
        if not x:
            return
        d = self.rng.randrange(len(x.shape))
        s = self.pick(lambda v: v.shape == [x.shape[d]])
        if not s:
            return
        v = self.op("full", [], s.shape, "shape = array<i32: %d>, fill_value = 1.5 : f32" % s.shape[0])
        self.op("batch_norm_inference", [x, s, s, s, v], x.shape, "dimension = %d : i32, epsilon = 1.0e-2 : f32" % d, exact=False)

    def call(self):
        x = self.pick(lambda v: len(v.shape) == 2)
        if not x:
            return
        name = "@f%d" % len(self.funcs)
        r = [x.shape[0]] if self.rng.random() < 0.5 else [x.shape[1]]
        d = 1 if r == [x.shape[0]] and x.shape[0] != x.shape[1] else (0 if r == [x.shape[1]] and x.shape[0] != x.shape[1] else 1)
        y = Value(self.fresh(), [x.shape[1 - d]], exact=False)
        self.funcs.append('func.func private %s(%%a: %s) -> %s {\n  %%0 = "ttir.tanh"(%%a) : (%s) -> %s\n  %%1 = "ttir.mean"(%%0) <{dim_arg = [%d : i32], keep_dim = false}> : (%s) -> %s\n  return %%1 : %s\n}' % (
            name, x.type(), y.type(), x.type(), x.type(), d, x.type(), y.type(), y.type()))
        self.lines.append("%s = call %s(%s) : (%s) -> %s" % (y.name, name, x.name, x.type(), y.type()))
        self.pool.append(y)

    KINDS = [(unary, 3), (binary, 6), (where, 1), (constant, 2), (matmul, 5), (dot_general, 2), (reduce, 4), (argmax, 1), (reshape, 5),
             (permute, 3), (squeeze, 1), (repeat, 2), (concat, 1), (cut, 2), (along, 3), (embedding, 1), (window, 1), (channels, 1), (call, 1)]

    def argument(self, shape, kind, elem="f32"):
        v = Value("%%a%d" % len(self.args), shape, elem)
        note = " {ttcore.argument_type = #ttcore.argument_type<%s>}" % kind if kind else ""
        self.args.append((v, "%s: %s%s" % (v.name, v.type(), note)))
        self.pool.append(v)


def broadcasts(a, b):
    out = []
    for i in range(max(len(a), len(b))):
        x = a[-1 - i] if i < len(a) else 1
        y = b[-1 - i] if i < len(b) else 1
        if x != y and 1 not in (x, y):
            return None
        out.append(max(x, y))
    return out[::-1]


def generate(rng):
    p = Program(rng)
    batch = rng.choice([8, 8, 16, 24, 4, 6, 5, 1, 12])
    dims = [rng.choice([2, 3, 4, 5, 6]) for _ in range(3)]
    said = rng.random() < 0.7
    for _ in range(rng.randrange(1, 4)):
        shape = [rng.choice(dims) for _ in range(rng.randrange(0, 3))]
        shape.insert(0 if rng.random() < 0.6 else rng.randrange(len(shape) + 1), batch)
        p.argument(shape, "input" if said and rng.random() < 0.9 else None)
    if rng.random() < 0.3:
        p.argument([batch, 4, 4, 2], "input" if said else None)
    if rng.random() < 0.4:
        p.argument([batch] + ([rng.choice(dims)] if rng.random() < 0.5 else []), "input" if said else None, "i32")
    for _ in range(rng.randrange(1, 4)):
        p.argument([rng.choice(dims) for _ in range(rng.randrange(1, 3))], rng.choice(["parameter", "constant", "default"]) if said else None)
    kinds = [k for k, w in Program.KINDS for _ in range(w)]
    for _ in range(rng.randrange(4, 28)):
        rng.choice(kinds)(p)
    out = rng.sample(p.pool, min(len(p.pool), rng.randrange(1, 6))) + p.pool[-1:]
    text = "\n".join(p.funcs) + "\nfunc.func @main(%s) -> (%s) {\n" % (", ".join(t for _, t in p.args), ", ".join(v.type() for v in out))
    text += "".join("  %s\n" % l for l in p.lines)
    text += "  return %s : %s\n}\n" % (", ".join(v.name for v in out), ", ".join(v.type() for v in out))
    inputs = []
    for v, _ in p.args:
        inputs.append("--input=random" if v.elem == "f32" else "--input=%s=%s" % (v.type()[7:-1], ",".join(str(rng.randrange(4)) for _ in range(size_of(v.shape)))))
    return text, inputs, rng.choice(["1,2", "1,8", "1,4", "1,3", "2,1", "8", "2,4"])


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--bin", required=True)
    ap.add_argument("--count", type=int, default=200)
    ap.add_argument("--seconds", type=float, default=0)
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--only", type=int, default=-1)
    ap.add_argument("--keep", default="build")
    a = ap.parse_args()
    tool = os.path.join(a.bin, "tessera")
    start, done, bad = time.time(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.mlir")
        i = max(a.only, 0)
        while a.only == i or (a.only < 0 and (time.time() - start < a.seconds if a.seconds else i < a.count)):
            text, inputs, mesh = generate(random.Random(a.seed * 1000003 + i))
            with open(path, "w") as f:
                f.write(text)
            p = subprocess.run([tool, "run", path, "--spmd", "--mesh-shape=" + mesh, "--check", "--rtol=1e-4", "--atol=1e-4", "--seed=%d" % i] + inputs, capture_output=True, text=True)
            done += 1
            if p.returncode:
                bad += 1
                kept = os.path.join(a.keep, "data_parallel_%d_%d.mlir" % (a.seed, i))
                with open(kept, "w") as f:
                    f.write("// tessera run --spmd --mesh-shape=%s --check %s\n%s" % (mesh, " ".join(inputs), text))
                print("program %d of seed %d differs on a mesh of %s: %s\n%s" % (i, a.seed, mesh, kept, (p.stderr + p.stdout)[:600]))
            i += 1
    print("%d passed, %d failed" % (done - bad, bad))
    return 1 if bad else 0


sys.exit(main())
