#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""benchmarks.py - the same models on Tessera, XLA, IREE, onnxruntime and PyTorch, on one core of this machine in one run.

    benchmarks.py [--jax PYTHON] [--torch PYTHON] [--iree PYTHON] [--onnx PYTHON] [--write]

Each engine runs in processes of its own, by the Python that has it; without one its column is empty. Engines take turns,
--rounds times; the least time counts. Times are of the processor, and every process is bound to one core: others on the
machine disturb that little. All give the same results as XLA, within a tolerance, or their row says so. --write puts the
tables into docs/BENCHMARKS.md."""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path = [p for p in sys.path if p != HERE]
MODELS = {
    "mlp": "four layers of 1024 x 1024 with tanh, 256 rows",
    "attention": "eight heads of 64, 4 x 256 tokens, with a softmax",
    "conv": "three 3 x 3 convolutions of 32 channels with relu, 4 images of 56 x 56",
    "norm": "layer norm and gelu of 4096 x 1024",
}
SHAPES = {
    "mlp": [(256, 1024)] + [(1024, 1024)] * 4,
    "attention": [(4, 256, 512), (512, 512), (512, 512), (512, 512), (512, 512)],
    "conv": [(4, 32, 56, 56)] + [(32, 32, 3, 3)] * 3,
    "norm": [(4096, 1024), (1024,), (1024,)],
}
ENGINES = ("tessera", "xla", "iree", "onnxruntime", "pytorch")


def inputs_of(model):
    import numpy as np

    rng = np.random.default_rng(1)
    return [(rng.standard_normal(s) * (1 if i == 0 else (s[0] if len(s) < 3 else 9 * s[1]) ** -0.5)).astype(np.float32) for i, s in enumerate(SHAPES[model])]


def jax_model(name):
    import jax
    import jax.numpy as jnp

    def mlp(x, *ws):
        for w in ws:
            x = jnp.tanh(x @ w)
        return x

    def attention(x, q, k, v, o):
        heads = [(x @ w).reshape(4, 256, 8, 64).transpose(0, 2, 1, 3) for w in (q, k, v)]
        p = jax.nn.softmax(heads[0] @ heads[1].transpose(0, 1, 3, 2) * 0.125, axis=-1)
        return (p @ heads[2]).transpose(0, 2, 1, 3).reshape(4, 256, 512) @ o

    def conv(x, *ws):
        for w in ws:
            x = jnp.maximum(jax.lax.conv_general_dilated(x, w, (1, 1), "SAME"), 0)
        return x

    def norm(x, g, b):
        m = x.mean(-1, keepdims=True)
        y = (x - m) * jax.lax.rsqrt(((x - m) ** 2).mean(-1, keepdims=True) + 1e-5) * g + b
        return jax.nn.gelu(y, approximate=False)

    return locals()[name]


def torch_model(name):
    import torch
    import torch.nn.functional as F

    def mlp(x, *ws):
        for w in ws:
            x = torch.tanh(x @ w)
        return x

    def attention(x, q, k, v, o):
        heads = [(x @ w).reshape(4, 256, 8, 64).transpose(1, 2) for w in (q, k, v)]
        return F.scaled_dot_product_attention(*heads).transpose(1, 2).reshape(4, 256, 512) @ o

    def conv(x, *ws):
        for w in ws:
            x = torch.relu(F.conv2d(x, w, padding=1))
        return x

    def norm(x, g, b):
        return F.gelu(F.layer_norm(x, (1024,), g, b, 1e-5))

    return locals()[name]


def onnx_model(name):
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    nodes, constants = [], []

    def op(kind, *ins, **attrs):
        out = f"v{len(nodes)}"
        nodes.append(helper.make_node(kind, list(ins), [out], **attrs))
        return out

    def constant(value):
        constants.append(numpy_helper.from_array(value, f"c{len(constants)}"))
        return constants[-1].name

    names = [f"a{i}" for i in range(len(SHAPES[name]))]
    x = names[0]
    if name == "mlp":
        for w in names[1:]:
            x = op("Tanh", op("MatMul", x, w))
    elif name == "conv":
        for w in names[1:]:
            x = op("Relu", op("Conv", x, w, pads=[1, 1, 1, 1], kernel_shape=[3, 3]))
    elif name == "norm":
        y = op("LayerNormalization", *names, axis=-1, epsilon=1e-5)
        x = op("Gelu", y)
    else:
        shape = constant(np.array([4, 256, 8, 64], np.int64))
        q, k, v = (op("Transpose", op("Reshape", op("MatMul", x, w), shape), perm=p) for w, p in zip(names[1:4], ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])))
        p = op("Softmax", op("Mul", op("MatMul", q, k), constant(np.array(0.125, np.float32))), axis=-1)
        y = op("Reshape", op("Transpose", op("MatMul", p, v), perm=[0, 2, 1, 3]), constant(np.array([4, 256, 512], np.int64)))
        x = op("MatMul", y, names[4])
    graph = helper.make_graph(nodes, name, [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in zip(names, SHAPES[name])],
                              [helper.make_tensor_value_info(x, TensorProto.FLOAT, None)], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10).SerializeToString()


# ---- One engine, in its own process ----


def worker(engine, folder):
    """For each model: seconds to import, to compile, of a run; the peak of memory; the results, as a file."""
    import resource

    start = time.process_time()
    core = sorted(os.sched_getaffinity(0))[-1]
    os.sched_setaffinity(0, {core})
    if engine == "tessera":
        import tessera
        from tessera import _library as c  # noqa: F401

        version = tessera.__version__
    elif engine == "xla":
        import jax

        version = f"jax {jax.__version__}"
    elif engine == "iree":
        import iree.compiler
        import iree.runtime

        from importlib.metadata import version as version_of

        version = f"IREE {version_of('iree-base-compiler')}"
    elif engine == "onnxruntime":
        import onnxruntime

        version = f"onnxruntime {onnxruntime.__version__}"
    else:
        import torch

        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        version = f"torch {torch.__version__}"
    rows = {"import": time.process_time() - start, "version": version, "models": {}}
    import numpy as np

    for name in MODELS:
        text = os.path.join(folder, f"{name}.mlir")
        arrays = inputs_of(name)
        start = time.process_time()
        if engine == "tessera":
            with open(text) as f:
                x = tessera.Module.parse(f.read()).compile()
            compiled = time.process_time() - start
            run = lambda: x(*arrays)[0]
        elif engine == "xla":
            placed = [jax.device_put(a) for a in arrays]
            start = time.process_time()
            lowered = jax.jit(jax_model(name)).lower(*placed)
            start = time.process_time()
            x = lowered.compile()
            compiled = time.process_time() - start
            run = lambda: x(*placed).block_until_ready()
        elif engine == "iree":
            with open(text) as f:
                source = f.read()
            code = iree.compiler.compile_str(source, input_type="stablehlo", target_backends=["llvm-cpu"], extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"])
            children = resource.getrusage(resource.RUSAGE_CHILDREN)
            compiled = time.process_time() - start + children.ru_utime + children.ru_stime - rows.get("children", 0)
            rows["children"] = children.ru_utime + children.ru_stime
            config = iree.runtime.Config("local-sync")
            module = iree.runtime.load_vm_module(iree.runtime.VmModule.copy_buffer(config.vm_instance, code), config)
            placed = [iree.runtime.asdevicearray(config.device, a) for a in arrays]
            run = lambda: module.main(*placed)
        elif engine == "onnxruntime":
            data = onnx_model(name)
            start = time.process_time()
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
            compiled = time.process_time() - start
            fed = {f"a{i}": a for i, a in enumerate(arrays)}
            run = lambda: session.run(None, fed)[0]
        else:
            function = torch_model(name)
            placed = [torch.from_numpy(a) for a in arrays]
            compiled = 0.0
            run = lambda: function(*placed)
        got = run()
        times = []
        begin = time.time()
        while len(times) < 20 and (len(times) < 5 or time.time() - begin < 6):
            start = time.process_time()
            run()
            times.append(time.process_time() - start)
        np.save(os.path.join(folder, f"{name}.{engine}.npy"), np.asarray(got))
        rows["models"][name] = {"compile": compiled, "run": min(times)}
    rows["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print("RESULT " + json.dumps(rows))


def export(folder):
    """The programs as StableHLO."""
    import jax

    for name in MODELS:
        lowered = jax.jit(jax_model(name)).lower(*[jax.ShapeDtypeStruct(s, "float32") for s in SHAPES[name]])
        with open(os.path.join(folder, f"{name}.mlir"), "w") as f:
            f.write(lowered.as_text())


# ---- All of them ----


def call(python, *arguments):
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "JAX_PLATFORMS": "cpu", "OMP_NUM_THREADS": "1", "TESSERA_THREADS": "1"}
    environment["PYTHONPATH"] = os.path.join(ROOT, "python") + os.pathsep + environment.get("PYTHONPATH", "")
    environment.setdefault("TESSERA_LIBRARY", os.path.join(ROOT, "build", "libtessera.so"))
    done = subprocess.run([python, os.path.abspath(__file__), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    if done.returncode:
        print(f"{arguments}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    found = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    return json.loads(found[-1][7:]) if found else {}


def merge(old, new):
    if not old or not new:
        return old or new
    for name, row in new["models"].items():
        for key in row:
            old["models"][name][key] = min(old["models"][name][key], row[key])
    old["import"] = min(old["import"], new["import"])
    old["memory"] = min(old["memory"], new["memory"])
    return old


def compare(folder):
    """How far the results of each engine are from XLA's, relative to the largest."""
    import numpy as np

    off = {}
    for name in MODELS:
        wanted = np.load(os.path.join(folder, f"{name}.xla.npy")).astype(np.float64)
        for engine in ENGINES:
            path = os.path.join(folder, f"{name}.{engine}.npy")
            if os.path.exists(path):
                off[f"{name} {engine}"] = float(np.abs(wanted - np.load(path).reshape(wanted.shape)).max() / max(np.abs(wanted).max(), 1e-30))
    print("RESULT " + json.dumps(off))


