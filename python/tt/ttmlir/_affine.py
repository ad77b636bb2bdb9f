# SPDX-License-Identifier: Apache-2.0
"""Affine maps and expressions, as their texts have them."""

import re

from ._values import Attribute, _context


class AffineExpr:
    """An expression of dimensions d0, d1, ... and symbols s0, ..."""

    def __init__(self, text, level=2, function=None):
        self.text, self.level, self.function = text, level, function

    @staticmethod
    def _of(value):
        return value if isinstance(value, AffineExpr) else AffineConstantExpr.get(value)

    def _in(self, level):
        return self.text if self.level >= level else f"({self.text})"

    @staticmethod
    def get_dim(position, context=None):
        return AffineDimExpr.get(position)

    @staticmethod
    def get_constant(value, context=None):
        return AffineConstantExpr.get(value)

    @staticmethod
    def get_symbol(position, context=None):
        return AffineSymbolExpr.get(position)

    def __add__(self, other):
        return AffineAddExpr.get(self, other)

    def __radd__(self, other):
        return AffineAddExpr.get(other, self)

    def __mul__(self, other):
        return AffineMulExpr.get(self, other)

    def __rmul__(self, other):
        return AffineMulExpr.get(other, self)

    def __mod__(self, other):
        return AffineModExpr.get(self, other)

    def __sub__(self, other):
        return AffineAddExpr.get(self, AffineMulExpr.get(other, -1))

    @staticmethod
    def get_floor_div(a, b):
        return AffineFloorDivExpr.get(a, b)

    @staticmethod
    def get_mod(a, b):
        return AffineModExpr.get(a, b)

    def __eq__(self, other):
        return isinstance(other, AffineExpr) and other.text == self.text

    def __hash__(self):
        return hash(self.text)

    def __str__(self):
        return self.text


def _leaf(name, letter):
    def get(cls, position, context=None):
        made = cls(f"{letter}{position}", 3)
        made.position = position
        return made

    return type(name, (AffineExpr,), {"get": classmethod(get)})


AffineDimExpr = _leaf("AffineDimExpr", "d")
AffineSymbolExpr = _leaf("AffineSymbolExpr", "s")


class AffineConstantExpr(AffineExpr):
    @classmethod
    def get(cls, value, context=None):
        made = cls(str(value), 3)
        made.value = value
        return made


def _pair(name, sign, level):
    def get(cls, lhs, rhs, context=None):
        a, b = AffineExpr._of(lhs), AffineExpr._of(rhs)
        made = cls(f"{a._in(level)} {sign} {b._in(level + 1)}", level)
        made.lhs, made.rhs = a, b
        return made

    return type(name, (AffineExpr,), {"get": classmethod(get)})


AffineAddExpr = _pair("AffineAddExpr", "+", 1)
AffineMulExpr = _pair("AffineMulExpr", "*", 2)
AffineModExpr = _pair("AffineModExpr", "mod", 2)
AffineFloorDivExpr = _pair("AffineFloorDivExpr", "floordiv", 2)
AffineCeilDivExpr = _pair("AffineCeilDivExpr", "ceildiv", 2)


class AffineMap:
    """(d0, d1) -> (d1, d0)."""

    def __init__(self, context, ndims, nsymbols, results):
        self.context, self.n_dims, self.n_symbols = context, ndims, nsymbols
        self.results = [AffineExpr._of(r) for r in results]

    @classmethod
    def get(cls, dim_count, symbol_count, exprs, context=None):
        return cls(_context(context), dim_count, symbol_count, exprs)

    @classmethod
    def get_identity(cls, n_dims, context=None):
        return cls(_context(context), n_dims, 0, [AffineDimExpr.get(i) for i in range(n_dims)])

    @classmethod
    def get_permutation(cls, permutation, context=None):
        return cls(_context(context), len(permutation), 0, [AffineDimExpr.get(i) for i in permutation])

    @classmethod
    def get_minor_identity(cls, n_dims, n_results, context=None):
        return cls(_context(context), n_dims, 0, [AffineDimExpr.get(i) for i in range(n_dims - n_results, n_dims)])

    @classmethod
    def get_constant(cls, value, context=None):
        return cls(_context(context), 0, 0, [AffineConstantExpr.get(value)])

    @classmethod
    def get_empty(cls, context=None):
        return cls(_context(context), 0, 0, [])

    def compose(self, index):
        """The results at a point."""
        names = {f"d{i}": v for i, v in enumerate(index)}
        return [_compute(r.text, names) for r in self.results]

    def _body(self):
        dims = ", ".join(f"d{i}" for i in range(self.n_dims))
        symbols = ", ".join(f"s{i}" for i in range(self.n_symbols))
        return f"({dims}){f'[{symbols}]' if symbols else ''} -> ({', '.join(map(str, self.results))})"

    def __eq__(self, other):
        return isinstance(other, AffineMap) and other._body() == self._body()

    def __hash__(self):
        return hash(self._body())

    def __str__(self):
        return self._body()


def _compute(text, names):
    text = re.sub(r"\bfloordiv\b", "//", re.sub(r"\bmod\b", "%", text))
    if not re.fullmatch(r"[\sds0-9+\-*/%()]*", text):
        raise ValueError(f"no number is made of {text!r}")
    return eval(text, {"__builtins__": {}}, names)  # digits, names and signs alone


__all__ = [name for name in globals() if name.startswith("Affine")] + ["Attribute"]
