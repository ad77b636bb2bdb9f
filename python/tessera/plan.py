# SPDX-License-Identifier: Apache-2.0
"""Plans: what a search for shardings found, to be saved, loaded, applied, checked and compared (docs/SEARCH.md, "Plans")."""

import json
import os
from ctypes import byref, c_bool

from . import _library as c
from ._library import lib, owned, to_str
from .errors import EnvironmentFailure, InputError

_PINS = {"few": 0, "none": 1, "all": 2}


class Plan:
    """Shardings for a program, apart from any module. Module.find_plan makes one; .data has all of it, in the form of the JSON file."""

    def __init__(self, text, filename="plan", *, _handle=None):
        """From JSON, as str() and save() write it."""
        self._handle = _handle or _asked(lib.tsr_mesh_plan_from_json, to_str(text), to_str(filename))
        self._data = None

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            lib.tsr_mesh_plan_free(self._handle)
            self._handle = None

    @classmethod
    def load(cls, path):
        """From a file that save(), or `tessera shard --auto --plan`, wrote."""
        with open(path, "rb") as file:
            return cls(file.read(), os.fspath(path))

    def save(self, path):
        """Writes it as a file, completely or not at all."""
        c.write_file(path, str(self))

    def __str__(self):
        return _told(lib.tsr_mesh_plan_to_json, self._handle)

    def __repr__(self):
        chosen = self.candidate
        return f"<Plan {chosen['name']!r}: {chosen['step_seconds']:.4g} s, {chosen['peak_bytes']:.4g} B, {len(chosen['pins'])} pins>"

    def __eq__(self, other):
        return isinstance(other, Plan) and str(self) == str(other)

    __hash__ = None

    def __reduce__(self):
        return Plan, (str(self),)

    @property
    def data(self):
        """The plan as a dictionary; changing it does not change the plan."""
        if self._data is None:
            self._data = str(self)
        return json.loads(self._data)

    @property
    def candidate(self):
        """The part of .data that is chosen: its mesh, figures, arguments, results and pins."""
        data = self.data
        return data["candidates"][data["chosen"]]

    @property
    def chosen(self):
        return lib.tsr_mesh_plan_chosen_candidate(self._handle)

    def __len__(self):
        """How many candidates it has."""
        return lib.tsr_mesh_plan_num_candidates(self._handle)

    def select(self, candidate):
        """A plan that has another candidate chosen; this one stays as it is."""
        if not 0 <= candidate < len(self):
            raise InputError(f"there is no candidate {candidate}: there are {len(self)}, from 0 on")
        other = Plan(str(self))
        _asked(lib.tsr_mesh_plan_select, other._handle, candidate)
        return other

    def compare(self, other):
        """How another plan differs from this one: str() for people, .data for programs."""
        if not isinstance(other, Plan):
            raise InputError(f"a Plan is expected, not a {type(other).__name__}")
        from .module import Costs

        return Costs(*[_told(lib.tsr_mesh_plan_compare, self._handle, other._handle, as_json) for as_json in (False, True)])


class Check:
    """Whether a program keeps what a plan promised: true if it does; str() for people, .data for programs."""

    def __init__(self, keeps, text, data):
        self.keeps = keeps
        self.text = text
        self.data = json.loads(data)

    def __bool__(self):
        return self.keeps

    def __str__(self):
        return self.text


def _asked(call, *arguments):
    status = c.Status()
    answer = call(*arguments, byref(status))
    if not answer:
        _fail(status)
    return answer


def _told(call, *arguments):
    status = c.Status()
    text = owned(call(*arguments, byref(status)))
    if text is None:
        _fail(status)
    return text.decode(errors="replace")


def _fail(status):
    kind = EnvironmentFailure if status.code == 2 else InputError
    raise kind(status.message.decode(errors="replace"), [])


def _texts(texts):
    texts = list(texts or ())
    return (c.Str * len(texts))(*[to_str(t) for t in texts]), len(texts)


def _find(module, options, pins, expressible, excluded, candidate):
    if pins not in _PINS:
        raise InputError(f"pins: {pins!r} is no such value: few, none or all is wanted")
    if candidate < 0:
        raise InputError(f"there is no candidate {candidate}")
    status = c.Status()
    module.context._said = []
    wanted = c.PlanOptions(options, _PINS[pins], expressible, *_texts(excluded), candidate)
    handle = lib.tsr_module_find_plan(module._handle, byref(wanted), byref(status))
    if not handle:
        module.context._fail(status)
    return Plan("", _handle=handle)


def _handle_of(plan):
    if not isinstance(plan, Plan):
        raise InputError(f"a Plan is expected, not a {type(plan).__name__}")
    return plan._handle


def _apply(module, plan, arguments_alone):
    module._asked(lib.tsr_module_apply_plan, _handle_of(plan), arguments_alone)


def _check(module, plan, device, memory, tolerance, arguments_alone):
    options = c.CheckPlanOptions(to_str(device), memory, max(tolerance, 1e-12), arguments_alone)
    keeps = c_bool()
    texts = [module._told(lib.tsr_module_check_plan, _handle_of(plan), byref(options), as_json, byref(keeps)) for as_json in (False, True)]
    return Check(keeps.value, *texts)
