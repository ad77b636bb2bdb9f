# SPDX-License-Identifier: Apache-2.0
"""jax_refusals.py - what is refused in one line: other versions of JAX, targets that nobody knows.
Run by jax.sh, on eight devices."""

import os
import subprocess
import sys

import jax
import numpy as np
from jax_plugins import tessera

PASSED, FAILED = [], []


def check(name, good):
    (PASSED if good else FAILED).append(name)
    if not good:
        print(f"FAIL {name}")


def said(text, **env):
    """The last line that a program of its own prints."""
    command = [sys.executable, "-W", "ignore", "-c", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, **env})
    return (done.stdout + done.stderr).strip().split("\n")[-1]


for version, good in (((0, 6, 2), False), ((0, 7, 2), False), ((0, 8), True), ((0, 12, 99), True), ((0, 13, 0), False), ((1, 0), False)):
    why = tessera.refusal(version)
    check(f"version {version}", (why is None) if good else "supports jax 0.8 to 0.12; this is jax " in why and "\n" not in why)
OTHER = "import jax; jax.__version_info__ = (0, 6, 2); print(jax.devices()[0].platform)"
line = said(OTHER, JAX_PLATFORMS="tessera,cpu")
check("another version", line.startswith("RuntimeError: Unable to initialize backend 'tessera': Tessera supports jax 0.8 to 0.12"))
check("it stays out of the way", said(OTHER, JAX_PLATFORMS="") in ("cpu", "gpu", "tpu"))

try:
    shape = jax.ShapeDtypeStruct((4,), np.float32)
    jax.jit(lambda x: jax.ffi.ffi_call("test_nobody", shape)(x))(np.zeros(4, np.float32))
    check("unknown target", False)
except Exception as e:  # of any class: at the call, not when somebody looks at the result
    check("unknown target", "UNIMPLEMENTED" in str(e) and "@test_nobody" in str(e))
print(f"{len(PASSED)} passed, {len(FAILED)} failed")
sys.exit(bool(FAILED))
