# SPDX-License-Identifier: Apache-2.0
"""PyTorch's door: torch.compile(model, backend="tessera"), forward and training, on tensors' own memory.

    import tessera.torch
    model = torch.compile(model, backend="tessera")

docs/PYTORCH.md has the whole of it."""

import importlib.util

from . import _torch_private as private
from . import _torch_table as table
from ._torch_call import Graph
from ._torch_explain import Explanation, explained, tensors
from ._torch_export import loaded, steps_module
from ._torch_graph import name_of
from ._torch_shard import Placements
from .errors import InputError

__all__ = ["Explanation", "InputError", "Placements", "auto_shard", "backend", "explain", "load", "to_stablehlo"]
_LOGS = []  # of explain


def _decompositions():
    table.load()
    return {op: f for op, f in private.decompositions().items() if not hasattr(op, "_schema") or table.find(name_of(op)) is None}


_made = {}


def backend(gm, inputs, **options):
    """The compiler that torch.compile calls with each graph."""
    log = _LOGS[-1] if _LOGS else None

    def compiler(kind):
        def made(gm, inputs):
            return Graph(gm, kind, log).function()

        return made

    return private.aot(gm, inputs, fw_compiler=compiler("forward"), bw_compiler=compiler("backward"), inference_compiler=compiler("inference"),
                       decompositions=_table(), keep_inference_input_mutations=True)


def _table():
    if "decompositions" not in _made:
        _made["decompositions"] = _decompositions()
    return _made["decompositions"]


def explain(model, *args, backward=True, **kwargs):
    """Compiles a model, or a function, for these arguments and calls it twice: an Explanation of its graphs, of what runs in eager, of time and memory.
    backward: with gradients, where results have them. What torch.compile has compiled before is forgotten."""
    return explained(private.require(), model, args, kwargs, _LOGS, backward)


def load(exported):
    """The tessera.Module of a torch.export.ExportedProgram. Its arguments have the names of parameters and inputs; run and compile take the inputs of the model,
    whose weights are bound. Buffers that the model changes come before its results."""
    private.require()
    return loaded(exported, _table())


def to_stablehlo(exported):
    """The StableHLO text of an exported program."""
    return str(load(exported).run_passes("chlo-legalize-to-stablehlo"))


def auto_shard(model, optimizer, *args, devices=0, mesh="", device="h100", loss=None, kwargs=None, **options):
    """Finds where parameters, optimizer state and inputs lie on a mesh, so that a training step takes the least time: Placements.

    optimizer: torch.optim's SGD, Adam or AdamW of the model's parameters, or None for plain SGD. args, kwargs: an example of what the model is called with. devices:
    how many, or mesh: "dp=2,tp=4". loss: of what the model returns; without it, what it returns as loss, or the mean of squares. options: those of Module.find_plan."""
    torch = private.require()
    module, names = steps_module(torch, model, optimizer, args, kwargs or {}, loss or _loss, _table())
    plan = module.find_plan(mesh=mesh, devices=devices, device=device, **options)
    return Placements(module, plan, names)


def _loss(out):
    found = getattr(out, "loss", None)
    if found is not None:
        return found
    return sum(t.float().square().mean() for t in tensors(out) if t.requires_grad)


if importlib.util.find_spec("torch"):  # else functions here say that it is missing
    private.require()
    private.register("tessera", backend)
