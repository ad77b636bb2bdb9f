#!/usr/bin/env python3
"""plans.py - how good the plans of `tessera shard --auto` are: training steps of models at full shape (bench/plan_models.py), on 8 to 4,096 devices.

    bench/plans.py [--bin build/bin/tessera] [--models gpt-124m,llama-8b] [--devices 8,64,512,4096] [--device h100] [--folder DIR]

For each the table has the processor time to plan, the predicted time of a step, bytes and memory of a device, the ratio to the best expert that fits, the same
of a search that does not know the experts, and what the solver's answer costs over its lower bound. Programs are kept in the folder."""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))


def export(name, devices, path):
    # Not from this folder: jax.py is there.
    code = f"import sys; sys.path = [p for p in sys.path if p not in ('', {here!r})]; import jax; sys.path.append({here!r}); import plan_models; " \
           f"open({path!r}, 'w').write(plan_models.export({name!r}, {devices}))"
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ, JAX_PLATFORMS="cpu"))


def plan(binary, path, mesh, device, *more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = subprocess.run([binary, "shard", path, "--auto", f"--mesh={mesh}", f"--device={device}", "--json", *more], capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return seconds, json.loads(run.stdout) if run.returncode == 0 else (run.stderr.strip().splitlines() or ["?"])[-1]


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--bin", default="build/bin/tessera")
    args.add_argument("--models", default="")
    args.add_argument("--devices", default="8,64,512,4096")
    args.add_argument("--device", default="h100")
    args.add_argument("--folder", default=os.path.join(tempfile.gettempdir(), "tessera-plans"))
    args = args.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    names = args.models.split(",") if args.models else ("gpt-124m gpt-1.3b gpt-6.7b gpt-39b gpt-175b llama-8b llama-70b t5-large moe-8x vit-l "
                                                        "wide-resnet u-net gns lstm").split()
    print("| model | mesh | planned in | step | received | memory | MFU | best expert | ratio to it | without experts | solver / bound |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |")
    worst = {"plan": 0, "alone": 0, "seconds": 0}
    for name in names:
        for n in map(int, args.devices.split(",")):
            path = os.path.join(args.folder, f"{name}-{n}.mlir")
            if not os.path.exists(path):
                export(name, n, path)
            mesh = f"dp={n // 8},tp=8" if n > 8 else "dp=2,tp=4"
            seconds, found = plan(args.bin, path, mesh, args.device)
            if isinstance(found, str):
                print(f"| {name} | {mesh} | {seconds:.1f} s | {found.split('error: ')[-1][:100]} | | | | | | | |", flush=True)
                continue
            best = found["plan"]
            experts = [c for c in found["candidates"] if c["origin"] == "expert" and c["fits"]]
            expert = min(experts, key=lambda c: c["step_seconds"]) if experts else None
            _, alone = plan(args.bin, path, mesh, args.device, "--search-alone")
            ratio = best["step_seconds"] / expert["step_seconds"] if expert else 0
            second = "does not fit" if isinstance(alone, str) else None
            if expert and not second:
                second = alone["plan"]["step_seconds"] / expert["step_seconds"]
                worst["alone"] = max(worst["alone"], second)
            worst["plan"] = max(worst["plan"], ratio)
            worst["seconds"] = max(worst["seconds"], seconds)
            print(f"| {name} | {mesh} | {seconds:.1f} s | {1e3 * best['step_seconds']:.0f} ms | {best['received_bytes'] / 1e9:.1f} GB | "
                  f"{best['peak_bytes'] / 1e9:.1f} GB | {100 * found['mfu']:.1f} % | {expert['name'] if expert else 'none fits'} | "
                  f"{format(ratio, '.3f') if expert else ''} | {second if isinstance(second, str) else format(second, '.3f') if second else ''} | "
                  f"{found['solver_over_bound']:.3f} |", flush=True)
    print(f"\nWorst: {worst['plan']:.3f} of the best expert, {worst['alone']:.3f} without experts, planned in {worst['seconds']:.1f} s.")


if __name__ == "__main__":
    main()
