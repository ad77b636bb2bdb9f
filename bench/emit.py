#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times emitted C (docs/EMIT.md) against the engine in one run: one thread, strict rounding, processor time of a run, in turns.

    python3 bench/emit.py [--tessera build/bin/tessera] [--cc cc] [--rounds 5]

Prints of each model the milliseconds of both and the ratio C / engine, which is to be 1.2 at most, and whether all results have the same bits."""

import argparse
import os
import subprocess
import sys
import tempfile

FLAGS = "-std=c99 -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -DTESSERA_MAIN".split()


class Net:
    """Text of a small ResNet: pictures of 56 x 56 x 64, blocks of two convolutions with bias, relu and what goes around them."""

    def __init__(self):
        self.args, self.lines, self.n = ["%x: tensor<1x56x56x64xf32>"], [], 0

    def weight(self, shape):
        name = f"%w{len(self.args)}"
        self.args.append(f"{name}: tensor<{shape}xf32>")
        return name

    def op(self, text):
        self.n += 1
        self.lines.append(f"  %{self.n} = {text}")
        return f"%{self.n}"

    def convolution(self, x, size, channels, to, stride, window=3):
        out = size // stride
        w, b = self.weight(f"{window}x{window}x{channels}x{to}"), self.weight(to)
        low = (window - 1) // 2
        y = self.op(f"stablehlo.convolution({x}, {w}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{stride = [{stride}, {stride}], "
                    f"pad = [[{low}, {low}], [{low}, {low}]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : "
                    f"(tensor<1x{size}x{size}x{channels}xf32>, tensor<{window}x{window}x{channels}x{to}xf32>) -> tensor<1x{out}x{out}x{to}xf32>")
        t = f"tensor<1x{out}x{out}x{to}xf32>"
        b = self.op(f"stablehlo.broadcast_in_dim {b}, dims = [3] : (tensor<{to}xf32>) -> {t}")
        return self.op(f"stablehlo.add {y}, {b} : {t}")

    def relu(self, x, t):
        zero = self.op(f"stablehlo.constant dense<0.0> : {t}")
        return self.op(f"stablehlo.maximum {x}, {zero} : {t}")

    def text(self):
        x, size, channels = "%x", 56, 64
        for to, stride in [(64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1)]:
            out = size // stride
            t = f"tensor<1x{out}x{out}x{to}xf32>"
            y = self.relu(self.convolution(x, size, channels, to, stride), t)
            y = self.convolution(y, out, to, to, 1)
            around = x if stride == 1 else self.convolution(x, size, channels, to, stride, 1)
            x = self.relu(self.op(f"stablehlo.add {y}, {around} : {t}"), t)
            size, channels = out, to
        zero = self.op("stablehlo.constant dense<0.0> : tensor<f32>")
        x = self.op(f"stablehlo.reduce({x} init: {zero}) applies stablehlo.add across dimensions = [1, 2] : "
                    f"(tensor<1x{size}x{size}x{channels}xf32>, tensor<f32>) -> tensor<1x{channels}xf32>")
        x = self.op(f"stablehlo.dot_general {x}, {self.weight('256x1000')}, contracting_dims = [1] x [0] : "
                    "(tensor<1x256xf32>, tensor<256x1000xf32>) -> tensor<1x1000xf32>")
        body = "\n".join(self.lines)
        return f"func.func @main({', '.join(self.args)}) -> tensor<1x1000xf32> {{\n{body}\n  return {x} : tensor<1x1000xf32>\n}}\n"


def identity(c):
    """A module whose results are its arguments, of the types that the head of the emitted text names."""
    types = [l.split()[2] for l in c.split("#include")[0].splitlines() if l.startswith(" *     in[")]
    tensors = ", ".join(f"tensor<{t}>" for t in types)
    args = ", ".join(f"%a{i}: tensor<{t}>" for i, t in enumerate(types))
    names = ", ".join(f"%a{i}" for i in range(len(types)))
    return f"func.func @main({args}) -> ({tensors}) {{\n  return {names} : {tensors}\n}}\n", len(types)


def processor(command):
    """Seconds of the processor that a command takes."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command[:3])}")
    return usage.ru_utime


def measure(args, name, module, folder):
    at = lambda *p: os.path.join(folder, *p)
    for d in "in", "engine", "c":
        os.makedirs(at(d), exist_ok=True)
    open(at("model.mlir"), "w").write(module)
    subprocess.run([args.tessera, "compile", at("model.mlir"), "--emit=c", "-o", at("model.c")], check=True)
    subprocess.run([args.cc, *FLAGS, at("model.c"), "-o", at("model"), "-lm"], check=True)
    text, n = identity(open(at("model.c")).read())
    open(at("identity.mlir"), "w").write(text)
    subprocess.run([args.tessera, "run", at("identity.mlir"), "--input=random", "--output=" + at("in")], check=True)
    files = [at("in", f"out{i}.npy") for i in range(n)]
    engine = [args.tessera, "run", at("model.mlir"), "--strict-rounding", "--threads=1", "--output=" + at("engine")] + ["--input=" + f for f in files]
    emitted = [at("model")]
    times = {"engine": [], "c": []}
    for _ in range(args.rounds):  # what a run takes: many less one
        for kind, make in ("engine", lambda k: engine + [f"--repeat={k}"]), ("c", lambda k: emitted + [f"--repeat={k}", at("c")] + files):
            times[kind].append((processor(make(args.runs + 1)) - processor(make(1))) / args.runs)
    same = open(at("engine", "out0.npy"), "rb").read() == open(at("c", "out0.npy"), "rb").read()
    ours, c = min(times["engine"]) * 1e3, min(times["c"]) * 1e3
    print(f"{name:24} engine {ours:8.2f} ms   C {c:8.2f} ms   ratio {c / ours:5.2f} (1.2 at most)   bits {'the same' if same else 'DIFFER'}", flush=True)
    return same and c <= 1.2 * ours


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--tessera", default="build/bin/tessera")
    p.add_argument("--cc", default="cc")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--runs", type=int, default=8)
    args = p.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    gpt = subprocess.run([sys.executable, os.path.join(here, "gpt_forward.py")], check=True, capture_output=True, text=True).stdout
    ok = True
    for name, module in ("GPT of 24 layers", gpt), ("ResNet of 6 blocks", Net().text()):
        with tempfile.TemporaryDirectory() as folder:
            ok &= measure(args, name, module, folder)
    sys.exit(0 if ok else 1)


main()
