#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the Python package is: import, building and printing 1,000 ops, goldens beside the evaluator, and calls of a program with many arguments
beside the C function that runs it and, where JAX is installed, a jitted function of JAX on the CPU.

    python.py [--check]     with --check the exit code says whether the limits are held

Each figure is the best of several runs; of calls, the best tenth. Limits: import 100 ms, 1,000 ops built and printed 50 ms, goldens 2 times the
evaluator; of 100 arguments, 1.5 us each for a call and 0.5 us each where all are bound."""
import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "python")  # and not this folder, which has a jax.py


def best(f, times):
    found = []
    for _ in range(times):
        start = time.perf_counter()
        f()
        found.append(time.perf_counter() - start)
    return min(found)


def import_seconds():
    """The package and its library, without NumPy, in a process of its own; that of an empty process is taken off."""

    def one(code):
        return best(lambda: subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT / "python"), 7)

    return one("import tessera; tessera.Module") - one("pass")


def build_and_print():
    import tessera as ts

    b = ts.Builder(ts.Module(context=CONTEXT))
    with b.function("main", [((8, 8), "f32")]) as (x,):
        y = x
        for _ in range(500):
            y = b.add(b.tanh(y), x)
        b.ret(y)
    return str(b.module)


def golden_ratio():
    """Goldens of all values beside one run of the evaluator, on a chain of ops on large tensors."""
    import numpy as np
    import tessera as ts

    text = "func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {\n"
    for i in range(60):
        text += f"  %{i} = stablehlo.{'tanh' if i % 3 else 'negate'} %{i - 1 if i else 'x'} : tensor<512x512xf32>\n"
    module = ts.Module.parse(text + "  return %59 : tensor<512x512xf32>\n}\n")
    x = np.random.default_rng(0).uniform(-1, 1, (512, 512)).astype(np.float32)
    evaluator = best(lambda: module.run(x, engine="reference"), 5)
    last = module["main"].body.ops[-2].result
    goldens = best(lambda: module.goldens([x]).get(last), 5)
    return evaluator, goldens


ARGUMENTS = 100


def tenth(f, times=2000):
    """Microseconds of a call, of the best tenth."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        f()
        found.append(time.perf_counter() - start)
    return 1e6 * sorted(found)[times // 10]


def call_rows():
    """The sum of 100 arguments of 8 floats: pairs of a name and microseconds a call."""
    import ctypes

    import numpy as np
    import tessera as ts
    from tessera._library import Status, lib

    kind = "tensor<8xf32>"
    text = f"func.func @main({', '.join(f'%a{i}: {kind}' for i in range(ARGUMENTS))}) -> {kind} {{\n  %s0 = stablehlo.abs %a0 : {kind}\n"
    text += "".join(f"  %s{i} = stablehlo.add %s{i - 1}, %a{i} : {kind}\n" for i in range(1, ARGUMENTS))
    program = ts.Module.parse(text + f"  return %s{ARGUMENTS - 1} : {kind}\n}}\n").compile()
    arrays = [np.ones(8, np.float32) for _ in range(ARGUMENTS)]
    frozen = [a.copy() for a in arrays]
    for a in frozen:
        a.flags.writeable = False
    out = np.empty(8, np.float32)
    given = (ctypes.c_size_t * (2 * ARGUMENTS))(*[n for a in arrays for n in (a.ctypes.data, a.nbytes)])
    into, status = (ctypes.c_size_t * 2)(out.ctypes.data, out.nbytes), Status()
    whole, weights = program.bind(*arrays, results=[out]), program.bind(None, *arrays[1:])
    yield "tsr_executable_run_buffers alone", tenth(lambda: lib.tsr_executable_run_buffers(program._handle, given, ARGUMENTS, into, 1, None, ctypes.byref(status)))
    yield "all bound, results too", tenth(whole)
    yield "all bound but one, new results", tenth(lambda: weights(arrays[0]))
    yield "Executable", tenth(lambda: program(*arrays))
    yield "Executable, arrays that cannot be written", tenth(lambda: program(*frozen))
    try:
        import jax
    except ImportError:
        return
    jax.config.update("jax_platforms", "cpu")

    def total(*values):
        found = jax.numpy.abs(values[0])
        for value in values[1:]:
            found = found + value
        return found

    jitted = jax.jit(total)
    held = [jax.device_put(a) for a in arrays]
    yield "jax.jit on the CPU, its own arrays", tenth(lambda: jitted(*held).block_until_ready(), 500)
    yield "jax.jit on the CPU, NumPy's arrays", tenth(lambda: jitted(*arrays).block_until_ready(), 500)


def large_rows():
    """a + b with large results: the first call, later ones, and NumPy's."""
    import resource

    import numpy as np
    import tessera as ts

    for size in (1 << 20, 1 << 22, 1 << 26):
        n = size // 4
        kind = f"tensor<{n}xf32>"
        program = ts.Module.parse(f"func.func @main(%a: {kind}, %b: {kind}) -> {kind} {{\n  %0 = stablehlo.add %a, %b : {kind}\n  return %0 : {kind}\n}}\n").compile()
        a, b = np.ones(n, np.float32), np.ones(n, np.float32)
        first = best(lambda: program(a, b), 1)
        kept = [program(a, b)]
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        later = best(lambda: kept.__setitem__(0, program(a, b)), 20)
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
        theirs = best(lambda: kept.__setitem__(0, a + b), 20)
        yield f"a + b of {size >> 20:2} MB: first call {1e3 * first:7.2f} ms, later {1e3 * later:6.2f} ms with {faults / 20:.0f} page faults; NumPy {1e3 * theirs:6.2f} ms"


def main():
    global CONTEXT
    options = argparse.ArgumentParser()
    options.add_argument("--check", action="store_true")
    given = options.parse_args()
    import tessera as ts

    CONTEXT = ts.Context()
    build_and_print()  # the tables are read once
    figures = [("import", import_seconds(), 0.100), ("1,000 ops built and printed", best(build_and_print, 7), 0.050)]
    for name, seconds, limit in figures:
        print(f"{name:32} {1e3 * seconds:8.1f} ms   {seconds / limit:5.2f} of its limit")
    evaluator, goldens = golden_ratio()
    print(f"{'the evaluator':32} {1e3 * evaluator:8.1f} ms\n{'goldens of all values':32} {1e3 * goldens:8.1f} ms   {goldens / evaluator:5.2f} times the evaluator")
    for row in large_rows():
        print(row)
    calls = dict(call_rows())
    print(f"a call with {ARGUMENTS} arguments")
    for name, microseconds in calls.items():
        print(f"  {name:44} {microseconds:8.1f} us   {microseconds / ARGUMENTS:6.2f} an argument")
    held = all(seconds < limit for _, seconds, limit in figures) and goldens < 2 * evaluator
    held = held and calls["Executable"] < 1.5 * ARGUMENTS and calls["all bound, results too"] < 0.5 * ARGUMENTS
    return given.check and not held


if __name__ == "__main__":
    sys.exit(main())
