# SPDX-License-Identifier: Apache-2.0
"""What the random tests of programs before and after passes share: options, the loop, the report, types as text."""
import argparse
import math
import os
import subprocess
import tempfile
from typing import Callable, NamedTuple

SEEDS = 1000003  # programs of one run: their seeds begin at a multiple


def tensor(shape, elem="f32"):
    return "tensor<" + "".join(f"{d}x" for d in shape) + elem + ">"


def count(shape):
    return math.prod(shape)


def accepts(text):
    return ""


class Case(NamedTuple):
    """A program: its name in messages, its text, flags of its runs, how its file is named when it is saved, and what says what
    is wrong with the text that passes made of it; more flags of the runs after passes, ways of its own, and more flags of the
    run before passes."""
    name: str
    text: str
    inputs: list
    stem: str
    wrong: Callable[[str], str] = accepts
    run: list = []
    ways: list = []
    first: list = []


class Way(NamedTuple):
    """Flags of the passes and more flags of the run after them."""
    passes: list
    run: list = []


def parser(doc, programs):
    p = argparse.ArgumentParser(description=doc.split("\n")[0])
    p.add_argument("--bin", default="build/bin")
    p.add_argument("--count", type=int, default=programs)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--save", default="build/differential")
    return p


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def each(options, make, attempt, stem):
    """Attempts the program that make(seed) gives: attempt(number, program, text) says what is wrong with it. Those that
    are wrong are saved. The value is an exit code."""
    failed = 0
    for i in range(options.count):
        seed = options.seed * SEEDS + i
        program = make(seed)
        text = program.text()
        bad = attempt(i, program, text)
        if not bad:
            continue
        failed += 1
        os.makedirs(options.save, exist_ok=True)
        saved = os.path.join(options.save, f"{stem}_{seed}.mlir")
        with open(saved, "w") as f:
            f.write(text)
        print(f"FAIL {saved}: {bad}")
    print(f"{options.count - failed} passed, {failed} failed")
    return 1 if failed or not options.count else 0


def every(options, make, ways):
    """Runs the case that make(number, seed) gives before and after each way. The value is an exit
    code: 1 when a result differs, or a program does not run."""
    tool = os.path.join(options.bin, "tessera")
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        source, result, before = (os.path.join(tmp, f) for f in ("in.mlir", "out.mlir", "before.npz"))
        for i in range(options.count):
            case = make(i, options.seed * SEEDS + i)
            with open(source, "w") as f:
                f.write(case.text)
            first = run(tool, "run", source, *case.inputs, *case.first, f"--output={before}")
            if first.returncode:
                failed += 1
                print(f"FAIL {case.name} does not run: {first.stderr.splitlines()[0] if first.stderr else ''}")
                continue
            for way in case.ways or ways:
                opt = run(tool, "opt", source, *way.passes, "-o", result)
                bad = opt.stderr[:600] if opt.returncode else case.wrong(open(result).read())
                if not bad:
                    after = run(tool, "run", result, *case.inputs, *way.run, *case.run, f"--expect={before}")
                    bad = (after.stdout + after.stderr)[:600] if after.returncode else ""
                if not bad:
                    passed += 1
                    continue
                failed += 1
                os.makedirs(options.save, exist_ok=True)
                saved = os.path.join(options.save, case.stem + ".mlir")
                with open(saved, "w") as f:
                    f.write(case.text)
                print(f"FAIL {saved} {' '.join(way.passes)}; {' '.join(case.inputs)}\n{bad}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
