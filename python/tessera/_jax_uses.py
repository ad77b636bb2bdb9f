"""What a plan does with the operands and results of products, as constraints: XLA's partitioner then does the same.

Where a plan gathers a weight along one axis, or adds up a gradient and keeps a part, XLA decides anew and often moves more: it gathers a whole operand in one step,
or moves the other one. Each step that Tessera's partitioner takes, and that one constraint says, is therefore written down."""

import math
import re

from .errors import InputError
from .module import Module

_PRODUCTS = {"stablehlo.dot_general": "dot_general", "stablehlo.convolution": "conv_general_dilated"}


def specs_of(ways, avals, spec, sizes):
    """The PartitionSpecs of a text such as "x+y,_ > x,_"; None where JAX cannot say one of them."""
    found = []
    for layout in ways.split(" > "):
        parts = [() if d == "_" else tuple(d.split("+")) for d in layout.split(",")] if layout else []
        if len(parts) != len(avals.shape) or any(a not in sizes for d in parts for a in d):
            return None
        if any(n % math.prod(sizes[a] for a in d) for n, d in zip(avals.shape, parts)):
            return None
        found.append(spec(tuple(None if not d else d[0] if len(d) == 1 else d for d in parts), avals))
    return found


def uses(program, lowered, sizes):
    """By equation and place, the specs that operands (~ their number) and results of products go through."""
    module = Module.parse(lowered.as_text(debug_info=True)).run_passes("inline{default-pipeline=},tessera-partition{uses=true remarks=false combine=false}")
    found, differ = {}, set()
    for op in module.walk():
        if op.name not in _PRODUCTS or "tessera.uses" not in op.attributes:
            continue
        n = program.equations.number(str(op.location))
        e = program.equations.all[n] if n is not None and n < len(program.equations.all) else None
        if e is None or e.primitive.name != _PRODUCTS[op.name]:
            continue
        texts = re.findall(r'"([^"]*)"', str(op.attributes["tessera.uses"]))
        places = {}
        for i, (text, v) in enumerate(zip(texts, (*e.invars, *e.outvars))):
            try:
                specs = specs_of(text, v.aval, program.spec, sizes)
            except InputError:
                specs = None
            if specs:
                places[~i if i < len(e.invars) else i - len(e.invars)] = specs
        if found.setdefault(n, places) != places:
            differ.add(n)
    return {n: places for n, places in found.items() if n not in differ and any(len(s) > 1 for s in places.values())}