def machine():
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    return f"{cpu}, one core, {platform.system()} {platform.release().split('-')[0]}, {time.strftime('%d %B %Y')}"


def sizes(pythons):
    """Bytes of the libraries that an installed engine loads."""
    code = {
        "xla": "import jaxlib, os; print(sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(os.path.dirname(jaxlib.__file__)) for f in fs if '.so' in f))",
        "iree": "import iree.compiler, iree.runtime, os; print(sum(os.path.getsize(os.path.join(d, f)) for m in (iree.compiler, iree.runtime) for d, _, fs in os.walk(os.path.dirname(m.__file__) + '/..') for f in fs if '.so' in f or f in ('iree-lld', 'iree-run-module')) // 2)",
        "onnxruntime": "import onnxruntime, os; print(sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(os.path.dirname(onnxruntime.__file__)) for f in fs if '.so' in f))",
        "pytorch": "import torch, os; print(sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(os.path.dirname(torch.__file__) + '/lib') for f in fs if '.so' in f and 'cu' not in f))",
    }
    out = {}
    stripped = os.path.join(tempfile.mkdtemp(), "libtessera.so")
    if subprocess.run(["strip", "-o", stripped, os.path.join(ROOT, "build/libtessera.so")]).returncode == 0:
        out["tessera"] = os.path.getsize(stripped)
    for engine, text in code.items():
        done = subprocess.run([pythons[engine], "-c", text], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) if pythons[engine] else None
        if done and done.returncode == 0:
            out[engine] = int(done.stdout)
    return out


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---"] + ["---:"] * (len(head) - 1)) + " |"]
    return "\n".join(lines + ["| " + " | ".join(r) + " |" for r in rows])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--jax", default="python3", help="Python with jax and numpy; Tessera runs in it, too")
    for name in ("torch", "iree", "onnx"):
        p.add_argument(f"--{name}", default="")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--write", action="store_true")
    p.add_argument("--worker", nargs=2)
    p.add_argument("--export")
    p.add_argument("--compare")
    a = p.parse_args()
    if a.worker:
        return worker(*a.worker)
    if a.export:
        return export(a.export)
    if a.compare:
        return compare(a.compare)
    pythons = {"tessera": a.jax, "xla": a.jax, "iree": a.iree, "onnxruntime": a.onnx, "pytorch": a.torch}
    with tempfile.TemporaryDirectory() as folder:
        if call(a.jax, "--export", folder) is None:
            sys.exit("benchmarks: jax is needed to export the models")
        found = dict.fromkeys(ENGINES)
        for _ in range(a.rounds):
            for engine in ENGINES:
                if pythons[engine]:
                    found[engine] = merge(found[engine], call(pythons[engine], "--worker", engine, folder))
        here = [e for e in ENGINES if found[e]]
        cell = lambda v, unit: "" if v is None else f"{v * 1000:.1f}" if unit == "ms" else f"{v / 1e6:.0f}"
        off = call(a.jax, "--compare", folder)
    run = table(["a run, ms", *here], [[f"`{m}`"] + [cell(found[e]["models"][m]["run"], "ms") + ("" if off[f"{m} {e}"] < 1e-3 else " (differs)") for e in here] for m in MODELS])
    compiling = table(["compiling, ms", *here], [[f"`{m}`"] + [cell(found[e]["models"][m]["compile"], "ms") if e != "pytorch" else "-" for e in here] for m in MODELS])
    size = sizes(pythons)
    other = table(["", *here], [["first import, ms"] + [cell(found[e]["import"], "ms") for e in here],
                                ["most memory of the process, MB"] + [cell(found[e]["memory"], "MB") for e in here],
                                ["libraries, MB"] + [cell(size.get(e), "MB") for e in here]])
    models = "\n".join(f"- `{m}`: {what}" for m, what in MODELS.items())
    lost = [(what, m, e, found["tessera"]["models"][m][what] / found[e]["models"][m][what]) for what in ("run", "compile") for m in MODELS for e in here
            if e != "tessera" and found[e]["models"][m][what] and found["tessera"]["models"][m][what] > found[e]["models"][m][what] * 1.03]
    verbs = {"run": "running", "compile": "compiling"}
    losses = "\n".join(f"- {verbs[w]} `{m}`: {e} takes {100 / r:.0f} % of Tessera's time" for w, m, e, r in lost) or "- in none of these rows"
    text = f"{machine()}; " + ", ".join(found[e]["version"] for e in here if e != "tessera") + \
        f".\n\n{run}\n\n{compiling}\n\n{other}\n\nThe models, f32:\n\n{models}\n\nWhere Tessera is slower, by more than 3 %:\n\n{losses}\n\n" + \
        f"Largest difference from XLA's results, relative to the largest value: {max(v for v in off.values()):.1e}."
    print(text)
    if a.write:
        path = os.path.join(ROOT, "docs/BENCHMARKS.md")
        with open(path) as f:
            old = f.read()
        with open(path, "w") as f:
            f.write(re.sub(r"<!-- BEGIN models -->.*?<!-- END -->", lambda m: f"<!-- BEGIN models -->\n{text}\n<!-- END -->", old, flags=re.S))


if __name__ == "__main__":
    main()
