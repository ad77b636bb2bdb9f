#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""way_back.py - the plan that Tessera finds against the plan that a JAX user runs: training steps of bench/way_models.py.

    bench/way_back.py [--models GPT] [--meshes dp=2,tp=4;dp=8,tp=8;64] [--device h100] [--figures] [--results] [--xla] [--write docs/JAX.md]

--figures: each is planned at full width (tessera.jax.auto_shard), and the table has the promised step; the ratios to it of the program that JAX lowers from
plan.jit, and of the user's source with plan.diff written into it, both simulated; the ratio of the plan to the best that is not bound to what JAX can
say; pins before and after. --results: at small width, the largest differences between plan.jit and the plain jit, for two steps with donated state, on the
platform of JAX_PLATFORMS. --xla: at full width on 2x4, the bytes that a device receives by the plan and in what XLA compiles from plan.jit, the ratio of both, also for the
source with plan.diff(xla=True) and with plan.diff(), and of the former the line where XLA receives most above the plan, with its op. Without any, the first two. --write puts the tables between the marks of a file."""
import argparse
import importlib.util
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path = [p for p in sys.path if p not in ("", here)] + [os.path.join(here, "..", "python")]  # jax.py is here
MARKS = {what: (f"<!-- {mark} -->", f"<!-- /{mark} -->") for what, mark in (("figures", "way back"), ("results", "way back, results"), ("xla", "way back, XLA"))}
HEADS = {
    "figures": ["| model | mesh | step | memory | lowered again | edited source | against unrestricted | pins set | pins kept |", "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"],
    "xla": ["| model | mesh | plan | XLA | XLA / plan | diff for XLA | diff | diff for XLA, most above the plan: line | XLA's op | above |", "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- | ---: |"],
    "results": ["| model | platform | constraints | sharded arguments | step 1 | step 2 |", "| --- | --- | ---: | ---: | ---: | ---: |"],
}


def models_of():
    """The module with the models; a file of its own, as jax.py of this folder must not be on the path."""
    path = os.path.join(here, "way_models.py")
    spec = importlib.util.spec_from_file_location("way_models", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def figures(models, name, text, device):
    import jax

    import tessera

    step, make = models.MODELS[name]("big")
    args = models.abstract(make)
    how = {"devices": int(text)} if text.isdigit() else {"mesh": text}
    plan = tessera.jax.auto_shard(step, *args, device=device, donate_argnums=0, **how)
    mesh = ",".join(f"{k}={v}" for k, v in plan.mesh.items())
    free = plan._source.find_plan(mesh=mesh, device=device, pins="all").candidate
    source = plan.source()
    again = "not known" if source.seconds is None else f"{source.seconds / plan.step_seconds:.3f}"
    now = plan.simulated()["step_seconds"] / plan.step_seconds
    return [name, mesh if not text.isdigit() else f"{text}: {mesh}", f"{1e3 * plan.step_seconds:.4g} ms", f"{plan.peak_bytes / 1e9:.1f} GB", f"{now:.3f}", again,
            f"{plan.step_seconds / free['step_seconds']:.3f}", str(plan.best["pins_before"]), str(len(plan.pins))]


def results(models, name, device):
    """Of both steps, the largest difference of a number, relative to the largest of its array. In f64: Adam makes as large a step of a gradient that is
    zero but for rounding as of any other."""
    import jax
    import numpy as np

    import tessera

    jax.config.update("jax_enable_x64", True)
    step, make = models.MODELS[name]("small")
    wide = lambda v: np.asarray(v, np.float64 if v.dtype.kind == "f" else None) if hasattr(v, "shape") else v
    args = jax.tree.map(wide, make(jax.random.key(0)))
    plan = tessera.jax.auto_shard(step, *args, device=device, donate_argnums=0, mesh="dp=2,tp=4")
    arrays = lambda tree: [v for v in jax.tree.leaves(tree) if hasattr(v, "shape")]
    whole = all(hasattr(v, "shape") for v in jax.tree.leaves(args))
    plain = jax.jit(step) if whole else __import__("equinox").filter_jit(step)
    worst, want, got = [], args[0], args[0]
    for _ in range(2):
        want, _ = plain(want, *args[1:])
        got, _ = plan.jit(got, *args[1:])
        pairs = [(np.asarray(a, np.float64), np.asarray(b, np.float64)) for a, b in zip(arrays(want), arrays(got))]
        worst.append(max(float(np.max(np.abs(a - b)) / (1e-6 + np.max(np.abs(a)))) for a, b in pairs))
    divided = sum(any(s) for s in jax.tree.leaves(plan.in_specs, is_leaf=lambda s: isinstance(s, jax.sharding.PartitionSpec)))
    return [name, jax.default_backend(), str(len(plan.pins)), f"{divided} of {len(arrays(args))}", *(f"{w:.1e}" for w in worst)]


def xla(models, name, device):
    import tessera

    step, make = models.MODELS[name]("big")
    plan = tessera.jax.auto_shard(step, *models.abstract(make), device=device, donate_argnums=0, mesh="dp=2,tp=4")
    found, written, alone = plan.verify(), plan.verify(xla=True), plan.verify(source=True)
    line, more, op = written.excess()
    gb = lambda n: f"{n / 1e9:.2f} GB"
    return [name, "dp=2,tp=4", gb(found.planned), gb(found.compiled), *(f"{c.compiled / found.planned:.3f}" for c in (found, written, alone)), line, op, gb(more)]


def write(path, what, rows, keys):
    """Puts rows between the marks; those of other models, meshes and platforms stay."""
    text = open(path, encoding="utf-8").read()
    begin, end = MARKS[what]
    before, rest = text.split(begin)
    old, after = rest.split(end)
    kept = {tuple(r[:keys]): r for r in ([c.strip() for c in line.strip("|").split("|")] for line in old.splitlines() if line.startswith("| ") and line not in HEADS[what])}
    kept.update({tuple(r[:keys]): r for r in rows})
    open(path, "w", encoding="utf-8").write(before + begin + "\n" + "\n".join(HEADS[what] + ["| " + " | ".join(r) + " |" for r in kept.values()]) + "\n" + end + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--models", default="")
    parser.add_argument("--meshes", default="dp=2,tp=4;dp=8,tp=8;64")
    parser.add_argument("--device", default="h100")
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("--results", action="store_true")
    parser.add_argument("--xla", action="store_true")
    parser.add_argument("--write")
    options = parser.parse_args()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    both = not options.figures and not options.results and not options.xla
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={64 if both or options.figures else 8}"
    import tessera.jax  # noqa: F401

    models = models_of()
    names = [n for n in models.MODELS if not options.models or any(m in n for m in options.models.split(","))]
    slow = os.path.join(here, "..", "tests", "python", "Inputs", "slow.json")
    make = {
        "figures": lambda name: (figures(models, name, m, options.device) for m in options.meshes.split(";")),
        "results": lambda name: [results(models, name, slow)],
        "xla": lambda name: [xla(models, name, options.device)],
    }
    for what in make:
        if not (getattr(options, what) or (both and what != "xla")):
            continue
        print("\n".join(HEADS[what]))
        rows = []
        for name in names:
            for row in make[what](name):
                print("| " + " | ".join(row) + " |", flush=True)
                rows.append(row)
        if options.write:
            write(options.write, what, rows, 2)


if __name__ == "__main__":
    main()
