# SPDX-License-Identifier: Apache-2.0
"""Rows of ops on lists of tensors (_foreach_add.List, ...), which optimizers call: the op's row for each of them."""

from ._torch_emit import Unsupported
from ._torch_table import ROWS, find, row

_ELEMENTWISE = ("add", "sub", "mul", "div", "neg", "abs", "sqrt", "reciprocal", "exp", "log", "sign", "addcmul", "addcdiv", "lerp", "maximum", "minimum", "clamp_min",
                "clamp_max", "pow", "rsqrt", "tanh", "sigmoid", "floor", "ceil", "round", "trunc", "erf", "cos", "sin", "log1p", "expm1", "log2", "log10")


def _each(name):
    def made(e, outs, *rest, **kwargs):
        outs = outs if isinstance(outs, list) else [outs]
        found = find(f"aten.{name}.Tensor")
        lists = [x if isinstance(x, (list, tuple)) and len(x) == len(outs) else [x] * len(outs) for x in rest]
        results = []
        for i, o in enumerate(outs):
            first, *args = [_one(e, x[i]) for x in lists]
            named = {k: v[i] if isinstance(v, (list, tuple)) else v for k, v in kwargs.items()}
            if name in ("addcmul", "addcdiv") and len(args) == 3:
                named["value"] = args.pop()
            if name in ("add", "sub") and len(args) == 2:
                named["alpha"] = args.pop()
            results.append(found(e, o, first, *args, **named))
        return results

    return made


def _one(e, x):
    if isinstance(x, (list, tuple)):
        raise Unsupported("a list of another length")
    return x


for _name in _ELEMENTWISE:
    row(f"_foreach_{_name}")(_each(_name))
ROWS["aten._foreach_lerp.Scalar"] = _each("lerp")


@row("_foreach_zero")
def foreach_zero(e, outs, first):
    outs = outs if isinstance(outs, list) else [outs]
    return [e.const(0, o.s, o.d) for o in outs]


@row("_foreach_copy")
def foreach_copy(e, outs, first, other, *_):
    outs = outs if isinstance(outs, list) else [outs]
    return [e.fit(x, o.s, o.d) for x, o in zip(other, outs)]


@row("_foreach_norm")
def foreach_norm(e, outs, first, ord=2, dtype=None):
    outs = outs if isinstance(outs, list) else [outs]
    norm = find("aten.linalg_vector_norm.default")
    return [norm(e, o, x, ord) for x, o in zip(first, outs)]
