#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plans.py - how good the plans of `tessera shard --auto` are: training steps of models at full shape (bench/plan_models.py), on 8 to 4,096 devices.

    bench/plans.py [--bin build/bin/tessera] [--models gpt-124m,llama-8b] [--devices 8,64,512,4096] [--device h100] [--folder DIR] [--write docs/SEARCH.md]

For each the table has the processor time to plan, the predicted time of a step, bytes and memory of a device, the ratio to the best expert that fits, the same
of a search that does not know the experts, and what the solver's answer costs over its lower bound. Programs are kept in the folder. With --write the
table replaces the one between the marks of the file."""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))


def export(name, devices, path, named=False):
    # Not from this folder: jax.py is there.
    code = f"import sys; sys.path = [p for p in sys.path if p not in ('', {here!r})]; import jax; sys.path.append({here!r}); import plan_models; " \
           f"open({path!r}, 'w').write(plan_models.export({name!r}, {devices}, {named}))"
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ, JAX_PLATFORMS="cpu"))


def plan(binary, path, mesh, device, *more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = subprocess.run([binary, "shard", path, "--auto", f"--mesh={mesh}", f"--device={device}", "--pins=all", "--json", *more], capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return seconds, json.loads(run.stdout) if run.returncode == 0 else (run.stderr.strip().splitlines() or ["?"])[-1]


HEAD = ["| model | mesh | planned in | step | received | memory | MFU | best expert | ratio to it | without experts | solver / bound |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |"]
BEGIN, END = "<!-- plans -->", "<!-- /plans -->"


def row_of(binary, name, path, mesh, device):
    """The cells of a row."""
    seconds, found = plan(binary, path, mesh, device)
    first = [name, mesh, f"{seconds:.1f} s"]
    if isinstance(found, str):
        least = re.search(r"the plan of least memory takes ([0-9.]+ .?B)", found)
        return first + ["does not fit" if least else found.split("error: ")[-1][:60], "", least.group(1) if least else "", "", "", "", "", ""]
    best = found["plan"]
    experts = [c for c in found["candidates"] if c["origin"] == "expert" and c["fits"]]
    expert = min(experts, key=lambda c: c["step_seconds"]) if experts else None
    _, alone = plan(binary, path, mesh, device, "--search-alone")
    ratio = f"{best['step_seconds'] / expert['step_seconds']:.3f}" if expert else ""
    second = "does not fit" if isinstance(alone, str) else f"{alone['plan']['step_seconds'] / expert['step_seconds']:.3f}" if expert else ""
    bound = found["solver_over_bound"]
    return first + [f"{1e3 * best['step_seconds']:.4g} ms", f"{best['received_bytes'] / 1e9:.1f} GB", f"{best['peak_bytes'] / 1e9:.1f} GB",
                    f"{100 * found['mfu']:.1f} %", expert["name"] if expert else "none fits", ratio, second, f"{bound:.3f}" if bound else ""]


def summary(rows):
    def most(column):
        return max((float(r[column]) for r in rows if re.fullmatch(r"[0-9.]+", r[column])), default=0)

    planned = max(float(r[2].split()[0]) for r in rows)
    return f"{len(rows)} rows. Worst: {most(8):.3f} of the best expert, {most(9):.3f} without experts, planned in {planned:.1f} s."


def write(path, rows, order):
    """Puts rows between the marks; those of other models stay."""
    text = open(path).read()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    kept = [[c.strip() for c in line.strip("|").split("|")] for line in old.splitlines() if line.startswith("| ") and line not in HEAD]
    new = {(r[0], r[1]): r for r in kept if len(r) == len(HEAD[0].strip("|").split("|"))}
    new.update({(r[0], r[1]): r for r in rows})
    devices = lambda r: eval(re.sub(r"[a-z]+=", "", r[1]).replace(",", "*"))
    table = sorted(new.values(), key=lambda r: (order.index(r[0]) if r[0] in order else len(order), devices(r)))
    lines = HEAD + ["| " + " | ".join(r) + " |" for r in table] + ["", summary(table)]
    open(path, "w").write(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--bin", default="build/bin/tessera")
    args.add_argument("--models", default="")
    args.add_argument("--devices", default="8,64,512,4096")
    args.add_argument("--device", default="h100")
    args.add_argument("--folder", default=os.path.join(tempfile.gettempdir(), "tessera-plans"))
    args.add_argument("--write", default="")
    args = args.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    every = "gpt-124m gpt-1.3b gpt-6.7b gpt-39b gpt-175b llama-8b llama-70b t5-large moe-8x vit-l wide-resnet u-net gns lstm".split()
    rows = []
    print("\n".join(HEAD))
    for name in args.models.split(",") if args.models else every:
        for n in map(int, args.devices.split(",")):
            path = os.path.join(args.folder, f"{name}-{n}.mlir")
            if not os.path.exists(path):
                export(name, n, path)
            rows.append(row_of(args.bin, name, path, f"dp={n // 8},tp=8" if n > 8 else "dp=2,tp=4", args.device))
            print("| " + " | ".join(rows[-1]) + " |", flush=True)
            if args.write:
                write(args.write, rows, every)
    print("\n" + summary(rows))


if __name__ == "__main__":
    main()
