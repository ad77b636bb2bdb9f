#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models of PyTorch, exported by torch_xla, torchax and torch-mlir, compute here what they compute in PyTorch.

    pytorch.py [--bin build/bin] [--family NAME]... [--only MODEL]... [--work DIR [--reuse]] [--keep CORPUS] [--table FILE]

For each model of pytorch_models.py and each exporter that is installed: export, `tessera run`, compare with PyTorch's results.
torch_xla's programs are run from the folder that it saves, with the inputs alone; torchax's as files of jax.export and as text;
torch-mlir's as text, with their weights in dense_resource, and as bytecode. A model that the exporter refuses is told so and does
not count. Each export runs in a process of its own: the exporters do not all bear each other.

torchax's programs are run by JAX, too: where that gives something else than PyTorch, the exporter is wrong, and JAX's result counts
("as exported").

--work keeps the exports in DIR, and --reuse takes those that are there. --keep writes those of KEPT, with inputs and results, to
folders below CORPUS. --table writes the table of docs/PYTORCH.md.
Needs torch; without it nothing is done.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("PJRT_DEVICE", "CPU")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
FAMILIES = ["torch_xla", "torchax", "torch_mlir"]
RTOL, ATOL = "1e-3", "2e-5"

# ---- Export, in a process of its own ----


def arrays(values):
    import numpy as np
    return [np.asarray(v.detach().numpy()) for v in values]


def flat(value):
    return [v for part in value for v in flat(part)] if isinstance(value, (tuple, list)) else [value]


def save_arrays(where, stem, values):
    import numpy as np
    for i, a in enumerate(values):
        np.save(os.path.join(where, f"{stem}{i}.npy"), a)


def export_torch_xla(m, inputs, where):
    """The folder that torch_xla saves, and its text and weights in the order of arguments, as other programs are kept."""
    import torch
    from torch_xla.stablehlo import VariableType, exported_program_to_stablehlo
    graph = exported_program_to_stablehlo(torch.export.export(m, inputs))
    graph.save(os.path.join(where, "saved"))
    func, held = graph._bundle.stablehlo_funcs[0], graph._bundle
    given = arrays(inputs)
    args = []
    for at in func.meta.input_locations:
        args.append(given[at.position] if at.type_ == VariableType.INPUT_ARG else
                    held.state_dict[at.name] if at.type_ == VariableType.PARAMETER else held.additional_constants[at.position])
    with open(os.path.join(where, "module.mlir"), "w") as f:
        f.write(func.text)
    save_arrays(where, "in", args)


def export_torchax(m, inputs, where):
    import torch
    import torchax.export
    weights, exported = torchax.export.exported_program_to_stablehlo(torch.export.export(m, inputs))
    import jax
    import numpy as np
    kept = exported.module_kept_var_idx
    leaves = jax.tree_util.tree_leaves((weights, inputs), is_leaf=lambda x: isinstance(x, torch.Tensor))
    args = []
    for i in kept:
        a = leaves[i]
        a = a.detach().numpy() if isinstance(a, torch.Tensor) else np.asarray(a)
        args.append(a.astype(exported.in_avals[i].dtype))
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    with mlir.make_ir_context(), open(os.path.join(where, "module.mlir"), "w") as f:
        f.write(ir.Module.parse(exported.mlir_module()).operation.get_asm(enable_debug_info=False) + "\n")
    with open(os.path.join(where, "module.mlirbc"), "wb") as f:
        f.write(exported.mlir_module_serialized)
    save_arrays(where, "in", args)
    args = [leaves[i] for i in range(len(leaves))]
    args = [jax.numpy.asarray(a.detach().numpy() if isinstance(a, torch.Tensor) else a) for a in args]
    given, named = jax.tree_util.tree_unflatten(exported.in_tree, args)
    return [np.asarray(r) for r in jax.tree_util.tree_leaves(exported.call(*given, **named))]


def export_torch_mlir(m, inputs, where):
    from torch_mlir import fx
    made = fx.export_and_import(m, *inputs, output_type="stablehlo")
    with open(os.path.join(where, "module.mlir"), "w") as f:
        f.write(str(made.operation))
    with open(os.path.join(where, "module.mlirbc"), "wb") as f:
        made.operation.write_bytecode(f)
    save_arrays(where, "in", arrays(inputs))


def export(family, name, where):
    import torch
    import pytorch_models
    m, inputs = pytorch_models.make(name)
    with torch.no_grad():
        results = arrays(flat(m(*inputs)))
        own = globals()["export_" + family](m, inputs, where)
    if own:  # types are the exporter's: without 64 bits, indices have 32
        import numpy as np
        results = [r.astype(o.dtype) for r, o in zip(results, own)]
        if not all(np.allclose(o, r, float(RTOL), float(ATOL)) for o, r in zip(own, results)):
            results = own
            open(os.path.join(where, "own"), "w").close()
    save_arrays(where, "out", results)
    save_arrays(where, "user", arrays(inputs))


# ---- Runs ----


def numbered(where, stem):
    n = 0
    while os.path.exists(os.path.join(where, f"{stem}{n}.npy")):
        yield os.path.join(where, f"{stem}{n}.npy")
        n += 1


def forms(where):
    """What is run, and with which inputs."""
    saved = os.path.join(where, "saved")
    if os.path.isdir(saved):
        yield saved, "user"
    for file in ("module.mlir", "module.mlirbc"):
        if os.path.exists(os.path.join(where, file)):
            yield os.path.join(where, file), "in"


