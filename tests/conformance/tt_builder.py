# SPDX-License-Identifier: Apache-2.0
"""tt-mlir's own Python tests, unchanged, on the packages of python/tt: what target ttnn (or none) gives on a described system of eight chips, with the misses by
their reasons, for docs/CONFORMANCE.md.

    python3 tests/conformance/tt_builder.py CHECKOUT --bin build/bin [--builder theirs|ours] [--suite golden|chisel|op_by_op|scripts] [--only TEXT] --results FILE
    python3 tests/conformance/tt_builder.py CHECKOUT --bin build/bin --builder ours --target emitpy|emitc [--sample N] --results FILE
    python3 tests/conformance/tt_builder.py CHECKOUT --report THEIRS OURS OTHERS
    python3 tests/conformance/tt_builder.py CHECKOUT --report-emitted PYTHON CPP

It needs torch, pytest and einops (TT_PYTHON: a Python that has them; chisel and op_by_op more), and hours for all. --builder theirs: tt-mlir's builder and golden
library, on our bindings; ours: our own ones, too. Cases run in the order of a checksum of their names, and --results keeps what is done: a run that was ended
is a sample, and another one goes on behind it. What ends the process is counted as a miss, and the rest runs in the next."""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

PLUGIN = '''
import json, os, time, zlib
import pytest
OUT, END = os.environ["TT_OUT"], float(os.environ["TT_END"])
done = {json.loads(line)[0] for line in open(OUT)} if os.path.exists(OUT) else set()

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    def wanted(item):
        target = item.callspec.params.get("target", "ttnn") if hasattr(item, "callspec") else "ttnn"
        return target == os.environ["TT_TARGET"]
    plain = sorted(filter(wanted, items), key=lambda item: zlib.crc32(item.nodeid.encode()))
    sample = int(os.environ["TT_SAMPLE"])  # of cases that are not expected to fail or to be skipped, the first ones
    if sample:
        plain = [item for item in plain if not any(True for name in ("skip", "skipif", "xfail") for _ in item.iter_markers(name))][:sample]
    items[:] = [item for item in plain if item.nodeid not in done]

def write(row):
    with open(OUT, "a") as file:
        file.write(json.dumps(row) + "\\n")

def pytest_runtest_logstart(nodeid, location):
    if time.time() > END:
        pytest.exit("the time is over", 0)
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
    why = errors[-1][4:600].strip() if errors else text.splitlines()[-1][:300] if text else ""
    write([report.nodeid, outcome, why if outcome == "failed" else ""])
'''

# By suite: where it is, and what more its tests import.
SUITES = {
    "golden": ("test/python/golden", ["tools", "tools/tt-alchemist/templates/python/local"]),
    "chisel": ("test/python/chisel", ["test/python/chisel", "tools", "tools/chisel"]),
    "op_by_op": ("test/python/op_by_op", ["test/python", "tools", "tools/op-by-op-infra"]),
}
MEMORY = 12 << 30
SCRIPTS = ["smoketest.py", "device_attr.py"]


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout")
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--builder", choices=("theirs", "ours"), default="theirs")
    parser.add_argument("--suite", choices=(*SUITES, "scripts"), default="golden")
    parser.add_argument("--target", choices=("ttnn", "emitpy", "emitc"), default="ttnn")
    parser.add_argument("--sample", type=int, default=0, help="so many cases, the first of the order, without those that are marked to fail or to be skipped")
    parser.add_argument("--only", default="")
    parser.add_argument("--results")
    parser.add_argument("--report", nargs=3, metavar=("THEIRS", "OURS", "OTHERS"))
    parser.add_argument("--report-emitted", nargs=2, metavar=("PYTHON", "CPP"))
    parser.add_argument("--seconds", type=int, default=6 * 3600)
    return parser.parse_args()


def environment(o, checkout, folder):
    ours = [ROOT / "python", ROOT / "python" / "tt"]
    theirs = [checkout / path for path in SUITES.get(o.suite, ("", []))[1]]
    paths = [folder, *(ours + theirs if o.builder == "ours" else theirs + ours)]
    # Kernels of torch for AVX2: what a virtual machine says of newer instructions is not always true.
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TT_MLIR_HOME": str(checkout),
        "SYSTEM_DESC_PATH": f"{folder}/system.ttsys",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "ATEN_CPU_CAPABILITY": "avx2",
        "TT_TARGET": o.target,
        "TT_SAMPLE": str(o.sample),
    }


def read(path):
    """The last word on each case; one that never ended is a crash."""
    found = {}
    for line in Path(path).read_text().splitlines() if path and Path(path).exists() else ():
        name, outcome, text = json.loads(line)
        if outcome != "started" or name not in found:
            found[name] = (outcome, text)
    return {n: ("failed", "the process ended") if o == "started" else (o, t) for n, (o, t) in found.items()}


