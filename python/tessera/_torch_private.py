# SPDX-License-Identifier: Apache-2.0
"""What tessera.torch needs of torch and has no public name: all of it is here, so that one file tells which versions work."""

from .errors import EnvironmentFailure

OLDEST, NEWEST = (2, 9), (2, 9)


def _text(version):
    return ".".join(map(str, version))


def require():
    """The module torch; raises where it is missing, or a version that was not tested."""
    try:
        import torch
    except ImportError as error:
        raise EnvironmentFailure(f"tessera.torch needs torch, which this Python does not have: {error}") from None
    version = tuple(int(n) for n in torch.__version__.split("+")[0].split(".")[:2])
    if not OLDEST <= version <= NEWEST:
        raise EnvironmentFailure(f"tessera.torch supports torch {_text(OLDEST)} to {_text(NEWEST)}; this is torch {torch.__version__}")
    return torch


def register(name, backend):
    from torch._dynamo.backends.registry import _BACKENDS, register_backend

    if _BACKENDS.get(name) is None:
        register_backend(backend, name=name)


def decompositions():
    """What torch can decompose: a dictionary from ops to functions."""
    from torch._decomp import core_aten_decompositions, global_decomposition_table

    return {**global_decomposition_table["post_autograd"], **core_aten_decompositions()}


def aot(gm, inputs, **options):
    from torch._dynamo.backends.common import aot_autograd

    return aot_autograd(**options)(gm, inputs)


def partition(joint, inputs, **options):
    from torch._functorch.partitioners import min_cut_rematerialization_partition

    return min_cut_rematerialization_partition(joint, inputs, **options)


def makers():
    """How a tensor is made, and another one over its memory: functions of (size, stride, dtype) and (tensor, size, stride, offset)."""
    import torch

    try:
        from torch._C._dynamo.guards import _empty_strided_cpu as empty
    except ImportError:
        def empty(size, stride, dtype):
            return torch.empty_strided(size, stride, dtype=dtype)

    try:
        from torch._C._dynamo.guards import _reinterpret_tensor

        def over(tensor, size, stride, offset):
            return _reinterpret_tensor(tensor, size, stride, offset)
    except ImportError:
        def over(tensor, size, stride, offset):
            return torch.as_strided(tensor, size, stride, tensor.storage_offset() + offset)

    return empty, over


def expression(x):
    """The expression of a symbolic size, and what torch thinks that it is; None for numbers."""
    node = getattr(x, "node", None)
    return None if node is None else node.expr


def forget():
    """What was compiled so far, and the counts of graph breaks."""
    import torch
    from torch._dynamo.utils import counters

    torch._dynamo.reset()
    counters.clear()


def graph_breaks():
    """Reasons for which Dynamo broke graphs, and how often."""
    from torch._dynamo.utils import counters

    return {" ".join(k.split())[:200]: n for k, n in counters["graph_break"].items()}


def groups_of(name):
    """All groups of ranks of the kind that a process group is one of: itself, and those beside it, as many as there are processes."""
    import torch.distributed as dist
    from torch.distributed.distributed_c10d import _resolve_process_group

    ranks = dist.get_process_group_ranks(_resolve_process_group(name))
    world, n = dist.get_world_size(), len(ranks)
    step = ranks[1] - ranks[0] if n > 1 else 1
    if ranks != [ranks[0] + i * step for i in range(n)] or world % (n * step):
        return [ranks]
    return [[base + offset + i * step for i in range(n)] for base in range(0, world, n * step) for offset in range(step)]
