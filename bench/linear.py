#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times Graph IR's passes on programs of 10,000 and 100,000 ops: tenfold work is to take about tenfold time.

    linear.py [--tessera build/bin/tessera] [--sizes N M] [--repeat R] [PROGRAM...]

Prints one line for each program and pass: milliseconds in the pass itself, best of R, for both sizes, and their ratio. Programs:
chain (layers of Graph IR), hlo (the same kind of StableHLO), fan (a value with many users), reads, states, draws, collectives,
unknown, branches, calls (effects), mesh (a chain with shardings).
"""
import argparse
import os
import re
import subprocess
import tempfile

T = "tensor<4x4xf32>"
LAYERS = [f"tessera.add {{v}}, %w : {T}, {T} -> {T}", f"tessera.gelu {{v}} : {T} -> {T}",
          f"tessera.matmul {{v}}, %w : {T}, {T} -> {T}", f"tessera.transpose {{v}} : {T} -> {T}",
          f"tessera.softmax {{v}} : {T} -> {T}"]
HLO = [f"stablehlo.add {{v}}, %w : {T}", f"stablehlo.tanh {{v}} : {T}",
       f"stablehlo.dot_general {{v}}, %w, contracting_dims = [1] x [0] : ({T}, {T}) -> {T}",
       f"stablehlo.transpose {{v}}, dims = [1, 0] : ({T}) -> {T}", f"stablehlo.multiply {{v}}, {{v}} : {T}"]


def chain(n, ops=tuple(LAYERS), arg=""):
    lines, v = [f"func.func @f(%x: {T}{arg}, %w: {T}) -> {T} attributes {{tessera.autodiff}} {{"], "%x"
    for i in range(n):
        lines.append(f"  %v{i} = {ops[i % len(ops)].format(v=v)}")
        v = f"%v{i}"
    return lines + [f"  return {v} : {T}", "}"]


def hlo(n):
    return chain(n, HLO)


def mesh(n):
    arg = ' {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}'
    return ['tessera.mesh @mesh = <["x"=2, "y"=2]>'] + chain(n, arg=arg)


def fan(n):
    lines, v = [f"func.func @f(%x: {T}) -> {T} attributes {{tessera.autodiff}} {{", f"  %s = tessera.tanh %x : {T} -> {T}"], "%s"
    for i in range(n // 2):
        lines += [f"  %a{i} = tessera.exp %s : {T} -> {T}", f"  %b{i} = tessera.add {v}, %a{i} : {T}, {T} -> {T}"]
        v = f"%b{i}"
    return lines + [f"  return {v} : {T}", "}"]


STATE = "tessera.state @s = dense<0.0> : tensor<f32>"
HEAD = "func.func @f(%x: tensor<f32>, %p: i1) -> tensor<f32> {"
TAIL = ["  return %x : tensor<f32>", "}"]


def reads(n):
    return [STATE, HEAD] + [f"  %r{i} = tessera.state_read @s : tensor<f32>" for i in range(n)] + [
        "  tessera.state_update @s, %x : tensor<f32>"] + TAIL


def states(n):
    return [f"tessera.state @s{i} = dense<0.0> : tensor<f32>" for i in range(n)] + [HEAD] + [
        f"  tessera.state_update @s{i}, %x : tensor<f32>" for i in range(n)] + TAIL


def draws(n):
    return ["tessera.state @rng = dense<[7, 0]> : tensor<2xui64>", HEAD] + [
        f"  %r{i} = tessera.random @rng : tensor<f32>" for i in range(n)] + TAIL


def collectives(n):
    return ['tessera.mesh @mesh = <["x"=4]>', HEAD] + [
        f"  %r{i} = tessera.allreduce %x {{mesh = @mesh}} : tensor<f32> -> tensor<f32>" for i in range(n)] + TAIL


def unknown(n):
    return [STATE, HEAD] + [f"  %r{i} = tessera.state_read @s : tensor<f32>" for i in range(n)] + [
        "  %z = stablehlo.custom_call @z(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>"] + TAIL


def branches(n):
    return [STATE, HEAD] + ["  scf.if %p { tessera.state_update @s, %x : tensor<f32> }"] * (n // 3) + TAIL


def calls(n):
    g = "func.func private @g{0}(%x: tensor<f32>) -> tensor<f32> {{"
    lines = [STATE, g.format(0), "  tessera.state_update @s, %x : tensor<f32>"] + TAIL
    for i in range(1, n // 3):
        lines += [g.format(i), f"  %0 = func.call @g{i - 1}(%x) : (tensor<f32>) -> tensor<f32>"] + TAIL
    return lines


LOCAL = ["tessera-infer-types", "tessera-simplify", "tessera-raise", "tessera-fuse-clusters", "tessera-effects", "tessera-autodiff",
         "tessera-autodiff=mode=forward"]
EFFECTS = ["tessera-effects", "cse"]
PROGRAMS = {chain: LOCAL + ["tessera-to-stablehlo"], hlo: LOCAL + ["stablehlo-to-tessera"], fan: LOCAL, reads: EFFECTS,
            states: EFFECTS, draws: EFFECTS, collectives: EFFECTS, unknown: EFFECTS, branches: EFFECTS, calls: EFFECTS,
            mesh: ["tessera-distribute=remarks=false"]}


def milliseconds(tool, name, file, repeat):
    """In the pass itself; of a pipeline, in all its passes. None: it failed."""
    best = float("inf")
    for _ in range(repeat):
        run = subprocess.run([tool, "opt", file, "--" + name, "--timing", "-o", "/dev/null"], capture_output=True, text=True)
        if run.returncode:
            return None
        total = 0.0
        for ms, what in re.findall(r"^\s*([0-9.]+)\s+[0-9.]+%\s+(\S.*?)\s*$", run.stderr, re.M):
            if what not in ("read", "parse", "verify", "verify after passes", "print", "total"):
                total += float(ms)
        best = min(best, total)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tessera", default="build/bin/tessera")
    parser.add_argument("--sizes", type=int, nargs=2, default=[10000, 100000])
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        for program, passes in PROGRAMS.items():
            if options.programs and program.__name__ not in options.programs:
                continue
            files = []
            for n in options.sizes:
                files.append(os.path.join(tmp, f"{program.__name__}_{n}.mlir"))
                with open(files[-1], "w") as f:
                    f.write("\n".join(program(n)) + "\n")
            for name in passes:
                times = [milliseconds(options.tessera, name, f, options.repeat) for f in files]
                if None in times:
                    print(f"# {name} refuses {program.__name__}")
                    continue
                print(f"{program.__name__:<12} {name:<36} {times[0]:9.3f} ms {times[1]:9.3f} ms  ratio {times[1] / max(times[0], 1e-3):5.1f}",
                      flush=True)


if __name__ == "__main__":
    main()
