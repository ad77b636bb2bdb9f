"""tt-mlir's own builder, golden library and tests, unchanged, on the packages of python/tt: runs test/python/golden without d2m and optimizer, on a described system of
eight chips, and prints a table of what target ttnn (or none) gives, with the misses by their reasons, for docs/CONFORMANCE.md.

    python3 tests/conformance/tt_builder.py CHECKOUT --bin build/bin [--every N] [--only TEXT] [--results FILE] [--report FILE]

It needs torch, pytest and einops (TT_PYTHON: a Python that has them), and hours for all; --every N takes each N-th case, chosen by a checksum of its name.
A file runs in processes of its own: what ends one is counted, and the rest of the file runs in the next. --report makes the table of results of a run before."""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

PLUGIN = '''
import json, os, zlib
EVERY, OUT = int(os.environ["TT_EVERY"]), os.environ["TT_OUT"]
DONE = set(os.environ.get("TT_DONE", "").split("\\n"))

def pytest_collection_modifyitems(config, items):
    def wanted(item):
        target = item.callspec.params.get("target", "ttnn") if hasattr(item, "callspec") else "ttnn"
        return target == "ttnn" and zlib.crc32(item.nodeid.encode()) % EVERY == 0 and item.nodeid not in DONE
    items[:] = [item for item in items if wanted(item)]

def write(row):
    with open(OUT, "a") as file:
        file.write(json.dumps(row) + "\\n")

def pytest_runtest_logstart(nodeid, location):
    write([nodeid, "started", ""])

def pytest_runtest_logreport(report):
    if report.when != "call" and not (report.when == "setup" and report.outcome != "passed"):
        return
    text, outcome = str(report.longrepr or ""), report.outcome
    if hasattr(report, "wasxfail"):
        outcome = "xfailed" if outcome == "skipped" else "xpassed"
    elif outcome == "failed" and "[XPASS(strict)]" in text:
        outcome = "xpassed strict"
    errors = [line for line in text.splitlines() if line.startswith("E  ") and ("Error" in line or "Exception" in line or "error" in line)]
    write([report.nodeid, outcome, errors[-1][4:400].strip() if outcome == "failed" and errors else text.splitlines()[-1][:300] if outcome == "failed" and text else ""])
'''


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout")
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--results")
    parser.add_argument("--report")
    parser.add_argument("--seconds", type=int, default=7200, help="for one file")
    return parser.parse_args()


def environment(checkout, folder, every):
    # The checkout's builder and golden library come before those of python/tt.
    paths = [folder, checkout / "tools", checkout / "tools/tt-alchemist/templates/python/local", ROOT / "python", ROOT / "python" / "tt"]
    # Kernels of torch for AVX2: what a virtual machine says of newer instructions is not always true.
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TT_MLIR_HOME": str(checkout),
        "TT_EVERY": str(every),
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "ATEN_CPU_CAPABILITY": "avx2",
    }


def read(path):
    """The last word on each case; one that never ended is a crash."""
    found = {}
    for line in Path(path).read_text().splitlines() if Path(path).exists() else ():
        name, outcome, text = json.loads(line)
        if outcome != "started" or name not in found:
            found[name] = (outcome, text)
    return {n: ("failed", "the process ended") if o == "started" else (o, t) for n, (o, t) in found.items()}


