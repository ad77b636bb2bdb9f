# SPDX-License-Identifier: Apache-2.0
"""Equations of a traced function: numbers in their names, by which their ops are found again, and constraints among them.

Each equation, also in the bodies of jit, scan, while, cond, remat and custom derivatives, gets a number at the end of its name stack (".../tsr17"), which
JAX writes into the location of the ops of that equation, and which Tessera keeps. A pin of a plan belongs to the equation of the last number in its location,
and to the result of that equation with the op's type. Both passes number alike: in the order of equations, those of bodies after their equation."""

import os
import re
import sysconfig

from . import _jax_private as private
from .errors import InputError

# Equations whose bodies are part of the program. In any other (a kernel, a reduction's function, the manual part of a shard_map) nothing is pinned.
BODIES = {"jit", "pjit", "closed_call", "core_call", "core_closed_call", "call", "remat", "remat2", "checkpoint", "custom_jvp_call", "custom_vjp_call",
          "custom_vjp_call_jaxpr", "scan", "while", "cond"}
PLACES = {"sharding_constraint", "device_put", "mesh_cast", "reshard"}
# A constraint behind these says the same as one before.
POINTWISE = {"convert_element_type", "copy", "name", "add", "sub", "mul", "div", "max", "min", "neg", "exp", "log", "tanh", "logistic", "sqrt", "rsqrt", "integer_pow", "erf",
             "select_n", "square"}
BACKWARD = "tsr_backward"  # in names of equations of the backward pass, so that a search can leave them all out; not in those around their bodies
_TYPES = {"bool": "i1", "complex64": "complex<f32>", "complex128": "complex<f64>", "bfloat16": "bf16"}
_STDLIB = sysconfig.get_paths()["stdlib"] + os.sep
_TAG = re.compile(r"\btsr(\d+)\b")


def _bodies(params, change):
    """Parameters of an equation with its jaxprs changed."""
    from jax.extend.core import ClosedJaxpr, Jaxpr

    def go(v):
        if isinstance(v, ClosedJaxpr):
            new = change(v.jaxpr)
            return v if new is v.jaxpr else ClosedJaxpr(new, v.consts)
        if isinstance(v, Jaxpr):
            return change(v)
        if isinstance(v, (tuple, list)) and any(isinstance(w, (Jaxpr, ClosedJaxpr)) for w in v):
            return type(v)(go(w) for w in v)
        return v

    return {k: go(v) for k, v in params.items()}


def _is_var(atom):
    from jax.extend.core import Literal

    return not isinstance(atom, Literal)


def _is_dropped(var):
    return str(var) == "_" or type(var).__name__ == "DropVar"


def without_places(jaxpr, told):
    """The jaxpr without the program's own constraints, which the plan replaces; told gets their equations."""
    same, out, changed = {}, [], False

    def of(atom):
        return same.get(atom, atom) if _is_var(atom) else atom

    for e in jaxpr.eqns:
        if e.primitive.name in PLACES and len(e.invars) == len(e.outvars) and _places(e):
            told.append(e)
            same.update((v, of(a)) for a, v in zip(e.invars, e.outvars))
            changed = True
            continue
        params = _bodies(e.params, lambda j: without_places(j, told)) if e.primitive.name in BODIES else e.params
        if e.primitive.name in ("jit", "pjit"):
            params = _unplaced(e, params, told)
        if any(params[k] is not v for k, v in e.params.items()) or any(of(a) is not a for a in e.invars):
            e, changed = e.replace(params=params, invars=[of(a) for a in e.invars]), True
        out.append(e)
    return jaxpr.replace(eqns=out, outvars=[of(a) for a in jaxpr.outvars]) if changed else jaxpr


def _places(e):
    if e.primitive.name != "device_put":
        return True
    return any(hasattr(d, "spec") or hasattr(d, "device_set") for d in e.params.get("devices", ()))


def _unplaced(e, params, told):
    """A nested jit without shardings of its own."""
    none = private.unspecified()
    given = [s for k in ("in_shardings", "out_shardings") for s in params.get(k, ()) if s is not none and s is not None]
    if not given:
        return params
    told.append(e)
    return dict(params, **{k: tuple(none for _ in params[k]) for k in ("in_shardings", "out_shardings") if k in params})


def manual_meshes(jaxpr):
    """Meshes of shard_maps in a jaxpr."""
    found = []
    for e in jaxpr.eqns:
        if e.primitive.name == "shard_map":
            found.append(e.params["mesh"])
        elif e.primitive.name in BODIES:
            _bodies(e.params, lambda j: found.extend(manual_meshes(j)) or j)
    return found


