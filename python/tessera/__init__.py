# SPDX-License-Identifier: Apache-2.0
"""Tessera: a tensor-graph compiler and runtime for device meshes."""

import os

try:
    from tessera._version import __version__
except ImportError:  # from the source tree
    __version__ = "0+source"

_LIBRARY = "pjrt_plugin_tessera.so"
_NAMES = {
    **dict.fromkeys(("Attr", "Type"), "types"),
    **dict.fromkeys(("Block", "Op", "Region", "Value"), "ops"),
    **dict.fromkeys(("Context", "default_context"), "context"),
    **dict.fromkeys(("Module", "Costs"), "module"),
    **dict.fromkeys(("Check", "Plan"), "plan"),
    **dict.fromkeys(("Diagnostic", "EnvironmentFailure", "InputError", "TesseraError"), "errors"),
    **dict.fromkeys(("Bound", "Comparison", "Executable", "Profile", "Stop", "compare", "devices"), "runtime"),
    **dict.fromkeys(("FunctionGoldens", "GoldenOp", "Goldens", "Report"), "goldens"),
    "Builder": "builder",
    "Tensor": "tensors",
}
__all__ = [*_NAMES, "jax", "plugin_path", "torch"]


def __getattr__(name):
    """The library is opened when the first name is used: JAX's plugin needs none of it."""
    import importlib

    if name in ("jax", "torch"):
        return importlib.import_module(f"tessera.{name}")
    if name not in _NAMES:
        raise AttributeError(f"module 'tessera' has no attribute {name!r}")
    return getattr(importlib.import_module(f"tessera.{_NAMES[name]}"), name)


def __dir__():
    return sorted([*globals(), *_NAMES])


def plugin_path():
    """Where the PJRT plugin is: TESSERA_PLUGIN, beside this file, or in the build folder of the source tree."""
    return _find("TESSERA_PLUGIN", _LIBRARY, "plugin")


def _find(variable, name, what):
    """A file that a variable names, or that is beside this one, or in the build folder of the source tree."""
    here = os.path.dirname(os.path.abspath(__file__))
    given = os.environ.get(variable)
    root = os.path.dirname(os.path.dirname(here))
    places = [given] if given else [os.path.join(here, name), os.path.join(root, "build", name)]
    for place in places:
        if os.path.isfile(place):
            return place
    raise FileNotFoundError(f"Tessera's {what} is not there: {', '.join(places)}")
