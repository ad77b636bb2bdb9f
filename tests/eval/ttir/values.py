# SPDX-License-Identifier: Apache-2.0
"""TTIR's ops against NumPy.

Each case is a function of tests/eval/ttir/cases_*.py that gives a module, its inputs and the results that NumPy computes for
them; the module is run by `tessera run` and all results are compared. The last line is 'N passed, N failed'.
"""
import argparse, glob, importlib.util, os, subprocess, sys, tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy here")
    sys.exit(0)

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from case import Case, run_case


def all_cases():
    cases = []
    for path in sorted(glob.glob(os.path.join(here, "cases_*.py"))):
        spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        cases += module.cases()
    return cases


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", default="build/bin")
    p.add_argument("--only", default="")
    p.add_argument("--list", action="store_true")
    a = p.parse_args()
    passed = failed = 0
    for c in all_cases():
        if a.only and a.only not in c.name:
            continue
        with tempfile.TemporaryDirectory() as tmp:
            problem = run_case(c, os.path.join(a.bin, "tessera"), tmp)
        passed, failed = passed + (not problem), failed + bool(problem)
        if problem or a.list:
            print(("FAIL " if problem else "ok   ") + c.name + (":\n    " + problem.replace("\n", "\n    ") if problem else ""))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