class Equations:
    """All equations of a jaxpr by number, with those around them, and the jaxpr with the numbers in its names."""

    def __init__(self, jaxpr):
        self.all, self.outer, self._frames, self._alike, self._readers = [], [], {}, None, None
        self.tagged = self._tag(jaxpr, ())

    def _tag(self, jaxpr, outer):
        out = []
        for e in jaxpr.eqns:
            n = len(self.all)
            self.all.append(e)
            self.outer.append(outer)
            body = e.primitive.name in BODIES
            params = _bodies(e.params, lambda j: self._tag(j, (*outer, n))) if body else e.params
            stack = e.source_info.name_stack
            stack = stack.extend(BACKWARD) if not body and self.backward(n) else stack
            out.append(e.replace(params=params, source_info=e.source_info.replace(name_stack=stack.extend(f"tsr{n}"))))
        return jaxpr.replace(eqns=out)

    def backward(self, n):
        """Whether an equation is of the backward pass, and does not compute a value of the forward pass again."""
        names = "/".join(str(self.all[i].source_info.name_stack) for i in (*self.outer[n], n))
        return "transpose(" in names and "rematted_computation" not in names

    def differentiated(self, n):
        """Whether an equation is of the forward pass of a gradient."""
        return not self.backward(n) and "jvp(" in "/".join(str(self.all[i].source_info.name_stack) for i in (*self.outer[n], n))

    def alike(self, n):
        """The equations of the forward pass that the same expression of the user's code makes, by body: a list of lists of numbers."""
        if self._alike is None:
            self._alike = {}
            for i in range(len(self.all)):
                if self.frame(i) and not self.backward(i):
                    self._alike.setdefault(self.frame(i), {}).setdefault(self.outer[i], []).append(i)
        return list(self._alike.get(self.frame(n), {}).values())

    def value(self, n, parts):
        """The spec and shape of the whole expression that an equation is part of, by the spec of the equation's result; None if that is an intermediate value."""
        var = next(v for v in self.all[n].outvars if not _is_dropped(v))
        while True:
            group = next((g for g in self.alike(n) if n in g), [n])
            for e in (self.all[i] for i in group if i > n):
                if any(v is var for v in e.invars):
                    if e.primitive.name != "transpose" and not (e.primitive.name in POINTWISE and e.outvars[0].aval.shape == var.aval.shape):
                        return None
                    parts, var = _passed(e, parts), e.outvars[0]
            if not self.outer[n] or self.frame(self.outer[n][-1]) != self.frame(n):
                return parts, tuple(var.aval.shape)
            n = self.outer[n][-1]
            results = self._results(n)
            at = next((k for k, v in enumerate(results) if v is var), None)
            if at is None:
                return None
            var = self.all[n].outvars[at]

    def _results(self, n):
        """Results of the body of a call; none of other equations, whose bodies run more than once or not at all."""
        found = []
        if self.all[n].primitive.name not in ("scan", "while", "cond"):
            _bodies(self.all[n].params, lambda j: found.append(j.outvars) or j)
        return found[0] if len(found) == 1 and len(found[0]) == len(self.all[n].outvars) else []

    def shapes(self, n):
        """Shapes of the values that the expression of an equation gives, wherever it is computed: of those that others read."""
        if self._readers is None:
            self._readers = {}
            for i, e in enumerate(self.all):
                for v in e.invars:
                    self._readers.setdefault(id(v), []).append(i)
        found = set()
        for group in self.alike(n):
            inside = set(group)
            for v in (v for i in group for v in self.all[i].outvars if hasattr(v.aval, "shape") and not _is_dropped(v)):
                readers = self._readers.get(id(v), ())
                if not readers or not inside.issuperset(readers):
                    found.add(tuple(v.aval.shape))
        return found

    def called(self, n, operand):
        """The call that an equation is in, and the number of its argument, where an operand is just that, and all of the call is one expression of the user's."""
        while self.outer[n] and self.frame(self.outer[n][-1]) == self.frame(n):
            bodies, outer = [], self.all[self.outer[n][-1]]
            if outer.primitive.name in ("jit", "pjit"):
                _bodies(outer.params, lambda j: bodies.append(j) or j)
            at = next((i for j in bodies for i, v in enumerate(j.invars) if v is self.all[n].invars[operand]), None)
            if at is None:
                return None
            n, operand = self.outer[n][-1], at
        return n, operand

    def operand_shapes(self, n, operand):
        """Shapes of an operand, wherever the expression of an equation is computed."""
        alike = (self.all[i] for group in self.alike(n) for i in group)
        return {tuple(e.invars[operand].aval.shape) for e in alike if e.primitive is self.all[n].primitive}

    def frame(self, n):
        """Where the equation was written: the innermost frame that is the user's, or of a library if none is; None if nobody knows."""
        if n not in self._frames:
            found = _inner(private.frames(self.all[n]))
            self._frames[n] = ([f for f in found if not _is_library(f[0])] or found or [None])[0]
        return self._frames[n]

    def library(self, n):
        """The frame of a library that made the equation, if the user's code called one."""
        found = _inner(private.frames(self.all[n]))
        return found[0] if found and found[0] != self.frame(n) else None

    def places_of(self, pin):
        """Where a pin goes: (equation, number of the result, or ~ that of the operand); None if no value of the jaxpr is meant."""
        n = self.number(pin["location"])
        if n is None or n >= len(self.all):
            return None
        e, want = self.all[n], pin["type"].lower()
        inner = e.primitive.name in BODIES or e.primitive.name == "shard_map"
        reads = pin.get("operand") is not None
        if inner and not reads:
            return None
        atoms = e.invars if reads else e.outvars
        at = [i for i, v in enumerate(atoms) if (_is_var(v) if reads else not _is_dropped(v)) and type_of(v.aval) == want]
        k = pin["operand"] if reads else pin.get("result", 0)
        if k in at and not inner:
            return n, ~k if reads else k
        if len(at) == 1 or at and len({id(atoms[i]) for i in at}) == 1:
            return n, ~at[0] if reads else at[0]
        return None

    @staticmethod
    def number(location):
        """That of the last tag in a location; None if it has none."""
        for text in re.findall(r'"((?:[^"\\]|\\.)*)"', location):
            tags = _TAG.findall(text)
            if tags:
                return int(tags[-1])
        return None


