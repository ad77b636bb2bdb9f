#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the peers that are installed on the files given, for bench/run.sh.

    peers.py [--repeat N] [--tessera build/bin/tessera] [--mlir-opt PATH] FILE...

Prints one line for each peer and file, times in milliseconds, best of N:

    peer file parse_ms print_ms

jaxlib: in one process, with the dialects that JAX registers; parse includes verification, as MLIR's parser does it.
Files that end in bc are bytecode, written as bytecode too, and only jaxlib's.
mlir-opt: reads our generic form of the file. Its own -mlir-timing gives "Parser" (with verification) and "Output".
A peer that is not here prints nothing but a comment line that begins with '#'.
"""
import argparse
import glob
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path[:] = [p for p in sys.path if p != os.path.dirname(os.path.abspath(__file__))]  # jax.py there is not JAX


def best(repeat, run):
    """The shortest of `repeat` runs, in milliseconds, and the last result."""
    shortest = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        result = run()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest * 1e3, result


def time_jaxlib(files, repeat):
    try:
        from jax._src.interpreters import mlir
        from jaxlib.mlir import ir
    except ImportError as error:
        print(f"# jaxlib is not here: {error}")
        return
    for name in files:
        with open(name, "rb") as f:
            text = f.read()
        if not name.endswith("bc"):
            text = text.decode()
        context = mlir.make_ir_context()
        with context:
            parse, module = best(repeat, lambda: ir.Module.parse(text))
            write = lambda: module.operation.write_bytecode(io.BytesIO())
            printing, _ = best(repeat, write if name.endswith("bc") else lambda: str(module))
        print(f"jaxlib {name} {parse:.3f} {printing:.3f}", flush=True)


def timings(report):
    """Milliseconds of the rows of an -mlir-timing table: '  0.0123 ( 45.6%)  Parser'."""
    rows = {}
    for seconds, name in re.findall(r"^\s*([0-9.]+) \(\s*[0-9.]+%\)\s+(?:[0-9.]+ \(\s*[0-9.]+%\)\s+)?(\w+)\s*$", report, re.M):
        rows[name] = float(seconds) * 1e3
    return rows


def time_mlir_opt(files, repeat, tessera, mlir_opt):
    if not mlir_opt:
        print("# mlir-opt is not here: apt-get install mlir-19-tools")
        return
    for name in files:
        with tempfile.NamedTemporaryFile(suffix=".mlir") as generic:
            made = subprocess.run([tessera, "opt", "--mlir-print-op-generic", "--allow-unregistered-dialect", name],
                                  stdout=generic, stderr=subprocess.PIPE, text=False)
            if made.returncode:
                print(f"# {tessera} refuses {name}")
                continue
            command = [mlir_opt, "--allow-unregistered-dialect", "--mlir-print-op-generic", "-mlir-timing",
                       "-mlir-timing-display=list", "--mlir-disable-threading", generic.name, "-o", "/dev/null"]
            parse = printing = float("inf")
            for _ in range(repeat):
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode:
                    print(f"# mlir-opt refuses {name}: {done.stderr.splitlines()[0] if done.stderr else done.returncode}")
                    break
                rows = timings(done.stderr)
                parse = min(parse, rows.get("Parser", float("inf")))
                printing = min(printing, rows.get("Output", float("inf")))
            else:
                print(f"mlir-opt {name} {parse:.3f} {printing:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--tessera", default="build/bin/tessera")
    parser.add_argument("--mlir-opt", default=None)
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    found = sorted(glob.glob("/usr/lib/llvm-*/bin/mlir-opt"), key=lambda p: [int(n) for n in re.findall(r"\d+", p)])
    mlir_opt = args.mlir_opt or shutil.which("mlir-opt") or (found[-1] if found else None)
    time_jaxlib(args.files, args.repeat)
    time_mlir_opt([f for f in args.files if not f.endswith("bc")], args.repeat, args.tessera, mlir_opt)


if __name__ == "__main__":
    sys.exit(main())
