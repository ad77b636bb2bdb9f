#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of Shardy's suites compute on their mesh what they compute undivided.

usage: shardy_spmd.py --bin DIR [--jobs N] [--keep DIR] FOLDER...

Files are split at '// -----'. Each function that has a body is taken out with the meshes and with the functions that it
calls, and runs with random inputs: undivided, then by 'run --spmd --check'. A line for each function: ok (run and
equal), FAIL (wrong values, a crash, or refused on the mesh although it runs undivided), or 'skip' with the reason why it
cannot run at all, or is too large to run here. Meshes that a function does not name stay, unless they are large: the
program is for all devices of the largest. They go where the function has collectives that number devices themselves: those
are devices of the mesh that it names. Pieces that are refused when they are read are there to be refused, and count
as such; so are functions that a pass refuses with an error that the file expects.
"""
import argparse
import collections
import concurrent.futures
import math
import os
import re
import subprocess
import sys
import tempfile

LIMIT = 300  # seconds
DEVICES, ELEMENTS = 64, 1 << 24  # of a mesh, of a tensor: what is larger does not run
TOLERANCE = "1e-3"  # sums of some thousand products of numbers around 1, in another order


def run(*args, text=None):
    try:
        p = subprocess.run(args, capture_output=True, text=True, timeout=LIMIT, input=text)
    except subprocess.TimeoutExpired:
        return 124, "", "error: no end within %d s" % LIMIT
    return p.returncode, p.stdout, p.stderr


def reason(err):
    m = re.search(r"error: (.*)", err)
    return m.group(1).strip() if m else (err.strip().split("\n") or [""])[0]


def general(why):
    """Without what differs from one function to the next."""
    why = re.sub(r"^process \(.*?\): ", "", why)
    why = re.sub(r"calls '@[^']*', which is not known here", "calls a target that is not known here", why)
    return why if re.search(r"more than \d+ (devices|elements)", why) else re.sub(r"\d+", "N", why)


def product(text):
    return math.prod(int(n) for n in re.findall(r"\d+", text))


def devices(op):
    """Of a mesh; 0: it is none."""
    m = re.match(r"  sdy\.mesh @\S+ = <\[(.*?)\]", op)
    return product(re.sub(r'"[^"]*"', "", m.group(1))) if m else 0


class Piece:
    """A module as we print it: what stands at its top, and who calls whom."""

    def __init__(self, text, expected):
        self.expected = expected
        lines = text.split("\n")
        self.head, self.ops = lines[0], []
        for line in lines[1:]:
            if re.match(r"  [^ }]", line):
                self.ops.append([])
            if self.ops and line != "}":
                self.ops[-1].append(line)
        self.ops = ["\n".join(op) for op in self.ops]
        self.functions = {}
        for op in self.ops:
            m = re.match(r'  func\.func (?:public |private |nested )?@("[^"]*"|[^(]*)\(', op)
            if m:
                self.functions[m.group(1)] = op

    def runnable(self):
        return [name for name, op in self.functions.items() if op.rstrip().endswith("}") and "\n" in op]

    def takes_inputs(self, name):
        return "(%" in self.functions[name].split("\n")[0]

    def alone(self, name):
        wanted, todo = set(), [name]
        while todo:
            at = todo.pop()
            if at in self.functions and at not in wanted:
                wanted.add(at)
                todo += re.findall(r'@("[^"]*"|[\w.$-]+)', self.functions[at])
        functions = [self.functions[w] for w in wanted]
        text = "\n".join(functions)
        named = set(re.findall(r"@([\w.$-]+)", text))
        meshes = {op.split()[1][1:] for op in self.ops if devices(op)}
        numbers = named & meshes and re.search(r"replica_groups = dense|source_target_pairs", text)
        most = 0 if numbers else DEVICES
        keep = [op for op in self.ops
                if (op in functions if op in self.functions.values()
                    else devices(op) <= most or op.split()[1][1:] in named)]
        return self.head + "\n" + "\n".join(keep) + "\n}\n"


def check(tool, path, number, name, piece, folder):
    text = piece.alone(name)
    mine = os.path.join(folder, "%s.%d.%s.mlir" % (os.path.basename(path)[:-5], number, re.sub(r"\W", "_", name)))
    with open(mine, "w") as f:
        f.write(text)
    flags = [tool, "run", mine, "--function=" + name.strip('"')] + ["--input=random"] * piece.takes_inputs(name)
    if any(devices(line) > DEVICES for line in text.split("\n")):
        return "skip", "is on a mesh of more than %d devices" % DEVICES
    if any(product(dims) > ELEMENTS for dims in re.findall(r"tensor<((?:\d+x)*)", text)):
        return "skip", "has a tensor of more than %d elements" % ELEMENTS
    if "interpreter.run_parallel" in text:
        return "skip", "runs the programs of devices itself, by interpreter.run_parallel"
    code, _, err = run(*flags, "--engine=reference")  # as --check below: a compiled program leaves out what is unused
    if code < 0 or code == 124:
        return "FAIL", "undivided: stopped by signal %d" % -code
    if code:
        return "skip", reason(err)
    code, out, err = run(*flags, "--spmd", "--check", "--atol=" + TOLERANCE)
    if code < 0 or code == 124:
        return "FAIL", "stopped by signal %d: %s" % (-code, err.strip().split("\n")[0])
    if code and any(e in err for e in piece.expected):
        return "skip", "is there to be refused"
    if code:
        return "FAIL", ("wrong: " if "FAIL" in out else "refused: ") + reason(err)
    return "ok", ""


def pieces(tool, path):
    """(number, Piece), or (number, None) of what is refused."""
    with open(path) as f:
        parts = re.split(r"^// -----.*$", f.read(), flags=re.M)
    for i, part in enumerate(parts):
        if "func.func" in part or "func @" in part:
            code, out, _ = run(tool, "opt", "-", "--mlir-print-local-scope", text=part)
            yield i, Piece(out, re.findall(r"expected-error.*\{\{(.*)\}\}", part)) if code == 0 else None


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--bin", required=True)
    ap.add_argument("--jobs", type=int, default=os.cpu_count())
    ap.add_argument("--keep")
    ap.add_argument("folders", nargs="+")
    a = ap.parse_args()
    tool = os.path.join(a.bin, "tessera")
    files = sorted(os.path.join(d, f) for folder in a.folders for d, _, fs in os.walk(folder)
                   for f in fs if f.endswith(".mlir") and os.path.basename(d) != "Inputs")
    counts, skipped, refused = collections.Counter(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        if a.keep:
            os.makedirs(a.keep, exist_ok=True)
        jobs = []
        for path, found in zip(files, pool.map(lambda p: list(pieces(tool, p)), files)):
            refused += sum(piece is None for _, piece in found)
            for i, piece in found:
                for name in piece.runnable() if piece else []:
                    jobs.append((path, name, pool.submit(check, tool, path, i, name, piece, a.keep or scratch)))
        for path, name, job in jobs:
            verdict, why = job.result()
            counts[verdict] += 1
            if verdict == "skip":
                skipped[general(why)] += 1
            print("%s %s: @%s %s" % (verdict, path, name, why), flush=True)
    print("%d run and equal, %d wrong or refused, %d cannot run, %d pieces are there to be refused"
          % (counts["ok"], counts["FAIL"], counts["skip"], refused))
    for why, n in sorted(skipped.items(), key=lambda x: (-x[1], x[0])):
        print("cannot run: %d: %s" % (n, why))
    return 1 if counts["FAIL"] else 0


sys.exit(main())
