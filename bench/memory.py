# SPDX-License-Identifier: Apache-2.0
"""memory.py - what the programs of the corpus take on a device, beside XLA's own plan of memory.

    python3 bench/memory.py [--build build] [--markdown]

Each program of tests/corpus is compiled by JAX, on its cpu backend and on Tessera, in a process each, for as many devices as it is for.
A peak is arguments + results - results in donated memory + what is planned between them, of one device, as memory_analysis() tells it.
The exit code is 1 when a peak is above XLA's."""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A file here is named as the module is.
sys.path[:] = [p for p in sys.path if Path(p).resolve() != Path(__file__).resolve().parent]


def count(text, name):
    found = re.search(rf"mhlo\.{name} = (\d+)", text)
    return int(found.group(1)) if found else 1


def measure():
    """Prints, by program: arguments, results, of them in donated memory, and what is between."""
    import jax
    import numpy as np
    from jax._src import compiler
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir

    client, rows = jax.devices()[0].client, {}
    for path in sorted(ROOT.glob("tests/corpus/**/*.mlir")):
        if path.name != "module.mlir" and path.parent.name != "large":
            continue
        text = path.read_text()
        replicas, partitions = count(text, "num_replicas"), count(text, "num_partitions")
        devices = np.array(jax.devices()[: replicas * partitions]).reshape(replicas, partitions)
        options = compiler.get_compile_options(
            num_replicas=replicas,
            num_partitions=partitions,
            device_assignment=np.vectorize(lambda d: d.id)(devices),
        )
        build = options.executable_build_options
        build.use_spmd_partitioning, build.use_shardy_partitioner = partitions > 1, "sdy." in text
        try:
            with mlir.make_ir_context():
                module = mlir.module_to_bytecode(ir.Module.parse(text))
            m = client.compile_and_load(module, xla_client.DeviceList(tuple(devices.flat)), options).get_compiled_memory_stats()
        except Exception as e:  # of any class: the other side may have compiled it
            rows[str(path.relative_to(ROOT / "tests/corpus"))] = str(e).splitlines()[0][:100]
            continue
        rows[str(path.relative_to(ROOT / "tests/corpus"))] = [
            m.argument_size_in_bytes,
            m.output_size_in_bytes,
            m.alias_size_in_bytes,
            m.temp_size_in_bytes,
        ]
    print(json.dumps(rows))


def run(platform, build):
    env = dict(os.environ)
    env.update(
        JAX_PLATFORMS=platform,
        TESSERA_DEVICES="64",
        TESSERA_PLUGIN=str(Path(build).resolve() / "pjrt_plugin_tessera.so"),
        XLA_FLAGS="--xla_force_host_platform_device_count=64",
        PYTHONPATH=os.pathsep.join([str(ROOT / "python"), env.get("PYTHONPATH", "")]),
    )
    done = subprocess.run([sys.executable, "-W", "ignore", __file__, "--measure"], env=env, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--markdown", action="store_true", help="print a table for the documents")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        return measure()
    ours, theirs = run("tessera", args.build), run("cpu", args.build)
    ratios, above = [], 0
    row = "| {} | {} | {} | {} |" if args.markdown else "{:<44}{:>14}{:>14}{:>8}"
    print(row.format("program", "Tessera, bytes", "XLA, bytes", "ratio"))
    if args.markdown:
        print("| --- | --- | --- | --- |")
    for name in sorted(ours):
        a, b = ours[name], theirs[name]
        name = name.removesuffix("/module.mlir")
        if isinstance(a, str) or isinstance(b, str):
            print(f"# {name}: {a if isinstance(a, str) else b}", file=sys.stderr)
            continue
        peak, peak_xla = (v[0] + v[1] - v[2] + v[3] for v in (a, b))
        ratios.append(peak / peak_xla)
        above += peak > peak_xla
        print(row.format(name, f"{peak:,}", f"{peak_xla:,}", f"{ratios[-1]:.2f}"))
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    print(f"{len(ratios)} programs: {mean:.2f} of XLA's in the geometric mean, {max(ratios):.2f} at most, {above} above it")
    return int(above > 0)


if __name__ == "__main__":
    sys.exit(main())
