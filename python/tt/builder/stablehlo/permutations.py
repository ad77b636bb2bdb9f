# SPDX-License-Identifier: Apache-2.0
"""All ways to shard the arguments of a module over a number of devices, and those of them that communicate least."""

import tessera as ts
from ttmlir.ir import Module
from ttmlir.passes import stablehlo_pipeline

_MOST = 1 << 16
_COLLECTIVES = {"all_gather", "all_reduce", "all_slice", "all_to_all", "collective_broadcast", "collective_permute", "reduce_scatter"}


def module_permutations(module, num_devices):
    """A copy of the module for each shape of the mesh and each choice of shardings of arguments. A module with shardings of its own is refused: they are
    what is looked for."""
    if not isinstance(num_devices, int) or num_devices < 1:
        raise ValueError(f"a number of devices is expected, not {num_devices!r}")
    if "sdy." in str(module):
        raise ValueError("the module has shardings already")
    found = []
    try:
        for made in module._module.permutations(num_devices):
            found.append(Module(made))
            if len(found) > _MOST:
                break
    except ts.InputError as e:
        raise ValueError(f"{e}; tessera.Module.auto_shard searches") from None
    if len(found) > _MOST:
        raise ValueError(f"more than {_MOST} modules: that is too many to list; tessera.Module.auto_shard searches")
    return found


def _collectives(module):
    return sum(op.name.partition(".")[2] in _COLLECTIVES for op in module._module.walk())


def least_collectives(modules):
    """Copies of those modules that have the fewest collectives after stablehlo-pipeline, as it leaves them. One that it does not take is left out."""
    found = []
    for module in modules:
        copy = Module(ts.Module.parse(str(module), context=module.context))
        try:
            stablehlo_pipeline(copy)
        except ts.TesseraError:
            continue
        found.append((_collectives(copy), copy))
    least = min((n for n, _ in found), default=0)
    return [module for n, module in found if n == least]
