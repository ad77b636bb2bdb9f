#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of all generators, many at a time.

    many.py [--build build] [--programs 20000] [--rows 1000] [--jobs N] [--seed S] [--only NAME,...] [--save DIR]

Seeds are drawn anew, or follow from --seed. Programs are dealt to the generators of the table by their shares, and run in
parts, each a process with a seed of its own. Each generator has a line: its programs, how many were refused (they do not run
before anything is done to them), how many went wrong (in each way that they run), and the seconds that its parts took. What went wrong follows, with the
command that shows it again. --rows is how many rows narrow_rows.py sends through norms and softmax; 0 leaves it out.
The last line has the totals.
"""
import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import time

PARTS, LEAST = 25, 60  # parts that a generator's programs are divided into; programs of a part: generators want some of each kind
LIMIT = 900  # seconds that a part may take

SPMD = "{build}/bin-test/spmd {} --cells 0 --failures 1000000 --count {count} --seed {seed} --save {save}"
PYTHON = "{python} tests/differential/{}.py --bin {build}/bin --count {count} --seed {seed} --save {save}"
# Name, share of the programs, command.
GENERATORS = [
    ("compiled", 18, SPMD.replace("{}", "--compiled", 1)),
    ("compiled, on meshes", 14, SPMD.replace("{}", "--compiled-mesh", 1)),
    ("partitioned", 14, SPMD.replace("{}", "", 1)),
    *((name, share, PYTHON.replace("{}", name, 1)) for name, share in (
        ("ttir_programs", 8), ("narrow_programs", 6), ("moves", 3), ("prologues", 3), ("zeros", 4), ("slices", 3), ("einsums", 4),
        ("convs", 3), ("chains", 3), ("again", 2), ("ttnn", 4), ("ttir", 3), ("quant", 2), ("values", 1), ("distribute", 1), ("partition", 2))),
    ("data_parallel", 2, "{python} tests/differential/data_parallel.py --bin {build}/bin --count {count} --seed {seed} --keep {save}"),
    ("gspmd_random", 2, "{python} tests/differential/gspmd_random.py --bin {build}/bin --count {count} --seed {seed} --save {save}/{seed}"),
    ("auto_random", 2, "sh tests/differential/auto_random.sh {count} {seed}"),
]
ROWS = "{python} tests/differential/narrow_rows.py --bin {build}/bin --rows {rows} --seed {seed} --quiet"
REFUSED = re.compile(r"does not run|undivided: ")
WRONG = re.compile(r"^(FAIL|program .*(fails|differs|: ))|Error")


def parts(count, rng):
    """Programs and seed of each part."""
    each = max(LEAST, -(-count // PARTS))
    while count > 0:
        yield min(each, count), rng.randrange(1, 2**31)
        count -= each


def dealt(options, rng):
    """Parts of all generators: name, programs, command."""
    known = {"python": sys.executable, "build": options.build, "save": options.save, "rows": options.rows}
    here = [g for g in GENERATORS if not options.only or g[0] in options.only]
    shares = sum(g[1] for g in here)
    for name, share, command in here:
        for count, seed in parts(-(-options.programs * share // shares), rng):
            yield name, count, command.format(count=count, seed=seed, **known)
    if options.rows:
        yield "narrow_rows", 0, ROWS.format(seed=rng.randrange(1, 2**31), **known)


def run(part, environment):
    """Refused programs, others that went wrong, what was printed of them, seconds."""
    name, count, command = part
    start = time.time()
    try:
        done = subprocess.run(command.split(), capture_output=True, text=True, timeout=LIMIT, env=environment)
    except subprocess.TimeoutExpired:
        return 0, max(count, 1), [f"it takes more than {LIMIT} s"], LIMIT
    except OSError as e:
        return 0, max(count, 1), [str(e)], 0
    lines = (done.stdout + done.stderr).splitlines()
    found = re.findall(r"(?:^|, |: )(\d+) (?:passed, (\d+) failed|programs of \d+ rows each, (\d+) failed)", done.stdout, re.M)
    failed = int(found[-1][1] or found[-1][2]) if found else max(count, 1)
    failed = max(failed, int(done.returncode != 0))
    refused = min(failed, sum(bool(REFUSED.search(line)) for line in lines))
    told = [line for line in lines if WRONG.search(line) or REFUSED.search(line)] or lines[-3:]
    return refused, failed - refused, told[:10] if failed else [], time.time() - start


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--programs", type=int, default=20000)
    p.add_argument("--rows", type=int, default=1000)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    p.add_argument("--only", type=lambda names: names.split(","))
    p.add_argument("--save", default="build/many")
    options = p.parse_args()
    os.makedirs(options.save, exist_ok=True)
    all_parts = list(dealt(options, random.Random(options.seed)))
    print(f"seed {options.seed}, {len(all_parts)} parts", flush=True)
    start = time.time()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        environment = dict(os.environ, BUILD=options.build)
        results = list(pool.map(lambda part: run(part, environment), all_parts))
    print(f"{'generator':22}{'programs':>9}{'refused':>9}{'wrong':>7}{'seconds':>9}")
    for name in dict.fromkeys(part[0] for part in all_parts):
        mine = [(part, r) for part, r in zip(all_parts, results) if part[0] == name]
        sums = [sum(r[k] for _, r in mine) for k in (0, 1, 3)]
        print(f"{name:22}{sum(part[1] for part, _ in mine):9}{sums[0]:9}{sums[1]:7}{sums[2]:9.0f}")
        for (_, _, command), (_, _, told, _) in ((part, r) for part, r in mine if r[0] or r[1]):
            print("\n".join([f"  {command}", *(f"    {line[:300]}" for line in told)]))
    ran, refused, wrong = sum(part[1] for part in all_parts), sum(r[0] for r in results), sum(r[1] for r in results)
    print(f"{ran} programs, {refused} refused, {wrong} wrong; {options.rows} rows of each norm; seed {options.seed}; {time.time() - start:.0f} s with {options.jobs} jobs")
    print(f"{max(0, ran - refused - wrong)} passed, {refused + wrong} failed")
    return 1 if refused or wrong or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
