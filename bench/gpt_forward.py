#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the forward pass of a GPT of 24 layers as StableHLO, all layers written out: what differentiation is timed on."""

LAYERS, BATCH, TIME, WIDTH, HEADS, HIDDEN = 24, 4, 64, 256, 8, 1024
X = f"tensor<{BATCH}x{TIME}x{WIDTH}xf32>"
ROW = f"tensor<{BATCH}x{TIME}xf32>"
SPLIT = f"tensor<{BATCH}x{TIME}x{HEADS}x{WIDTH // HEADS}xf32>"
HEAD = f"tensor<{BATCH}x{HEADS}x{TIME}x{WIDTH // HEADS}xf32>"
SCORES = f"tensor<{BATCH}x{HEADS}x{TIME}x{TIME}xf32>"
TOP = f"tensor<{BATCH}x{HEADS}x{TIME}xf32>"
WIDE = f"tensor<{BATCH}x{TIME}x{HIDDEN}xf32>"
SQUARE = f"tensor<{WIDTH}x{WIDTH}xf32>"


class Printer:
    def __init__(self):
        self.lines, self.n = [], 0

    def op(self, text):
        self.n += 1
        self.lines.append(f"  %{self.n} = stablehlo.{text}")
        return f"%{self.n}"

    def two(self, op, x, y, t):
        return self.op(f"{op} {x}, {y} : {t}")

    def fold(self, x, init, op, dim, t, to):
        return self.op(f"reduce({x} init: {init}) applies stablehlo.{op} across dimensions = [{dim}] : ({t}, tensor<f32>) -> {to}")

    def spread(self, x, dims, t, to):
        return self.op(f"broadcast_in_dim {x}, dims = {dims} : ({t}) -> {to}")

    def dot(self, x, y, how, types, to):
        return self.op(f"dot_general {x}, {y}, {how} : ({types}) -> {to}")

    def norm(self, x, gain):
        mean = self.two("multiply", self.fold(x, "%zero", "add", 2, X, ROW), "%per", ROW)
        centered = self.two("subtract", x, self.spread(mean, [0, 1], ROW, X), X)
        square = self.two("multiply", centered, centered, X)
        variance = self.two("multiply", self.fold(square, "%zero", "add", 2, X, ROW), "%per", ROW)
        scale = self.op(f"rsqrt {self.two('add', variance, '%eps', ROW)} : {ROW}")
        scaled = self.two("multiply", centered, self.spread(scale, [0, 1], ROW, X), X)
        return self.two("multiply", scaled, self.spread(gain, [2], f"tensor<{WIDTH}xf32>", X), X)

    def softmax(self, x):
        top = self.spread(self.fold(x, "%low", "maximum", 3, SCORES, TOP), [0, 1, 2], TOP, SCORES)
        e = self.op(f"exponential {self.two('subtract', x, top, SCORES)} : {SCORES}")
        total = self.spread(self.fold(e, "%zero", "add", 3, SCORES, TOP), [0, 1, 2], TOP, SCORES)
        return self.two("divide", e, total, SCORES)

    def attention(self, x, l):
        heads = []
        for w in "qkv":
            y = self.dot(x, f"%w{w}{l}", "contracting_dims = [2] x [0]", f"{X}, {SQUARE}", X)
            y = self.op(f"reshape {y} : ({X}) -> {SPLIT}")
            heads.append(self.op(f"transpose {y}, dims = [0, 2, 1, 3] : ({SPLIT}) -> {HEAD}"))
        q, k, v = heads
        s = self.dot(q, k, "batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]", f"{HEAD}, {HEAD}", SCORES)
        s = self.two("multiply", s, "%scale", SCORES)
        s = self.op(f"select %mask, {s}, %never : {SCORES.replace('f32', 'i1')}, {SCORES}")
        y = self.dot(self.softmax(s), v, "batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]", f"{SCORES}, {HEAD}", HEAD)
        y = self.op(f"transpose {y}, dims = [0, 2, 1, 3] : ({HEAD}) -> {SPLIT}")
        y = self.op(f"reshape {y} : ({SPLIT}) -> {X}")
        return self.dot(y, f"%wo{l}", "contracting_dims = [2] x [0]", f"{X}, {SQUARE}", X)

    def feed_forward(self, x, l):
        h = self.dot(x, f"%wi{l}", "contracting_dims = [2] x [0]", f"{X}, tensor<{WIDTH}x{HIDDEN}xf32>", WIDE)
        h = self.two("multiply", h, self.op(f"tanh {h} : {WIDE}"), WIDE)
        return self.dot(h, f"%wf{l}", "contracting_dims = [2] x [0]", f"{WIDE}, tensor<{HIDDEN}x{WIDTH}xf32>", X)


def main():
    p = Printer()
    x = "%x"
    for l in range(LAYERS):
        x = p.two("add", x, p.attention(p.norm(x, f"%ga{l}"), l), X)
        x = p.two("add", x, p.feed_forward(p.norm(x, f"%gf{l}"), l), X)
    args = [f"%x: {X}"]
    for l in range(LAYERS):
        args += [f"%w{w}{l}: {SQUARE}" for w in "qkvo"]
        args += [f"%wi{l}: tensor<{WIDTH}x{HIDDEN}xf32>", f"%wf{l}: tensor<{HIDDEN}x{WIDTH}xf32>"]
        args += [f"%g{g}{l}: tensor<{WIDTH}xf32>" for g in "af"]
    ints, bools = SCORES.replace("f32", "i32"), SCORES.replace("f32", "i1")
    print(f"func.func @main({', '.join(args)}) -> {X} {{")
    for name, value, t in [("zero", "0.0", "tensor<f32>"), ("low", "0xFF800000", "tensor<f32>"), ("per", 1 / WIDTH, ROW),
                           ("eps", "1.0e-5", ROW), ("scale", (WIDTH // HEADS) ** -0.5, SCORES), ("never", "-1.0e9", SCORES)]:
        print(f"  %{name} = stablehlo.constant dense<{value}> : {t}")
    print(f"  %row = stablehlo.iota dim = 2 : {ints}\n  %col = stablehlo.iota dim = 3 : {ints}")
    print(f"  %mask = stablehlo.compare GE, %row, %col : ({ints}, {ints}) -> {bools}")
    print("\n".join(p.lines))
    print(f"  return {x} : {X}\n}}")


main()
