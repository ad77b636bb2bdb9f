# SPDX-License-Identifier: Apache-2.0
"""Builds a layer, shows what it costs on a mesh, and runs it: on one device and on four.

PYTHONPATH=python python3 examples/builder.py
"""

import importlib.util

import tessera as ts

b = ts.Builder()
with b.function("main", [((8, 16), "f32"), ((16, 32), "f32")]) as (x, w):
    y = b.dot_general(x, w, "<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>", output_type=((8, 32), "f32"))
    b.ret(b.tanh(y))
print(b.module)

given = {"mesh": "data=2,model=2", "inputs": {0: "data,_", 1: "_,model"}}
print(b.module.plan(**given))
print(b.module.why("#0", **given))

if importlib.util.find_spec("numpy"):
    x, w = b.module.random_inputs(seed=1)
    whole = b.module.run(x, w)[0]
    parts = b.module.clone().shard(**given).partition().run(x, w, spmd=True)[0]
    print("four devices agree with one:", ts.compare(parts, whole).passed)
