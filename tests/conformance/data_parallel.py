#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models of tt-mlir compute the same after --ttir-automatic-data-parallelization as before.

usage: data_parallel.py --bin DIR [--mesh 2,8] [--full] [--keep DIR] MODELS...   (files or folders)

Each model runs undivided with random inputs, then divided on a mesh of 1xN virtual devices for each N, and all results
are compared: a line for each, ok or FAIL, and counts. Both round narrow floats after each op: fusion may differ between
the two, and a token that is chosen by argmax changes with one rounding. A batch that does not divide must be refused, and is filled up then (pad-batch). A model that is divided
already along the second axis is divided along the first (2xK); one that uses both must be refused.

Without --full, large sizes that stand for themselves alone, such as those of vocabularies and hidden layers, are made
smaller before: a number is replaced everywhere in the text when the result verifies. The graph stays what it is.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

LARGE, SMALL = 1024, 192  # what is made smaller; about how small


def run(*args, timeout=900):
    try:
        p = subprocess.run(args, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return 124, "", "timeout"
    return p.returncode, p.stdout, p.stderr


def opt(tool, path, *flags, out=os.devnull):
    code, _, err = run(tool, "opt", path, *flags, "-o", out)
    return code == 0, err


def smaller(tool, text, scratch):
    """The text with large numbers of tensor types replaced where it still verifies."""
    sizes = collections.Counter()
    for dims in re.findall(r"tensor<((?:\d+x)+)", text):
        sizes.update(int(d) for d in dims.split("x") if d)
    used = set(sizes)
    for n in sorted((n for n in sizes if n >= LARGE), reverse=True):
        m = SMALL
        while m in used or m % 8:
            m += 8
        tried = re.sub(r"(?<![\d.])%d(?![\d.])" % n, str(m), text)
        with open(scratch, "w") as f:
            f.write(tried)
        if opt(tool, scratch)[0]:
            text = tried
            used.add(m)
    return text


def divided_already(text):
    m = re.search(r'ttcore\.meshes = #ttcore\.meshes<\[<"[^"]*" = (\d+)x(\d+)>', text)
    return (int(m.group(1)), int(m.group(2))) if m else (1, 1)


def flags_for(mesh, devices):
    if mesh[0] > 1:
        return "1,%d" % devices, ""
    if mesh[1] > 1:
        return "%d,%d" % (devices, mesh[1]), " batch-axis=0"
    return "1,%d" % devices, ""


def check(tool, path, devices, folder, full):
    """Yields (mesh, outcome, remark) for each mesh."""
    with open(path) as f:
        text = f.read()
    name = os.path.basename(path)[:-5]
    mine = os.path.join(folder, name + ".mlir")
    mesh = divided_already(text)
    if not full and mesh == (1, 1):  # sizes of parts depend on each other
        text = smaller(tool, text, mine)
    with open(mine, "w") as f:
        f.write(text)
    want = os.path.join(folder, name + ".npz")
    code, _, err = (0, "", "") if mesh[0] > 1 else run(tool, "run", mine, "--input=random", "--strict-rounding", "--output=" + want)
    if code:
        yield "-", "undivided", err.strip().split("\n")[0][:150]
        return
    for n in devices:
        shape, more = flags_for(mesh, n)
        parts = os.path.join(folder, "%s.%d.mlir" % (name, n))
        flag = "--ttir-automatic-data-parallelization=mesh-shape=" + shape + more
        ok, err = opt(tool, mine, flag, out=parts)
        remark = ""
        if not ok and "cannot be divided by" in err:
            remark = "filled up"
            ok, err = opt(tool, mine, flag + " pad-batch", out=parts)
        if not ok:
            refused = "divided among the devices of a mesh already" in err
            yield shape, "refused" if refused and mesh[0] > 1 else "failed", err.strip().split("\n")[0][:150]
            continue
        if "ttcore.argument_type" in text:
            code, out, err = run(tool, "run", parts, "--input=random", "--strict-rounding", "--expect=" + want)
        else:  # the pass says what arguments are, and random numbers follow that
            code, out, err = run(tool, "run", mine, "--input=random", "--strict-rounding", "--spmd", "--mesh-shape=" + shape, "--check")
        if code:
            remark = "stopped by signal %d" % -code if code < 0 else (out + err).strip().replace("\n", " | ")[-400:]
        yield shape, "failed" if code else "same", remark
        os.unlink(parts)
    if mesh[0] == 1:
        os.unlink(want)


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--bin", required=True)
    ap.add_argument("--mesh", default="2,8")
    ap.add_argument("--full", action="store_true")
    ap.add_argument("--keep")
    ap.add_argument("models", nargs="+")
    a = ap.parse_args()
    tool = os.path.join(a.bin, "tessera")
    files = []
    for m in a.models:
        if os.path.isdir(m):
            files += [os.path.join(d, f) for d, _, fs in os.walk(m) for f in fs if f.endswith(".mlir")]
        else:
            files.append(m)
    counts = collections.Counter()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(files):
            for mesh, outcome, remark in check(tool, path, [int(n) for n in a.mesh.split(",")], a.keep or folder, a.full):
                counts[outcome + (", " + remark if outcome == "same" and remark else "")] += 1
                good = outcome in ("same", "refused")
                print("%s %s: %s %s%s" % ("ok  " if good else "FAIL", path, mesh, outcome, ", " + remark if remark else ""), flush=True)
                passed, failed = passed + good, failed + (not good)
    print("%d models: %s" % (len(files), "; ".join("%d %s" % (n, k) for k, n in sorted(counts.items()))))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
