# SPDX-License-Identifier: Apache-2.0
"""explain(jitted, ...) on XLA's cpu backend: XLA's collectives, advice, and XLA's program with it. Run by jax.sh."""

import os
import sys

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import Mesh, NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

from tessera.jax import explain  # noqa: E402

passed = failed = 0


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print(f"jax_explain.py: failed: {what}")


mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("dp", "tp"))


def on(*spec):
    return NamedSharding(mesh, P(*spec))


def layer(x, w1, w2):
    h = jax.nn.relu(x @ w1)
    h = jax.lax.with_sharding_constraint(h, on("dp", None))
    return h @ w2


LINE = layer.__code__.co_firstlineno + 2
shapes = [jax.ShapeDtypeStruct(s, "float32") for s in ((2048, 1024), (1024, 4096), (4096, 1024))]
jitted = jax.jit(layer, in_shardings=(on("dp", None), on(None, "tp"), on("tp", None)))
found = explain(jitted, *shapes, verify=True)
kinds = [c["kind"] for c in found.collectives]
check(sorted(kinds) == ["all_gather", "all_reduce"], kinds)
check(all(c["bytes"] > 0 and c["seconds"] > 0 and c["turns"] == 1 and "jax_explain.py" in c["source"] for c in found.collectives), found.collectives)
check(found.bytes == sum(c["bytes"] for c in found.collectives), found.bytes)
first = found.advice[0]
check(first["line"] == LINE and first["sharding"] == 'P("dp", "tp")', first)
check(first["xla"]["received_bytes"] < found.bytes and any("all_gather" in g for g in first["xla"]["gone"]), first["xla"])
check(found.collectives[0]["kind"] == "all_gather" and 0 in found.collectives[0]["advice"], found.collectives[0])
check(first["text"] in found.report() and "memory at the peak" in found.report(), found.report())
check(found.memory and found.memory[0]["bytes"] > 0, found.memory)

# A loop counts with its turns.
loop = jax.jit(lambda x, ws: jax.lax.scan(lambda h, w: (h @ w, None), x, ws)[0], in_shardings=(on("dp", "tp"), on(None, "tp", None)))
found = explain(loop, jax.ShapeDtypeStruct((64, 128), "float32"), jax.ShapeDtypeStruct((5, 128, 128), "float32"))
check(any(c["turns"] == 5 for c in found.collectives), found.collectives)

# Nothing to explain, and what is no jitted function.
check(explain(jax.jit(lambda x: x + 1), jax.ShapeDtypeStruct((4,), "float32")).collectives == [], "one device")
try:
    explain(layer, *shapes)
    check(False, "a function that is not jitted")
except TypeError:
    check(True, "")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