def run_file(path, env, out, system, seconds):
    """Runs a file, again after each crash."""
    before = -1
    while True:
        done = read(out)
        if len(done) == before:
            return
        before = len(done)
        with tempfile.TemporaryDirectory() as work:
            os.makedirs(f"{work}/ttrt-artifacts")
            Path(f"{work}/ttrt-artifacts/system_desc.ttsys").write_bytes(system)
            command = [os.environ.get("TT_PYTHON", sys.executable), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tt_judge", "--tb=short"]
            command += ["--sys-desc=ttrt-artifacts/system_desc.ttsys", "--path=.", str(path)]
            try:
                code = subprocess.run(
                    command, cwd=work, env={**env, "TT_OUT": str(out), "TT_DONE": "\n".join(done)}, capture_output=True, timeout=seconds
                ).returncode
            except subprocess.TimeoutExpired:
                return
        if code >= 0:
            return


def run(o, results):
    checkout = Path(o.checkout).resolve()
    suite = checkout / "test/python/golden"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tt_judge.py").write_text(PLUGIN)
        env = environment(checkout, folder, o.every)
        system = Path(folder, "system.ttsys")
        subprocess.run([str(Path(o.bin).resolve() / "ttrt"), "query", "--chips=8", f"--system-desc={system}"], check=True)
        files = sorted(p for p in suite.rglob("test_*.py") if p.name != "test_utils.py" and not {"d2m", "optimizer"} & set(p.parts))
        for path in files:
            if o.only in str(path):
                run_file(path, env, results, system.read_bytes(), o.seconds)


# Reasons, by what messages say; the first that fits.
REASONS = [
    ("the optimizer's model of kernels in a device's memory is not there", "optimizer of TTNN needs a model"),
    ("no conversion to TTNN", "failed to legalize"),
    ("an op has no form in the binary", "has no form in a flatbuffer"),
    ("a layout that nothing makes of another", "no ops of TTNN change this layout"),
    ("a fusion did not happen, or another op was expected", "check_op"),
    ("values are off", "golden comparison failed"),
    ("the process ended", "the process ended"),
]


def reason(text):
    for name, words in REASONS:
        if words in text:
            op = re.search(r"'(ttir|ttnn|ttcore|stablehlo)\.[a-z0-9_]+'", text)
            return f"{name}: {op[0][1:-1]}" if op and "'" in text and name.startswith(("no conv", "an op")) else name
    return re.sub(r"\d+", "N", re.sub(r'"?/\S*\.py\S*', "", text))[:110].replace("|", "/") or "no message"


def report(found, every, out=sys.stdout):
    files, reasons = collections.defaultdict(collections.Counter), collections.Counter()
    for name, (outcome, text) in found.items():
        file = name.split("::")[0].split("golden/")[-1]
        files[file][outcome] += 1
        if outcome == "failed":
            reasons[reason(text)] += 1
    all_ = sum(files.values(), collections.Counter())
    plain = all_["passed"] + all_["failed"]
    part = "all cases" if every == 1 else f"each {every}th case, by a checksum of its name"
    out.write(f"## tt-mlir's builder tests\n\nMade by `tests/conformance/tt_builder.py`: tt-mlir's builder, golden library and tests, unchanged, on `python/tt`; target ttnn or none,\n")
    out.write(f"eight chips, {part}. Of plain cases {all_['passed']} of {plain} pass ({100 * all_['passed'] / max(plain, 1):.1f} %).\n\n")
    out.write("| file | passed | failed | expected to fail: did, passed | strict ones that passed | skipped |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
    for file in sorted(files):
        n = files[file]
        out.write(f"| {file} | {n['passed']} | {n['failed']} | {n['xfailed']}, {n['xpassed']} | {n['xpassed strict']} | {n['skipped']} |\n")
    n = all_
    out.write(f"| all | {n['passed']} | {n['failed']} | {n['xfailed']}, {n['xpassed']} | {n['xpassed strict']} | {n['skipped']} |\n\n")
    out.write("| misses | why |\n| ---: | --- |\n")
    for name, count in reasons.most_common():
        out.write(f"| {count} | {name} |\n")


def main():
    o = options()
    if o.report:
        report(read(o.report), o.every)
        return
    with tempfile.TemporaryDirectory() as folder:
        results = Path(o.results or f"{folder}/results").resolve()
        run(o, results)
        found = read(results)
    report(found, o.every)
    if not found:
        sys.exit("no case ran: torch, pytest and einops are needed (TT_PYTHON)")


if __name__ == "__main__":
    main()
