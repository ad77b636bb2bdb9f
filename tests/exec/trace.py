# SPDX-License-Identifier: Apache-2.0
"""Traces of `tessera run --profile` keep the rules of Chrome's trace format, and say what they should of groups.

usage: trace.py [--bin build/bin] [FILE...]    files: traces to check; without any, programs are run and their traces checked
The last line is 'N passed, N failed'."""
import argparse, collections, json, os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
PHASES = {"X": {"ts", "dur", "name", "cat", "args"}, "b": {"ts", "name", "cat", "id"}, "e": {"ts", "name", "cat", "id"}, "M": {"name", "args"}}
ARGS = {"group": int, "kind": str, "bytes": int, "flops": int, "location": str, "device": int}
SUMS = {"events", "dropped", "collectives", "busy_ms", "collective_ms", "in_flight_ms", "overlap_ms", "machine"}


def check_event(e):
    wanted = PHASES.get(e.get("ph"))
    if wanted is None:
        return "phase %r" % e.get("ph")
    if not all(type(e.get(k)) is int and e[k] >= 0 for k in ("pid", "tid")):
        return "pid and tid are no numbers"
    if not wanted <= set(e):
        return "lacks %s" % (wanted - set(e))
    if any(type(e[k]) not in (int, float) or e[k] < 0 for k in ("ts", "dur") if k in e):
        return "a time is negative or no number"
    if e["ph"] == "M":
        return None if e["name"] in ("process_name", "thread_name") and type(e["args"].get("name")) is str else "metadata"
    if e["ph"] == "X":
        for k, kind in ARGS.items():
            if type(e["args"].get(k)) is not kind:
                return "args lack %s" % k
        if "efficiency" in e["args"] and not ("GB/s" in e["args"] and "GFLOP/s" in e["args"]):
            return "efficiency without rates"
    return None


def check_rows(events):
    """Events of a row follow each other, or one holds the other."""
    rows = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X":
            rows[e["pid"], e["tid"]].append((e["ts"], e["ts"] + e["dur"]))
    named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    if set(rows) - named:
        return "rows without a name: %s" % sorted(set(rows) - named)
    for row, spans in rows.items():
        open_until = []
        for start, end in sorted(spans, key=lambda s: (s[0], -s[1])):
            while open_until and open_until[-1] <= start + 0.002:
                open_until.pop()
            if open_until and end > open_until[-1] + 0.002:
                return "events of row %s overlap at %s" % (row, start)
            open_until.append(end)
    return None


def check_pairs(events):
    begun = {}
    for e in events:
        key = (e.get("cat"), e.get("id"), e["pid"])
        if e["ph"] == "b":
            if key in begun:
                return "begun twice: %s" % (key,)
            begun[key] = e
        if e["ph"] == "e":
            b = begun.get(key)
            if not b or b["name"] != e["name"] or b["ts"] > e["ts"]:
                return "an end without its beginning: %s" % (key,)
    ends = sum(e["ph"] == "e" for e in events)
    return None if ends == len(begun) else "%d pairs have no end" % (len(begun) - ends)


def check(trace):
    """What is wrong; None: nothing."""
    if type(trace) is not dict or type(trace.get("traceEvents")) is not list:
        return "no object with traceEvents"
    events = trace["traceEvents"]
    for i, e in enumerate(events):
        wrong = check_event(e)
        if wrong:
            return "event %d: %s" % (i, wrong)
    other = trace.get("otherData", {})
    if not SUMS <= set(other):
        return "otherData lacks %s" % (SUMS - set(other))
    if other["events"] != sum(e["ph"] == "X" for e in events) or other["collectives"] != sum(e["ph"] == "b" for e in events):
        return "sums are not those of the events"
    return check_rows(events) or check_pairs(events)


def runs(tool, tmp):
    """Name, trace, and how many devices it has."""
    corpus = os.path.join(here, "..", "corpus")
    machine = os.path.join(tmp, "machine.json")
    subprocess.run([tool, "calibrate", "--seconds=0", "-o", machine], check=True)
    for name, flags, devices in [
        ("large/gpt_train_4.mlir", ["--threads=1"], 1),
        ("large/gpt_train_4.mlir", ["--threads=3"], 1),
        ("large/gpt_train_4.mlir", ["--threads=2", "--spmd"], 8),
        ("lstm_scan/module.mlir", ["--threads=2", "--repeat=2", "--timing"], 1),
        ("mlp_train_step_dp/module.mlir", ["--threads=9", "--spmd"], 8),
    ]:
        path = os.path.join(tmp, "trace.json")
        if os.path.exists(path):
            os.remove(path)
        argv = [tool, "run", os.path.join(corpus, name), "--input=random", "--profile=" + path, "--machine=" + machine] + flags
        p = subprocess.run(argv, capture_output=True, stdin=subprocess.DEVNULL)
        if p.returncode:
            yield name, flags, None, devices, p.stderr.decode()[-300:]
            continue
        yield name, flags, json.load(open(path)), devices, None


def self_test(trace):
    """A trace with a mistake is found."""
    text = json.dumps(trace)
    first = next(i for i, e in enumerate(trace["traceEvents"]) if e["ph"] == "X")
    e = trace["traceEvents"][first]
    row = [x for x in trace["traceEvents"] if x["ph"] == "X" and (x["pid"], x["tid"]) == (e["pid"], e["tid"]) and x["ts"] > e["ts"] + e["dur"] and x["dur"] > 0.1]
    into_next = [{"dur": row[0]["ts"] + row[0]["dur"] / 2 - e["ts"]}] if row else []
    for change in [{"ph": "Z"}, {"dur": -1}, {"tid": "x"}, {"args": {}}] + into_next:
        bad = json.loads(text)
        bad["traceEvents"][first].update(change)
        if check(bad) is None:
            return "%s is not found" % change
    return None


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", default="build/bin")
    p.add_argument("files", nargs="*")
    a = p.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        if a.files:
            results = [(f, [], json.load(open(f)), None, None) for f in a.files]
        else:
            results = runs(os.path.abspath(os.path.join(a.bin, "tessera")), tmp)
        for name, flags, trace, devices, wrong in results:
            wrong = wrong or check(trace)
            if not wrong and devices:
                found = {e["tid"] for e in trace["traceEvents"] if e["ph"] == "X" and e["pid"] == 1}
                if found != set(range(devices)):
                    wrong = "rows of devices: %s" % sorted(found)
            wrong = wrong or self_test(trace)
            failed += wrong is not None
            passed += wrong is None
            if wrong:
                print("FAIL %s %s: %s" % (name, " ".join(flags), wrong))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed != 0 or not passed)


main()
