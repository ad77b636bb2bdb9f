"""PyTorch's door: torch.compile(model, backend="tessera"), forward and training, on tensors' own memory.

    import tessera.torch
    model = torch.compile(model, backend="tessera")

docs/PYTORCH.md has the whole of it."""

import importlib.util

from . import _torch_private as private
from . import _torch_table as table
from ._torch_call import Graph
from ._torch_explain import Explanation, explained
from ._torch_graph import name_of

__all__ = ["Explanation", "backend", "explain"]
_LOGS = []  # of explain


def _decompositions():
    table.load()
    return {op: f for op, f in private.decompositions().items() if not hasattr(op, "_schema") or table.find(name_of(op)) is None}


_made = {}


def backend(gm, inputs, **options):
    """The compiler that torch.compile calls with each graph."""
    if "decompositions" not in _made:
        _made["decompositions"] = _decompositions()
    log = _LOGS[-1] if _LOGS else None

    def compiler(kind):
        def made(gm, inputs):
            return Graph(gm, kind, log).function()

        return made

    return private.aot(gm, inputs, fw_compiler=compiler("forward"), bw_compiler=compiler("backward"), inference_compiler=compiler("inference"),
                       decompositions=_made["decompositions"], keep_inference_input_mutations=True)


def explain(model, *args, backward=True, **kwargs):
    """Compiles a model, or a function, for these arguments and calls it twice: an Explanation of its graphs, of what runs in eager, of time and memory.
    backward: with gradients, where results have them. What torch.compile has compiled before is forgotten."""
    return explained(private.require(), model, args, kwargs, _LOGS, backward)


if importlib.util.find_spec("torch"):  # else functions here say that it is missing
    private.require()
    private.register("tessera", backend)
