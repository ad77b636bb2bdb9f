#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times ttir-automatic-data-parallelization on programs of growing size: time per op is to stay the same.

    data_parallel.py [--repeat N] [--tessera build/bin/tessera] [LAYERS...]

Layers of a transformer without attention: a norm, two products with biases, a residue, a mask that is broadcast, every
eighth layer as a call. Prints layers, ops, milliseconds (best of N; parsing, verification and printing excluded), and
microseconds per op.
"""
import argparse
import os
import re
import subprocess
import tempfile

X, W, B = "tensor<32x16x64xf32>", "tensor<64x64xf32>", "tensor<64xf32>"


def layer(out, n, x, w, b):
    def op(name, ins, types, result, attrs=""):
        out.append('  %%%d = "ttir.%s"(%s)%s : (%s) -> %s' % (n[0], name, ", ".join(ins), " <{%s}>" % attrs if attrs else "", ", ".join(types), result))
        n[0] += 1
        return "%%%d" % (n[0] - 1)
    flat = "tensor<512x64xf32>"
    h = op("rms_norm", [x, b], [X, B], X, "normalized_shape = array<i64: 64>, operandSegmentSizes = array<i32: 1, 1, 0>")
    h = op("reshape", [h], [X], flat, "shape = [512 : i32, 64 : i32]")
    h = op("linear", [h, w, b], [flat, W, B], flat)
    h = op("gelu", [h], [flat], flat)
    h = op("matmul", [h, w], [flat, W], flat, "transpose_b = true")
    h = op("reshape", [h], [flat], X, "shape = [32 : i32, 16 : i32, 64 : i32]")
    m = op("constant", [], [], "tensor<1x16x1xf32>", "value = dense<0.5> : tensor<1x16x1xf32>")
    m = op("broadcast", [m], ["tensor<1x16x1xf32>"], X, "broadcast_dimensions = array<i64: 32, 1, 64>")
    h = op("multiply", [h, m], [X, X], X)
    return op("add", [h, x], [X, X], X)


def program(layers):
    out, n = ["func.func private @layer(%%x: %s, %%w: %s, %%b: %s) -> %s {" % (X, W, B, X)], [0]
    out.append("  return %s : %s\n}" % (layer(out, n, "%x", "%w", "%b"), X))
    out.append("func.func @main(%%x: %s {ttcore.argument_type = #ttcore.argument_type<input>}, %%w: %s {ttcore.argument_type = #ttcore.argument_type<parameter>}, %%b: %s {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> %s {" % (X, W, B, X))
    x, n = "%x", [0]
    for i in range(layers):
        if i % 8 == 7:
            out.append("  %%%d = call @layer(%s, %%w, %%b) : (%s, %s, %s) -> %s" % (n[0], x, X, W, B, X))
            x = "%%%d" % n[0]
            n[0] += 1
        else:
            x = layer(out, n, x, "%w", "%b")
    out.append("  return %s : %s\n}" % (x, X))
    return "\n".join(out) + "\n", n[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--tessera", default="build/bin/tessera")
    parser.add_argument("layers", type=int, nargs="*", default=[100, 1000, 10000])
    args = parser.parse_args()
    name = "ttir-automatic-data-parallelization"
    print("%-38s %8s %8s %10s %8s" % ("pass", "layers", "ops", "ms", "us/op"))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.mlir")
        for layers in args.layers:
            text, ops = program(layers)
            with open(path, "w") as f:
                f.write(text)
            best = float("inf")
            for _ in range(args.repeat):
                run = subprocess.run([args.tessera, "opt", path, "--%s=mesh-shape=1,8" % name, "--timing", "-o", os.devnull], capture_output=True, text=True, check=True)
                best = min([best] + [float(t) for t in re.findall(r"^\s*([0-9.]+)\s+[0-9.]+%\s+" + name + r"\s*$", run.stderr, re.M)])
            print("%-38s %8d %8d %10.2f %8.2f" % (name, layers, ops, best, best * 1e3 / ops))


if __name__ == "__main__":
    main()
