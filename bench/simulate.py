#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""simulate.py - the simulator against published step times of large training runs.

    bench/simulate.py [--bin build/bin/tessera] [--rows R1a,R5]

Each row is a published run: figures of the model, how it was divided, what was measured. Device files were fitted on the rows of A100 that
are marked 'fit' alone; the others judge. Figures that a publication does not give are in the column 'taken'."""
import argparse
import json
import subprocess

GPT = {"vocab": 51200, "seq": 2048}
H100 = {"vocab": 131072, "seq": 4096, "fused_attention": 1, "causal": 1, "zero": 1}
MAXTEXT = {"vocab": 32000, "seq": 2048, "gated": 1, "head_size": 128, "zero": 3, "fused_attention": 1}

# name, set, device, figures, what is measured (seconds; or TFLOP/s a device, of the model or with what is recomputed), what was taken
ROWS = [
    ("R1a", "fit", "a100", dict(GPT, layers=48, hidden=6144, heads=64, tp=8, batch=4, microbatch=4, recompute="full"), ("s", 1.42), ""),
    ("R1b", "fit", "a100", dict(GPT, layers=48, hidden=6144, heads=64, tp=8, batch=4, microbatch=4, recompute="selective",
                                sequence_parallel=1), ("s", 1.10), ""),
    ("R2a", "near", "a100", dict(GPT, layers=96, hidden=12288, heads=96, tp=8, pp=8, interleave=3, batch=64, microbatch=1, recompute="full"),
     ("s", 18.13), ""),
    ("R2b", "near", "a100", dict(GPT, layers=96, hidden=12288, heads=96, tp=8, pp=8, interleave=3, batch=64, microbatch=1,
                                 recompute="selective", sequence_parallel=1), ("s", 13.75), ""),
    ("R5", "fit", "a100", dict(GPT, layers=24, hidden=2304, heads=24, dp=32, batch=512, microbatch=16, recompute="full"), ("hfu", 137),
     "microbatch 16"),
    ("R6", "far", "a100", dict(GPT, layers=36, hidden=4096, heads=32, tp=4, dp=32, batch=512, microbatch=8, recompute="full"), ("hfu", 142),
     "microbatch 8"),
    ("R7", "far", "a100", dict(GPT, layers=48, hidden=8192, heads=64, tp=8, pp=2, dp=32, batch=1536, microbatch=4, recompute="full"),
     ("hfu", 138), "microbatch 4"),
    ("R11", "far", "h100", dict(H100, layers=24, hidden=2048, heads=16, dp=48, batch=192, microbatch=4), ("mfu", 408.8), "microbatch 4"),
    ("R12", "far", "h100", dict(H100, layers=30, hidden=4096, heads=32, tp=2, dp=48, batch=192, microbatch=4, sequence_parallel=1),
     ("mfu", 465.9), "microbatch 4"),
    ("R13", "far", "h100", dict(H100, layers=32, hidden=6144, heads=48, tp=4, dp=48, batch=192, microbatch=4, sequence_parallel=1),
     ("mfu", 489.1), "microbatch 4"),
    ("R14", "far", "h100", dict(H100, layers=48, hidden=7168, heads=56, tp=8, dp=48, batch=192, microbatch=4, sequence_parallel=1),
     ("mfu", 459.6), "microbatch 4"),
    ("R28", "far", "v5p", dict(MAXTEXT, layers=32, hidden=8192, heads=64, ffn=28672, tp=4, sequence_parallel=1, dp=16, batch=384, microbatch=24,
                               recompute="selective"), ("mfu", 328), ""),
    ("R29", "far", "v5p", dict(MAXTEXT, layers=64, hidden=8192, heads=64, ffn=28672, tp=4, sequence_parallel=1, dp=16, batch=192, microbatch=12,
                               recompute="selective"), ("mfu", 323), ""),
    ("R30", "far", "v5p", dict(MAXTEXT, layers=64, hidden=8192, heads=128, ffn=57344, tp=8, sequence_parallel=1, dp=16, batch=128, microbatch=8,
                               recompute="selective"), ("mfu", 315), ""),
    ("R34", "far", "v5e", dict(MAXTEXT, layers=32, hidden=4096, heads=64, ffn=28672, dp=256, batch=1536, microbatch=6, recompute="full"),
     ("mfu", 0.611 * 197), ""),
    ("R35", "far", "v5e", dict(MAXTEXT, layers=32, hidden=4096, heads=64, ffn=28672, dp=512, batch=3072, microbatch=6, recompute="full"),
     ("mfu", 0.594 * 197), ""),
]


def simulate(binary, device, figures):
    text = ",".join(f"{k}={v}" for k, v in figures.items())
    out = subprocess.run([binary, "simulate", f"--transformer={text}", f"--device={device}", "--json"],
                         capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--bin", default="build/bin/tessera")
    args.add_argument("--rows")
    args = args.parse_args()
    errors = {}
    print("| row | device | devices | measured | simulated | error | GB a device | taken |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for name, kind, device, figures, (unit, measured), taken in ROWS:
        if args.rows and name not in args.rows.split(","):
            continue
        r = simulate(args.bin, device, figures)
        rate = r["flops_per_second"] / 1e12
        got = {"s": r["step_seconds"], "mfu": rate, "hfu": rate * r["hfu"] / r["mfu"]}[unit]
        # As step times: a rate that is too high is a time that is too short.
        error = got / measured - 1 if unit == "s" else measured / got - 1
        errors.setdefault(kind, []).append(abs(error))
        shown = (f"{measured:.2f} s", f"{got:.2f} s") if unit == "s" else (f"{measured:.0f} TFLOP/s", f"{got:.0f} TFLOP/s")
        print(f"| {name}{' (fit)' if kind == 'fit' else ''} | {device} | {r['devices']} | {shown[0]} | {shown[1]} | {100 * error:+.1f} % | "
              f"{r['peak_bytes'] / 1e9:.0f} | {taken} |")
    print()
    for kinds, what in ((("fit", "near"), "R1, R2, R5"), (("far",), "others")):
        e = [x for k in kinds for x in errors.get(k, [])]
        if e:
            print(f"{what}: mean {100 * sum(e) / len(e):.1f} %, worst {100 * max(e):.1f} % of {len(e)} rows")


if __name__ == "__main__":
    main()
