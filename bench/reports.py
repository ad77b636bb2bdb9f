#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reports.py - what each command says of the same programs: peaks of memory, bytes received and times, beside the engine's own plan of memory, what JAX's
memory_analysis() tells on Tessera's plugin, and what it tells on XLA's CPU backend.

    bench/reports.py [--build build] [--device h100] [--no-jax] PROGRAM.mlir...

Everything is of one device. A peak by memory_analysis() is arguments + results - results in donated memory + what is between them; XLA's has f32 where its
CPU backend lacks bf16. The exit code is 1 where shard, simulate, explore, the engine and the plugin differ by more than 1 % from each other."""
import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:] = [p for p in sys.path if Path(p).resolve() != Path(__file__).resolve().parent]  # jax.py is here


def analysis(path):
    """memory_analysis() of the backend that JAX uses in this process."""
    import jax
    import numpy as np
    from jax._src import compiler
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir

    text = Path(path).read_text()
    count = lambda name: int((re.search(rf"mhlo\.{name} = (\d+)", text) or [0, 1])[1])
    replicas, partitions = count("num_replicas"), count("num_partitions")
    devices = np.array(jax.devices()[: replicas * partitions]).reshape(replicas, partitions)
    options = compiler.get_compile_options(num_replicas=replicas, num_partitions=partitions, device_assignment=np.vectorize(lambda d: d.id)(devices))
    build = options.executable_build_options
    build.use_spmd_partitioning, build.use_shardy_partitioner = partitions > 1, "sdy." in text
    with mlir.make_ir_context():
        module = mlir.module_to_bytecode(ir.Module.parse(text))
    m = jax.devices()[0].client.compile_and_load(module, xla_client.DeviceList(tuple(devices.flat)), options).get_compiled_memory_stats()
    print(m.argument_size_in_bytes + m.output_size_in_bytes - m.alias_size_in_bytes + m.temp_size_in_bytes)


def engine(path):
    """The peak of the program that each device runs, by the C API, if the caller gives up what the program donates."""
    import tessera
    m = tessera.Module.load(path)
    m.partition()
    use = m.compile().memory
    print(use["peak"] - use["donated"])


def by_process(build, what, path, platform=""):
    env = dict(os.environ, TESSERA_LIBRARY=str(build / "libtessera.so"), TESSERA_PLUGIN=str(build / "pjrt_plugin_tessera.so"), TESSERA_DEVICES="64",
               XLA_FLAGS="--xla_force_host_platform_device_count=64", PYTHONPATH=str(ROOT / "python"), JAX_PLATFORMS=platform)
    done = subprocess.run([sys.executable, "-W", "ignore", __file__, what, path], env=env, capture_output=True, text=True)
    if done.returncode:
        print(f"# {path}: {(done.stderr.strip().splitlines() or ['?'])[-1][:200]}", file=sys.stderr)
        return None
    return int(done.stdout.splitlines()[-1])


def told(build, *command):
    done = subprocess.run([str(build / "bin" / "tessera"), *command, "--json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def size(n):
    return "" if n is None else f"{n / 1e9:.4f}"


def main():
    if len(sys.argv) == 3 and sys.argv[1] in ("analysis", "engine"):
        return (analysis if sys.argv[1] == "analysis" else engine)(sys.argv[2])
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--device", default="h100")
    parser.add_argument("--no-jax", action="store_true")
    parser.add_argument("programs", nargs="+")
    args = parser.parse_args()
    build, apart = Path(args.build).resolve(), 0
    print("| program | peak, GB: shard | simulate | explore | engine | memory_analysis | XLA | received, GB: shard | simulate | explore | step, ms: simulate | explore |")
    print("| --- |" + " ---: |" * 11)
    for path in args.programs:
        shard, step = told(build, "shard", path), told(build, "simulate", path, f"--device={args.device}")
        view = told(build, "explore", path, f"--device={args.device}")["views"][0]
        peaks = [shard["peak_bytes"], step["peak_bytes"], view["plan"]["peak_bytes"]]
        moved = [shard["received_bytes"], step["received_bytes"], view["plan"]["received_bytes"]]
        others = [by_process(build, "engine", path)]
        others += [None, None] if args.no_jax else [by_process(build, "analysis", path, p) for p in ("tessera", "cpu")]
        for same in (peaks + [n for n in others[:2] if n is not None], moved):
            apart |= max(same) > 1.01 * min(same)
        times = [step["step_seconds"], view["step"]["step_seconds"]]
        cells = [Path(path).stem, *map(size, peaks + others + moved), *[f"{1e3 * t:.4g}" for t in times]]
        print("| " + " | ".join(cells) + " |", flush=True)
    return apart


if __name__ == "__main__":
    sys.exit(main())