def _passed(e, parts):
    """Dimensions of a spec behind an equation that moves them."""
    if e.primitive.name != "transpose":
        return parts
    wide = (*parts, *(None for _ in range(len(e.params["permutation"]) - len(parts))))
    parts = tuple(wide[d] for d in e.params["permutation"])
    while parts and parts[-1] is None:
        parts = parts[:-1]
    return parts


def _inner(frames):
    """Those of the function that is planned, not of its callers."""
    callers = next((i for i, f in enumerate(frames) if os.path.basename(f[0]) == "_jax_call.py"), len(frames))
    return frames[:callers]


def _is_library(file):
    return "site-packages" in file or "dist-packages" in file or file.startswith(_STDLIB)


def type_of(aval):
    """How Tessera writes the type of an array, in lower case; "" of anything else."""
    if not hasattr(aval, "shape") or not hasattr(aval, "dtype"):
        return ""
    name = str(aval.dtype)
    if name.startswith("key<"):
        return ""
    if name not in _TYPES:
        for long, short in (("uint", "ui"), ("int", "i"), ("float", "f")):
            if name.startswith(long):
                name = short + name[len(long) :].replace("_", "")
                break
    return f"tensor<{''.join(f'{d}x' for d in aval.shape)}{_TYPES.get(name, name)}>"


def name_of(pin):
    """The quoted name in a pin's location that no other equation has: what to rule out."""
    for text in re.findall(r'"(?:[^"\\]|\\.)*"', pin["location"]):
        if _TAG.search(text):
            return text
    return ""


class Inserter:
    """Puts constraints into a jaxpr: by equation and place, the specs that a value goes through, in order."""

    def __init__(self, specs, mesh):
        self.specs, self.mesh, self.next = specs, mesh, 0

    def _constraint(self, aval, spec, like):
        """An equation that constrains a fresh variable."""
        import jax

        sharding = jax.sharding.NamedSharding(self.mesh, spec)
        made = jax.make_jaxpr(lambda x: jax.lax.with_sharding_constraint(x, sharding))(jax.ShapeDtypeStruct(aval.shape, aval.dtype))
        return made.jaxpr.eqns[-1].replace(source_info=like.source_info)

    def _before(self, atom, specs, like, out, known):
        """The operand behind its constraints; those that another equation has already made are shared, as what they move is moved once."""
        for spec in specs:
            key = id(atom), tuple(spec)
            if key not in known:
                made = self._constraint(atom.aval, spec, like)
                out.append(made.replace(invars=[atom]))
                known[key] = atom, made.outvars[0]  # the atom is kept, so that its id stays its own
            atom = known[key][1]
        return atom

    def _behind(self, var, specs, like, after):
        """What an equation gives instead of var, which is then the last of its constraints' results."""
        for spec in reversed(specs):
            made = self._constraint(var.aval, spec, like)
            after.insert(0, made.replace(outvars=[var]))
            var = made.invars[0]
        return var

    def insert(self, jaxpr):
        out, changed, known = [], False, {}
        for e in jaxpr.eqns:
            n = self.next
            self.next += 1
            params = _bodies(e.params, self.insert) if e.primitive.name in BODIES else e.params
            if any(params[k] is not v for k, v in e.params.items()):
                e, changed = e.replace(params=params), True
            ins, outs, after = list(e.invars), list(e.outvars), []
            for place, specs in sorted(self.specs.get(n, {}).items()):
                if place >= 0:
                    outs[place] = self._behind(outs[place], specs, e, after)
                else:
                    ins[~place] = self._before(ins[~place], specs, e, out, known)
                changed = True
            out += [e.replace(invars=ins, outvars=outs) if n in self.specs else e, *after]
        return jaxpr.replace(eqns=out) if changed else jaxpr


def inserted(jaxpr, consts, specs, mesh):
    """The program with constraints."""
    from jax.extend.core import ClosedJaxpr

    return ClosedJaxpr(Inserter(specs, mesh).insert(jaxpr), consts)


def cleaned(closed, told):
    from jax.extend.core import ClosedJaxpr

    for v in (*closed.jaxpr.invars, *closed.jaxpr.outvars):
        if not hasattr(v.aval, "shape"):
            raise InputError(f"the function takes or returns {v.aval}, which is no array: no plan has a sharding for it")
    return ClosedJaxpr(without_places(closed.jaxpr, told), closed.consts)
