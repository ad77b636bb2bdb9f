"""Tessera: a tensor-graph compiler and runtime for device meshes."""

import os
from pathlib import Path

try:
    from tessera._version import __version__
except ImportError:  # from the source tree
    __version__ = "0+source"

_LIBRARY = "pjrt_plugin_tessera.so"
_NAMES = {
    **dict.fromkeys(("Attr", "Type"), "types"),
    **dict.fromkeys(("Block", "Op", "Region", "Value"), "ops"),
    **dict.fromkeys(("Context", "default_context"), "context"),
    **dict.fromkeys(("Module", "Plan"), "module"),
    **dict.fromkeys(("Diagnostic", "EnvironmentFailure", "InputError", "TesseraError"), "errors"),
    **dict.fromkeys(("Comparison", "Executable", "compare"), "runtime"),
    "Builder": "builder",
    "Tensor": "tensors",
}
__all__ = [*_NAMES, "plugin_path"]


def __getattr__(name):
    """The library is opened when the first name is used: JAX's plugin needs none of it."""
    import importlib

    if name not in _NAMES:
        raise AttributeError(f"module 'tessera' has no attribute {name!r}")
    return getattr(importlib.import_module(f"tessera.{_NAMES[name]}"), name)


def __dir__():
    return sorted([*globals(), *_NAMES])


def plugin_path():
    """Where the PJRT plugin is: TESSERA_PLUGIN, beside this file, or in the build folder of the source tree."""
    given = os.environ.get("TESSERA_PLUGIN")
    here = Path(__file__).resolve().parent
    places = [Path(given)] if given else [here / _LIBRARY, here.parent.parent / "build" / _LIBRARY]
    for place in places:
        if place.is_file():
            return str(place)
    raise FileNotFoundError(f"Tessera's plugin is not there: {', '.join(map(str, places))}")
