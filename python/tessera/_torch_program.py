# SPDX-License-Identifier: Apache-2.0
"""Graphs of ATen ops as data, and the modules that are made of them. Nothing here needs torch.

A graph is a dictionary:
    inputs    [shape, element type, order] of each; order: its dimensions as they lie in memory, None: row-major
    ops       [name with overload, arguments, keyword arguments, [shape, element type] of each result (None: not there), [file, line]]
    outputs   [value, order] of each
    given     pairs of numbers of an input and of the output that is computed in its memory
    random    whether a last input, a ui64, is the seed of its random numbers
Values are numbered: inputs first, then the results of each op. In arguments a Ref stands for a value; as JSON it is {"v": number}."""

import json
import os

from . import _torch_table as table
from ._torch_emit import Emit, Unsupported

FORMAT = 1
RANDOM = frozenset(
    "rand rand_like randn randn_like uniform normal normal_functional bernoulli native_dropout randint randint_like random randperm exponential".split()
)


class Ref:
    """A value, by its number."""

    __slots__ = ("v",)

    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return isinstance(other, Ref) and other.v == self.v

    def __hash__(self):
        return hash(self.v)


class OpError(Exception):
    """The op, by its number in the graph, that has no form in a program, and why."""

    def __init__(self, number, name, reason):
        super().__init__(f"{name}: {reason}")
        self.number, self.name, self.reason = number, name, reason


def is_random(name):
    return name.split(".")[0] == "aten" and name.split(".")[1].rstrip("_") in RANDOM


def to_json(graph):
    def encode(x):
        if isinstance(x, Ref):
            return {"v": x.v}
        if isinstance(x, complex):
            return {"re": x.real, "im": x.imag}
        raise TypeError(f"no argument of an op is a {type(x).__name__}")

    return json.dumps(graph, default=encode, separators=(",", ":"))


def from_json(text):
    def decode(x):
        if len(x) == 1 and "v" in x:
            return Ref(x["v"])
        return complex(x["re"], x["im"]) if len(x) == 2 and "re" in x else x

    return json.loads(text, object_hook=decode)


def _values(x, env):
    if isinstance(x, Ref):
        return env[x.v]
    if isinstance(x, (list, tuple)):
        return [_values(i, env) for i in x]
    return x


def _laid(e, v, order):
    """A value as it lies in memory."""
    return v if order is None else e.transpose(v, order)


def _inverse(order):
    found = [0] * len(order)
    for i, k in enumerate(order):
        found[k] = i
    return found


def build(graph, names=None, context=None):
    """The module of a graph: a function main. names: of its inputs."""
    from .errors import InputError

    table.load()
    given = [((tuple(s[i] for i in order) if order else tuple(s)), d) for s, d, order in graph["inputs"]]
    if graph.get("random"):
        given.append(((), "ui64"))
    e = Emit(given, context, names + ["seed"] if names and graph.get("random") else names)
    env = [e.transpose(v, _inverse(order)) if order else v for v, (_, _, order) in zip(e.args, graph["inputs"])]
    if graph.get("random"):
        e.seed = e.args[-1]
    for number, (name, args, kwargs, results, place) in enumerate(graph["ops"]):
        e.at(name, *(place or ("", 0)))
        outs = [None if r is None else table.Out(*r) for r in results]
        try:
            made = table.emit(e, name, outs, _values(args, env), {k: _values(v, env) for k, v in kwargs.items()})
        except Unsupported as error:
            raise OpError(number, name, str(error)) from None
        except (InputError, TypeError, ValueError, KeyError, IndexError, AttributeError, ZeroDivisionError) as error:
            if os.environ.get("TESSERA_TORCH_STRICT"):
                raise
            raise OpError(number, name, f"{type(error).__name__}: {error}") from error
        env += [*made, *[None] * (len(outs) - len(made))]
    e.at("return")
    results = []
    for v, order in graph["outputs"]:
        results.append(_laid(e, env[v], order))
    return e.finish(results, graph.get("given", ()))
