# SPDX-License-Identifier: Apache-2.0
"""Exported programs as modules: arguments with the names of parameters, weights bound, collectives of torch.distributed as ours."""

from . import _torch_private as private
from . import _torch_program as program
from . import _torch_table as table
from ._torch_graph import Reader, Segment, Sizes, is_tensor, name_of, place_of, supports
from .errors import InputError
from .module import Module


class Weights:
    """What a module of an exported program knows of PyTorch's: which arguments are inputs, and the tensors of the others (as runtime.Saved does of folders)."""

    def __init__(self, sources, tensors):
        self.sources, self.tensors = sources, tensors
        self.num_inputs = sum(s >= 0 for s in sources)

    def weight(self, i, type):
        return self.tensors[i]

    def takes(self, arrays, types):
        return len(types) == len(self.sources) and (len(arrays) != len(types) or self.num_inputs == len(types))

    def complete(self, arrays, types):
        if not self.takes(arrays, types):
            return arrays
        if len(arrays) != self.num_inputs:
            raise InputError(f"the model takes {self.num_inputs} inputs, and {len(arrays)} are given")
        return [arrays[s] if s >= 0 else self.tensors[i] for i, s in enumerate(self.sources)]


def module_of(gm, names, outputs=None):
    """The module of a graph of ATen ops, with names for its inputs. outputs: nodes, if not all that it returns. Everything must have a row."""
    table.load()
    reader = Reader(gm, Sizes({}))
    missing = {}
    nodes = [n for n in gm.graph.nodes if n.op == "call_function" and not reader.is_number(n)]
    for n in nodes:
        reason = supports(reader, n, export=True)
        if reason:
            missing.setdefault(f"{name_of(n.target)} ({reason})", place_of(n))
    if missing:
        raise InputError(f"ops that no module can have: {', '.join(f'{k} at {p[0]}:{p[1]}' if p else k for k, p in sorted(missing.items()))}")
    returned = [n for n in (outputs if outputs is not None else reader.output.args[0]) if n is not None]
    segment = Segment(reader, nodes, [], reader.placeholders)
    for n in returned:
        segment.results.append([segment.number[n], None])
    graph = segment.data([None] * len(segment.inputs))
    order = [names[n] for n in segment.inputs]
    try:
        return program.build(graph, order), segment
    except program.OpError as error:
        place = graph["ops"][error.number][4]
        where = f" at {place[0]}:{place[1]}" if place else ""
        raise InputError(f"{error.name}{where}: {error.reason}") from None


def loaded(exported, decompositions):
    """The module of a torch.export.ExportedProgram."""
    torch = private.require()
    if not isinstance(exported, torch.export.ExportedProgram):
        raise InputError(f"a torch.export.ExportedProgram is expected, not a {type(exported).__name__}")
    exported = exported.run_decompositions(decompositions)
    signature, gm = exported.graph_signature, exported.graph_module
    given = {**exported.state_dict, **exported.constants}
    by_name = {n.name: n for n in gm.graph.nodes if n.op == "placeholder"}
    names, sources, tensors, inputs = {}, [], {}, 0
    for i, spec in enumerate(signature.input_specs):
        node = by_name[spec.arg.name]
        names[node] = spec.target or spec.arg.name
        if spec.kind.name == "USER_INPUT":
            if not is_tensor(node.meta.get("val")):
                raise InputError(f"the input {spec.arg.name} is no tensor, but {spec.arg.value!r}: export it as a constant of the model")
            sources.append(inputs)
            inputs += 1
        else:
            sources.append(-1)
            tensors[i] = given[spec.target].detach()
    outputs = next(n for n in gm.graph.nodes if n.op == "output").args[0]
    made, segment = module_of(gm, names, [n for n in outputs if hasattr(n, "op")])
    made.saved = Weights(sources, tensors)
    return made


def steps_module(torch, model, optimizer, args, kwargs, loss, decompositions):
    """The module of a training step: (parameters, buffers, the optimizer's state, inputs) to (loss, and all of them after the step); names of its arguments."""
    from torch.fx.experimental.proxy_tensor import make_fx

    params, buffers = dict(model.named_parameters()), dict(model.named_buffers())
    update, states = rule_of(torch, optimizer, params)
    flat, spec = torch.utils._pytree.tree_flatten((args, kwargs))
    places = [i for i, t in enumerate(flat) if is_tensor(t)]

    def step(params, buffers, states, inputs):
        leaves = list(flat)
        for i, t in zip(places, inputs):
            leaves[i] = t
        args, kwargs = torch.utils._pytree.tree_unflatten(leaves, spec)
        params = {k: v.detach().requires_grad_(v.is_floating_point()) for k, v in params.items()}
        out = torch.func.functional_call(model, (params, buffers), args, kwargs)
        value = loss(out)
        wanted = {k: v for k, v in params.items() if v.requires_grad}
        grads = dict(zip(wanted, torch.autograd.grad(value, list(wanted.values()), allow_unused=True)))
        with torch.no_grad():
            new, after = update(params, grads, states)
        return [value.detach(), new, buffers, after]

    given = [params, buffers, states, [flat[i] for i in places]]
    gm = make_fx(step, decomposition_table=decompositions, tracing_mode="fake")(*given)
    gm.graph.eliminate_dead_code()
    names = [*params, *buffers, *(f"{s}.{k}" for s, group in states.items() for k in group), *(f"inputs.{i}" for i in range(len(places)))]
    nodes = [n for n in gm.graph.nodes if n.op == "placeholder"]
    outputs = torch.utils._pytree.tree_leaves(next(n for n in gm.graph.nodes if n.op == "output").args[0])
    return module_of(gm, dict(zip(nodes, names)), [n for n in outputs if hasattr(n, "op")])[0], names


def rule_of(torch, optimizer, params):
    """A step of an optimizer as a function of parameters, gradients and state, and the state: of SGD, Adam and AdamW, whose options are those of its first group."""
    kind = type(optimizer).__name__ if optimizer is not None else "SGD"
    o = optimizer.param_groups[0] if optimizer is not None else dict(lr=1e-3, momentum=0)
    zeros = {k: torch.zeros_like(v) for k, v in params.items() if v.is_floating_point()}
    if kind == "SGD":
        states = {"momentum": zeros} if o["momentum"] else {}

        def sgd(params, grads, states):
            new, after = dict(params), {s: dict(v) for s, v in states.items()}
            for k, g in grads.items():
                if g is None:
                    continue
                if states:
                    g = after["momentum"][k] = o["momentum"] * states["momentum"][k] + g
                new[k] = params[k] - o["lr"] * g
            return new, after

        return sgd, states
    if kind not in ("Adam", "AdamW"):
        raise InputError(f"SGD, Adam, AdamW or None is planned, not {kind}")

    def adam(params, grads, states):
        new, after = dict(params), {s: dict(v) for s, v in states.items()}
        for k, g in grads.items():
            if g is None:
                continue
            m = after["exp_avg"][k] = o["betas"][0] * states["exp_avg"][k] + (1 - o["betas"][0]) * g
            v = after["exp_avg_sq"][k] = o["betas"][1] * states["exp_avg_sq"][k] + (1 - o["betas"][1]) * g * g
            new[k] = params[k] * (1 - o["lr"] * o["weight_decay"]) - o["lr"] * m / (v.sqrt() + o["eps"])
        return new, after

    return adam, {"exp_avg": zeros, "exp_avg_sq": dict(zeros)}