def suite_options(o, work):
    """Options of a suite's tests, and what they look for where they run."""
    if o.suite == "golden":
        return ["--sys-desc=ttrt-artifacts/system_desc.ttsys", "--path=."]
    os.symlink(Path(o.checkout).resolve() / "test", f"{work}/test")
    if o.suite == "op_by_op":
        return []
    tools, module = Path(o.bin).resolve(), ROOT / "tests/python/seed/Inputs/test.mlir"
    subprocess.run([tools / "ttmlir-opt", "--ttir-to-ttnn-runtime-pipeline", module, "-o", f"{work}/test.mlir"], check=True)
    subprocess.run([tools / "ttmlir-translate", "--ttnn-to-flatbuffer", f"{work}/test.mlir", "-o", f"{work}/test.ttnn"], check=True)
    return [f"--binary={work}/test.ttnn"]


def run_files(o, files, env, out, system):
    """Runs files, again after each crash."""
    import resource
    import time

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # one case does not take the machine's
    end, before = time.time() + o.seconds, -1
    while time.time() < end and len(read(out)) != before:
        before = len(read(out))
        with tempfile.TemporaryDirectory() as work:
            os.makedirs(f"{work}/ttrt-artifacts")
            Path(f"{work}/ttrt-artifacts/system_desc.ttsys").write_bytes(system)
            command = [os.environ.get("TT_PYTHON", sys.executable), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tt_judge", "--tb=short"]
            command += suite_options(o, work)
            done = subprocess.run([*command, *map(str, files)], cwd=work, env={**env, "TT_OUT": str(out), "TT_END": str(end)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode >= 0:
            if done.returncode not in (0, 1):
                sys.stderr.write(done.stdout.decode(errors="replace")[-3000:])
            return


def run_scripts(o, checkout, env, out):
    """Scripts whose output FileCheck judges."""
    filecheck = next((shutil.which(name) for name in ("FileCheck", *(f"FileCheck-{n}" for n in range(22, 13, -1))) if shutil.which(name)), None)
    for name in SCRIPTS:
        path = checkout / "test/python" / name
        with tempfile.TemporaryDirectory() as work:
            found = subprocess.run([os.environ.get("TT_PYTHON", sys.executable), str(path)], cwd=work, env=env, capture_output=True)
        good, why = found.returncode == 0, found.stderr.decode(errors="replace").strip().split("\n")[-1]
        if good and filecheck:
            judged = subprocess.run([filecheck, str(path)], input=found.stdout, capture_output=True)
            good, why = judged.returncode == 0, judged.stderr.decode(errors="replace").split("\n")[0]
        with open(out, "a") as file:
            file.write(json.dumps([f"test/python/{name}::script", "passed" if good else "failed", "" if good else why[:300]]) + "\n")


def run(o, results):
    checkout = Path(o.checkout).resolve()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tt_judge.py").write_text(PLUGIN)
        env = environment(o, checkout, folder)
        system = Path(folder, "system.ttsys")
        subprocess.run([str(Path(o.bin).resolve() / "ttrt"), "query", "--chips=8", f"--system-desc={system}"], check=True, stdout=subprocess.DEVNULL)
        if o.suite == "scripts":
            run_scripts(o, checkout, env, results)
            return
        tests = (checkout / SUITES[o.suite][0]).rglob("test_*.py")
        files = sorted(p for p in tests if p.name != "test_utils.py" and not {"d2m", "optimizer"} & set(p.parts) and o.only in str(p))
        run_files(o, files, env, results, system.read_bytes())


# Reasons, by what messages say; the first that fits.
REASONS = [
    ("the optimizer's model of kernels in a device's memory is not there", "optimizer of TTNN needs a model"),
    ("no conversion to TTNN", "failed to legalize"),
    ("an op has no form in the binary", "has no form in a flatbuffer"),
    ("a layout that nothing makes of another", "no ops of TTNN change this layout"),
    ("a fusion did not happen, or another op was expected", "check_op"),
    ("values are off", "golden comparison failed"),
    ("values are off", "a correlation of"),
    ("the process ended", "the process ended"),
    ("MPMD is not part of Tessera", "MPMD is not part"),
    ("MPMD is not part of Tessera", "the dialect mpmd"),
    ("more memory than the run may take", "no memory for"),
    ("more memory than the run may take", "Unable to allocate"),
    ("more memory than the run may take", "can't allocate memory"),
    ("a layout of elements of 64 bits", "is not a valid DataType"),
    ("an option of the optimizer, which is not there", "no such option override-"),
    ("our builder has no method for custom calls of tt", "there is no op 'stablehlo."),
    ("an op is copied to another module, with operands of the first", "is a value of another module"),
    ("DeviceAttr is not made from a description of a system", "from_system_desc"),
    ("hooks see a tensor that an op changes as it was before", "numerics"),
    ("hooks see a tensor that an op changes as it was before", "NumericsMode"),
]


# Cases whose values are off, by what their names have. tt-mlir's golden library says something else of some ops than their definition, which Tessera follows.
OTHER_GOLDENS = {
    "fill_cache": "the builder's golden of a cache that an op changes is the one before",
    "update_cache": "the builder's golden of a cache that an op changes is the one before",
    "remainder": "the golden library gives remainder the sign of the divisor; the op's definition, as StableHLO's, that of the dividend",
    "sdpa_decode": "the golden library adds masks of attention that decodes before it scales, as kernels do; attention scales first",
    "hoisted_where": "the golden library takes a condition below zero for false; the op's definition, all that is not zero for true",
}


def reason(text, case=""):
    if any(words in text for name, words in REASONS if name == "values are off"):
        for op, why in OTHER_GOLDENS.items():
            if op in case:
                return why
    for name, words in REASONS:
        if words in text:
            op = re.search(r"'(ttir|ttnn|ttcore|stablehlo|debug)\.[a-z0-9_]+'", text)
            return f"{name}: {op[0][1:-1]}" if op and "'" in text and name.startswith(("no conv", "an op")) else name
    text = text.partition("golden mismatch. Exception: ")[2] or text
    plain = re.sub(r"^(builder\.base\.builder_runtime\.)?TTBuilder\w+:\s*(error: )?", "", re.sub(r'"?/\S*\.py\S*', "", text))
    return re.sub(r"\d+", "N", plain)[:110].replace("|", "/").strip() or "no message"


def tally(found):
    """Outcomes by file, and reasons of misses."""
    files, reasons = collections.defaultdict(collections.Counter), collections.Counter()
    for name, (outcome, text) in found.items():
        files[name.split("::")[0].split("test/python/")[-1].split("golden/")[-1]][outcome] += 1
        if outcome == "failed":
            reasons[reason(text, name)] += 1
    return files, reasons


def share(files):
    all_ = sum(files.values(), collections.Counter())
    plain = all_["passed"] + all_["failed"]
    return f"{all_['passed']} of {plain} pass ({100 * all_['passed'] / max(plain, 1):.1f} %); {sum(all_.values())} cases in all"


def table(out, files):
    out.write("| file | passed | failed | expected to fail: did, passed | strict ones that passed | skipped |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
    for file, n in (*sorted(files.items()), ("all", sum(files.values(), collections.Counter()))):
        out.write(f"| {file} | {n['passed']} | {n['failed']} | {n['xfailed']}, {n['xpassed']} | {n['xpassed strict']} | {n['skipped']} |\n")


def misses(out, reasons):
    if reasons:
        out.write("\n| misses | why |\n| ---: | --- |\n")
        for name, count in reasons.most_common():
            out.write(f"| {count} | {name} |\n")


def report(paths, out=sys.stdout):
    theirs, ours, others = (tally(read(path)) for path in paths)
    out.write("## tt-mlir's builder tests\n\nMade by `tests/conformance/tt_builder.sh`: tt-mlir's tests in test/python/golden without d2m and optimizer, unchanged; target ttnn or none, eight chips,\n")
    out.write("plain cases (those that are expected to fail are counted apart). Where a file has fewer cases than the checkout, the run was ended before: cases\n")
    out.write("run in the order of a checksum of their names.\n\n")
    for (files, reasons), title in ((theirs, "tt-mlir's builder and golden library on our bindings"), (ours, "Our builder, golden library and bindings")):
        out.write(f"### {title}\n\nOf plain cases {share(files)}.\n\n")
        table(out, files)
        misses(out, reasons)
        out.write("\n")
    out.write(f"### chisel, op_by_op and scripts\n\ntt-mlir's tools and tests on our bindings: {share(others[0])}.\n\n")
    table(out, others[0])
    misses(out, others[1])


def report_emitted(paths, out=sys.stdout):
    out.write("## tt-mlir's builder tests of emitted code\n\nMade by `tests/conformance/tt_builder.sh`: the same tests, targets emitpy and emitc, eight chips, our builder and golden library: the text is emitted, runs\n")
    out.write("([EMIT.md](EMIT.md)), and what it gives is compared. Of C++, which a compiler reads for each case, a sample: the first 150 cases by a checksum of their names that are not\n")
    out.write("marked to fail or to be skipped.\n\n")
    for path, title in zip(paths, ("Python", "C++")):
        files, reasons = tally(read(path))
        out.write(f"### {title}\n\nOf plain cases {share(files)}.\n\n")
        table(out, files)
        misses(out, reasons)
        out.write("\n" if title == "Python" else "")


def main():
    o = options()
    if o.report:
        report(o.report)
        return
    if o.report_emitted:
        report_emitted(o.report_emitted)
        return
    if not o.results:
        sys.exit("--results FILE is needed")
    results = Path(o.results).resolve()
    run(o, results)
    files, _ = tally(read(results))
    print(f"{o.suite}, builder {o.builder}: {share(files)}")
    if not files:
        sys.exit("no case ran: torch, pytest and einops are needed (TT_PYTHON)")


if __name__ == "__main__":
    main()
