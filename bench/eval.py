# SPDX-License-Identifier: Apache-2.0
"""eval.py - `tessera run` against StableHLO's interpreter (jaxlib's stablehlo.eval_module) on the programs of a corpus, in
one run: python3 bench/eval.py [--tessera build/bin/tessera] [--repeat 5] [--limit 120] DIR...

Each DIR holds module.mlir, in0.npy, ...; without DIRs: tests/corpus/*. Where there are no .npy files both sides get the same
random inputs, written by tessera. Ours is the time that --timing calls "evaluate" (in the process, planning included); theirs is
the call of eval_module, in a process of its own. Both are the best of as many repeats. On a busy machine long calls suffer more than short ones, which
would flatter us: theirs counts as its processor time where that is less than its wall time, ours is wall time always; the load of
the machine is printed. A program that the
interpreter does not run, or not within the limit of seconds, is listed with the reason and without a ratio. CHLO is lowered
for the interpreter, meshes and shardings are taken out: it knows neither."""
import argparse
import glob
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path[:] = [p for p in sys.path if p != os.path.dirname(os.path.abspath(__file__))]  # jax.py there is not JAX


def numbered(folder, prefix):
    files = []
    while os.path.exists(os.path.join(folder, f"{prefix}{len(files)}.npy")):
        files.append(os.path.join(folder, f"{prefix}{len(files)}.npy"))
    return files


def ours(tessera, module, inputs, repeat):
    """Milliseconds, or a reason why not."""
    best = None
    for _ in range(repeat):
        p = subprocess.run([tessera, "run", module, "--timing"] + [f"--input={x}" for x in inputs], capture_output=True,
                           text=True)
        m = re.search(r"^ *([0-9.]+)  evaluate$", p.stderr, re.M)
        if p.returncode or not m:
            return None, (p.stderr.strip().splitlines() or ["failed"])[0]
        best = min(best or 1e30, float(m.group(1)))
    return best, ""


def theirs_worker(queue, module, inputs, repeat):
    import numpy as np
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir.dialects import stablehlo

    # Meshes mean nothing to the interpreter; shardings are attributes that it does not look at.
    text = "\n".join(l for l in open(module).read().splitlines() if not l.lstrip().startswith("sdy.mesh "))
    text = re.sub(r"sdy\.sharding = #sdy\.sharding<[^>]*>", "sdy.dropped", text)
    with mlir.make_ir_context():
        m = ir.Module.parse(text)
        if "chlo." in text:  # not the interpreter's: what JAX would lower it to
            stablehlo.register_stablehlo_passes()
            passmanager.PassManager.parse("builtin.module(func.func(chlo-legalize-to-stablehlo))").run(m.operation)
        main = next(op for op in m.body.operations if op.attributes["sym_name"].value == "main")
        args = []
        for file, type_ in zip(inputs, main.type.inputs):
            t = ir.RankedTensorType(type_)
            a = np.ascontiguousarray(np.load(file))
            if str(t.element_type) == "bf16":
                import ml_dtypes
                a = a.astype(ml_dtypes.bfloat16) if a.dtype == np.float32 else a.view(ml_dtypes.bfloat16)
                a = a.view(np.uint16)
            if a.dtype == np.bool_:
                a = np.packbits(a, bitorder="little")
            args.append(ir.DenseElementsAttr.get(a, type=t.element_type, shape=t.shape))
        best = 1e30
        for _ in range(repeat):
            start, busy = time.perf_counter(), time.process_time()
            stablehlo.eval_module(m, args)
            best = min(best, time.perf_counter() - start, time.process_time() - busy)
            queue.put(best * 1e3)  # the last one counts; a limit that strikes later leaves what was measured


def theirs(module, inputs, repeat, limit):
    """The interpreter aborts the process on what it does not know: it runs in one of its own."""
    queue = multiprocessing.Queue()
    p = multiprocessing.Process(target=quiet_worker, args=(queue, module, inputs, repeat))
    p.start()
    p.join(limit)
    late = p.is_alive()
    if late:
        p.kill()
        p.join()
    times = []
    while True:
        try:
            times.append(queue.get(timeout=0.2))
        except Exception:  # empty, or cut off by the kill
            break
    if not times:
        return None, f"not within {limit} s" if late else "it does not run this program"
    return min(times), "" if len(times) == repeat else f"best of {len(times)}: the limit was reached"


def quiet_worker(queue, module, inputs, repeat):
    if not os.environ.get("BENCH_VERBOSE"):
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 2)
    theirs_worker(queue, module, inputs, repeat)
    queue.close()
    queue.join_thread()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default="build/bin/tessera")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("dirs", nargs="*")
    a = parser.parse_args()
    try:
        import jaxlib  # noqa: F401
        peer = True
    except ImportError:
        print("# no jaxlib here: our own times only")
        peer = False
    dirs = a.dirs or sorted(glob.glob("tests/corpus/*/"))
    print(f"# load {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores; best of {a.repeat}")
    print(f"{'program':28} {'tessera ms':>12} {'interpreter ms':>15} {'ratio':>9}")
    failed = 0
    for d in dirs:
        module = os.path.join(d, "module.mlir")
        if not os.path.exists(module):
            continue
        name = os.path.basename(os.path.normpath(d))
        with tempfile.TemporaryDirectory() as tmp:
            inputs = numbered(d, "in")
            if not inputs:
                inputs = random_inputs(a.tessera, module, tmp)
            mine, why = ours(a.tessera, module, inputs, a.repeat)
            failed += mine is None
            other, why_not = theirs(module, inputs, a.repeat, a.limit) if peer else (None, "")
        shown = f"{mine:12.3f}" if mine is not None else f"{'-':>12}"
        if mine is not None and other is not None:
            print(f"{name:28} {shown} {other:15.3f} {other / max(mine, 1e-6):8.1f}x  {why_not}".rstrip(), flush=True)
        else:
            print(f"{name:28} {shown} {f'{other:.3f}' if other is not None else '-':>15} {'-':>9}  {why or why_not}", flush=True)
    print(f"# load {os.getloadavg()[0]:.2f} at the end")
    return 1 if failed else 0


def random_inputs(tessera, module, folder):
    """The inputs of @main: a function that gives back its arguments is run on random values. They are random in a way that
    does not know the program, so integer inputs are kept to 0 and 1, which index anything."""
    text = open(module).read()
    m = re.search(r"func\.func public @main\((.*?)\)\s*(?:->|\{|attributes)", text, re.S)
    types = re.findall(r"%arg\d+: (tensor<[^>]*(?:<[^>]*>)?[^>]*>)", m.group(1)) if m else []
    if not types:
        return []
    body = ", ".join(f"%arg{i}: {t}" for i, t in enumerate(types))
    back = ", ".join(f"%arg{i}" for i in range(len(types)))
    source = os.path.join(folder, "inputs.mlir")
    with open(source, "w") as f:
        f.write(f"func.func @main({body}) -> ({', '.join(types)}) {{\n  return {back} : {', '.join(types)}\n}}\n")
    p = subprocess.run([tessera, "run", source, "--input=random", f"--output={folder}"], capture_output=True, text=True)
    if p.returncode:
        sys.exit(p.stderr)
    import numpy as np
    files = numbered(folder, "out")
    for i, f in enumerate(files):
        a = np.load(f)
        if a.dtype.kind in "iu":
            np.save(f, (a & 1).astype(a.dtype))
    return files


if __name__ == "__main__":
    sys.exit(main())
