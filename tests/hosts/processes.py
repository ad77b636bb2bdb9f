# SPDX-License-Identifier: Apache-2.0
"""processes.py - JAX on three processes with two devices each, and on two with one and three: results have the bytes of threads, programs that differ are told,
and so is a process that dies (job.py)."""

import os
import re
import socket
import subprocess
import sys
import tempfile

folder = os.path.dirname(os.path.abspath(__file__))
DEVICES = (2, 2, 2)
NAMES = ("all", "first and last", "reversed", "interleaved", "shard_map", "large psum")
passed = failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAIL {what}")


def start(rank, size, port, devices, out):
    environment = dict(os.environ, TESSERA_DEVICES=str(devices), JAX_PLATFORMS="tessera", TESSERA_TIMEOUT="60")
    return subprocess.Popen([sys.executable, "-W", "ignore", os.path.join(folder, "job.py"), str(rank), str(size), str(port)],
                            env=environment, stdout=out, stderr=subprocess.STDOUT)


def run(devices):
    """The lines of each process, by name; and their exit codes."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    outs = [tempfile.TemporaryFile("w+") for _ in devices]
    jobs = [start(i, len(devices), port, n, out) for i, (n, out) in enumerate(zip(devices, outs))]
    codes = []
    for job in jobs:
        try:
            codes.append(job.wait(200))
        except subprocess.TimeoutExpired:
            job.kill()
            codes.append("timed out")
    lines = []
    for out in outs:
        out.seek(0)
        text = out.read()
        found = {}
        for name, what in re.findall(r"^([a-z_ ]+): (.*)$", text, re.M):
            found.setdefault(name, []).append(what)
        lines.append((found, text))
    return lines, codes


def compare(threads, found, what):
    for name in NAMES:
        parts = set(threads.get(name, [""])[0].split())
        check(set(found.get(name, [""])[0].split()) <= parts, f"{what}: {name} has not the bytes of threads")


(threads, said), = run([4])[0]
jobs, codes = run((1, 3))
check(codes == [0, 0], f"exit codes: {codes}")
for rank, (found, text) in enumerate(jobs):
    compare(threads, found, f"process {rank} of two")
    check(all(name in found for name in NAMES) and found.get("devices") == ["[(0, 0), (1, 1), (2, 1), (3, 1)]"], f"process {rank} of two: {text[-2000:]}")

(threads, said), = run([sum(DEVICES)])[0]
jobs, codes = run(DEVICES)
check(codes == [0, 0, -9], f"exit codes: {codes}")
for rank, (found, text) in enumerate(jobs):
    before = failed
    compare(threads, found, f"process {rank}")
    check(("first and last" in found) == (rank != 1), f"process {rank}: its meshes")
    check(found.get("devices") == ["[(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2)]"], f"process {rank}: devices")
    check(found.get("own") == [["[0, 1]", "[2, 3]", "[4, 5]"][rank]], f"process {rank}: its devices")
    check(found.get("allgather") == ["[0, 1, 2]"], f"process {rank}: process_allgather")
    check(found.get("local data") == ["12.0"], f"process {rank}: make_array_from_process_local_data")
    for error in found.get("order", []):
        check("launch different programs" in error and "total_of" in error and "largest_of" in error and "job.py:" in error and
              "process 0 (" in error, f"process {rank}: order: {error}")
    check(len(found.get("order", [])) == 2 and found.get("after") == ["276.0"], f"process {rank}: after the error")
    if rank < 2:
        when, kind, what = (found.get("death") or ["0 none none"])[0].split(" ", 2)
        check(kind == "JaxRuntimeError" and what.startswith("UNAVAILABLE") and re.search(r"process 2 \(.*, pid \d+\) died: ", what), f"process {rank}: death: {what}")
        check(0 <= float(when) - float(jobs[2][0].get("dies", ["0"])[0]) < 1, f"process {rank}: the time until it noticed")
        check(found.get("local") == ["45.0"] and "without it" in found, f"process {rank}: goes on")
    if failed > before:
        print(text[-3000:])
if said and failed:
    print(said[-500:])
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
