# SPDX-License-Identifier: Apache-2.0
"""How a plan moves what ops read and give, as constraints: XLA's partitioner then does the same.

Where a plan gathers a weight along one axis, or adds up a gradient and keeps a part, XLA decides anew and often moves more: it gathers a whole operand in one step,
or moves the other one. Each step that Tessera's partitioner takes is
therefore written down."""

import math
import re

from .errors import InputError
from .module import Module

PRODUCTS = ("dot_general", "conv_general_dilated")


def specs_of(ways, aval, spec, sizes):
    """The PartitionSpecs of a text such as "x+y,_ > x,_"; None where JAX cannot say one of them."""
    found = []
    for layout in ways.split(" > "):
        parts = _parts_of(layout, sizes)
        if len(parts) != len(aval.shape) or any(a not in sizes for d in parts for a in d):
            return None
        if any(n % math.prod(sizes[a] for a in d) for n, d in zip(aval.shape, parts)):
            return None
        found.append(spec(tuple(None if not d else d[0] if len(d) == 1 else d for d in parts), aval))
    return found


def _parts_of(layout, names):
    """The axes of each dimension of "x+y,_"; names may have any characters."""
    parts = [[]] if layout else []
    for text in re.findall("|".join([*(re.escape(n) for n in sorted(names, key=len, reverse=True)), "."]), layout):
        if text in names:
            parts[-1].append(text)
        elif text == ",":
            parts.append([])
        elif text not in "_+":
            parts[-1].append(None)  # a part of an axis
    return [tuple(p) for p in parts]


def _places(program, op, e, sizes):
    """Specs by place for the op of an equation; {} where they are not of one another."""
    texts = re.findall(r'"([^"]*)"', str(op.attributes["tessera.uses"]))
    atoms, places = [*e.invars, *e.outvars], {}
    if len(texts) != len(atoms) or len(op.operands) != len(e.invars):
        return {}
    for i, (text, v) in enumerate(zip(texts, atoms)):
        try:
            specs = specs_of(text, v.aval, program.spec, sizes) if getattr(v.aval, "shape", ()) else None
        except InputError:
            specs = None
        if specs:
            places[~i if i < len(e.invars) else i - len(e.invars)] = specs
    return places


def uses(program, lowered, sizes):
    """By equation and place, the specs that operands (~ their number) and results go through: of products, and of other equations whose op moves one of them."""
    module = Module.parse(lowered.as_text(debug_info=True)).run_passes("inline{default-pipeline=},tessera-partition{uses=true remarks=false combine=false}")
    ops, found = {}, {}
    for op in module.walk():
        n = program.equations.number(str(op.location)) if "tessera.uses" in op.attributes else None
        if n is not None and n < len(program.equations.all):
            ops.setdefault(n, []).append(op)
    for n, alike in ops.items():
        e = program.equations.all[n]
        ways = [w for w in (_places(program, op, e, sizes) for op in alike) if w]
        if ways and all(w == ways[0] for w in ways) and (e.primitive.name in PRODUCTS or any(len(specs) > 1 for specs in ways[0].values())):
            found[n] = ways[0]
    return found