def run(tessera, path, where, stem):
    """Largest error of all results, and whether all are right; or what went wrong."""
    command = [tessera, "run", path] + [f"--input={p}" for p in numbered(where, stem)]
    command += [f"--expect={p}" for p in numbered(where, "out")] + [f"--rtol={RTOL}", f"--atol={ATOL}"]
    p = subprocess.run(command, capture_output=True, text=True)
    rows = [line.split() for line in p.stdout.splitlines()[1:]]  # name, type, largest absolute error, ...
    if not rows or p.returncode > 1:
        return None, (p.stderr.strip().splitlines() or [f"exit code {p.returncode}"])[0]
    worst = max(float(r[2]) for r in rows if re.match(r"[\d.]", r[2])) if all(len(r) > 3 for r in rows) else float("nan")
    return worst, None if p.returncode == 0 else "results differ"


def exported(family, name, where):
    """None, or why there is no export."""
    os.makedirs(where, exist_ok=True)
    command = [sys.executable, os.path.abspath(__file__), "--export", family, name, where]
    p = subprocess.run(command, capture_output=True, text=True)
    lines = p.stderr.strip().splitlines()
    told = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return (told or lines or ["no reason given"])[-1][:110] if p.returncode else None


def one(tessera, family, name, where, reuse):
    """A row of the table: verdict, forms, error."""
    if not (reuse and os.path.exists(os.path.join(where, "out0.npy"))):
        why = exported(family, name, where)
        if why:
            return "not exported", "", why
    worst, ran = 0.0, []
    for path, stem in forms(where):
        error, wrong = run(tessera, path, where, stem)
        if wrong:
            return "NOT MATCHED", os.path.basename(path), wrong if error is None else f"{wrong}: {error:.2e}"
        worst = max(worst, error)
        ran.append(os.path.basename(path))
    own = os.path.exists(os.path.join(where, "own"))
    return "as exported" if own else "matched", ", ".join(ran), f"{worst:.1e}"


def keep(family, name, where, corpus):
    to = os.path.join(corpus, f"{family}_{name}")
    shutil.rmtree(to, ignore_errors=True)
    os.makedirs(to)
    with open(os.path.join(where, "module.mlir")) as f, open(os.path.join(to, "module.mlir"), "w") as g:
        g.write(re.sub(r"(stablehlo\.compare|,)  (?=[A-Z])", r"\1 ", f.read()))  # an older printer leaves two spaces there
    for file in [os.path.basename(p) for stem in ("in", "out") for p in numbered(where, stem)]:
        shutil.copy(os.path.join(where, file), os.path.join(to, file))
    if name == "held" and family == "torch_xla":
        shutil.copytree(os.path.join(where, "saved"), os.path.join(to, "saved"))
        for path in numbered(where, "user"):
            shutil.copy(path, to)


def have(family):
    code = {"torch_xla": "import torch_xla.stablehlo", "torchax": "import torchax.export", "torch_mlir": "import torch_mlir.fx"}
    return subprocess.run([sys.executable, "-c", code[family]], capture_output=True).returncode == 0


def main():
    if sys.argv[1:2] == ["--export"]:
        return export(*sys.argv[2:])
    a = argparse.ArgumentParser()
    a.add_argument("--bin", default="build/bin")
    a.add_argument("--family", action="append", choices=FAMILIES)
    a.add_argument("--only", action="append")
    a.add_argument("--work")
    a.add_argument("--reuse", action="store_true")
    a.add_argument("--keep")
    a.add_argument("--table")
    a = a.parse_args()
    try:
        import pytorch_models
    except ImportError as e:
        print(f"pytorch: skipped, {e}")
        return 0
    rows, bad = [], 0
    work = a.work or tempfile.mkdtemp()
    print(f"{'family':<12} {'model':<24} {'verdict':<13} {'largest error':<15} forms")
    for family in a.family or FAMILIES:
        if not have(family):
            print(f"{family:<12} skipped: it is not installed")
            continue
        for name in a.only or pytorch_models.MODELS:
            where = os.path.join(work, family, name)
            verdict, ran, error = one(os.path.join(a.bin, "tessera"), family, name, where, a.reuse)
            rows.append((family, name, verdict, ran, error))
            bad += verdict == "NOT MATCHED"
            print(f"{family:<12} {name:<24} {verdict:<13} {error:<15} {ran}", flush=True)
            if a.keep and verdict == "matched" and name in pytorch_models.KEPT[family]:
                keep(family, name, where, a.keep)
            if not a.work:
                shutil.rmtree(where, ignore_errors=True)
    for family in dict.fromkeys(r[0] for r in rows):
        mine = [r for r in rows if r[0] == family and r[2] != "not exported"]
        print(f"{family}: {sum(r[2] == 'matched' for r in mine)} of {len(mine)} matched")
    if a.table:
        write_table(a.table, rows)
    if not a.work:
        shutil.rmtree(work, ignore_errors=True)
    return 1 if bad else 0


def write_table(path, rows):
    """Between the lines that say so, in a document."""
    with open(path) as f:
        text = f.read()
    begin, end = "<!-- table -->\n", "<!-- end -->"
    lines = ["| model | " + " | ".join(FAMILIES) + " |", "| --- |" + " --- |" * len(FAMILIES)]
    for name in dict.fromkeys(r[1] for r in rows):
        cells = []
        for family in FAMILIES:
            found = [r for r in rows if r[0] == family and r[1] == name]
            cells.append("" if not found else found[0][4] if found[0][2] == "matched" else found[0][2].lower())
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    at = text.index(begin) + len(begin)
    with open(path, "w") as f:
        f.write(text[:at] + "\n".join(lines) + "\n" + text[text.index(end):])


if __name__ == "__main__":
    sys.exit(main())
