# SPDX-License-Identifier: Apache-2.0
"""The table of ATen ops: one row for each, a function that puts the op's StableHLO into the program.

A row gets the emitter, what the op is to give (Out, or a list of them where it gives several), and the op's arguments, with values in the places of
tensors. It is found by the op's name with its overload ("aten.mul.Scalar"), else without ("aten.mul"). Raising Unsupported leaves the op to eager."""

from ._torch_emit import Unsupported

ROWS = {}


class Out:
    """What an op gives: shape and element type."""

    __slots__ = ("s", "d")

    def __init__(self, s, d):
        self.s, self.d = tuple(s), d


def row(*names):
    """The row of these ops, of the namespace aten unless they name another one."""

    def keep(function):
        for name in names:
            ROWS[name if name.partition(".")[0] in ("prims", "_c10d_functional", "prim") else f"aten.{name}"] = function
        return function

    return keep


def find(name):
    """The row of an op, or None."""
    found = ROWS.get(name)
    if found is None:
        base, _, overload = name.rpartition(".")
        if overload.endswith("out") and overload not in ("",):
            return None
        found = ROWS.get(base)
    return found


def load():
    """The whole table."""
    from . import _torch_rows_collective, _torch_rows_foreach, _torch_rows_index, _torch_rows_math, _torch_rows_nn  # noqa: F401
    from . import _torch_rows_random, _torch_rows_reduce, _torch_rows_shape  # noqa: F401

    return ROWS


def emit(e, name, outs, args, kwargs):
    """The results of an op, checked against what it is to give."""
    made = find(name)
    if made is None:
        raise Unsupported("no row")
    single = len(outs) == 1 and not isinstance(outs, tuple)
    results = made(e, outs[0] if single else list(outs), *args, **kwargs)
    results = [results] if single and not isinstance(results, (list, tuple)) else list(results)
    for i, (r, o) in enumerate(zip(results, outs)):
        if o is not None and r is not None and (r.s != o.s or r.d != o.d):
            raise Unsupported(f"result {i} is {r.s} {r.d}, not {o.s} {o.d}")
    return results
