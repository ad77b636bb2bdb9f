#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bytes per second of collectives over two ranks of MPI: Tessera's, in the order of the devices and the same bits as on threads, beside MPI's own calls in
the same run; and a step of training whose gradients are under way while it computes, on a transport that delivers late (tests/mpi/sockets.c). Arguments: MPI's kinds
(default: openmpi), and overlap for the step. Prints the tables of docs/CLUSTER.md; each takes a minute and a half. It wants two idle cores; where others use them, root
may run it under `chrt -r 1`, so that they wait."""
import json, os, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", f"{ROOT}/build")
SIZES = [1 << 20, 2 << 20, 8 << 20, 32 << 20]
SECONDS = 75  # for a kind of MPI, or for the step
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
    start = time.time()
    while not own or time.time() - start < SECONDS:  # the machine may be busy for a while
        for line in launch(kind, [mpi, *map(str, SIZES)]).splitlines():
            op, bytes, seconds = line.split()
            key = (op, int(bytes))
            best[key] = min(best.get(key, 1e9), float(seconds))
        for op in OPS:
            for bytes in SIZES:
                if (op, bytes) in own and time.time() - start > SECONDS:
                    continue
                own[op, bytes] = min(own.get((op, bytes), 1e9), ours(kind, folder, op, bytes, "own"))
    for op in OPS:
        for bytes in SIZES:
            a, b = best[op, bytes], own[op, bytes]
            print(f"| {kind} | {op} | {bytes >> 20} | {bytes / a / 1e9:.2f} | {bytes / b / 1e9:.2f} | {a / b:.2f} |", flush=True)


def train(layers, width, batch):
    """A step of gradient descent on two devices that have half of the batch each."""
    w, x = f"tensor<{width}x{width}xf32>", f"tensor<{batch}x{width}xf32>"
    whole, rows = (f"{{sdy.sharding = #sdy.sharding<@mesh, [{d}, {{}}]>}}" for d in ("{}", '{"x"}'))
    args = ", ".join(f"%w{i}: {w} {whole}" for i in range(layers)) + f", %x: {x} {rows}"
    out = ['sdy.mesh @mesh = <["x"=2]>', f"func.func @main({args}) -> ({', '.join([f'{w} {whole}'] * layers)}) {{",
           f"  %rate = stablehlo.constant dense<0.001> : {w}", f"  %one = stablehlo.constant dense<1.0> : {x}"]
    for i in range(layers):
        out += [f"  %y{i} = stablehlo.dot_general {f'%h{i - 1}' if i else '%x'}, %w{i}, contracting_dims = [1] x [0] : ({x}, {w}) -> {x}",
                f"  %h{i} = stablehlo.tanh %y{i} : {x}"]
    for i in reversed(range(layers)):
        out += [f"  %s{i} = stablehlo.multiply %h{i}, %h{i} : {x}", f"  %c{i} = stablehlo.subtract %one, %s{i} : {x}",
                f"  %d{i} = stablehlo.multiply {f'%e{i + 1}' if i + 1 < layers else f'%h{i}'}, %c{i} : {x}",
                f"  %g{i} = stablehlo.dot_general {f'%h{i - 1}' if i else '%x'}, %d{i}, contracting_dims = [0] x [0] : ({x}, {x}) -> {w}"]
        if i:
            out.append(f"  %e{i} = stablehlo.dot_general %d{i}, %w{i}, contracting_dims = [1] x [1] : ({x}, {w}) -> {x}")
    for i in range(layers):
        out += [f"  %u{i} = stablehlo.multiply %g{i}, %rate : {w}", f"  %v{i} = stablehlo.subtract %w{i}, %u{i} : {w}"]
    out.append("  return " + ", ".join(f"%v{i}" for i in range(layers)) + " : " + ", ".join([w] * layers))
    return "\n".join(out) + "\n}\n"


def late(plugin, path, ms, rate):
    """Seconds of a step on two ranks of the transport of tests: the best of some."""
    with tempfile.TemporaryDirectory() as folder:
        ranks = [subprocess.Popen([f"{BUILD}/bin/tessera", "run", path, "--spmd", "--transport=mpi", "--input=random", "--repeat=5", "--timing", "--json", "--timeout=60s"],
                                  stdout=subprocess.PIPE, text=True,
                                  env=dict(os.environ, TESSERA_MPI=plugin, TESSERA_THREADS="1", TESSERA_TEST_RANK=f"{rank}:2:{folder}",
                                           TESSERA_TEST_DELAY=str(ms), TESSERA_TEST_RATE=str(rate))) for rank in range(2)]
        out = ranks[0].communicate()[0]
        ranks[1].wait()
    return json.loads(out)["seconds"]["evaluate"]


def overlap(folder):
    layers, width, batch = 12, 512, 2048
    plugin, path = f"{folder}/sockets.so", f"{folder}/train.mlir"
    subprocess.run(["cc", "-std=c11", "-O2", f"-I{ROOT}/src", "-D_DEFAULT_SOURCE", "-fPIC", "-shared", "-o", plugin, f"{ROOT}/tests/mpi/sockets.c"], check=True)
    with open(path, "w") as f:
        f.write(train(layers, width, batch))
    bytes = layers * width * width * 4  # of all gradients, each of which a rank sends once
    best = {}

    def run(name, ms, rate):
        best[name] = min(best.get(name, 1e9), late(plugin, path, ms, rate))

    def least(computing, rate):
        """Seconds that any order of the same products takes, when each gradient goes as soon as it is there: products are alike, layers of them are before the first gradient,
        and two are between one and the next."""
        products = 3 * layers - 1
        return max(computing * (layers + 1 + 2 * k) / products + (layers - k) * bytes / layers / rate for k in range(layers))

    start = time.time()
    for _ in range(3):
        run("none", 0, 0)
    # Delays: sums one after the other would take a quarter of the time of computing, as long, and twice as long; bytes a second: half as long, and as long. A delay of a
    # message is there twice in a sum: to the rank of a share, and back.
    one, rate = best["none"] / (2 * layers), bytes / best["none"] / 1e6
    cases = {"none": (0, 0)}
    for times in (0.25, 1, 2):
        ms = max(1, round(1e3 * one * times))
        cases[f"{ms} ms a message"] = (ms, 0)
    for times in (2, 1):
        most = max(1, round(rate * times))
        cases[f"{most} MB/s"] = (0, most)
    while len(best) < len(cases) or time.time() - start < SECONDS:
        for name, (ms, rate) in cases.items():
            if name not in best or time.time() - start < SECONDS:
                run(name, ms, rate)
    print("\n| delay | sums one after the other, ms | computing, ms | the step, ms | of computing or the sums, whichever is longer | of the least that is possible |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, (ms, rate) in cases.items():
        sums = bytes / (rate * 1e6) if rate else 2 * layers * ms / 1e3
        floor = least(best["none"], rate * 1e6) if rate else best["none"] + 2 * ms / 1e3
        print(f"| {name} | {sums * 1e3:.0f} | {best['none'] * 1e3:.0f} | {best[name] * 1e3:.0f} | {best[name] / max(best['none'], sums):.2f} | {best[name] / floor:.2f} |", flush=True)


print("| MPI | collective | MB of a rank | MPI's own, GB/s | Tessera, GB/s | ratio |\n| --- | --- | ---: | ---: | ---: | ---: |")
with tempfile.TemporaryDirectory() as folder:
    for kind in sys.argv[1:] or ["openmpi", "overlap"]:
        if kind == "overlap":
            overlap(folder)
        else:
            bench(kind, folder)
