# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin for jax_tests.py: runs a sample of a file's tests, and writes how each ended, one JSON line each.

From the environment: TSR_SAMPLE, how many; TSR_RESULTS, the file of lines. Tests that the file already has are left out,
so that a run that crashed goes on where it was. The sample depends on the tests' names alone: it is the same on all platforms.

JAX's tests ask which tags a device has, and many run only on cpu, gpu and tpu. Tessera's devices are in the memory of the host:
here they have the tag cpu beside their own, so that those tests run, on Tessera. The platform keeps its name. Each line tells
how many programs ran on Tessera.
"""

import ctypes
import hashlib
import json
import os
import re
import signal

import pytest

_LIMIT = int(os.environ.get("TSR_TEST_SECONDS", "60"))


def _tag():
    """The tag cpu for Tessera's devices."""
    from jax._src import test_util

    theirs = test_util._get_device_tags

    def tags():
        found = theirs()
        return found | {"cpu"} if "tessera" in found else found

    test_util._get_device_tags = tags


def _executions():
    """How many programs ran on Tessera until now."""
    if "tessera" not in os.environ["JAX_PLATFORMS"]:
        return 0
    count = ctypes.CDLL(os.environ["TESSERA_PLUGIN"]).TesseraExecutions
    count.restype = ctypes.c_ulonglong
    return count()


def pytest_configure(config):
    _tag()


def _order(item):
    return hashlib.sha256(item.nodeid.encode()).hexdigest()


def _write(entry):
    with open(os.environ["TSR_RESULTS"], "a", encoding="utf-8") as f:
        f.write(json.dumps(entry) + "\n")


def _known():
    try:
        with open(os.environ["TSR_RESULTS"], encoding="utf-8") as f:
            return {json.loads(line).get("test") for line in f}
    except FileNotFoundError:
        return set()


def pytest_collection_modifyitems(config, items):
    """The sample, without what is done."""
    count = int(os.environ.get("TSR_SAMPLE", "0"))
    chosen = {id(i) for i in (sorted(items, key=_order)[:count] if count else items)}
    known = _known()
    items[:] = [i for i in items if id(i) in chosen and i.nodeid not in known]


_BEFORE = pytest.StashKey()


class _Slow(Exception):
    pass


def _ring(signum, frame):
    raise _Slow(f"more than {_LIMIT} seconds of processor time")


def pytest_runtest_setup(item):
    """A test that takes too long fails, whatever else the machine does. What runs now is written, so that a crash has a name."""
    signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, _LIMIT)
    item.stash[_BEFORE] = _executions()
    with open(os.environ["TSR_RESULTS"] + ".now", "w", encoding="utf-8") as f:
        f.write(item.nodeid)


def pytest_runtest_teardown(item):
    signal.setitimer(signal.ITIMER_PROF, 0)


def _reason(report):
    text = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)
    lines = [line for line in text.splitlines() if line.startswith("E  ")] or text.splitlines()[-1:]
    return re.sub(r"\s+", " ", " ".join(line.lstrip("E ") for line in lines))[:400]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    report.tessera_executions = _executions() - item.stash.get(_BEFORE, 0)
    return report


def pytest_runtest_logreport(report):
    """Passed and failed are of the call; a skip or a failure may be of the set-up."""
    if report.when != "call" and report.outcome == "passed":
        return
    if report.when == "teardown" and report.outcome != "failed":
        return
    entry = {"test": report.nodeid, "outcome": report.outcome, "executions": report.tessera_executions}
    if report.outcome != "passed":
        entry["reason"] = _reason(report)
    _write(entry)
