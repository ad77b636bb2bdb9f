# SPDX-License-Identifier: Apache-2.0
"""jax_tests.py - JAX's own tests on Tessera, beside JAX's own cpu backend.

    python3 tests/conformance/jax_tests.py --checkout dir [--build build] [--sample 200] [--files lax_test,...] [--out dir]

dir is a checkout of JAX at the release that is installed. Each file runs in a process of its own, on both platforms, the same
tests; files for several devices on eight. The last part prints a table for docs/CONFORMANCE.md, and what cpu passes and
Tessera does not, with the reason. jax_sample.py says how tests are chosen, and what it tells JAX of Tessera's devices.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ONE = (
    "lax_test lax_numpy_test lax_numpy_indexing_test lax_numpy_reducers_test lax_control_flow_test lax_autodiff_test "
    "lax_vmap_test lax_scipy_test nn_test random_lax_test linalg_test fft_test sparse_test api_test core_test dtypes_test "
    "python_callback_test aot_test"
).split()
EIGHT = "export_test pjit_test shard_map_test array_test multi_device_test memories_test".split()
PATIENCE = 120  # seconds for one test
HERE = Path(__file__).resolve().parent


def environment(platform, devices, args, results):
    env = dict(os.environ)
    env.update(
        JAX_PLATFORMS=platform,
        JAX_NUM_GENERATED_CASES="5",
        TESSERA_DEVICES=str(devices),
        TSR_SAMPLE=str(args.sample),
        TSR_RESULTS=str(results),
        TESSERA_PLUGIN=str(Path(args.build).resolve() / "pjrt_plugin_tessera.so"),
        PYTHONPATH=os.pathsep.join([str(HERE), str(HERE.parent.parent / "python"), env.get("PYTHONPATH", "")]),
        OMP_NUM_THREADS="1",
    )
    if devices > 1:
        env["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    return env


def wait_for(process, now):
    """Waits until the process ends. True: one test took too long, and the process was ended; no signal of Python's own comes
    through while it waits for a program."""
    while True:
        try:
            process.wait(timeout=5)
            return False
        except subprocess.TimeoutExpired:
            if now.exists() and time.time() - now.stat().st_mtime > PATIENCE:
                process.kill()
                process.wait()
                return True


def run_file(name, platform, devices, args):
    """All outcomes by test, and how many programs ran on Tessera. A crash is the outcome of the test that ran, and the others go on."""
    results = Path(args.out) / f"{name}.{platform.split(',')[0]}.jsonl"
    if args.again:
        results.unlink(missing_ok=True)
    now = Path(f"{results}.now")
    for _ in range(20):
        now.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "jax_sample", "-p", "no:cacheprovider", f"tests/{name}.py"]
        log = Path(f"{results}.log")
        with open(log, "w", encoding="utf-8") as out:
            process = subprocess.Popen(command, cwd=args.checkout, env=environment(platform, devices, args, results),
                                       stdout=out, stderr=subprocess.STDOUT)
            slow = wait_for(process, now)
        if not slow and process.returncode in (0, 1, 5):
            break
        if not now.exists():
            print(f"{name} on {platform}: {log.read_text(errors='replace')[-2000:]}", file=sys.stderr)
            break
        entry = {"test": now.read_text(), "outcome": "crashed", "reason": f"the process ended with {process.returncode}"}
        if slow:
            entry.update(outcome="failed", reason=f"more than {PATIENCE} seconds")
        with open(results, "a", encoding="utf-8") as f:
            f.write(json.dumps(entry) + "\n")
    now.unlink(missing_ok=True)
    return read_results(results)


def read_results(results):
    """A test with subtests or a failing teardown has several lines: the worst counts, and the most programs."""
    outcomes, executions = {}, collections.Counter()
    for line in results.read_text().splitlines() if results.exists() else ():
        entry = json.loads(line)
        test = entry["test"]
        if test not in outcomes or outcomes[test]["outcome"] == "passed":
            outcomes[test] = entry
        executions[test] = max(executions[test], entry.get("executions", 0))
    return outcomes, executions


def compare(name, args):
    """One row of the table, and what cpu passes and Tessera does not: test, outcome, reason."""
    devices = 8 if name in EIGHT else 1
    ours, executions = run_file(name, "tessera,cpu", devices, args)
    theirs, _ = run_file(name, "cpu", devices, args)
    # Of a run that went on with a smaller sample, what both platforms ran counts.
    ours = {t: e for t, e in ours.items() if t in theirs}
    executions = collections.Counter({t: n for t, n in executions.items() if t in theirs})
    missing = {"outcome": "not run", "reason": ""}
    good = [t for t, e in theirs.items() if e["outcome"] == "passed"]
    misses = [(t, ours.get(t, missing)) for t in good if ours.get(t, missing)["outcome"] != "passed"]
    skipped = sum(e["outcome"] == "skipped" for _, e in misses)
    counted = collections.Counter(e["outcome"] for e in ours.values())
    row = [name, devices, len(ours), len(good), counted["passed"], len(good) - len(misses), len(misses) - skipped, skipped,
           executions.total(), sum(n > 0 for n in executions.values())]
    return row, misses


def known_reasons():
    """Parts of names and reasons, in the order of the file."""
    lines = (HERE / "jax_misses.list").read_text().splitlines()
    return [tuple(map(str.strip, line.split("|", 1))) for line in lines if "|" in line and not line.startswith("#")]


def reason_of(test, reasons):
    return next((f" ({reason})" for part, reason in reasons if part in test), "")


def tell_misses(misses):
    """Failures one by one, skips by JAX's reason."""
    skips, reasons = collections.Counter(), known_reasons()
    for test, entry in misses:
        file, _, name = test.partition("::")
        said, why = entry.get("reason", "").replace("`", chr(39))[:200], reason_of(test, reasons)
        if entry["outcome"] == "skipped":
            skips[Path(file).stem, said.removeprefix("Skipped: ") + why] += 1
        else:
            print(f"- {Path(file).stem}, {name}: {entry['outcome']}{why}: `{said}`")
    for (file, reason), n in sorted(skips.items()):
        print(f"- {file}: {n} skipped: {reason}")


def tell_share(where, rows):
    """What part of cpu's passes Tessera passes."""
    good, both, failed = (sum(row[i] for row in rows) for i in (3, 5, 6))
    if good:
        print(f"{where}: of {good} tests that cpu passes, Tessera passes {both}, {100 * both / good:.2f} %; of those that JAX does "
              f"not skip, {100 * both / max(1, both + failed):.2f} %.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkout", required=True)
    parser.add_argument("--build", default="build")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--files", default="")
    parser.add_argument("--out", default="")
    parser.add_argument("--again", action="store_true", help="run again what is done")
    args = parser.parse_args()
    args.out = str(Path(args.out or Path(args.build) / "jax").resolve())
    Path(args.out).mkdir(parents=True, exist_ok=True)
    print("| tests | devices | run | cpu passes | Tessera passes | of cpu's | fails of cpu's | skipped of cpu's | programs on Tessera | in tests |")
    print("| --- |" + " ---: |" * 9)
    misses, rows = [], []
    for name in args.files.split(",") if args.files else ONE + EIGHT:
        row, missed = compare(name, args)
        misses += missed
        rows.append(row)
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print("| all | | " + " | ".join(str(sum(column)) for column in list(zip(*rows))[2:]) + " |\n")
    tell_share("One device", [row for row in rows if row[1] == 1])
    tell_share("Eight devices", [row for row in rows if row[1] == 8])
    print()
    tell_misses(misses)
    return 0


if __name__ == "__main__":
    sys.exit(main())
