# SPDX-License-Identifier: Apache-2.0
"""Traces of programs of the runtime: which group of ops the engine ran when, on which device. A block writes

    trace.json              for Perfetto and chrome://tracing: programs, devices, threads
    tracy_ops_times.csv     a row for each run of a group, with the columns of tracy-csvexport
    tracy_ops_data.csv      where each came from
    ops_perf_results.csv    a row for each, with the columns of `ttrt perf`

to its folder when it ends, and serves the page of the explorer, with the trace on it, on 127.0.0.1 while it runs."""

import csv
import io
import json
import os
import time
from contextlib import contextmanager

from tessera._library import write_file

from _ttmlir_runtime import _run

from ._page import serve

_OPS = ("GLOBAL CALL COUNT", "OP CODE", "OP TYPE", "DEVICE ID", "HOST START TS", "HOST END TS", "HOST DURATION [ns]", "LOC", "CONST_EVAL_OP", "INPUT_LAYOUT_CONVERSION_OP", "PROGRAM_METADATA")
_TIMES = ("name", "src_file", "src_line", "zone_name", "zone_text", "ns_since_start", "exec_time_ns", "thread", "special_parent_text")
_PROGRAMS, _DEVICES = 0, 1  # processes of the trace: that of programs is ours, the others are the engine's


class Trace:
    """A block that is traced: its events so far, and where its page is."""

    def __init__(self, log_dir):
        self.log_dir, self.url = os.fspath(log_dir), None
        self._zero = time.monotonic()  # the clock of the engine
        self._named, self._events, self._rows, self._counts = {}, [], [], {}
        self._last = self._text = self._shown = None  # what the page shows: asked for by another thread, so it is text

    # ---- What ran ----

    def ran(self, module, name, began, ended, told):
        """A program ran. told: the engine's trace of it; empty where the evaluator did."""
        number = self._counts[name] = self._counts.get(name, -1) + 1
        self._add({"ph": "X", "pid": _PROGRAMS, "tid": 0, "ts": self._micro(began), "dur": 1e6 * (ended - began), "name": name, "cat": "program", "args": {"run": number}})
        found = json.loads(told) if told else {"traceEvents": []}
        shift = self._micro(found["otherData"]["start"]) if told else 0
        once = _const_eval(module)
        for event in found["traceEvents"]:
            if event["ph"] == "M":
                self._named[event["pid"], event["tid"], event["name"]] = event
                continue
            self._add({**event, "ts": event["ts"] + shift})
            if event["ph"] == "X" and event["pid"] == _DEVICES:
                self._rows.append((event["ts"] + shift, event["dur"], event["name"], event["tid"], event["args"]["location"], event["args"]["location"] in once, name, number))
        if self._last is not module:
            self._last, self._text = module, module.print(debug_info=True)
        self._shown = self._text, name

    def _micro(self, seconds):
        return max(0.0, 1e6 * (seconds - self._zero))

    def _add(self, event):
        self._events.append(event)

    # ---- What is written ----

    def json(self):
        """All of it in Chrome's format."""
        heads = [{"ph": "M", "pid": _PROGRAMS, "tid": 0, "name": key, "args": {"name": "programs"}} for key in ("process_name", "thread_name")]
        return json.dumps({"traceEvents": [*heads, *self._named.values(), *list(self._events)], "displayTimeUnit": "ms"})

    def page(self):
        """The explorer's page of the program that ran last, with the trace; None: nothing has run."""
        shown = self._shown
        if shown is None:
            return None
        import tessera

        text, name = shown
        module = tessera.Module.parse(text, "program", tessera.Context())
        return module.page(function=name, trace=self.json())

    def write(self):
        """The files."""
        with self._open("trace.json") as file:
            file.write(self.json())
        rows = sorted(self._rows)
        with self._open("tracy_ops_times.csv") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(_TIMES)
            for number, (start, length, op, device, place, *_) in enumerate(rows, 1):
                table.writerow(("TT_DNN_HOST_OP", place, 0, op, f"id:{number}", _nano(start), _nano(length), device, ""))
        with self._open("tracy_ops_data.csv") as file:
            table = csv.writer(file, delimiter=";", quotechar="`", lineterminator="\n")
            table.writerow(("MessageName", "total_ns"))
            table.writerows(("MLIR_OP_LOCATION", place, _nano(start)) for start, _, _, _, place, *_ in rows)
        with self._open("ops_perf_results.csv") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(_OPS)
            for number, (start, length, op, device, place, once, program, run) in enumerate(rows, 1):
                about = str({"loop_number": run, "program": program})
                table.writerow((number, op, "host", device, _nano(start), _nano(start + length), _nano(length), place, _word(once), "false", about))

    @contextmanager
    def _open(self, name):
        text = io.StringIO(newline="")
        yield text
        write_file(os.path.join(self.log_dir, name), text.getvalue())


def _nano(micro):
    return round(1000 * micro)


def _word(found):
    return "true" if found else "false"


def _const_eval(module):
    """Places of what is computed once for all runs."""
    found, others = set(), set()
    for op in module.walk():
        if op.name == "func.func" and op.regions[0].blocks:
            role = op.attributes["tt.function_type"].value if "tt.function_type" in op.attributes else ""
            places = {_place(inner.location) for inner in op.regions[0].blocks[0].ops}
            (found if role == "const_eval" else others).update(places)
    return found - others


def _place(location):
    """As the engine's trace says it."""
    text = str(location)
    return text[4:-1].replace('"', "") if text.startswith("loc(") else text


@contextmanager
def trace(log_dir, port):
    """Records the programs that run in the block. port: where its page is, on this machine alone; 0: a port that is free. The block gets
    the trace: .url is its page, .json() all of it so far."""
    if not isinstance(port, int) or not 0 <= port < 65536:
        raise ValueError(f"{port!r} is no port: 0 to 65535")
    os.makedirs(log_dir, exist_ok=True)
    made = Trace(log_dir)
    with serve(made, port) as made.url:
        _run.watchers.append(made)
        try:
            yield made
        finally:
            _run.watchers.remove(made)
            made.write()
