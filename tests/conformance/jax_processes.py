# SPDX-License-Identifier: Apache-2.0
"""jax_processes.py - JAX's own tests of several processes (tests/multiprocess), on JAX's cpu backend and on Tessera, and their table
in docs/CONFORMANCE.md. A test counts as process 0 reports it."""

import argparse
import collections
import os
import re
import signal
import subprocess
import sys
import tempfile

TITLE = "## JAX on several processes"
# Tests of transfers between devices of different processes, which need an extension of PJRT: listed apart.
CROSS_HOST = re.compile(r"^CrossHostTransferTest\.")
LINE = re.compile(r"^\[ +(OK|SKIPPED|FAILED) +\] (\w+\.\w+)", re.M)

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("checkout", help="JAX at the release that this Python has")
parser.add_argument("--build", default="build")
parser.add_argument("--processes", default="2,4")
parser.add_argument("--files", default="", help="which, parted by commas; then the document stays as it is")
parser.add_argument("--limit", type=float, default=400, help="seconds for a file")
args = parser.parse_args()
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
tests = os.path.join(args.checkout, "tests", "multiprocess")


def run(name, processes, platform):
    """How each test of a file ended, by its name."""
    environment = dict(os.environ, JAX_PLATFORMS=platform, TESSERA_DEVICES="1", PYTHONDONTWRITEBYTECODE="1")
    environment["PYTHONPATH"] = os.path.join(root, "python") + ":" + os.environ.get("PYTHONPATH", "")
    environment["TESSERA_PLUGIN"] = os.path.abspath(os.path.join(args.build, "pjrt_plugin_tessera.so"))
    with tempfile.TemporaryDirectory() as logs:
        environment["TEST_UNDECLARED_OUTPUTS_DIR"] = logs
        command = [sys.executable, name + ".py", f"--num_processes={processes}", "--initialization_timeout=100", "--heartbeat_timeout=60"]
        job = subprocess.Popen(command, cwd=tests, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            job.wait(args.limit)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
        found = {}
        for log in ("jax_0_stderr.log", "jax_0_stdout.log"):
            path = os.path.join(logs, log)
            text = open(path, errors="replace").read() if os.path.exists(path) else ""
            for how, test in LINE.findall(text):
                found[test] = "FAILED" if "FAILED" in (how, found.get(test)) else how
        return found


def count(found, how):
    return sum(h == how for t, h in found.items() if not CROSS_HOST.match(t))


names = sorted(f[:-3] for f in os.listdir(tests) if f.endswith("_test.py"))
names = [n for n in names if not args.files or n in args.files.split(",")]
rows, missing, apart = [], [], collections.Counter()
for processes in (int(n) for n in args.processes.split(",")):
    sums = collections.Counter()
    for name in names:
        cpu, own = run(name, processes, "cpu"), run(name, processes, "tessera,cpu")
        of_cpu = [t for t, h in cpu.items() if h == "OK" and not CROSS_HOST.match(t)]
        figures = (count(cpu, "OK"), count(own, "OK"), sum(own.get(t) == "OK" for t in of_cpu), count(cpu, "FAILED"), count(own, "FAILED"), count(own, "SKIPPED"))
        print(f"{name}, {processes} processes: cpu passes {figures[0]}, Tessera {figures[1]}", file=sys.stderr, flush=True)
        sums.update(dict(enumerate(figures)))
        missing += [f"{name}, {processes} processes: {t}: {own.get(t, 'not run').lower()}" for t in of_cpu if own.get(t) != "OK"]
        for found, platform in ((cpu, "cpu"), (own, "Tessera")):
            apart.update((processes, platform, h) for t, h in found.items() if CROSS_HOST.match(t))
    rows.append(f"| {processes} | " + " | ".join(str(sums[i]) for i in range(6)) + " |")

text = ["| processes | cpu passes | Tessera passes | of cpu's | cpu fails | Tessera fails | Tessera skips |", "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |", *rows, ""]
text += ["Transfers between devices of different processes (CrossHostTransferTest), which are not in the table: " +
         "; ".join(f"{n} processes, {p}: {apart[n, p, 'OK']} pass, {apart[n, p, 'FAILED']} fail, {apart[n, p, 'SKIPPED']} skipped"
                   for n in (int(n) for n in args.processes.split(",")) for p in ("cpu", "Tessera")) + ".", ""]
text += [f"- {m}" for m in missing] or ["No test that cpu passes is missing."]
print("\n".join(text))
if not args.files:
    import jax

    path = os.path.join(root, "docs", "CONFORMANCE.md")
    document = open(path).read()
    head, _, rest = document.partition(TITLE)
    following = rest[rest.index("\n## ") + 1:] if "\n## " in rest else ""
    if not rest:
        at = document.find("## JAX by version")
        head, following = (document[:at], document[at:]) if at >= 0 else (document.rstrip("\n") + "\n\n", "")
    made = f"{TITLE}\n\nMade by `make conformance JAX=...` with JAX {jax.__version__}: its tests/multiprocess, one device a process, as process 0 reports them;\nTessera with `JAX_PLATFORMS=tessera,cpu`.\n\n"
    open(path, "w").write(head + made + "\n".join(text) + "\n" + ("\n" + following if following else ""))
