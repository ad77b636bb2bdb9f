#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/python/Inputs/torch_ops.json: for each core ATen op a small sample of torch's own, as a graph of data with its inputs and eager's results,
and the names of all core ops. Needs torch; tests/python/torch_table.py, which reads the file, does not."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[0] = str(ROOT / "python")
sys.path.insert(1, str(ROOT / "tests" / "differential"))

import torch  # noqa: E402
import torch_ops as judge  # noqa: E402

from tessera import _torch_call as call  # noqa: E402
from tessera import _torch_program as program  # noqa: E402

MOST = 260  # numbers of a sample
KINDS = {torch.float32: "f32", torch.int64: "i64", torch.bool: "i1", torch.uint8: "ui8", torch.complex64: "complex<f32>", torch.int32: "i32", torch.float64: "f64"}


def numbers(t):
    if t.is_complex():
        t = torch.view_as_real(t)
    flat = t.detach().reshape(-1).tolist()
    return [float(f"{x:.8g}") if isinstance(x, float) else x for x in flat]


def cropped(x):
    """A sample with no more than four elements in each dimension."""
    if isinstance(x, torch.Tensor):
        return x[tuple(slice(0, 4) for _ in range(x.dim()))].clone()
    return type(x)(cropped(v) for v in x) if isinstance(x, (list, tuple)) else x


def small(op, sample):
    """The sample, smaller where it can be."""
    made = type(sample)(cropped(sample.input), args=cropped(sample.args), kwargs={k: cropped(v) for k, v in sample.kwargs.items()})
    try:
        op.op(made.input, *made.args, **made.kwargs)
        return made
    except Exception:  # noqa: BLE001 - not of any size
        return sample


def is_plain(plan, x):
    """Whether a result of a plan is one of its program, as it is."""
    if x[0] == "view":
        f = plan.reader.fact(x[1])
        return x[1].op != "placeholder" and (f.shape, f.stride, 0) == x[2:]
    return x[0] == "node" and x[1].op != "placeholder"


def without_detach(graph):
    """The graph without the ops that only hand on their values."""
    new, count, ops = {i: i for i in range(len(graph["inputs"]))}, len(graph["inputs"]), []
    taken = count

    def renumbered(x):
        if isinstance(x, dict) and set(x) == {"v"}:
            return {"v": new[x["v"]]}
        return [renumbered(i) for i in x] if isinstance(x, list) else {k: renumbered(v) for k, v in x.items()} if isinstance(x, dict) else x

    for name, args, kwargs, results, place in graph["ops"]:
        if name == "aten.detach.default":
            new[taken] = new[args[0]["v"]]
        else:
            ops.append([name, renumbered(args), renumbered(kwargs), results, place])
            new.update({taken + i: count + i for i in range(len(results))})
            count += len(results)
        taken += len(results)
    return dict(graph, ops=ops, outputs=[[new[v], order] for v, order in graph["outputs"]])


def recorded(op, sample):
    """The case of a sample, or None where it is too large or no single program."""
    found = {}
    plain = judge.call.Plan

    def kept(gm, values):
        plan = found["plan"] = plain(gm, values, call.Record("test"))
        return plan

    judge.call.Plan = kept
    flat, _ = judge.pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    given = [t for t in flat if isinstance(t, torch.Tensor)]
    try:
        if sum(t.numel() for t in given) > MOST or any(t.dtype not in KINDS for t in given):
            return None
        why, _ = judge.try_sample(op, sample, False, False)
    except Exception:  # noqa: BLE001 - a sample that cannot be traced is none for this file
        return None
    finally:
        judge.call.Plan = plain
    plan = found.get("plan")
    if why or plan is None or len(plan.steps) != 1 or plan.eager or plan.late:
        return None
    step = plan.steps[0]
    if step.segment.random or not all(is_plain(plan, x) for x in plan.returned) or any(f.dtype not in KINDS for f in step.facts):
        return None
    inputs = [given[plan.reader.placeholders.index(n)] for n in step.segment.inputs]
    order = [step.segment.outputs.index(x[1]) for x in plan.returned]
    x, args, kwargs = sample.input, sample.args, sample.kwargs
    eager = judge.tensors(op.op(x, *args, **kwargs))
    expected = [None] * len(step.segment.outputs)
    for k, t in zip(order, eager):
        expected[k] = t
    if any(t is None for t in expected) or sum(t.numel() for t in expected) > MOST:
        return None
    graph = json.loads(program.to_json(step.data))
    for o in graph["ops"]:
        o[4] = None
    graph["inputs"] = [[s, d, None] for s, d, _ in graph["inputs"]]
    graph["outputs"] = [[v, None] for v, _ in graph["outputs"]]
    return dict(graph=without_detach(graph), inputs=[numbers(t) for t in inputs], outputs=[numbers(t) for t in expected])


def main():
    judge.door._made["decompositions"] = judge.door._decompositions()
    names, cases = judge.core_ops(), []
    for name in names:
        if name.startswith("sym_") or name in judge.APART or name in judge.RANDOM:
            continue
        for dtype in (torch.float32,) if name in ("sort", "topk") else (torch.float32, torch.int64):  # of equal elements any may come first
            made = []
            for op in judge.infos(name)[:2]:
                if dtype not in op.supported_dtypes("cpu"):
                    continue
                torch.manual_seed(1)
                for k, sample in enumerate(op.sample_inputs("cpu", dtype)):
                    if k > 6 or len(made) >= 2:
                        break
                    case = recorded(op, small(op, sample))
                    if case and case not in made:
                        made.append(case)
            cases += [dict(name=name, **c) for c in made[: 2 if dtype == torch.float32 else 1]]
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases)
    text = f'{{"core": {json.dumps(names)},\n"cases": [\n{lines}\n]}}\n'
    path = ROOT / "tests" / "python" / "Inputs" / "torch_ops.json"
    path.write_text(text)
    print(f"{len(cases)} cases of {len({c['name'] for c in cases})} of {len(names)} core ops, {len(text)} bytes")


if __name__ == "__main__":
    main()
