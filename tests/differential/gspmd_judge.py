# SPDX-License-Identifier: Apache-2.0
"""gspmd_judge.py - what gspmd.py and gspmd_torch.py share: a module, its inputs and what XLA made of it go to `tessera run`,
undivided and divided, in each form; bytes of collectives are compared."""
import argparse
import json
import os
import re
import subprocess
import tempfile

import numpy as np

WIDTH = {"pred": 1, "s8": 1, "u8": 1, "s16": 2, "u16": 2, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4, "s64": 8, "u64": 8,
         "f64": 8, "c64": 8, "c128": 16}
COLLECTIVE = re.compile(r"= (.*?) (all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute|collective-broadcast)"
                        r"(-start)?\(")


def xla_bytes(text):
    """Of all collectives' results on one device, in the text of a compiled module."""
    total = 0
    for line in text.splitlines():
        found = COLLECTIVE.search(line)
        if not found:
            continue
        shapes = re.findall(r"(\w+)\[([\d,]*)\]", found.group(1))
        if found.group(3):  # -start has operands and results
            shapes = shapes[len(shapes) // 2:]
        for kind, dims in shapes:
            n = WIDTH.get(kind, 4)
            for d in filter(None, dims.split(",")):
                n *= int(d)
            total += n
    return total


def our_bytes(tessera, path):
    done = subprocess.run([tessera, "shard", "--json", path], capture_output=True, text=True)
    if done.returncode:
        return None
    return sum(c["bytes"] for c in json.loads(done.stdout)["collectives"] if c["received"])


def run(tessera, path, stem, kinds, *flags):
    command = [tessera, "run", path, *flags, f"--input={stem}.in.npz", f"--expect={stem}.out.npz"]
    command += [f"--{k}={kinds.get(k, v)}" for k, v in (("rtol", "1e-4"), ("atol", "1e-4"))]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 0, done.stdout[-400:] + done.stderr[-600:]


def judge(name, tessera, folder, text, args, got, kinds, artifact):
    """What is wrong, and our bytes. kinds: rtol and atol; artifact: a file of jax.export, or None."""
    os.makedirs(folder, exist_ok=True)
    stem = f"{folder}/{name}"
    with open(f"{stem}.mlir", "w", encoding="utf-8") as out:
        out.write(text)
    np.savez_compressed(f"{stem}.in.npz", *args)
    np.savez_compressed(f"{stem}.out.npz", *got)
    forms = [f"{stem}.mlir"]
    if artifact:
        forms.append(os.path.join(tempfile.mkdtemp(), f"{name}.jax"))  # it names files of this machine: not kept
        with open(forms[-1], "wb") as out:
            out.write(artifact)
    wrong = []
    for path in forms:
        for flags in ((), ("--spmd",), ("--spmd", "--check")):
            ok, said = run(tessera, path, stem, kinds, *flags)
            if not ok:
                wrong.append(f"{os.path.basename(path)} {' '.join(flags)}: {said}")
    return wrong, our_bytes(tessera, forms[0])


def keep_bytes(folder, kept):
    path, all_bytes = os.path.join(folder, "bytes.txt"), {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            all_bytes = dict(line.split() for line in f)
    all_bytes.update(kept)
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"{name} {all_bytes[name]}\n" for name in sorted(all_bytes))


def main(doc, programs, one, version, unkept=()):
    """one(name, tessera, folder): what is wrong, our bytes, XLA's. unkept: programs that --write leaves out."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--only")
    parser.add_argument("--save")
    parser.add_argument("--write", help="keep modules, inputs and XLA's results here")
    parser.add_argument("--bytes", action="store_true", help="more bytes than XLA's are a failure")
    args = parser.parse_args()
    folder = args.write or args.save or tempfile.mkdtemp()
    passed = failed = 0
    kept = {}
    print(version)
    print(f"{'program':24} {'numbers':8} {'bytes':>8} {'XLA':>8}")
    for name in programs:
        if (args.only and args.only not in name) or (args.write and name in unkept):
            continue
        try:
            wrong, mine, theirs = one(name, os.path.join(args.bin, "tessera"), folder)
        except Exception as e:  # this version cannot
            print(f"{name:24} skipped: {type(e).__name__}: {str(e).splitlines()[0][:100] if str(e) else ''}")
            continue
        more = mine is None or mine > theirs
        kept[name] = theirs
        bad = bool(wrong) or (args.bytes and more)
        print(f"{name:24} {'WRONG' if wrong else 'right':8} {mine if mine is not None else '-':>8} {theirs:>8}"
              f"{'  more' if more else ''}", flush=True)
        for w in wrong:
            print("    " + w.replace("\n", "\n    "))
        failed += bad
        passed += not bad
    if args.write:
        keep_bytes(folder, kept)
    print(f"{passed} passed, {failed} failed")
    return failed > 0
