# SPDX-License-Identifier: Apache-2.0
"""Programs on disk, where TESSERA_TORCH_CACHE names a folder: a second process loads what the first one built."""

import hashlib
import os
import time

from . import _torch_program as program
from ._library import lib
from .errors import TesseraError
from .runtime import Executable


def _path(folder, data):
    """The name says all that a program depends on: the graph without its lines, the table's format, the library's version."""
    ops = [op[:4] for op in data["ops"]]
    text = program.to_json({**data, "ops": ops, "format": program.FORMAT, "version": lib.tsr_version()})
    return os.path.join(folder, hashlib.sha256(text.encode()).hexdigest()[:40] + ".tsrx")


def executable(data):
    """The executable of a graph, and the seconds that its module took."""
    folder = os.environ.get("TESSERA_TORCH_CACHE")
    path = _path(folder, data) if folder else None
    if path:
        try:
            with open(path, "rb") as f:
                return Executable.load(f.read()), 0.0
        except (OSError, TesseraError):  # not there yet, damaged, or of another version
            pass
    started = time.perf_counter()
    module = program.build(data)
    built = time.perf_counter() - started
    made = Executable(module, "main")
    if path:
        _keep(folder, path, made)
    return made, built


def _keep(folder, path, made):
    from ._library import write_file

    try:
        os.makedirs(folder, exist_ok=True)
        write_file(path, made.save())
    except (OSError, TesseraError):  # a cache that cannot be written is none
        pass
