#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Single ops of StableHLO with random attributes compute the same after they became TTIR.

    ttir.py [--bin build/bin] [--count N] [--seed S] [--save DIR] [--ops gather,scatter] [--must]

Makers write one function around one op; indices and starts are given as constants or as arguments, also outside of what
they index. A program is run before it became TTIR, on the reference, and after, compiled, and after passes on that; results must agree
within the tolerance of their type. With --must, an op that stays StableHLO counts as failed, where its maker says that it has a form. A program that
fails is saved with its number.
"""
import random
import sys

import trial
from trial import count, tensor


def array(values):
    return "array<i64" + (": " + ", ".join(map(str, values)) if values else "") + ">"


def dense(values, shape, elem):
    def nest(v, dims):
        if not dims:
            return str(v[0])
        step = len(v) // dims[0] if dims[0] else 0
        return "[" + ", ".join(nest(v[i * step:(i + 1) * step], dims[1:]) for i in range(dims[0])) + "]"
    return f"dense<{nest(values, list(shape)) if count(shape) else ''}> : {tensor(shape, elem)}"


class Case:
    """One function: arguments with their inputs, lines before the op, the op, whether it has a form in TTIR."""

    def __init__(self, rng):
        self.rng, self.args, self.inputs, self.lines, self.form = rng, [], [], [], True
        self.results, self.before = [], ""

    def arg(self, shape, elem="f32"):
        name = f"%arg{len(self.args)}"
        self.args.append(f"{name}: {tensor(shape, elem)}")
        self.inputs.append("random")
        return name

    def given(self, values, shape, elem):
        """Numbers, as a constant or as an argument."""
        if self.rng.random() < 0.5:
            name = f"%c{len(self.lines)}"
            self.lines.append(f"{name} = stablehlo.constant {dense(values, shape, elem)}")
            return name
        name = self.arg(shape, elem)
        self.inputs[-1] = "x".join([*map(str, shape), elem]) + "=" + ",".join(map(str, values))
        if not count(shape):
            self.inputs[-1] = "random"
        return name

    def line(self, text):
        self.lines.append(text)

    def text(self):
        types = ", ".join(t for _, t in self.results)
        body = "\n  ".join(self.lines)
        names = ", ".join(n for n, _ in self.results)
        return f"{self.before}func.func @main({', '.join(self.args)}) -> ({types}) {{\n  {body}\n  return {names} : {types}\n}}\n"


def body(kind, elem, n=1):
    """A body that joins n pairs: (a0.., b0..)."""
    t = tensor((), elem)
    args = ", ".join(f"%a{i}: {t}" for i in range(n)) + ", " + ", ".join(f"%b{i}: {t}" for i in range(n))
    if kind == "update":
        inner, out = "", "%b0"
    else:
        inner, out = "\n    " + "\n    ".join(f"%r{i} = stablehlo.{kind} %a{i}, %b{i} : {t}" for i in range(n)), ""
    out = out or ", ".join(f"%r{i}" for i in range(n))
    return f"({{\n    ^bb0({args}):{inner}\n    stablehlo.return {out} : {', '.join([t] * n)}\n  }})"


OPS = {}


def op(f):
    OPS[f.__name__] = f
    return f


def some_shape(rng, low=1, high=4, top=5):
    return [rng.randint(1, top) for _ in range(rng.randint(low, high))]


@op
def gather(c):
    r = c.rng
    shape = some_shape(r, 1, 4)
    rank = len(shape)
    batch = sorted(r.sample(range(rank), r.choice([0, 0, 0, 1]))) if rank > 1 else []
    rest = [d for d in range(rank) if d not in batch]
    mapped = r.sample(rest, r.randint(1, len(rest)))
    sizes = [shape[d] if d not in mapped else r.choice([1, 1, r.randint(1, shape[d]), shape[d]]) for d in range(rank)]
    for d in batch:
        sizes[d] = 1
    collapsed = [d for d in rest if sizes[d] == 1 and r.random() < 0.6]
    lead = [shape[d] for d in batch]
    extra = [r.randint(1, 3) for _ in range(r.choice([0, 1, 1, 2]))]
    dims = lead + extra
    vector = r.randint(0, len(dims)) if not batch else len(dims)
    index = dims[:vector] + [len(mapped)] + dims[vector:]
    implicit = len(mapped) == 1 and r.random() < 0.3
    if implicit:
        index, vector = dims, len(dims)
    elem = r.choice(["i32", "i64", "ui32", "i8"])
    low = 0 if elem.startswith("u") else -2
    starts = [r.randint(low, 6) for _ in range(count(index))]
    window = [d for d in rest if d not in collapsed]
    out_rank = len(dims) + len(window)
    offset = sorted(r.sample(range(out_rank), len(window)))
    it, wt, out = iter(dims), iter(sizes[d] for d in window), []
    for i in range(out_rank):
        out.append(next(wt) if i in offset else next(it))
    of = r.choice(["f32", "f32", "bf16", "i32", "i1", "f64"])
    x, i = c.arg(shape, of), c.given(starts, index, elem)
    numbers = (f"#stablehlo.gather<offset_dims = {offset}, collapsed_slice_dims = {collapsed}, operand_batching_dims = {batch}, "
               f"start_indices_batching_dims = {list(range(len(batch)))}, start_index_map = {mapped}, index_vector_dim = {vector}>")
    c.line(f'%0 = "stablehlo.gather"({x}, {i}) <{{dimension_numbers = {numbers}, slice_sizes = {array(sizes)}}}> : '
           f"({tensor(shape, of)}, {tensor(index, elem)}) -> {tensor(out, of)}")
    c.results = [("%0", tensor(out, of))]


@op
def scatter(c):
    r = c.rng
    shape = some_shape(r, 1, 4)
    rank = len(shape)
    batch = [0] if rank > 1 and r.random() < 0.25 else []
    rest = [d for d in range(rank) if d not in batch]
    mapped = r.sample(rest, r.randint(0 if r.random() < 0.1 else 1, len(rest)))
    inserted = [d for d in rest if r.random() < 0.5]
    window = [d for d in rest if d not in inserted]
    sizes = [r.randint(1, shape[d]) if r.random() < 0.6 else shape[d] for d in window]
    dims = [shape[d] for d in batch] + [r.randint(1, 3) for _ in range(r.choice([0, 1, 1, 2]))]
    vector = len(dims) if batch else r.randint(0, len(dims))
    index = dims[:vector] + [len(mapped)] + dims[vector:]
    elem = r.choice(["i32", "i64", "i8"])
    starts = [r.randint(-1, 5) for _ in range(count(index))]
    up_rank = len(dims) + len(window)
    at = sorted(r.sample(range(up_rank), len(window)))
    it, wt, updates = iter(dims), iter(sizes), []
    for i in range(up_rank):
        updates.append(next(wt) if i in at else next(it))
    kind = r.choice(["add", "add", "update", "maximum", "minimum", "multiply"])
    of = r.choice(["f32", "f32", "f64", "i32"])
    if kind == "update":  # the order of equal places is open: make them differ
        dims_only = [d for d in dims]
        if count(dims_only) > 1 and not batch:
            kind = "add"
    x, i, u = c.arg(shape, of), c.given(starts, index, elem), c.arg(updates, of)
    numbers = (f"#stablehlo.scatter<update_window_dims = {at}, inserted_window_dims = {inserted}, input_batching_dims = {batch}, "
               f"scatter_indices_batching_dims = {list(range(len(batch)))}, scatter_dims_to_operand_dims = {mapped}, index_vector_dim = {vector}>")
    if kind == "update" and batch:
        kind = "maximum"
    c.line(f'%0 = "stablehlo.scatter"({x}, {i}, {u}) <{{scatter_dimension_numbers = {numbers}}}> {body(kind, of)} : '
           f"({tensor(shape, of)}, {tensor(index, elem)}, {tensor(updates, of)}) -> {tensor(shape, of)}")
    c.results = [("%0", tensor(shape, of))]


@op
def convolution(c):
    r = c.rng
    n = r.choice([1, 2, 2, 2, 3])
    groups, batches = r.choice([(1, 1), (1, 1), (2, 1), (1, 2), (3, 1)])
    cin, per, batch = groups * r.randint(1, 2), r.randint(1, 2), batches * r.randint(1, 2)
    cout = groups * batches * per
    space = [r.randint(3, 6) for _ in range(n)]
    kernel = [r.randint(1, 3) for _ in range(n)]
    if r.random() < 0.2:
        space[0] = kernel[0] = 1
    stride = [r.choice([1, 1, 2, 3]) for _ in range(n)]
    apart = [r.choice([1, 1, 1, 2]) for _ in range(n)]
    if r.random() < 0.3:
        stride = [1] * n
    holes = [r.choice([1, 1, 2]) for _ in range(n)]
    pads = [[r.randint(-1 if r.random() < 0.2 else 0, 2), r.randint(-1 if r.random() < 0.2 else 0, 2)] for _ in range(n)]
    reverse = [r.random() < 0.2 for _ in range(n)]
    out = []
    for i in range(n):
        size = (space[i] - 1) * apart[i] + 1 + pads[i][0] + pads[i][1]
        reach = (kernel[i] - 1) * holes[i] + 1
        if size < reach:
            return convolution(c)
        out.append((size - reach) // stride[i] + 1)

    def place(first, second, sizes, names):
        order = [("a", first), ("b", second)] + [(str(i), s) for i, s in enumerate(sizes)]
        r.shuffle(order)
        names = dict(zip("ab", names))
        return "[" + ", ".join(names.get(k, k) for k, _ in order) + "]", [s for _, s in order]

    xl, x = place(batch, cin, space, "bf")
    wl, w = place(cout, cin // groups, kernel, "oi")
    yl, y = place(batch // batches, cout, out, "bf")
    of = r.choice(["f32", "f32", "f64", "i32", "i8", "i1"])
    xs, ws = c.arg(x, of), c.arg(w, of)
    window = (f"stride = {stride}, pad = {pads}, lhs_dilate = {apart}, rhs_dilate = {holes}, "
              f"reverse = [{', '.join('true' if v else 'false' for v in reverse)}]")
    c.line(f"%0 = stablehlo.convolution({xs}, {ws}) dim_numbers = {xl}x{wl}->{yl}, window = {{{window}}} "
           f"{{batch_group_count = {batches} : i64, feature_group_count = {groups} : i64}} : "
           f"({tensor(x, of)}, {tensor(w, of)}) -> {tensor(y, of)}")
    c.results = [("%0", tensor(y, of))]
    c.form = all(p >= 0 for q in pads for p in q)


@op
def reduce_window(c):
    r = c.rng
    shape = some_shape(r, 1, 5)
    rank = len(shape)
    kind = r.choice(["maximum", "maximum", "add", "add", "multiply", "minimum"])
    of = "i1" if kind in ("add", "multiply") and r.random() < 0.2 else r.choice(["f32", "f32", "bf16", "f64", "i32"])
    if r.random() < 0.3:  # running
        d = r.randrange(rank)
        size = [shape[i] if i == d else 1 for i in range(rank)]
        pads = [[shape[i] - 1 if i == d else 0, 0] for i in range(rank)]
        stride = apart = [1] * rank
    else:
        busy = r.sample(range(rank), min(rank, r.choice([1, 2, 2, 3])))
        size = [r.randint(1, 3) if i in busy else 1 for i in range(rank)]
        stride = [r.randint(1, 2) if i in busy else 1 for i in range(rank)]
        apart = [r.choice([1, 1, 2]) if i in busy else 1 for i in range(rank)]
        pads = [[r.randint(0, 1), r.randint(0, 1)] if i in busy and size[i] > 1 else [0, 0] for i in range(rank)]
    out = []
    for i in range(rank):
        reach = (size[i] - 1) * apart[i] + 1
        if shape[i] + sum(pads[i]) < reach:
            return reduce_window(c)
        out.append((shape[i] + sum(pads[i]) - reach) // stride[i] + 1)
    neutral = {"add": "0", "multiply": "1", "maximum": {"f32": "0xFF800000", "bf16": "0xFF80", "f64": "0xFFF0000000000000"}.get(of, "-2147483648"),
               "minimum": {"f32": "0x7F800000", "bf16": "0x7F80", "f64": "0x7FF0000000000000"}.get(of, "2147483647")}[kind]
    if kind == "maximum" and r.random() < 0.2:
        neutral = "0"
    if of == "i1":
        neutral = {"0": "false", "1": "true"}[neutral]
    elif of != "i32" and neutral in "01":
        neutral += ".0"
    x = c.arg(shape, of)
    c.line(f"%i = stablehlo.constant dense<{neutral}> : {tensor((), of)}")
    if r.random() < 0.4:  # padded before, with what the window starts from or something else
        moves = [size[i] > 1 or stride[i] > 1 or any(pads[i]) or r.random() < 0.1 for i in range(rank)]
        inner = [max(1, s - 2) if m else s for s, m in zip(shape, moves)]
        low = [r.randint(0, s - t) for s, t in zip(shape, inner)]
        high = [s - t - a for s, t, a in zip(shape, inner, low)]
        c.args, c.inputs = [], []
        y, v = c.arg(inner, of), "%i"
        if of != "i1" and r.random() < 0.6:
            v = "%o"
            c.line(f"%o = stablehlo.constant dense<{r.choice(['0', '2', '-3']) + ('' if of == 'i32' else '.0')}> : {tensor((), of)}")
        c.line(f"%p = stablehlo.pad {y}, {v}, low = {low}, high = {high}, interior = {[0] * rank} : ({tensor(inner, of)}, {tensor((), of)}) -> {tensor(shape, of)}")
        x = "%p"
    flat = [p for q in pads for p in q]
    c.line(f'%0 = "stablehlo.reduce_window"({x}, %i) <{{window_dimensions = {array(size)}, window_strides = {array(stride)}, '
           f'window_dilations = {array(apart)}, padding = {dense(flat, [rank, 2], "i64")}}}> {body(kind, of)} : '
           f"({tensor(shape, of)}, {tensor((), of)}) -> {tensor(out, of)}")
    c.results = [("%0", tensor(out, of))]
    c.form = False


@op
def select_and_scatter(c):
    r = c.rng
    shape = [r.randint(1, 3), r.randint(1, 3), r.randint(3, 6), r.randint(3, 6)]
    order = r.sample(range(4), 4)
    shape = [shape[i] for i in order]
    size = [1 if order[i] < 2 else r.randint(2, 3) for i in range(4)]
    stride = [1 if order[i] < 2 else r.randint(1, 3) for i in range(4)]
    pads = [[0, 0] if order[i] < 2 else [r.randint(0, 1), r.randint(0, 1)] for i in range(4)]
    source = [(shape[i] + sum(pads[i]) - size[i]) // stride[i] + 1 for i in range(4)]
    of = r.choice(["f32", "f64"])
    x, s = c.arg(shape, of), c.arg(source, of)
    init = c.given([r.choice([0.0, 0.0, 1.5])], [], of)
    t = tensor((), of)
    flat = [p for q in pads for p in q]
    c.line(f'%0 = "stablehlo.select_and_scatter"({x}, {s}, {init}) <{{window_dimensions = {array(size)}, window_strides = {array(stride)}, '
           f'padding = {dense(flat, [4, 2], "i64")}}}> ({{\n    ^bb0(%a: {t}, %b: {t}):\n    %g = stablehlo.compare GE, %a, %b : ({t}, {t}) -> tensor<i1>\n'
           f"    stablehlo.return %g : tensor<i1>\n  }}, {{\n    ^bb0(%a: {t}, %b: {t}):\n    %g = stablehlo.add %a, %b : {t}\n    stablehlo.return %g : {t}\n  }}) : "
           f"({tensor(shape, of)}, {tensor(source, of)}, {t}) -> {tensor(shape, of)}")
    c.results = [("%0", tensor(shape, of))]


@op
def sort(c):
    r = c.rng
    shape = some_shape(r, 1, 3, 6)
    dim = r.randrange(len(shape))
    elems = [r.choice(["f32", "i32", "bf16", "ui8"])] + [r.choice(["f32", "i32", "i1"]) for _ in range(r.choice([0, 0, 1, 2]))]
    names = [c.arg(shape, e) for e in elems]
    if r.random() < 0.3:
        elems = elems[:1] + [r.choice(["i32", "i64"])]
        c.line(f"%n = stablehlo.iota dim = {dim} : {tensor(shape, elems[1])}")
        names = names[:1] + ["%n"]
    types = [tensor(shape, e) for e in elems]
    direction = r.choice(["LT", "GT"])
    args = ", ".join(f"%a{i}: {tensor((), e)}, %b{i}: {tensor((), e)}" for i, e in enumerate(elems))
    t = tensor((), elems[0])
    pair = "%a0, %b0" if r.random() < 0.8 else "%b0, %a0"
    c.line(f'%0:{len(elems)} = "stablehlo.sort"({", ".join(names)}) <{{dimension = {dim} : i64, is_stable = true}}> ({{\n    ^bb0({args}):\n'
           f"    %l = stablehlo.compare {direction}, {pair} : ({t}, {t}) -> tensor<i1>\n    stablehlo.return %l : tensor<i1>\n  }}) : "
           f"({', '.join(types)}) -> ({', '.join(types)})")
    c.results = [(f"%0#{i}" if len(elems) > 1 else "%0", t) for i, t in enumerate(types)]


@op
def reduce(c):
    r = c.rng
    shape = some_shape(r, 1, 4)
    dims = sorted(r.sample(range(len(shape)), r.randint(0, len(shape))))
    out = [s for i, s in enumerate(shape) if i not in dims]
    kind = r.choice(["add", "multiply", "maximum", "minimum", "and", "or"])
    of = "i1" if kind in ("and", "or") else r.choice(["f32", "f32", "bf16", "i32", "f64", "ui8", "i1"])
    n = r.choice([1, 1, 2])
    xs = [c.arg(shape, of) for _ in range(n)]
    inits = []
    for _ in range(n):
        v = r.choice(["true", "false"]) if of == "i1" else r.choice(["0", "1", "3"]) + ("" if "i" in of else ".0")
        inits.append(c.given([v] if of != "i1" else [v], [], of) if of != "i1" else c.arg([], of))
    c.line(f'%0{":2" if n > 1 else ""} = "stablehlo.reduce"({", ".join(xs + inits)}) <{{dimensions = {array(dims)}}}> {body(kind, of, n)} : '
           f"({', '.join([tensor(shape, of)] * n + [tensor((), of)] * n)}) -> ({', '.join([tensor(out, of)] * n)})")
    c.results = [(f"%0#{i}" if n > 1 else "%0", tensor(out, of)) for i in range(n)]


@op
def argmax(c):
    r = c.rng
    shape = some_shape(r, 1, 3)
    dim = r.randrange(len(shape))
    out = [s for i, s in enumerate(shape) if i != dim]
    of, low = r.choice([("f32", "0xFF800000"), ("i32", "-2147483648"), ("bf16", "0xFF80")])
    x, t, u = c.arg(shape, of), tensor((), of), tensor((), "i32")
    c.line(f"%n = stablehlo.iota dim = {dim} : {tensor(shape, 'i32')}")
    c.line(f"%i = stablehlo.constant dense<{low}> : {t}")
    c.line(f"%z = stablehlo.constant dense<0> : {u}")
    c.line(f'%0:2 = "stablehlo.reduce"({x}, %n, %i, %z) <{{dimensions = {array([dim])}}}> ({{\n    ^bb0(%a: {t}, %ai: {u}, %b: {t}, %bi: {u}):\n'
           f"    %1 = stablehlo.compare GT, %a, %b : ({t}, {t}) -> tensor<i1>\n    %2 = stablehlo.compare NE, %a, %a : ({t}, {t}) -> tensor<i1>\n"
           f"    %3 = stablehlo.or %1, %2 : tensor<i1>\n    %4 = stablehlo.compare EQ, %a, %b : ({t}, {t}) -> tensor<i1>\n"
           f"    %5 = stablehlo.compare LT, %ai, %bi : ({u}, {u}) -> tensor<i1>\n    %6 = stablehlo.and %4, %5 : tensor<i1>\n"
           f"    %7 = stablehlo.or %3, %6 : tensor<i1>\n    %8 = stablehlo.select %3, %a, %b : tensor<i1>, {t}\n"
           f"    %9 = stablehlo.select %7, %ai, %bi : tensor<i1>, {u}\n    stablehlo.return %8, %9 : {t}, {u}\n  }}) : "
           f"({tensor(shape, of)}, {tensor(shape, 'i32')}, {t}, {u}) -> ({tensor(out, of)}, {tensor(out, 'i32')})")
    c.results = [("%0#1", tensor(out, "i32"))]
    if r.random() < 0.3:
        c.results.insert(0, ("%0#0", tensor(out, of)))


@op
def pad(c):
    r = c.rng
    shape = some_shape(r, 1, 4)
    low, high = [r.randint(-1, 2) for _ in shape], [r.randint(-1, 2) for _ in shape]
    inner = [r.choice([0, 0, 1, 2]) for _ in shape]
    out = [(s - 1) * (i + 1) + 1 + a + b for s, a, b, i in zip(shape, low, high, inner)]
    if any(d < 1 for d in out):
        return pad(c)
    of = r.choice(["f32", "bf16", "i32", "i64", "i1"])
    x = c.arg(shape, of)
    v = c.arg([], of) if of == "i1" else c.given([r.choice(["0", "3", "-7"]) + ("" if "i" in of else ".0")], [], of)
    if of == "i32" and r.random() < 0.3:
        c.line("%v = stablehlo.constant dense<2147483647> : tensor<i32>")
        v = "%v"
    c.line(f"%0 = stablehlo.pad {x}, {v}, low = {low}, high = {high}, interior = {inner} : ({tensor(shape, of)}, {tensor((), of)}) -> {tensor(out, of)}")
    c.results = [("%0", tensor(out, of))]
    c.form = False


@op
def dot_general(c):
    r = c.rng
    nb, nk = r.randint(0, 2), r.randint(0, 2)
    batch, inner = [r.randint(1, 3) for _ in range(nb)], [r.randint(1, 4) for _ in range(nk)]
    left, right = [r.randint(1, 3) for _ in range(r.randint(0, 2))], [r.randint(1, 3) for _ in range(r.randint(0, 2))]

    def mix(free):
        order = [("b", i, s) for i, s in enumerate(batch)] + [("k", i, s) for i, s in enumerate(inner)] + [("f", i, s) for i, s in enumerate(free)]
        mixed = order[:]
        r.shuffle(mixed)
        frees = iter([o for o in order if o[0] == "f"])
        mixed = [next(frees) if m[0] == "f" else m for m in mixed]
        find = lambda k, i: next(n for n, m in enumerate(mixed) if m[0] == k and m[1] == i)
        return [m[2] for m in mixed], [find("b", i) for i in range(nb)], [find("k", i) for i in range(nk)]

    x, xb, xk = mix(left)
    y, yb, yk = mix(right)
    of = r.choice(["f32", "f32", "bf16", "i32", "i8", "ui8", "i1", "i1"])
    out = batch + left + right
    to = {"bf16": "f32", "i8": "i32", "ui8": "ui32"}.get(of, of) if r.random() < 0.5 else of
    c.line(f"%0 = stablehlo.dot_general {c.arg(x, of)}, {c.arg(y, of)}, batching_dims = {xb} x {yb}, contracting_dims = {xk} x {yk} : "
           f"({tensor(x, of)}, {tensor(y, of)}) -> {tensor(out, to)}")
    c.results = [("%0", tensor(out, to))]


@op
def batch_norm(c):
    r = c.rng
    shape = some_shape(r, 2, 5, 3)
    d = r.randrange(len(shape))
    x, v = tensor(shape), tensor([shape[d]])
    attrs = f"epsilon = 0.001 : f32, feature_index = {d} : i64"
    which = r.choice(["inference", "training", "grad"])
    a = c.arg(shape)
    if which == "inference":
        c.line("%p = stablehlo.constant dense<2.0> : " + v)
        args = [a, c.arg([shape[d]]), c.arg([shape[d]]), c.arg([shape[d]]), "%p"]
        c.line(f'%0 = "stablehlo.batch_norm_inference"({", ".join(args)}) <{{{attrs}}}> : ({x}, {v}, {v}, {v}, {v}) -> {x}')
        c.results = [("%0", x)]
    elif which == "training":
        c.line(f'%0:3 = "stablehlo.batch_norm_training"({a}, {c.arg([shape[d]])}, {c.arg([shape[d]])}) <{{{attrs}}}> : ({x}, {v}, {v}) -> ({x}, {v}, {v})')
        c.results = [("%0#0", x), ("%0#1", v), ("%0#2", v)]
    else:
        c.line("%p = stablehlo.constant dense<2.0> : " + v)
        args = [a, c.arg([shape[d]]), c.arg([shape[d]]), "%p", c.arg(shape)]
        c.line(f'%0:3 = "stablehlo.batch_norm_grad"({", ".join(args)}) <{{{attrs}}}> : ({x}, {v}, {v}, {v}, {x}) -> ({x}, {v}, {v})')
        c.results = [("%0#0", x), ("%0#1", v), ("%0#2", v)]


def box(c):
    """A shape, sizes in it, and where they start: numbers of the type elem, outside of the shape, too."""
    r = c.rng
    shape = some_shape(r, 1, 4)
    sizes = [r.randint(1, s) for s in shape]
    elem = r.choice(["i32", "i64", "ui32"])
    return shape, sizes, elem, [c.given([r.randint(0 if elem == "ui32" else -2, 6)], [], elem) for _ in shape]


@op
def dynamic_slice(c):
    shape, sizes, elem, starts = box(c)
    of = c.rng.choice(["f32", "i32", "i1"])
    c.line(f"%0 = stablehlo.dynamic_slice {c.arg(shape, of)}, {', '.join(starts)}, sizes = {sizes} : "
           f"({', '.join([tensor(shape, of)] + [tensor((), elem)] * len(shape))}) -> {tensor(sizes, of)}")
    c.results = [("%0", tensor(sizes, of))]


@op
def dynamic_update_slice(c):
    shape, sizes, elem, starts = box(c)
    of = c.rng.choice(["f32", "i32", "i1", "bf16"])
    t, u = tensor(shape, of), tensor(sizes, of)
    c.line(f"%0 = stablehlo.dynamic_update_slice {c.arg(shape, of)}, {c.arg(sizes, of)}, {', '.join(starts)} : "
           f"({', '.join([t, u] + [tensor((), elem)] * len(shape))}) -> {t}")
    c.results = [("%0", t)]


@op
def compare_converted(c):
    r = c.rng
    shape = some_shape(r, 1, 2)
    small, large = r.choice([("bf16", "f32"), ("bf16", "f64"), ("f16", "f32"), ("f32", "f64")])
    number = r.choice(["0.99", "1.0", "-0.3", "1.0e10", "0.0", "-1.0e-30"])
    x = c.arg(shape, small)
    c.line(f"%w = stablehlo.convert {x} : ({tensor(shape, small)}) -> {tensor(shape, large)}")
    c.line(f"%c = stablehlo.constant dense<{number}> : {tensor(shape, large)}")
    pair = ("%w", "%c") if r.random() < 0.5 else ("%c", "%w")
    c.line(f"%0 = stablehlo.compare {r.choice(['LT', 'GT', 'LE', 'GE', 'EQ', 'NE'])}, {pair[0]}, {pair[1]} : "
           f"({tensor(shape, large)}, {tensor(shape, large)}) -> {tensor(shape, 'i1')}")
    c.results = [("%0", tensor(shape, "i1"))]


@op
def elementwise(c):
    r = c.rng
    shape = some_shape(r, 0, 3)
    floats = ["abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log_plus_one", "logistic", "negate",
              "round_nearest_even", "round_nearest_afz", "sign", "sine", "tan", "tanh"]
    ints = ["abs", "negate", "not", "sign"]
    two = ["add", "subtract", "multiply", "maximum", "minimum", "divide", "remainder"]
    kind = r.choice(["float", "float2", "int", "int2", "shift", "truth", "clamp", "bits"])
    if kind == "float":
        of = r.choice(["f32", "f64", "bf16", "f16"])
        c.line(f"%0 = stablehlo.{r.choice(floats)} {c.arg(shape, of)} : {tensor(shape, of)}")
    elif kind == "int":
        of = r.choice(["i32", "i8", "i64"])
        c.line(f"%0 = stablehlo.{r.choice(ints)} {c.arg(shape, of)} : {tensor(shape, of)}")
    elif kind in ("float2", "int2"):
        of = r.choice(["f32", "f64", "bf16"] if kind == "float2" else ["i32", "ui8", "i64"])
        name = r.choice(two + ["atan2"] if kind == "float2" else two)
        c.line(f"%0 = stablehlo.{name} {c.arg(shape, of)}, {c.arg(shape, of)} : {tensor(shape, of)}")
    elif kind == "shift":
        of = r.choice(["i32", "ui32", "i8"])
        by = c.given([r.randint(0, 40) for _ in range(count(shape))], shape, of)
        c.line(f"%0 = stablehlo.{r.choice(['shift_left', 'shift_right_logical', 'shift_right_arithmetic'])} {c.arg(shape, of)}, {by} : {tensor(shape, of)}")
    elif kind == "truth":
        of = "i1"
        c.line(f"%0 = stablehlo.{r.choice(['and', 'or', 'xor', 'add', 'multiply', 'maximum', 'minimum'])} {c.arg(shape, of)}, {c.arg(shape, of)} : {tensor(shape, of)}")
    elif kind == "clamp":
        of = r.choice(["f32", "i32"])
        bound = [] if r.random() < 0.5 else shape
        low, high = c.arg(bound, of), c.arg(bound, of)
        b, t = tensor(bound, of), tensor(shape, of)
        c.line(f"%0 = stablehlo.clamp {low}, {c.arg(shape, of)}, {high} : ({b}, {t}, {b}) -> {t}")
    else:
        of = r.choice(["i8", "ui8"])
        x, y = c.arg(shape, "i1"), c.arg(shape, "i1")
        t, u = tensor(shape, "i1"), tensor(shape, of)
        c.line(f"%a = stablehlo.convert {x} : ({t}) -> {u}\n  %b = stablehlo.convert {y} : ({t}) -> {u}\n"
               f"  %0 = stablehlo.{r.choice(['and', 'or', 'xor'])} %a, %b : {u}")
        c.line(f"%z = stablehlo.constant dense<0> : {u}\n  %1 = stablehlo.compare NE, %0, %z : ({u}, {u}) -> {t}")
        c.results = [("%1", t)]
        if r.random() < 0.5:
            c.results.append(("%0", u))
        return
    c.results = [("%0", tensor(shape, of))]


@op
def shapes(c):
    r = c.rng
    shape = some_shape(r, 1, 4)
    of = r.choice(["f32", "i32", "i1", "bf16"])
    kind = r.choice(["broadcast", "transpose", "reverse", "concatenate", "slice", "iota"])
    x, t = c.arg(shape, of), tensor(shape, of)
    if kind == "broadcast":
        rank = len(shape) + r.randint(0, 2)
        dims = r.sample(range(rank), len(shape))
        out = [r.randint(1, 3) for _ in range(rank)]
        for i, d in enumerate(dims):
            out[d] = shape[i] if shape[i] != 1 else r.randint(1, 3)
        c.line(f"%0 = stablehlo.broadcast_in_dim {x}, dims = {dims} : ({t}) -> {tensor(out, of)}")
    elif kind == "transpose":
        dims = r.sample(range(len(shape)), len(shape))
        out = [shape[d] for d in dims]
        c.line(f"%0 = stablehlo.transpose {x}, dims = {dims} : ({t}) -> {tensor(out, of)}")
    elif kind == "reverse":
        out = shape
        c.line(f"%0 = stablehlo.reverse {x}, dims = {sorted(r.sample(range(len(shape)), r.randint(0, len(shape))))} : {t}")
    elif kind == "concatenate":
        d = r.randrange(len(shape))
        other = shape[:d] + [r.randint(1, 3)] + shape[d + 1:]
        out = shape[:d] + [shape[d] + other[d]] + shape[d + 1:]
        c.line(f"%0 = stablehlo.concatenate {x}, {c.arg(other, of)}, dim = {d} : ({t}, {tensor(other, of)}) -> {tensor(out, of)}")
    elif kind == "slice":
        low = [r.randint(0, s - 1) for s in shape]
        high = [r.randint(a + 1, s) for a, s in zip(low, shape)]
        step = [r.randint(1, 3) for _ in shape]
        out = [(b - a + s - 1) // s for a, b, s in zip(low, high, step)]
        c.line(f'%0 = "stablehlo.slice"({x}) <{{start_indices = {array(low)}, limit_indices = {array(high)}, strides = {array(step)}}}> : ({t}) -> {tensor(out, of)}')
    else:
        of, out = "i32", shape
        c.line(f"%0 = stablehlo.iota dim = {r.randrange(len(shape))} : {tensor(shape, of)}")
    c.results = [("%0", tensor(out, of))]


EDGES = {"i1": ["true", "false"], "f": ["0.0", "-0.0", "nan", "inf", "-inf", "0.5", "-1.5", "3.0", "300.5", "60000.0", "-3.0e4", "1.0e-9"]}


def edges(c, shape, elem):
    """An argument of numbers at the borders of types: zeros of both signs, NaN, what others cannot hold."""
    name = c.arg(shape, elem)
    if elem[0] == "i" and elem != "i1":
        bits = int(elem[1:])
        some = [0, 1, -1, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), 100]
    elif elem[0] == "u":
        bits = int(elem[2:])
        some = [0, 1, 2 ** bits - 1, 2 ** (bits - 1), 100]
    else:
        some = EDGES.get(elem, EDGES["f"])
    c.inputs[-1] = "x".join([*map(str, shape), elem]) + "=" + ",".join(str(c.rng.choice(some)) for _ in range(count(shape)))
    return name


@op
def casts(c):
    r = c.rng
    shape, types = [6], ["i1", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "bf16", "f16", "f32", "f64"]
    of = r.choice(types)
    v = edges(c, shape, of)
    for i in range(r.randint(2, 4)):
        to = r.choice(types)
        c.line(f"%{i} = stablehlo.convert {v} : ({tensor(shape, of)}) -> {tensor(shape, to)}")
        v, of = f"%{i}", to
        if r.random() < 0.2:
            c.results.append((v, tensor(shape, of)))
    c.results.append((v, tensor(shape, of)))


@op
def ordered(c):
    """Places of numbers in order: of equal ones, and of zeros and NaNs."""
    r = c.rng
    n = r.randint(1, 8)
    of = r.choice(["f32", "f32", "bf16", "f64", "i32", "ui8"])
    x, t, e, u = edges(c, [n], of), tensor([n], of), tensor((), of), tensor([n], "i32")
    kind = r.choice(["top_k", "bare", "jax"])
    if kind == "top_k":
        k = r.randint(1, n)
        c.line(f"%0:2 = chlo.top_k({x}, k = {k}) : {t} -> ({tensor([k], of)}, {tensor([k], 'i32')})")
        c.results = [("%0#0", tensor([k], of)), ("%0#1", tensor([k], "i32"))]
        return
    c.line(f"%n = stablehlo.iota dim = 0 : {u}")
    body, pair = "", ["%a", "%b"]
    if kind == "jax" and of[0] in "fb":
        body = f"    %z = stablehlo.constant dense<0.0> : {e}\n    %q = stablehlo.constant dense<{ {'f32': '0x7FC00000', 'bf16': '0x7FC0', 'f64': '0x7FF8000000000000'}[of] }> : {e}\n"
        for i, v in enumerate(["%a", "%b"]):
            body += (f"    {v}0 = stablehlo.compare EQ, {v}, %z, FLOAT : ({e}, {e}) -> tensor<i1>\n    {v}1 = stablehlo.select {v}0, %z, {v} : tensor<i1>, {e}\n"
                     f"    {v}2 = stablehlo.compare NE, {v}, {v}, FLOAT : ({e}, {e}) -> tensor<i1>\n    {v}3 = stablehlo.select {v}2, %q, {v}1 : tensor<i1>, {e}\n")
            pair[i] = v + "3"
    how = "TOTALORDER" if of[0] in "fb" else "UNSIGNED" if of[0] == "u" else "SIGNED"
    c.line(f'%0:2 = "stablehlo.sort"({x}, %n) <{{dimension = 0 : i64, is_stable = true}}> ({{\n    ^bb0(%a: {e}, %b: {e}, %c: tensor<i32>, %d: tensor<i32>):\n{body}'
           f"    %l = stablehlo.compare {r.choice(['LT', 'GT'])}, {pair[0]}, {pair[1]}, {how} : ({e}, {e}) -> tensor<i1>\n    stablehlo.return %l : tensor<i1>\n  }}) : "
           f"({t}, {u}) -> ({t}, {u})")
    c.results = [("%0#0", t), ("%0#1", u)]
    if r.random() < 0.4:  # a few of them
        k = r.randint(1, n)
        low = r.choice([0, n - k])
        for i, elem in enumerate([of, "i32"]):
            c.line(f"%s{i} = stablehlo.slice %0#{i} [{low}:{low + k}] : ({tensor([n], elem)}) -> {tensor([k], elem)}")
        c.results = [("%s0", tensor([k], of)), ("%s1", tensor([k], "i32"))][:r.randint(1, 2)]


@op
def reshape(c):
    r = c.rng
    dims = [r.randint(2, 4) for _ in range(r.randint(1, 3))]

    def ones(sizes):
        return [d for s in sizes for d in [1] * r.choice([0, 0, 1]) + [s]] + [1] * r.choice([0, 0, 1, 2])

    a = ones(dims)
    b = ones(dims if r.random() < 0.7 else [count(dims)])
    c.line(f"%0 = stablehlo.reshape {c.arg(a)} : ({tensor(a)}) -> {tensor(b)}")
    c.results = [("%0", tensor(b))]


@op
def manual(c):
    """A manual computation in another, over axes that divide its operand, and some that do not."""
    r = c.rng
    sizes = [r.choice([1, 2, 3]) for _ in range(3)]
    names = ["x", "y", "z"]
    c.before = "sdy.mesh @mesh = <[" + ", ".join(f'"{n}"={s}' for n, s in zip(names, sizes)) + "]>\n"
    outer = r.sample(range(3), r.randint(1, 2))
    inner = [a for a in range(3) if a not in outer]
    r.shuffle(inner)
    rank = r.randint(1, 2)

    def place(axes):
        lists = [[] for _ in range(rank)]
        for a in axes:
            d = r.randrange(rank + 1)
            if d < rank:
                lists[d].append(a)
        return lists

    def sharding(lists):
        return "<@mesh, [" + ", ".join("{" + ", ".join(f'"{names[a]}"' for a in l) + "}" for l in lists) + "]>"

    def cut(shape, lists):
        return [s // count([sizes[a] for a in l]) for s, l in zip(shape, lists)]

    def axes(some):
        return "{" + ", ".join(f'"{names[a]}"' for a in sorted(some)) + "}"

    one, two = place(outer), place(inner)
    shape = [count(sizes) * r.randint(1, 2) for _ in range(rank)]
    part = cut(shape, one)
    least = cut(part, two)
    free = [a + (b if r.random() < 0.3 else []) for a, b in zip(one, two)]  # axes that are not manual divide nothing
    t, p, q = tensor(shape, "i32"), tensor(part, "i32"), tensor(least, "i32")
    x = c.arg(shape, "i32")
    c.line(f"%0 = sdy.manual_computation({x}) in_shardings=[{sharding(free)}] out_shardings=[{sharding(one)}] manual_axes={axes(outer)} (%p: {p}) {{\n"
           f"    %1 = sdy.manual_computation(%p) in_shardings=[{sharding(two)}] out_shardings=[{sharding(two)}] manual_axes={axes(inner)} (%q: {q}) {{\n"
           f"      %2 = stablehlo.reverse %q, dims = [0] : {q}\n      sdy.return %2 : {q}\n    }} : ({p}) -> {p}\n"
           f"    %3 = stablehlo.add %1, %p : {p}\n    sdy.return %3 : {p}\n  }} : ({t}) -> {t}")
    c.results = [("%0", t)]


def main():
    parser = trial.parser(__doc__, 200)
    parser.add_argument("--ops", default="")
    parser.add_argument("--must", action="store_true")
    options = parser.parse_args()
    names = options.ops.split(",") if options.ops else sorted(OPS)

    def stays(text):
        return "stays StableHLO\n" if "stablehlo." in text else ""

    def make(i, seed):
        name, rng = names[i % len(names)], random.Random(seed)
        case = Case(rng)
        OPS[name](case)
        while not case.results:
            case = Case(rng)
            OPS[name](case)
        inputs = [f"--input={v}" for v in case.inputs] + [f"--seed={i}", "--division-by-zero=ignore"]
        return trial.Case(f"{name} {i}", case.text(), inputs, f"ttir_{options.seed}_{i}_{name}",
                          stays if options.must and case.form else trial.accepts, first=["--engine=reference"])

    return trial.every(options, make, [trial.Way(["--convert-stablehlo-to-ttir"]),
                                       trial.Way(["--convert-stablehlo-to-ttir", "--canonicalize", "--ttir-fusing", "--ttir-decompose-complex-reshape"])])


if __name__ == "__main__":
    sys.exit(main())
