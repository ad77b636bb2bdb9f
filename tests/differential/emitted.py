#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Emitted C++ and Python compile, run and give what the program gives that they were emitted from.

    emitted.py [--count N] [--seed S] [--save DIR] [--languages python,cpp] [--small] [--most N] [MODEL.mlir | DIR]...

Programs are random ones of ttir_programs.py, of the types that a device has, and models of TTIR (--most: so many that run, the smallest files first; --small: with
vocabularies of 512). Each is lowered to TTNN, which the engine runs on random inputs, strictly rounded, and emitted in each language, which runs on the same inputs.
Integers must be equal; f32 is compared by the tolerance of its type; bf16 and formats of blocks by correlation alone: a sum of rounded numbers in
another order is another one. Programs that cannot be lowered or emitted are counted by reason. One that fails is saved. Without a compiler of C++ that part is left
out, which is said. It needs NumPy.
"""
import argparse
import collections
import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "tests", "differential")
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.join(ROOT, "python", "tt")]
sys.path.append(HERE)

import numpy as np  # noqa: E402
import tessera as ts  # noqa: E402
import trial  # noqa: E402
import ttir_programs  # noqa: E402
from builder.base.builder_emitted import run_cpp, run_py  # noqa: E402
from builder.base.builder_runtime import TTBuilderRuntimeException  # noqa: E402
from golden import GoldenMapTensor  # noqa: E402
from tessera._library import lib, owned, to_str  # noqa: E402

# By language: its pipeline, and what runs it. Functions of the host are not part of emitted C++.
LANGUAGES = {
    "python": ("ttir-to-emitpy-pipeline", run_py),
    "cpp": ("ttir-to-emitc-pipeline{enable-cpu-hoisted-const-eval=false}", run_cpp),
}


def of_devices():
    """The random programs of the test of TTNN, whose file has the name of a package."""
    spec = importlib.util.spec_from_file_location("programs_of_ttnn", os.path.join(HERE, "ttnn.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.of_devices


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="build/differential")
    parser.add_argument("--languages", default="python,cpp")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("models", nargs="*")
    return parser.parse_args()


class Refused(Exception):
    """What is not lowered or emitted, which other tests are about."""


def passes_of(text, pipeline):
    module = ts.Module.parse(text)
    try:
        module.run_passes(pipeline)
    except ts.TesseraError as e:
        raise Refused(re.sub(r"\d+", "N", str(e).split("error: ")[-1].splitlines()[0])[:100]) from e
    return module


def argument_types(module):
    """By function what its arguments are."""
    found = {}
    for op in module.walk():
        if op.name == "func.func":
            name, text = str(op.attributes["sym_name"]).strip('"'), str(op.attributes.get("arg_attrs") or "")
            found[name] = re.findall(r"ttcore\.argument_type<(\w+)>", text)
    return found


def expected(text, seed):
    """Functions of a program with inputs and results, as TTNN has them."""
    module = passes_of(text, "ttir-to-ttnn-backend-pipeline")
    found = {}
    for name in module.functions:
        inputs = module.random_inputs(name, seed)
        found[name] = (inputs, module.run(*inputs, function=name, engine="reference", zero_division="ignore"))
    return found


def goldens_of(found):
    goldens = {}
    for index, (inputs, _) in enumerate(found.values()):
        goldens[index] = {f"input_{i}": GoldenMapTensor({0: np.asarray(a, np.float64)}) for i, a in enumerate(inputs)}
    return goldens


def differs(want, got):
    """What is wrong with a result, or nothing."""
    want = np.asarray(want)
    if want.size != got.size:
        return f"{got.size} elements where {want.size} are expected"
    narrow = want.dtype.name not in ("float32", "float64") and want.dtype.kind not in "iub"
    a, b = np.asarray(want, np.float64).ravel(), np.asarray(got, np.float64).ravel()
    if want.dtype.kind in "iub":
        return "" if np.array_equal(a, b) else f"integers differ: {int((a != b).sum())} of {a.size}"
    both = np.isfinite(a) & np.isfinite(b)
    if not np.array_equal(np.isnan(a), np.isnan(b)) or not np.array_equal(a[~both & ~np.isnan(a)], b[~both & ~np.isnan(b)]):
        return "other elements are not finite"
    a, b = a[both], b[both]
    scale = max(1.0, float(np.sqrt(np.mean(a * a)))) if a.size else 1.0
    rtol, atol = (5e-2, 5e-2) if narrow else (1e-5, 1e-5)
    bad = np.abs(a - b) > atol * scale + rtol * np.abs(a)
    if narrow:
        same = a.size < 2 or np.allclose(a, b, rtol=rtol, atol=atol * scale) or (np.std(a) > 0 and np.std(b) > 0 and np.corrcoef(a, b)[0, 1] >= 0.99)
        return "" if same else "the results do not correlate"
    return f"{int(bad.sum())} of {a.size} elements differ, the first by {abs(a - b)[bad][0]:.3g}" if bad.any() else ""


def compare(text, seed, languages):
    """What is wrong, or nothing. Refused: nothing can be compared."""
    found = expected(text, seed)
    kinds = argument_types(ts.Module.parse(text))
    wrong = []
    for language in languages:
        pipeline, run = LANGUAGES[language]
        module = passes_of(text, pipeline)
        try:
            code = owned(lib.tsr_module_code(module._handle, to_str(language)))
            if code is None:
                module.context._fail()
            code = code.decode()
            more = {"argument_types": kinds} if language == "python" else {}
            got = run(code, goldens_of(found), **more)
        except (ts.TesseraError, TTBuilderRuntimeException) as e:
            wrong.append(f"{language}: {e}")
            continue
        for (name, (_, want)), results in zip(found.items(), got.values()):
            for i, (w, g) in enumerate(zip(want, results)):
                bad = differs(w, g[0])
                if bad:
                    wrong.append(f"{language}: {name}, result {i}: {bad}")
    return "\n".join(wrong)


def random_programs(o):
    make = of_devices()
    ttir_programs.FLOATS, ttir_programs.INTS = ["f32", "bf16"], ["i32", "i32"]
    for i in range(o.count):
        rng = random.Random(o.seed * trial.SEEDS + i)
        p = make(rng)
        for _ in range(rng.randint(2, 9)):
            rng.choice(ttir_programs.OPS)(p)
        yield f"emitted_{o.seed}_{i}", p.text(), i


def models(o):
    files = []
    for path in o.models:
        files += [path] if path.endswith(".mlir") else [os.path.join(d, f) for d, _, names in os.walk(path) for f in names if f.endswith(".mlir") and "Inputs" not in d]
    for path in sorted(files, key=lambda p: (os.path.getsize(p), p)):
        with open(path) as file:
            text = file.read()
        if o.small:
            text = subprocess.run(["sed", "-E", "-f", os.path.join(ROOT, "tests", "small_vocabulary.sed")], input=text, capture_output=True, text=True, check=True).stdout
        yield os.path.basename(path), text, 1


def run(o, cases, languages, most=None, tell=False):
    passed, failed, refused = 0, 0, collections.Counter()
    for name, text, seed in cases:
        if most is not None and passed + failed >= most:
            break
        start = time.time()
        try:
            bad = compare(text, seed, languages)
        except Refused as e:
            refused[str(e)] += 1
            continue
        if tell:
            print(f"{name}: {'FAIL' if bad else 'equal'} ({time.time() - start:.1f} s)", flush=True)
        if not bad:
            passed += 1
            continue
        failed += 1
        os.makedirs(o.save, exist_ok=True)
        with open(os.path.join(o.save, name.removesuffix(".mlir") + ".mlir"), "w") as file:
            file.write(text)
        print(f"FAIL {name}\n{bad[:1500]}", flush=True)
    for why, n in refused.most_common():
        print(f"# {n} not lowered: {why}")
    return passed, failed


def main():
    o = options()
    languages = o.languages.split(",")
    if "cpp" in languages and not any(c and shutil.which(c) for c in (os.environ.get("CXX"), "g++", "clang++", "c++")):
        print("# C++ is left out: no compiler of C++ here")
        languages.remove("cpp")
    passed, failed = run(o, random_programs(o), languages)
    print(f"random programs: {passed} passed, {failed} failed")
    if o.models:
        good, bad = run(o, models(o), languages, o.most, True)
        print(f"models: {good} passed, {bad} failed")
        failed += bad + (good + bad < o.most)
    return 1 if failed or passed < o.count // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
