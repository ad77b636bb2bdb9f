#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pins.py - what a plan's pins are worth: training steps of models at full shape (bench/plan_models.py), planned with all pins, with few, with what JAX
can say, and with arguments alone.

    bench/pins.py [--bin build/bin/tessera] [--models gpt-124m,llama-8b] [--devices 8,64] [--device h100] [--folder DIR] [--write docs/SEARCH.md]

For each the table has the step with all pins, their number and how many of them stay, steps relative to it, what `tessera check-plan` finds relative to
what the expressible plan promised, and the processor time to plan with few pins and with all. With --write the table replaces the one between the marks of
the file."""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

from plans import export

HEAD = ["| model | mesh | step, all pins | memory | pins | few | step, few | pins, expressible | step, expressible | checked | step, arguments alone | planned in, few | all |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
BEGIN, END = "<!-- pins -->", "<!-- /pins -->"
EVERY = "gpt-124m gpt-1.3b gpt-6.7b gpt-39b llama-8b t5-large moe-8x vit-l wide-resnet u-net gns lstm".split()


def find(binary, path, mesh, device, out, *more):
    """The chosen candidate and the processor time, or None if nothing fits."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = subprocess.run([binary, "shard", path, "--auto", f"--mesh={mesh}", f"--device={device}", f"--plan={out}", *more], capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if run.returncode:
        if "does not fit" not in run.stderr:
            sys.exit(f"{path}: {run.stderr}")
        return None, seconds
    with open(out) as file:
        data = json.load(file)
    return data["candidates"][data["chosen"]], seconds


def row_of(binary, name, path, mesh, device, out):
    full, all_seconds = find(binary, path, mesh, device, out, "--pins=all")
    if not full:
        return [name, mesh, "does not fit"] + [""] * 10
    few, few_seconds = find(binary, path, mesh, device, out)
    alone, _ = find(binary, path, mesh, device, out, "--pins=none")
    said, _ = find(binary, path, mesh, device, out, "--expressible")
    ratio = lambda c: f"{c['step_seconds'] / full['step_seconds']:.3f}" if c else "does not fit"
    checked = ""
    if said:
        run = subprocess.run([binary, "check-plan", path, f"--plan={out}", "--json", "--tolerance=1000"], capture_output=True, text=True, check=True)
        seconds = json.loads(run.stdout)["step_seconds"]
        checked = f"{seconds['now'] / seconds['promised']:.3f}"
    return [name, mesh, f"{1e3 * full['step_seconds']:.4g} ms", f"{full['peak_bytes'] / 1e9:.1f} GB", str(full["pins_before"]), str(len(few["pins"])),
            ratio(few), str(len(said["pins"])) if said else "", ratio(said), checked, ratio(alone), f"{few_seconds:.1f} s", f"{all_seconds:.1f} s"]


def write(path, rows):
    text = open(path).read()
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    open(path, "w").write(before + BEGIN + "\n" + "\n".join(HEAD + ["| " + " | ".join(r) + " |" for r in rows]) + "\n" + END + after)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--bin", default="build/bin/tessera")
    args.add_argument("--models", default=",".join(EVERY))
    args.add_argument("--devices", default="8,64")
    args.add_argument("--device", default="h100")
    args.add_argument("--folder", default=os.path.join(tempfile.gettempdir(), "tessera-plans"))
    args.add_argument("--write", default="")
    args = args.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    rows = []
    print("\n".join(HEAD))
    for name in args.models.split(","):
        for n in map(int, args.devices.split(",")):
            path = os.path.join(args.folder, f"{name}-{n}-named.mlir")
            if not os.path.exists(path):
                export(name, n, path, named=True)
            mesh = f"dp={n // 8},tp=8" if n > 8 else "dp=2,tp=4"
            rows.append(row_of(args.bin, name, path, mesh, args.device, os.path.join(args.folder, "plan.json")))
            print("| " + " | ".join(rows[-1]) + " |", flush=True)
    if args.write:
        write(args.write, rows)


if __name__ == "__main__":
    main()
