# SPDX-License-Identifier: Apache-2.0
"""The source with the plan's diff, traced: the user's functions get the code of the edited text for as long as that takes. So the figures of the diff are those of
what a user runs, and edits that make a step longer are left out.

A line says less than a pin: its constraint holds wherever the line computes a value, in the forward pass, where that is recomputed, and for the gradient."""

import contextlib
import functools
import gc
import threading
import types

from ._jax_program import brief
from ._jax_source import Edits, Way
from .errors import InputError, TesseraError
from .module import Module

_AS_PROMISED = 1.02  # of the promised step: values that have no pin stay so
_GOOD = 1.01  # of the promised step: no further search for better edits
_BETTER = 0.999
_TRIES = 60
_EDITING = threading.RLock()  # code and globals are the whole process's
_HERE = "_tessera_"  # prefix of names that constrain in one thread alone


def _codes(old, new, found):
    """Pairs of code, old and edited, of all functions in two versions of a text."""
    found[old] = new
    parts = []
    for code in (old, new):
        inside = {}
        for c in code.co_consts:
            if isinstance(c, types.CodeType):
                inside.setdefault(c.co_name, []).append(c)
        parts.append(inside)
    for name, mine in parts[0].items():
        for a, b in zip(mine, parts[1].get(name, ())):
            _codes(a, b, found)


@functools.cache
def _unseen():
    """Ops that functions of this file make are of the lines that call them."""
    from jax.extend.source_info_util import register_exclusion

    register_exclusion(__file__)


def _names(head):
    """What edits use, by name; functions that constrain do so in this thread alone: others that run the edited code meanwhile get their values as they are."""
    _unseen()
    names, here = {}, threading.get_ident()
    exec(head, names)
    names.pop("__builtins__", None)
    for name, value in list(names.items()):
        if not isinstance(value, type):
            names[_HERE + name] = lambda x, *more, value=value, **options: value(x, *more, **options) if threading.get_ident() == here else x
    return names


@contextlib.contextmanager
def edited_code(edits):
    """The functions of this process with the edits in their code; yields how many have one."""
    changed, added, edits = [], [], Edits(edits.places, edits.read, edits.ways, _HERE)
    _EDITING.acquire()
    try:
        for file, (old, new) in edits.edited().items():
            pairs, names = {}, _names(compile(edits.head(file), file, "exec", dont_inherit=True))
            _codes(compile(old, file, "exec", dont_inherit=True), compile(new, file, "exec", dont_inherit=True), pairs)
            for f in [f for f in gc.get_objects() if type(f) is types.FunctionType and f.__code__.co_filename == file and f.__code__ in pairs]:
                changed.append((f, f.__code__))
                f.__code__ = pairs[f.__code__].replace(co_filename=file)
                for name in names.keys() - f.__globals__.keys():
                    added.append((f.__globals__, name))
                    f.__globals__[name] = names[name]
        yield len(changed)
    finally:
        for f, code in changed:
            f.__code__ = code
        for space, name in added:
            space.pop(name, None)
        _EDITING.release()


class Source:
    """The edits of a plan, and what a step of the source takes with them: seconds and peak; None where nobody can say, as no function that runs is of a file that
    can be read, or with the edits it cannot be traced."""

    def __init__(self, plan):
        self.plan, self.tries = plan, _TRIES
        self.edits, self.seconds, self.peak = Edits(plan._places(plan.pins)), None, None
        places, ways = self.edits.places, {}
        best = self._figures(self.edits)
        if self.edits.made and not self._is(best, _GOOD):
            best, ways = self._better(places, {} if best else {key: None for key in self.edits.made}, best)
        if best and not self._is(best, _AS_PROMISED):
            more = plan._places(plan._forward_pins(), told=False)
            places, ways = [*places, *more], {**{key: None for key in Edits(more).made}, **{key: ways.get(key, Way()) for key in self.edits.made}}
            best, ways = self._better(places, ways, best)
        if best:
            self.edits, (self.seconds, self.peak) = Edits(places, ways=ways), best

    def with_operands(self, pins):
        """The edits, and those of these operands, as far as there is a line for them."""
        places = self.plan._places(pins, told=False)
        ways = dict.fromkeys(Edits(places).made, Way())
        return Edits([*self.edits.places, *places], ways={**ways, **self.edits.ways})

    def _is(self, figures, good):
        return figures and figures[0] <= good * self.plan.step_seconds

    def _figures(self, edits):
        """(seconds, peak) of a step; None where it cannot be traced."""
        try:
            text = lowered(self.plan, edits).as_text(debug_info=True)
            now = Module.parse(text).run_passes("inline{default-pipeline=}").simulate(device=self.plan.data["device"]).data
        except (TesseraError, Untraced):
            return None
        return now["step_seconds"], now["peak_bytes"]

    def _better(self, places, ways, best):
        """Leaves out edits, or their hold on gradients, takes other specs, or edits that were left out, one expression after the other, as long as a step gets
        shorter: figures and ways. best: the figures now; None: not known."""
        made, better = Edits(places, ways=ways).made, True
        best = best or self._figures(Edits(places, ways=ways))
        while best and better:
            better = False
            for key, nspec in made.items():
                for way in (None, *(Way(gradient, k) for k in range(nspec) for gradient in (True, False))):
                    if self.tries <= 0 or self._is(best, _GOOD):
                        return best, ways
                    if way == ways.get(key, Way()):
                        continue
                    self.tries -= 1
                    now = self._figures(Edits(places, ways={**ways, key: way}))
                    if now and now[0] < _BETTER * best[0] and self._fits(now):
                        best, ways, better = now, {**ways, key: way}, True
        return best, ways

    def _fits(self, made):
        limit = self.plan.data.get("memory_limit_bytes")
        return not limit or made[1] <= limit


class Untraced(Exception):
    """The edited functions cannot be traced, or are not there."""


def lowered(plan, edits, devices=None):
    """The program of the edited source with the plan's shardings of arguments and results, for any devices or for these, as JAX lowers it."""
    with edited_code(edits) as n:
        if edits.points and not n:
            raise Untraced("no function of this process is of a source file that the edits are for")
        try:
            return plan._program.as_written(plan.mesh, plan._ins, plan._outs, devices)
        except TesseraError:
            raise
        except Exception as error:
            raise Untraced(brief(error)) from error


class Written:
    """The edited source, to be lowered for JAX's devices as a jitted function is."""

    def __init__(self, plan, edits):
        self.plan, self.edits = plan, edits

    def lower(self, *_):
        try:
            return lowered(self.plan, self.edits, self.plan.jax_mesh.devices)
        except Untraced as error:
            raise InputError(f"{self.plan._program.call.name} cannot be traced with the diff in its source: {error}") from error
