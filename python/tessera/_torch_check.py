# SPDX-License-Identifier: Apache-2.0
"""TESSERA_CHECK=ops: each op of a graph alone in a program, on eager's values, beside eager."""

import math
import operator

from ._torch_graph import is_tensor, name_of, place_of
from ._torch_program import is_random
from .errors import InputError

# Beside the greatest element; the second, beside each.
_TOLERANCE = {"float64": (1e-9, 1e-7), "complex128": (1e-9, 1e-7), "bfloat16": (2e-2, 2e-2), "float16": (2e-3, 4e-3)}


def apart(mine, theirs):
    """What is off between two tensors, or None."""
    import torch

    if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
        return f"{mine.dtype}{list(mine.shape)} instead of {theirs.dtype}{list(theirs.shape)}"
    if not theirs.numel():
        return None
    if not (theirs.is_floating_point() or theirs.is_complex()):
        n = int((mine != theirs).sum())
        return f"{n} of {theirs.numel()} elements differ" if n else None
    if theirs.dtype.itemsize == 1:
        mine, theirs = mine.float(), theirs.float()
    atol, rtol = _TOLERANCE.get(str(theirs.dtype).rpartition(".")[2], (1e-5, 1e-3))
    finite = torch.isfinite(theirs)
    scale = float(theirs[finite].abs().max()) if bool(finite.any()) else 0.0
    good = torch.isclose(mine, theirs, rtol=rtol, atol=atol * max(scale, 1e-30), equal_nan=True)
    if bool(good.all()):
        return None
    error = (mine - theirs).abs()[~good]
    worst = float(error.max()) if math.isfinite(float(error.max())) else math.inf
    return f"{int((~good).sum())} of {theirs.numel()} elements differ, by {worst:.3g} at most, where the greatest is {scale:.3g}"


def alone(gm, node):
    """A graph of one op, whose inputs are placeholders."""
    import torch

    graph, made = torch.fx.Graph(), {}

    def placeholder(n):
        if n not in made:
            made[n] = graph.placeholder(n.name)
            made[n].meta.update(n.meta)
        return made[n]

    inputs = list(node.all_input_nodes)
    for n in inputs:
        placeholder(n)
    copy = graph.node_copy(node, placeholder)
    value, outputs = node.meta.get("val"), [copy]
    if isinstance(value, (list, tuple)):
        outputs = []
        for i, v in enumerate(value):
            if is_tensor(v):
                outputs.append(graph.call_function(operator.getitem, (copy, i)))
                outputs[-1].meta["val"] = v
    graph.output(outputs)
    return torch.fx.GraphModule(gm, graph), inputs


def check(gm, args, values, plans, new_plan):
    """Raises at the first op that is off. plans: those of ops, kept between calls; new_plan(gm, values, args): makes one."""
    import torch

    env, given = {}, iter(args)
    of = lambda x: torch.fx.node.map_arg(x, lambda n: env[n])  # noqa: E731
    with torch.no_grad():
        for node in gm.graph.nodes:
            if node.op == "placeholder":
                env[node] = next(given)
            elif node.op == "get_attr":
                env[node] = operator.attrgetter(node.target)(gm)
            elif node.op == "call_function":
                name = name_of(node.target)
                if name == "aten.copy_.default":
                    env[node] = env[node.args[0]]
                    continue
                env[node] = node.target(*of(node.args), **of(node.kwargs))
                if hasattr(node.target, "_schema") and not is_random(name):
                    _one(gm, node, name, env, values, plans, new_plan)


def _one(gm, node, name, env, values, plans, new_plan):
    theirs = [t for t in (env[node] if isinstance(env[node], (list, tuple)) else [env[node]]) if is_tensor(t)]
    if not theirs or not any(is_tensor(env[n]) for n in node.all_input_nodes):
        return
    graph, inputs = alone(gm, node)
    given = [env[n] for n in inputs]
    key = node, tuple((tuple(t.shape), t.stride()) if is_tensor(t) else t for t in given)
    plan = plans.get(key)
    if plan is None:
        plan = plans[key] = new_plan(graph, values, given)
    if plan.eager or not plan.steps:
        return
    for mine, other in zip(plan.call(list(given)), theirs):
        off = apart(mine, other)
        if off:
            place = place_of(node)
            where = f"{place[0]}:{place[1]}: " if place else ""
            raise InputError(f"{where}TESSERA_CHECK=ops: {name} ({node.name}) differs from eager: {off}")
