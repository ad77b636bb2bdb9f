# SPDX-License-Identifier: Apache-2.0
"""What a search for shardings tells while it runs."""

import sys
import time
from ctypes import c_void_p, cast

from . import _library as c


class Told:
    """Calls a function with a dictionary, or writes a line to a terminal; an exception of the function ends the search, and goes on from there."""

    def __init__(self, wanted):
        self.raised, self.shown, self.start = None, 0, time.monotonic()
        if wanted is True:
            wanted = self._draw if sys.stderr.isatty() else None
        self.wanted = wanted or None
        self.function = c.SEARCH_PROGRESS_FN(self._call) if self.wanted else None

    @property
    def handle(self):
        return cast(self.function, c_void_p) if self.function else None

    def _call(self, _, progress):
        p = progress.contents
        best = p.best_seconds if p.best_seconds >= 0 else None
        mesh = c.borrowed(p.mesh).decode(errors="replace")
        try:
            return self.wanted({"meshes": p.meshes, "all_meshes": p.all_meshes, "candidates": p.candidates, "mesh": mesh, "best_seconds": best}) is not False
        except BaseException as e:  # it must not be lost in the library
            self.raised = e
            return False

    def _draw(self, p):
        now = time.monotonic()
        if now - self.start < 1 or now - self.shown < 0.2:
            return
        self.shown = now
        best = f", best step {1e3 * p['best_seconds']:.4g} ms" if p["best_seconds"] is not None else ""
        line = f"searching shardings: {p['mesh']}, {p['candidates']} candidates{best}"
        sys.stderr.write(f"\r{line[:79]}\033[K")
        sys.stderr.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.shown:
            sys.stderr.write("\r\033[K")
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
