#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs with jax.shard_map give on a mesh what XLA gives.

    main.py [--bin build/bin] [--only NAME] [--count N] [--seed S] [--save DIR] [--store DIR]

Each program of this folder, N times with other sizes and meshes, as text (with Shardy's shardings) and as the artifact of
jax.export, is run undivided and on the devices of its mesh, and all results must be XLA's; `tessera shard` must say what it
costs. --store writes the programs there as the folders of tests/corpus/shard_map: text, artifact, arguments, results. Needs
jax; without it nothing is done.
"""
import argparse
import contextlib
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
try:
    import jax
    import jax.export
    import numpy as np
    from jax.sharding import AxisType, NamedSharding
except ImportError:
    print("shard_map: no jax here")
    sys.exit(0)

import flow  # noqa: F401  programs add themselves to the list
import mixed  # noqa: F401
import models  # noqa: F401
import partial  # noqa: F401
import pick

jax.config.update("jax_default_matmul_precision", "highest")
jax.config.update("jax_traceback_in_locations_limit", 0)  # artifacts do not say where they were made


def jitted(f, args, mesh, specs=None):
    """The function on a mesh, and its arguments; those that no spec speaks of stay where they are."""
    if specs is None:
        return jax.jit(f, keep_unused=True), args
    where = tuple(NamedSharding(mesh, s) for s in specs)
    if AxisType.Explicit in mesh.axis_types:
        return jax.jit(f, keep_unused=True), [jax.device_put(a, s) for a, s in zip(args, where)]
    return jax.jit(f, in_shardings=where, keep_unused=True), args


def write(folder, made):
    """Text, artifact, arguments and results; the names of the files. There are no results where XLA has none."""
    g, args = jitted(*made)
    explicit = AxisType.Explicit in made[2].axis_types
    with jax.set_mesh(made[2]) if explicit else contextlib.nullcontext():
        lowered = g.lower(*args)
        exported = jax.export.export(g)(*args)
    with open(os.path.join(folder, "module.mlir"), "w") as out:
        out.write(lowered.as_text())
    with open(os.path.join(folder, "module.mlirbc"), "wb") as out:
        out.write(exported.mlir_module_serialized)
    try:
        results = jax.tree.leaves(lowered.compile()(*args))
    except jax.errors.JaxRuntimeError as e:
        print("# XLA does not run this one: " + str(e).splitlines()[0][:100])
        results = []
    names = {"in": [], "out": []}
    for kind, values in (("in", args), ("out", results)):
        for i, v in enumerate(values):
            names[kind].append(os.path.join(folder, f"{kind}{i}.npy"))
            np.save(names[kind][-1], np.asarray(v))
    return names


def run(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", "no end after 120 s")


def ways(tool, folder, names, tmp):
    """Command lines that must all end well, in their order."""
    data = [f"--input={n}" for n in names["in"]] + [f"--expect={n}" for n in names["out"]]
    close = ["--rtol=2e-4", "--atol=2e-4"]
    near = close if names["out"] else []  # without XLA's results there is nothing to be near to
    for module in ("module.mlir", "module.mlirbc"):
        file = os.path.join(folder, module)
        yield [tool, "run", file, *data, *near]
        yield [tool, "run", "--spmd", "--check", file, *data, *close]
    text, local = os.path.join(folder, "module.mlir"), os.path.join(tmp, "local.mlir")
    yield [tool, "shard", text]
    yield [tool, "opt", text, "--tessera-partition=remarks=false", "-o", local]
    yield [tool, "run", "--spmd", local, *data, *near]


def number(name, seed):
    """Of a program, the same in every run."""
    n = seed
    for c in name:
        n = (n * 131 + ord(c)) % (1 << 31)
    return n


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--bin", default="build/bin")
    p.add_argument("--only", default="", help="programs whose names contain one of these, parted by commas")
    p.add_argument("--count", type=int, default=1)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--save", default="build/differential")
    p.add_argument("--store", default="")
    p.add_argument("-v", action="store_true")
    o = p.parse_args()
    tool = os.path.join(o.bin, "tessera")
    passed = failed = 0
    for i in range(o.count):
        for make in pick.PROGRAMS:
            if not any(name in make.__name__ for name in o.only.split(",")):
                continue
            seed = o.seed + i
            made = make(pick.Pick(number(make.__name__, seed)))
            with tempfile.TemporaryDirectory() as tmp:
                folder = tmp
                if o.store or o.v:
                    folder = os.path.join(o.store or o.save, f"{make.__name__}")
                    os.makedirs(folder, exist_ok=True)
                names = write(folder, made)
                for command in ways(tool, folder, names, tmp):
                    r = run(*command)
                    if r.returncode == 0:
                        passed += 1
                        continue
                    failed += 1
                    kept = os.path.join(o.save, f"shard_map_{make.__name__}_{seed}")
                    os.makedirs(kept, exist_ok=True)
                    names = write(kept, made)
                    said = [l for l in (r.stdout + r.stderr).splitlines() if "PASS" not in l and not l.startswith("output")]
                    print(f"FAIL {make.__name__} seed {seed} (exit code {r.returncode}): "
                          + " ".join(command).replace(folder, kept))
                    print("\n".join(line[:300] for line in said[:4]))
    print(f"shard_map: {passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
