#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The random programs of a generator of tests/differential, on a device: they give what the evaluator computes, and the same bits again.

    programs.py GENERATOR [--bin build/bin] [--device cuda] [--count N] [--seed S] [--save DIR]

Products are in full precision (highest.sed). Generators that judge their programs themselves have them run on the device where they would
run compiled. The first lines of the dumped programs and their groups on the host are printed, too."""
import argparse
import importlib
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "differential"))
import trial

JUDGES = {"narrow_programs", "zeros"}  # they compare on their own
AGAIN = 4  # one program of so many runs again


def raised(text):
    return subprocess.run(["sed", "-E", "-f", os.path.join(HERE, "highest.sed")], input=text, capture_output=True, text=True, check=True).stdout


def tell_host(stderr):
    for line in stderr.splitlines():
        if line.startswith("program of ") or line.split(" ")[1:2] == ["other"]:
            print(line)


def attempt(tool, device, case, ways, again, tmp):
    """What is wrong with a program, or ""."""
    source, result, before, one, two = (os.path.join(tmp, f) for f in ("in.mlir", "out.mlir", "before.npz", "one.npz", "two.npz"))
    with open(source, "w") as f:
        f.write(raised(case.text))
    first = trial.run(tool, "run", source, *case.inputs, *case.first, f"--output={before}")
    if first.returncode:
        return f"does not run: {first.stderr[:300]}"
    way = (case.ways or ways)[0]
    if way.passes:
        opt = trial.run(tool, "opt", source, *way.passes, "-o", result)
        if opt.returncode:
            return opt.stderr[:300]
        source = result
    flags = [f for f in [*case.inputs, *way.run, *case.run] if not f.startswith("--threads")] + [f"--device={device}"]
    ran = trial.run(tool, "run", source, *flags, "--dump-program", f"--expect={before}", f"--output={one}")
    tell_host(ran.stderr)
    if ran.returncode:
        said = [line for line in (ran.stdout + ran.stderr).splitlines() if "error" in line or "FAIL" in line]
        return "\n".join(said[:3])[:600] or ran.stderr[-300:]
    if again:
        ran = trial.run(tool, "run", source, *(f for f in flags if not f.startswith(("--rtol", "--atol"))), f"--output={two}")
        if ran.returncode or open(one, "rb").read() != open(two, "rb").read():
            return f"other bits in the second run {ran.stderr[:300]}"
    return ""


def every(device, verdicts):
    """What the generators call to have their programs judged; what they say of how programs were compiled for the CPU does not count."""
    def run_all(options, make, ways):
        tool, failed = os.path.join(options.bin, "tessera"), 0
        with tempfile.TemporaryDirectory() as tmp:
            for i in range(options.count):
                case = make(i, options.seed * trial.SEEDS + i)
                bad = attempt(tool, device, case, ways, i % AGAIN == 0, tmp)
                if not bad:
                    continue
                failed += 1
                print(f"FAIL {case.name} {' '.join(case.inputs)}: {bad}\n{case.text}")
        print(f"{options.count - failed} passed, {failed} failed")
        verdicts.append(1 if failed or not options.count else 0)
        return verdicts[-1]

    return run_all


def on_device(device, run):
    """trial.run, which adds the device to runs that are not the evaluator's, on meshes, or for another set of instructions."""
    def wrapped(*command):
        other = any(f.startswith(("--engine=reference", "--spmd", "TESSERA_ISA", "--emit", "--threads")) for f in command)
        if "run" not in command[:4] or other:
            return run(*command)
        done = run(*command, f"--device={device}", "--dump-program")
        tell_host(done.stderr)
        return done

    return wrapped


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("generator")
    p.add_argument("--bin", default="build/bin")
    p.add_argument("--device", default="cuda")
    p.add_argument("--count", default="50")
    p.add_argument("--seed", default="1")
    p.add_argument("--save", default="build/differential")
    o = p.parse_args()
    generator, verdicts = importlib.import_module(o.generator), []
    trial.every = every(o.device, verdicts)
    if o.generator in JUDGES:
        trial.run = on_device(o.device, trial.run)
    sys.argv = [o.generator, "--bin", o.bin, "--count", o.count, "--seed", o.seed, "--save", o.save]
    code = generator.main()
    return verdicts[-1] if verdicts else code


if __name__ == "__main__":
    sys.exit(main())
