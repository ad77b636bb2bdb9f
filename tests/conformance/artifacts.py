#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Portable artifacts against jaxlib: what we serialize, jaxlib must read as it reads its own artifact of the module.

    artifacts.py --bin build/bin [--target X.Y.Z] [--list] PATH...

PATH is a .mlir file or a folder, whose *.mlir files at any depth are taken. For each file and target it

  reads     serializes it with our tool and deserializes that with jaxlib: the text must be that of jaxlib's own artifact
            (which is the module's but for attributes that say what is the default)
  bytes     compares our artifact with the one that jaxlib writes for the same module
  ours      deserializes jaxlib's artifact with our tool: the same text again

And for each file it reads what tessera opt --emit-bytecode writes, without a version, with jaxlib (bytecode): the text must
be the module's.

Without --target: jaxlib's current version, and older ones. Files that jaxlib cannot parse, and artifacts that it cannot
write or read back itself, are left out; the former are counted as skipped. The last line is 'N files, N artifacts: reads N, bytes N, ours N, bytecode
N of N files, skipped N'; the exit code is 0 when every artifact reads both ways, and all bytecode. Needs jax; without it the script says so and fails.
"""
import argparse
import glob
import os
import subprocess
import sys

try:
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
except ImportError as e:
    sys.exit("artifacts.py: jax is not installed: %s" % e)


def files_of(paths):
    out = []
    for path in paths:
        if os.path.isdir(path):
            out += sorted(glob.glob(os.path.join(path, "**", "*.mlir"), recursive=True))
        else:
            out.append(path)
    return out


def parse(path):
    """The module in a context of its own, or None when jaxlib does not take it."""
    ctx = mlir.make_ir_context()
    try:
        with ctx:
            return ctx, ir.Module.parseFile(path, ctx)
    except Exception:
        return ctx, None


def tool(binary, args, stdin=None):
    p = subprocess.run([os.path.join(binary, "stablehlo-translate")] + args, input=stdin, capture_output=True)
    return p.stdout if p.returncode == 0 else None, p.stderr.decode(errors="replace").strip()


def read_with_jaxlib(data):
    """The text of the module, or None."""
    ctx = mlir.make_ir_context()
    try:
        with ctx:
            return str(stablehlo.deserialize_portable_artifact(ctx, data))
    except Exception:
        return None


def write_with_jaxlib(path, target):
    _, module = parse(path)
    try:
        return stablehlo.serialize_portable_artifact(module, target, True)
    except Exception:
        return None


def check(binary, path, target, say):
    """Of one file and target: the three answers; None when jaxlib has no artifact of its own to compare with."""
    expected = write_with_jaxlib(path, target)
    want = expected and read_with_jaxlib(expected)
    if want is None:
        return None
    ours, error = tool(binary, ["--serialize", "--target=" + target, "--allow-other-dialects", path])
    reads = same = False
    if ours is None:
        say("%s: %s: cannot be serialized: %s" % (path, target, error[:300]))
    else:
        got = read_with_jaxlib(ours)
        reads = got == want
        if not reads:
            say("%s: %s: jaxlib %s" % (path, target, "rejects it" if got is None else "reads another module"))
        same = ours == expected
        if not same:
            at = next((i for i, (x, y) in enumerate(zip(ours, expected)) if x != y), min(len(ours), len(expected)))
            say("%s: %s: bytes differ from %d on, of %d and %d" % (path, target, at, len(ours), len(expected)))
    text, error = tool(binary, ["--deserialize"], stdin=expected)
    back = text is not None and text.decode(errors="replace").strip() == want.strip()
    if not back:
        say("%s: %s: we %s %s" % (path, target, "reject theirs:" if text is None else "read another module", error[:300]))
    return reads, same, back


def check_bytecode(binary, path, say):
    """Whether jaxlib reads our bytecode of a module as it reads the text."""
    p = subprocess.run([os.path.join(binary, "tessera"), "opt", path, "--emit-bytecode"], capture_output=True)
    if p.returncode:
        say("%s: no bytecode: %s" % (path, p.stderr.decode(errors="replace")[:300]))
        return False
    want = str(parse(path)[1])
    try:
        with mlir.make_ir_context():
            got = str(ir.Module.parse(p.stdout))
    except Exception as e:
        say("%s: jaxlib rejects our bytecode: %s" % (path, str(e)[:300]))
        return False
    if got != want:
        say("%s: jaxlib reads another module from our bytecode" % path)
    return got == want


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", default="build/bin")
    p.add_argument("--target", action="append")
    p.add_argument("--list", action="store_true")
    p.add_argument("paths", nargs="+")
    a = p.parse_args()
    current = stablehlo.get_current_version()
    targets = a.target or [current, "1.8.0", "1.0.0", "0.17.0", stablehlo.get_minimum_version()]
    say = print if a.list else lambda text: None
    n = artifacts = skipped = plain = 0
    counts = [0, 0, 0]
    for path in files_of(a.paths):
        if parse(path)[1] is None:
            skipped += 1
            continue
        n += 1
        plain += check_bytecode(a.bin, path, say)
        for target in targets:
            answers = check(a.bin, path, target, say)
            if answers is None:
                continue
            artifacts += 1
            counts = [c + bool(x) for c, x in zip(counts, answers)]
    print("%d files, %d artifacts: reads %d, bytes %d, ours %d, bytecode %d of %d files, skipped %d" %
          (n, artifacts, *counts, plain, n, skipped))
    return 0 if artifacts and counts[0] == artifacts == counts[2] and plain == n else 1


if __name__ == "__main__":
    sys.exit(main())
