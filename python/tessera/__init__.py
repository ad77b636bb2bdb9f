"""Tessera: a tensor-graph compiler and runtime for device meshes."""

import os
from pathlib import Path

try:
    from tessera._version import __version__
except ImportError:  # from the source tree
    __version__ = "0+source"

_LIBRARY = "pjrt_plugin_tessera.so"


def plugin_path():
    """Where the PJRT plugin is: TESSERA_PLUGIN, beside this file, or in the build folder of the source tree."""
    given = os.environ.get("TESSERA_PLUGIN")
    here = Path(__file__).resolve().parent
    places = [Path(given)] if given else [here / _LIBRARY, here.parent.parent / "build" / _LIBRARY]
    for place in places:
        if place.is_file():
            return str(place)
    raise FileNotFoundError(f"Tessera's plugin is not there: {', '.join(map(str, places))}")
