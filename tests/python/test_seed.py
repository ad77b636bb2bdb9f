# SPDX-License-Identifier: Apache-2.0
"""The blocks of the document of the builder, one test each, in order, in one namespace, as they are written. What they print is compared with what
tests/seeds says, locations by pattern. Blocks that need what is not there must say so by name.

    test_seed.py [--only N] [--list]

Without torch, a small stand-in over NumPy takes its place (tests/python/seed/torch). The files that blocks read are in tests/python/seed/Inputs."""

import argparse
import contextlib
import importlib.util
import io
import os
import re
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "tests" / "python" / "seed"
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python" / "tt")]

# The number of the text in tests/seeds that a block prints.
PRINTS = {2: 1, 3: 2, 4: 3, 5: 4, 9: 5, 10: 6, 11: 7, 12: 8, 13: 9, 14: 10, 15: 11, 32: 12, 33: 13, 34: 14, 35: 15, 37: 16, 38: 17, 39: 18}

# Where a module is right that prints otherwise (docs/SEEDS.md): the mesh is always on the module; the pipeline says what each device has of an argument.
CORRECTED = {
    32: lambda printed: printed.replace(' attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 8x4>]>}', ""),
    37: lambda printed: re.sub(r"ttcore\.local_shape = #ttcore<local_shape local_shape = tensor<[^>]*>>, ", "", printed),
}

# A folder and a port of the author's machine: in their place comes a folder of the test, and a port that is free.
ELSEWHERE = {31: ('trace("/code/jan-2/tt-mlir/profiler", 8086)', 'trace("profiled", 0)')}

# Files that a block writes.
WRITES = {
    31: ["profiled/trace.json", "profiled/tracy_ops_times.csv", "profiled/tracy_ops_data.csv", "profiled/ops_perf_results.csv"],
    43: ["sigmoid_memory_snapshot.json", "sigmoid_memory_snapshot.1.json"],
}

# Blocks that wait for somebody at a terminal, and how often: at a breakpoint each device does.
STOPS = {42: 2}

# Blocks that end with an exception, and what it names.
MISSING = {}


def blocks():
    text = (FOLDER / "blocks.txt").read_text()
    parts = re.split(r"^# ---- (\d+)\n", text, flags=re.M)
    return [(int(parts[i]), parts[i + 1]) for i in range(1, len(parts), 2)]


def places(text):
    """Locations of files, which are another at each run, by pattern."""
    text = re.sub(r'loc\("[^"]*":\d+:\d+\)', 'loc("FILE":LINE)', text)
    return re.sub(r'loc\("[^":]*/[^":]*:\d+"\)', 'loc("FILE:LINE")', text)


def expected(number):
    return next((ROOT / "tests" / "seeds").glob(f"001_builder_{number:02d}_*.out")).read_text()


class Terminal(io.StringIO):
    def isatty(self):
        return True


@contextlib.contextmanager
def at_terminal():
    """Somebody is there, who presses Enter whenever asked; gives what the block says on stderr."""
    before = sys.stdin, sys.stderr
    sys.stdin, sys.stderr = Terminal("\n" * 100), Terminal()
    try:
        yield sys.stderr
    finally:
        sys.stdin, sys.stderr = before


def check(number, code, names):
    """Runs a block; raises what is wrong with it."""
    said = io.StringIO()
    if number in ELSEWHERE:
        assert ELSEWHERE[number][0] in code, "the block names another place"
        code = code.replace(*ELSEWHERE[number])
    try:
        with contextlib.redirect_stdout(said), at_terminal() as asked:
            exec(compile(code, f"{os.getcwd()}/block{number}.py", "exec"), names)
    except Exception as e:  # noqa: BLE001 - it is judged here
        if number in MISSING and re.search(MISSING[number], str(e)):
            return
        raise
    assert number not in MISSING, f"it is listed as one that ends with: {MISSING[number]}"
    asked = len(re.findall("^.*: breakpoint", asked.getvalue(), re.M))
    assert asked == STOPS.get(number, 0), f"it waits {asked} times"
    if number in WRITES:
        missing = [name for name in WRITES[number] if not os.path.exists(name)]
        assert not missing, f"it has not written {missing}"
    if number in PRINTS:
        wanted, printed = expected(PRINTS[number]), said.getvalue()
        if number in CORRECTED:
            assert CORRECTED[number](printed) != printed, "it prints what is corrected"
            printed = CORRECTED[number](printed)
        assert places(printed).strip() == places(wanted).strip(), f"it prints\n{said.getvalue()}\ninstead of\n{wanted}"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--only", type=int)
    options.add_argument("--list", action="store_true")
    given = options.parse_args()
    for needed, reason in (("numpy", "no NumPy here"), ("ttmlir", "no bindings of tt-mlir here")):
        if not importlib.util.find_spec(needed):
            print(f"skipped: {reason}")
            return 0
    if not any(shutil.which(c) for c in ("g++", "clang++", "c++")):
        MISSING[22] = "there is no compiler of C\\+\\+ here"
    if not importlib.util.find_spec("torch"):
        sys.path.append(str(FOLDER))
    names, passed, failed = {"__name__": "seed"}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in (FOLDER / "Inputs").glob("*.mlir"):
            shutil.copy(path, folder)
        os.chdir(folder)
        for number, code in blocks():
            try:
                check(number, code, names)
            except Exception as e:  # noqa: BLE001
                failed += 1
                print(f"FAIL block {number}: {type(e).__name__}: {str(e)[:3000]}")
                if given.only == number:
                    traceback.print_exc()
            else:
                passed += 1
                if given.list:
                    print(f"ok   block {number}")
            if given.only == number:
                break
        os.chdir(ROOT)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
