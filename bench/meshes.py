#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""meshes.py - how long `tessera shard --auto --devices=N` searches for a mesh, and how good the plan is that it finds: the models of bench/plan_models.py.

    bench/meshes.py [--bin build/bin/tessera] [--models gpt-175b,wide-resnet] [--devices 8,64] [--device h100] [--folder DIR] [--save FILE] [--against FILE] [--write docs/SEARCH.md]

One thread plans (TESSERA_THREADS=1); the time is its processor time, the whole command's. With --save the rows are kept as JSON, which --against compares
with: the ratio of both step times and of both processor times. Programs are kept in the folder, which bench/plans.py shares."""
import argparse
import json
import os
import resource
import subprocess
import tempfile

import plans

EVERY = "gpt-124m gpt-1.3b gpt-6.7b gpt-39b gpt-175b llama-8b llama-70b t5-large moe-8x vit-l wide-resnet u-net gns lstm".split()
HEAD = ["| model | devices | planned in | candidates | mesh | plan | step | MFU |", "| --- | ---: | ---: | ---: | --- | --- | ---: | ---: |"]
BEGIN, END = "<!-- meshes -->", "<!-- /meshes -->"


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def plan(binary, path, devices, device):
    before = processor()
    run = subprocess.run([binary, "shard", path, "--auto", f"--devices={devices}", f"--device={device}", "--json"], capture_output=True, text=True,
                         env=dict(os.environ, TESSERA_THREADS="1"))
    seconds = processor() - before
    if run.returncode:
        return {"seconds": seconds, "error": (run.stderr.strip().splitlines() or ["?"])[-1]}
    found = json.loads(run.stdout)
    return {"seconds": seconds, "step": found["plan"]["step_seconds"], "mesh": found["mesh"], "plan": found["plan"]["name"], "mfu": found["mfu"],
            "candidates": len(found["candidates"])}


def cells(name, devices, row):
    if "error" in row:
        return [name, str(devices), f"{row['seconds']:.1f} s", "", "", row["error"][:60], "", ""]
    return [name, str(devices), f"{row['seconds']:.1f} s", str(row["candidates"]), row["mesh"], row["plan"], f"{1e3 * row['step']:.5g} ms",
            f"{100 * row['mfu']:.1f} %"]


def compare(old, row):
    """What --against adds to a row."""
    if not old:
        return ""
    step = f"step {row['step'] / old['step']:.4f}" if "step" in row and "step" in old else "step " + ("?" if "step" in row or "step" in old else "none")
    return f" {step}, time {row['seconds'] / old['seconds']:.2f} of before"


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--bin", default="build/bin/tessera")
    args.add_argument("--models", default="")
    args.add_argument("--devices", default="8,64")
    args.add_argument("--device", default="h100")
    args.add_argument("--folder", default=os.path.join(tempfile.gettempdir(), "tessera-plans"))
    args.add_argument("--save", default="")
    args.add_argument("--against", default="")
    args.add_argument("--write", default="")
    args = args.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    old = json.load(open(args.against)) if args.against else {}
    rows, lines = {}, list(HEAD)
    print("\n".join(HEAD))
    for devices in map(int, args.devices.split(",")):
        for name in args.models.split(",") if args.models else EVERY:
            path = os.path.join(args.folder, f"{name}-{devices}.mlir")
            if not os.path.exists(path):
                plans.export(name, devices, path)
            key = f"{name}-{devices}"
            rows[key] = plan(args.bin, path, devices, args.device)
            lines.append("| " + " | ".join(cells(name, devices, rows[key])) + " |")
            print(lines[-1] + compare(old.get(key), rows[key]), flush=True)
            if args.save:
                json.dump(rows, open(args.save, "w"), indent=1)
    if args.write:
        text = open(args.write).read()
        before, rest = text.split(BEGIN)
        open(args.write, "w").write(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
