#!/usr/bin/env python3
"""Bytes per second of collectives over two ranks of MPI: Tessera's, in the order of the devices and the same bits as on threads, beside MPI's own calls in
the same run. Arguments: MPI's kinds (default: openmpi). --markdown prints the table of docs/CLUSTER.md."""
import json, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", f"{ROOT}/build")
SIZES = [1 << 20, 8 << 20, 32 << 20]
BODY = """({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    })"""
COMMON = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
OPS = {  # attributes, body, how many times as long the result is
    "all_reduce": ("use_global_device_ids", BODY, 1.0),
    "all_gather": ("all_gather_dim = 0 : i64, use_global_device_ids", "", 2.0),
    "reduce_scatter": ("scatter_dimension = 0 : i64, use_global_device_ids", BODY, 0.5),
    "all_to_all": ("split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64", "", 1.0),
}


def program(op, bytes):
    extra, body, times = OPS[op]
    n = bytes // 4
    t, r = f"tensor<{n}xf32>", f"tensor<{int(n * times)}xf32>"
    return f"""module attributes {{mhlo.num_partitions = 2 : i32}} {{
  func.func @main(%a: {t}) -> {r} {{
    %0 = "stablehlo.{op}"(%a) <{{{COMMON}, {extra}}}> {body} : ({t}) -> {r}
    return %0 : {r}
  }}
}}
"""


def launch(kind, args, env=None):
    flags = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"] if kind == "openmpi" else []
    full = dict(os.environ, TESSERA_MPI=f"{BUILD}/mpi/{kind}/tessera_mpi.so", TESSERA_THREADS="1", OMPI_MCA_mpi_yield_when_idle="1", **(env or {}))
    done = subprocess.run([f"mpirun.{kind}", *flags, "-n", "2", *args], env=full, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{args}: {done.stderr[:500]}")
    return done.stdout


def ours(kind, folder, op, bytes, collectives):
    path = f"{folder}/{op}.{bytes}.mlir"
    with open(path, "w") as f:
        f.write(program(op, bytes))
    out = launch(kind, [f"{BUILD}/bin/tessera", "run", path, "--spmd", "--transport=mpi", "--input=random", "--repeat=15", "--timing", "--json",
                        f"--collectives={collectives}"])
    return json.loads(out)["seconds"]["evaluate"]


def bench(kind, folder):
    mpi = f"{folder}/native.{kind}"
    subprocess.run([f"mpicc.{kind}", "-O2", "-o", mpi, f"{ROOT}/bench/native/mpi_collectives.c"], check=True)
    plugin = f"{BUILD}/mpi/{kind}/tessera_mpi.so"
    os.makedirs(os.path.dirname(plugin), exist_ok=True)
    subprocess.run([f"mpicc.{kind}", "-std=c11", "-O2", f"-I{ROOT}/src", "-D_DEFAULT_SOURCE", "-fPIC", "-fvisibility=hidden", "-shared", "-o", plugin,
                    f"{ROOT}/src/mpi/tessera_mpi.c"], check=True)
    best = {}
    own = {}
    for _ in range(3):  # the machine may be busy for a while
        for line in launch(kind, [mpi, *map(str, SIZES)]).splitlines():
            op, bytes, seconds = line.split()
            key = (op, int(bytes))
            best[key] = min(best.get(key, 1e9), float(seconds))
        for op in OPS:
            for bytes in SIZES:
                own[op, bytes] = min(own.get((op, bytes), 1e9), ours(kind, folder, op, bytes, "own"))
    for op in OPS:
        for bytes in SIZES:
            a, b = best[op, bytes], own[op, bytes]
            print(f"| {kind} | {op} | {bytes >> 20} | {bytes / a / 1e9:.2f} | {bytes / b / 1e9:.2f} | {a / b:.2f} |", flush=True)


print("| MPI | collective | MB of a rank | MPI's own, GB/s | Tessera, GB/s | ratio |\n| --- | --- | ---: | ---: | ---: | ---: |")
with tempfile.TemporaryDirectory() as folder:
    for kind in [a for a in sys.argv[1:] if not a.startswith("-")] or ["openmpi"]:
        bench(kind, folder)
